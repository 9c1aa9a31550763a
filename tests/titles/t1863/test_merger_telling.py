"""The description of positions in merger rounds and turns."""

from __future__ import annotations

from typing import Any

from engine.core.description import told
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def steps(game: London) -> str:
    """All steps of the agenda, as they are told."""
    found: dict[str, Any] = told(game.title, game.state)
    return str(found)


def test_a_round_and_the_halves_are_told() -> None:
    met, dis = tube("MET", {"Ann": 5, "Bob": 3}, 110), tube("DIS", {"Ann": 2}, 100)
    game = situation(met, dis, cash=CASH, round="MR 2.1").frames(MergerRound())
    assert "'on turn': 'DIS'" in steps(game)
    for order in ("DIS: merge MET into MET", "Ann: take 0"):
        game.do(order)
    assert "'holders of half a share': ['Ann', 'Bob']" in steps(game)
    assert "'converted or merged': ['DIS', 'MET']" in steps(game)


def test_a_turn_tells_whether_the_company_has_refinanced() -> None:
    met = tube("MET", {"Ann": 4}, 70)
    game = situation(met, cash=CASH, options={"refinancing": "yes"}).frames(TURNS.begin(met.id))
    assert "'refinanced': False" in steps(game)
    game.do("MET: refinance")
    assert "'refinanced': True" in steps(game)
