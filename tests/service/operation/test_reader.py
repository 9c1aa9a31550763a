"""Of several services on one database one reads the mailbox and sweeps. The others decide and send, and wait."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from moderator.adapters.alone import alone_in
from moderator.entrypoints.processes import run
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from moderator.service.intake import mailbox_lease, take_in
from moderator.settings import Settings
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import Service, mail
from tests.service.operation.test_two_machines import HOURS, Machine, state, work_for_hours

pytestmark = pytest.mark.fault(90)


@pytest.fixture
def service(tmp_path: Path, each_database: str) -> Service:
    service = Service.open(tmp_path)
    service.ready_game(deadline_hours=HOURS)
    return service


def write(service: Service, text: str) -> None:
    own = service.address("Ann")
    service.send(mail(text, to=own), own)


@pytest.mark.fault(54)
def test_90_a_deadline_waits_for_the_service_that_reads(service: Service) -> None:
    reader, other = Machine(service, "reader"), Machine(service, "other")
    work_for_hours(service.clock, reader, HOURS - 1 / 3)
    service.clock.pass_by(minutes=20)
    assert reader.work.mail()
    write(service, "open TSR 25")  # came in time, and the reader has not looked since
    other.work.sweep()
    assert state(service) == "open" and not service.outcomes()
    reader.work.sweep()
    assert service.outcomes() == ["applied"]


def test_90_another_reads_once_the_reader_is_silent(service: Service) -> None:
    reader, other = Machine(service, "reader"), Machine(service, "other")
    assert reader.work.mail() and not other.work.mail()
    write(service, "open TSR 25")
    service.clock.pass_by(seconds=service.desk.settings.poll_seconds)
    assert not other.work.mail() and not service.outcomes()
    service.clock.pass_by(seconds=service.desk.settings.poll_seconds)
    assert other.work.mail() and service.outcomes() == ["applied"]
    assert not reader.work.mail(), "it was too late"


def test_90_what_the_reader_has_stored_the_others_decide(service: Service) -> None:
    reader, other = Machine(service, "reader"), Machine(service, "other")
    assert reader.work.mail() and not other.work.mail() and not other.work.helped
    write(service, "open TSR 25")
    intake = reader.work.intake
    assert len(take_in(reader.desk, intake, mailbox_lease(reader.desk, intake))) == 1
    other.work.mail()
    assert service.outcomes() == ["applied"] and other.work.helped


def test_90_by_the_defaults_another_reads_within_a_minute(service: Service) -> None:
    lease = mailbox_lease(service.desk, Machine(service, "one").work.intake)
    poll = Settings.model_fields["poll_seconds"].default
    assert poll < lease.span.total_seconds() <= 60 - poll


def test_90_one_process_at_a_time_is_alone_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    with alone_in(folder) as first, alone_in(folder) as second:
        assert first and not second
    with alone_in(folder) as again:
        assert again


class Helps(Worker):
    """A round of a service that does not read the mailbox."""

    reads = False

    def __init__(self, *, helped: bool) -> None:
        self.helped, self.begun = helped, 0

    def mail(self) -> bool:
        self.begun += 1
        return False

    def tick(self) -> None:
        return


@pytest.mark.parametrize("helped", [True, False])
def test_90_a_service_that_helps_looks_again_soon(helped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_HELP_SECONDS", 0.02)
    helps = Helps(helped=helped)
    runner = Runner(helps, poll_seconds=3_600)
    runner.start()
    try:
        assert runner.rounds_done.acquire(timeout=PATIENCE)
        runner.wake()  # new mail is for the reader
        if helped:
            assert runner.rounds_done.acquire(timeout=PATIENCE)
        else:
            time.sleep(0.2)
            assert helps.begun == 1
    finally:
        runner.stop()
