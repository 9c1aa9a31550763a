"""The names that the orders of one game may use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from grammar.normalise import key, normalise

FLAT_TOP: Final = ("S", "SW", "NW", "N", "NE", "SE")
"""Compass names of the edges 0 to 5 of a hex with a flat side on top."""
POINTY_TOP: Final = ("SW", "W", "NW", "NE", "E", "SE")
"""Compass names of the edges 0 to 5 of a hex with a point on top."""

_PARTS: Final = re.compile(r"[\s,/#()]")
_NOT_IN_NAMES: Final = (":", ";", "//", "\n")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Vocabulary:
    """Every name that may be used in an order of one game. The mappings give the synonyms of each printed name.

    Vocabularies are compared by identity, so that the tables made from one can be cached for as long as it exists.
    Raises ``ValueError`` for names that cannot stand in orders or cannot be told apart.
    """

    title: str
    """The title, which selects the grammar: ``1861`` is read by ``t1861.lark``."""
    players: tuple[str, ...] = ()
    companies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    privates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Private companies, concessions included, but without mountain railways and tunnel certificates."""
    concessions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Private -> words that name it after the word ``concession``: its number, or the company that it allows to
    start."""
    mountains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Mountain railways."""
    tunnels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tunnel certificates."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Company -> its kind; used only to choose examples for error messages."""
    trains: tuple[str, ...] = ()
    tiles: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Tile -> edges with track when the tile is not rotated."""
    turns: Mapping[str, int] = field(default_factory=dict)
    """Tile -> number of sixths of a turn after which it looks the same; 6 for a tile that is not listed."""
    panels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Panel of a mountain railway -> its incomes, earliest first. Orders name a panel by its incomes."""
    hexes: frozenset[str] = frozenset()
    places: Mapping[str, str] = field(default_factory=dict)
    """Name of a city or area -> the hex that alone has it."""
    printed: Mapping[str, str] = field(default_factory=dict)
    """Full name of a company or private -> the company or private."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Word of the full name of a company or private, in lower case -> the company or private that alone has it; used
    only for suggestions."""
    edges: tuple[str, ...] = FLAT_TOP
    pool: tuple[str, ...] = ("pool",)
    """Words for the bank pool."""
    currency: tuple[str, ...] = ()
    """Currency marks allowed before or after an amount, besides Unicode's currency signs."""

    def __post_init__(self) -> None:
        taken: dict[str, str] = {}
        groups = (self.companies, self.privates, self.mountains, self.tunnels)
        named = tuple(word for group in groups for word in _with_synonyms(group))
        for name in (*self.players, *named):
            if not key(name) or any(mark in normalise(name) for mark in _NOT_IN_NAMES):
                raise ValueError(f"{name!r} cannot be a name: a name is not empty and has no colon, semicolon or `//`")
            if key(name) in taken:
                if name == taken[key(name)]:
                    raise ValueError(f"{name!r} is taken: nobody is called like another, a company or a private")
                raise ValueError(f"{name!r} and {taken[key(name)]!r} cannot be told apart in orders")
            taken[key(name)] = name
        for name in (*named, *self.hexes, *self.trains):
            if _PARTS.search(normalise(name)):
                raise ValueError(f"{name!r} cannot stand in an order: it is not a single word")

    def incomes(self, panel: str) -> str:
        """The name of a panel in orders, such as ``10/40/50/60``; ``panel`` itself if it is not listed."""
        return "/".join(map(str, self.panels[panel])) if panel in self.panels else panel


def _with_synonyms(names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(word for name, synonyms in names.items() for word in dict.fromkeys((name, *synonyms)))
