"""What pictures of a title show beyond what they show of every title: a title's small addition to ``engine.svg``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.board.map import End
from engine.board.ways import Side
from engine.core.ids import HexId
from engine.core.state import State

if TYPE_CHECKING:
    from engine.core.title import Title

Paths: TypeAlias = tuple[tuple[End, End], ...]
Tags: TypeAlias = Mapping[HexId, tuple[str, ...]]


def _no_sides(title: Title, state: State) -> frozenset[Side]:
    return frozenset()


def _no_paths(title: Title, state: State) -> Mapping[HexId, Paths]:
    return {}


def _no_tags(title: Title, state: State) -> Tags:
    return {}


def _no_areas(title: Title) -> tuple[frozenset[HexId], ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """``borders``: the sides on which a border lies now, from either hex or both. ``future``: by hex, track from edge
    to edge that is printed for later. ``tags``: by hex, short words beyond those about homes, privates and
    destinations. ``areas``: sets of hexes with a white line round them. ``colors``: names of colours that the title has
    otherwise, as ``#rrggbb``."""

    borders: Callable[[Title, State], frozenset[Side]] = _no_sides
    future: Callable[[Title, State], Mapping[HexId, Paths]] = _no_paths
    tags: Callable[[Title, State], Tags] = _no_tags
    areas: Callable[[Title], tuple[frozenset[HexId], ...]] = _no_areas
    colors: Mapping[str, str] = field(default_factory=dict[str, Any])
