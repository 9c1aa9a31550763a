"""The options and rulings of a game that differ from those of its edition."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from engine.core.title import Title
from engine.titles import load_title
from moderator.domain.info import GameInfo

Differing = tuple[tuple[str, str, str], ...]
"""Name, value and default of each option; the default is "" if the edition has none."""


def differing(title: Title, info: GameInfo) -> Differing:
    """The options of a game whose values are not the defaults of its edition, in the order of the title."""
    usual = _defaults(title.name, title.edition)
    return tuple((name, value, usual.get(name, "")) for name, value in info.options.items() if usual.get(name) != value)


@lru_cache(maxsize=32)
def _defaults(title: str, edition: str) -> MappingProxyType[str, str]:
    return MappingProxyType(dict(load_title(title, edition=edition).options))
