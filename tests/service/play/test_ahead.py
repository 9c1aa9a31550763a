"""Orders given ahead: several turns in one mail, limits, consents, and what becomes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import Failure
from engine.core import orders as o
from engine.core.ids import PlayerId
from moderator.adapters.tables import HeldRow
from moderator.domain.ahead.occasion import Occasion
from moderator.domain.ahead.orders import Closed, Held
from moderator.service.table import held_rows
from moderator.service.table.table import lock_table
from tests.kit.samples import each_in_turn
from tests.kit.service.mail_service import START
from tests.kit.service.toy_service import Table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")


def told(table: Table) -> list[tuple[str, str, list[str]]]:
    """News of orders given ahead, as their owners were told: the orders, or why they lapsed."""
    found = []
    for seat, key, facts in table.words().ahead:
        failures: tuple[Failure, ...] = facts.get("failures", ())  # type: ignore[assignment]
        texts: tuple[str, ...] = facts.get("texts", ())  # type: ignore[assignment]
        found.append((seat, key, [failure.check for failure in failures] or list(texts)))
    return found


@pytest.mark.fault(53)
def test_several_turns_in_one_mail(table: Table, game: str) -> None:
    """Bob's Y waits while Ann's X has its turn, and is played when it is asked."""
    table.say("Bob", "Y: redeem 1; pay none; done")
    assert table.outcomes() == ["held"]
    assert table.log(game) == []
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert table.log(game)[-3:] == ["Y: redeem 1", "Y: pay none", "Y: done"]
    assert table.held(game) == [("Bob", "Y:\n  redeem 1\n  pay none\n  done", "used")]


def test_the_second_section_waits_for_the_first(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "X: pay none; done\nAnn: open P 20\nX: redeem 1; pay none; done")
    assert table.verdicts[:2] == [("pay none", "accepted"), ("done", "accepted")]
    assert [v for _, v in table.verdicts[2:]] == ["held"] * 4
    table.say("Bob", "pay none; done")
    assert table.log(game)[-1] == "Ann: open P 20"
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    assert table.log(game)[-3:] == ["X: redeem 1", "X: pay none", "X: done"]


@pytest.mark.fault(53)
def test_what_does_not_fit_any_more_lapses_as_a_whole_with_a_message(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; redeem 9; done")
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert not any(entry.startswith("Y") for entry in table.log(game))
    assert table.held(game)[0][2] == "lapsed"
    assert told(table) == [("Bob", "held.lapsed", ["redeem.count"])]


def test_a_held_turn_waits_through_other_questions(table: Table, game: str) -> None:
    """Bob's turn of Y is not used up, nor lost, when Bob is asked in an auction before it."""
    table.say("Bob", "Y: pay none; done")
    table.say("Ann", "open P 10")
    assert table.held(game)[0][2] == "waiting"
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    table.say("Ann", "pay none; done")
    assert table.held(game)[0][2] == "used"


def test_a_later_mail_replaces_what_is_held_for_the_same_turn(table: Table, game: str) -> None:
    table.say("Bob", "Y: redeem 1; pay none; done")
    table.say("Bob", "Y: pay none; done")
    assert [status for *_, status in table.held(game)] == ["replaced", "waiting"]
    assert "held.replaced" in table.notes


