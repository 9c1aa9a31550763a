"""The charter of a company: its kind, its certificates, its homes and its markers.

The title gives each company's charter at the start. It may change during the game (a minor is converted, companies are
merged or divided), so the charter is part of the position: ``engine.holders.charters`` reads it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import HexId


@dataclass(frozen=True, slots=True)
class CertificateKind:
    """``shares``: the number of shares that the certificate counts for. ``percent``: its percentage. ``director``: it
    is the director's certificate. ``dividend``: the number of shares on which a dividend is paid, if different; if
    negative, the holder pays. ``counts``: the number of certificates that it counts for toward
    the certificate limit."""

    shares: int
    percent: int
    director: bool = False
    dividend: int | None = None
    counts: int = 1

    @property
    def paid_for(self) -> int:
        """The number of shares on which it receives a dividend; negative if its holder pays one."""
        return self.shares if self.dividend is None else self.dividend


@dataclass(frozen=True, slots=True)
class Charter:
    """``kind``: the kind of company. ``certificates``: kind of certificate -> the certificate and the number of copies.
    ``homes``: hex and city index of each printed home; empty if the company chooses its home. ``markers``: the number
    of station markers, if it is fixed."""

    kind: str
    certificates: Mapping[str, tuple[CertificateKind, int]]
    homes: tuple[tuple[HexId, int], ...]
    markers: int

    @property
    def home(self) -> tuple[HexId, int] | None:
        """The first home; None if there is none."""
        return self.homes[0] if self.homes else None
