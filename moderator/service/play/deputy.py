"""Orders for a player who does not answer: those that the rules have for silence, the default of his decision, or the
orders of a robot that moves for him until he is back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from sqlalchemy import func, text
from sqlmodel import col, select

from engine import Ask, Game, Refused, default_course
from engine.core.orders import Order
from engine.robots import sensible
from moderator.adapters.tables import CARED, DeadlineRow, GameRow, SeatRow
from moderator.domain.ahead.orders import told_ahead
from moderator.domain.asks import asks_of
from moderator.domain.fork import Fork, Origin
from moderator.service.desk import Desk
from moderator.service.games import Live
from moderator.service.play.again.course import joined, settle_all, told_again
from moderator.service.play.again.rows import update
from moderator.service.play.holds import notice_to_all
from moderator.service.play.moves import write_moves
from moderator.service.play.reminders import tell_named_master
from moderator.service.play.sealed_orders import Opened, open_when_complete, with_opening
from moderator.service.post.outbox import queue_operator
from moderator.service.table import held_rows
from moderator.service.table.acts import note_act
from moderator.service.table.clocks import timetable_of
from moderator.service.table.foreseen import look_again
from moderator.service.table.notices import news_mail, note_questions, notice, tell, turn_mail
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table
from moderator.service.table.tenure import answers_in

_LONGEST_TURN: Final = 200
"""No turn has more orders than this."""

Choose = Callable[[Game, Ask], Order]


def answer_for_silence(table: Table, seat: SeatRow) -> Live | None:
    """Give the answers that the rules have for silence, and open the sealed orders if this deadline was the last to
    wait for. Returns the game after that; None if nothing moves."""
    fork = Fork(table.game)
    for ask in asks_of(table.game, seat.player):
        if not ask.sealed and ask.silence is not None:
            _submit(table, fork, ask, ask.silence, "silence")
    return _write(table, fork, seat, open_when_complete(table, fork))


def act_on_lateness(desk: Desk) -> int:
    """Do what the tables have agreed on where an answer stays late and the grace has passed. Returns the number of
    answers."""
    late = func.coalesce(DeadlineRow.state, "") == "overdue"  # so that the index on moments is used, not that on states
    due = (
        select(DeadlineRow.id, DeadlineRow.game)
        .join(GameRow, col(GameRow.id) == col(DeadlineRow.game))
        .where(col(DeadlineRow.act_at) <= desk.clock.now(), late)
        .where(GameRow.status == "running")
        .order_by(col(DeadlineRow.act_at))
    )
    with desk.database.reading() as session:
        found = session.exec(due).all()
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            deadline = sitting.session.get(DeadlineRow, number)
            if deadline is not None and table.row.status == "running":
                _act(table, deadline)
    return len(found)


def _act(table: Table, deadline: DeadlineRow) -> None:
    seat = table.seat_of(deadline.player)
    deadline.act_at = None
    if deadline.state != "overdue" or seat is None or not seat.question:
        return
    late = timetable_of(table.row).late
    if late == "default":
        live = take_default(table, seat)
        if live is not None:
            table.sitting.desk.games.put(live)
    elif late == "robot":
        set_caretaker(table, seat, "robot")
    elif late == "open":
        set_caretaker(table, seat, "open")


def set_caretaker(table: Table, seat: SeatRow, caretaker: str, reason: str = "", key: str = "") -> None:
    """Let a robot move for the seat until its player is back (``robot``), offer the seat to somebody else (``open``),
    or give it back to its player (empty). Everybody is told, and the log keeps it. ``ValueError`` if that is so
    already. ``key``: the words for it, if they are not those of a player who does not answer."""
    if seat.caretaker == caretaker:
        raise ValueError(f"{seat.player}: nothing would change")
    facts = {"player": seat.player, "reason": reason, "service": table.sitting.settings.address}
    note_act(table.sitting, table.row, caretaker or "back", f"{seat.player}: {reason}" if reason else seat.player)
    key = key or (f"caretaker_{caretaker}" if caretaker else "caretaker_gone")
    relieved, seat.caretaker = seat.caretaker == "robot", caretaker
    notice_to_all(table, key, facts)
    queue_operator(table.sitting, table.sitting.words.operator_words(key, {"game": table.row.id, **facts}))
    tell_named_master(table, seat, f"master_{key}", facts)
    if relieved and seat.question:  # no turn mail has gone to the seat
        turn_mail(table, seat)


def move_for_absent(desk: Desk) -> int:
    """Let the robots move for the seats that they take care of. Returns the number of seats that they moved for."""
    asked = (
        select(SeatRow.id, SeatRow.game)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(text(CARED), SeatRow.caretaker == "robot", SeatRow.question != "", GameRow.status == "running")
        .order_by(col(SeatRow.id))
    )
    with desk.database.reading() as session:
        found = session.exec(asked).all()
    count = 0
    for number, game in found:
        live = None
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            seat = next((one for one in table.seats if one.id == number), None)
            if seat is not None and seat.caretaker == "robot" and seat.question and table.row.status == "running":
                live = _give(table, seat, sensible, "robot")
        if live is not None:
            desk.games.put(live)
            count += 1
    return count


def take_default(table: Table, seat: SeatRow) -> Live | None:
    """Give the defaults of the decisions that ``seat`` is asked for now, and tell its player. Returns the game after
    that; None if nothing moves."""
    fork = Fork(table.game)
    for ask in _open_to(table.game, seat):
        if ask in fork.game.asked():
            for default in default_course(fork.game, ask):
                _submit(table, fork, ask, default.order, "default")
    texts = tuple(table.live.write_order(move.order) for move in fork.moves)
    if texts:
        notice(table, seat, "default_taken", {"texts": texts})
    return _write(table, fork, seat, open_when_complete(table, fork))


def _give(table: Table, seat: SeatRow, choose: Choose, origin: Origin) -> Live | None:
    """Answer all that ``seat`` is asked now with the orders that ``choose`` finds, to the end of the turns. Returns the
    game after that; None if nothing moves."""
    fork, actors = Fork(table.game), {ask.actor for ask in _open_to(table.game, seat)}
    for _ in range(_LONGEST_TURN):
        asks = [ask for ask in _open_to(fork.game, seat) if ask.actor in actors]
        if not asks or fork.game.finished:
            break
        _submit(table, fork, asks[0], choose(fork.game, asks[0]), origin)
    return _write(table, fork, seat, open_when_complete(table, fork))


def _open_to(game: Game, seat: SeatRow) -> Iterable[Ask]:
    """The questions that may be answered for a player. A sealed order is his secret: the rules have one for silence."""
    return [ask for ask in asks_of(game, seat.player) if not ask.sealed]


def _submit(table: Table, fork: Fork, ask: Ask, order: Order, origin: Origin) -> None:
    if isinstance(fork.submit(order, ask.player, origin), Refused):
        raise RuntimeError(f"{table.row.id}: the order in place of a missing answer is refused: {ask}: {order}")


def _write(table: Table, fork: Fork, seat: SeatRow, opened: Opened) -> Live | None:
    """Store the moves, and tell everybody what follows from them."""
    if not fork.moves:
        return None
    settled, course = settle_all(table, fork, held_rows.waiting(table))
    moved = write_moves(table, fork)
    held_rows.write(moved, settled.closed)
    update(moved, course)
    note_questions(moved, fork.renewed, answers_in(moved, fork.moves, table.sitting.now()))
    told = joined(told_ahead(settled, table.live.write_order), told_again(moved, course), look_again(moved))
    ahead = with_opening(table, told, opened)
    alone = seat.player not in fork.renewed and not fork.game.finished and seat.caretaker != "robot"
    late = ahead.pop(seat.player, ()) if alone else ()
    tell(moved, fork.renewed, fork.moves, ahead)
    if alone:
        news_mail(moved, seat, late)
    return moved.live
