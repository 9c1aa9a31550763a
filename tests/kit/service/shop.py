"""A service with its rounds, a clock that can be set, and servers that can be taken away."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.tables import DeadlineRow, PendingRow
from moderator.domain.ports import Incoming, Lying, Outgoing
from moderator.entrypoints.processes.worker import Worker
from moderator.service.desk import Desk
from tests.kit.service.mail_service import START, Service

ROUND = timedelta(minutes=28)
"""Time between two rounds. From half an hour on it would be an outage."""
SWEPT = 5
"""One round in so many sweeps though no moment in the database has come."""


class StillMeter:
    """Passes with the service's clock, unless that is set."""

    def __init__(self, service: Service) -> None:
        self.service, self.ahead, self.boot = service, timedelta(0), "one"

    def seconds(self) -> float:
        return (self.service.clock.moment - START - self.ahead).total_seconds() + 1_000

    def jump(self, **span: float) -> None:
        """The clock is set; no time has passed."""
        self.service.clock.pass_by(**span)
        self.ahead += timedelta(**span)


class Trouble:
    """A server that can be taken away: ``error`` is what it raises then."""

    error: Exception | None = None

    def probe(self) -> None:
        if self.error:
            raise self.error

    def close(self) -> None:
        pass


class Box(Trouble):
    def __init__(self, service: Service) -> None:
        settings = service.desk.settings
        self._box = MaildirIntake(folder_for(settings.mail_folder, settings.address))
        self.name = self._box.name

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        self.probe()
        return self._box.waiting(largest, known)

    @property
    def skipped(self) -> Mapping[str, str]:
        return self._box.skipped

    @property
    def begun(self) -> bool:
        return self._box.begun

    def count(self) -> Lying:
        found = sum(1 for _ in self.waiting(1))
        return Lying(found, found)

    def file(self, reference: str, outcome: str) -> None:
        self._box.file(reference, outcome)


class Way(Trouble):
    def __init__(self, service: Service) -> None:
        self._way = MaildirOutlet(service.desk.settings.mail_folder)

    def send(self, mail: Outgoing) -> None:
        self.probe()
        self._way.send(mail)


class Shop:
    """A service with its rounds, a meter and its troubles."""

    def __init__(self, at: Path | Service, meter: StillMeter | None = None) -> None:
        """``at``: the folder for a new service, or a service that there is. ``meter``: that of the machine, if it has
        run before."""
        self.service = at if isinstance(at, Service) else Service.open(at)
        self.meter = meter or StillMeter(self.service)
        self.meter.service = self.service
        self.imap, self.smtp = Box(self.service), Way(self.service)
        self.start()

    def start(self) -> None:
        """The process begins, perhaps again: what it knew is gone."""
        self.round = self.another()

    def another(self, desk: Desk | None = None) -> Worker:
        """One more service on the same database."""
        return Worker(desk or self.service.desk, self.imap, self.smtp, self.service.complaints.append, self.meter)

    def game(self, **more: Any) -> str:
        game = self.service.ready_game(deadline_hours=48, **more)
        self.round.sweep()
        return game

    def pass_by(self, **span: float) -> None:
        """Time passes while the service does its work, too often for it to count as an outage. As in the service, there
        are more rounds of mail than sweeps. It sweeps at the end, when a moment in the database has come, and every
        two hours or so, because not all that a sweep does is due at a moment that somebody has written down."""
        clock = self.service.clock
        end, rounds = clock.moment + timedelta(**span), 0
        while (left := end - clock.moment) > timedelta(0):
            before = clock.moment
            clock.pass_by(seconds=min(left, ROUND).total_seconds())
            rounds += 1
            if rounds % SWEPT == 0 or clock.moment >= end or self._has_come(before):
                self.round.sweep()
            else:
                self.round.mail()

    def _has_come(self, since: datetime) -> bool:
        """True if a deadline, a reminder or the time of a request has come since then."""
        times = (col(DeadlineRow.due_at), col(DeadlineRow.remind_at), col(PendingRow.due_at))
        now = self.service.clock.moment
        with self.service.desk.database.reading() as session:
            return any(session.exec(select(one).where(one > since, one <= now).limit(1)).first() for one in times)

    def due(self) -> list[tuple[str, str, datetime]]:
        with self.service.desk.database.reading() as session:
            rows = session.exec(select(DeadlineRow).order_by(col(DeadlineRow.id))).all()
            return [(row.player, row.state, row.due_at) for row in rows]

    def kinds(self, player: str) -> list[str]:
        return [letter.kind for letter in self.service.letters(player)]

    def told(self) -> list[str]:
        """What the operator got."""
        return [letter.text for letter in self.service.mailbox("master@example.net")]
