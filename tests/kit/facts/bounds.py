"""Bounds of numbers, lengths of lists and kinds of values in files of corrected facts, each in a title that has such a
value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Place = tuple[str | int, ...]
"""Keys, names of entries (``coord``, ``sym``, ``name``) and numbers of entries without a name."""

NUMBERS: Mapping[str, Mapping[Place, tuple[int, int]]] = {
    "1861": {
        ("players", "3", "cash"): (1, 100_000),
        ("players", "3", "certificate_limit"): (1, 999),
        ("players", "2", "max_percent_per_player"): (1, 100),
        ("players", "2", "trains_removed", "2"): (0, 99),
        ("phases", "2", "train_limit", "minor"): (1, 99),
        ("trains", "2", "cost"): (1, 100_000),
        ("trains", "2", "quantity"): (1, 99),
        ("trains", "2", "reach", "max"): (1, 99),
        ("trains", "2+2", "multiplier"): (1, 9),
        ("markets", "charts", "grid", "rows", 0, 4, "price"): (0, 10_000),
        ("markets", "charts", "grid", "moves", "minor", 0, "cell", 0): (0, 99),
        ("privates", "TSR", "face"): (0, 100_000),
        ("privates", "TSR", "revenue"): (0, 100_000),
        ("privates", "TSR", "min_bid"): (0, 100_000),
        ("hexes", "P0", "x"): (-99, 999),
        ("hexes", "P0", "y"): (-99, 999),
        ("hexes", "E1", "cities", 0, "revenue"): (0, 1_000),
        ("hexes", "E1", "cities", 0, "slots"): (1, 9),
        ("hexes", "C5", "towns", 0, "revenue"): (0, 1_000),
        ("hexes", "A9", "offboards", 0, "revenue", "yellow"): (0, 1_000),
        ("hexes", "A9", "borders", 0, "edge"): (0, 5),
        ("hexes", "C3", "closed_edges", 0): (0, 5),
        ("hexes", "P2", "terrain", 0, "cost"): (1, 10_000),
        ("tiles", "57", "count"): (0, 999),
        ("tiles", "57", "cities", 0, "slots"): (1, 9),
    },
    "1844": {
        ("privates", "P1", "price"): (0, 100_000),
        ("trains", "2", "other_side", "cost"): (1, 100_000),
        ("trains", "2", "other_side", "reach", "max"): (1, 99),
        ("trains", "8E", "reach", "paid"): (1, 99),
        ("companies", "NOB", "home", 0, "city"): (0, 9),
    },
    "1841": {
        ("hexes", "A5", "passes", 0, "revenue"): (0, 1_000),
        ("hexes", "A5", "passes", 0, "slots"): (1, 9),
        ("hexes", "A5", "passes", 0, "size"): (1, 9),
    },
    "1863": {
        ("trains", "2+1e", "reach", "ends"): (0, 10_000_000),
        ("trains", "2+1e", "reach", "middle_max"): (0, 10_000_000),
    },
}
"""Title -> place of a number -> its least and its most."""

LENGTHS: Mapping[str, Mapping[Place, tuple[int, int]]] = {
    "1861": {
        ("phases", "2", "tiles"): (1, 4),
        ("markets", "charts", "grid", "rows"): (1, 50),
        ("markets", "charts", "grid", "moves", "minor", 0, "left"): (2, 2),
        ("upgrades", "57", "14"): (0, 6),
        ("one_sided_borders", 0): (2, 2),
        ("hexes",): (1, 2_000),
    },
    "1844": {("companies", "NOB", "home"): (0, 20)},
}
"""Title -> place of a list -> its least and its most entries."""

KINDS: Mapping[str, Mapping[Place, tuple[type, str]]] = {
    "1861": {
        ("players",): (dict, "an object"),
        ("players", "3"): (dict, "an object"),
        ("players", "3", "cash"): (int, "a whole number"),
        ("phases",): (list, "a list"),
        ("phases", "2", "tiles"): (list, "a list"),
        ("trains", "2", "reach"): (dict, "an object"),
        ("trains", "2", "rusts_on_first"): (str, "a text"),
        ("companies", "NW", "home"): (list, "a list"),
        ("hexes", "E1", "name"): (str, "a text"),
        ("hexes", "E1", "cities"): (list, "a list"),
        ("hexes", "A9", "borders", 0): (dict, "an object"),
        ("tiles",): (dict, "an object"),
        ("tiles", "57", "paths"): (list, "a list"),
        ("upgrades", "57", "14"): (list, "a list"),
        ("one_sided_borders",): (list, "a list"),
    },
    "1844": {("trains", "2", "other_side", "reach", "no_red_hexes"): (bool, "true or false")},
}
"""Title -> place of a value -> its type, and the words for it."""


def put(data: Any, place: Place, value: Any) -> None:
    """Writes the value at the place, which is there already or is the first entry of an empty list."""
    for step in place[:-1]:
        data = data[_step(data, step)]
    last = _step(data, place[-1])
    if isinstance(data, list) and last == len(data):
        data.append(value)
    else:
        data[last] = value


def _step(data: Any, step: str | int) -> str | int:
    if isinstance(data, dict) or isinstance(step, int):
        return step
    return next(at for at, entry in enumerate(data) if step in (entry.get(key) for key in ("coord", "sym", "name")))
