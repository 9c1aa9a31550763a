"""Tenures: the time that each person spends in a seat, and how he has answered in it.

The figures of a person come from his tenures, so that nobody answers for what another did in the same seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, func, select, update
from sqlmodel.sql.expression import SelectOfScalar

from engine import Game
from moderator.adapters.tables import OVER, GameRow, SealedRow, SeatRow, TenureRow
from moderator.domain.asks import at_any_moment, question
from moderator.domain.fork import Fork, Move, Origin
from moderator.domain.tenures import Figures, Stay
from moderator.service.clock_rows import forget, tenure_of
from moderator.service.table.table import Table

_NOT_HIS: Final[frozenset[Origin]] = frozenset({"silence", "default", "robot", "kept"})
"""Origins of moves that are made in place of a player's answer, or that he gave before an undo."""


def open_tenure(session: Session, seat: SeatRow, at: datetime, reason: str = "") -> None:
    """Begin the tenure of the person who now has ``seat``, and end that of the person before him, for a ``reason`` that
    the players are told."""
    assert seat.id is not None
    for row in session.exec(_open(seat)).all():
        row.ended_at, row.reason = at, reason
    forget(session, seat.game)
    person = seat.person or seat.player
    session.add(TenureRow(seat=seat.id, person=person, address=seat.address.lower(), began_at=at))


def follow(session: Session, seat: SeatRow, old: str) -> None:
    """Let the tenures of a person who has ``seat``, and whose address of record was ``old``, follow him to the present
    one: this tenure, and those that have ended."""
    tenure_of(session, seat).address = seat.address.lower()
    ended = (col(TenureRow.address) == old.lower(), col(TenureRow.ended_at).is_not(None))
    session.exec(update(TenureRow).where(*ended).values(address=seat.address.lower()))


def answered(table: Table, seat: SeatRow, *, late: bool) -> None:
    """Count an answer of the person who has ``seat`` to a question with a deadline. ``late``: the deadline had
    passed."""
    tenure = tenure_of(table.sitting.session, seat)
    tenure.answers += 1
    tenure.late += late


def was_awaited(game: Game, player: str, fork: Fork) -> bool:
    """True if a mail of ``player``, whose orders have led to ``fork``, answered a question that was open in ``game``.
    Orders that may be given at any moment answer one only if they close it."""
    asked = question(game, player)
    own = [move.order for move in fork.moves if move.player == player and move.origin not in _NOT_HIS]
    if not asked or not own:
        return False
    return any(not at_any_moment(game, order) for order in own) or question(fork.game, player) != asked


def count_wait(table: Table, seat: SeatRow) -> None:
    """Count a mail of the person who has ``seat``, for which the table waited."""
    tenure_of(table.sitting.session, seat).waits += 1


def waits_of(session: Session, game: str) -> dict[str, int]:
    """Player -> how often the table has waited for a mail of his seat, in seating order."""
    found: dict[str, int] = {}
    for stay in stays_of(session, game):
        found[stay.player] = found.get(stay.player, 0) + stay.waits
    return found


def stays_of(session: Session, game: str) -> list[Stay]:
    """The tenures of all seats of a game, by seat, the oldest of each first. While nobody may learn who plays, the
    persons have no names in them."""
    veiled = session.get_one(GameRow, game).veiled
    wanted = select(SeatRow.player, TenureRow).join(TenureRow, col(TenureRow.seat) == col(SeatRow.id))
    rows = session.exec(wanted.where(SeatRow.game == game).order_by(col(SeatRow.number), col(TenureRow.id))).all()
    return [
        Stay(
            player, "" if veiled else row.person, row.began_at, row.ended_at, row.used, row.reason, row.waits
        )
        for player, row in rows
    ]  # fmt: skip


def figures_of(session: Session, address: str) -> Figures | None:
    """How the person at ``address`` has played in all games; None before there is anything to tell."""
    wanted = select(TenureRow, GameRow.status).join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
    rows = session.exec(
        wanted.join(GameRow, col(GameRow.id) == col(SeatRow.game)).where(TenureRow.address == address.lower())
    ).all()
    finished = sum(status in OVER and tenure.ended_at is None for tenure, status in rows)
    moves = sum(tenure.answers for tenure, _ in rows)
    share = share_on_time(moves, sum(one.late for one, _ in rows), sum(one.missed for one, _ in rows))
    return None if share is None and not finished else Figures(share, moves, finished)


def on_time(session: Session, address: str) -> int | None:
    """Per cent of the questions with a deadline that the person at ``address`` answered in time, in all games; None if
    there were none."""
    sums = select(func.sum(TenureRow.answers), func.sum(TenureRow.late), func.sum(TenureRow.missed))
    answers, late, missed = session.exec(sums.where(TenureRow.address == address.lower())).one()
    return share_on_time(answers or 0, late or 0, missed or 0)


def share_on_time(answers: int, late: int, missed: int) -> int | None:
    """Per cent of questions that were answered in time, ``late`` being among the ``answers``; None if there were
    none."""
    return None if not answers + missed else round(100 * (answers - late) / (answers + missed))


def check_floor(session: Session, floor: int, name: str, address: str) -> None:
    """``ValueError`` if a game asks for a greater share of answers in time than the person at ``address`` has. Who has
    no earlier answers passes."""
    share = on_time(session, address) if floor else None
    if share is not None and share < floor:
        raise ValueError(f"{name} has answered {share} % of all questions in time; this game asks for {floor} %")


def answers_in(table: Table, moves: Iterable[Move], at: datetime) -> Mapping[str, datetime]:
    """Players who have answered by ``moves`` -> the moment of the answer: for sealed orders when they were sealed, else
    ``at``."""
    found: dict[str, datetime] = {}
    for move in moves:
        if move.origin not in _NOT_HIS and move.player not in found:
            found[move.player] = (_sealed_at(table, move.player) or at) if move.origin == "sealed" else at
    return found


def _sealed_at(table: Table, player: str) -> datetime | None:
    wanted = select(func.max(SealedRow.created_at)).where(
        SealedRow.game == table.row.id, SealedRow.player == player, SealedRow.status == "opened"
    )
    return table.sitting.session.exec(wanted).one()


def _open(seat: SeatRow) -> SelectOfScalar[TenureRow]:
    return select(TenureRow).where(TenureRow.seat == seat.id, col(TenureRow.ended_at).is_(None))
