"""Sweeps the deadlines. If the rules have an answer for silence, it is given; otherwise everybody is told who is
late."""

from __future__ import annotations

from sqlalchemy import exists
from sqlmodel import col, select

from engine import Refused
from moderator.adapters.tables import WAITING, DeadlineRow, GameRow, MailRow, SeatRow
from moderator.domain.asks import asks_of
from moderator.domain.fork import Fork
from moderator.domain.orders_ahead import settle, told_ahead
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.play.moves import write_moves
from moderator.service.play.reminders import remind, tell_late
from moderator.service.play.sealed_orders import open_when_complete, unanswered, with_opening
from moderator.service.service_facts import forget
from moderator.service.table import held_rows
from moderator.service.table.notices import news_mail, note_questions, tell
from moderator.service.table.stuck import STUCK, Apart
from moderator.service.table.table import Table, open_table


def sweep_deadlines(desk: Desk) -> int:
    """Handle every question whose time is up, once. Returns their number. A game that cannot be handled is reported to
    the operator, and holds up no other."""
    remind(desk)
    count = 0
    stuck: list[str] = []
    while (found := _next_due(desk, stuck)) is not None:
        number, game = found
        with Apart(desk, game, "deadline") as tried:
            with desk.sitting() as sitting:
                live = _late(sitting, number)
                forget(sitting.session, STUCK + game)
            if live is not None:
                desk.games.put(live)
            count += 1
        if tried.failed:
            stuck.append(game)
    return count


def _next_due(desk: Desk, without: list[str]) -> tuple[int, str] | None:
    lost = exists().where(
        col(SeatRow.game) == DeadlineRow.game,
        col(SeatRow.player) == DeadlineRow.player,
        col(SeatRow.unreachable_at).is_not(None),
    )  # a player who cannot be reached is not late
    in_time = exists().where(
        col(MailRow.outcome).is_(None), col(MailRow.received_at) <= DeadlineRow.due_at
    )  # a mail that came in time and is not decided may be the answer
    waits = exists().where(col(GameRow.id) == DeadlineRow.game, col(GameRow.status).in_(WAITING))
    due = (
        select(DeadlineRow.id, DeadlineRow.game)
        .where(DeadlineRow.state == "open", DeadlineRow.due_at <= desk.clock.now(), ~lost, ~in_time, ~waits)
        .where(col(DeadlineRow.game).not_in(without))
        .order_by(col(DeadlineRow.due_at), col(DeadlineRow.id))
        .limit(1)
    )
    with desk.database.reading() as session:
        found = session.exec(due).first()
    return None if found is None or found[0] is None else (found[0], found[1])


def _late(sitting: Sitting, number: int) -> Live | None:
    """Handle one question whose time is up. Returns the game after it, if it has moved."""
    deadline = sitting.session.get(DeadlineRow, number)
    if deadline is None:
        return None
    row = lock_game(sitting.session, deadline.game)
    sitting.session.refresh(deadline)  # an answer may have come meanwhile
    if deadline.state != "open":
        return None
    table = open_table(sitting, row)
    if row.waits:  # this was found out just now: its clocks stand still
        return None
    deadline.state = "overdue"
    seat = table.seat_of(deadline.player)
    if row.status != "running" or seat is None or not seat.question:
        return None
    moved = _answer_for_silence(table, seat)
    if moved is None and any(ask.silence is None for ask in unanswered(table, seat.player)):
        tell_late(table, seat, deadline)
    return moved


def _answer_for_silence(table: Table, seat: SeatRow) -> Live | None:
    """Give the answers that the rules have for silence, and open the sealed orders if this deadline was the last to
    wait for. Returns the game after that; None if nothing moves."""
    fork = Fork(table.game)
    for ask in asks_of(table.game, seat.player):
        if ask.sealed or ask.silence is None:
            continue
        if isinstance(fork.submit(ask.silence, seat.player, "silence"), Refused):
            raise RuntimeError(f"{table.row.id}: the order in place of a missing answer is refused: {ask}")
    opened = open_when_complete(table, fork)
    if not fork.moves:
        return None
    settled = settle(fork, held_rows.waiting(table))
    moved = write_moves(table, fork)
    held_rows.write(moved, settled.closed)
    note_questions(moved, fork.renewed)
    ahead = with_opening(table, told_ahead(settled, table.live.write_order), opened)
    late = () if seat.player in fork.renewed or fork.game.finished else ahead.pop(seat.player, ())
    tell(moved, fork.renewed, fork.moves, ahead)
    if seat.player not in fork.renewed and not fork.game.finished:
        news_mail(moved, seat, late)
    return moved.live
