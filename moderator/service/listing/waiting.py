"""All games, and whom each waits for. Nothing here needs the rules, so that a list of games comes at once."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlmodel import Session, col, func, select

from moderator.adapters.tables import STANDING, DeadlineRow, EntryRow, GameRow, SealedRow, SeatRow
from moderator.domain.listed import Due, ListedGame


def list_games(session: Session) -> list[ListedGame]:
    """All games, in the order in which they were begun."""
    seats, sealed, due = _seats(session), _sealed(session), _due(session)
    found = []
    for row in session.exec(select(GameRow).order_by(col(GameRow.created_at), col(GameRow.id))).all():
        asked = [seat for seat in seats[row.id] if seat.question and seat.player not in sealed[row.id]]
        until = [due[row.id, seat.player] for seat in asked if (row.id, seat.player) in due]
        since = _asked_at(session, row, min(seat.since for seat in asked)) if asked else None
        found.append(
            ListedGame(
                row.id, row.edition, row.status, row.orders, tuple(seat.player for seat in seats[row.id]),
                tuple(seat.player for seat in asked), since, min(until, key=lambda one: one.at, default=None),
            )
        )  # fmt: skip
    return found


def oldest_question(session: Session) -> datetime | None:
    """The moment of the oldest question that a running game waits for; None if none waits."""
    asked = [one.since for one in list_games(session) if one.since is not None and one.status == "running"]
    return min(asked, default=None)


def _asked_at(session: Session, row: GameRow, decision: int) -> datetime:
    """The moment at which ``decision`` came up: that of the entry before it, or the beginning of the game."""
    wanted = select(func.max(EntryRow.created_at)).where(EntryRow.game == row.id, EntryRow.at < decision)
    latest: datetime | None = session.exec(wanted).one()
    return row.created_at if latest is None else latest


def _seats(session: Session) -> dict[str, list[SeatRow]]:
    found = defaultdict(list)
    for seat in session.exec(select(SeatRow).order_by(col(SeatRow.game), col(SeatRow.number))).all():
        found[seat.game].append(seat)
    return found


def _sealed(session: Session) -> dict[str, set[str]]:
    """The players whose sealed orders wait, by game."""
    found = defaultdict(set)
    for row in session.exec(select(SealedRow).where(col(SealedRow.status).in_(STANDING))).all():
        found[row.game].add(row.player)
    return found


def _due(session: Session) -> dict[tuple[str, str], Due]:
    """The latest deadline that is not met, by game and player."""
    wanted = select(DeadlineRow).where(DeadlineRow.state != "met").order_by(col(DeadlineRow.id))
    return {(row.game, row.player): Due(row.due_at, row.state == "overdue") for row in session.exec(wanted).all()}
