"""Pauses of a game: at once or announced, with or without a day on which it goes on by itself."""

from __future__ import annotations

from datetime import datetime

from moderator.adapters.tables import GameRow
from moderator.domain.clocks import wall
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.play.holds import notice_to_all
from moderator.service.play.masters.acts import under_way
from moderator.service.table.acts import note_act
from moderator.service.table.clocks import charge, open_deadlines
from moderator.service.table.table import open_table

Moment = tuple[datetime, str]
"""A wall time and its zone."""


def pause(desk: Desk, game: str, reason: str = "", *, begin: Moment | None = None, until: Moment | None = None) -> None:
    """Pause a game, now or at ``begin``: no order is carried out and no deadline ends until ``resume``, or the moment
    ``until``. A paused game can be given another reason or another end. ``ValueError`` if the game is over or held, if
    nothing would change, or if a moment is past."""
    with desk.sitting() as sitting:
        pause_in(sitting, game, reason, begin=begin, until=until)


def pause_in(
    sitting: Sitting, game: str, reason: str = "", *, begin: Moment | None = None, until: Moment | None = None,
    trial: bool = False,
) -> None:  # fmt: skip
    """The same in a sitting that is open. In a ``trial`` everything is checked and nothing is done."""
    now = sitting.now()
    start = wall.instant(*begin) if begin is not None else None
    end = wall.instant(*until) if until is not None else None
    for moment, said in ((start, begin), (end, until)):
        if moment is not None and said is not None and moment <= now:
            raise ValueError(f"{said[0]:%Y-%m-%d %H:%M} {said[1]} is past")
    if start is not None and end is not None and end <= start:
        raise ValueError("the pause would end before it begins")
    row = under_way(sitting.session, game)
    if row.waits and row.status != "paused":
        raise ValueError(
            f"{game} is already on hold, because its log no longer leads to the position that players were told"
        )
    if row.status == "paused" and start is not None:
        raise ValueError(f"{game} is paused already")
    if row.status == "paused" and end == row.resume_at and reason in ("", row.reason):
        raise ValueError(f"{game} is paused already")
    if trial:
        return
    row.resume_at, row.pause_from = end, start
    when = " ".join(part for part in (_said("from", begin), _said("until", until)) if part)
    note_act(sitting, row, "pause", ": ".join(part for part in (when, reason) if part))
    row.reason = reason or (row.reason if row.status == "paused" else "")
    if start is None:
        begin_pause(sitting, row, reason)
    else:
        notice_to_all(open_table(sitting, row), "pause_announced", pause_facts(row, reason))


def begin_pause(sitting: Sitting, row: GameRow, reason: str) -> None:
    """Pause a game now, charge the players whose answers are awaited for the time until now, and tell everybody."""
    table = open_table(sitting, row)
    if row.status != "paused":
        for deadline in open_deadlines(sitting.session, row.id):
            seat = table.seat_of(deadline.player)
            if seat is not None:
                charge(table, seat, deadline)
    row.status = "paused"
    notice_to_all(table, "paused", pause_facts(row, reason))


def pause_facts(row: GameRow, reason: str) -> Facts:
    """The facts about a pause for the words about it: its reason, and the moments at which it begins and ends, if they
    are known."""
    return {"reason": reason, "begin": row.pause_from, "until": row.resume_at}


def _said(word: str, moment: Moment | None) -> str:
    return "" if moment is None else f"{word} {moment[0]:%Y-%m-%d %H:%M} {moment[1]}"
