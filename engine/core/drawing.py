"""A title's small additions to the pictures that ``engine.svg`` draws for every title."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.board.map import End
from engine.board.ways import Side
from engine.core.ids import HexId

Paths: TypeAlias = tuple[tuple[End, End], ...]
Tags: TypeAlias = Mapping[HexId, tuple[str, ...]]


def _no_sides(*_: Any) -> frozenset[Side]:
    return frozenset()


def _no_paths(*_: Any) -> Mapping[HexId, Paths]:
    return {}


def _no_tags(*_: Any) -> Tags:
    return {}


def _no_areas(*_: Any) -> tuple[frozenset[HexId], ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Functions of title and position (``areas``: of the title alone); they are not typed in full, because the types of
    titles are not known here. ``borders``: the sides with a border now, named from either hex or both. ``future``: by
    hex, track from edge to edge that is printed for later. ``tags``: by hex, short words in addition to those about
    homes, privates and destinations. ``areas``: sets of hexes with a white line around them. ``colors``: colours that
    differ in the title, as ``#rrggbb``."""

    borders: Callable[..., frozenset[Side]] = _no_sides
    future: Callable[..., Mapping[HexId, Paths]] = _no_paths
    tags: Callable[..., Tags] = _no_tags
    areas: Callable[..., tuple[frozenset[HexId], ...]] = _no_areas
    colors: Mapping[str, str] = field(default_factory=dict[str, Any])
