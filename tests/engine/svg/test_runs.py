"""Runs on the map: every line lies on the track of its hexes, every train has a line of its own, and the legend leaves
the map where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import engine
from engine.core import events as ev
from engine.robots import sensible
from engine.svg import Line, board_layers, lines_of
from engine.svg.colors import DASHES, LINES
from engine.svg.curves import Curve
from engine.svg.hexes import centre, distance
from engine.svg.letters import ems
from engine.svg.runs import lines_svg
from engine.svg.track import pieces

TITLES = engine.title_names()
SVG = "{http://www.w3.org/2000/svg}"
_ORDERS = {"1841": 420, "1844": 420, "1863": 620}
"""Orders until companies of the title run several trains, by way of areas too."""

Shown = tuple[engine.core.state.State, tuple[Line, ...]]


@pytest.fixture(scope="module", params=TITLES)
def game(request: pytest.FixtureRequest) -> engine.Game:
    name: str = request.param
    played = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="runs"))
    while len(played.orders) < _ORDERS.get(name, 320) and not played.finished:
        assert played.submit(sensible(played, played.asked()[0]))
    return played


@pytest.fixture(scope="module")
def declared(game: engine.Game) -> list[Shown]:
    """Every run of the game, with the position in which it was declared."""
    found = [
        (before, lines_of(game.title, before, event.company, event.routes))
        for _, before, events in game.happened(0)
        for event in events
        if isinstance(event, ev.Ran) and event.routes
    ]
    assert len(found) > 10
    assert max(len(lines) for _, lines in found) > 1
    return found


@pytest.mark.in_turn(2)
def test_every_line_lies_on_track_from_stop_to_stop(game: engine.Game, declared: list[Shown]) -> None:
    flat = game.title.map.flat
    for state, lines in declared:
        for line in lines:
            for hex, curve in line.parts:
                face = state.board.face(hex)
                assert any(_lies_on(curve, piece.curve) for piece in pieces(face, flat)), (hex, line.train)
            ends = [[_on_map(game, hex, curve, share) for share in (0, 1)] for hex, curve in line.parts]
            for (_, here), (there, _) in pairwise(ends):
                assert distance(here, there) < 0.1


def _lies_on(curve: Curve, track: Curve) -> bool:
    """Each point of ``curve`` is near a point of ``track``."""
    there = track.points(1)
    return all(min(distance(point, other) for other in there) < 1 for point in curve.points(8))


def _on_map(game: engine.Game, hex: engine.ids.HexId, curve: Curve, share: float) -> tuple[float, float]:
    printed, (x, y) = game.title.map.hexes[hex], curve.at(share)
    a, b = centre(printed.x, printed.y, game.title.map.flat)
    return x + a, y + b


def test_every_train_has_a_line_that_no_other_has(game: engine.Game, declared: list[Shown]) -> None:
    map = game.title.map
    centres = {hex: centre(one.x, one.y, map.flat) for hex, one in map.hexes.items()}
    for _, lines in declared:
        found = [group.attrib for group in _paths(lines_svg(lines, centres)) if group.attrib["stroke"] != "#ffffff"]
        assert len(found) == len(lines)
        assert all(one["d"] for one in found)
        looks = [(one["stroke"], one.get("stroke-dasharray", "")) for one in found]
        assert len(set(looks)) == len(looks)


def _paths(content: str) -> Iterator[ElementTree.Element]:
    yield from ElementTree.fromstring(f"<g>{content}</g>").iter("path")


def test_lines_differ_without_their_colours() -> None:
    assert len(set(DASHES)) == len(DASHES) == len(set(LINES)) == len(LINES)


def test_the_legend_says_each_train_with_its_value_and_does_not_move_the_map(
    game: engine.Game, declared: list[Shown]
) -> None:
    for state, lines in declared[::7]:
        without, shown = board_layers(game.title, state), board_layers(game.title, state, runs=lines)
        assert shown.box[:3] == without.box[:3]
        assert shown.box[3] > without.box[3]
        assert board_layers(game.title, state, runs=lines, legend=False).box == without.box
        above = {layer.name: layer.parts for layer in without.layers}
        over = {"runs", "counted", "legend"}
        assert {layer.name: layer.parts for layer in shown.layers if layer.name not in over} == {
            name: parts for name, parts in above.items() if name not in over
        }
        legend = next("".join(layer.parts.values()) for layer in shown.layers if layer.name == "legend")
        for line in lines:
            assert f">{line.train} = {line.value}: " in legend
        _nothing_overlaps(legend, shown.box)


def _nothing_overlaps(legend: str, box: tuple[float, float, float, float]) -> None:
    left, top, width, height = box
    rows = []
    for text in re.finditer(r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"[^>]*>([^<]*)<', legend):
        x, y, size = (float(part) for part in text.groups()[:3])
        assert left <= x and x + ems(text[4]) * size <= left + width
        assert top < y - size and y < top + height
        rows.append((y - size * 0.8, y + size * 0.2))
    assert all(low <= high for (_, low), (high, _) in pairwise(sorted(rows)))
