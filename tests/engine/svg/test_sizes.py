"""Pictures of several sizes: what cannot be read is left out; every side of a hex is drawn once."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import engine
from engine.core.state import PriceMarker
from engine.svg.chart import NEAR_BAND, chart_spaces, chart_svg
from engine.svg.hexes import centre, edge_line
from engine.svg.labels import Wanted, labels
from engine.svg.marks import outlines_svg

TITLES = engine.title_names()
SVG = "{http://www.w3.org/2000/svg}"


def start(name: str) -> engine.Game:
    return engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="sizes"))


def words(svg: str) -> dict[str, float]:
    """Each text with the size of its letters."""
    root = ElementTree.fromstring(svg)
    return {t.text or "": float(t.get("font-size", "0")) for t in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", TITLES)
def test_a_small_map_has_values_and_codes_but_no_names(name: str) -> None:
    game = start(name)
    names = {hex.name for hex in game.title.map.hexes.values() if hex.name and " " not in hex.name and hex.name != "NE"}
    whole, far, small = (words(game.board_svg(size=size)) for size in (3000, 1200, 390))
    assert names & set(whole)
    assert names & set(far)
    assert not names & set(small)
    some = next(hex for hex in game.title.map.hexes if str(hex) in whole)
    assert far[str(some)] > whole[str(some)]
    assert str(some) not in small
    assert game.board_svg(size=390).count(">40</text>") == game.board_svg(size=3000).count(">40</text>")
    part = words(game.board_svg(hexes=[some], size=390))
    assert str(some) in part


@pytest.mark.parametrize("name", TITLES)
def test_every_side_is_drawn_once_but_within_areas(name: str) -> None:
    map = engine.load_title(name).map
    drawn = [
        frozenset({(float(a), float(b)), (float(c), float(d))})
        for a, b, c, d in re.findall(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)", outlines_svg(map, tuple(map.hexes)))
    ]
    middles = {(round(sum(x for x, _ in side) / 2), round(sum(y for _, y in side) / 2)) for side in drawn}
    assert len(middles) == len(drawn)
    for hex in map.hexes.values():
        groups = {area.group for area in hex.face.offboards}
        x, y = centre(hex.x, hex.y, map.flat)
        for edge in range(6):
            other = map.hexes[hex.neighbors[edge]] if edge in hex.neighbors else None
            joined = other is not None and {area.group for area in other.face.offboards} & groups - {""}
            (a, b), (c, d) = edge_line(edge, map.flat)
            at = ((a + c) / 2 + x, (b + d) / 2 + y)
            near = any(abs(at[0] - u) < 2 and abs(at[1] - v) < 2 for u, v in middles)
            assert near == (not joined), (hex.id, edge)


def test_a_part_of_a_chart_of_one_row_is_narrow() -> None:
    game = start("1863")
    company = next(iter(game.title.companies))
    cells = sorted(game.title.chart.prices)
    state = replace(game.state, prices={company: PriceMarker(cells[12], 1)})
    shown = chart_spaces(game.title, state, near=True)
    assert [space.cell for space in shown] == cells[11:14]
    wide = replace(game.state, prices={**state.prices, list(game.title.companies)[1]: PriceMarker(cells[25], 2)})
    across = {space.at[0] for space in chart_spaces(game.title, wide, near=True)}
    assert len(across) == NEAR_BAND
    assert not {"liquidation", "acquisition"} & set(words(chart_svg(game.title, state, near=True)))


def test_a_cost_is_large_where_a_hex_is_empty() -> None:
    game = start("1861")
    found: dict[bool, set[float]] = {}
    for hex in game.title.map.hexes.values():
        if hex.face.terrain:
            empty = not (hex.face.cities or hex.face.towns or hex.face.paths)
            cost = next(label for label in labels(Wanted(hex.face, True, hex.name)).labels if label.kind == "cost")
            found.setdefault(empty, set()).add(cost.size)
    assert min(found[True]) > max(found[False])
