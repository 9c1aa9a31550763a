"""Signals to systemd: that the service has started, and signs of life from rounds that came to their end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from moderator.adapters.supervisor import Supervisor
from moderator.entrypoints.processes import run
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from tests.kit.patience import PATIENCE
from tests.kit.samples import prove
from tests.kit.service.mail_service import mail
from tests.kit.service.shop import Shop


class Systemd:
    """The receiving end of sd_notify."""

    def __init__(self, address: str) -> None:
        self._link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._link.bind(address)
        self.address = address

    def hear(self, seconds: float = PATIENCE) -> str:
        """The next word; an empty one if none comes in time."""
        self._link.settimeout(seconds)
        try:
            return self._link.recv(4_096).decode()
        except TimeoutError:
            return ""

    def environment(self, **more: str) -> dict[str, str]:
        name = self.address.replace("\0", "@", 1)
        return {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "600000000", "WATCHDOG_PID": str(os.getpid()), **more}

    def close(self) -> None:
        self._link.close()


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    other = Systemd(str(tmp_path / "notify") if request.param == "path" else f"\0railpost-{os.getpid()}")
    yield other
    other.close()


class Time:
    now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class Held(Worker):
    """Its rounds stand still until ``go_on``, and fail if ``fails``."""

    def __init__(self) -> None:
        self.go_on, self.begun, self.fails = threading.Event(), threading.Semaphore(0), False

    def mail(self) -> bool:
        self.begun.release()
        assert self.go_on.wait(PATIENCE)
        if self.fails:
            raise OSError("the database is away")
        return True

    def sweep(self) -> None:
        return

    def send(self) -> None:
        return

    def tick(self) -> None:
        return

    def failed(self, error: Exception) -> None:
        return


@pytest.mark.parametrize("fails", [False, True])
def test_only_a_round_that_came_to_its_end_is_a_sign_of_life(
    systemd: Systemd, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    monkeypatch.setattr(run, "_TICK_SECONDS", 0.01)  # the clock is watched all the time, and that is no sign
    held = Held()
    held.fails = fails
    runner = Runner(held, poll_seconds=0.01, supervisor=Supervisor(systemd.environment(), Time()))
    runner.start()
    try:
        assert held.begun.acquire(timeout=PATIENCE)
        assert systemd.hear(0.3) == "", "no round has ended yet"
        held.go_on.set()
        assert systemd.hear() == "WATCHDOG=1"
        assert systemd.hear() == "WATCHDOG=1"
    finally:
        held.go_on.set()
        runner.stop()


def test_no_sign_of_life_while_the_sending_of_one_mail_stands_still(
    systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stuck(Held):
        """Its rounds end; a mail that it sends does not."""

        def __init__(self) -> None:
            super().__init__()
            self.sending, self.next = threading.Event(), threading.Event()
            self.sent = threading.Event()

        def send(self) -> None:
            self.sending.set()
            while not self.sent.wait(0.01):
                if self.next.is_set():
                    self.tried()

    monkeypatch.setattr(run, "_STILL_SECONDS", 0.5)
    stuck = Stuck()
    stuck.go_on.set()
    stuck.next.set()
    runner = Runner(stuck, poll_seconds=0.01, supervisor=Supervisor(systemd.environment(), Time()))
    runner.start()
    try:
        assert stuck.sending.wait(PATIENCE)
        until = time.monotonic() + 1
        while time.monotonic() < until:
            assert systemd.hear() == "WATCHDOG=1", "mail after mail is handed over, however many there are"
        stuck.next.clear()
        until = time.monotonic() + PATIENCE
        while systemd.hear(0.3):
            assert time.monotonic() < until
        stuck.sent.set()
        assert systemd.hear() == "WATCHDOG=1"
    finally:
        stuck.go_on.set()
        stuck.sent.set()
        runner.stop()


def test_a_long_backlog_gives_signs_of_life(systemd: Systemd, tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    shop.game()
    for _ in range(25):  # more than are decided before the next look
        shop.service.send(mail("help", to=shop.service.address("Ann")), shop.service.address("Ann"))
    shop.round.alive = Supervisor(systemd.environment(), Time()).alive
    shop.round.mail()
    assert systemd.hear() == systemd.hear() == "WATCHDOG=1"


def test_signs_of_life_are_no_more_than_one_a_second_and_only_if_they_are_asked_for(systemd: Systemd) -> None:
    still = Supervisor(systemd.environment(), lambda: 0.0)
    for _ in range(3):
        still.alive()
    for environment in (systemd.environment(WATCHDOG_PID="1"), systemd.environment(WATCHDOG_USEC=""), {}):
        Supervisor(environment).alive()
    still.ready()
    assert systemd.hear() == "WATCHDOG=1"
    assert systemd.hear() == "READY=1"


def test_a_supervisor_that_is_gone_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    alone = Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1"}, Time())
    for _ in range(3):
        alone.alive()
    (record,) = caplog.records
    assert "systemd cannot be told" in record.message


@pytest.mark.parametrize("systemd", ["path", prove("abstract")], indirect=True)
def test_the_service_says_that_it_has_started_works_and_stops(systemd: Systemd, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "moderator.entrypoints.cli", "--data", str(tmp_path / "var"), "run"]
    with subprocess.Popen(command, env={**os.environ, **systemd.environment(WATCHDOG_PID="")}) as service:
        try:
            heard = [systemd.hear(), systemd.hear()]
            assert sorted(heard) == ["READY=1", "WATCHDOG=1"]
            service.send_signal(signal.SIGTERM)
            while heard[-1] != "STOPPING=1":
                heard.append(systemd.hear())
                assert heard[-1]
        finally:
            service.terminate()
    assert service.returncode == 0
