"""Sheets of legal lays: every lay is there once with its turn, no words overlap, and nothing leaves the sheet."""

from __future__ import annotations

from itertools import combinations, groupby
from xml.etree import ElementTree

import pytest

import engine
from engine import orders as o
from engine.robots import sensible
from engine.svg import LayGroup, Lying, lays_svg
from engine.svg.hexes import INRADIUS, SIDE
from engine.svg.lay_sheet import ACROSS, places
from engine.svg.letters import ems

TITLES = engine.title_names()
SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


@pytest.fixture(scope="module", params=TITLES)
def menus(request: pytest.FixtureRequest) -> list[tuple[engine.Game, list[LayGroup]]]:
    """Positions in which somebody may lay track, with all lays hex by hex."""
    name: str = request.param
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="sheet"))
    found = []
    while len(game.orders) < 420 and not game.finished:
        ask = game.asked()[0]
        lays = [choice.order for choice in game.legal(ask.actor) if isinstance(choice.order, o.Lay)]
        if lays:
            groups = [
                LayGroup(
                    (f"{hex} {game.title.map.hexes[hex].name}", str(hex)), tuple(_lying(game, lay) for lay in some)
                )
                for hex, some in groupby(sorted(lays, key=lambda lay: lay.hex), key=lambda lay: lay.hex)
            ]
            found.append((game.fork(), groups))
        assert game.submit(sensible(game, ask))
    assert len(found) > 20
    return found[:: len(found) // 12]


def _lying(game: engine.Game, lay: o.Lay) -> Lying:
    old, new = game.state.board.face(lay.hex), game.title.map.tiles[lay.tile].face.turned(lay.rotation)
    names = game.title.map.edge_names
    return Lying(lay.tile, lay.rotation, "-".join(names[e] for e in sorted(new.exits)), new.exits - old.exits)


@pytest.mark.in_turn(2)
def test_every_lay_is_there_once_and_in_order(menus: list[tuple[engine.Game, list[LayGroup]]]) -> None:
    for game, groups in menus:
        heads, cells, _ = places(groups, game.title.map.flat)
        assert [cell.lying for cell in cells] == [lying for group in groups for lying in group.lays]
        assert {head.text for head in heads} <= {form for group in groups for form in group.head}
        drawn = ElementTree.fromstring(lays_svg(game.title, game.state, groups, size=390))
        said = [text.text for text in drawn.iter(f"{SVG}text")]
        for group in groups:
            for lying in group.lays:
                assert f"{lying.tile} ({lying.turn})" in said and lying.sides in said


def test_nothing_overlaps_and_nothing_leaves_the_sheet(menus: list[tuple[engine.Game, list[LayGroup]]]) -> None:
    for game, groups in menus:
        flat = game.title.map.flat
        heads, cells, height = places(groups, flat)
        wide, high = (SIDE, INRADIUS) if flat else (INRADIUS, SIDE)
        width = 28 + ACROSS * (2 * wide + 16)
        found: list[Box] = [(c.at[0] - wide, c.at[1] - high, c.at[0] + wide, c.at[1] + high) for c in cells]
        found += [_box(*text) for cell in cells for text in cell.texts]
        found += [(h.at[0], h.at[1] - 19, h.at[0] + min(ems(h.text) * 38, h.room), h.at[1] + 19) for h in heads]
        for left, top, right, bottom in found:
            assert left >= 0 and right <= width and top >= 0 and bottom <= height
        assert not [pair for pair in combinations(found, 2) if _meet(*pair)]


def _box(line: str, at: tuple[float, float], size: float) -> Box:
    half = ems(line) * size / 2
    return at[0] - half, at[1] - size / 2, at[0] + half, at[1] + size / 2


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] - 0.1 and b[0] < a[2] - 0.1 and a[1] < b[3] - 0.1 and b[1] < a[3] - 0.1


def test_only_new_sides_have_a_mark(menus: list[tuple[engine.Game, list[LayGroup]]]) -> None:
    for game, groups in menus:
        picture = lays_svg(game.title, game.state, groups)
        new = sum(len(lying.new) for group in groups for lying in group.lays)
        assert picture.count('stroke="#c2185b"') == new


def test_a_sheet_without_room_for_a_head_has_its_shortest_form() -> None:
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="head"))
    tile = next(iter(game.title.map.tiles))
    group = LayGroup(("H8 Nizhniy Novgorod on the Volga", "H8"), (Lying(tile, 0, "S-N"),))
    heads, _, _ = places([group], flat=True)
    assert [head.text for head in heads] == ["H8"]
    wider = LayGroup(group.head, group.lays * ACROSS)
    assert [head.text for head in places([wider], flat=True)[0]] == ["H8 Nizhniy Novgorod on the Volga"]
