"""The tools that all use cases share: the database, the games, the words, the clock and the source of randomness."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlmodel import Session

from moderator.adapters.database import Database
from moderator.domain.ports import Clock, Words
from moderator.service.games import Games
from moderator.settings import Settings

_WORD_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Desk:
    """The tools of this process. They are made once, when the service starts."""

    settings: Settings
    database: Database
    games: Games
    words: Words
    clock: Clock
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    """Source of all that nobody may guess: secret addresses, seeds of games, salts of sealed orders, Message-IDs."""
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    """Names this process in the leases that it holds."""
    rehearse: Callable[[int], str] | None = None
    """Decides the mail of a number in a process of its own, whose changes are not kept. Returns how that process died,
    in words, or an empty string; raises ``NotNow`` if neither can be told. None: there is no other process."""
    shared_clock: Clock | None = None
    """A clock that is the same for all services that share the database. None: their own clock is."""

    def __post_init__(self) -> None:
        self.games.reading, self.games.now = self.database.reading, self.clock.now

    def lease_time(self) -> datetime:
        """The time by which leases run out: all services must agree on it, even if the clocks of their machines do
        not."""
        return (self.shared_clock or self.clock).now()

    def secret_word(self) -> str:
        """A new word that nobody may guess: 128 bits in base 32 (RFC 4648), in small letters, as addresses have it."""
        return base64.b32encode(self.random_bytes(_WORD_BYTES)).decode().rstrip("=").lower()

    @contextmanager
    def sitting(self) -> Iterator[Sitting]:
        """A sitting whose changes are written together at its end, or not at all."""
        with self.database.transaction() as session:
            yield Sitting(self, session)

    @contextmanager
    def looking(self) -> Iterator[Sitting]:
        """A sitting that only reads."""
        with self.database.reading() as session:
            yield Sitting(self, session)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One transaction at the desk. A use case does all its work in one sitting: its reads are consistent, and its
    writes are committed together or not at all."""

    desk: Desk
    session: Session

    @property
    def settings(self) -> Settings:
        return self.desk.settings

    @property
    def games(self) -> Games:
        return self.desk.games

    @property
    def words(self) -> Words:
        return self.desk.words

    def now(self) -> datetime:
        """The time by the clock of the service, which tests set."""
        return self.desk.clock.now()
