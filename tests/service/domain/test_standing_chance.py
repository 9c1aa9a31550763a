"""Standing orders by chance: what they do is what the same orders would do by hand, and no more than they say."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import engine
from tests.kit.games.standing_chance import Chance, faults, overspent
from tests.kit.properties.of_position import hold
from tests.kit.samples import amount, today

TITLES = ("1861", "1844", "1841", "1863", "1867")
GAMES = amount("STANDING_GAMES", 2)
ORDERS = 260
LONG = 20


def played(title: str, seed: int, orders: int = ORDERS) -> Chance:
    chance = random.Random(f"{title} {seed}")
    names = ("Ann", "Bob", "Cat", "Dan", "Eve")[: chance.randint(3, 5)]
    game = engine.Game.start(engine.load_title(title), engine.Setup(names, seed=f"standing {seed}"))
    play = Chance(game, chance)
    play.play(orders)
    return play


def right(play: Chance) -> None:
    """Assert all that must be true of a game with standing orders."""
    assert list(faults(play)) == []
    assert list(overspent(play)) == []
    game, before = play.game.fork(), None
    for move in play.table.moves:
        before = game.state
        game.submit(move.order)
        hold(game, before)


def figures(play: Chance) -> tuple[int, int, int, int, int]:
    """Orders carried out, standing orders tried, taken, moves made by them, and moves of turns kept ahead."""
    moves = play.table.moves
    standing, held = (sum(move.origin == origin for move in moves) for origin in ("standing", "held"))
    return len(moves), play.tried, len(play.given), standing, held


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("number", range(GAMES))
def test_standing_orders_by_chance(title: str, number: int) -> None:
    play = played(title, today() * 100 + number, 160)
    right(play)


@pytest.mark.prove
@pytest.mark.parametrize("title", TITLES)
def test_many_games_with_standing_orders(title: str, record_property: Callable[[str, object], None]) -> None:
    found = []
    for seed in range(amount("MANY_STANDING_GAMES", LONG)):
        play = played(title, seed)
        right(play)
        found.append(figures(play))
    totals = [sum(column) for column in zip(*found, strict=True)]
    record_property("games, orders, tried, taken, moves by them, moves of kept turns", (len(found), *totals))
    assert all(totals)
