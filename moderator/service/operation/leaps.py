"""Leaps of the machine's clock, once they are accepted: the time that the clock has skipped does not count (fault 60).

Nobody can tell whether the clock was wrong before the leap or is wrong now. So everybody who was asked before it keeps
the time that was left to him: neither the clock nor the date that he was told makes him late. A clock that was set back
makes nobody late: deadlines stay at the moments that were told.

Mails that came in time must be decided before ``settle``, as for outages.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlmodel import col, select

from moderator.adapters.tables import DeadlineRow, GameRow
from moderator.service.desk import Desk, Sitting
from moderator.service.operation.lost_time import given_back, prolong
from moderator.service.operation.outages import tell_moved
from moderator.service.post.outbox import queue_operator
from moderator.service.service_facts import all_kept, forget, recall_to_change, remember
from moderator.service.table.clocks import put_off
from moderator.service.table.stuck import told_if_possible

LEAP: Final = "leap "
"""Prefix of the keys of leaps whose deadlines have not been moved in all games yet."""


def note(sitting: Sitting, since: datetime, by: timedelta) -> None:
    """Note that the clock was set forward after ``since``. Requests and votes wait longer at once."""
    prolong(sitting.session, since, since + by)
    asked = select(DeadlineRow.game).where(DeadlineRow.state != "met").distinct().order_by(col(DeadlineRow.game))
    games = list(sitting.session.exec(asked).all())
    if games:
        value = {"since": since.isoformat(), "seconds": by.total_seconds(), "games": games, "moved": 0}
        remember(sitting, f"{LEAP}{sitting.now().isoformat()}", value)


def settle(desk: Desk) -> int:
    """Move the deadlines of all games that a leap has hit, each once. Returns their number."""
    with desk.database.reading() as session:
        kept = {key: row.value["games"] for key, row in all_kept(session, LEAP).items()}
    count = 0
    for key, games in kept.items():
        for game in games:
            told_if_possible(desk, game, partial(_move, key=LEAP + key, game=game))
        with desk.sitting() as sitting:
            value = recall_to_change(sitting.session, LEAP + key)
            if value is None or value["games"]:  # another service has settled it, or is about to
                continue
            forget(sitting.session, LEAP + key)
            count += value["moved"]
            if value["moved"]:
                facts = {"seconds": round(value["seconds"]), "count": value["moved"]}
                queue_operator(sitting, desk.words.operator_words("leap", facts))
    return count


def _move(sitting: Sitting, tell: bool, key: str, game: str) -> None:
    """Move the deadlines of one game, and ``tell`` their players unless no mail can be written about the game."""
    session, now = sitting.session, sitting.now()
    row = session.exec(select(GameRow).where(GameRow.id == game).with_for_update()).one()
    value = recall_to_change(session, key)
    if value is None or game not in value["games"]:
        return
    by, since = timedelta(seconds=value["seconds"]), datetime.fromisoformat(value["since"])
    moved: list[tuple[DeadlineRow, str]] = []
    if row.status == "running":  # otherwise everybody is asked anew when it goes on
        asked: Any = select(DeadlineRow).where(DeadlineRow.game == game, DeadlineRow.state != "met")
        for deadline in session.exec(asked.order_by(col(DeadlineRow.id))).all():
            if deadline.asked_at is not None and deadline.asked_at >= since + by:
                continue  # by the clock that was accepted
            deadline.asked_at = given_back(deadline.asked_at, since, since + by, now)
            if deadline.state == "open":
                put_off(session, row, deadline, deadline.due_at + by, now)
                moved.append((deadline, "leap"))
            elif deadline.act_at is not None:
                deadline.act_at += by
    value |= {"games": [one for one in value["games"] if one != game], "moved": value["moved"] + len(moved)}
    remember(sitting, key, value)
    session.flush()
    if tell:
        tell_moved(sitting, row, moved)
