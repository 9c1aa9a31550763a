"""Small facts that the service remembers about itself, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from moderator.adapters.database import Database
from moderator.adapters.tables import KeptRow


class KeptMemory:
    """Remembers facts in the table ``kept``, with ``prefix`` before each key."""

    def __init__(self, database: Database, prefix: str) -> None:
        self._database, self._prefix = database, prefix

    def recall(self, key: str) -> Mapping[str, Any] | None:
        with self._database.reading() as session:
            row = session.get(KeptRow, self._prefix + key)
            return None if row is None else row.value

    def remember(self, key: str, value: Mapping[str, Any]) -> None:
        with self._database.transaction() as session:
            row = session.get(KeptRow, self._prefix + key) or KeptRow(
                key=self._prefix + key, value={}, changed_at=datetime.now(UTC)
            )
            row.value, row.changed_at = dict(value), datetime.now(UTC)
            session.add(row)
