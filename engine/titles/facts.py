"""Facts of a title in the shared JSON form, as the types of the engine: chart, trains, phases, companies, players.

Every function takes a file that was read (``read_facts``) and raises ``FactsError`` with file, line and reason where
the file does not hold. What an edition or an option changes is not here: titles change the values they get.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.core.ids import Cell, CompanyId, HexId, PhaseName, PrivateId, TrainName
from engine.core.title import CertificateKind, CompanyData, PhaseData, PrivateData, TableRow, TrainData
from engine.finance.chart import Chart, Direction
from engine.routes.reach import TrainReach
from engine.titles.factfile import Facts, FactsError, parse_facts, read_facts
from engine.titles.mapfacts import load_map

__all__ = [
    "Facts", "FactsError", "load_charts", "load_companies", "load_map", "load_phases", "load_privates", "load_table",
    "load_trains", "parse_facts", "read_facts",
]  # fmt: skip

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
    for kind, steps in facts.get(given, "moves", dict, *place).items():
        moves[kind] = {}
        for step in steps:
            cell = _cell(facts, step, "cell", prices, *place, "moves", kind)
            moves[kind][cell] = {d: _cell(facts, step, d, prices, *place, "moves", kind) for d in DIRECTIONS}
        missing = [c for c in prices if c not in moves[kind]]
        facts.need(not missing, f"no moves are given from the cells {missing[:5]}", *place, "moves", kind)
    return Chart(name, prices, marks, moves)


def _cell(facts: Facts, step: Any, key: str, prices: Mapping[Cell, int], *place: str) -> Cell:
    row, column = facts.get(step, key, list, *place)
    facts.need((row, column) in prices, f"{key} of {step.get('cell')} is {[row, column]}, where no cell is", *place)
    return row, column


@lru_cache(maxsize=8)
def load_trains(facts: Facts) -> Mapping[TrainName, TrainData]:
    """Trains by name, cheapest first as the file has them; ``rusts`` is turned round: the type that this one ends."""
    given = facts.section("trains", list)
    names = [facts.get(t, "name", str, "trains") for t in given]
    ends: dict[str, str] = {}
    for entry in given:
        if killer := entry.get("rusts_on_first"):
            facts.need(killer in names, f"rusts on a train {killer!r} that is not listed", "trains", entry["name"])
            ends[killer] = entry["name"]
    phases = {p.name for p in load_phases(facts)}
    trains = {}
    for name, entry in zip(names, given, strict=True):
        quantity, place = entry.get("quantity"), ("trains", name)
        facts.need(quantity == "unlimited" or isinstance(quantity, int), f"quantity cannot be {quantity!r}", *place)
        since = entry.get("available_from_phase")
        facts.need(since is None or since in phases, f"phase {since!r} is not listed", *place)
        reach = facts.get(entry, "reach", dict, *place)
        facts.need(reach.get("kind") == "stops", f"reach of kind {reach.get('kind')!r} is not known", *place)
        trains[TrainName(name)] = TrainData(
            name=TrainName(name),
            cost=facts.get(entry, "cost", int, *place),
            quantity=quantity if isinstance(quantity, int) else None,
            reach=TrainReach(
                facts.get(reach, "max", int, *place),
                frozenset(facts.get(reach, "must_count", list, *place)),
                entry.get("multiplier", 1),
            ),
            rusts=TrainName(ends[name]) if name in ends else None,
            special=since is not None,
            available_from=PhaseName(since) if since is not None else None,
        )
    return trains


@lru_cache(maxsize=8)
def load_phases(facts: Facts) -> tuple[PhaseData, ...]:
    """Phases in order."""
    phases = []
    for entry in facts.section("phases", list):
        name = facts.get(entry, "name", str, "phases")
        limits = facts.get(entry, "train_limit", dict, "phases", name)
        phases.append(PhaseData(PhaseName(name), tuple(facts.get(entry, "tiles", list, "phases", name)), dict(limits)))
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
            minimum=facts.get(entry, "min_bid", int, *place),
            face=facts.get(entry, "face", int, *place),
            income=facts.get(entry, "revenue", int, *place),
            bonus=bonus.get("amount", 0),
            bonus_hexes=tuple(HexId(h) for h in bonus.get("hexes", ())),
        )
    return privates


@lru_cache(maxsize=8)
def load_companies(facts: Facts) -> Mapping[CompanyId, CompanyData]:
    """Companies by their printed names in the order of the file; its other spelling is a synonym."""
    printed = facts.names()
    phases = {p.name for p in load_phases(facts)}
    companies: dict[CompanyId, CompanyData] = {}
    for entry in facts.section("companies", list):
        sym = facts.get(entry, "sym", str, "companies")
        place, id = ("companies", sym), printed.get(sym, CompanyId(sym))
        facts.need(id not in companies, "is listed twice", *place)
        kind = facts.get(entry, "type", str, *place)
        homes = facts.get(entry, "home", list, *place)
        _hexes(facts, [facts.get(h, "hex", str, *place) for h in homes], *place)
        word, _, phase = str(entry.get("available", "")).partition(" ")
        since = phase if word == "phase" and phase in phases else None
        companies[id] = CompanyData(
            id=id,
            name=facts.get(entry, "name", str, *place),
            kind=kind,
            certificates=_certificates(facts, entry, kind, *place),
            home=(HexId(homes[0]["hex"]), homes[0].get("city") or 0) if homes else None,
            markers=len(facts.get(entry, "tokens", list, *place)),
            color=facts.get(entry, "color", str, *place),
            text_color=entry.get("text_color", "#ffffff"),
            available_from=PhaseName(since) if since is not None else None,
            synonyms=(sym,) if sym != id else (),
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
    director, ordinary = percents[0], percents[1:]
    facts.need(len(set(ordinary)) == 1 and director % ordinary[0] == 0, "ordinary shares must be alike", *place)
    return {
        "director": (CertificateKind(director // ordinary[0], director, True), 1),
        "ordinary": (CertificateKind(1, ordinary[0]), len(ordinary)),
    }


def _hexes(facts: Facts, coords: Any, *place: str) -> None:
    there = {entry.get("coord") for entry in facts.section("hexes", list)}
    for coord in coords:
        facts.need(coord in there, f"hex {coord!r} is not on the map", *place)


@lru_cache(maxsize=8)
def load_table(facts: Facts) -> Mapping[int, TableRow]:
    """What depends on the number of players."""
    usual = facts.section("rules", dict).get("max_percent", 60)
    trains = load_trains(facts)
    table = {}
    for count, entry in facts.section("players", dict).items():
        place = ("players", count)
        removed = {TrainName(t): n for t, n in entry.get("trains_removed", {}).items()}
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
