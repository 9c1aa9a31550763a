"""``railpost run``: a scheduler that runs until it is told to stop."""

from __future__ import annotations

import gc
import logging
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.job import Job
from apscheduler.schedulers.background import BackgroundScheduler

from moderator.entrypoints.archivist import archivist_of
from moderator.entrypoints.assembly import Worker, watcher_of
from moderator.entrypoints.web import http_server
from moderator.settings import Settings

log = logging.getLogger("railpost")

_SWEEP_SECONDS = 60
_CLEAR_SECONDS = 15 * 60
_NEVER = 2**31 - 1


class _Bell:
    """A job that runs at an interval, and at once when it is rung. If it is rung while it runs, it runs once more,
    because the run may have passed the point in question. ``max_instances`` is 2: the second run waits for the one
    thread of the executor. With 1, the scheduler would drop a ring that comes just as the first run ends."""

    def __init__(self, scheduler: BackgroundScheduler, work: Callable[[], None], seconds: float, executor: str) -> None:
        self._work = work
        self._rung = threading.Event()
        self._ended = False
        self._asking = threading.Lock()
        now = datetime.now(UTC)
        self._job: Job = scheduler.add_job(
            self._do, "interval", seconds=seconds, next_run_time=now, executor=executor, max_instances=2
        )  # fmt: skip

    def ring(self) -> None:
        with self._asking:
            if not self._rung.is_set() and not self._ended:
                self._rung.set()
                self._job.modify(next_run_time=datetime.now(UTC))

    def end(self) -> None:
        """Ignore rings from now on. A scheduler that shuts down answers no calls until all jobs have ended, so it and a
        job that rings would wait for each other."""
        with self._asking:
            self._ended = True

    def _do(self) -> None:
        self._rung.clear()
        if not self._ended:
            self._work()


class Runner:
    """Runs the rounds of a service in threads. One thread takes in and decides mail and sweeps; another sends, so that
    an outgoing server that is slow delays nobody's orders; a third writes the archive, if there is one. Jobs hold no
    state: the next one makes up for one that was missed."""

    def __init__(self, work: Worker, poll_seconds: float, archive: Callable[[], None] | None = None) -> None:
        self._work = work
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={name: ThreadPoolExecutor(1) for name in ("default", "post", "archive")},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        self.rounds_done = threading.Semaphore(0)
        """Released after each look at the mailbox."""
        self._mail = _Bell(self._scheduler, self._look, poll_seconds, "default")
        self._post = _Bell(self._scheduler, self._send, poll_seconds, "post")
        self._archive = archive and _Bell(self._scheduler, archive, _SWEEP_SECONDS, "archive")
        self._scheduler.add_job(self._sweep, "interval", seconds=_SWEEP_SECONDS)
        self._scheduler.add_job(_clear, "interval", seconds=_CLEAR_SECONDS)
        self._thresholds = gc.get_threshold()
        work.post = self._post.ring

    def start(self) -> None:
        # Python searches all objects for unreachable cycles whenever their number has grown by a quarter. With a
        # thousand games in memory that takes as long as dozens of mails, in the middle of one, and finds little.
        # ``_clear`` does it now and then instead.
        young, middle, _ = self._thresholds
        gc.set_threshold(young, middle, _NEVER)
        self._scheduler.start()

    def wake(self) -> None:
        """Look into the mailbox now, because mail has come, instead of at the next interval."""
        self._mail.ring()

    def stop(self) -> None:
        """Finish the mail that is being decided and the one that is being sent, and begin nothing more."""
        self._work.stopping = True
        for bell in (self._mail, self._post, self._archive):
            if bell is not None:
                bell.end()
        self._scheduler.shutdown(wait=True)
        gc.set_threshold(*self._thresholds)
        self._work.stopping, self._work.post = False, self._work.send

    def _look(self) -> None:
        try:
            self._guarded("round", self._work.mail)
            if self._archive is not None:
                self._archive.ring()
        finally:
            self.rounds_done.release()

    def _send(self) -> None:
        self._guarded("sending", self._work.send)

    def _sweep(self) -> None:
        if not self._work.stopping:
            self._guarded("sweep", self._work.sweep)

    def _guarded(self, what: str, work: Callable[[], object]) -> None:
        """Run ``work``. An exception is logged and reported, whether the database is away or the error was unforeseen;
        the next run tries again."""
        try:
            work()
        except Exception as error:
            log.exception("a %s failed", what)
            self._work.failed(error)


def _clear() -> None:
    """Collect garbage. This runs in the first thread, like its other jobs, and so between two rounds."""
    gc.collect()


def serve(work: Worker, settings: Settings) -> None:
    """Run the service until SIGTERM or Ctrl-C."""
    stop = threading.Event()

    def asked_to_stop(number: int, frame: FrameType | None) -> None:
        log.info("stopping: %s", signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked_to_stop)
    runner = Runner(work, settings.poll_seconds, archivist_of(work.desk))
    watcher = watcher_of(settings, runner.wake)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    web = http_server(work.desk)
    runner.start()
    if watcher is not None:
        watcher.start()
    if web is not None:
        web.start()
        log.info("http: port %s", web.port)
    log.info("running: mailbox %s, every %s seconds", work.intake.name, settings.poll_seconds)
    stop.wait()
    if web is not None:
        web.stop()
    if watcher is not None:
        watcher.stop()
    runner.stop()
    work.close()
    log.info("stopped")
