"""``railpost run``: a scheduler that goes round until it is told to stop."""

from __future__ import annotations

import logging
import signal
import threading
from datetime import UTC, datetime
from types import FrameType

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.job import Job
from apscheduler.schedulers.background import BackgroundScheduler

from moderator.entrypoints.assembly import Round, watcher_of
from moderator.entrypoints.web import http_server
from moderator.settings import Settings

log = logging.getLogger("railpost")

_SWEEP_SECONDS = 60


class Runner:
    """The rounds of a service in a thread of their own. Jobs hold no state: a missed one is made up by the next."""

    def __init__(self, work: Round, poll_seconds: float) -> None:
        self._work = work
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        self.rounds_done = threading.Semaphore(0)
        """Released after each look at the mailbox."""
        self._woken = threading.Event()
        now = datetime.now(UTC)
        self._mail: Job = self._scheduler.add_job(self._look, "interval", seconds=poll_seconds, next_run_time=now)
        self._scheduler.add_job(self._sweep, "interval", seconds=_SWEEP_SECONDS)

    def start(self) -> None:
        self._scheduler.start()

    def wake(self) -> None:
        """Mail has come, says whoever knows: look now and not only at the next interval. A look that is under way may
        have passed it by, and the scheduler begins no second one beside it: it looks again when it is through."""
        self._woken.set()
        self._mail.modify(next_run_time=datetime.now(UTC))

    def stop(self) -> None:
        """Let what has begun come to its end, and begin nothing more."""
        self._scheduler.shutdown(wait=True)

    def _look(self) -> None:
        again = True
        while again:
            self._woken.clear()
            try:
                self._work.mail()
            except Exception as error:  # the database is away, or nobody foresaw it: the next round tries again
                log.exception("a round failed")
                self._work.failed(error)
            finally:
                self.rounds_done.release()
            again = self._woken.is_set()

    def _sweep(self) -> None:
        try:
            self._work.sweep()
        except Exception as error:
            log.exception("a sweep failed")
            self._work.failed(error)


def serve(work: Round, settings: Settings) -> None:
    """Run until SIGTERM or Ctrl-C."""
    stop = threading.Event()

    def asked_to_stop(number: int, frame: FrameType | None) -> None:
        log.info("stopping: %s", signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked_to_stop)
    runner = Runner(work, settings.poll_seconds)
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
