"""``railpost run``: threads that work in rounds until they are told to stop. They wait by the monotonic clock, so that
no jump of the wall clock delays a round."""

from __future__ import annotations

import faulthandler
import gc
import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from moderator.adapters.rounds import Job, Rounds
from moderator.adapters.supervisor import Supervisor
from moderator.entrypoints.archive.archivist import archivist_of
from moderator.entrypoints.processes.assembly import Worker, watcher_of
from moderator.entrypoints.processes.web import http_server
from moderator.settings import Settings

log = logging.getLogger("railpost")

_SWEEP_SECONDS = 60
_CLEAR_SECONDS = 15 * 60
_TICK_SECONDS = 1
"""A clock that is wrong for a few seconds is noticed, too."""
_HELP_SECONDS = 1
"""A service that has helped to decide what another took in looks for more after this time."""
_LOG_SECONDS = 3_600
_STILL_SECONDS = 600
"""The sending of one mail stands still if it takes longer. Each wait for the server is bounded by `server_timeout`."""
_NEVER = 2**31 - 1


class Runner:
    """Runs the rounds of a service in threads. The first takes in and decides mail and sweeps; another sends, so that
    an outgoing server that is slow delays nobody's orders; a third writes the archive, if there is one. One thread does
    nothing but watch the clock. Jobs hold no state: the next one makes up for all that were missed. The supervisor gets
    its signs of life from rounds that came to their end, and from no timer; none while the sending of one mail stands
    still. A round that failed is one, too: health reports it, and a new start would not help."""

    def __init__(
        self,
        work: Worker,
        poll_seconds: float,
        archive: Callable[[], None] | None = None,
        supervisor: Supervisor | None = None,
    ) -> None:
        self._work, self._supervisor = work, supervisor or Supervisor({})
        self.rounds_done = threading.Semaphore(0)
        """Released after each look at the mailbox."""
        self._mail, self._post = Job(self._look, poll_seconds), Job(self._send, poll_seconds)
        self._archive = archive and Job(archive, _SWEEP_SECONDS)
        sweep, clear = Job(self._sweep, _SWEEP_SECONDS, _SWEEP_SECONDS), Job(_clear, _CLEAR_SECONDS, _CLEAR_SECONDS)
        self._threads = [
            Rounds("clock", Job(self._tick, _TICK_SECONDS)),
            Rounds("rounds", self._mail, sweep, clear),
            Rounds("post", self._post),
            *([Rounds("archive", self._archive)] if self._archive else []),
        ]
        self._failing: dict[str, _Failing] = {}
        self._thresholds = gc.get_threshold()
        self._sending: float | None = None
        """The beginning of the sending of the present mail (``time.monotonic``); None while nothing is sent."""
        work.post, work.alive, work.tried = self._post.ring, self._alive, self._next_mail

    def start(self) -> None:
        # Python searches all objects for unreachable cycles whenever their number has grown by a quarter. With a
        # thousand games in memory that takes as long as dozens of mails, in the middle of one, and finds little.
        # ``_clear`` does it now and then instead.
        young, middle, _ = self._thresholds
        gc.set_threshold(young, middle, _NEVER)
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Look into the mailbox now, because mail has come, instead of at the next interval. If another service reads
        it, that one is woken, too, and nothing is done here."""
        if self._work.reads:
            self._mail.ring()

    def stop(self) -> None:
        """Finish the mail that is being decided and the one that is being sent, and begin nothing more."""
        self._work.stopping = True
        for thread in self._threads:
            thread.end()
        for thread in self._threads:
            thread.join()
        gc.set_threshold(*self._thresholds)
        self._work.stopping, self._work.post = False, self._work.send

    def _look(self) -> None:
        try:
            self._guarded("round", self._work.mail)
            if self._work.helped:
                self._mail.soon(_HELP_SECONDS)
            if self._archive is not None:
                self._archive.ring()
        finally:
            self._alive()
            self.rounds_done.release()

    def _send(self) -> None:
        self._next_mail()
        self._guarded("sending", self._work.send)
        self._sending = None

    def _next_mail(self) -> None:
        self._sending = time.monotonic()

    def _alive(self) -> None:
        since = self._sending
        if since is None or time.monotonic() - since < _STILL_SECONDS:
            self._supervisor.alive()

    def _sweep(self) -> None:
        self._guarded("sweep", self._work.sweep)
        self._alive()

    def _tick(self) -> None:
        self._guarded("look at the clock", self._work.tick)

    def _guarded(self, what: str, work: Callable[[], object]) -> None:
        """Run ``work``. An exception is logged and reported, whether the database is away or the error was unforeseen;
        the next run tries again. A failure like the one before is logged again only after ``_LOG_SECONDS``, because the
        database may be away for hours."""
        before = self._failing.get(what)
        try:
            work()
        except Exception as error:
            now, kind = time.monotonic(), f"{type(error).__name__}: {getattr(error, 'orig', '')}"
            if before is not None and before.kind == kind and now - before.logged < _LOG_SECONDS:
                before.count += 1
            else:
                log.exception("a %s failed", what)
                self._failing[what] = _Failing(kind, now, 1 if before is None else before.count + 1)
            self._work.failed(error)
        else:
            if before is not None:
                del self._failing[what]
                log.warning("a %s has succeeded, after %s failures", what, before.count)


@dataclass(slots=True)
class _Failing:
    """A job that fails again and again: how, when that was logged (``time.monotonic``), and how often it failed."""

    kind: str
    logged: float
    count: int


def _clear() -> None:
    """Collect garbage. This runs in the thread of the rounds, and so between two rounds."""
    gc.collect()


def serve(work: Worker, settings: Settings) -> None:
    """Run the service until SIGTERM or Ctrl-C."""
    stop = threading.Event()

    def asked_to_stop(number: int, frame: FrameType | None) -> None:
        log.info("stopping: %s", signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked_to_stop)
    faulthandler.enable(2)  # if systemd ends a service that stands still, the log says where
    supervisor = Supervisor()
    runner = Runner(work, settings.poll_seconds, archivist_of(work.desk), supervisor)
    watcher = watcher_of(settings, runner.wake)
    web = http_server(work.desk)
    runner.start()
    if watcher is not None:
        watcher.start()
    if web is not None:
        web.start()
        log.info("http: port %s", web.port)
    log.info("running: mailbox %s, every %s seconds", work.intake.name, settings.poll_seconds)
    supervisor.ready()
    stop.wait()
    supervisor.stopping()
    if web is not None:
        web.stop()
    if watcher is not None:
        watcher.stop()
    runner.stop()
    work.close()
    log.info("stopped")
