"""Locks and leases, for several services that share a database.

On SQLite a transaction that writes has the whole database to itself. On PostgreSQL it first locks the rows that it is
going to change, always in the same order: the mail, then the games by name, then everything that belongs to them. Rows
that were read before are then read again, because another service may have changed them meanwhile. Everything that was
decided by those rows is decided again: the sender of a mail, and its proof, count only after the lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from sqlalchemy import BindParameter, bindparam, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlmodel import Session, col, select

from moderator.adapters.database import run_plain
from moderator.adapters.tables import AbsenceRow, DeadlineRow, GameRow, HeldRow, KeptRow, SeatRow, TenureRow
from moderator.service.desk import Desk

_LEASE = "lease "
_LOCKED = "games that this transaction has locked"
_NAMES: BindParameter[str] = bindparam("names", expanding=True)
_GAMES = (
    select(GameRow)
    .where(col(GameRow.id).in_(_NAMES))
    .order_by(col(GameRow.id))
    .with_for_update(key_share=True)
    .execution_options(populate_existing=True, autoflush=False)
)
_SEATS = (
    select(SeatRow)
    .where(col(SeatRow.game).in_(_NAMES))
    .order_by(col(SeatRow.id))
    .execution_options(populate_existing=True, autoflush=False)
)
_LEASED = select(KeptRow.value).where(col(KeptRow.key) == bindparam("name")).with_for_update()
_LEASE_CHANGED = (
    update(KeptRow)
    .where(col(KeptRow.key) == bindparam("name"))
    .values(value=bindparam("lease"), changed_at=bindparam("now"))
)
"""Built once, as are all queries that every mail needs, because building a query takes longer than running it."""


@dataclass(slots=True)
class Locked:
    """A game that this transaction has locked, and its rows that were read since. Nobody else changes them, so none is
    read twice. None means that they have not been read yet."""

    row: GameRow
    seats: list[SeatRow] | None = None
    """In seating order."""
    held: list[HeldRow] | None = None
    """The held orders that waited when they were read, and those added since, oldest first."""
    deadlines: list[DeadlineRow] | None = None
    """Those that were open or in a calendar when they were read, and those added since, oldest first."""
    absences: list[AbsenceRow] | None = None
    tenures: list[TenureRow] | None = None
    """Those that are open."""


def lock_games(session: Session, games: Iterable[str]) -> dict[str, GameRow]:
    """Lock these games and their seats until the transaction ends. Returns those that exist, by name, as they stand
    now."""
    names = sorted(set(games))
    locked: dict[str, Locked] = session.info.setdefault(_LOCKED, {})
    new = [name for name in names if name not in locked]
    if new:
        if any(isinstance(row, GameRow | SeatRow) for row in session.dirty):  # or reading again loses the changes
            session.flush()
        locked |= {row.id: Locked(row) for row in session.exec(_GAMES, params={"names": new}).all()}
        if _shared(session):
            seats = session.exec(_SEATS, params={"names": new}).all()
            for name in locked.keys() & new:
                its = (seat for seat in seats if seat.game == name)
                locked[name].seats = sorted(its, key=attrgetter("number"))
    return {name: locked[name].row for name in names if name in locked}


def locked_game(session: Session, game: str) -> Locked | None:
    """The game if this transaction has locked it, otherwise None."""
    locked: dict[str, Locked] = session.info.get(_LOCKED, {})
    return locked.get(game)


def lock_game(session: Session, game: str) -> GameRow:
    """Lock one game. Raises ``KeyError`` if there is none."""
    return lock_games(session, (game,))[game]


def one_by_one(session: Session, what: str) -> None:
    """Make other services that want to do ``what`` wait until the transaction ends."""
    if _shared(session):
        session.execute(text("SELECT pg_advisory_xact_lock(hashtext(:what))"), {"what": what})


def _shared(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


class Overtaken(Exception):
    """Another service has changed rows after they were read and before they were locked: what depends on them must be
    decided again."""


def lost_a_race(error: Exception) -> bool:
    """True if another service wrote the same row at the same time, so that trying again will help."""
    if isinstance(error, Overtaken | IntegrityError):
        return True
    state = str(getattr(error.orig, "sqlstate", "") or "") if isinstance(error, DBAPIError) else ""
    return state.startswith("40")  # deadlock, serialisation


class Lease:
    """A lease on ``what`` for a worker that needs it again and again. It is taken for ``span`` when it is first needed,
    and renewed for as long as it is asked for."""

    def __init__(self, desk: Desk, what: str, span: timedelta) -> None:
        self._desk, self._what, self.span = desk, what, span
        self._taken: datetime | None = None

    def held(self) -> bool:
        """True if the lease is ours now; False while another service has it."""
        now = self._desk.lease_time()
        if self._taken is None or not timedelta() <= now - self._taken <= self.span / 3:
            self._taken = now if take_lease(self._desk, self._what, self.span) else None
        return self._taken is not None

    def give_back(self) -> None:
        """Give the lease back, so that others can take it now. If that cannot be stored, they wait until it runs
        out."""
        if self._taken is not None:
            self._taken = None
            with suppress(OperationalError):
                give_lease_back(self._desk, self._what)


def take_lease(desk: Desk, what: str, span: timedelta) -> bool:
    """Take the lease of ``what`` for ``span``, or renew it. False while another service has it."""
    now = desk.lease_time()
    try:
        with desk.database.transaction() as session:
            kept = run_plain(session, _LEASED, {"name": _LEASE + what}).scalar()
            lease = {"owner": desk.owner, "until": (now + span).isoformat()}
            if kept is None:
                session.add(KeptRow(key=_LEASE + what, value=lease, changed_at=now))
            elif kept.get("owner") not in (None, desk.owner) and _lasts(kept["until"], now, span):
                return False
            else:
                run_plain(session, _LEASE_CHANGED, {"name": _LEASE + what, "lease": lease, "now": now})
    except IntegrityError:  # there was no lease yet, and another service was quicker
        return False
    return True


def _lasts(until: str, now: datetime, span: timedelta) -> bool:
    """True while a lease that was taken for ``span`` lasts. One that ends more than twice ``span`` from now was taken
    with a wrong clock, and does not count; the clocks of two machines may differ a little."""
    return now < datetime.fromisoformat(until) <= now + 2 * span


def give_lease_back(desk: Desk, what: str) -> None:
    """Give back the lease of ``what`` if this process has it, so that others can take it now."""
    now = desk.lease_time()
    with desk.database.transaction() as session:
        kept = run_plain(session, _LEASED, {"name": _LEASE + what}).scalar()
        if kept is not None and kept.get("owner") == desk.owner:
            lease = {"owner": None, "until": now.isoformat()}
            run_plain(session, _LEASE_CHANGED, {"name": _LEASE + what, "lease": lease, "now": now})
