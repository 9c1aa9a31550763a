"""Sealed orders: given in advance, known only to their owner, and opened together. Everybody gets their digest, so that
the owner cannot change them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import Ask, Game
from engine.core.orders import Order


@dataclass(frozen=True, slots=True)
class Sealing:
    """An order of a mail that is to be sealed, as the answer to ``ask``. ``line``: the index of its line in the
    transcript."""

    ask: Ask
    order: Order = field(repr=False)
    line: int


@dataclass(frozen=True, slots=True)
class Seals:
    """Sealed orders as one seat may see them. ``text``, ``salt`` and ``digest`` are its own; empty if it has none.
    ``others``: player -> digest, for all others who have sealed. ``missing``: players who have not."""

    text: str = field(default="", repr=False)
    salt: str = field(default="", repr=False)
    digest: str = ""
    kept: bool = False
    """True if the seat's orders were opened before and an undo took that back: they then count only when the time is
    over."""
    others: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


def sealed_asks(game: Game) -> tuple[Ask, ...]:
    """The open questions whose answers are sealed, in the order in which the answers are opened."""
    return tuple(ask for ask in game.asked() if ask.sealed)


def is_sealed(game: Game, player: str) -> bool:
    """True if ``player`` is asked for a sealed order."""
    return any(ask.player == player for ask in sealed_asks(game))


def sealed_line(salt: str, text: str) -> str:
    """The line whose SHA-256 is published: the salt, a space, and the order with its head in canonical notation."""
    return f"{salt} {text}"


def digest_of(salt: str, text: str) -> str:
    """The SHA-256 of ``sealed_line`` in UTF-8, in hexadecimal."""
    return hashlib.sha256(sealed_line(salt, text).encode()).hexdigest()
