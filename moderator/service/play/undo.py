"""Takes orders back: the log keeps them, and everybody is told."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import PlayerId
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, SeatRow
from moderator.domain.asks import question
from moderator.domain.transcript import Transcript
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_games
from moderator.service.past.log import lines_of, standing
from moderator.service.past.replay import Departure
from moderator.service.play.waiting import write_adoption
from moderator.service.post.outbox import queue
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.notices import note_questions, turn_mail
from moderator.service.table.seats import info_for, seats_of


def undo(desk: Desk, game_id: str, number: int, why: str = "") -> int:
    """Go back to the position after ``number`` orders and tell everyone. Returns the number of orders taken back. The
    log keeps them, and ``why``. Held orders are given back: they were meant for a game that took another course.
    ``ValueError`` if there is no such game or number."""
    with desk.sitting() as sitting:
        row = lock_games(sitting.session, (game_id,)).get(game_id)
        if row is None:
            raise ValueError(f"there is no game {game_id!r}")
        if not row.orders:
            raise ValueError(f"{game_id} has no orders that could be taken back")
        if not 0 <= number < row.orders:
            raise ValueError(
                f"{game_id} has {row.orders} order{'' if row.orders == 1 else 's'}; undo can keep 0"
                + (f" to {row.orders - 1} of them" if row.orders > 1 else " of them")
            )  # fmt: skip
        before = desk.games.get(sitting.session, row)
        game = before.game.fork()
        taken = [before.write_order(order) for order in game.orders[number:]]
        adopted = standing(lines_of(sitting.session, row.id, row.at)).base
        game.undo(number)
        now = desk.clock.now()
        entry = EntryRow(
            game=row.id, at=row.at, kind="undo", orders=number, text=why, origin="master", created_at=now,
            digest=game.told_digest(),
        )  # fmt: skip
        sitting.session.add(entry)
        row.at += 1
        row.orders, row.finished_at = number, None
        row.status = row.status if row.status == "paused" else "running"
        live = Live(row.id, game, before.vocabulary, row.at)
        if number < adopted:  # what was adopted is taken back, and a replay would depart once more
            why_adopted = Departure(number, row.at, "", "", (f"undo to before the position after order {adopted}",))
            live, row.hold = write_adoption(sitting, row, live, why_adopted), None
        elif row.hold is not None:  # perhaps what departed is taken back
            row.hold, row.fingerprint = None, ""
            desk.games.examine(sitting.session, row)
            live = Live(row.id, game, before.vocabulary, row.at)
        seats = seats_of(sitting.session, row.id)
        for seat in seats:
            seat.since, seat.question = row.at, question(game, seat.player)
            seat.told = min(seat.told, number)
        note_questions(sitting, row, live, seats, {seat.player for seat in seats})
        for seat in seats:
            _tell_undo(sitting, row, live, seats, seat, taken, why)
    desk.games.put(live)
    return len(taken)


def _tell_undo(
    sitting: Sitting,
    row: GameRow,
    live: Live,
    seats: list[SeatRow],
    seat: SeatRow,
    taken: list[str],
    why: str,
) -> None:
    held: list[HeldRow] = list(waiting_rows(sitting.session, row.id, seat.player))
    for one in held:
        one.status, one.closed_at = "undone", sitting.now()
    facts = {"number": row.orders, "orders": tuple(taken), "why": why}
    notes: list[tuple[str, Mapping[str, object]]] = [("undo", facts)]
    if held:
        notes.append(("withdrawn", {"count": len(held), "texts": tuple(h.text for h in held)}))
    transcript = Transcript(row.id, seat.player, (), (), 0, "undone", tuple(notes), row.at)
    info = info_for(sitting, row, live, seats, seat)
    queue(sitting, "transcript", sitting.words.held_mail(live.game, info, transcript), row, seat, info)
    if question(live.game, PlayerId(seat.player)):
        turn_mail(sitting, row, live, seats, seat)
