"""Small facts that the service remembers about itself, by key (table ``kept``).

Several threads and services write them. A transaction that writes a key locks it before it reads the old value, even if
there is no row yet to lock, and keeps the lock until it ends. A transaction that only reads sees the same value until
it ends, unless it changes the value itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session, col, select

from moderator.adapters.database import inserting, run_plain
from moderator.adapters.tables import KeptRow
from moderator.service.desk import Sitting
from moderator.service.locks import one_by_one

FROZEN: Final = "frozen "
"""Prefix of the keys of reasons why no deadline may end. ``clock`` and ``restore`` end when the operator says so,
``imap`` and ``smtp`` by themselves."""
_SEEN = "what this transaction knows of what is kept"
_KEYS: BindParameter[str] = bindparam("keys", expanding=True)
_VALUES = select(KeptRow.key, KeptRow.value).where(col(KeptRow.key).in_(_KEYS))
_PREFIX: BindParameter[str] = bindparam("prefix")
_BEGINNING = select(KeptRow).where(col(KeptRow.key).startswith(_PREFIX, escape="/"))


def recall(session: Session, key: str) -> dict[str, Any] | None:
    """The value kept under ``key``; None if there is none."""
    look_up(session, (key,))
    value = _seen(session)[key]
    return None if value is None else dict(value)


def look_up(session: Session, keys: Iterable[str]) -> None:
    """Read several ``keys`` at once, for later calls of ``recall``."""
    seen = _seen(session)
    new = [key for key in keys if key not in seen]
    if new:
        seen |= dict.fromkeys(new)
        seen |= {key: dict(value) for key, value in run_plain(session, _VALUES, {"keys": new})}


def look_again(session: Session) -> None:
    """Forget the values that this transaction has seen, because all kept values have been replaced."""
    _seen(session).clear()


def recall_to_change(session: Session, key: str) -> dict[str, Any] | None:
    """The value under ``key``, locked, for a caller that derives the new value from it; None if there is none."""
    row = _locked(session, key)
    _seen(session)[key] = None if row is None else row.value
    return None if row is None else dict(row.value)


def remember(sitting: Sitting, key: str, value: dict[str, Any]) -> None:
    """Keep ``value`` in place of any value kept before."""
    row = _locked(sitting.session, key)
    if row is None:
        sitting.session.add(KeptRow(key=key, value=value, changed_at=sitting.now()))
    else:
        row.value, row.changed_at = value, sitting.now()
    _seen(sitting.session)[key] = value


def remember_first(sitting: Sitting, key: str, value: dict[str, Any]) -> dict[str, Any]:
    """Keep ``value`` unless there is a value already. Returns the value that is kept then."""
    new = {"key": key, "value": value, "changed_at": sitting.now()}
    sitting.session.execute(_unless_kept(inserting(sitting.session)), new)
    _seen(sitting.session).pop(key, None)
    kept = recall(sitting.session, key)
    assert kept is not None
    return kept


def forget(session: Session, key: str) -> bool:
    """Delete the value under ``key``. True if there was one."""
    row = _locked(session, key)
    _seen(session)[key] = None
    if row is None:
        return False
    session.delete(row)
    return True


def all_kept(session: Session, prefix: str) -> dict[str, KeptRow]:
    """Rows whose keys begin with ``prefix``, by the rest of the key."""
    begin = prefix.replace("/", "//").replace("%", "/%").replace("_", "/_")
    rows = session.exec(_BEGINNING, params={"prefix": begin}).all()
    return {row.key.removeprefix(prefix): row for row in sorted(rows, key=lambda row: row.key)}


def _seen(session: Session) -> dict[str, dict[str, Any] | None]:
    seen: dict[str, dict[str, Any] | None] = session.info.setdefault(_SEEN, {})
    return seen


@cache
def _unless_kept(insert: Any) -> Any:
    return insert(KeptRow).on_conflict_do_nothing()


def _locked(session: Session, key: str) -> KeptRow | None:
    one_by_one(session, f"kept {key}")
    return session.get(KeptRow, key, with_for_update=True, populate_existing=True)
