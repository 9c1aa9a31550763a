"""Facts of a title in the shared JSON form, as the types of the engine: chart, trains, phases, companies, players.

Every function takes a file that was read (``read_facts``) and raises ``FactsError`` with file, line and reason where
the file does not hold. What an edition or an option changes is not here: titles change the values they get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine.core.charter import CertificateKind, Charter
from engine.core.data import CompanyData, PhaseData, PrivateData, TableRow, TrainData
from engine.core.ids import Cell, CompanyId, HexId, PhaseName, PrivateId, TrainName
from engine.facts.board import complete, load_map
from engine.facts.box_shapes import GRID
from engine.facts.file import Facts, FactsError, parse_facts, read_facts
from engine.finance.chart import Chart, Direction
from engine.routes.reach import TrainReach

__all__ = [
    "Facts", "FactsError", "complete", "load_bank", "load_charts", "load_companies", "load_map", "load_phases",
    "load_privates", "load_reconstructed", "load_table", "load_trains", "load_turns", "parse_facts", "read_facts",
]  # fmt: skip

STOP_KINDS = frozenset({"city", "town", "offboard", "mountain"})
MORE_KINDS = frozenset({"pass", "port"})
"""Kinds that a few titles have."""
DIRECTIONS: tuple[Direction, ...] = ("left", "right", "up", "down")


@lru_cache(maxsize=8)
def load_charts(facts: Facts) -> Mapping[str, Chart]:
    """Share price charts by name; ``markets.default`` of the file names the usual one."""
    charts = facts.get(facts.section("markets", dict), "charts", dict, "markets")
    return {name: _chart(facts, name, chart) for name, chart in charts.items()}


def _chart(facts: Facts, name: str, given: Any) -> Chart:
    place = ("markets", "charts", name)
    prices: dict[Cell, int] = {}
    marks: dict[Cell, frozenset[str]] = {}
    for r, row in enumerate(facts.get(given, "rows", list, *place)):
        for c, cell in enumerate(row):
            if cell is not None:
                prices[r, c] = facts.get(cell, "price", int, *place)
                marks[r, c] = frozenset(cell.get("types", ()))
    moves: dict[str, dict[Cell, Mapping[Direction, Cell]]] = {}
    given_moves = facts.get(given, "moves", dict, *place)
    for kind, steps in given_moves.items():
        if isinstance(steps, str) and steps != GRID:  # moves like another kind of company
            other = given_moves.get(steps)
            facts.need(other == GRID or isinstance(other, list), f"no moves of {steps!r}", *place, "moves", kind)
            steps = other
        if steps == GRID:
            moves[kind] = _on_the_grid(prices)
            continue
        moves[kind] = {}
        for step in steps:
            cell = _cell(facts, step, "cell", prices, *place, "moves", kind)
            moves[kind][cell] = {d: _cell(facts, step, d, prices, *place, "moves", kind) for d in DIRECTIONS}
        missing = [c for c in prices if c not in moves[kind]]
        facts.need(not missing, f"no moves are given from the cells {missing[:5]}", *place, "moves", kind)
    return Chart(name, prices, marks, moves, facts.data["markets"].get("tints", {}))


def _on_the_grid(prices: Mapping[Cell, int]) -> dict[Cell, Mapping[Direction, Cell]]:
    """The usual moves: to the next cell; at the left end of a row down instead, at its right end up instead; no move
    beyond the top and the bottom."""
    moves: dict[Cell, Mapping[Direction, Cell]] = {}
    for row, column in prices:
        up, down = (at if (at := (row + step, column)) in prices else (row, column) for step in (-1, 1))
        left, right = (row, column - 1), (row, column + 1)
        ends: tuple[Cell, ...] = (left if left in prices else down, right if right in prices else up, up, down)
        moves[row, column] = dict(zip(DIRECTIONS, ends, strict=True))
    return moves


def _cell(facts: Facts, step: Any, key: str, prices: Mapping[Cell, int], *place: str) -> Cell:
    row, column = facts.get(step, key, list, *place)
    facts.need((row, column) in prices, f"{key} of {step.get('cell')} is {[row, column]}, where no cell is", *place)
    return row, column


@lru_cache(maxsize=8)
def load_trains(facts: Facts) -> Mapping[TrainName, TrainData]:
    """Trains by name, cheapest card first as the file has them, the other side of a card after its face; ``rusts`` is
    turned round: the type that this one ends. Either side of a card ends the same, and the other faces of its card end
    with a type (``same_card_as`` the first that is listed)."""
    given = facts.section("trains", list)
    names = [facts.get(t, "name", str, "trains") for t in given]
    ends: dict[str, str] = {}
    for entry in given:
        if killer := _first_of(facts, entry, "rusts_on_first", names):
            ends[killer] = entry["other_side"]["name"] if "other_side" in entry else _card(facts, entry, names)
        if killer := _first_of(facts, entry, "or_on_first", names):
            ends[killer] = _card(facts, entry, names)
    phases = {p.name for p in load_phases(facts)}
    trains: dict[TrainName, TrainData] = {}
    for name, entry in zip(names, given, strict=True):
        quantity, place = entry.get("quantity"), ("trains", name)
        facts.need(quantity == "unlimited" or isinstance(quantity, int), f"quantity cannot be {quantity!r}", *place)
        since = entry.get("available_from_phase")
        facts.need(since is None or since in phases, f"phase {since!r} is not listed", *place)
        turned = None
        if "other_side" in entry:
            turned = TrainName(facts.get(entry["other_side"], "name", str, *place))
            facts.need(turned not in names, f"{turned!r} is listed twice", *place)
        card = _card(facts, entry, names)
        face = TrainData(
            name=TrainName(name),
            cost=facts.get(entry, "cost", int, *place),
            quantity=quantity if isinstance(quantity, int) and card == name else None,
            card=TrainName(card) if card != name else None,
            reach=_reach(facts, entry, *place),
            rusts=TrainName(ends[name]) if name in ends else None,
            flips=turned if entry.get("turns_to_other_side_on_first") else None,
            special=since is not None,
            available_from=PhaseName(since) if since is not None else None,
        )
        trains[face.name] = face
        if turned is not None:
            side = entry["other_side"]
            cost, reach = facts.get(side, "cost", int, *place), _reach(facts, side, *place)
            trains[turned] = replace(
                face, name=turned, cost=cost, quantity=None, reach=reach, card=face.name, flips=None
            )
    return trains


@lru_cache(maxsize=8)
def load_turns(facts: Facts) -> Mapping[TrainName, TrainName]:
    """Type of train -> the type whose trains are turned over when the first of it is bought, either side of a card."""
    given = facts.section("trains", list)
    names = [facts.get(t, "name", str, "trains") for t in given]
    turns: dict[TrainName, TrainName] = {}
    for entry in given:
        if cause := _first_of(facts, entry, "turns_to_other_side_on_first", names):
            other = next(t for t in given if t["name"] == cause).get("other_side")
            for side in (cause, *([other["name"]] if other else [])):
                turns[TrainName(side)] = TrainName(entry["name"])
    return turns


def _card(facts: Facts, entry: Any, names: Sequence[str]) -> str:
    """The type from whose supply the train of the entry is sold: the first that has a side of the card."""
    name, other = entry["name"], entry.get("same_card_as", entry["name"])
    facts.need(other in names, f"shares its card with a train {other!r} that is not listed", "trains", name)
    return str(min(name, other, key=names.index))


def _first_of(facts: Facts, entry: Any, key: str, names: Sequence[str]) -> str | None:
    """The type of train whose first sale does what ``key`` says to the train of the entry."""
    cause: str | None = entry.get(key)
    verb = key.partition("_")[0]
    facts.need(
        cause is None or cause in names, f"{verb} on a train {cause!r} that is not listed", "trains", entry["name"]
    )
    return cause


def _reach(facts: Facts, entry: Any, *place: str) -> TrainReach:
    """``stops``: every stop of some kinds counts, and those of others may be free; ``hexes``: so does every hex;
    ``express_ends``: two ends that are held count, and what is chosen between them; ``express``: what is passed over
    need not be counted, not even at the ends, but one of what is must have an own marker."""
    given = facts.get(entry, "reach", dict, *place)
    kind, times = given.get("kind"), entry.get("multiplier", 1)
    if kind == "stops":
        most, must = facts.get(given, "max", int, *place), frozenset(facts.get(given, "must_count", list, *place))
        free = frozenset(given.get("free_and_paid", ()))
        free |= {"port"} if "town" in free else frozenset()  # the facts have ports as towns
        known = STOP_KINDS | MORE_KINDS
        facts.need(must | free <= known, f"kinds of stop are {', '.join(sorted(known))}", *place)
        return TrainReach(most, must, times, free=free)
    if kind == "hexes":
        most = facts.get(given, "max", int, *place)
        shuns = frozenset({"red"}) if given.get("no_red_hexes") else frozenset[str]()
        return TrainReach(most, STOP_KINDS, times, hexes=most, shuns=shuns)
    if kind == "express_ends":
        stops = facts.get(given, "ends", int, *place) + facts.get(given, "middle_max", int, *place)
        double, never = facts.get(given, "double_one_end", bool, *place), frozenset(given.get("never_counts", ()))
        return TrainReach(
            stops, frozenset(), times, never=never, held_ends=True, open_ends=frozenset({"offboard"}), double_end=double
        )
    facts.need(kind == "express", f"reach of kind {kind!r} is not known", *place)
    paid = facts.get(given, "paid", int, *place)
    return TrainReach(paid, frozenset(), times, own_marker_counts=True, ends_count=False)


@lru_cache(maxsize=8)
def load_phases(facts: Facts) -> tuple[PhaseData, ...]:
    """Phases in order."""
    phases = []
    for entry in facts.section("phases", list):
        name = facts.get(entry, "name", str, "phases")
        limits = facts.get(entry, "train_limit", dict, "phases", name)
        colors = tuple(facts.get(entry, "tiles", list, "phases", name))
        rounds, values = entry.get("operating_rounds", 0), entry.get("values", "")
        phases.append(PhaseData(PhaseName(name), colors, dict(limits), rounds, values))
    return tuple(phases)


@lru_cache(maxsize=8)
def load_privates(facts: Facts) -> Mapping[PrivateId, PrivateData]:
    """Private companies in the order of the file."""
    privates = {}
    for entry in facts.section("privates", list):
        name = facts.get(entry, "sym", str, "privates")
        place = ("privates", name)
        ability = entry.get("ability") or {}
        bonus = ability if ability.get("kind") == "route_bonus" else {}
        _hexes(facts, bonus.get("hexes", ()), *place)
        privates[PrivateId(name)] = PrivateData(
            id=PrivateId(name),
            name=facts.get(entry, "name", str, *place),
            minimum=facts.get(entry, "price" if "price" in entry else "min_bid", int, *place),
            face=facts.get(entry, "face", int, *place),
            income=facts.get(entry, "revenue", int, *place),
            bonus=bonus.get("amount", 0),
            bonus_hexes=tuple(HexId(h) for h in bonus.get("hexes", ())),
            kind=entry.get("kind", "private"),
            counts=entry.get("counts_to_certificate_limit", True),
            synonyms=tuple(entry.get("synonyms", ())),
        )
    return privates


@lru_cache(maxsize=8)
def load_companies(facts: Facts) -> Mapping[CompanyId, CompanyData]:
    """Companies by their printed names in the order of the file; its other spelling is a synonym. What one player may
    hold is theirs where the file gives no common percentage."""
    printed = facts.names()
    common = isinstance(facts.section("rules", dict).get("max_percent"), int)
    phases = {p.name for p in load_phases(facts)}
    limits = {kind for phase in load_phases(facts) for kind in phase.train_limits}
    companies: dict[CompanyId, CompanyData] = {}
    for entry in facts.section("companies", list):
        sym = facts.get(entry, "sym", str, "companies")
        place, id = ("companies", sym), printed.get(sym, CompanyId(sym))
        facts.need(id not in companies, "is listed twice", *place)
        kind = facts.get(entry, "type", str, *place)
        facts.need(kind in limits, f"no phase has a train limit for {kind!r}; there are: {_listed(limits)}", *place)
        homes = facts.get(entry, "home", list, *place)
        _hexes(facts, [facts.get(h, "hex", str, *place) for h in homes], *place)
        _home_cities(facts, homes, *place)
        destination = entry.get("destination")
        _hexes(facts, [destination] if destination else [], *place)
        word, _, phase = str(entry.get("available", "")).partition(" ")
        since = phase if word == "phase" and phase in phases else None
        companies[id] = CompanyData(
            id=id,
            name=facts.get(entry, "name", str, *place),
            charter=Charter(
                kind=kind,
                certificates=_certificates(facts, entry, kind, *place),
                homes=tuple((HexId(h["hex"]), h.get("city") or 0) for h in homes),
                markers=0 if "tokens_printed" in entry else len(facts.get(entry, "tokens", list, *place)),
            ),
            color=facts.get(entry, "color", str, *place),
            text_color=entry.get("text_color", "#ffffff"),
            available_from=PhaseName(since) if since is not None else None,
            synonyms=(sym,) if sym != id else (),
            destination=HexId(destination) if destination else None,
            launch_percent=entry.get("float_percent") or 0,
            holding_percent=None if common else entry.get("max_percent_per_player"),
        )
    return companies


def _certificates(facts: Facts, entry: Any, kind: str, *place: str) -> Mapping[str, tuple[CertificateKind, int]]:
    """Kinds of certificate: one of 100 % is the whole company, otherwise the first is the director's."""
    percents = facts.get(entry, "shares", list, *place)
    if not percents:
        return {}
    facts.need(sum(percents) == 100, f"shares add up to {sum(percents)} %", *place)
    if len(percents) == 1:
        return {kind: (CertificateKind(entry.get("certificate_counts_as_shares", 1), 100, True), 1)}
    director, others = percents[0], percents[1:]
    share, most = min(others), max(others)
    facts.need(set(others) <= {share, 2 * share}, "shares must be alike, or doubles of the others", *place)
    facts.need(director % share == 0, "the director's certificate must be a number of shares", *place)
    found = {
        "director": (CertificateKind(director // share, director, True), 1),
        "ordinary": (CertificateKind(1, share), others.count(share)),
    }
    if most > share:
        found["double"] = (CertificateKind(2, most), others.count(most))
    return found


def _hexes(facts: Facts, coords: Any, *place: str) -> None:
    there = {entry.get("coord") for entry in facts.section("hexes", list)}
    for coord in coords:
        facts.need(coord in there, f"hex {coord!r} is not on the map", *place)


def _home_cities(facts: Facts, homes: Any, *place: str) -> None:
    """A home in a hex with cities or passes is one of them."""
    there = {entry.get("coord"): entry for entry in facts.section("hexes", list)}
    for home in homes:
        hex = there[home["hex"]]
        cities = len(hex.get("cities", ())) + len(hex.get("passes", ()))
        wrong = cities and (home.get("city") or 0) >= cities
        facts.need(not wrong, f"{home['hex']} has no city {home.get('city')}: it has {cities}, counted from 0", *place)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


@lru_cache(maxsize=8)
def load_table(facts: Facts) -> Mapping[int, TableRow]:
    """The figures that depend on the number of players."""
    usual = facts.section("rules", dict).get("max_percent", 60)
    usual = usual if isinstance(usual, int) else 100  # otherwise each company has its own
    trains = load_trains(facts)
    table = {}
    for count, entry in facts.section("players", dict).items():
        place = ("players", count)
        removed = {TrainName(t): n for t, n in entry.get("trains_removed", {}).items()} | _unused(facts, count)
        for train in removed:
            facts.need(train in trains, f"train {train!r} is not listed", *place)
        table[facts.number(count, "the number of players", "players")] = TableRow(
            cash=facts.get(entry, "cash", int, *place),
            certificate_limit=facts.get(entry, "certificate_limit", int, *place),
            holding_percent=entry.get("max_percent_per_player", usual),
            trains_removed=removed,
            privates_removed=entry.get("privates_removed_at_random", 0),
        )
    return table


def _unused(facts: Facts, players: str) -> dict[TrainName, int]:
    """Trains that a number of players leaves out, where the file has those that are used."""
    found = {}
    for entry in facts.section("trains", list):
        if (used := entry.get("quantity_by_players", {}).get(players)) is not None:
            found[TrainName(entry["name"])] = facts.get(entry, "quantity", int, "trains", entry["name"]) - used
    return found


def load_reconstructed(facts: Facts) -> tuple[str, ...]:
    """Sections that are not as in a printed game or a rulebook, as the file itself says."""
    return tuple(facts.data.get("reconstructed", ()))


def load_bank(facts: Facts) -> int:
    """The size of the bank, where it does not depend on the number of players."""
    sizes = {facts.get(entry, "bank", int, "players", n) for n, entry in facts.section("players", dict).items()}
    facts.need(len(sizes) == 1, f"the bank must be one number, not {sorted(sizes)}", "players")
    return int(sizes.pop())
