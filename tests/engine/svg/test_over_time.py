"""Charts over time: a moment for each round, lines through the values, names that keep apart."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import engine
from engine.core.state import Round
from engine.robots import random_order
from engine.svg import Moment, cash_svg, history, prices_svg, worth_svg
from engine.svg.elements import number
from engine.svg.graphs.graph import LINE, WIDE, Graph, Series, decades, even, spread, style
from engine.svg.graphs.over_time import MOST, short
from engine.svg.letters import width

TITLES = engine.title_names()
SVG = "{http://www.w3.org/2000/svg}"
C = engine.ids.CompanyId


def states_of(name: str, orders: int = 250) -> tuple[engine.Game, list[engine.State]]:
    chance = random.Random(5)
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="5"))
    states = [game.state]
    while len(game.orders) < orders and not game.finished:
        assert game.submit(random_order(game, game.asked()[0], chance))
        states.append(game.state)
    return game, states


def texts(svg: str) -> list[tuple[str, float, float, float, str]]:
    """Words, place, size and anchor of each text."""
    root = ElementTree.fromstring(svg)
    found = []
    for t in root.iter(f"{SVG}text"):
        x, y, size = (float(t.get(key, "")) for key in ("x", "y", "font-size"))
        found.append((t.text or "", x, y, size, t.get("text-anchor", "middle")))
    return found


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_there_is_a_moment_for_the_end_of_each_round(name: str) -> None:
    game, states = states_of(name)
    moments = history(game.title, states)
    rounds = list(dict.fromkeys(state.round for state in states))
    just_begun = len(rounds) > 1 and states[-2].round != states[-1].round
    assert [m.round for m in moments] == (rounds[:-1] if just_begun else rounds)
    assert moments[-1].worth == dict(game.standings())
    assert moments[-1].cash == {player: game.state.money(player) for player in game.state.players}
    assert set(moments[-1].prices) <= set(game.state.prices)
    seen = [train for moment in moments for train in moment.trains]
    assert sorted(seen) == sorted(game.state.bought)
    for moment, after in pairwise(moments):
        first = next(state for state in states if state.round == after.round)
        assert moment.cash == {player: first.money(player) for player in first.players}
    assert history(game.title, states) == moments


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_every_chart_is_xml_with_all_names_apart_and_inside(name: str) -> None:
    game, states = states_of(name)
    moments = history(game.title, states)
    for draw in (worth_svg, cash_svg, prices_svg):
        picture = draw(moments, size=390)
        assert picture == draw(moments, size=390)
        found = texts(picture)
        boxes = []
        for word, x, y, size, anchor in found:
            wide = width(word, size)
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
            assert left >= -1, word
            assert left + wide <= WIDE + 1, word
            boxes.append((left, y - size * 0.72, left + wide, y, word))
        for i, a in enumerate(boxes):
            for b in boxes[i + 1 :]:
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 1 or b[3] <= a[1] + 1, (a, b)
    said = [word for word, *_ in texts(worth_svg(moments))]
    assert {f"{player} {worth}" for player, worth in game.standings()} <= set(said)


def moment(round: Round, worth: dict[str, int], prices: dict[str, int] | None = None) -> Moment:
    players = {engine.ids.PlayerId(name): value for name, value in worth.items()}
    return Moment(round, players, players, {C(name): price for name, price in (prices or {}).items()}, ())


def line_of(svg: str) -> str:
    """The data of the first line."""
    found = re.search(r'class="lines"><path d="([^"]+)"', svg)
    assert found is not None
    return found.group(1)


def test_a_line_goes_through_its_values() -> None:
    graph = Graph(["1", "2", "3"], [Series("a", (0, 50, 100))])
    assert list(graph.levels) == [0, 20, 40, 60, 80, 100]
    assert graph.y(0) == graph.low
    assert graph.y(50) == pytest.approx((graph.y(0) + graph.y(100)) / 2)
    points = re.findall(r"[ML]([\d.]+) ([\d.]+)", line_of(graph.svg(None, "")))
    assert [float(x) for x, _ in points] == pytest.approx([graph.x(i) for i in range(3)], abs=0.06)
    assert [float(y) for _, y in points] == pytest.approx([graph.y(v) for v in (0, 50, 100)], abs=0.06)


def test_a_line_has_gaps_where_there_is_no_value() -> None:
    assert line_of(Graph(["1", "2", "3", "4"], [Series("a", (5, None, 6, 7))]).svg(None, "")).count("M") == 2
    assert Series("a", (5, None)).last == (0, 5)
    assert Series("a", (None,)).last is None
    assert Graph(["1"], [Series("a", (None,))]).svg(None, "")


def test_debts_lie_below_the_line_of_0() -> None:
    graph = Graph(["1", "2"], [Series("a", (-120, 300))])
    assert graph.levels[0] <= -120
    assert 0 in graph.levels
    assert graph.y(-120) > graph.y(0)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (0, 7), (0, 99), (-40, 12), (0, 100_000), (3, 3)])
def test_levels_are_few_and_hold_all_values(low: int, high: int) -> None:
    for found in (even(min(0, low), high), decades(max(1, low), high)):
        assert found[0] <= max(low, 1 if found[0] > 0 else low)
        assert found[-1] >= high
        assert 2 <= len(found) <= 17
        assert list(found) == sorted(set(found))


def test_names_are_spread() -> None:
    assert spread([10, 12, 13, 200], 20, 0, 300) == [10, 30, 50, 200]
    assert spread([290, 295, 299], 20, 0, 300) == [260, 280, 300]
    many = spread([5.0] * 30, 20, 0, 100)
    assert all(b - a == 20 for a, b in pairwise(many))


def test_a_graph_of_many_lines_is_high_enough_for_their_names() -> None:
    found = texts(Graph(["1"], [Series(f"n{i}", (5,)) for i in range(30)]).svg(None, ""))
    heights = sorted(y for word, _, y, _, _ in found if word.startswith("n"))
    assert len(heights) == 30
    assert all(b - a >= LINE - 0.2 for a, b in pairwise(heights))


def test_lines_differ_in_colour_or_dash() -> None:
    assert len({style(i) for i in range(36)}) == 36


def test_only_so_many_prices_are_shown_and_own_ones_always() -> None:
    prices = {f"C{i}": 100 + i for i in range(12)}
    picture = prices_svg([moment(Round("OR", 1, 1), {"Ann": 1}, prices)], own=[C("C0")])
    shown = [word for word, *_ in texts(picture) if word.startswith("C")]
    assert len(shown) == MOST
    assert {"C0 100", "C11 111"} <= set(shown)
    assert picture.count('stroke-width="5"') == 1


def test_prices_far_apart_are_drawn_by_factors() -> None:
    rounds = [Round("OR", 1, 1), Round("OR", 1, 2)]
    picture = prices_svg([moment(r, {"Ann": 1}, {"A": 10, "B": 400}) for r in rounds])
    assert {"10", "100", "500"} <= {word for word, *_ in texts(picture)}


@pytest.mark.parametrize("name", ["<b>&\"'", "\u202eabc", "\U0001f682" * 9, "a\x00b", "\ud800", "", "Anna " * 20])
def test_any_name_of_a_player_makes_a_chart(name: str) -> None:
    picture = worth_svg([moment(Round("SR", 1), {name: 100, "Bob": 90})], name=name)
    ElementTree.fromstring(picture.encode())
    assert all(x + width(word, size) <= WIDE for word, x, _, size, anchor in texts(picture) if anchor == "start")


def test_a_game_at_its_start_has_a_chart_and_none_without_positions() -> None:
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="x"))
    moments = history(game.title, [game.state])
    assert len(moments) == 1
    assert worth_svg(moments)
    assert prices_svg(moments)
    assert history(game.title, []) == ()
    with pytest.raises(ValueError, match="no chart"):
        worth_svg([])


def test_a_round_that_has_begun_counts_to_its_last_position() -> None:
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="x"))
    poorer = replace(game.state, cash={**game.state.cash, game.state.players[0]: 1})
    (found,) = history(game.title, [game.state, poorer])
    assert found.cash[game.state.players[0]] == 1


def test_rounds_have_short_names() -> None:
    assert short(Round("SR", 2)) == "SR2"
    assert short(Round("OR", 3, 1)) == "3.1"
    assert short(Round("MR", 3, 2)) == "MR3.2"


def test_the_values_of_the_levels_have_room() -> None:
    for most in (90, 9_000, 12_000, 1_200_000):
        graph = Graph(["1", "2"], [Series("a", (0, most))])
        widest = max(width(f"{level:.0f}", 18) for level in graph.levels)
        assert graph.left - 8 - widest >= 2
        assert f'd="M{number(graph.left)} ' in graph.svg(None, "")
