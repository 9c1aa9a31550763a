"""Threads that do jobs at intervals, and at once when asked. All waits are by the monotonic clock: nobody can set it,
and nothing is missed or made up for when the wall clock jumps."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger("railpost")


class Job:
    """Work for a thread: due ``first`` seconds after the start, then ``seconds`` after each run began, or as soon as it
    is rung. If it is rung while it runs, it runs once more, because the run may have passed the point in question. Runs
    that were missed, however many, are one run."""

    def __init__(self, work: Callable[[], object], seconds: float, first: float = 0) -> None:
        self._work, self._seconds = work, seconds
        self._due = time.monotonic() + first
        self._rung = threading.Event()
        self.woken = threading.Event()
        """Set when the thread must look at its jobs; the thread's jobs share it."""

    def ring(self) -> None:
        self._rung.set()
        self.woken.set()

    def soon(self, seconds: float) -> None:
        """Let it be due in ``seconds`` at the latest. Only its own thread may call this."""
        self._due = min(self._due, time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds until it is due; at most 0 if it is due now."""
        return 0 if self._rung.is_set() else self._due - time.monotonic()

    def run(self) -> None:
        self._rung.clear()
        self._due = time.monotonic() + self._seconds
        self._work()


class Rounds(threading.Thread):
    """One thread with its jobs, which never run at the same time. No job may raise; if one does, that is logged, and
    the thread goes on."""

    def __init__(self, name: str, *jobs: Job) -> None:
        super().__init__(name=name, daemon=True)
        self._jobs, self._ended, self._woken = jobs, threading.Event(), threading.Event()
        for job in jobs:
            job.woken = self._woken

    def end(self) -> None:
        """Finish the job that runs, and begin no other. Rings are ignored from now on."""
        self._ended.set()
        self._woken.set()

    def run(self) -> None:
        while not self._ended.is_set():
            self._woken.clear()
            for job in self._jobs:
                if not self._ended.is_set() and job.left() <= 0:
                    self._guarded(job)
            if not self._ended.is_set():
                self._woken.wait(max(0, min(job.left() for job in self._jobs)))

    def _guarded(self, job: Job) -> None:
        try:
            job.run()
        except Exception:
            log.exception("%s: a job failed", self.name)
