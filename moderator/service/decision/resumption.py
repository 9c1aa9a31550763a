"""Lets paused games go on: the orders that were kept are carried out first, then everybody is asked anew."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import union
from sqlmodel import col, select

from moderator.adapters.tables import GameRow, MailRow, PendingRow, SeatRow
from moderator.service.decision.sorting import sort_again
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game
from moderator.service.people import requests as pending
from moderator.service.play.answers import answer, tell_others
from moderator.service.play.holds import go_on, notice_to_all
from moderator.service.play.kept_orders import KEPT
from moderator.service.play.masters.acts import under_way
from moderator.service.play.masters.pauses import begin_pause
from moderator.service.play.turn import handle
from moderator.service.post.outbox import Reply
from moderator.service.table.acts import note_act
from moderator.service.table.clocks import open_deadlines
from moderator.service.table.stuck import Apart
from moderator.service.table.table import open_table
from moderator.service.table.trust import confirmed


def resume(desk: Desk, game: str, reason: str = "") -> None:
    """Let a paused game go on, or take back an announced pause. Orders that were kept are carried out; then players
    with open questions are asked anew, and have their whole time. ``ValueError`` if the game is neither paused nor
    about to be."""
    with desk.sitting() as sitting:
        resume_in(sitting, game, reason)


def resume_in(sitting: Sitting, game: str, reason: str = "", *, trial: bool = False) -> None:
    """The same in a sitting that is open. In a ``trial`` everything is checked and nothing is done."""
    row = under_way(sitting.session, game)
    if row.status != "paused" and row.pause_from is None:
        raise ValueError(f"{game} is not paused")
    if trial:
        return
    begun = row.status == "paused"
    row.pause_from = row.resume_at = None
    note_act(sitting, row, "resume", reason)
    if begun:
        _go_on(sitting, row, reason)
    else:
        row.reason = ""
        notice_to_all(open_table(sitting, row), "pause_off", {"reason": reason})


def keep_calendar(desk: Desk) -> int:
    """Begin and end the pauses whose moment has come. Returns their number."""
    now = desk.clock.now()
    due = select(GameRow.id).where(col(GameRow.status).in_(("running", "paused")))
    both = union(due.where(col(GameRow.pause_from) <= now), due.where(col(GameRow.resume_at) <= now))
    with desk.database.reading() as session:
        found = sorted(game for (game,) in session.execute(both))
    for game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            _follow(sitting, lock_game(sitting.session, game), now)
    return len(found)


def _follow(sitting: Sitting, row: GameRow, now: datetime) -> None:
    """Begin or end the pause of ``row`` if its moment has come. One that would begin and end at once is left out."""
    if row.status not in ("running", "paused"):
        return
    begins = row.pause_from is not None and row.pause_from <= now
    ends = row.resume_at is not None and row.resume_at <= now
    if begins:
        row.pause_from = None
        if not ends:
            begin_pause(sitting, row, row.reason)
    if ends:
        row.resume_at = None
        if row.status == "paused":
            note_act(sitting, row, "resume", "")
            _go_on(sitting, row, "")


def _go_on(sitting: Sitting, row: GameRow, reason: str) -> None:
    """Let a paused game go on: first the orders that were kept, each as if it came now, then everybody is asked
    anew."""
    row.status, row.reason = "running" if row.hold is None else "held", ""
    for deadline in open_deadlines(sitting.session, row.id):
        deadline.asked_at = sitting.now()  # the pause counts against nobody
    kept = (
        select(PendingRow, SeatRow)
        .join(SeatRow, col(SeatRow.id) == col(PendingRow.seat))
        .where(SeatRow.game == row.id, PendingRow.kind == KEPT, PendingRow.state == "open")
        .order_by(col(PendingRow.mail))
    )
    for pending_row, seat in sitting.session.exec(kept).all():
        _carry_out(sitting, pending_row, seat)
    table = open_table(sitting, row)
    sitting.desk.games.put(table.live)
    if not row.over:
        go_on(table, "resumed", {"reason": reason})


def _carry_out(sitting: Sitting, row: PendingRow, seat: SeatRow) -> None:
    """Carry out the orders of one mail that was kept, and answer it. Its origin was judged when it came."""
    row.state = "done"
    mail = sitting.session.get(MailRow, row.mail) if row.mail is not None else None
    found = [] if mail is None or mail.emptied_at is not None else sort_again(sitting, mail)
    said = next((one for one in found if one.seat.id == seat.id), None)
    if said is None or mail is None:
        pending.write(sitting, seat, ("kept_lost", {}))
        return
    origin = confirmed(sitting.desk, mail.sender)
    said = replace(said, origin=origin, notes=(*said.notes, ("kept_done", {})))
    result = handle(sitting, said, mail)
    answer(sitting, [result], Reply(mail))
    tell_others(result)
