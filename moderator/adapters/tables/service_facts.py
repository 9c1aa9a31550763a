"""Facts and counts of the service itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import JSON, Column, Field, Index, SQLModel

from moderator.adapters.tables.columns import moment


class BudgetRow(SQLModel, table=True):
    """Number of answers in a day: to an address, in a game, or of a whole service."""

    __tablename__ = "budget"
    __table_args__ = (Index("budget_day", "day"),)
    scope: str = Field(primary_key=True)
    day: str = Field(primary_key=True)
    count: int = 0


class KeptRow(SQLModel, table=True):
    """Facts that the service remembers about itself: its clock, its breaker, whether the outbox is kept back."""

    __tablename__ = "kept"
    key: str = Field(primary_key=True)
    value: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    changed_at: datetime = moment()
