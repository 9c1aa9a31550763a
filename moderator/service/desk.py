"""The tools of every use case: the database, the games, the words, the clock and the source of chance."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from moderator.adapters.database import Database
from moderator.domain.ports import Clock, Words
from moderator.service.games import Games
from moderator.settings import Settings


@dataclass(frozen=True, slots=True)
class Desk:
    """Made once when the service starts."""

    settings: Settings
    database: Database
    games: Games
    words: Words
    clock: Clock
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    """Source of secret addresses and of games' seeds, and of nothing else."""
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    """Names this process in the leases that it holds."""

    def __post_init__(self) -> None:
        self.games.reading, self.games.now = self.database.reading, self.clock.now
