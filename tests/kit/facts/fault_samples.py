"""Twenty and more ways to spoil a file of corrected facts, for any title: each with where and why it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]
Spoil = Callable[[Data], tuple[str, ...]]
"""Changes the data, and answers the place that is at fault: keys, and names of entries."""


@dataclass(frozen=True)
class Spoiled:
    """``reason``: a part of what is said."""

    name: str
    spoil: Spoil
    reason: str

    def text(self, shipped: str) -> tuple[str, tuple[str, ...]]:
        """The spoiled copy, written with an indent so that every value has a line; and the place of the fault."""
        data = deepcopy(json.loads(shipped))
        place = self.spoil(data)
        return json.dumps(data, indent=1, ensure_ascii=False), place


def _inner(data: Data) -> Data:
    """A hex with six neighbours and nothing printed."""
    return next(
        h for h in data["hexes"]
        if len(h["neighbors"]) == 6 and not h.get("paths") and h["color"] == "white" and not h.get("closed_edges")
    )  # fmt: skip


def _chart(data: Data) -> tuple[str, Data]:
    name = next(iter(data["markets"]["charts"]))
    return name, data["markets"]["charts"][name]


def neighbour(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    hex["neighbors"]["0"], hex["neighbors"]["3"] = hex["neighbors"]["3"], hex["neighbors"]["0"]
    return ("hexes", hex["coord"], "neighbors", "0")


def neighbour_that_does_not_know_it(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    other = next(h for h in data["hexes"] if h["coord"] == hex["neighbors"]["0"])
    del other["neighbors"]["3"]
    return ("hexes", hex["coord"], "neighbors", "0")


def neighbour_off_the_map(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    hex["neighbors"]["2"] = "ZZ99"
    return ("hexes", hex["coord"], "neighbors", "2")


def upgrade(data: Data) -> tuple[str, ...]:
    new = next(iter(data["upgrades"]["57"]))
    data["upgrades"]["57"][new] = [0, 1]
    return ("upgrades", "57", new)


def upgrade_over_two_colours(data: Data) -> tuple[str, ...]:
    brown = next(n for n, t in data["tiles"].items() if t["color"] == "brown" and "use" not in t)
    data["upgrades"]["57"] = {brown: [0]}
    return ("upgrades", "57", brown)


def upgrade_to_no_tile(data: Data) -> tuple[str, ...]:
    data["upgrades"]["57"]["9999"] = [0]
    return ("upgrades", "57", "9999")


def tile_without_colour(data: Data) -> tuple[str, ...]:
    del data["tiles"]["57"]["color"]
    return ("tiles", "57")


def count_below_zero(data: Data) -> tuple[str, ...]:
    data["tiles"]["57"]["count"] = -1
    return ("tiles", "57", "count")


def label(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    hex["label"] = "ZZZ"
    return ("hexes", hex["coord"], "label")


def tag_of_a_price(data: Data) -> tuple[str, ...]:
    name, chart = _chart(data)
    row, column, cell = next((r, c, x) for r, y in enumerate(chart["rows"]) for c, x in enumerate(y) if x)
    cell["types"] = ["no such tag"]
    return ("markets", "charts", name, "rows", str(row), str(column), "types")


def key(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    hex["colour"] = "white"
    return ("hexes", hex["coord"], "colour")


def section(data: Data) -> tuple[str, ...]:
    data["layout"] = {"orientation": "flat"}
    return ("layout",)


def home(data: Data) -> tuple[str, ...]:
    company = next(c for c in data["companies"] if c["home"])
    company["home"][0]["hex"] = "ZZ99"
    return ("companies", company["sym"], "home", "0", "hex")


def city_of_a_home(data: Data) -> tuple[str, ...]:
    company = next(c for c in data["companies"] if c["home"])
    company["home"][0]["city"] = 8
    return ("companies", company["sym"], "home", "0", "city")


def hex_twice(data: Data) -> tuple[str, ...]:
    data["hexes"].append(deepcopy(data["hexes"][0]))
    return ("hexes", data["hexes"][0]["coord"])


def hex_on_another(data: Data) -> tuple[str, ...]:
    first, second = data["hexes"][:2]
    second["x"], second["y"] = first["x"], first["y"]
    return ("hexes", second["coord"], "x")


def free_train(data: Data) -> tuple[str, ...]:
    data["trains"][0]["cost"] = 0
    return ("trains", data["trains"][0]["name"], "cost")


def no_train(data: Data) -> tuple[str, ...]:
    data["trains"][1]["quantity"] = 0
    return ("trains", data["trains"][1]["name"], "quantity")


def unknown_train(data: Data) -> tuple[str, ...]:
    data["trains"][0]["name"] = "1"
    return ("trains", "1")


def train_without_reach(data: Data) -> tuple[str, ...]:
    del data["trains"][0]["reach"]["kind"]
    return ("trains", data["trains"][0]["name"], "reach")


def chart_out_of_order(data: Data) -> tuple[str, ...]:
    name, chart = _chart(data)
    row = next(r for r in chart["rows"] if sum(1 for cell in r if cell) > 5)
    column = [c for c, cell in enumerate(row) if cell][3]
    row[column]["price"] = 1
    return ("markets", "charts", name, "moves")


def move_off_the_chart(data: Data) -> tuple[str, ...]:
    name, chart = _chart(data)
    kind, steps = next((k, s) for k, s in chart["moves"].items() if isinstance(s, list))
    steps[0]["right"] = [49, 49]
    return ("markets", "charts", name, "moves", kind, "0", "right")


def cash_as_text(data: Data) -> tuple[str, ...]:
    data["players"]["3"]["cash"] = "much"
    return ("players", "3", "cash")


def more_cash_than_the_bank(data: Data) -> tuple[str, ...]:
    data["players"]["3"]["bank"] = data["players"]["3"]["cash"] * 2
    return ("players", "3", "cash")


def track_to_no_city(data: Data) -> tuple[str, ...]:
    data["tiles"]["57"]["paths"][0] = ["0", "c4"]
    return ("tiles", "57")


def track_to_the_city_after_the_last(data: Data) -> tuple[str, ...]:
    data["tiles"]["57"]["paths"][0] = ["0", "c1"]
    return ("tiles", "57")


def track_to_itself(data: Data) -> tuple[str, ...]:
    data["tiles"]["9"]["paths"][0] = ["0", "0"]
    return ("tiles", "9", "paths", "0")


def colour(data: Data) -> tuple[str, ...]:
    data["tiles"]["57"]["color"] = "pink"
    return ("tiles", "57", "color")


def closed_edge(data: Data) -> tuple[str, ...]:
    hex = _inner(data)
    hex["closed_edges"] = [6]
    return ("hexes", hex["coord"], "closed_edges", "0")


def stranger_at_home(data: Data) -> tuple[str, ...]:
    hex = next(h for h in data["hexes"] if h.get("cities"))
    hex["cities"][0]["reserved_for"] = ["NOBODY"]
    return ("hexes", hex["coord"], "cities", "0", "reserved_for")


def first_lay(data: Data) -> tuple[str, ...]:
    data["lays"][_inner(data)["coord"]] = {"57": [7]}
    return ("lays", _inner(data)["coord"], "57", "0")


def impossible_lay(data: Data) -> tuple[str, ...]:
    green = next(n for n, t in data["tiles"].items() if t["color"] == "green" and "use" not in t)
    data["lays"][_inner(data)["coord"]] = {green: [0]}
    return ("lays", _inner(data)["coord"], green)


def company_missing(data: Data) -> tuple[str, ...]:
    data["companies"].pop()
    return ("companies",)


def other_game(data: Data) -> tuple[str, ...]:
    data["title"] = "1830"
    return ("title",)


SPOILED = (
    Spoiled("a neighbour that lies elsewhere", neighbour, "does not lie there"),
    Spoiled("a neighbour that does not know the hex", neighbour_that_does_not_know_it, "as its neighbour"),
    Spoiled("a neighbour off the map", neighbour_off_the_map, "ZZ99 is not on the map"),
    Spoiled("an upgrade that loses track", upgrade, "impossible: turned 1 it would lose the track"),
    Spoiled("an upgrade over two colours", upgrade_over_two_colours, "brown does not follow yellow"),
    Spoiled("an upgrade to a tile that is not listed", upgrade_to_no_tile, "is not known"),
    Spoiled("a tile without a colour", tile_without_colour, "'color' is missing"),
    Spoiled("fewer tiles than none", count_below_zero, "must be 0 or more, not -1"),
    Spoiled("a label that no tile has", label, "no tile has the label 'ZZZ'"),
    Spoiled("a price of an unknown kind", tag_of_a_price, "a price cannot be 'no such tag'"),
    Spoiled("a misspelt key", key, "'colour' is not known here"),
    Spoiled("a section that is a rule", section, "'layout' is not known, or cannot be corrected"),
    Spoiled("a home off the map", home, "ZZ99 is not on the map"),
    Spoiled("a home in a city that is not there", city_of_a_home, "has no city 8"),
    Spoiled("a hex that is listed twice", hex_twice, "is listed twice"),
    Spoiled("two hexes at one place", hex_on_another, "is that of"),
    Spoiled("a train that costs nothing", free_train, "must be 1 or more, not 0"),
    Spoiled("a train that is not there", no_train, "must be 1 or more, not 0"),
    Spoiled("a train that rules do not know", unknown_train, "'1' is not known"),
    Spoiled("a train without a kind of reach", train_without_reach, "'kind' is missing"),
    Spoiled("a chart out of order", chart_out_of_order, "the chart is out of order"),
    Spoiled("a move off the chart", move_off_the_chart, "where no price is"),
    Spoiled("cash that is no number", cash_as_text, "must be a whole number, not 'much'"),
    Spoiled("more cash than the bank has", more_cash_than_the_bank, "more than the bank"),
    Spoiled("track to a city that is not there", track_to_no_city, "which the hex or tile does not have"),
    Spoiled("track to the city after the last", track_to_the_city_after_the_last, "track ends in 'c1', which"),
    Spoiled("track from an edge to itself", track_to_itself, "cannot lead from 0 to itself"),
    Spoiled("a colour that there is not", colour, "cannot be 'pink'"),
    Spoiled("an edge that there is not", closed_edge, "must be 5 or less, not 6"),
    Spoiled("a reservation for nobody", stranger_at_home, "no company is called 'NOBODY'"),
    Spoiled("a rotation that there is not", first_lay, "must be 5 or less, not 7"),
    Spoiled("a first lay of green track", impossible_lay, "green does not follow white"),
    Spoiled("a company that is missing", company_missing, "is missing: the rules know it"),
    Spoiled("a file for another game", other_game, "must be"),
)
