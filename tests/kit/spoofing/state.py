"""Everything that an attempt could change: who has a seat, who is written to, what was ordered and what was asked."""

from __future__ import annotations

from collections.abc import Container, Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy
from sqlalchemy import literal
from sqlmodel import Session, col

from moderator.adapters.tables import (
    AbsenceRow,
    AliasRow,
    DeadlineRow,
    EntryRow,
    FormingRow,
    GameRow,
    GuestRow,
    HeldRow,
    KeptRow,
    MotionRow,
    PendingRow,
    PersonRow,
    SeatRow,
    SeatToken,
    TenureRow,
    VoiceRow,
)  # fmt: skip

Key = tuple[str, ...]
"""Table, game (or game and player), and the row or the column."""
State = dict[Key, Any]

_VOLATILE: Final = frozenset({"away_at", "changes"})
"""Columns of a seat that are not compared: a program that answers its secret address may say that the player is away,
which silences nothing; and lines of the journal, one for each question, are counted."""
_select: Any = sqlalchemy.select
_SEATS: Final = _select(*SeatRow.__table__.columns)  # type: ignore[attr-defined]
_ROWS: Final[Mapping[str, Any]] = {
    "game": _select(GameRow.id, GameRow.id, GameRow.at, GameRow.orders, GameRow.status),
    "entry": _select(EntryRow.id, EntryRow.game, EntryRow.at, EntryRow.text, EntryRow.orders),
    "held": _select(HeldRow.id, HeldRow.game, HeldRow.status, HeldRow.text),
    "deadline": _select(DeadlineRow.id, DeadlineRow.game, DeadlineRow.due_at, DeadlineRow.state),
    "alias": _select(AliasRow.address, literal(""), AliasRow.record, AliasRow.confirmed_at),
    "person": _select(PersonRow.address, literal(""), PersonRow.zone, PersonRow.calendar),
    "absence": _select(AbsenceRow.id, AbsenceRow.seat, AbsenceRow.first, AbsenceRow.last, AbsenceRow.ended_at),
    "tenure": _select(TenureRow.id, TenureRow.seat, TenureRow.person, TenureRow.address, TenureRow.ended_at),
    "token": _select(SeatToken.token, SeatToken.seat, SeatToken.revoked, SeatToken.sent_at),
    "pending": _select(PendingRow.token, PendingRow.seat, PendingRow.state, PendingRow.due_at).where(
        col(PendingRow.state).in_(("open", "confirmed", "done"))
    ),
    "motion": _select(MotionRow.id, MotionRow.game, MotionRow.state, MotionRow.needs),
    "guest": _select(GuestRow.id, literal(""), GuestRow.kind, GuestRow.address, GuestRow.state, GuestRow.wish),
    "forming": _select(FormingRow.name, literal(""), FormingRow.state, FormingRow.called),
    "voice": _select(VoiceRow.id, literal(""), VoiceRow.motion, VoiceRow.said),
    "kept": _select(KeptRow.key, literal(""), KeptRow.value).where(
        col(KeptRow.key).startswith("proved ")
        | col(KeptRow.key).startswith("breaker ")
        | (KeptRow.key == "outbox paused")
    ),
}
"""Key, game or seat, and values."""


def state(session: Session) -> State:
    """One query for each table."""
    found: State = {}
    seats: dict[int, tuple[str, str]] = {}
    for seat in session.connection().execute(_SEATS).mappings():
        seats[seat["id"]] = (seat["game"], seat["player"])
        for name, value in seat.items():
            if name not in _VOLATILE:
                found["seat", seat["game"], seat["player"], name] = value
    for name, query in _ROWS.items():
        for key, game, *values in session.connection().execute(query):
            where = seats[game] if isinstance(game, int) else (game,)
            found[name, *where, str(key)] = tuple(values)
    return found


def changed(before: State, after: State, now: datetime, own_questions: Container[str]) -> list[Key]:
    """The differences, without those that are always allowed: a question is asked, and lapses in its time.
    ``own_questions`` are those that a player asked for; nobody else closes them."""
    found = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return sorted(key for key in found if key[0] != "pending" or not _usual(key, before, after, now, own_questions))


def _usual(key: Key, before: State, after: State, now: datetime, own_questions: Container[str]) -> bool:
    was: Any = before.get(key)
    value: Any = after.get(key)
    if was is None:
        return bool(value[0] == "open")
    if value is not None or was[0] != "open":
        return False
    return was[1] <= now or key[-1] not in own_questions  # it has lapsed, or somebody asked for the same again
