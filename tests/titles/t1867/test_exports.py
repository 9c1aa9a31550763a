"""The export of a train at the end of every operating round of phases 4 to 7, and what it brings.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import Nationalised, PhaseBegan, RoundBegan, TrainMoved
from engine.core.ids import BANK, TrainName
from engine.core.title import Play
from tests.kit.games.course_1867 import minor, public, turn
from tests.kit.games.situations import Described, Played

LAST = public("NYC", "Ann", 100, cash=2000, markers="", trains="7")
"""A company whose turn is the last of the round."""


def ended(*described: Described, order: str = "done", **rest: object) -> Played:
    """NYC ends its turn, and the operating round with it."""
    given: dict[str, object] = {"round": "OR 3.1", **rest}
    game = turn(LAST, *described, stage="trains", **given)  # type: ignore[arg-type]
    game.do(f"NYC: {order}")
    return game


def exported(game: Played) -> list[str]:
    return [str(e.train) for e in game.told(TrainMoved) if (e.source, e.target) == (BANK, "")]


def rounds(game: Played) -> list[str]:
    return [str(e.round) for e in game.told(RoundBegan)]


@pytest.mark.rule("6.13", "5.3", "5.7")
@pytest.mark.parametrize(
    ("phase", "supply", "order", "train", "left", "after"),
    [
        ("2", {}, "done", [], None, "2"),
        ("3", {}, "done", [], None, "3"),
        ("3", {"3": 0}, "train 4; done", ["4"], 2, "4"),  # the phase at the end counts
        ("4", {"4": 3}, "done", ["4"], 2, "4"),
        ("4", {"4": 0}, "done", ["5"], 3, "5"),
        ("5", {"5": 3}, "done", ["5"], 2, "5"),
        ("5", {"5": 0}, "done", ["6"], 1, "6"),
        ("6", {"6": 1}, "done", ["6"], 0, "6"),
        ("6", {"6": 0}, "done", ["7"], 1, "7"),
        ("7", {"7": 1}, "done", ["7"], 0, "7"),
        ("7", {"7": 0}, "done", ["8"], None, "8"),
        ("7", {"7": 0}, "train 8; done", [], None, "8"),
        ("8", {}, "done", [], None, "8"),
    ],
)
def test_the_first_train_of_the_row_leaves_the_game(
    phase: str, supply: dict[str, int], order: str, train: list[str], left: int | None, after: str
) -> None:
    """Rows 6.6, 11.4: with nothing bought the row moves all the same."""
    described = public("NYC", "Ann", 100, cash=2000, markers="", trains="7" if phase > "2" else "2")
    game = turn(described, stage="trains", phase=phase, supply=supply, round="OR 3.1")
    game.do(f"NYC: {order}")
    assert (exported(game), game.state.phase, game.state.pool_trains) == (train, after, ())
    assert left is None or [game.state.supply[TrainName(name)] for name in train] == [left]


@pytest.mark.rule("14.1", "6.13")
@pytest.mark.parametrize(
    ("phase", "supply", "follows"),
    [
        ("2", {}, False),
        ("3", {}, True),
        ("6", {"6": 0}, True),
        ("7", {}, True),
        ("7", {"7": 0}, False),
        ("8", {}, False),
    ],
)
def test_the_phase_after_the_export_decides_on_the_merger_round(
    phase: str, supply: dict[str, int], follows: bool
) -> None:
    """Rows 6.7, 14.2."""
    game = ended(phase=phase, supply=supply)
    assert rounds(game)[0] == ("MR 3.1" if follows else "OR 3.2")


def three_trains() -> tuple[Described, ...]:
    return (
        minor("BO", "Bob", 100, markers="D8", trains="3"),
        public("CNR", "Bob", 90, markers="M9", trains="3 3"),
        public("GTR", "Cat", 80, markers="N12", trains="3"),
    )


@pytest.mark.rule("14.21", "13.3", "13.4", "13.1", "5.5", "5.8", "11.8")
def test_the_export_of_the_first_6() -> None:
    """Situation 6, row 14.3."""
    owners = {"C&SL": "Ann", "NFB": "Ann", "MB": "Bob", "QB": "Bob", "SCT": "Cat"}
    game = ended(*three_trains(), phase="5", supply={"5": 0}, round="OR 1.1", privates=owners, cash={"Cat": 1000})
    assert (exported(game), game.state.phase) == (["6"], "6")
    assert [e.price for e in game.told(Nationalised) if e.name in owners] == [30, 45, 60, 75, 90]
    assert set(game.state.privates.values()) == {"CN"}
    assert (game.money("Bob"), game.status("BO")) == (60 + 75 + 2 * 90, "closed"), "BO at once"
    assert (str(game.state.round), game.asked) == ("MR 1.1", ["Bob CNR nationalise"])
    game.do("CNR: nationalise yes")
    assert game.status("CNR") == "unstarted"
    assert game.asked == ["Cat GTR nationalise"]
    game.do("GTR: nationalise no")
    assert (str(game.state.round), game.asked) == ("OR 1.2", ["Ann NYC company.turn"])
    game.do("NYC: done")
    assert game.asked == ["Cat GTR company.turn"]
    assert not [line for line in game.menu() if line.startswith("train")]
    game.do("GTR: done")
    assert game.status("GTR") == "unstarted"
    game.quietly("SR 2")
    assert exported(game) == ["6", "6"]
    game.quietly("OR 2.2")
    assert (exported(game), game.state.phase) == (["6", "6", "7"], "7")


@pytest.mark.rule("14.21", "11.10")
@pytest.mark.parametrize(
    ("round", "phase", "supply", "next"),
    [
        ("OR 3.1", "5", {"5": 0}, "MR 3.1"),
        ("OR 3.2", "5", {"5": 0}, "MR 3.2"),
        ("OR 3.1", "7", {"7": 0}, "OR 3.2"),
        ("OR 3.2", "7", {"7": 0}, "SR 4"),
    ],
)
def test_questions_and_then_discards_open_the_next_round(
    round: str, phase: str, supply: dict[str, int], next: str
) -> None:
    """Row 14.3 and the order of effects: whatever the next round is."""
    gives = public("CPR", "Bob", 110, markers="I15", trains="5 6 7")
    asks = public("GTR", "Cat", 80, markers="N12", trains="3" if phase == "5" else "4")
    game = ended(gives, asks, phase=phase, supply=supply, round=round, cash={"Cat": 100})
    assert (str(game.state.round), game.asked) == (next, ["Cat GTR nationalise"])
    assert game.trains("GTR") == "", "rusted at once"
    game.do("GTR: nationalise no")
    assert (str(game.state.round), game.asked) == (next, ["Bob CPR discard"])
    game.do("CPR: discard 5")
    assert (game.trains("CPR"), game.state.pool_trains) == ("6 7", ("5",))


@pytest.mark.rule("14.21", "5.7", "13.2")
def test_the_export_of_the_first_8() -> None:
    """Rows 5.7, 13.1: 4-trains rust and all minors go at once."""
    game = ended(minor("BO", "Bob", 100, markers="D8", trains="7"), phase="7", supply={"7": 0})
    assert (game.status("BO"), game.money("Bob"), game.state.phase) == ("closed", 180, "8")


@pytest.mark.rule("4.3", "5.4")
def test_the_export_of_the_first_5_removes_the_minors_that_have_not_started() -> None:
    """Row 4.3."""
    game = ended(phase="4", supply={"4": 0})
    assert {game.status(m) for m in ("CA", "BO", "THB")} == {"closed"}


@pytest.mark.rule("6.13", "15.5")
def test_nothing_is_exported_when_the_game_is_over() -> None:
    """Rows 6.6, 15.3: the bank has broken in this round."""
    game = turn(LAST, stage="trains", phase="7", supply={"7": 0}, round="OR 3.1", bank=0)
    play = Play(game.title, game.state)
    play.pay(BANK, "Ann", 1, "income")
    game.state = play.state
    game.do("NYC: done")
    assert game.state.finished
    assert exported(game) == []


@pytest.mark.rule("6.1", "12.1", "7.18")
def test_cn_does_not_operate() -> None:
    """Rows 6.2, 8.3, 12.1: it is in no order of operating, nobody is asked for it, and it has no director."""
    game = ended(phase="4", cash={"CN": 500})
    assert "CN" not in game.order()
    game.quietly("SR 4")
    assert "CN" not in {str(e.company) for e in game.events if hasattr(e, "company")}
    assert game.money("CN") == 500


@pytest.mark.rule("5.7")
def test_phases_begin_once() -> None:
    """An export of a type that has begun its phase brings nothing."""
    assert not ended(phase="6").told(PhaseBegan)
