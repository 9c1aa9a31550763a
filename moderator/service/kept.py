"""Small things that the service remembers of itself, by key (table ``kept``).

Several threads and services write them. Who writes one has it to himself until his transaction ends, from before he
looks at what was there: also where there is no row yet that could be locked.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from moderator.adapters.tables import KeptRow
from moderator.service.desk import Desk
from moderator.service.locks import one_by_one

_VALUE = select(KeptRow.value).where(col(KeptRow.key) == bindparam("key"))


def recall(session: Session, key: str) -> dict[str, Any] | None:
    """What is kept under ``key``."""
    value = session.exec(_VALUE, params={"key": key}).first()
    return None if value is None else dict(value)


def recall_to_change(session: Session, key: str) -> dict[str, Any] | None:
    """The same, where what is written under ``key`` follows from what was there."""
    row = _locked(session, key)
    return None if row is None else dict(row.value)


def remember(desk: Desk, session: Session, key: str, value: dict[str, Any]) -> None:
    """Keep ``value``, whatever was kept before."""
    row = _locked(session, key)
    if row is None:
        session.add(KeptRow(key=key, value=value, changed_at=desk.clock.now()))
    else:
        row.value, row.changed_at = value, desk.clock.now()


def forget(session: Session, key: str) -> bool:
    """Whether there was anything."""
    row = _locked(session, key)
    if row is None:
        return False
    session.delete(row)
    return True


def all_kept(session: Session, prefix: str) -> dict[str, KeptRow]:
    """Rows whose keys begin with ``prefix``, by the rest of the key."""
    rows = session.exec(select(KeptRow).where(col(KeptRow.key).startswith(prefix, autoescape=True))).all()
    return {row.key.removeprefix(prefix): row for row in sorted(rows, key=lambda row: row.key)}


def _locked(session: Session, key: str) -> KeptRow | None:
    one_by_one(session, f"kept {key}")
    return session.get(KeptRow, key, with_for_update=True, populate_existing=True)
