"""Pictures of many games: no two labels overlap, none leaves its hex, every marker lies in its circle; in 200
positions of games of robots and of chance, and under every tile that a named hex may come to."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import engine
from engine.robots import random_order, sensible
from engine.svg.labels import Wanted
from tests.kit.pictures import SO_FAR, faults_of, faults_of_labels

pytestmark = pytest.mark.prove

TITLES = engine.title_names()
POSITIONS = 200
GAMES = 8
"""Games of each title; every second one is played by robots that choose with sense."""
EVERY, LONGEST = 60, 600
"""A position is looked at after every so many orders, until a game has had so many."""


def test_200_positions() -> None:
    seen = {name: sum(positions_of(name, seed) for seed in range(GAMES)) for name in TITLES}
    print(f"positions: {seen}")  # noqa: T201 - what a proof has seen is printed
    assert sum(seen.values()) >= POSITIONS


def positions_of(name: str, seed: int) -> int:
    """Look at positions of one game; the number of them."""
    chance = random.Random(seed)
    title = engine.load_title(name, chance.choice(engine.editions(name)))
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat", "Dan"), seed=str(seed)))
    seen = 0
    while not game.finished and len(game.orders) < SO_FAR.get(name, LONGEST):
        ask = game.asked()[0]
        order = sensible(game, ask) if seed % 2 else random_order(game, ask, chance)
        assert game.submit(order)
        if len(game.orders) % EVERY == 0 or game.finished:
            seen += 1
            assert faults_of(game) == [], (name, title.edition, seed, len(game.orders))
    for picture in (game.board_svg(), game.chart_svg(), game.tiles_svg()):
        ElementTree.fromstring(picture)
    return seen


@pytest.mark.parametrize("name", TITLES)
def test_every_tile_that_any_named_hex_may_come_to(name: str) -> None:
    map = engine.load_title(name).map
    seen = 0
    for hex, lays in map.first_lays.items():
        named = map.hexes[hex].name
        if not named:
            continue
        reached = {(tile, turn) for tile, turns in lays.items() for turn in turns}
        waiting = list(reached)
        upgrades = {**map.upgrades, **map.relabelled.get(hex, {})}
        while waiting:
            tile, turn = waiting.pop()
            seen += 1
            wanted = Wanted(map.tiles[tile].face.turned(turn), map.flat, named, str(tile), str(hex))
            assert faults_of_labels(wanted) == [], (hex, tile, turn)
            for new, turns in upgrades.get(tile, {}).items():
                more = {(new, (turn + more) % 6) for more in turns} - reached
                reached |= more
                waiting += more
    print(f"{name}: {seen} tiles under names")  # noqa: T201 - what a proof has seen is printed
    assert seen > 200
