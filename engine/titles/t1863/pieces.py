"""Facts that only 1863 has: costs, loan markers, supplies, bonuses, and the marks on hexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

from engine.core.ids import CompanyId, HexId, PhaseName, TrainName
from engine.core.title import Title
from engine.facts.file import Facts, facts_of
from engine.titles.t1863.box import COSTS
from engine.titles.t1863.rulings import rulings_of

Side = Literal["N", "E", "S", "W"]
Bank = Literal["N", "S", "river"]
FEWER: Final = {"II": ("II", "both"), "III": ("III", "both")}
"""Phase -> the values of the ruling ``short_game`` under which it has two trains fewer."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The amounts that a company pays the bank for track, for new markers, and for each marker on the map in an
    operating round."""

    plain: int
    minor: int
    major: int
    upgrade: int
    marker: int
    upkeep: int


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Income of routes apart from their stops, and the pirate's toll. ``mail``: for one marker, for two, and for the
    two in Paddington and Whitechapel."""

    north_south: int
    east_west: int
    outer_circle: int
    inner_circle: int
    mail: tuple[int, int, int]
    toll: int


def costs(title: Title) -> Costs:
    """The costs printed beside the map."""
    return _costs(facts_of(title))


@lru_cache(maxsize=8)
def _costs(facts: Facts) -> Costs:
    return Costs(*(_said(facts, "costs", name) for name in COSTS))


def bonuses(title: Title) -> Bonuses:
    """The bonuses of routes."""
    return _bonuses(facts_of(title))


@lru_cache(maxsize=8)
def _bonuses(facts: Facts) -> Bonuses:
    given = facts.section("rules", dict)["bonuses"]
    edge, mail = given["edge_to_edge"], given["mail"]["value"]
    return Bonuses(
        edge["N-S"]["value"],
        edge["E-W"]["value"],
        given["outer_circle"]["amount"]["value"],
        given["inner_circle"]["amount"]["value"],
        (mail["one"], mail["two"], mail["C10 and Q10"]),
        given["pirate_toll"]["value"],
    )


def _said(facts: Facts, *path: str) -> Any:
    """A value from the section of rules, without its remarks."""
    found: Any = facts.section("rules", dict)
    for name in path:
        found = found[name]
    return found["value"]


def operating_cost(title: Title, train: TrainName) -> int:
    """The cost of a train in an operating round."""
    return _operating_costs(facts_of(title))[train]


@lru_cache(maxsize=8)
def _operating_costs(facts: Facts) -> Mapping[TrainName, int]:
    return {TrainName(t["name"]): t["operating_cost"] for t in facts.section("trains", list)}


def phase_of(title: Title, train: TrainName) -> PhaseName:
    """The phase that begins with the first train of this train's supply."""
    return _phases(facts_of(title))[train]


@lru_cache(maxsize=8)
def _phases(facts: Facts) -> Mapping[TrainName, PhaseName]:
    return {TrainName(t["name"]): PhaseName(t["phase"]) for t in facts.section("trains", list)}


def first_supply(title: Title, players: int) -> int:
    """The number of trains in phase II for this number of players, once it is limited."""
    given = next(t for t in facts_of(title).section("trains", list) if t["phase"] == "II")
    fewer = rulings_of(title).short_game in FEWER["II"]
    return max(0, int(given["quantity_by_players"][str(players)]) - (2 if fewer else 0))


def loan_rates(title: Title) -> tuple[int, ...]:
    """The rates of the loan chart, the lowest first. Each row holds as many markers as ``loans_in_row`` says."""
    return tuple(_said(facts_of(title), "loans", "rates"))


def loans_in_row(title: Title, players: int) -> int:
    """The number of loan markers in a row of the chart."""
    return int(_said(facts_of(title), "loans", "per_rate")[str(players)])


def loan(title: Title) -> int:
    """The amount of money that a loan brings."""
    return loan_of(facts_of(title))


def loan_of(facts: Facts) -> int:
    """The amount of money that a loan brings, as given in a file of facts."""
    return int(_said(facts, "loans", "value"))


def loan_limit(title: Title, kind: str) -> int:
    """The most loans that a company of this kind may have."""
    return int(_said(facts_of(title), "loans", "limit", kind))


def lptb_markers(title: Title) -> int:
    """The number of markers of the LPTB."""  # rule 12.53
    return int(_said(facts_of(title), "limits", "lptb_tokens"))


def privates_dealt(title: Title, players: int) -> int:
    """The number of privates in the game, without the optional one."""
    return int(facts_of(title).section("players", dict)[str(players)]["privates"])


def most_markers(title: Title, company: CompanyId) -> int:
    """The most station markers that the company may have in all. Where its charter has no limit, the markers that there
    are limit it. In equal play, where charters have no special benefits, all companies have the limit of the others."""
    # rule 8.7, 13.1
    given = _most_markers(facts_of(title))
    printed, most = given[company]
    if most is None and rulings_of(title).play == "equal":
        most = max((other for _, other in given.values() if other is not None), default=None)
    return printed if most is None else min(printed, most)


@lru_cache(maxsize=8)
def _most_markers(facts: Facts) -> Mapping[CompanyId, tuple[int, int | None]]:
    """By company, the markers that there are, and the limit of its charter, if it has one."""
    return {
        CompanyId(c["sym"]): (c["tokens_printed"], most if isinstance(most := c["max_tokens"], int) else None)
        for c in facts.section("companies", list)
    }


def tagged(title: Title, side: Side) -> frozenset[HexId]:
    """The hexes with the tag for a side of the map."""
    return _marked(facts_of(title), "edge_bonus").get(side, frozenset())


def mail_hexes(title: Title) -> frozenset[HexId]:
    """The hexes where mail markers may stand."""
    return _marked(facts_of(title), "icons").get("mail", frozenset())


def prisons(title: Title) -> frozenset[HexId]:
    """The hexes in which the Clink Club may lay its tile."""
    return _marked(facts_of(title), "icons").get("prison", frozenset())


def inner_circle(title: Title, part: Literal["ring", "inside"]) -> frozenset[HexId]:
    """The hexes inside the white circle (``inside``), or the hexes of the route around it (``ring``)."""
    return _marked(facts_of(title), "inner_circle").get(part, frozenset())


def bank_of(title: Title, hex: HexId) -> Bank:
    """The bank of the Thames on which the hex lies, or ``river``."""
    return _banks(facts_of(title))[hex]


@lru_cache(maxsize=8)
def _banks(facts: Facts) -> Mapping[HexId, Bank]:
    return MappingProxyType({HexId(h["coord"]): h["bank"] for h in facts.section("hexes", list)})


@lru_cache(maxsize=32)
def _marked(facts: Facts, key: str) -> Mapping[str, frozenset[HexId]]:
    found: dict[str, set[HexId]] = {}
    for entry in facts.section("hexes", list):
        given = entry.get(key, ())
        for word in (given,) if isinstance(given, str) else given:
            found.setdefault(word, set()).add(HexId(entry["coord"]))
    return MappingProxyType({word: frozenset(hexes) for word, hexes in found.items()})
