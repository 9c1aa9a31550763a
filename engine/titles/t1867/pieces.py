"""Facts of the board that only 1867 has: markers that stand there from the start, and exits that first tiles need."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from engine.core.ids import CompanyId, HexId
from engine.core.title import Title
from engine.facts.file import Facts, facts_of

StartMarker: TypeAlias = tuple[CompanyId, HexId, int]
"""A company, and the hex and city of its marker."""


def start_markers(title: Title, kind: str) -> tuple[StartMarker, ...]:
    """The markers of a kind at the start: ``normal`` ones, and ``neutral`` ones, which are of no company's number and
    leave with the first 3-train."""
    return _start_markers(facts_of(title)).get(kind, ())


@lru_cache(maxsize=8)
def _start_markers(facts: Facts) -> Mapping[str, tuple[StartMarker, ...]]:
    found: dict[str, tuple[StartMarker, ...]] = {}
    for hex in facts.section("hexes", list):
        for marker in hex.get("tokens_at_start", ()):
            one = (CompanyId(marker["company"]), HexId(hex["coord"]), int(marker["city"]))
            found[marker["kind"]] = (*found.get(marker["kind"], ()), one)
    return found


def stubs(title: Title) -> Mapping[HexId, tuple[int, ...]]:
    """The edges to which the first tile of a hex must have an exit. ``lays.json`` allows no other tiles there."""
    return _stubs(facts_of(title))


@lru_cache(maxsize=8)
def _stubs(facts: Facts) -> Mapping[HexId, tuple[int, ...]]:
    return {HexId(h["coord"]): tuple(h["stubs"]) for h in facts.section("hexes", list) if "stubs" in h}
