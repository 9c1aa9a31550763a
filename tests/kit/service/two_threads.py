"""A service whose deciding and sending can be held up, and looked at from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import col, select

from moderator.adapters.tables import BudgetRow, OutboxRow
from moderator.domain.ports import Outgoing
from moderator.entrypoints.processes.run import Runner
from tests.kit.patience import PATIENCE
from tests.kit.service.shop import Shop

AT_ONCE = 4


class Shops(Shop):
    """A shop whose rounds can be left to a runner."""

    def runner(self) -> Runner:
        return Runner(self.round, poll_seconds=3_600)

    def rows(self) -> list[OutboxRow]:
        with self.service.desk.database.reading() as session:
            return list(session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all())

    def sent_today(self) -> int:
        day = self.service.clock.moment.date().isoformat()
        with self.service.desk.database.reading() as session:
            row = session.get(BudgetRow, ("sent", day))
            return row.count if row is not None else 0


class Slow:
    """A server that takes a mail only when it is let, and counts what it got by Message-ID."""

    def __init__(self) -> None:
        self.begun, self.may = threading.Semaphore(0), threading.Semaphore(0)
        self.got: list[str] = []

    def send(self, outgoing: Outgoing) -> None:
        self.begun.release()
        assert self.may.acquire(timeout=PATIENCE)
        self.got.append(outgoing.message_id)

    def probe(self) -> None:
        """Whenever nothing is due, the sending thread asks, perhaps before anything was decided."""


def through(shop: Shops, outlet: object) -> None:
    """From now on mail goes that way."""
    shop.round.outlet.inner = outlet  # type: ignore[assignment]


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.01)


def at_once(work: Callable[[int], object]) -> None:
    """The same in several threads that begin together."""
    together = threading.Barrier(AT_ONCE)

    def one(number: int) -> None:
        together.wait(PATIENCE)
        work(number)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(one, number) for number in range(AT_ONCE)]:
            done.result(PATIENCE)
