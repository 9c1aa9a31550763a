"""Pictures of positions: of games of chance, with markers, changes and runs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import engine
import engine.svg
from engine.robots import random_order
from engine.svg.colors import LEAST_CONTRAST, badge_colors, contrast
from engine.svg.curves import Curve
from engine.svg.hexes import centre, distance
from engine.svg.marks import changed_hexes, new_markers
from engine.svg.runs import lines_of
from tests.kit.checkout import CHECKOUT
from tests.kit.pictures import SO_FAR, faults_of
from tests.kit.samples import prove

TITLES = engine.title_names()
SVG = "{http://www.w3.org/2000/svg}"


def game_of_chance(name: str, seed: int, orders: int) -> engine.Game:
    chance = random.Random(seed)
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed=str(seed)))
    while len(game.orders) < orders and not game.finished:
        assert game.submit(random_order(game, game.asked()[0], chance))
    return game


@pytest.fixture(scope="module", params=TITLES)
def game(request: pytest.FixtureRequest) -> engine.Game:
    name: str = request.param
    return game_of_chance(name, 7, SO_FAR.get(name, 250))


@pytest.mark.in_turn(2)
def test_nothing_overlaps_on_the_map(game: engine.Game) -> None:
    assert faults_of(game) == []
    for number in range(0, len(game.orders), 120):
        earlier = game.fork()
        earlier.undo(number)
        assert faults_of(earlier) == []


@pytest.mark.in_turn(2)
def test_every_picture_is_xml_and_the_same_each_time(game: engine.Game) -> None:
    for draw in (game.board_svg, game.chart_svg, game.tiles_svg):
        picture = draw(size=390)
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("width") == "390"
        assert picture == draw(size=390)
        again = engine.replay(game.title, game.setup, game.orders)
        assert picture == getattr(again, draw.__name__)(size=390)


def test_the_map_has_every_hex_and_a_part_those_round_it(game: engine.Game) -> None:
    map = game.title.map
    root = ElementTree.fromstring(game.board_svg())
    drawn = {g.get("id") for g in root.iter(f"{SVG}g") if (g.get("id") or "").startswith("hex-")}
    assert drawn == {f"hex-{hex}" for hex in map.hexes}
    middle = next(hex for hex in map.hexes.values() if len(hex.neighbors) == 6)
    part = ElementTree.fromstring(game.board_svg(hexes=[middle.id]))
    drawn = {g.get("id") for g in part.iter(f"{SVG}g") if (g.get("id") or "").startswith("hex-")}
    assert {f"hex-{hex}" for hex in (middle.id, *middle.neighbors.values())} <= drawn
    assert len(drawn) <= 13
    with pytest.raises(KeyError):
        game.board_svg(hexes=["nowhere"])


def test_letters_of_badges_can_be_read(game: engine.Game) -> None:
    for company in game.title.companies.values():
        assert contrast(*badge_colors(company)) >= LEAST_CONTRAST, company.id


def test_a_notebook_shows_the_map(game: engine.Game) -> None:
    assert game._repr_svg_() == game.board_svg(size=1000)
    assert game.board_svg()._repr_svg_() == game.board_svg()


def test_hexes_that_were_changed_are_marked() -> None:
    game = game_of_chance("1861", 3, 120)
    before = game.at(60)
    changed = changed_hexes(before.board, game.state.board)
    placed = {hex for hex, tile in game.state.board.tiles.items() if before.board.tiles.get(hex) != tile}
    assert placed
    assert placed <= changed
    assert game.board_svg(since=before).count("<polygon") == game.board_svg().count("<polygon") + 2 * len(changed)
    assert set(new_markers(before.board, game.state.board)) <= changed
    assert changed_hexes(before.board, before.board) == frozenset()


@pytest.mark.parametrize(
    ("name", "seeds"), [("1841", (0,)), *(prove((name, (0, 1, 2, 3))) for name in ("1861", "1844", "1841"))]
)
def test_the_line_of_a_run_is_whole(name: str, seeds: tuple[int, ...]) -> None:
    seen = 0
    for seed in seeds:
        game = game_of_chance(name, seed, 260)
        map = game.title.map
        for company, now in game.state.companies.items():
            if not now.trains or now.status != "open":
                continue
            routes = game.best_run(company).routes
            for line in lines_of(game.title, game.state, company, routes):
                ends = []
                for hex, curve in line.parts:
                    ends.append(tuple(_on_map(game, hex, curve, share) for share in (0, 1)))
                for (_, here), (there, _) in pairwise(ends):
                    assert distance(here, there) < 0.1
                assert {hex for hex, _, _ in line.stops} <= {hex for hex, _ in line.parts}
                assert map.hexes.keys() >= {hex for hex, _ in line.parts}
                seen += 1
            assert sum(line.value for line in lines_of(game.title, game.state, company, routes)) > 0 or not routes
            if routes:
                assert f"{line.train} = {line.value}: " in game.board_svg(runs=(company, routes))
    assert seen > 3


def _on_map(game: engine.Game, hex: engine.ids.HexId, curve: Curve, share: float) -> tuple[float, float]:
    printed, (x, y) = game.title.map.hexes[hex], curve.at(share)
    a, b = centre(printed.x, printed.y, game.title.map.flat)
    return x + a, y + b


def test_runs_that_are_not_legal_are_refused() -> None:
    game = game_of_chance("1861", 7, 250)
    company = next(c for c, now in game.state.companies.items() if now.trains)
    route = engine.orders.Route(game.state.companies[company].trains[0], (engine.ids.HexId("A5"),))
    with pytest.raises(ValueError, match="not legal"):
        game.board_svg(runs=(company, [route]))


_DRAW = """
import hashlib, engine
for name in engine.title_names():
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="x"))
    for picture in (game.board_svg(), game.chart_svg(), game.tiles_svg()):
        print(hashlib.sha256(picture.encode()).hexdigest())
