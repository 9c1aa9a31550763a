"""How games of 1867 end: the first 8-train, bought or exported, and a broken bank.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import BankBroke, EndSignalled, GameOver, RoundBegan, TrainMoved
from engine.core.ids import BANK
from tests.kit.games.course_1867 import minor, public, stock, turn, whole_round
from tests.kit.games.course_1867 import position as placed
from tests.kit.games.situations import Played

LAST_SET = ["OR 4.1", "OR 4.2", "OR 4.3"]


def rounds(game: Played) -> list[str]:
    return [str(e.round) for e in game.told(RoundBegan)]


def nyc(cash: int = 1000, **rest: object) -> Played:
    """NYC's turn is the last of an operating round in phase 7, with no 7-train left."""
    given: dict[str, object] = {"phase": "7", "supply": {"7": 0}, "cash": {"Cat": 100}, **rest}
    described = public("NYC", {"Ann": 2, "Bob": 2}, cash=cash, markers="", trains="7")
    return turn(described, stage="trains", **given)  # type: ignore[arg-type]


# ---- the first 8-train ----------------------------------------------------------------------------------------------


@pytest.mark.rule("15.1", "15.2", "15.3", "6.13", "14.1")
@pytest.mark.parametrize("order", ["train 8; done", "done"])
@pytest.mark.parametrize(
    ("round", "follow"),
    [("OR 3.1", ["OR 3.2", "SR 4", *LAST_SET]), ("OR 3.2", ["SR 4", *LAST_SET])],
)
def test_the_first_8_train_bought_or_exported(round: str, follow: list[str], order: str) -> None:
    """Situation 8 (a), (b), (c), rows 15.1, 15.2: the set goes on, then a stock round and three operating rounds, and
    neither merger rounds nor exports."""
    game = nyc(round=round)
    game.do(f"NYC: {order}")
    assert [(e.reason, e.rounds) for e in game.told(EndSignalled)] == [("last_train", "next_set")]
    before = len([e for e in game.told(TrainMoved) if e.target == ""])
    game.quietly()
    assert rounds(game) == follow
    assert len([e for e in game.told(TrainMoved) if e.target == ""]) == before == (order == "done")
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


# ---- the bank -------------------------------------------------------------------------------------------------------


def selling(bank: int, **rest: object) -> Played:
    """Ann sells two shares of CNR for 200 in a stock round; Cat has the money that the bank has not."""
    described = public("CNR", {"Bob": 3, "Ann": 2}, markers="", trains="7", cash=1000)
    game = stock(described, **{"phase": "7", "round": "SR 3", "bank": bank, **rest})  # type: ignore[arg-type]
    game.do("Ann: sell 2 CNR")
    return game


@pytest.mark.rule("15.4", "15.5")
@pytest.mark.parametrize(("bank", "broken"), [(199, True), (200, False)])
def test_the_bank_breaks_in_a_stock_round(bank: int, broken: bool) -> None:
    """Situation 8 (d), row 15.3: SR 1, that round and the next operating round; a payment in full leaves it whole."""
    game = selling(bank, round="SR 1")
    assert bool(game.told(BankBroke)) == broken
    assert game.money("Bank") == bank - 200
    if broken:
        game.quietly()
        assert rounds(game) == ["OR 1.1"]
        assert [e.reason for e in game.told(GameOver)] == ["bank"]
        assert not [e for e in game.told(TrainMoved) if e.source == BANK], "no export in the last round"


@pytest.mark.rule("15.5", "14.1", "6.13")
@pytest.mark.parametrize("round", ["OR 3.1", "OR 3.2"])
def test_the_bank_breaks_in_an_operating_round(round: str) -> None:
    """Row 15.3: by the income of a private; the end comes before the export and without a merger round."""
    game = placed(
        minor("CA", "Bob", 110, trains="5", markers="M9"), public("NYC", "Ann", trains="5", markers="N12"),
        phase="5", round=round, bank=9, privates={"C&SL": "Ann"},
    )  # fmt: skip
    whole_round(game).quietly()
    assert rounds(game) == []
    assert not [e for e in game.told(TrainMoved) if e.source == BANK]
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.6")
@pytest.mark.parametrize(
    ("round", "follow"), [("OR 3.1", ["OR 3.2", "SR 4", *LAST_SET]), ("OR 3.2", ["SR 4", *LAST_SET])]
)
def test_an_8_train_bought_in_the_last_round_decides(round: str, follow: list[str]) -> None:
    """Row 15.4."""
    game = placed(public("NYC", {"Ann": 2, "Bob": 2}, cash=1000, trains="7", markers=""), phase="7", supply={"7": 0},
                  round=round, bank=9, privates={"C&SL": "Ann"})  # fmt: skip
    whole_round(game)
    assert game.state.broke is not None
    game.do("NYC: train 8")
    game.quietly()
    assert rounds(game) == follow


@pytest.mark.rule("15.6", "15.4")
def test_an_8_train_after_a_stock_round_in_which_the_bank_broke() -> None:
    """Row 15.4: before the end of the next operating round."""
    game = selling(199, supply={"7": 0})
    game.quietly("OR 3.1")
    game.do("CNR: train 8")
    game.quietly()
    assert rounds(game) == ["OR 3.1", "OR 3.2", "SR 4", *LAST_SET]
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("15.6")
def test_a_bank_that_breaks_after_the_8_train_changes_nothing() -> None:
    """Row 15.4, fault 11."""
    game = nyc(round="OR 3.2", cash=1000, privates={"C&SL": "CN"})
    game.do("NYC: train 8; done")
    now = game.state.cash
    game.state = replace(game.state, cash={**now, "Cat": now["Cat"] + now["Bank"], "Bank": 0})
    game.quietly()
    assert game.state.broke is not None
    assert rounds(game) == ["SR 4", *LAST_SET]
