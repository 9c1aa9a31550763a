"""The health of the service: one finding for each thing that can go wrong, with its remedy.

The database is examined here. The callers examine the servers and the room on the disk themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import case, literal_column, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from moderator.adapters.meter import BootMeter, Meter
from moderator.adapters.tables import UNDER_WAY, DeadlineRow, EntryRow, GameRow, MailRow, OutboxRow, SnapshotRow
from moderator.service.dead_letters import SKIPPED
from moderator.service.desk import Desk, Sitting
from moderator.service.operation.backup import LATEST
from moderator.service.operation.retention import sizes
from moderator.service.operation.supervision import ROUND, from_json
from moderator.service.past.examine import examined
from moderator.service.past.fingerprints import not_examined
from moderator.service.play.holds import MISLED
from moderator.service.post.outbox import PAUSED
from moderator.service.robots.budgets import open_breakers
from moderator.service.service_facts import FROZEN, all_kept, recall, remember
from moderator.service.table.stuck import STUCK

State = Literal["green", "look", "red"]
"""``look`` can wait for the operator's next quiet hour; ``red`` cannot wait."""

_QUARANTINE: Final = timedelta(days=7)
_ERRORS: Final = timedelta(days=3)
_LONGEST_PAUSE: Final = timedelta(minutes=5)
"""If no round has done its work for this long, nothing runs."""
_REFUSING: Final = timedelta(minutes=1)
"""Refusals are reported once no mail has gone out for this long, and every mail that was tried must be tried again."""
_WASTED: Final = 100_000_000
"""The number of bytes of a file that may be free before the operator is told."""
_LATEST: Final = 20
_NAMED: Final = 10
"""The number of games that are named in a line."""
_APART: Final[list[Any]] = [literal_column("'error'"), literal_column("'quarantine'")]
"""As the index on such mails has it."""
_ENOUGH: Final = 5
"""The fewest mails from which the finding on senders draws a conclusion."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``key`` names it, and with ``state`` selects its words ``health.KEY``; ``facts`` fill them in."""

    key: str
    state: State
    facts: dict[str, Any] = field(default_factory=dict)


def findings(desk: Desk, version: str, meter: Meter | None = None) -> list[Finding]:
    """All findings from the database. If it cannot be read, that is the only finding. ``meter`` is the machine's own
    unless a test gives another."""
    try:
        with desk.looking() as sitting:
            return list(_told(sitting, version, meter or BootMeter()))
    except SQLAlchemyError as error:
        return [Finding("database", "red", {"why": _cause(error)})]


def written(desk: Desk) -> Finding:
    """The finding of an attempt to write a row: red if that fails."""
    try:
        with desk.sitting() as sitting:
            remember(sitting, "health", {"at": desk.clock.now().isoformat()})
    except SQLAlchemyError as error:
        return Finding("database", "red", {"why": _cause(error)})
    return Finding("database", "green")


def red(found: list[Finding]) -> bool:
    return any(one.state == "red" for one in found)


def _cause(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or type(error).__name__)


def _told(sitting: Sitting, version: str, meter: Meter) -> Iterator[Finding]:
    now = sitting.now()
    looks: tuple[Callable[[], Finding], ...] = (
        lambda: _round(sitting.session, now, meter),
        lambda: _clock(sitting.session),
        lambda: _skipped(sitting.session),
        lambda: _waiting(sitting, now),
        lambda: _unsent(sitting, now),
        lambda: _failed(sitting.session, now),
        lambda: _errors(sitting.session, now),
        lambda: _quarantine(sitting.session, now),
        lambda: _stuck(sitting.session),
        lambda: _late(sitting.session),
        lambda: _breaker(sitting),
        lambda: _paused(sitting.session),
        lambda: _held(sitting.session),
        lambda: _rules(sitting, version),
        lambda: _snapshots(sitting.session),
        lambda: _senders(sitting),
        lambda: _backup(sitting, now),
        lambda: _size(sitting.session),
    )
    for look in looks:
        yield look()
    yield from _servers(sitting.session)
    yield from _refusals(sitting.session, now)


def _round(session: Session, now: datetime, meter: Meter) -> Finding:
    """The finding on the last round: how long ago it was by a count that no jump of the clock changes, if the machine
    was not restarted since."""
    kept = recall(session, ROUND)
    if kept is None:
        return Finding("scheduler", "red", {"minutes": None})
    last = from_json(kept)
    here = bool(meter.boot) and last.boot == meter.boot
    since = timedelta(seconds=meter.seconds() - last.running) if here else now - last.wall
    state: State = "red" if abs(since) > _LONGEST_PAUSE else "green"
    return Finding("scheduler", state, {"minutes": _minutes(since), "seconds": int(since.total_seconds())})


def _clock(session: Session) -> Finding:
    kept = recall(session, FROZEN + "clock")
    if kept is None:
        return Finding("clock", "green")
    facts = {"seconds": round(float(kept["by"])), "since": _short(str(kept["since"])), "apart": bool(kept.get("apart"))}
    return Finding("clock", "red", facts)


