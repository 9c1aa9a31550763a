"""Facts that the loaders work out by themselves, and mistakes in the file of a new title that they find at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.facts import sections as facts
from engine.facts.sections import Facts, FactsError
from tests.kit.checkout import CHECKOUT
from tests.kit.titles import TITLES


def path(name: str) -> Path:
    return CHECKOUT / "engine" / "titles" / f"t{name}" / "facts.json"


def data(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path(name).read_text(encoding="utf-8"))
    return found


def read(given: dict[str, Any]) -> Facts:
    return facts.parse_facts(json.dumps(given, indent=1), "facts.json")


def test_a_chart_may_say_that_its_moves_are_those_of_a_grid() -> None:
    given = data("1844")
    printed = facts.load_charts(read(given))["grid"]
    given["markets"]["charts"]["grid"]["moves"] |= {"historical": "grid", "pre-sbb": "grid", "sbb": "historical"}
    assert facts.load_charts(read(given))["grid"].moves == printed.moves
    given["markets"]["charts"]["grid"]["moves"]["sbb"] = "hystorical"
    with pytest.raises(FactsError, match="markets: charts: grid: moves: sbb: no moves of 'hystorical'"):
        facts.load_charts(read(given))


@pytest.mark.parametrize("name", TITLES)
def test_upgrades_and_first_lays_that_are_not_listed_follow_from_the_tiles(name: str) -> None:
    """Rulebooks have exceptions, which the titles list: most of what is worked out is as they have it."""
    given = data(name)
    listed = given.pop("upgrades")
    full, lays = facts.complete(read(given))
    assert sum(full.data["upgrades"].get(tile, {}) == rows for tile, rows in listed.items()) > 0.7 * len(listed)
    shipped = json.loads(path(name).with_name("lays.json").read_text(encoding="utf-8"))["lays"]
    found = {hex: {tile: turns for tile, turns in rows.items() if turns} for hex, rows in shipped.items()}
    assert sum(lays.data["lays"].get(hex, {}) == rows for hex, rows in found.items()) > 0.7 * len(found)
    assert facts.load_map(full, lays).upgrades


def test_what_is_listed_is_not_worked_out() -> None:
    given = {**data("1844"), "lays": {"A18": {"7": [0]}}}
    full, lays = facts.complete(read(given))
    assert full.data["upgrades"].items() >= given["upgrades"].items()
    assert lays.data["lays"]["A18"] == {"7": [0]}


def _home(coord: str, city: int) -> Callable[[dict[str, Any]], None]:
    def spoil(given: dict[str, Any]) -> None:
        given["companies"][0]["home"] = [{"hex": coord, "city": city}]

    return spoil


def _kind(given: dict[str, Any]) -> None:
    given["companies"][0]["type"] = "reginal"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_kind, "no phase has a train limit for 'reginal'; there are: historical, pre-sbb, regional, sbb"),
        (_home("F17", 4), "F17 has no city 4: it has 1, counted from 0"),
    ],
)
def test_a_company_that_does_not_fit_the_rest_is_refused(spoil: Callable[[dict[str, Any]], None], reason: str) -> None:
    given = data("1844")
    spoil(given)
    with pytest.raises(FactsError, match=f"companies: {given['companies'][0]['sym']}: {reason}"):
        facts.load_companies(read(given))


def test_a_company_that_is_listed_twice_is_refused() -> None:
    given = data("1844")
    given["companies"].append(given["companies"][0])
    with pytest.raises(FactsError, match="companies: NOB: is listed twice"):
        facts.load_companies(read(given))


@pytest.mark.parametrize("given", ["A9", ["A9"], ["A9", 0, 1]])
def test_a_border_on_one_side_is_a_hex_and_an_edge(given: Any) -> None:
    with pytest.raises(FactsError, match="one_sided_borders: a border is a hex and an edge"):
        facts.complete(read({**data("1861"), "one_sided_borders": [given]}))


def _river(*borders: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """1861 with borders in these hexes instead of its own; F6 and G5 lie beside each other."""
    given = data("1861")
    for hex in given["hexes"]:
        hex["borders"] = [border for coord, border in borders if coord == hex["coord"]]
    return given


def _side() -> tuple[str, int, str]:
    """A hex, an edge, and the hex across it."""
    hex = next(hex for hex in data("1861")["hexes"] if len(hex["neighbors"]) == 6)
    return hex["coord"], 2, hex["neighbors"]["2"]


def test_a_border_with_a_cost_is_known_on_both_its_sides() -> None:
    coord, edge, other = _side()
    full, lays = facts.complete(read(_river((coord, {"edge": edge, "type": "water", "cost": 10}))))
    hexes = facts.load_map(full, lays).hexes
    assert {hex.id: hex.crossings for hex in hexes.values() if hex.crossings} == {coord: {2: 10}, other: {5: 10}}


@pytest.mark.parametrize(
    ("here", "across", "reason"),
    [
        ({"type": "water"}, None, "'cost' is missing"),
        ({"type": "impassable", "cost": 10}, None, "a border that is 'impassable' has no cost"),
        ({"type": "river", "cost": 10}, None, "a border cannot be 'river'"),
        ({"type": "water", "cost": 10}, {"type": "water", "cost": 20}, "costs (10|20) here, (10|20) across"),
    ],
)
def test_a_border_that_does_not_hold_is_refused(
    here: dict[str, Any], across: dict[str, Any] | None, reason: str
) -> None:
    coord, edge, other = _side()
    both = [(coord, {"edge": edge, **here}), *([(other, {"edge": edge + 3, **across})] if across else [])]
    with pytest.raises(FactsError, match=f"hexes: .*{reason}"):
        facts.complete(read(_river(*both)))
