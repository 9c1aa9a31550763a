"""Types of columns and options of indexes that tables share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    DateTime,
    Dialect,
    TypeDecorator,
    text,
)
from sqlmodel import Field


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, even if the database forgets zones. Rejects moments without a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError(f"a moment without a zone: {value}")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def moment(**options: Any) -> Any:
    """A column for a moment."""
    return Field(sa_type=Moment, **options)


def only(rows: str) -> dict[str, Any]:
    """Options of a partial index on ``rows``, which stays small however many rows the table has."""
    return {"sqlite_where": text(rows), "postgresql_where": text(rows)}