def _skipped(session: Session) -> Finding:
    """The finding on what lies in the mailbox and cannot be read."""
    values = [row.value for row in all_kept(session, SKIPPED).values()]
    count = sum(int(value["count"]) for value in values)
    named = [{"name": name, "why": why} for value in values for name, why in value["names"].items()][:_NAMED]
    return Finding("skipped", "look" if count else "green", {"count": count, "named": named})


def _servers(session: Session) -> Iterator[Finding]:
    """The servers that are away, as the running service found them."""
    for name, row in all_kept(session, FROZEN).items():
        if name in ("imap", "smtp"):
            facts = {"since": _short(str(row.value["since"])), "why": str(row.value["why"])}
            yield Finding(f"{name}_away", "red", facts)


def _refusals(session: Session, now: datetime) -> Iterator[Finding]:
    """The finding on an outgoing server that answers and accepts nothing: for a while every mail was to be tried again.
    If all mails have one recipient, it may be his server that makes us wait."""
    sent: datetime | None = session.exec(select(func.max(OutboxRow.sent_at))).one()
    tried = (OutboxRow.state == "queued", OutboxRow.attempts > 0)
    since = () if sent is None else (OutboxRow.created_at >= sent,)
    found = select(func.count(), func.count(col(OutboxRow.recipient).distinct()), func.min(OutboxRow.created_at))
    count, recipients, first = session.exec(found.where(*tried, *since)).one()
    if not count or now - first < _REFUSING:
        return
    last = select(OutboxRow.error).where(*tried, *since).order_by(col(OutboxRow.id).desc()).limit(1)
    facts = {"count": count, "minutes": _minutes(now - first), "why": session.exec(last).one()}
    yield Finding("refusals", "red" if recipients > 1 else "look", facts)


def _waiting(sitting: Sitting, now: datetime) -> Finding:
    first, count = sitting.session.exec(
        select(func.min(MailRow.id), func.count()).where(col(MailRow.outcome).is_(None))
    ).one()
    row = sitting.session.get(MailRow, first) if first is not None else None
    if row is None:
        return Finding("waiting", "green", {"count": 0})
    late = now - row.received_at
    state: State = "red" if late > timedelta(minutes=sitting.settings.late_minutes) else "green"
    return Finding("waiting", state, {"count": count, "mail": row.id, "minutes": _minutes(late)})


def _unsent(sitting: Sitting, now: datetime) -> Finding:
    due = case((col(OutboxRow.next_attempt) <= now, col(OutboxRow.next_attempt)))
    wanted = select(func.count(), func.count(due), func.min(due), func.min(OutboxRow.created_at))
    found = sitting.session.exec(wanted.where(OutboxRow.state == "queued")).one()
    count, later = found[0], found[0] - found[1]
    first: datetime | None = found[2]
    oldest: datetime | None = found[3]
    late = now - first if first is not None else timedelta(0)
    paused = recall(sitting.session, PAUSED) is not None
    state: State = "red" if not paused and late > timedelta(minutes=sitting.settings.late_minutes) else "green"
    age = _minutes(now - oldest) if oldest is not None else 0
    return Finding("unsent", state, {"count": count, "later": later, "minutes": _minutes(late), "age": age})


def _failed(session: Session, now: datetime) -> Finding:
    lately = (col(OutboxRow.state) == "failed", OutboxRow.created_at > now - _QUARANTINE, OutboxRow.attempts > 0)
    count = session.exec(select(func.count()).where(*lately)).one()
    return Finding("failed", "look" if count else "green", {"count": count})


def _errors(session: Session, now: datetime) -> Finding:
    wanted = select(MailRow.id, MailRow.decided_at).where(col(MailRow.outcome).in_(_APART), MailRow.outcome == "error")
    every = session.exec(wanted.order_by(col(MailRow.id).desc())).all()
    fresh = [number for number, decided in every if decided is not None and decided > now - _ERRORS]
    state: State = "red" if fresh else "look" if every else "green"
    return Finding("errors", state, {"count": len(every), "mails": tuple(str(number) for number, _ in every[:10])})


def _quarantine(session: Session, now: datetime) -> Finding:
    apart = col(MailRow.outcome).in_(_APART)
    lately = (apart, MailRow.outcome == "quarantine", col(MailRow.received_at) > now - _QUARANTINE)
    count = session.exec(select(func.count()).select_from(MailRow).where(*lately)).one()
    return Finding("quarantine", "look" if count else "green", {"count": count})


def _stuck(session: Session) -> Finding:
    games = tuple(all_kept(session, STUCK))
    return Finding("games", "red" if games else "green", {"games": games})


def _late(session: Session) -> Finding:
    """The finding on answers that are late in running games, the oldest first."""
    late = (
        select(DeadlineRow)
        .join(GameRow, col(GameRow.id) == col(DeadlineRow.game))
        .where(DeadlineRow.state == "overdue", GameRow.status == "running")
    )
    count = session.exec(select(func.count()).select_from(late.subquery())).one()
    rows = session.exec(late.order_by(col(DeadlineRow.due_at), col(DeadlineRow.id)).limit(_NAMED)).all()
    named = tuple({"game": r.game, "player": r.player, "due": f"{r.due_at:%Y-%m-%d %H:%M}"} for r in rows)
    return Finding("late", "look" if count else "green", {"count": count, "named": named})


