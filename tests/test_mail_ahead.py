"""Orders given ahead: several turns in one mail, limits, consents, and what becomes of them."""

from __future__ import annotations

import pytest

from tests.toy_service import Table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")


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
    lapsed = next(t for t in table.words().transcripts if t.outcome == "lapsed")
    assert lapsed.seat == "Bob"
    assert [f.check for f in lapsed.notes[0][1]["failures"]] == ["redeem.count"]  # type: ignore[attr-defined]


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
