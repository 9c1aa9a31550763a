"""Handles outages, times in which nobody could play: the deadlines in an outage and soon after it are moved, and
players are told (fault 61).

Mails that came in time must be decided first, so the caller takes in all mail before it calls this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlmodel import col, select

from moderator.adapters.tables import DeadlineRow, GameRow
from moderator.domain.clocks import wall
from moderator.service.desk import Desk, Sitting
from moderator.service.operation.lost_time import given_back, prolong
from moderator.service.post.outbox import queue_operator, silence_of
from moderator.service.service_facts import forget, recall, recall_to_change, remember
from moderator.service.table.clocks import put_off, time_for
from moderator.service.table.notices import notice
from moderator.service.table.stuck import told_if_possible
from moderator.service.table.table import open_table, seats_of

_KEY: Final = "outage"


def note(sitting: Sitting, since: datetime, until: datetime) -> None:
    """Note that nobody could play from ``since`` to ``until``. An outage that is not settled yet is extended. Requests
    and votes wait longer at once, because an answer that came meanwhile is decided before deadlines are moved."""
    before = _span(recall_to_change(sitting.session, _KEY))
    if before is None:
        prolong(sitting.session, since, until)
    else:
        if since < before[0]:
            prolong(sitting.session, since, before[0])
        if until > before[1]:
            prolong(sitting.session, before[1], until)
        since, until = min(since, before[0]), max(until, before[1])
    remember(sitting, _KEY, {"since": since.isoformat(), "until": until.isoformat()})


def pending(desk: Desk) -> tuple[datetime, datetime] | None:
    """The start and end of an outage whose deadlines have not been moved yet; None if there is none."""
    with desk.database.reading() as session:
        return _span(recall(session, _KEY))


def _span(kept: dict[str, Any] | None) -> tuple[datetime, datetime] | None:
    if kept is None:
        return None
    return datetime.fromisoformat(kept["since"]), datetime.fromisoformat(kept["until"])


def settle(desk: Desk) -> int:
    """Move the deadlines that fell into the outage. Returns their number. Moved deadlines lie beyond it, so this can be
    interrupted and done again."""
    span = pending(desk)
    if span is None:
        return 0
    since, until = span
    moved = 0
    for game in _games_hit(desk, since, until):
        moved += told_if_possible(desk, game, partial(_move, game=game, since=since, until=until))
    with desk.sitting() as sitting:
        # the thread that sends may have found a longer outage meanwhile
        if _span(recall_to_change(sitting.session, _KEY)) == span:
            forget(sitting.session, _KEY)
        if moved:
            facts = {"since": _said(since), "until": _said(until), "count": moved}
            queue_operator(sitting, desk.words.operator_words("outage", facts))
    return moved


def _near(since: datetime, until: datetime) -> Any:
    """The condition for answers whose time ended in the outage, or ends so soon after it that less may be left than it
    lasted; or, if they are late, after which something was to follow then."""
    soon = until + (until - since)
    due, act = col(DeadlineRow.due_at), col(DeadlineRow.act_at)
    still_open = (col(DeadlineRow.state) == "open") & (due >= since) & (due <= soon)
    late = (col(DeadlineRow.state) == "overdue") & (act >= since) & (act < soon)
    return still_open | late


def _games_hit(desk: Desk, since: datetime, until: datetime) -> list[str]:
    hit = select(DeadlineRow.game).where(_near(since, until)).distinct().order_by(col(DeadlineRow.game))
    with desk.database.reading() as session:
        return list(session.exec(hit).all())


def _move(sitting: Sitting, tell: bool, game: str, since: datetime, until: datetime) -> int:
    """Move the deadlines of one game, and ``tell`` their players. Returns the number of deadlines. If no mail can be
    written about the game, they are moved without it, so that nobody loses time."""
    session, now = sitting.session, sitting.now()
    row = session.exec(select(GameRow).where(GameRow.id == game).with_for_update()).one()
    if row.status != "running":
        return 0
    near = select(DeadlineRow).where(DeadlineRow.game == game, _near(since, until)).order_by(col(DeadlineRow.id))
    moved = []
    for deadline in session.exec(near).all():
        due, lasted = deadline.due_at, until - since
        least = until + min(lasted, time_for(row, deadline))
        if deadline.state == "open" and (due <= until or due < least):
            within = due <= until
            due += max(timedelta(hours=sitting.settings.outage_hours), lasted) if within else timedelta()
            put_off(session, row, deadline, max(due, least, until + timedelta(minutes=1)), now)
            moved.append((deadline, "outage" if within else "soon"))
        elif deadline.state == "overdue" and deadline.act_at is not None:
            deadline.act_at = max(deadline.act_at, until) + lasted
        else:
            continue
        deadline.asked_at = given_back(deadline.asked_at, since, until, now)
    session.flush()
    if tell:
        tell_moved(sitting, row, moved)
    return len(moved)


def tell_moved(sitting: Sitting, row: GameRow, moved: Iterable[tuple[DeadlineRow, str]]) -> None:
    """Tell the players whose deadlines have ``moved``, and why: ``outage``, ``soon`` (after one) or ``leap``."""
    table = open_table(sitting, row)
    for deadline, why in moved:
        seat = table.seat_of(deadline.player)
        if seat is not None and not silence_of(seat):
            notice(table, seat, "moved", {"why": why})


def follow_zones(desk: Desk) -> int:
    """Work out again the moments of deadlines that were given as a time of day, because governments change their
    clocks, and tell the players concerned (fault 59). Returns the number of deadlines that moved."""
    said = select(DeadlineRow.id, DeadlineRow.game, DeadlineRow.wall, DeadlineRow.due_at)
    with desk.database.reading() as session:
        rows = session.exec(said.where(DeadlineRow.state == "open", DeadlineRow.wall != "")).all()
    instants = {text: wall.instant(*wall.read(text)) for text in {text for *_, text, _ in rows}}
    moved = 0
    for number, game, text, due in rows:
        if instants[text] != due:
            moved += told_if_possible(desk, game, partial(_follow, number=number, game=game))
    return moved


def _follow(sitting: Sitting, tell: bool, number: int | None, game: str) -> bool:
    row = sitting.session.exec(select(GameRow).where(GameRow.id == game).with_for_update()).one()
    deadline = sitting.session.get(DeadlineRow, number)
    if deadline is None or deadline.state != "open" or not deadline.wall:
        return False
    due = wall.instant(*wall.read(deadline.wall))
    if deadline.due_at == due:  # another service has moved it meanwhile
        return False
    deadline.due_at = due
    sitting.session.flush()
    seat = next((one for one in seats_of(sitting.session, row.id) if one.player == deadline.player), None)
    if tell and row.status == "running" and seat is not None and not silence_of(seat):
        notice(open_table(sitting, row), seat, "zone", {})
    return True


def _said(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"
