"""Pictures for a dark screen: nothing moves, markers keep their colours, and every word can be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

import engine
from engine import svg
from engine.robots import sensible
from engine.svg.colors import FILLS, LEAST_CONTRAST, WORDS, badge_colors, contrast
from engine.svg.dark import EMPTY, INK, PAPER

TITLES = engine.title_names()
NS = "{http://www.w3.org/2000/svg}"
_COLOR = re.compile(r"#[0-9a-f]{6}")


@pytest.fixture(scope="module", params=TITLES)
def game(request: pytest.FixtureRequest) -> engine.Game:
    played = engine.Game.start(engine.load_title(request.param), engine.Setup(("Ann", "Bob", "Cat"), seed="dark"))
    while len(played.orders) < 150 and not played.finished:
        assert played.submit(sensible(played, played.asked()[0]))
    return played


def both(game: engine.Game) -> list[tuple[str, str]]:
    """Each picture for a light screen and for a dark one."""
    title, state, notes = game.title, game.state, {"heading": "Runs", "marked": "here"}
    lays = [svg.LayGroup(("G9", "G9"), (svg.Lying(next(iter(title.map.tiles)), 0, "S-N"),))]
    hexes = tuple(title.map.hexes)[:9]
    draws: list[Callable[[bool], str]] = [
        lambda dark: svg.board_svg(title, state, marked=hexes, notes=notes, dark=dark),
        lambda dark: svg.chart_svg(title, state, dark=dark),
        lambda dark: svg.tiles_svg(title, state, dark=dark),
        lambda dark: svg.lays_svg(title, state, lays, dark=dark),
    ]
    return [(draw(False), draw(True)) for draw in draws]


@pytest.mark.in_turn(2)
def test_only_colours_differ(game: engine.Game) -> None:
    for light, dark in both(game):
        assert light != dark
        assert _COLOR.sub("", light) == _COLOR.sub("", dark)


def test_the_paper_is_dark_and_its_words_are_light(game: engine.Game) -> None:
    assert contrast(PAPER, INK) >= LEAST_CONTRAST
    assert contrast(EMPTY, "#111111") >= LEAST_CONTRAST
    assert contrast(PAPER, "#b5bac2") >= LEAST_CONTRAST
    for light, dark in both(game):
        paper = next(ElementTree.fromstring(dark).iter(f"{NS}rect"))
        assert paper.get("fill") == PAPER
        assert WORDS not in dark and FILLS["white"] not in dark
        assert light.count(WORDS) <= dark.count(INK)


def test_markers_keep_their_colours(game: engine.Game) -> None:
    for company in game.state.prices:
        ground, _ = badge_colors(game.title.companies[company])
        light, dark = (svg.chart_svg(game.title, game.state, dark=dark) for dark in (False, True))
        assert light.count(f'fill="{ground}" stroke="#111111"') == dark.count(f'fill="{ground}" stroke="#111111"') > 0
