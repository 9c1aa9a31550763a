"""The clock of a database server: the same for all services that share the database, whatever their machines say."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import text

from moderator.adapters.database import Database

_EVERY: Final = 10.0
"""Seconds between two looks at the server's clock. In between the time goes on by the monotonic clock."""
_NOW: Final = text("SELECT clock_timestamp()")


class DatabaseClock:
    """The clock of a PostgreSQL server."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read: tuple[datetime, float] | None = None
        """The time that the server's clock showed, and when that was (``time.monotonic``)."""
        self._reading = threading.Lock()

    def now(self) -> datetime:
        with self._reading:
            if self._read is None or time.monotonic() - self._read[1] > _EVERY:
                with self._database.engine.connect() as connection:
                    shown: datetime = connection.execute(_NOW).scalar_one()
                self._read = shown, time.monotonic()
            shown, since = self._read
            return shown + timedelta(seconds=time.monotonic() - since)
