"""Watches the things that deadlines depend on: the machine's clock, the mailbox, the outgoing server. While one of them
cannot be relied on, no deadline ends (faults 60, 61, 81)."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import exists, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from moderator.adapters.meter import Meter
from moderator.adapters.tables import DeadlineRow, EntryRow, GameRow, MailRow, OutboxRow, PendingRow, SeatRow, SeatToken
from moderator.domain.clocks.machines import MachineTick, at_work, services_in, ticks_in, with_tick
from moderator.domain.clocks.ticks import Tick, judge
from moderator.domain.ports import Away, Barred
from moderator.service.desk import Desk, Sitting
from moderator.service.operation import leaps, outages
from moderator.service.operation.alarms import Alarms
from moderator.service.people.journal import is_open
from moderator.service.service_facts import FROZEN, all_kept, forget, recall, recall_to_change, remember
from moderator.service.table.clocks import whole_time

log = logging.getLogger("railpost")

Which = Literal["imap", "smtp"]
Pair: TypeAlias = tuple[str, str]
"""Two machines, by the names of their boots."""

TICK: Final = "tick"
ROUND: Final = "round"
"""Key of the last moment at which a round did its work."""
_EVERY: Final = 10.0
"""Seconds between two ticks that are stored."""
_TOLERANCE: Final = 60
"""Seconds by which the machine's clock may differ from the time that has passed."""
_LONGEST_RETRY: Final = timedelta(hours=4)