def test_withdraw(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; done")
    table.say("Bob", "withdraw")
    assert table.outcomes() == ["held", "withdrawn"]
    assert table.held(game)[0][2] == "withdrawn"
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert not any(entry.startswith("Y") for entry in table.log(game))


def test_a_limit_bids_in_secret_up_to_its_maximum_and_then_drops(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 30")
    table.say("Bob", "bid 15")
    assert table.log(game) == ["Ann: open P 10", "Bob: bid 15"]
    table.say("Cat", "drop")
    assert table.log(game)[-1] == "Ann: bid 20"
    table.say("Bob", "bid 30")
    assert table.log(game)[-1] == "Ann: drop"
    assert not any("limit" in entry for entry in table.log(game))
    assert table.held(game)[0][2] == "used"


def test_two_limits_bid_against_each_other(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 40")
    table.say("Cat", "limit 50 on P")
    table.say("Bob", "drop")
    assert table.position(game).state.money("Cat") == 100 - 45
    assert [status for *_, status in table.held(game)] == ["used", "used"]


def test_a_limit_without_an_item_needs_a_running_auction(table: Table, game: str) -> None:
    table.say("Cat", "limit 50")
    assert table.outcomes() == ["refused"]
    assert table.held(game) == []


def test_a_limit_that_can_never_raise_is_refused_at_once(table: Table, game: str) -> None:
    """It would only leave the auction for good, which a slip of the pen should not do."""
    table.say("Ann", "open P 30")
    for player in ("Bob", "Cat", "Ann"):  # who is asked, who will be, and who holds the bid
        table.say(player, "limit 30 on P")
        assert table.outcomes()[-1] == "refused"
        assert [f.check for f in table.last.lines[0].failures] == ["bid.too_low", "ahead.vain"]
    assert table.log(game) == ["Ann: open P 30"] and table.held(game) == []
    table.say("Cat", "limit 35 on P")
    assert table.outcomes()[-1] == "held"


def test_a_limit_below_the_bid_that_comes_with_it_is_refused(table: Table, game: str) -> None:
    table.say("Ann", "open P 30\nlimit 25")
    assert (table.outcomes()[-1], refusal(table)) == ("refused", "ahead.vain")
    table.say("Ann", "open P 30\nlimit 30")
    assert table.outcomes()[-1] == "applied"


def test_consent_given_ahead_is_used_when_it_is_asked_for(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5")
    assert table.outcomes() == ["held"]
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; pay none; done")
    assert "Y: agree train 2 to X for 5" in table.log(game)
    assert table.log(game)[-2:] == ["X: pay none", "X: done"]
    assert table.held(game)[0][2] == "used"


def test_consent_to_something_else_is_not_used(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 50")
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; pay none; done")
    assert table.log(game)[-1] == "X: train 2 from Y for 5"
    assert [status for *_, status in table.held(game)] == ["waiting", "waiting"]
    assert "held.rest" in table.notes


def test_the_rest_of_a_turn_waits_for_the_answer_of_another(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "train 2 from Y for 5; redeem 1; pay none; done")
    assert [v for _, v in table.verdicts] == ["accepted", "held", "held", "held"]
    table.say("Bob", "agree")
    assert table.log(game)[-3:] == ["X: redeem 1", "X: pay none", "X: done"]


def test_consent_without_a_subject_needs_a_question(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree")
    assert table.outcomes() == ["refused"]


# ---- each order is for one lot, turn or offer ------------------------------------------------------------------------


def refusal(table: Table) -> str:
    """Why the first line of the last mail was refused."""
    return next(failure.check for line in table.last.lines for failure in line.failures)


@pytest.mark.fault(53)
def test_a_second_drop_is_refused_and_not_kept_for_the_next_auction(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", "drop")
    table.say("Bob", "drop")
    assert (table.outcomes()[-1], refusal(table)) == ("refused", "ahead.left")
    table.say("Cat", "drop")
    table.say("Ann", "pay none; done")
    table.say("Bob", "pay none; done")
    table.say("Ann", "open P 10")
    assert [ask.player for ask in table.position(game).asked()] == ["Bob"]


@pytest.mark.fault(53)
def test_a_bid_while_nothing_is_up_for_auction_is_refused(table: Table, game: str) -> None:
    table.say("Cat", "bid 105")
    assert (table.outcomes(), refusal(table)) == (["refused"], "ahead.no_lot")
    assert table.held(game) == []


def test_a_bid_is_kept_for_the_lot_that_is_up(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Cat", "bid 25")
    assert table.verdicts == [("bid 25 on P", "held")]
    table.say("Bob", "bid 30")
    assert told(table) == [("Cat", "held.lapsed", ["bid.too_low"])]
    assert table.held(game) == [("Cat", "Cat: bid 25 on P", "lapsed")]


def test_pass_is_for_the_auction_in_which_the_player_will_be_asked(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Cat", "pass")
    assert table.verdicts == [("drop P", "held")]
    table.say("Bob", "bid 15")
    assert table.log(game)[-1] == "Cat: drop P"
    assert told(table) == [("Cat", "held.used", ["Cat: drop P"])]


def test_a_limit_ends_when_the_lot_is_sold(table: Table, game: str) -> None:
    """Cat, whose limit was never reached, hears that it is over."""
    table.say("Ann", "open P 10")
    table.say("Ann", "limit 50")
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    assert table.held(game) == [("Ann", "Ann: limit 50 on P", "used")]
    assert told(table) == [("Ann", "held.won", [])]
    table.say("Cat", "limit 40 on P")
    table.say("Ann", "pay none; done")
    table.say("Bob", "pay none; done")
    table.say("Ann", "pass")
    assert table.held(game)[-1] == ("Cat", "Cat: limit 40 on P", "waiting")


def test_the_owner_of_kept_orders_hears_that_they_were_carried_out(table: Table, game: str) -> None:
    """In the mail that he gets anyway, or in one of its own."""
    table.say("Bob", "Y: pay none; done")
    to_companies(table)
    before = len(table.letters("Bob"))
    table.say("Ann", "pay none; done")
    assert told(table) == [("Bob", "held.used", ["Y: pay none", "Y: done"])]
    assert len(table.letters("Bob")) == before + 1


def test_what_is_kept_for_a_stock_round_lapses_when_that_is_over(table: Table, game: str) -> None:
    table.say("Bob", "buy X")
    assert table.outcomes() == ["held"]
    to_companies(table)
    assert told(table) == [("Bob", "held.lapsed", ["ahead.over"])]


def test_consent_ends_with_the_turn_that_it_was_given_for(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5")
    to_companies(table)
    table.say("Ann", "pay none; done")
    assert told(table) == [("Bob", "held.lapsed", ["ahead.over"])]
    assert table.held(game)[0][2] == "lapsed"


def test_two_turns_of_one_company_are_not_kept_at_a_time(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; done\nY: redeem 1; pay none; done")
    assert (table.outcomes(), refusal(table)) == (["refused"], "ahead.twice")


def test_an_answer_that_nobody_is_asked_for_is_refused(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; done\nY: discard 2")
    assert (table.outcomes(), refusal(table)) == (["refused"], "order.not_asked")


def test_what_an_older_program_kept_is_bound_when_it_is_next_looked_at(table: Table, game: str) -> None:
    with table.desk.database.transaction() as session:
        for text in ("Bob: bid 25", "Cat: bid 25 on P", "Bob: buy X"):
            player = text.partition(":")[0]
            session.add(HeldRow(game=game, player=player, kind="turn", actor=player, text=text, created_at=START))
    table.say("Ann", "open P 10")
    table.say("Bob", "drop")
    assert table.log(game)[-1] == "Cat: bid 25 on P"
    assert [status for *_, status in table.held(game)] == ["lapsed", "used", "waiting"]
    assert ("Bob", "held.lapsed", ["ahead.unknown"]) in told(table)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("bid 20 on P", "limit 40 on P", ["Cat: bid 20 on P", "Cat: limit 40 on P"]),
        ("limit 40 on P", "bid 20 on P", ["Cat: limit 40 on P", "Cat: bid 20 on P"]),
        ("drop P", "limit 40 on P", ["Cat: limit 40 on P"]),
        ("limit 40 on P", "drop P", ["Cat: drop P"]),
        ("bid 20 on P", "drop P", ["Cat: drop P"]),
    ],
)
def test_what_goes_together_for_one_lot_and_what_takes_the_place_of_what(
    table: Table, game: str, first: str, second: str, left: list[str]
) -> None:
    table.say("Cat", first)
    table.say("Cat", second)
    assert [text for _, text, status in table.held(game) if status == "waiting"] == left


def test_a_mail_that_is_refused_does_not_say_that_something_is_kept(table: Table, game: str) -> None:
    table.say("Cat", "limit 40 on P\nlimt 50")
    assert table.outcomes() == ["unreadable"]
    assert not [note for note in table.notes if note.startswith("held.")] and table.held(game) == []


# ---- nothing is said to be kept that is not --------------------------------------------------------------------------


@pytest.mark.fault(53)
@pytest.mark.parametrize("text", ["Y:", "Y:\n\n", "Y:\n> pay none\n> done", "Y:\nX:"])
def test_a_head_without_orders_keeps_nothing_and_says_so(table: Table, game: str, text: str) -> None:
    table.say("Bob", text)
    assert table.outcomes()[-1] == "empty" and table.held(game) == []
    assert "heads_alone" in table.notes


def test_numbers_before_the_orders_below_a_head_refuse_the_mail(table: Table, game: str) -> None:
    table.say("Bob", "Y:\n1.pay none\n2.done")
    assert table.outcomes()[-1] == "unreadable" and table.held(game) == []


def test_a_head_without_orders_beside_orders_is_named(table: Table, game: str) -> None:
    table.say("Bob", "Y: pay none; done\nBob:")
    assert table.outcomes()[-1] == "held" and "heads_alone" in table.notes
    table.say("Bob", "Y: pay none; done")
    assert "heads_alone" not in table.notes
    table.say("Bob", "check\nY:")
    assert table.outcomes()[-1] == "checked" and "heads_alone" in table.notes


@pytest.mark.parametrize(
    ("player", "text", "wrong"),
    [
        ("Cat", "pass; pass; pass", 1),
        ("Cat", "bid 30; bid 40", 1),
        ("Cat", "bid 30; drop", 1),
        ("Cat", "drop; bid 30", 1),
        ("Cat", "bid 30 on P; pass; done", 1),
        ("Bob", "Y: pay none; done; done", 2),
        ("Bob", "Y: pay none; done; redeem 1", 2),
    ],
)
def test_more_orders_ahead_than_an_occasion_can_use_are_refused(
    table: Table, game: str, player: str, text: str, wrong: int
) -> None:
    table.say("Ann", "open P 10")
    table.say(player, text)
    assert (table.outcomes()[-1], refusal(table)) == ("refused", "ahead.twice")
    assert [place for place, line in enumerate(table.last.lines) if line.failures] == [wrong]
    assert table.held(game) == []


@pytest.mark.parametrize(("player", "text"), [("Bob", "Y: pay none; done"), ("Cat", "bid 30; done")])
def test_one_done_may_end_what_is_given_ahead(table: Table, game: str, player: str, text: str) -> None:
    table.say("Ann", "open P 10")
    table.say(player, text)
    assert table.outcomes()[-1] == "held"


CONTRADICTIONS = [
    "limit 60; drop",
    "drop; limit 60",
    "limit 60; pass",
    "pass; limit 60",
    "limit 60 on P\nNAME: drop",
    "limit 60 on P\nNAME: drop P",
    "limit 60 on P\nNAME: pass",
    "limit 60; limit 80",
    "limit 60\nNAME: limit 60 step 10",
    "limit 30; bid 40",
    "limit 30\nNAME: bid 40",
]


@pytest.mark.fault(53)
@pytest.mark.parametrize(("player", "text"), each_in_turn(("Bob", "Cat"), CONTRADICTIONS))
def test_orders_of_one_mail_that_contradict_each_other_are_refused(
    table: Table, game: str, player: str, text: str
) -> None:
    """It makes no difference if the player is asked now or later, nor in which order they stand."""
    table.say("Ann", "open P 10")
    table.say(player, text.replace("NAME", player))
    assert (table.outcomes()[-1], refusal(table)) == ("refused", "ahead.contradicts")
    assert table.held(game) == [] and table.log(game) == ["Ann: open P 10"]


def test_consents_that_contradict_each_other_are_refused(table: Table, game: str) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5; refuse train 2 to X for 5")
    assert (table.outcomes()[-1], refusal(table)) == ("refused", "ahead.contradicts")
    table.say("Bob", "Y: agree train 2 to X for 5; refuse train 2 to X for 4; agree train 2 to X for 5")
    assert table.outcomes()[-1] == "held"


@pytest.mark.parametrize("text", ["bid 20; limit 60", "limit 60; bid 20", "limit 60\nBob: bid 20", "limit 20; bid 20"])
def test_a_bid_and_a_limit_above_it_stand_together(table: Table, game: str, text: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", text)
    assert table.log(game)[1:] == ["Bob: bid 20"]


def test_the_end_of_another_auction_contradicts_no_limit(table: Table, game: str) -> None:
    """A ``pass`` when nothing is up for auction leaves none."""
    table.say("Ann", "limit 60 on P\nAnn: pass")
    assert [text for _, text, status in table.held(game) if status == "waiting"] == ["Ann: limit 60 on P"]


@pytest.mark.parametrize("at_once", [False, True])
def test_the_rest_of_a_turn_comes_before_the_turns_that_were_kept_after_it(
    table: Table, game: str, at_once: bool
) -> None:
    """It got a newer row, and a later turn was used in the middle of the one that others had interrupted."""
    first, second, rest = (
        Held("Bob", "turn", "Bob", (o.Pass(PlayerId("Bob")),), f"Bob: {text}", Occasion("stock"))
        for text in ("sell 1 X; open P 10", "pass", "open P 10")
    )
    with table.desk.sitting() as sitting:
        at = lock_table(sitting, game)
        if at_once:
            held_rows.write(at, [Closed(first, "used", remainder=rest)], [first, second])
        else:
            held_rows.write(at, (), [first, second])
            sitting.session.flush()
            kept = replace(first, id=held_rows.waiting_rows(sitting.session, game)[0].id)
            held_rows.write(at, [Closed(kept, "used", remainder=rest)])
        sitting.session.flush()
        waiting = sorted(held_rows.waiting_rows(sitting.session, game), key=lambda row: row.id or 0)
        assert [row.text for row in waiting] == ["Bob: open P 10", "Bob: pass"]
    assert sorted(status for *_, status in table.held(game)) == ["used", "waiting", "waiting"]
    assert ("Bob", "Bob: sell 1 X; open P 10", "used") in table.held(game)
