"""Exports of 1844 and when their effects come, the forced Furka-Oberalp track, and the time of the SBB's formation."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import (
    DestinationReached,
    Exported,
    Formed,
    OverlayLaid,
    Paid,
    PhaseBegan,
    PrivateClosed,
    RoundBegan,
    TurnBegan,
)
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

RICH = {"Ann": 500}
"""So that the stock round has a question."""


def exporting(phase: str, *companies: Any, **rest: Any) -> Swiss:
    """The last operating round of a set is over, and the next new train begins a phase."""
    number = {"2": 1, "3": 2, "4": 2, "5": 3, "6": 3}[phase]
    return situation(
        *companies, phase=phase, supply={phase: 0}, round=f"OR 4.{number}", **{"cash": RICH, **rest}
    ).after_round()


# ---- phases that begin with an export -------------------------------------------------------------------------------


@pytest.mark.rule("1844:5.12", "1844:12.1")
@both
@pytest.mark.parametrize(
    ("phase", "train", "had", "has"),
    [("2", "3", "2", "2H"), ("3", "4", "2H 3", "3H"), ("5", "6", "3H 4", "4H"), ("6", "8E", "4H 5", "5H")],
)
def test_an_exported_train_begins_a_phase_as_a_bought_one_does(
    edition: str, phase: str, train: str, had: str, has: str
) -> None:
    game = exporting(phase, swiss("VZ", {"Bob": 3}, trains=had), edition=edition)
    assert [e.train for e in game.told(Exported)] == [train]
    assert [e.phase for e in game.told(PhaseBegan)] == [str(int(phase) + 1)] and game.trains("VZ") == has
    assert game.asked == ["Ann stock.turn"] and str(game.state.round) == "SR 5"


@pytest.mark.rule("1844:5.1", "1844:12.11")
@both
def test_the_set_after_the_stock_round_has_the_rounds_of_the_new_phase(edition: str) -> None:
    game = exporting("2", swiss("VZ", {"Bob": 3}), edition=edition)
    game.quietly("OR 5.2")
    assert str(game.state.round) == "OR 5.2"


@pytest.mark.rule("1844:12.5", "1844:6.22", "1844:6.21")
@both
@pytest.mark.parametrize("owner", ["Cat", "VZ"])
def test_the_furka_track_is_laid_by_force_when_phase_5_begins(edition: str, owner: str) -> None:
    vz, rhb = swiss("VZ", {"Bob": 3}), swiss("RhB", {"Ann": 5}, par=60)
    tiles = {"H25": "58#1", "J15": "9#1"}
    game = exporting("4", vz, rhb, edition=edition, tiles=tiles, privates={"P4": owner, "P2": "Bob", "P7": "Bob"})
    assert len(game.told(OverlayLaid)) == 5
    assert [(e.payee, e.amount) for e in game.told(Paid) if e.reason == "furka"] == [(owner, 80)]
    assert sorted(e.private for e in game.told(PrivateClosed)) == ["P2", "P4"]
    paid_now = [("RhB", 300)] if edition == "rulebook" else []  # on the site in the next turn of a company
    assert [(e.company, e.amount) for e in game.told(DestinationReached)] == paid_now
    assert game.state.privates["P7"] == "Bob"  # type: ignore[index]


@pytest.mark.rule("1844:12.5")
@both
def test_the_furka_track_that_lies_is_not_laid_again(edition: str) -> None:
    game = exporting("4", swiss("VZ", {"Bob": 3}), edition=edition, furka=True)
    assert not game.told(OverlayLaid)


# ---- trains over the limit ------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.10", "1844:12.11")
@pytest.mark.parametrize(
    ("edition", "options", "at_once"),
    [
        ("rulebook", {}, True),
        ("rulebook", {"discard_after_export": "next_turn"}, False),
        ("18xx.games", {}, False),
        ("18xx.games", {"discard_after_export": "at_once"}, True),
    ],
)
def test_when_trains_are_given_up_after_an_export(edition: str, options: dict[str, str], at_once: bool) -> None:
    """The first 4 is exported: three trains to a historical company."""
    mob = swiss("MOB", {"Cat": 5}, trains="3 3 3 3H")
    game = exporting("3", mob, edition=edition, options={**options, "discards": "pool"})
    assert game.trains("MOB").count("3H") == (3 if at_once else 4)  # all alike: nobody is asked
    game.quietly("OR 5.1")
    assert game.trains("MOB").count("3H") == 3


@pytest.mark.rule("1844:12.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_at_the_formation_at_the_latest(edition: str) -> None:
    """The first 5 is exported: two trains, and the SBB is formed at once. The rulebook has the trains given up before
    it, 18xx.games with it."""
    mob, nob = swiss("MOB", {"Cat": 5}, trains="3H 4 4"), swiss("NOB", {"Ann": 2})
    game = exporting("4", mob, nob, edition=edition)
    assert game.asked == ["Cat MOB discard"]
    assert bool(game.told(Formed)) is (edition == "18xx.games")
    game.do("MOB: discard 3H")
    assert game.told(Formed) and game.asked == ["Ann stock.turn"]


# ---- S-10 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.5", "1844:13.1")
@both
def test_after_the_last_round_of_a_set_first_the_export_then_the_formation(edition: str) -> None:
    game = situation(
        swiss("NOB", {"Ann": 2}),
        swiss("BLS", {"Bob": 5}, cash=900, trains="4"),
        edition=edition,
        phase="4",
        supply={"4": 0},
        round="OR 4.2",
        cash=RICH,
    ).turn("BLS", "trains")
    game.do("BLS: train 5; done")
    told = [e for e in game.events if isinstance(e, Exported | Formed)]
    assert [type(e).__name__ for e in told] == ["Exported", "Formed"] and game.told(Exported)[0].train == "5"
    assert game.state.supply["5"] == 2  # type: ignore[index]
    assert str(game.state.round) == "SR 5" and game.asked[0].endswith("stock.turn")


@pytest.mark.rule("1844:12.5", "1844:13.1", "1844:5.1", "1844:13.6")
@both
def test_in_the_middle_of_a_set_the_sbb_is_formed_before_the_next_round_and_operates_in_it(edition: str) -> None:
    game = situation(
        swiss("NOB", {"Ann": 2}, at="r1c12"),  # 200, so that it is paid for
        swiss("BLS", {"Bob": 5}, cash=900, trains="4"),
        edition=edition,
        phase="4",
        supply={"4": 0},
        round="OR 7.1",
        cash=RICH,
    ).turn("BLS", "trains")
    game.do("BLS: train 5; done")
    told = [type(e).__name__ for e in game.events if isinstance(e, Formed | RoundBegan | Exported)]
    assert told == ["Formed", "RoundBegan"] and str(game.state.round) == "OR 7.2"
    assert game.price("SBB") == "100 r6c9"
    game.quietly("SR 8")
    assert "SBB" in [e.company for e in game.told(TurnBegan)]
    assert [str(e.round) for e in game.told(RoundBegan)] == ["OR 7.2", "SR 8"]
    game.quietly("SR 9")
    assert [str(e.round) for e in game.told(RoundBegan)][2:] == ["OR 8.1", "OR 8.2", "OR 8.3", "SR 9"]


@pytest.mark.rule("1844:13.15", "1844:12.10")
@pytest.mark.parametrize(("edition", "own"), [("rulebook", False), ("18xx.games", True)])
def test_six_trains_come_together_and_two_must_go(edition: str, own: bool) -> None:
    """Its own 5H, four 3H and a 4H. The rulebook keeps the own 5H."""
    game = exporting(
        "4",
        swiss("NOB", {"Ann": 2}, trains="3H 3H"),
        swiss("SCB", {"Ann": 2}, trains="3H 3H"),
        swiss("JS", {"Ann": 2}, trains="4H"),
        edition=edition,
    )
    for company in ("NOB", "SCB"):
        assert game.trains(company) == ""
    assert game.asked == ["Ann SBB discard"] and len(game.trains("SBB").split()) == 6
    assert ("discard SBB5H" in game.accepted()) is own
    if not own:
        assert set(game.failures("SBB: discard SBB5H")) == {"discard.kept"}
    game.do("SBB: discard 3H")
    game.do("SBB: discard 3H")
    assert sorted(game.trains("SBB").split()) == ["3H", "3H", "4H", "SBB5H"] and game.asked == ["Ann stock.turn"]