def _breaker(sitting: Sitting) -> Finding:
    """The finding on open breakers. That of players is red, because a program may be answering for some of them; the
    others only need a look."""
    found = open_breakers(sitting)
    if not found:
        return Finding("breaker", "green")
    state: State = "red" if found[0].group == "seats" else "look"
    groups = tuple({"group": one.group, "count": one.count, "until": f"{one.until:%Y-%m-%d %H:%M}"} for one in found)
    return Finding("breaker", state, {"groups": groups})


def _paused(session: Session) -> Finding:
    kept = recall(session, PAUSED)
    if kept is None:
        return Finding("outbox", "green")
    return Finding("outbox", "red", {"made": kept.get("made", "")})


def _held(session: Session) -> Finding:
    """The finding on games that wait because their past differs from what was told."""
    found = session.exec(select(GameRow.id).where(col(GameRow.status) == "held").order_by(col(GameRow.id))).all()
    return Finding("held", "red" if found else "green", {"games": tuple(found)})


def _rules(sitting: Sitting, version: str) -> Finding:
    """The finding on running games whose logs have not been replayed under the rules of this program."""
    found: list[str] = []
    games = sitting.games
    for row in not_examined(lambda: nullcontext(sitting.session), games.title_of, games.current):
        try:
            known = examined(row, games.title_of(row))
        except ValueError:  # this program has no such title
            known = False
        found += [] if known else [row.id]
    found.sort()
    facts = {"version": version, "count": len(found), "games": tuple(found[:_NAMED])}
    return Finding("rules", "look" if found else "green", facts)


def _snapshots(session: Session) -> Finding:
    """The finding on games with a snapshot that does not agree with the log. Of each game under way the snapshot is
    compared from which it is loaded; `railpost record verify` with `--database` compares all."""
    every = aliased(SnapshotRow)
    latest = select(every.game, func.max(every.at).label("at")).group_by(every.game).subquery()
    last = (
        select(GameRow.id)
        .join(latest, latest.c.game == col(GameRow.id))
        .join(SnapshotRow, (col(SnapshotRow.game) == col(GameRow.id)) & (col(SnapshotRow.at) == latest.c.at))
        .join(EntryRow, (col(EntryRow.game) == col(GameRow.id)) & (col(EntryRow.at) == col(SnapshotRow.at) - 1))
        .where(text(f"game.{UNDER_WAY}"))
        .where(EntryRow.digest != "", EntryRow.digest != SnapshotRow.digest, EntryRow.orders == SnapshotRow.orders)
    )
    found = sorted({*session.exec(last).all(), *all_kept(session, MISLED)})
    return Finding("snapshots", "look" if found else "green", {"games": tuple(found[:_NAMED])})


def _senders(sitting: Sitting) -> Finding:
    """The finding on our mail server's verdicts about senders. Two settings say where they stand; if the settings are
    wrong, no verdict is found and no forged mail is noticed."""
    looked_at = select(MailRow.id, MailRow.verdict).where(MailRow.verdict != "", MailRow.sender != "")
    rows = sitting.session.exec(looked_at.order_by(col(MailRow.id).desc()).limit(_LATEST)).all()
    name = sitting.settings.authserv_id
    found = sum(verdict != "none" for _, verdict in rows)
    facts = {
        "name": name, "hops": sitting.settings.authserv_hops, "count": len(rows), "found": found,
        "mail": rows[0][0] if rows else None,
    }  # fmt: skip
    return Finding("senders", "look" if name and not found and len(rows) >= _ENOUGH else "green", facts)


def _backup(sitting: Sitting, now: datetime) -> Finding:
    """The finding on the newest copy and its age. If there is none, the age counts from the start of the oldest running
    game."""
    kept, most = recall(sitting.session, LATEST), sitting.settings.backup_hours
    begun: datetime | None = sitting.session.exec(
        select(func.min(GameRow.created_at)).where(GameRow.status == "running")
    ).one()
    made = datetime.fromisoformat(str(kept["made"])) if kept is not None else None
    state: State = "green"
    if most and begun is not None:
        unsaved, allowed = now - max(begun, made or begun), timedelta(hours=most)
        state = "red" if unsaved > 3 * allowed else "look" if unsaved > allowed else "green"
    since = made if made is not None or state == "green" else begun
    hours = None if since is None else _minutes(now - since) // 60
    return Finding("backup", state, {"most": most, "hours": hours, "file": str(kept["file"]) if kept else ""})


def _size(session: Session) -> Finding:
    """The finding on the room that the database takes, and on what takes it."""
    found = sizes(session)
    wasted = not found["gives_back"] and found["free"] > max(_WASTED, found["total"] // 2)
    return Finding("size", "look" if wasted else "green", found)


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)


def _short(moment: str) -> str:
    return moment[:16].replace("T", " ")
