"""Games of the 2020 edition as records of 18xx.games, where they differ from those of cousins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.site18xx.f1867.writer import FamilyWriter
from engine.site18xx.t1861.converter import EDITION, OPTIONAL_RULES, PRIVATES

EDITIONS = (EDITION,)
"""Editions that the site also plays."""
SHOWN = ("dutch_price", "first_minor", "merger_fails", "state_railway_trains")
"""Options that have no setting on the site, but that the record itself shows."""


@dataclass(slots=True)
class Writer(FamilyWriter):
    """Writes the actions of a game of 1861."""

    OPTIONAL_RULES: ClassVar[Mapping[str, tuple[str, str] | None]] = OPTIONAL_RULES
    PRIVATES: ClassVar[Sequence[str]] = PRIVATES
