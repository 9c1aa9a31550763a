"""The nature of a company: its kind, its certificates, its home and its markers.

A title says what each company is at the beginning. It may become something else in play (a minor that is converted, a
company that is merged or divided), so a charter belongs to the position: ``engine.holders.charters`` reads it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import HexId


@dataclass(frozen=True, slots=True)
class CertificateKind:
    """``shares``: the number that it counts for; its percentage; and whether it is the director's. ``dividend``: the
    number of shares for which it is paid, if different; below 0 its holder pays. ``counts``: it counts toward a
    certificate limit."""

    shares: int
    percent: int
    director: bool = False
    dividend: int | None = None
    counts: int = 1

    @property
    def paid_for(self) -> int:
        """The number of shares for which it receives a dividend; below 0 for which it pays one."""
        return self.shares if self.dividend is None else self.dividend


@dataclass(frozen=True, slots=True)
class Charter:
    """``kind`` of company. ``certificates``: kind of certificate -> the certificate and the number of copies.
    ``homes``: hex and city index of each printed home, empty if the company chooses. ``markers``: the number of station
    markers, if fixed."""

    kind: str
    certificates: Mapping[str, tuple[CertificateKind, int]]
    homes: tuple[tuple[HexId, int], ...]
    markers: int

    @property
    def home(self) -> tuple[HexId, int] | None:
        """The first of the homes; None if there is none."""
        return self.homes[0] if self.homes else None
