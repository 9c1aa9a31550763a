"""Counts by the day or the hour, in rows that all services share: answers, questions, press, breakers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from moderator.adapters.database import inserting, run_plain
from moderator.adapters.tables import BudgetRow
from moderator.service.desk import Desk, Sitting

_COUNT = select(BudgetRow.count).where(
    col(BudgetRow.scope) == bindparam("scope"), col(BudgetRow.day) == bindparam("day")
)


@cache
def _one_more(insert: Any) -> Any:
    """The statement that counts one more, whether or not there is a row. It is built once, because building it takes
    longer than running it."""
    first = insert(BudgetRow).values(scope=bindparam("scope"), day=bindparam("day"), count=1)
    key = [col(BudgetRow.scope), col(BudgetRow.day)]
    more = first.on_conflict_do_update(index_elements=key, set_={"count": BudgetRow.count + 1})
    return more.returning(col(BudgetRow.count))


def count(sitting: Sitting, scope: str, day: str = "") -> int:
    """Count one more in ``scope`` on this day (UTC). Returns the new count."""
    here = {"scope": scope, "day": day or day_of(sitting.desk)}
    return int(run_plain(sitting.session, _one_more(inserting(sitting.session)), here).scalar_one())


def used(sitting: Sitting, scope: str, day: str = "") -> int:
    """The number counted in ``scope`` on this day. Counts nothing itself."""
    here = {"scope": scope, "day": day or day_of(sitting.desk)}
    return run_plain(sitting.session, _COUNT, here).scalar() or 0


def day_of(desk: Desk) -> str:
    """The present day (UTC), as it is written in counts."""
    return desk.clock.now().date().isoformat()


def next_day(desk: Desk) -> datetime:
    """The moment at which the counts of the present day (UTC) end."""
    return desk.clock.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def hour_of(desk: Desk) -> str:
    """The present hour (UTC), as it is written in counts by the hour."""
    return desk.clock.now().strftime("%Y-%m-%dT%H")
