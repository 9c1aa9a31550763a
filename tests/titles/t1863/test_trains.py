"""Trains and phases of 1863: supplies, the two faces of a card, what the first of a supply brings, exports."""

from __future__ import annotations

import pytest

from engine.core.events import EndSignalled, PhaseBegan, TrainMoved, TrainsRusted
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Train
from engine.titles.t1863.names import ENDING
from engine.titles.t1863.sequence import SEQUENCE
from engine.titles.t1863.turn.supplies import current, cut_first_supply, export
from tests.kit.games.situations_1863 import London, situation, title, tube


def buyer(trains: str = "", phase: str = "III", cash: int = 3000, **more: object) -> London:
    """The Metropolitan may buy; Bakerloo, a minor, is still to operate."""
    others = more.pop("others", ())
    assert isinstance(others, tuple)
    return situation(
        tube("MET", {"Ann": 5}, 100, cash=cash, trains=trains), tube("BAK", "Bob", 50, minor=True), *others,
        phase=phase, **more,  # type: ignore[arg-type]
    ).turn("MET", "trains", waiting="BAK")  # fmt: skip


@pytest.mark.rule("1863:5.5", "1863:12.10", "1863:5.33")
def test_r10_both_faces_are_sold_from_one_supply() -> None:
    game = buyer(supply={"3T": 2})
    assert {"train 3T", "train 2+1e"} <= set(game.accepted())
    game.do("MET: train 2+1e")
    assert game.state.supply[TrainName("3T")] == 1
    game.do("MET: train 3T")
    assert current(game.title, game.state) == "4T"
    assert game.state.phase == "III"


@pytest.mark.rule("1863:5.5", "1863:5.30")
def test_a_train_is_of_the_current_supply_at_its_price_and_from_the_bank() -> None:
    game = buyer(cash=700, supply={"3T": 2})
    assert game.refusals("MET: train 4T") == {"train.not_on_sale"}
    assert set(game.failures(Train(CompanyId("MET"), TrainName("3T"), None, 200))) == {"train.face_value"}
    assert "train.bank_only" in game.refusals("MET: train 3T from BAK for 250")
    assert buyer(cash=249).refusals("MET: train 3T") == {"train.money"}
    assert buyer("3T 3T 3T 3T").refusals("MET: train 3T") == {"train.limit"}


@pytest.mark.rule("1863:5.5", "1863:12.56", "1863:3.11")
def test_r56_a_phase_begins_with_the_first_train_of_the_next_supply() -> None:
    game = buyer(phase="II", round="OR 1.2", supply={"2T": 1})
    game.do("MET: train 2T")
    assert game.told(PhaseBegan) == []
    game.do("MET: train 3T")
    assert [e.phase for e in game.told(PhaseBegan)] == ["III"]
    game.do("MET: train 3T")
    assert [e.phase for e in game.told(PhaseBegan)] == ["III"]


@pytest.mark.rule("1863:5.5")
def test_2t_are_not_limited_in_the_first_operating_round() -> None:
    game = buyer(phase="II", round="OR 1.1", supply={"2T": 1})
    game.state.supply.pop(TrainName("2T"))  # type: ignore[attr-defined]
    for _ in range(4):
        game.do("MET: train 2T")
    assert current(game.title, game.state) == "2T"


R34 = [("left", 3), ("sold", 1)]


@pytest.mark.rule("1863:12.34", "1863:5.31")
@pytest.mark.parametrize(("way", "left"), R34)
def test_r34_the_number_of_2t_after_the_first_operating_round(way: str, left: int) -> None:
    play = situation(
        tube("MET", "Ann", minor=True, trains="2T 2T"), phase="II", round="OR 1.1", options={"first_supply": way}
    ).play()
    cut_first_supply(play)
    assert play.state.supply[TrainName("2T")] == left


RUST = [("3T", "III", "4T", {"2T"}), ("3T", "III", "2+2e", {"2T"}), ("4T", "IV", "5T", {"3T", "2+1e"}),
        ("4T", "IV", "2+3e", {"3T", "2+1e"})]  # fmt: skip


@pytest.mark.rule("1863:3.2", "1863:3.8", "1863:12.7", "1863:3.15")
@pytest.mark.parametrize(("card", "phase", "train", "gone"), RUST)
def test_r7_either_face_begins_the_phase_and_rusts_either_face(
    card: str, phase: str, train: str, gone: set[str]
) -> None:
    others = (tube("CLR", {"Cat": 2}, 90, trains="2T 3T 2+1e" if phase == "III" else "3T 2+1e"),)
    game = buyer(phase=phase, supply={card: 0}, others=others)
    game.do(f"MET: train {train}")
    assert {e.train for e in game.told(TrainsRusted)} == gone
    assert set(game.fleet("CLR")) == ({"3T", "2+1e"} if phase == "III" else set())
    assert "2+3e" in title().trains and "3+2e" not in title().trains


@pytest.mark.rule("1863:3.2", "1863:12.8", "1863:3.16")
def test_r8_trains_over_the_limit_leave_the_game_at_once() -> None:
    """All who have too many are asked together, before the buyer goes on; whose trains are all alike is not asked."""
    others = (
        tube("CLR", {"Cat": 2}, 90, trains="3T 3T 3T 2+1e"),
        tube("CIR", {"Bob": 2}, 80, trains="3T 2+1e 2+1e 2+1e"),
        tube("DIS", "Cat", 70, minor=True, trains="3T 3T"),
    )
    game = buyer(supply={"3T": 0}, others=others)
    game.do("MET: train 4T")
    assert sorted(game.asked) == ["Bob CIR discard", "Cat CLR discard"]
    assert game.fleet("DIS") == ["3T"]
    game.do("CLR: discard 2+1e")
    game.do("CIR: discard 3T")
    assert game.state.pool_trains == ()
    assert game.asked == ["Ann MET company.turn"]
    assert {(e.train, e.target) for e in game.told(TrainMoved) if e.source != "Bank"} == {("2+1e", ""), ("3T", "")}


R9 = [("V", "IV", False), ("V", "V", True), ("IV", "III", False), ("IV", "IV", True)]


@pytest.mark.rule("1863:12.9")
@pytest.mark.parametrize(("since", "phase", "acts"), R9)
def test_r9_the_phase_in_which_the_lptb_begins_to_act(since: str, phase: str, acts: bool) -> None:
    game = situation(tube("MET", {"Ann": 5}), phase=phase, options={"lptb_from": since})
    assert SEQUENCE.conditions["lptb_acts"](game.title, game.state) is acts


@pytest.mark.rule("1863:4.8", "1863:12.24")
def test_r24_an_export_counts_as_a_purchase_and_begins_no_phase() -> None:
    game = situation(tube("MET", {"Ann": 5}), phase="V", round="SR 5", supply={"5T": 2})
    play = game.play()
    export(play)
    assert play.state.supply[TrainName("5T")] == 1
    assert ENDING not in play.state.marks
    export(play)
    assert play.state.marks[ENDING] == "trains"
    assert not [e for e in play.events if isinstance(e, PhaseBegan)]


@pytest.mark.rule("1863:11.1")
def test_the_purchase_of_the_last_train_signals_the_end_once() -> None:
    game = buyer(phase="V", supply={"5T": 1})
    game.do("MET: train 2+3e")
    assert [(e.reason, e.rounds) for e in game.told(EndSignalled)] == [("trains", "one_more_set")]
    assert game.refusals("MET: train 5T") == {"train.not_on_sale"}
