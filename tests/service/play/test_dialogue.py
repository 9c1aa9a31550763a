"""The dialogue by mail, with a game that no title folder knows: the moderator knows kinds of orders, and no title."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import Session

from engine import Game
from moderator.adapters.tables import GameRow
from moderator.service.play.undo import undo
from tests.kit.samples import sampled
from tests.kit.service import toy_title
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")

# ---- the block


def test_a_whole_game_by_mail(table: Table, game: str) -> None:
    for _ in range(toy_title.ROUNDS):
        table.say("Ann", "open P 10")
        table.say("Bob", "bid 15")
        table.say("Cat", "drop")
        table.say("Ann", "drop")
        table.say("Ann", "redeem 1; pay none; done")
        table.say("Bob", "pay none; done")
    assert table.position(game).finished
    assert table.complaints == []
    over = [letter for letter in table.letters("Cat") if letter.kind == "over"]
    assert len(over) == 1
    assert "seed a seed" in over[0].text
    table.say("Ann", "pass")
    assert table.outcomes()[-1] == "game_over"


def test_one_illegal_line_refuses_the_block(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1\nredeem 3\npay none")
    assert table.outcomes()[-1] == "refused"
    assert table.log(game) == ["Ann: pass"]
    assert table.verdicts == [("redeem 1", "checked"), ("redeem 3", "refused"), ("pay none", "not_reached")]
    assert [f.check for f in table.last.lines[1].failures] == ["redeem.count"]


def test_partial_carries_out_what_stands_before_the_first_failure(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "partial\nredeem 1\nredeem 3\npay none")
    assert table.outcomes()[-1] == "partial"
    assert table.log(game) == ["Ann: pass", "X: redeem 1"]
    assert table.verdicts == [("redeem 1", "accepted"), ("redeem 3", "refused"), ("pay none", "not_reached")]


def test_one_unreadable_line_refuses_the_block_and_all_such_lines_are_named(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1\nredem 1\npay nun\ndone")
    assert table.outcomes()[-1] == "unreadable"
    assert table.log(game) == ["Ann: pass"]
    assert [v for _, v in table.verdicts] == ["checked", "unreadable", "unreadable", "not_reached"]


def test_a_block_that_ends_without_done_means_it(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1; pay none")
    assert table.log(game)[1:] == ["X: redeem 1", "X: pay none", "X: done"]
    assert "done.implied" in table.notes


def test_a_turn_with_something_left_to_do_goes_on(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "redeem 1")
    assert table.log(game)[1:] == ["X: redeem 1"]
    assert "done.missing" in table.notes
    table.say("Ann", "pay none; done")
    assert table.log(game)[1:] == ["X: redeem 1", "X: pay none", "X: done"]


def test_pass_is_written_back_as_the_right_word(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", "pass")
    assert table.log(game)[-1] == "Bob: drop"
    assert table.verdicts == [("drop", "accepted")]


def test_nobody_orders_for_somebody_else(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Bob", "X: redeem 1")
    assert table.outcomes()[-1] == "refused"
    assert [f.check for f in table.last.lines[0].failures] == ["seat.not_yours"]
    table.say("Bob", "Ann: pass")
    assert table.outcomes()[-1] == "refused"
    assert table.log(game) == ["Ann: pass"]


def test_steps_of_a_company_given_ahead_need_its_name(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Bob", "redeem 1; pay none")
    (failure,) = table.last.lines[0].failures
    assert (failure.check, failure.facts) == ("seat.company", {"order": "redeem 1", "companies": ("Y",)})
    assert table.held(game) == []
    table.say("Bob", "Y: redeem 1; pay none")
    assert [state for *_, state in table.held(game)] == ["waiting"]


# ---- check and show


def test_check_changes_nothing(table: Table, game: str) -> None:
    at = table.at(game)
    table.say("Ann", "check\nopen P 10")
    assert table.outcomes() == ["checked"]
    assert table.verdicts == [("open P 10", "checked")]
    assert (table.log(game), table.at(game)) == ([], at)


def test_check_does_not_betray_what_others_gave_ahead(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.say("Bob", "check\nbid 15")
    assert [type(e).__name__ for e in table.last.lines[0].events if "Bid" in type(e).__name__] == ["BidMade"]
    assert table.log(game) == ["Ann: open P 10"]


def test_a_refused_block_does_not_betray_it_either(table: Table, game: str) -> None:
    table.say("Ann", "open P 10\nlimit 60")
    table.say("Bob", "bid 15\nBob: bid 20\nredeem 1")
    seen = [e for line in table.last.lines for e in line.events]
    assert all(getattr(e, "player", "Bob") == "Bob" for e in seen)


def test_an_old_address_still_shows_and_checks(table: Table, game: str) -> None:
    old = table.address("Ann")
    table.say("Ann", "open P 10")
    table.say("Ann", "show map\nshow position", to=old)
    assert table.outcomes()[-1] == "shown"
    assert [s.what for s in table.last.shown] == ["map", "position"]


def test_show_at_an_earlier_decision_also_after_an_undo(table: Table, game: str) -> None:
    table.say("Ann", "open P 10")
    table.say("Bob", "bid 15")
    undo(table.desk, game, 0)
    table.run()
    table.say("Ann", "show at 3")
    assert table.last.shown[0].text == "position after 2 orders"
    table.say("Ann", "show at 4")
    assert table.last.shown[0].text == "position after 0 orders"
    table.say("Ann", "show at 400")
    assert table.notes == ["show.at_unknown"]


def test_help_and_notify(table: Table, game: str) -> None:
    answer = table.say("Ann", "help")
    assert answer is not None
    assert answer.subject == "help"
    table.say("Cat", "notify all")
    assert table.outcomes() == ["helped", "notified"]
    table.say("Ann", "open P 10")
    assert table.letters("Cat")[-1].kind == "news"


@pytest.mark.parametrize(("setting", "news"), [("turn", 0), ("round", 2), ("all", 3)])
def test_who_is_told_what_while_he_is_not_on_turn(table: Table, game: str, setting: str, news: int) -> None:
    table.say("Cat", f"notify {setting}")
    to_companies(table)
    table.say("Ann", "pay none; done")
    table.say("Bob", "pay none; done")
    assert sum(letter.kind == "news" for letter in table.letters("Cat")) == news


def test_only_so_many_words_of_one_mail_are_obeyed_and_each_once(table: Table, game: str) -> None:
    table.say("Ann", "\n".join(["show map"] * 30 + [f"withdraw {number}" for number in range(1, 31)]))
    assert table.outcomes()[-1] == "withdrawn"
    assert [one.what for one in table.last.shown] == ["map"]
    assert table.notes.count("withdrawn") == 11
    assert "words.many" in table.notes


def test_6_a_mail_brings_a_game_back_only_so_often(table: Table, game: str) -> None:
    to_companies(table)
    table.say("Ann", "pay none; done")
    replayed = count_replays(table)
    table.say("Ann", "show map\n" + "".join(f"show at {number}\n" for number in range(1, 5)) + "show record")
    assert [one.what for one in table.last.shown] == ["map", "at", "at", "at"]
    assert table.notes == ["show.dear"]
    assert replayed() == 3
    table.say("Ann", "show at 1\nshow at 2\nshow at 3")
    assert replayed() == 3


@pytest.mark.parametrize("number", ["0", "00000000001", "9" * 30, "0000000001" + "9" * 900])
def test_a_number_of_any_length_is_one_that_there_is_not(table: Table, game: str, number: str) -> None:
    table.say("Ann", f"show at {number}")
    assert table.outcomes()[-1] in ("shown", "unreadable")
    assert table.complaints == []


def test_6_what_costs_much_is_not_shown_to_others(table: Table, game: str) -> None:
    """Neither to another address nor to a secret address that is superseded."""
    old = table.address("Ann")
    to_companies(table)
    replayed = count_replays(table)
    for to, sender in ((old, "ann@players.example"), (table.address("Ann"), "x@else.example")):
        table.send(mail("show at 1\nshow record\nshow lays\nshow map", sender=sender, to=to), to)
        table.run()
        assert [one.what for one in table.last.shown] == ["map"]
        assert "show.elsewhere" in table.notes
    assert replayed() == 0


@pytest.mark.parametrize(
    "text", sampled(["show at 1", "pass", "Ann: pass", "check\npass", "press\nhello\nend press"], ["show at 1", "pass"])
)
def test_6_nothing_is_worked_out_once_the_budget_of_others_is_used_up(
    table: Table, game: str, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    to = table.address("Ann")
    for number in range(31):
        table.send(mail(f"show map // {number}", sender="x@else.example", to=to), to)
    table.run()
    assert table.outcomes()[-2:] == ["shown", "loop"]
    monkeypatch.setattr("moderator.service.decision.execution.handle", fails)
    monkeypatch.setattr("moderator.service.decision.read.written", fails)
    table.send(mail(text, sender="x@else.example", to=to), to)
    table.run()
    assert table.outcomes()[-1] == "loop"


def test_6_orders_that_nobody_will_be_asked_about_are_not_tried(
    table: Table, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = table.address("Ann")
    for number in range(10):
        table.send(mail(f"pass // {number}", sender="x@else.example", to=to), to)
    table.run()
    assert table.outcomes() == ["unconfirmed"] * 10
    monkeypatch.setattr("moderator.service.play.turn.play_block", fails)
    table.send(mail("pass // once more", sender="x@else.example", to=to), to)
    table.run()
    assert table.outcomes()[-1] == "unconfirmed"
    assert "not asked about any more" in table.details()[-1]


def fails(*_: object, **__: object) -> None:
    raise AssertionError("worked out all the same")


def count_replays(table: Table) -> Callable[[], int]:
    """Counts how often an earlier position is asked for from now on."""
    calls: list[int] = []
    position = table.desk.games.position

    def counted(session: Session, row: GameRow, at: int) -> Game:
        calls.append(at)
        return position(session, row, at)

    table.desk.games.position = counted  # type: ignore[method-assign]
    return lambda: len(calls)
