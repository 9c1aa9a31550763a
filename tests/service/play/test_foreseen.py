"""Kept orders that would be refused: their owner is told at once, and again when something new speaks against them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine import Failure
from engine.families.f1867.stock.frame import StockRound
from grammar.master.words import CorrectPay
from moderator.adapters.tables import HeldRow
from moderator.service.play.masters.corrections import correct_in
from tests.kit.games import situations
from tests.kit.games.situations import company
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def four(table: Table, game: str) -> str:
    """Ann has opened P with 10; Bob, Cat and Dan may bid, in this order."""
    name = table.game("toy", ("Ann", "Bob", "Cat", "Dan"))
    table.say("Ann", "open P 10")
    return name


def reasons(notes: Sequence[tuple[str, object]]) -> list[list[str]]:
    """The reasons of each note about kept orders that would be refused."""
    found = []
    for key, facts in notes:
        if key == "held.foreseen":
            assert isinstance(facts, dict)
            failures: tuple[Failure, ...] = facts["failures"]
            found.append([failure.check for failure in failures])
    return found


def told(table: Table, player: str) -> list[list[str]]:
    """The reasons in the mails to ``player`` that are no answer to him."""
    return reasons([(key, facts) for seat, key, facts in table.words().ahead if seat == player])


def test_the_receipt_says_what_would_be_refused_and_it_is_kept(table: Table, four: str) -> None:
    table.say("Dan", "bid 10 on P")
    assert table.outcomes()[-1] == "held" and reasons(table.last.notes) == [["bid.too_low"]]
    assert table.held(four)[-1] == ("Dan", "Dan: bid 10 on P", "waiting")


def test_a_check_says_so_too_and_keeps_nothing(table: Table, four: str) -> None:
    table.say("Dan", "check\nbid 10 on P")
    assert table.outcomes()[-1] == "checked" and reasons(table.last.notes) == [["bid.too_low"]]
    assert table.held(four) == []


def test_nothing_is_said_of_orders_that_would_be_carried_out(table: Table, four: str) -> None:
    table.say("Dan", "bid 25 on P")
    assert table.outcomes()[-1] == "held" and reasons(table.last.notes) == []


def test_the_owner_alone_is_told_once_when_his_orders_become_impossible(table: Table, four: str) -> None:
    table.say("Dan", "bid 25 on P")
    before = len(table.letters("Dan"))
    table.say("Bob", "bid 30")
    assert told(table, "Dan") == [["bid.too_low"]]
    assert len(table.letters("Dan")) == before + 1
    assert told(table, "Ann") == told(table, "Cat") == [] and reasons(table.last.notes) == [["bid.too_low"]]
    assert table.held(four)[-1][2] == "waiting"
    table.say("Cat", "check\nbid 40")
    assert told(table, "Dan") == [["bid.too_low"]]


def test_the_same_reason_is_not_told_again_after_the_receipt(table: Table, four: str) -> None:
    table.say("Dan", "bid 10 on P")
    table.say("Bob", "bid 30")
    assert told(table, "Dan") == []
    with table.session() as session:
        assert session.get_one(HeldRow, 1).foretold == "bid.too_low"


def test_orders_that_are_taken_back_are_not_looked_at(table: Table, four: str) -> None:
    table.say("Dan", "bid 25 on P")
    table.say("Dan", "withdraw")
    table.say("Bob", "bid 30")
    assert told(table, "Dan") == []


def test_whoever_gets_a_mail_anyway_gets_it_in_that_mail(table: Table, four: str) -> None:
    table.say("Dan", "notify all")
    table.say("Dan", "bid 25 on P")
    before = len(table.letters("Dan"))
    table.say("Bob", "bid 30")
    assert told(table, "Dan") == [["bid.too_low"]]
    assert len(table.letters("Dan")) == before + 1


def test_the_words_of_a_real_mail(tmp_path: Path) -> None:
    """With the number that takes back these orders alone, if others wait beside them."""
    service = Service.open(tmp_path)
    service.ready_game(players=("Ann", "Bob", "Cat", "Dan"))
    service.say("Ann", "open TSR 20")
    answer = service.say("Dan", "limit 60 on TSR\nDan: bid 20 on TSR")
    assert answer is not None
    text = " ".join(answer.text.split())
    assert "As things stand, `Dan: bid 20 on TSR` would be refused: A bid must be at least R25" in text
    assert "It stays kept; `withdraw 2` takes it back." in text
    service.say("Dan", "withdraw")
    service.say("Dan", "bid 30 on TSR")
    service.say("Bob", "bid 40")
    letter = service.letters("Dan")[-1]
    assert "would be refused as things stand" in letter.subject
    assert "`withdraw` takes it back." in " ".join(letter.text.split())


def bob_buys(service: Service) -> str:
    """Ann is on turn in a stock round, and Bob has ordered a share of MKN from the pool."""
    found = situations.situation(
        company("MKN", {"Ann": 5, "Cat": 1, "Bob": 1}, at="r3c8", cash=900, pool=1, trains="3"),
        round="SR 3", cash={"Ann": 400, "Bob": 400, "Cat": 400},
    )  # fmt: skip
    found.turns(*found.title.begin(found.title, found.state)[:1], StockRound(found.state.players[0]))
    game = begin_at(service, "1861", found.state)
    service.say("Bob", "buy MKN from pool")
    assert service.held(game) == [("Bob", "Bob: buy MKN from pool", "waiting")]
    return game


def test_a_correction_by_the_game_master_may_make_orders_impossible(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = bob_buys(service)
    with service.desk.sitting() as sitting:
        live = correct_in(sitting, game, CorrectPay(390, "Bob", "bank"), "a slip")
    assert live is not None
    service.desk.games.put(live)
    service.run()
    mails = service.letters("Bob")[-2:]
    assert [letter.kind for letter in mails] == ["notice", "transcript"], (
        "first what happened, then what follows from it"
    )
    (told,) = (letter for letter in mails if "would be refused as things stand" in letter.subject)
    assert "R10" in told.text and "MKN" in told.text
    service.say("Ann", "check\npass")
    assert len(service.letters("Bob")) == service.letters("Bob").index(mails[-1]) + 1
