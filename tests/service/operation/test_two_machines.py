"""Services of two machines on one database, whose clocks agree or do not. The clock of the database is the same for
both."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.database import Database
from moderator.adapters.shared_clock import DatabaseClock
from moderator.adapters.tables import DeadlineRow, OutboxRow
from moderator.entrypoints.processes.worker import Worker
from moderator.service.locks import take_lease
from moderator.service.operation.health import findings
from moderator.service.operation.outages import pending
from moderator.service.operation.supervision import accept_clock
from moderator.service.pipeline import claim
from moderator.service.post.delivery import send_due
from tests.kit.postgres import Postgres
from tests.kit.service.mail_service import START, Service, StillClock, mail
from tests.kit.service.shop import Box, Way

pytestmark = pytest.mark.fault(60)

HOURS = 48


class Machine:
    """A machine with one service. ``ahead``: seconds by which its clock is ahead."""

    def __init__(self, service: Service, name: str, ahead: float = 0) -> None:
        self.shared, self.boot, self.ahead = service.clock, name, ahead
        self.desk = replace(service.desk, clock=self, owner=name, shared_clock=service.clock)
        self.work = Worker(self.desk, Box(service), Way(service), service.complaints.append, self)

    def now(self) -> datetime:
        return self.shared.now() + timedelta(seconds=self.ahead)

    def seconds(self) -> float:
        return (self.shared.now() - START).total_seconds() + 1_000

    def frozen(self) -> bool:
        return "clock" in self.work.watch.frozen()


@pytest.fixture
def service(tmp_path: Path, each_database: str) -> Service:
    service = Service.open(tmp_path)
    service.ready_game(deadline_hours=HOURS)
    return service


def work_on(clock: StillClock, *machines: Machine, minutes: float = 1) -> None:
    """All are at work for so long."""
    for _ in range(int(minutes * 4)):
        clock.pass_by(seconds=15)
        for machine in machines:
            machine.work.tick()


def work_for_hours(clock: StillClock, machine: Machine, hours: float) -> None:
    """One is at work for so long; no pause of its is an outage."""
    for _ in range(round(3 * hours)):
        clock.pass_by(minutes=20)
        machine.work.tick()


def told(service: Service, text: str) -> int:
    with service.session() as session:
        return sum(text in row.text for row in session.exec(select(OutboxRow)).all() if row.kind == "operator")


def state(service: Service) -> str:
    with service.session() as session:
        return session.exec(select(DeadlineRow)).one().state


def test_60_clocks_that_nearly_agree_are_no_matter(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other", -40)
    work_on(service.clock, one, other, minutes=5)
    assert not one.frozen() and not told(service, "clock")


@pytest.mark.parametrize("ahead", [-90, 90, 86_400])
def test_60_no_deadline_ends_while_two_machines_differ(service: Service, ahead: float) -> None:
    one, other = Machine(service, "one"), Machine(service, "other", ahead)
    work_for_hours(service.clock, one, HOURS - 1 / 3)
    work_on(service.clock, one, other, minutes=25)
    assert one.frozen() and other.frozen()
    for machine in (one, other):
        machine.work.sweep()
    assert state(service) == "open"
    assert told(service, "The clocks of two machines") == 1 and not told(service, "has jumped")
    clock = next(found for found in findings(service.desk, "one") if found.key == "clock")
    assert clock.state == "red" and clock.facts["apart"]
    other.ahead = 0
    work_on(service.clock, one, other)
    assert not one.frozen(), "it is right by itself"
    one.work.sweep()
    assert state(service) == "open", "the player gets the time in which nobody could rely on the clock"
    work_for_hours(service.clock, one, 25)
    one.work.sweep()
    assert state(service) == "overdue"


def test_60_the_clock_of_the_machine_that_stays_is_not_trusted_by_itself(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other", 3_600)
    work_on(service.clock, one, other)
    work_on(service.clock, one, minutes=10)
    assert one.frozen(), "it may be the wrong one of the two"
    assert accept_clock(one.desk) is not None
    work_on(service.clock, one, minutes=5)
    assert not one.frozen()
    work_on(service.clock, one, other)
    assert one.frozen() and other.frozen(), "it is there again"


def test_60_a_jump_of_one_machine_is_over_when_it_agrees_again(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other")
    work_on(service.clock, one, other)
    one.ahead = 3_600
    work_on(service.clock, one, other)
    assert one.frozen() and other.frozen() and told(service, "has jumped by 3600 seconds") == 1
    one.ahead = 0
    work_on(service.clock, one, other)
    assert not one.frozen() and not other.frozen()


def test_60_two_machines_that_jump_alike_are_wrong_alike(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other")
    work_on(service.clock, one, other)
    one.ahead = other.ahead = 3_600
    work_on(service.clock, one, other, minutes=5)
    assert one.frozen() and other.frozen()


@pytest.mark.fault(61)
def test_61_it_is_no_outage_if_another_machine_has_worked(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other")
    work_on(service.clock, one, other)
    work_on(service.clock, one, minutes=120)
    work_on(service.clock, other)
    assert pending(service.desk) is None
    service.clock.pass_by(hours=2)
    work_on(service.clock, other)
    assert pending(service.desk) is not None


@pytest.mark.fault(90)
def test_90_leases_do_not_depend_on_the_clocks_of_machines(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other", 86_400)
    span = timedelta(seconds=60)
    assert take_lease(one.desk, "mailbox", span) and not take_lease(other.desk, "mailbox", span)
    assert take_lease(other.desk, "sweep", span) and not take_lease(one.desk, "sweep", span)
    service.say("Ann", "open TSR 25")
    sent: list[str] = []

    class Slow:
        """While it sends, the other machine looks for mails."""

        def send(self, mail: object) -> None:
            sent.append(str(mail))
            assert send_due(other.desk, Slow(), print) == 0

    with service.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.state = "queued"
    assert send_due(one.desk, Slow(), print) == len(sent) > 1


@pytest.mark.fault(90)
def test_90_all_services_read_the_clock_of_the_database(postgres: Postgres) -> None:
    database = Database(url := postgres.create())
    one, other = DatabaseClock(database), DatabaseClock(database)
    assert abs(one.now() - other.now()) < timedelta(seconds=5)
    before = one.now()
    database.close()
    assert before < one.now() <= other.now() + timedelta(seconds=5)
    database.close()
    postgres.drop(url)


@pytest.mark.fault(90)
@pytest.mark.parametrize("machine", ["one", "other"])
def test_90_what_a_killed_service_had_leased_goes_on_within_a_minute(service: Service, machine: str) -> None:
    killed, lives = Machine(service, machine), Machine(service, "one")
    killed.desk = replace(killed.desk, owner="killed")
    killed.work = Worker(killed.desk, Box(service), Way(service), service.complaints.append, killed)
    work_on(service.clock, killed, lives)
    own = service.address("Ann")
    service.send(mail("open TSR 25", to=own), own)
    service.take_in()
    assert claim(killed.desk) is not None and claim(lives.desk) is None
    work_on(service.clock, lives, killed, minutes=1)
    assert claim(lives.desk) is None, "while it works, it keeps its lease until that runs out"
    work_on(service.clock, lives, minutes=0.75)
    assert claim(lives.desk) is not None


@pytest.mark.fault(90)
def test_90_nobody_is_taken_for_killed_when_the_database_was_away_for_all(service: Service) -> None:
    one, other = Machine(service, "one"), Machine(service, "other")
    work_on(service.clock, one, other)
    own = service.address("Ann")
    service.send(mail("open TSR 25", to=own), own)
    service.take_in()
    assert claim(one.desk) is not None
    service.clock.pass_by(seconds=60)
    for _ in range(3):
        work_on(service.clock, other, one, minutes=0.25)
        assert claim(other.desk) is None
