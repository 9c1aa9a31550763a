"""The scheduler of a service: who is heard when, and what waits for whom."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from moderator.entrypoints.processes import run
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from tests.kit.patience import PATIENCE


class Looks(Worker):
    """A round that only counts, and can be held."""

    def __init__(self) -> None:
        self.begun = 0
        self.go_on = threading.Event()

    def mail(self) -> bool:
        self.begun += 1
        return self.go_on.wait(10)

    def tick(self) -> None:
        return


def test_mail_that_comes_during_a_round_is_looked_for_right_after_it() -> None:
    looks = Looks()
    runner = Runner(looks, poll_seconds=3_600)
    runner.start()
    try:
        while not looks.begun:
            time.sleep(0.01)
        runner.wake()
        looks.go_on.set()
        assert runner.rounds_done.acquire(timeout=PATIENCE) and runner.rounds_done.acquire(timeout=PATIENCE)
        assert looks.begun >= 2
    finally:
        runner.stop()


class Ring:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_objects_are_looked_through_between_two_rounds_and_not_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_CLEAR_SECONDS", 0.1)
    looks, thresholds = Looks(), gc.get_threshold()
    runner = Runner(looks, poll_seconds=3_600)
    gc.collect()
    ring = Ring()
    gc.collect()  # now it is as old as a game in memory
    gone = weakref.ref(ring)
    runner.start()
    try:
        while not looks.begun:
            time.sleep(0.01)
        del ring
        litter = [Ring() for _ in range(100_000)]
        del litter
        assert gone() is not None, "a round is under way"
        looks.go_on.set()
        end = time.monotonic() + PATIENCE
        while gone() is not None and time.monotonic() < end:
            time.sleep(0.01)
        assert gone() is None
    finally:
        runner.stop()
    assert gc.get_threshold() == thresholds


class Sends(Worker):
    """A round with something to send each time, to a server that takes its time."""

    def __init__(self) -> None:
        self.looked = threading.Semaphore(0)
        self.sending = threading.Event()
        self.go_on = threading.Event()
        self.again = threading.Event()
        self.sent = 0

    def mail(self) -> bool:
        self.post()
        self.looked.release()
        return True

    def send(self) -> None:
        self.sending.set()
        assert self.go_on.wait(10)
        self.sent += 1
        if self.sent > 1:
            self.again.set()

    def tick(self) -> None:
        return


def test_a_slow_server_keeps_nobodys_orders_waiting() -> None:
    sends = Sends()
    runner = Runner(sends, poll_seconds=3_600)
    runner.start()
    try:
        assert sends.sending.wait(10)
        while sends.looked.acquire(blocking=False):  # what the start brought
            pass
        runner.wake()
        assert sends.looked.acquire(timeout=PATIENCE), "looked into the mailbox while a mail is being sent"
        assert not sends.sent
        sends.go_on.set()
        assert sends.again.wait(10), "what was written meanwhile is sent afterwards"
    finally:
        sends.go_on.set()
        runner.stop()