class Watch:
    """The watch of one service. Everything that must outlive it is in rows. Only the thread that talks to a server
    reads and changes what is known of it here; rows, and the clock, are for all threads."""

    def __init__(self, desk: Desk, alarms: Alarms, meter: Meter) -> None:
        self._desk, self.alarms, self._meter = desk, alarms, meter
        self._last: Tick | None = None
        self._round: Tick | None = None
        self._ticking = threading.Lock()
        self._there: dict[Which, bool] = {}

    # ---- the clock

    def tick(self) -> None:
        """Note the moment; freeze deadlines if the clock has jumped or differs from that of another machine, and note
        an outage if the last tick is long ago. If the clock is right again by itself, deadlines go on."""
        with self._ticking:
            self._tick()

    def _tick(self) -> None:
        now = self._now()
        recent = self._last is not None and now.running - self._last.running < _EVERY
        if recent and self._last is not None and not judge(self._last, now, _TOLERANCE).jumped:
            return
        jumped, outage, wrong, differs = 0.0, None, True, None
        here = self._machine_tick(now)
        with self._desk.sitting() as sitting:
            kept = recall_to_change(sitting.session, TICK)
            machines = ticks_in(kept)
            services, gone = services_in(kept, self._desk.owner, here)
            remember(sitting, TICK, {**with_tick(here, machines), "services": services})
            _end_leases_of(sitting, gone)
            others = at_work(here, machines) if self._desk.shared_clock else []
            last, idle = _tick_before(now, machines, others), timedelta()
            if last is not None:
                found = judge(last, now, _TOLERANCE)
                jumped, idle = found.jumped, min([found.idle, *(here.shared - one.shared for one in others)])
            known = _apart(recall(sitting.session, FROZEN + "clock"))
            apart, differs = _compared(here, others, known)
            if jumped or apart != known:
                since = [last.wall if last is not None else now.wall]
                if apart != known:  # one of these clocks is right
                    since += [here.shared, *(one.tick.wall for one in others)]
                wrong = self._freeze_clock(sitting, min(since), here, jumped, apart)
                if jumped < 0:
                    _move_waits(sitting, timedelta(seconds=jumped))
                if not wrong:
                    _go_on(sitting)
            elif idle > timedelta(minutes=self._desk.settings.outage_minutes):
                outage = idle
                outages.note(sitting, now.wall - outage, now.wall)
        self._last = now
        if jumped:
            key = "clock" if wrong else "clock_right"
            self.alarms.tell(key, f"{now.wall:%Y-%m-%d %H:%M}", seconds=round(jumped), now=_said(now.wall))
        if differs is not None:
            about = " ".join(_pair(here, differs))
            seconds = round(here.ahead - differs.ahead)
            self.alarms.tell("clocks", about, here=here.name, there=differs.name, seconds=seconds)
        if outage is not None:
            log.warning("nothing was done for %s: deadlines that fell into it will be moved", outage)

    def _machine_tick(self, now: Tick) -> MachineTick:
        """The tick with the seconds by which this machine is ahead of the database."""
        if self._desk.shared_clock is None:
            return MachineTick(now)
        ahead = (self._desk.clock.now() - self._desk.shared_clock.now()).total_seconds()
        return MachineTick(now, ahead, socket.gethostname())

    @staticmethod
    def _freeze_clock(sitting: Sitting, since: datetime, here: MachineTick, jumped: float, apart: set[Pair]) -> bool:
        """Note by how much the clock has jumped, and which machines are ``apart`` now. A jump that brings a machine
        back to another counts as its correction. True if a clock is wrong, after all jumps."""
        before = recall_to_change(sitting.session, FROZEN + "clock")
        by = jumped
        if before is not None:
            since = min(since, datetime.fromisoformat(before["since"]))
            by += float(before["by"])
            if _apart(before) - apart:
                by = min(by, float(before["by"]), key=abs)
        value = {"since": since.isoformat(), "found": here.tick.wall.isoformat(), "by": by}
        remember(sitting, FROZEN + "clock", {**value, "apart": sorted(map(list, apart))} if apart else value)
        return abs(by) > _TOLERANCE or bool(apart)

    def at_work(self) -> None:
        """Note that a round has done its work. Only the thread of the rounds calls this."""
        now = self._now()
        if self._round is None or now.running - self._round.running >= _EVERY:
            with self._desk.sitting() as sitting:
                remember(sitting, ROUND, MachineTick(now).as_json())
            self._round = now

    def _now(self) -> Tick:
        return Tick(self._desk.clock.now(), self._meter.seconds(), self._meter.boot)

    # ---- the servers

    def away(self, which: Which, reason: Away) -> None:
        """Note that a server is away. The operator is told at once if it refuses us, and otherwise only if that
        lasts."""
        self._there[which] = False
        now, barred = self._desk.clock.now(), isinstance(reason, Barred)
        with self._desk.sitting() as sitting:
            before = recall_to_change(sitting.session, FROZEN + which)
            since = datetime.fromisoformat(before["since"]) if before is not None else now
            value = {"since": since.isoformat(), "why": str(reason)[:300], "barred": barred}
            if before != value:
                remember(sitting, FROZEN + which, value)
        if barred or now - since >= timedelta(minutes=self._desk.settings.away_minutes):
            key = "barred" if barred else "away"
            self.alarms.tell(key, which, which=which, since=_said(since), why=str(reason)[:300])

    def back(self, which: Which) -> None:
        """Note that a server works. If it was away for long enough, that is an outage."""
        if self._there.get(which):
            return
        now = self._desk.clock.now()
        with self._desk.sitting() as sitting:
            before = recall_to_change(sitting.session, FROZEN + which)
            if before is not None:
                forget(sitting.session, FROZEN + which)
                since = datetime.fromisoformat(before["since"])
                if now - since >= timedelta(minutes=self._desk.settings.outage_minutes):
                    outages.note(sitting, since, now)
        self._there[which] = True
        if before is not None:
            log.info("%s is back", which)
            for key in ("barred", "away"):
                self.alarms.over(key, which)

    # ---- what hangs on it

    def frozen(self) -> dict[str, dict[str, object]]:
        """The reasons for which no deadline may end now, with their facts; empty if deadlines may end."""
        with self._desk.database.reading() as session:
            return {name: dict(row.value) for name, row in all_kept(session, FROZEN).items()}

    def recheck(self, which: Which, works: Callable[[], None]) -> None:
        """Try a server again that is noted as away: the service that noted it may be gone, or nothing may be sent to it
        now. ``works`` tries it, and raises ``Away`` if it fails."""
        with self._desk.database.reading() as session:
            if recall(session, FROZEN + which) is None:
                return
        self._there.pop(which, None)
        try:
            works()
        except Away as reason:
            self.away(which, reason)
        else:
            self.back(which)

    def failed(self, error: Exception) -> None:
        """Tell the operator that a whole round failed: the database is away, full or locked, or there is a fault of
        ours."""
        trouble = "database" if isinstance(error, SQLAlchemyError) else "round"
        cause = getattr(error, "orig", None) or error
        said = f": {cause}" if trouble == "database" else ""  # the text of another error could quote a player
        self.alarms.tell(trouble, why=type(cause).__name__ + said)


def accept_clock(desk: Desk) -> timedelta | None:
    """Let deadlines go on, when the operator says that the clock is right now. Returns the jump of the clock; None if
    the clock had frozen nothing. The time that the clock has skipped does not count, nor that in which deadlines stood
    still; everything that a wrong clock has set to a moment far ahead is due now."""
    with desk.sitting() as sitting:
        return _go_on(sitting)


def _go_on(sitting: Sitting) -> timedelta | None:
    now = sitting.now()
    before = recall_to_change(sitting.session, FROZEN + "clock")
    if before is None:
        return None
    forget(sitting.session, FROZEN + "clock")
    since, by = datetime.fromisoformat(before["since"]), timedelta(seconds=float(before["by"]))
    if by > timedelta(seconds=_TOLERANCE):
        leaps.note(sitting, since, by)
        since += by
    if since < now:
        outages.note(sitting, since, now)
    _end_leases(sitting)
    try_now(sitting)
    _begin_now(sitting.session, now)
    forget(sitting.session, f"told clock {datetime.fromisoformat(before['found']):%Y-%m-%d %H:%M}")
    return by


