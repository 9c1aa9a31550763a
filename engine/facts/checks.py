"""Conditions that hold in a file of corrected facts: its form first, then what one part of it says of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from engine.facts import box_shapes as parts
from engine.facts import outline
from engine.facts import value_shapes as form_of
from engine.facts.correction_file import PARTS, FaultyFacts, Form, laid_over, named_by, path_words
from engine.facts.file import Facts, FactsError
from engine.facts.value_shapes import Fault, Shape, entry, like, many, table

MOST: Final = 50
"""So many faults are told."""


def checked(shipped: Facts, given: Facts, form: Form, name: str, box: Mapping[str, str]) -> Facts:
    """The facts of a game that is played with ``given``. ``FaultyFacts`` with everything in it that does not hold, as
    far as it can be told: what has another form hides what it says."""
    for rows in (_head(given, form, name, box), _shape(shipped, given, form), _sets(shipped, given, form)):
        if found := tuple(fault_at(given, path, reason) for path, reason in rows):
            raise FaultyFacts(found[:MOST])
    facts = laid_over(shipped, given, form)
    found = tuple(fault_at(given, path, reason) for path, reason in _within(facts, shipped, form))
    if found:
        raise FaultyFacts(found[:MOST])
    return facts


def fault_at(given: Facts, path: tuple[str | int, ...], reason: str) -> FactsError:
    error = given.error(reason, *path)
    said = ": ".join(path_words(given, path))
    return FactsError(given.name, error.line, f"{said}: {reason}" if said else reason)


def _head(given: Facts, form: Form, name: str, box: Mapping[str, str]) -> Iterator[Fault]:
    """The file is for this game."""
    if given.data.get("title") != name:
        yield ("title",), f"must be {name!r}, the game that is played, not {form_of.shown(given.data.get('title'))}"
    if form.box and given.data.get("box") != dict(box):
        said = form_of.shown(given.data.get("box"), 120)
        yield ("box",), f"the game is played with the box {dict(box)}, and the file is for {said}"
    known = ("title", *(["box"] if form.box else []), *form.sections)
    for section in given.data:
        if section not in known and section not in form_of.REMARKS:
            yield (section,), f"{section!r} is not known, or cannot be corrected; there are: {', '.join(known)}"


# ---- the form of each part -------------------------------------------------------------------------------------------


def _shape(shipped: Facts, given: Facts, form: Form) -> Iterator[Fault]:
    for section in form.sections:
        if section in given.data:
            yield from _shape_of(section, shipped, form)(given.data[section], (section,))
        elif section in shipped.data and section not in ("lays", "reconstructed", "one_sided_borders"):
            yield (section,), "the section is missing"


def declared(shipped: Facts, form: Form) -> Iterator[form_of.Place]:
    """The places of all keys that a file of corrected facts may have in its sections, without those for readers."""
    for section in form.sections:
        if section in shipped.data:
            yield (section,)
            yield from form_of.declared(_shape_of(section, shipped, form), (section,))


def _shape_of(section: str, shipped: Facts, form: Form) -> Shape:
    rows = shipped.data.get(section, ())
    if section in PARTS:
        return _entries(section, rows, form)
    if section in form.outlines:
        return outline.shape(rows, form.outlines[section])
    if section == "hexes":
        return many(parts.hex_shape(_more(rows, form.unread), _more_of_stops(rows, form.unread), form.rivers), 1)
    if section == "tiles":
        return table(parts.tile_shape(_more(rows.values(), form.unread), _more_of_stops(rows.values(), form.unread)))
    if section in ("upgrades", "lays"):
        return parts.UPGRADES
    if section == "relabelled_upgrades":
        return table(parts.UPGRADES)
    if section == "one_sided_borders":
        return many(many(form_of.either(parts.EDGE, form_of.text), 2, 2))
    if section == "markets":
        return entry({"charts": table(parts.CHART)})
    if section == "reconstructed":
        return many(form_of.one_of([part for part in form.sections if part != "reconstructed"]))
    return like([rows])


def _more(rows: Iterable[Mapping[str, Any]], unread: frozenset[str]) -> Mapping[str, Shape]:
    """Shapes of all keys that the entries of the title have, as they are there."""
    rows, left_out = list(rows), unread | form_of.REMARKS
    keys = dict.fromkeys(key for row in rows for key in row if key not in left_out)
    found = {key: like([row[key] for row in rows if key in row]) for key in keys}
    return {key: form_of.Remark(shape) if key in form_of.FOR_READERS else shape for key, shape in found.items()}


def _more_of_stops(rows: Iterable[Mapping[str, Any]], unread: frozenset[str]) -> Mapping[str, Mapping[str, Shape]]:
    rows = list(rows)
    return {key: _more([stop for row in rows for stop in row.get(key, ())], unread) for key in parts.STOPS}


def _entries(section: str, rows: Any, form: Form) -> Shape:
    """Entries of which only some keys can be corrected; those that every entry has are needed."""
    some = list(rows.values()) if isinstance(rows, dict) else list(rows)
    keys = form.keys(section)
    needed: dict[str, Shape] = {}
    optional: dict[str, Shape] = {}
    for key in dict.fromkeys(key for row in some for key in row if key in keys):
        shape = _KNOWN.get((section, key)) or _like(key, [row[key] for row in some if key in row], form.unread)
        (needed if all(key in row for row in some) else optional)[key] = shape
    if isinstance(rows, dict):
        return table(entry(needed, optional))
    return many(entry({named_by(some[0] if some else {}): form_of.text, **needed}, optional))


def _like(key: str, values: list[Any], unread: frozenset[str]) -> Shape:
    """The shape of what trains have, or of anything else that is like ``values``."""
    if key == "reach":
        more = {key: shape for key, shape in _more(values, unread).items() if isinstance(shape, form_of.Remark)}
        return parts.reach_shape({value["kind"] for value in values}, more)
    if key == "other_side":
        side = {
            "name": form_of.text,
            "cost": parts.COST,
            "reach": _like("reach", [v["reach"] for v in values], unread),
        }
        return entry(side)
    return like(values)


_HOME = entry({"hex": form_of.text, "city": form_of.either(form_of.whole(0, 9), form_of.one_of((None,)))})
_KNOWN: Mapping[tuple[str, str], Shape] = {
    ("players", "cash"): parts.COST,
    ("players", "bank"): form_of.whole(1),
    ("players", "certificate_limit"): form_of.whole(1, 999),
    ("players", "max_percent_per_player"): form_of.whole(1, 100),
    ("players", "trains_removed"): table(form_of.whole(0, 99)),
    ("phases", "train_limit"): table(form_of.whole(1, 99)),
    ("phases", "tiles"): many(form_of.one_of(("yellow", "green", "brown", "gray")), 1, 4),
    ("trains", "cost"): parts.COST,
    ("trains", "quantity"): parts.QUANTITY,
    ("trains", "multiplier"): form_of.whole(1, 9),
    ("trains", "rusts_on_first"): form_of.text,
    ("privates", "face"): form_of.whole(0, 100_000),
    ("privates", "revenue"): form_of.whole(0, 100_000),
    ("privates", "min_bid"): form_of.whole(0, 100_000),
    ("privates", "price"): form_of.whole(0, 100_000),
    ("companies", "home"): many(_HOME, 0, 20),
}  # fmt: skip


# ---- what is there ---------------------------------------------------------------------------------------------------


def _sets(shipped: Facts, given: Facts, form: Form) -> Iterator[Fault]:
    """Entries that rules speak of are all there, each once; what something else decides is as it was."""
    for section in ("hexes", *PARTS):
        rows = given.data[section]
        if isinstance(rows, list):
            names = [row[named_by(row)] for row in rows]
            for number, name in enumerate(names):
                if name in names[:number]:
                    yield (section, number), f"{name} is listed twice, first on line {given.line(section, name)}"
        if section in PARTS:
            yield from _same(_names(shipped.data[section]), _names(rows), section)
    yield from _same(
        list(shipped.data["markets"]["charts"]), list(given.data["markets"]["charts"]), "markets", "charts"
    )
    for hex in sorted(form.hexes - set(_names(given.data["hexes"]))):
        yield ("hexes",), f"the hex {hex} is missing: a rule speaks of it"
    for tile in sorted(form.tiles - set(given.data["tiles"])):
        yield ("tiles",), f"the tile {tile} is missing: a rule speaks of it"
    for place, decides in form.fixed.items():
        old, new = _value(shipped.data, place), _value(given.data, place)
        if old != new:
            yield place, f"must stay {form_of.shown(old)}: {decides} decides it"


def _names(rows: Any) -> list[str]:
    return list(rows) if isinstance(rows, dict) else [row[named_by(row)] for row in rows]


def _same(old: list[str], new: list[str], *place: str) -> Iterator[Fault]:
    for name in old:
        if name not in new:
            yield place, f"{name!r} is missing: the rules know it"
    for name in new:
        if name not in old:
            yield (*place, name), f"{name!r} is not known; there are: {', '.join(old)}"


def _value(data: Any, place: tuple[str, ...]) -> Any:
    for word in place:
        if isinstance(data, list):
            data = next((row for row in data if row[named_by(row)] == word), None)
        else:
            data = data.get(word) if isinstance(data, dict) else None
    return data


# ---- what one part says of another -----------------------------------------------------------------------------------


def _within(facts: Facts, shipped: Facts, form: Form) -> Iterator[Fault]:
    yield from _trains(facts, shipped)
    yield from _companies(facts, shipped)
    yield from _hexes(facts)
    yield from _labels(facts, shipped)
    yield from _charts(facts, shipped)
    yield from _values(facts)


def _trains(facts: Facts, shipped: Facts) -> Iterator[Fault]:
    trains = _names(facts.data["trains"])
    limits = {phase["name"]: list(phase["train_limit"]) for phase in shipped.data["phases"]}
    for number, train in enumerate(facts.data["trains"]):
        cause = train.get("rusts_on_first")
        if cause is not None and (cause not in trains or trains.index(cause) <= number):
            yield ("trains", number, "rusts_on_first"), f"{cause!r} is no train that comes after {train['name']}"
    for number, phase in enumerate(facts.data["phases"]):
        yield from _same(limits[phase["name"]], list(phase["train_limit"]), "phases", phase["name"], "train_limit")
        if number and not set(facts.data["phases"][number - 1]["tiles"]) <= set(phase["tiles"]):
            yield ("phases", number, "tiles"), "a colour that could be laid in the phase before is missing"
    for count, row in facts.data["players"].items():
        if row["cash"] * int(count) > row["bank"]:
            yield ("players", count, "cash"), f"{count} players would get more than the bank of {row['bank']} has"
        for train in row.get("trains_removed", {}):
            if train not in trains:
                yield ("players", count, "trains_removed", train), f"no train is called {train!r}"


def _companies(facts: Facts, shipped: Facts) -> Iterator[Fault]:
    before = {row["sym"]: row["home"] for row in shipped.data["companies"]}
    hexes = {row["coord"]: row for row in facts.data["hexes"]}
    for number, company in enumerate(facts.data["companies"]):
        if bool(company["home"]) != bool(before[company["sym"]]):
            yield ("companies", number, "home"), f"must {'have a hex' if not company['home'] else 'stay empty'}"
        for at, home in enumerate(company["home"]):
            place = ("companies", number, "home", at)
            if home["hex"] not in hexes:
                yield (*place, "hex"), f"{home['hex']} is not on the map"
                continue
            there = hexes[home["hex"]]
            cities = len(there.get("cities", ())) + len(there.get("passes", ()))
            if not cities and home not in before[company["sym"]]:
                yield (*place, "hex"), f"{home['hex']} has no city for a home"
            elif home["city"] is not None and cities and home["city"] >= cities:
                yield (*place, "city"), f"{home['hex']} has no city {home['city']}: it has {cities}, counted from 0"


def _hexes(facts: Facts) -> Iterator[Fault]:
    names = {row["sym"] for row in facts.data["companies"]}
    phases, places = {row["name"] for row in facts.data["phases"]}, dict[tuple[int, int], str]()
    edges = facts.data["layout"]["edge_deltas"]
    coords = {row["coord"]: row for row in facts.data["hexes"]}
    for number, row in enumerate(facts.data["hexes"]):
        taken = places.setdefault((row["x"], row["y"]), row["coord"])
        if taken != row["coord"]:
            yield ("hexes", number, "x"), f"the place x {row['x']}, y {row['y']} is that of {taken}"
        for kind in ("cities", "passes"):
            for at, city in enumerate(row.get(kind, ())):
                for who in city.get("reserved_for", ()):
                    if who not in names:
                        yield ("hexes", number, kind, at, "reserved_for"), f"no company is called {who!r}"
                if len(city.get("reserved_for", ())) > city["slots"]:
                    yield ("hexes", number, kind, at, "slots"), "there are fewer slots than companies at home"
        if (phase := row.get("closed_until_phase")) is not None and phase not in phases:
            yield ("hexes", number, "closed_until_phase"), f"there is no phase {phase!r}"
        for edge, name in row["neighbors"].items():
            dx, dy = edges[int(edge)]
            other = coords.get(name)
            if other is None:
                yield ("hexes", number, "neighbors", edge), f"{name} is not on the map"
            elif (other["x"], other["y"]) != (row["x"] + dx, row["y"] + dy):
                yield ("hexes", number, "neighbors", edge), f"{name} does not lie there by its x and y"
            elif other["neighbors"].get(str((int(edge) + 3) % 6)) != row["coord"]:
                yield ("hexes", number, "neighbors", edge), f"{name} does not have {row['coord']} as its neighbour"
    for part in ("hexes", "tiles"):
        rows: Any = facts.data[part]
        for key, row in enumerate(rows) if part == "hexes" else rows.items():
            yield from _tracks(row, (part, key))


def _tracks(row: Mapping[str, Any], place: tuple[str | int, ...]) -> Iterator[Fault]:
    seen = Counter(frozenset(path[:2]) for path in row.get("paths", ()))
    for number, path in enumerate(row.get("paths", ())):
        if path[0] == path[1]:
            yield (*place, "paths", number), f"track cannot lead from {path[0]} to itself"
        elif seen[frozenset(path[:2])] > 1:
            yield (*place, "paths", number), f"the track from {path[0]} to {path[1]} is there twice"


def _labels(facts: Facts, shipped: Facts) -> Iterator[Fault]:
    """A label stands on the map and on tiles, or was alone before."""
    on_map, on_tiles = _labelled(facts)
    old_map, old_tiles = _labelled(shipped)
    for number, row in enumerate(facts.data["hexes"]):
        told = (("label",), row.get("label")), (("future_label", "label"), row.get("future_label", {}).get("label"))
        for keys, label in told:
            if label and label in on_map and label not in on_tiles | (old_map - old_tiles):
                yield ("hexes", number, *keys), f"no tile has the label {label!r}"
    for tile, row in facts.data["tiles"].items():
        if (label := row.get("label")) and label not in on_map | (old_tiles - old_map):
            yield ("tiles", tile, "label"), f"no hex has the label {label!r}"


def _labelled(facts: Facts) -> tuple[frozenset[str], frozenset[str]]:
    """Labels of hexes on which track can be laid, those to come too; and of tiles."""
    blank = ("red", "blue", "gray")
    hexes = [row for row in facts.data["hexes"] if row["color"] not in blank]
    here = {row.get("label", "") for row in hexes} | {r["future_label"]["label"] for r in hexes if "future_label" in r}
    return frozenset(here) - {""}, frozenset(r.get("label", "") for r in facts.data["tiles"].values()) - {""}


def _charts(facts: Facts, shipped: Facts) -> Iterator[Fault]:
    for name, chart in facts.data["markets"]["charts"].items():
        place = ("markets", "charts", name)
        known = _types(shipped.data["markets"]["charts"][name])
        prices = {(r, c): cell for r, row in enumerate(chart["rows"]) for c, cell in enumerate(row) if cell}
        for (r, c), cell in prices.items():
            for kind in cell.get("types", ()):
                if kind not in known:
                    there = ", ".join(sorted(known)) or "none"
                    yield (*place, "rows", r, c, "types"), f"a price cannot be {kind!r}; there are: {there}"
        for kind in sorted(known - _types(chart)):
            yield (*place, "rows"), f"no price is {kind!r} any more: the rules ask for some"
        kinds = shipped.data["markets"]["charts"][name]["moves"]
        yield from _same(list(kinds), list(chart["moves"]), *place, "moves")
        said = set[tuple[int, int, str]]()
        for kind, steps in chart["moves"].items():
            for number, step in enumerate(steps if isinstance(steps, list) else ()):
                for fault in _step(step, prices, said):
                    yield (*place, "moves", kind, number, fault[0]), fault[1]
            other = chart["moves"].get(steps) if isinstance(steps, str) else steps
            if parts.GRID not in (steps, other) and not isinstance(other, list):
                yield (*place, "moves", kind), f"there are no moves of {steps!r}"


def _step(
    step: Any, prices: Mapping[tuple[int, int], Any], said: set[tuple[int, int, str]]
) -> Iterator[tuple[str, str]]:
    """A move leads to a price: not a lower one to the right or upwards, not a higher one to the left or downwards."""
    at: tuple[int, int] = tuple(step["cell"])
    if at not in prices:
        yield "cell", f"there is no price in row {at[0]}, column {at[1]}"
        return
    for way, sign in (("left", -1), ("right", 1), ("up", 1), ("down", -1)):
        to: tuple[int, int] = tuple(step[way])
        before, after = prices[at]["price"], prices.get(to, {}).get("price")
        if after is None:
            yield way, f"from {before} in row {at[0]}, column {at[1]} it leads to {list(to)}, where no price is"
        elif (after - before) * sign < 0 and (*at, way) not in said:
            said.add((*at, way))
            yield (
                way,
                (
                    f"the chart is out of order: from {before} in row {at[0]}, column {at[1]} it leads to {after}"
                    f" in row {to[0]}, column {to[1]}"
                ),
            )


def _types(chart: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(kind for row in chart["rows"] for cell in row if cell for kind in cell.get("types", ()))


def _values(facts: Facts) -> Iterator[Fault]:
    """A stop with several values has one for every phase."""
    columns = {row.get("values") or row["tiles"][-1] for row in facts.data["phases"]}
    hexes = (("hexes", number, row) for number, row in enumerate(facts.data["hexes"]))
    tiles = (("tiles", name, row) for name, row in facts.data["tiles"].items())
    for part, key, row in (*hexes, *tiles):
        for stops in parts.STOPS:
            for at, stop in enumerate(row.get(stops, ())):
                missing = sorted(columns - set(stop["revenue"])) if isinstance(stop["revenue"], dict) else []
                if missing:
                    yield (part, key, stops, at, "revenue"), f"there is no value for {', '.join(missing)}"
