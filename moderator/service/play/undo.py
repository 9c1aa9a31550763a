"""Takes orders back: the log keeps them, and everybody is told."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Game
from engine.core.view import holds_sealed
from moderator.adapters.tables import EntryRow, GameRow, SeatRow
from moderator.domain.counts import counted
from moderator.domain.transcript import Note
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_games
from moderator.service.past.log import lines_of, standing
from moderator.service.past.replay import Departure
from moderator.service.play.holds import write_adoption
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.notices import ask_anew, held_mail, turn_mail
from moderator.service.table.sealed_rows import given_back
from moderator.service.table.table import Table, open_table


@dataclass(frozen=True, slots=True)
class Earlier:
    """The effect of an undo: the game as it stands then, and the orders ``taken`` back, as they are written. ``held``
    is the number of rows of held orders that are cancelled; one mail may have given several."""

    game: Game
    taken: tuple[str, ...]
    held: int


def foresee_undo(desk: Desk, game_id: str, number: int) -> Earlier:
    """The effect that ``undo`` would have; nothing is changed. ``ValueError`` as for ``undo``."""
    with desk.looking() as sitting:
        row = sitting.session.get(GameRow, game_id)
        return _earlier(open_table(sitting, _with_order(row, game_id, number)), number)


def undo(desk: Desk, game_id: str, number: int, why: str = "") -> int:
    """Go back to the position after ``number`` orders and tell everyone. Returns the number of orders taken back. The
    log keeps them, and ``why``. Held orders are cancelled, because they were meant for a game that took another course;
    their players are told. Orders that were opened together are taken back together, and are sealed again.
    ``ValueError`` if there is no such game or number."""
    with desk.sitting() as sitting:
        count, live = undo_in(sitting, game_id, number, why)
    desk.games.put(live)
    return count


def undo_in(sitting: Sitting, game_id: str, number: int, why: str = "", *, trial: bool = False) -> tuple[int, Live]:
    """The same in a sitting that is open. Returns the game as it stands then, too: it counts once the sitting is
    committed. In a ``trial`` everything is checked and nothing is done."""
    row = _with_order(lock_games(sitting.session, (game_id,)).get(game_id), game_id, number)
    before = open_table(sitting, row)
    earlier = _earlier(before, number)
    game, taken = earlier.game, earlier.taken
    if trial:
        return len(taken), before.live
    number = len(game.orders)
    adopted = standing(lines_of(sitting.session, row.id, row.at)).base
    entry = EntryRow(
        game=row.id, at=row.at, kind="undo", orders=number, text=why, origin="master", created_at=sitting.now(),
        digest=game.told_digest(),
    )  # fmt: skip
    sitting.session.add(entry)
    row.at += 1
    row.orders, row.finished_at = number, None
    row.status = row.status if row.status == "paused" else "running"
    table = before.after(game)
    if number < adopted:  # the adopted position is taken back, and a replay would depart again
        why_adopted = Departure(number, row.at, "", "", (f"undo to before the position after order {adopted}",))
        table, row.hold = write_adoption(table, why_adopted), None
    elif row.hold is not None:  # perhaps the order that departed is taken back
        row.hold, row.fingerprint = None, ""
        sitting.games.examine(sitting.session, row)
        table = table.after(game)
    for seat in table.seats:
        seat.told = min(seat.told, number)
    given_back(table)
    ask_anew(table)
    for seat in table.seats:
        _tell_undo(table, seat, taken, why)
    return len(taken), table.live


def _with_order(row: GameRow | None, game_id: str, number: int) -> GameRow:
    """The row of a game that has more than ``number`` orders. ``ValueError`` if there is none."""
    if row is None:
        raise ValueError(f"there is no game {game_id!r}")
    if not row.orders:
        raise ValueError(f"{game_id} has no orders to take back")
    if not 0 <= number < row.orders:
        raise ValueError(
            f"{game_id} has {counted(row.orders, 'order')}; undo can keep 0"
            + (f" to {row.orders - 1} of them" if row.orders > 1 else " of them")
        )
    return row


def _earlier(table: Table, number: int) -> Earlier:
    game = table.game.fork()
    while number and holds_sealed(game.at(number)):  # sealed orders are opened together, and taken back together
        number -= 1
    taken = tuple(table.live.write_order(order) for order in game.orders[number:])
    game.undo(number)
    held = sum(len(waiting_rows(table.sitting.session, table.row.id, seat.player)) for seat in table.seats)
    return Earlier(game, taken, held)


def _tell_undo(table: Table, seat: SeatRow, taken: tuple[str, ...], why: str) -> None:
    held = waiting_rows(table.sitting.session, table.row.id, seat.player)
    for one in held:
        one.status, one.closed_at = "undone", table.sitting.now()
    notes: list[Note] = [("undo", {"number": table.row.orders, "orders": taken, "why": why})]
    if held:
        notes.append(("withdrawn", {"count": len(held), "texts": tuple(h.text for h in held)}))
    held_mail(table, seat, tuple(notes), "undone")
    if seat.question:
        turn_mail(table, seat)
