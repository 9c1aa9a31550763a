"""A running service whose clock is wrong for a moment: its rounds go on, nothing is missed, and it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from moderator.adapters.rounds import Job, Rounds
from moderator.entrypoints.processes import run
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import mail
from tests.kit.service.shop import Shop
from tests.kit.service.two_threads import until


class SetClock:
    """The machine's clock, with what somebody has set it ahead."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class RunningMeter:
    boot = "one"

    def seconds(self) -> float:
        return time.monotonic()


class Running(Shop):
    """A shop that runs, with a clock that can be set."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(root)
        self.clock = SetClock()
        object.__setattr__(self.service.desk, "clock", self.clock)
        self.service.desk.games.now = self.clock.now
        self.meter = RunningMeter()  # type: ignore[assignment]
        self.start()
        monkeypatch.setattr(run, "_TICK_SECONDS", 0.05)
        monkeypatch.setattr(run, "_SWEEP_SECONDS", 0.1)
        self.runner = Runner(self.round, poll_seconds=0.05)

    def ask(self) -> None:
        """Write as Ann, and wait for the answer."""
        before = len(self.kinds("Ann"))
        self.service.send(mail("help", to=self.service.address("Ann")), self.service.address("Ann"))
        until(lambda: len(self.kinds("Ann")) > before)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    running = Running(tmp_path, monkeypatch)
    running.game()
    running.runner.start()
    try:
        yield running
    finally:
        running.runner.stop()


@pytest.mark.fault(60)
@pytest.mark.parametrize("jump", [timedelta(seconds=-120), timedelta(days=-1), timedelta(days=3650)])
def test_60_whatever_the_clock_shows_mail_is_decided_and_answered(shop: Running, jump: timedelta) -> None:
    shop.clock.ahead = jump
    shop.ask()
    until(lambda: "clock" in shop.round.watch.frozen())


@pytest.mark.fault(60)
def test_60_a_clock_that_is_wrong_for_a_moment_delays_no_round_and_is_told(shop: Running) -> None:
    shop.clock.ahead = timedelta(seconds=-100_000)
    until(lambda: "clock" in shop.round.watch.frozen())
    shop.clock.ahead = timedelta(0)
    until(lambda: not shop.round.watch.frozen())
    shop.ask()
    until(lambda: any("right again" in " ".join(text.split()) for text in shop.told()))


@pytest.mark.fault(60)
def test_60_the_clock_is_watched_while_a_round_takes_long(shop: Running) -> None:
    held, goes_on = threading.Event(), threading.Event()

    def long_round() -> bool:
        held.set()
        return goes_on.wait(PATIENCE)

    shop.round.mail = long_round  # type: ignore[method-assign]
    try:
        assert held.wait(PATIENCE)
        shop.clock.ahead = timedelta(days=3650)
        until(lambda: "clock" in shop.round.watch.frozen())
    finally:
        goes_on.set()


def test_runs_that_were_missed_are_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    now, runs = 0.0, 0

    def work() -> None:
        nonlocal runs
        runs += 1

    monkeypatch.setattr(time, "monotonic", lambda: now)
    job = Job(work, 60)
    job.run()
    now = 10 * 365 * 86_400.0
    assert job.left() <= 0
    job.run()
    assert (runs, job.left()) == (2, 60)


def test_a_job_that_raises_ends_no_other() -> None:
    done = threading.Semaphore(0)

    def broken() -> None:
        raise RuntimeError("broken")

    thread = Rounds("test", Job(broken, 0.01), Job(done.release, 0.01))
    thread.start()
    try:
        assert done.acquire(timeout=PATIENCE) and done.acquire(timeout=PATIENCE)
    finally:
        thread.end()
        thread.join()


class Fails(Worker):
    """Rounds that fail until they are told not to."""

    def __init__(self) -> None:
        self.fails, self.failures, self.done = True, 0, threading.Event()

    def mail(self) -> bool:
        if self.fails:
            raise OSError("away")
        self.done.set()
        return True

    def send(self) -> None:
        return

    def tick(self) -> None:
        return

    def failed(self, error: Exception) -> None:
        self.failures += 1


def test_a_round_that_fails_each_time_in_the_same_way_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    work = Fails()
    runner = Runner(work, poll_seconds=0.01)
    runner.start()
    try:
        until(lambda: work.failures > 20)
        work.fails = False
        assert work.done.wait(PATIENCE)
        until(lambda: "has succeeded" in caplog.text)
    finally:
        runner.stop()
    assert caplog.text.count("Traceback") == 1