"""


def test_every_process_draws_the_same() -> None:
    def drawn(seed: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", _DRAW],
            cwd=CHECKOUT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    first = drawn("1")
    assert len(first) == 3 * len(TITLES)
    assert first == drawn("2")


@pytest.mark.parametrize("name", ["<b>&\"'", "\u202eabc", "\U0001f682", "a\x00b", "\ud800", "", "한국철도"])
def test_any_name_makes_a_picture_that_can_be_read(name: str) -> None:
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="names"))
    moscow = game.title.map.hexes[engine.ids.HexId("H8")]
    map = replace(game.title.map, hexes={**game.title.map.hexes, moscow.id: replace(moscow, name=name)})
    title = replace(game.title, map=map, full_name=name)
    picture = engine.svg.board_svg(title, replace(game.state, board=replace(game.state.board, map=map)))
    ElementTree.fromstring(picture.encode())


@pytest.mark.parametrize(
    ("color", "plain"), [("#ABC", "#aabbcc"), ("", "#777777"), ("red", "#777777"), ("#1", "#777777")]
)
def test_a_company_without_a_proper_colour_is_grey(color: str, plain: str) -> None:
    company = next(iter(engine.load_title("1861").companies.values()))
    ground, letters = badge_colors(replace(company, color=color))
    assert ground == plain
    assert contrast(ground, letters) >= LEAST_CONTRAST


def test_a_tile_off_the_map_is_not_drawn_and_breaks_nothing() -> None:
    game = game_of_chance("1861", 3, 120)
    board, hex, tile = game.state.board, engine.ids.HexId("Z99"), next(iter(game.state.board.tiles.values()))
    marker = ((next(iter(game.title.companies)),),)
    odd = replace(board, tiles={**board.tiles, hex: tile}, markers={**board.markers, hex: marker})
    drawn = engine.svg.board_svg(game.title, replace(game.state, board=odd), since=game.at(0))
    assert drawn == game.board_svg(since=game.at(0))
