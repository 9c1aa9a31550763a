"""Finds the game or seat that a command is about; where there is none, says which there are."""

from __future__ import annotations

from datetime import datetime
from typing import NoReturn

from sqlalchemy import make_url
from sqlmodel import Session, col, select

from moderator.adapters.tables import DeadlineRow, GameRow, SeatRow
from moderator.entrypoints.output import Status, fail
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_games
from moderator.settings import Settings


def no_game(desk: Desk, name: str) -> NoReturn:
    """Say which games there are, and where they were looked for."""
    with desk.database.reading() as session:
        names = session.exec(select(GameRow.id).order_by(col(GameRow.created_at), col(GameRow.id))).all()
    there = f"there are: {', '.join(names[-20:])}" if names else "there are none at all"
    fail(f"there is no game {name!r} in {shown_url(desk.settings)}; {there}", Status.NO)


def shown_url(settings: Settings) -> str:
    """The database as it may be shown: without a password."""
    return make_url(settings.database_url).render_as_string(hide_password=True)


def find_seat(sitting: Sitting, name: str, player: str) -> SeatRow:
    """The seat of ``player``, its game locked. If there is none the command ends, saying which there are."""
    if name not in lock_games(sitting.session, (name,)):
        no_game(sitting.desk, name)
    seats = sitting.session.exec(select(SeatRow).where(SeatRow.game == name).order_by(col(SeatRow.number))).all()
    found = next((seat for seat in seats if seat.player == player), None)
    if found is None:
        there = ", ".join(seat.player for seat in seats)
        fail(f"there is no player {player!r} in {name}; there are: {there}", Status.NO)
    return found


def not_ours(desk: Desk, address: str) -> None:
    """End the command if ``address`` is the service's own, which would answer itself."""
    local, _, domain = address.lower().rpartition("@")
    mailbox, own = desk.settings.mailbox.lower(), desk.settings.domain.lower()
    if domain == own and local.partition("+")[0] in (mailbox, f"{mailbox}-bounces"):
        fail(f"{address} is an address of the service itself")


def due_of(session: Session, name: str) -> dict[str, str]:
    """Until when each player who is asked something is to answer (UTC), in a game with deadlines."""
    wanted = select(DeadlineRow).where(DeadlineRow.game == name, DeadlineRow.state != "met")
    rows = session.exec(wanted.order_by(col(DeadlineRow.id))).all()
    return {row.player: f"{short(row.due_at)}{' late' if row.state == 'overdue' else ''}" for row in rows}


def short(moment: datetime | None) -> str:
    """To the minute; empty for none."""
    return "" if moment is None else moment.strftime("%Y-%m-%d %H:%M")