def try_now(sitting: Sitting) -> None:
    """Let the mails be tried now that would wait longer than any mail does. They were tried while a wrong clock was
    ahead, however short a time that was."""
    now = sitting.now()
    retry = col(OutboxRow.next_attempt) > now + _LONGEST_RETRY
    sitting.session.exec(update(OutboxRow).where(col(OutboxRow.state) == "queued", retry).values(next_attempt=now))


def _move_waits(sitting: Sitting, by: timedelta) -> None:
    """Move the moments until which mails wait with a clock that has gone back, so that they wait no longer than
    without that."""
    _end_leases(sitting)
    waits = select(OutboxRow).where(OutboxRow.state == "queued", OutboxRow.next_attempt > sitting.now())
    for row in sitting.session.exec(waits).all():
        row.next_attempt += by


def _end_leases(sitting: Sitting) -> None:
    """End the leases of mails that would last longer than a lease may: a wrong clock has set them."""
    lease = sitting.desk.lease_time() + timedelta(seconds=sitting.settings.lease_seconds)
    tables: tuple[type[MailRow | OutboxRow], ...] = (MailRow, OutboxRow)
    for table in tables:
        ahead = col(table.lease_until) > lease
        sitting.session.exec(update(table).where(ahead).values(lease_owner=None, lease_until=None))


def _end_leases_of(sitting: Sitting, gone: Collection[str]) -> None:
    """End the leases of services that have ended, so that others can go on with their mails at once."""
    if not gone:
        return
    log.warning("services that have not been heard from have ended: %s", len(gone))
    mails: Any = (MailRow, col(MailRow.outcome).is_(None)), (OutboxRow, col(OutboxRow.state) == "queued")
    for table, waits in mails:
        theirs = col(table.lease_owner).in_(gone)
        sitting.session.exec(update(table).where(waits, theirs).values(lease_owner=None, lease_until=None))


def _begin_now(session: Session, now: datetime) -> None:
    """Set to ``now`` all moments that a wrong clock has put into the future: of mails to and from players, and of
    questions and requests, which get their whole time again. A deadline after ``now`` is no sign of a wrong clock, but
    a question that was asked later than ``now``, or an order before it, is one."""
    for when in ("told_at", "heard_at", "away_at", "given_at"):
        session.exec(update(SeatRow).where(getattr(SeatRow, when) > now).values({when: now}))
    session.exec(update(SeatToken).where(col(SeatToken.sent_at) > now).values(sent_at=now))
    for row in session.exec(select(PendingRow).where(col(PendingRow.created_at) > now, is_open())).all():
        row.due_at, row.created_at = now + (row.due_at - row.created_at), now
    before = exists().where(
        col(EntryRow.game) == DeadlineRow.game, col(EntryRow.at) == DeadlineRow.at - 1, col(EntryRow.created_at) > now
    )
    later = before | (col(DeadlineRow.asked_at) > now)
    asked = select(DeadlineRow, GameRow).join(GameRow, col(GameRow.id) == col(DeadlineRow.game))
    for deadline, game in session.exec(asked.where(col(DeadlineRow.state) != "met", later)).all():
        if game.clocked:
            whole_time(session, game, deadline, now)


def _tick_before(now: Tick, machines: Sequence[MachineTick], others: Sequence[MachineTick]) -> Tick | None:
    """The tick by which ``now`` is judged: the last of this machine or, if it has none and no other is at work, the
    last of all, because the machine may have been started anew."""
    own = next((one.tick for one in machines if one.tick.boot == now.boot), None)
    if own is not None or others or not machines:
        return own
    return machines[0].tick


def _apart(frozen: Mapping[str, Any] | None) -> set[Pair]:
    """The machines that are noted as apart."""
    return set() if frozen is None else {(first, second) for first, second in frozen.get("apart", ())}


def _pair(one: MachineTick, other: MachineTick) -> Pair:
    first, second = sorted((one.tick.boot, other.tick.boot))
    return first, second


def _compared(
    here: MachineTick, others: Iterable[MachineTick], known: set[Pair]
) -> tuple[set[Pair], MachineTick | None]:
    """The machines whose clocks are apart now, and one that is found to differ from this one. While two differ, no
    deadline ends, because nobody can tell which is right. Two of which one is not at work stay as they are known."""
    apart, new = set(known), None
    for other in others:
        if abs(here.ahead - other.ahead) <= _TOLERANCE:
            apart.discard(_pair(here, other))
        elif _pair(here, other) not in known:
            apart.add(_pair(here, other))
            new = other
    return apart, new


def from_json(kept: dict[str, object]) -> Tick:
    """The tick of a kept value."""
    return MachineTick.restored(kept).tick


def _said(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
