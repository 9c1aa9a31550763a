"""Pictures of many games: no two labels overlap, none leaves its hex, every marker lies in its circle; in 200
positions of games of robots and of chance, and under every tile that a named hex may come to. In 500 positions of
robots' games and recorded ones, pictures have the same pixels with and without pieces that were kept."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import engine
from engine.robots import random_order, sensible
from engine.svg.labels import Wanted
from moderator.adapters.mosaic import Pieces
from tests.figures.test_engine import imported
from tests.kit.pictures import SO_FAR, faults_of, faults_of_labels
from tests.kit.png_positions import Kept, pictures_of, robots_game

pytestmark = pytest.mark.prove

TITLES = engine.title_names()
POSITIONS = 200
SHARE = 100
"""Positions of each title in which pictures are compared."""
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


@pytest.mark.parametrize("name", TITLES)
def test_pictures_of_100_positions_are_the_same_with_and_without_kept_pieces(name: str, tmp_path: Path) -> None:
    """500 positions for the five titles. A second service that begins with the files of the first sees them too."""
    chance, seen = random.Random(name), 0
    stores = Kept(Pieces(20_000_000, tmp_path), Pieces(0))
    while seen < SHARE:
        for game in robots_game(name, seed=seen, every=25, most=500):
            another = Pieces(20_000_000, tmp_path)
            for mosaic in pictures_of(game, chance):
                stores.check(mosaic, another)
            seen += 1
    print(f"{name}: {seen} positions, {stores.kept.drawn} pieces kept, {stores.anew.drawn} drawn anew")  # noqa: T201
    assert stores.kept.drawn < 0.5 * stores.anew.drawn


@pytest.mark.parametrize("name", ["1861/29683", "1861/167259", "1844/160062", "1841/132002"])
def test_pictures_of_recorded_positions_are_the_same(records: Path, name: str, tmp_path: Path) -> None:
    chance, game = random.Random(name), imported(records / f"{name}.json")
    stores = Kept(Pieces(20_000_000, tmp_path), Pieces(0))
    seen = 0
    for number in range(20, len(game.orders), 20):
        early = game.fork()
        early.undo(number)
        for mosaic in pictures_of(early, chance):
            stores.check(mosaic)
        seen += 1
    print(f"{name}: {seen} positions")  # noqa: T201 - what a proof has seen is printed
    assert seen > 20
