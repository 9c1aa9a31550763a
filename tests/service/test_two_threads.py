"""A service decides in one thread and sends in another: nothing is lost, nothing goes twice, nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from moderator.domain.ports import Away, Barred, Outgoing
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from moderator.service.operation.supervision import accept_clock
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import mail
from tests.kit.service.two_threads import Shops, Slow, through, until

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def shop(tmp_path: Path) -> Shops:
    return Shops(tmp_path)


# ---- a service under way


def test_what_is_decided_while_a_server_is_slow_is_sent_once_and_in_order(shop: Shops) -> None:
    game = shop.game()
    slow = Slow()
    through(shop, slow)
    shop.round.send()  # whoever sends may look before anything is decided
    before = len(shop.rows())
    shop.service.send(
        mail("show map", sender="ann@players.example", to=(to := shop.service.address("Ann"))), to
    )  # fmt: skip
    runner = shop.runner()
    runner.start()
    try:
        assert slow.begun.acquire(timeout=PATIENCE)
        shop.service.send(mail("open TSR 25", sender="ann@players.example", to=to), to)
        runner.wake()
        until(lambda: shop.service.outcomes() == ["shown", "applied"])
        assert shop.service.log(game) == ["Ann: open TSR 25"], "nobody waited for the server"
        assert slow.got == []
        for _ in range(100):
            slow.may.release()
        until(lambda: all(row.state == "sent" for row in shop.rows()))
    finally:
        runner.stop()
    new = [row.message_id for row in shop.rows()[before:]]
    assert sorted(slow.got) == sorted(new), "each of them once"
    to_ann = [row.message_id for row in shop.rows()[before:] if row.player == "Ann" and row.priority == 0]
    assert [name for name in slow.got if name in to_ann] == to_ann


def test_a_round_that_is_under_way_while_the_service_stops_comes_to_its_end(
    shop: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.game()
    begun, go_on, decide = threading.Event(), threading.Event(), Worker._decide

    def held(work: Worker) -> bool:
        begun.set()
        assert go_on.wait(PATIENCE)
        return decide(work)  # which rings for who sends

    monkeypatch.setattr(Worker, "_decide", held)
    to = shop.service.address("Ann")
    shop.service.send(mail("open TSR 25", sender="ann@players.example", to=to), to)
    runner = shop.runner()
    runner.start()
    assert begun.wait(PATIENCE)
    stopping = threading.Thread(target=runner.stop, daemon=True)
    stopping.start()
    until(lambda: shop.round.stopping)
    time.sleep(0.05)  # it waits for the round now
    go_on.set()
    stopping.join(PATIENCE)
    assert not stopping.is_alive(), "the round waits for the service that waits for the round"
    assert shop.service.outcomes() == ["applied"]
    assert shop.service.complaints == []
    assert shop.told() == []


def test_a_service_that_stops_sends_one_mail_to_its_end_and_leaves_the_others_to_the_next(shop: Shops) -> None:
    shop.service.game()
    slow = Slow()
    to = shop.service.address("Ann")
    for number in range(5):
        shop.service.send(mail(f"show map {number}\nhelp", sender="ann@players.example", to=to), to)
    through(shop, slow)
    shop.round.post = lambda: None
    shop.round.mail()
    waiting = [row.message_id for row in shop.rows() if row.state == "queued"]
    assert len(waiting) > 3
    runner = shop.runner()
    runner.start()
    assert slow.begun.acquire(timeout=PATIENCE)
    stopping = threading.Thread(target=runner.stop, daemon=True)
    stopping.start()
    until(lambda: shop.round.stopping)
    slow.may.release()
    stopping.join(PATIENCE)
    assert not stopping.is_alive()
    assert len(slow.got) == 1
    left = [row for row in shop.rows() if row.state == "queued"]
    assert len(left) == len(waiting) - 1
    assert all(row.lease_until is None and row.attempts == 0 for row in left), "the next service need not wait"
    for _ in waiting:
        slow.may.release()
    shop.another(replace(shop.service.desk, owner="next")).send()
    assert all(row.state == "sent" for row in shop.rows())


def test_who_rings_is_heard_however_often_and_whenever(shop: Shops) -> None:
    """Also while a job is just coming to its end."""
    looked = 0

    class Quick(Worker):
        def __init__(self) -> None:
            self.post: Callable[[], object] = self.send

        def mail(self) -> bool:
            nonlocal looked
            looked += 1
            return True

        def send(self) -> None:
            return

        def tick(self) -> None:
            return

    runner = Runner(Quick(), poll_seconds=3_600)
    runner.start()
    try:
        until(lambda: looked > 0)
        for _ in range(300):
            before = looked
            runner.wake()
            until(lambda before=before: looked > before)  # type: ignore[misc]
    finally:
        runner.stop()


def test_what_nobody_foresaw_while_sending_is_told_and_ends_nothing(shop: Shops) -> None:
    shop.game()
    to = shop.service.address("Ann")
    runner = shop.runner()
    failing = threading.Event()

    def broken() -> None:
        failing.set()
        raise RuntimeError("open TSR 25, said the mail")

    send = shop.round.send
    shop.round.send = broken  # type: ignore[method-assign]
    runner.start()
    try:
        assert failing.wait(PATIENCE)
        shop.round.send = send  # type: ignore[method-assign]
        shop.service.send(mail("open TSR 25", sender="ann@players.example", to=to), to)
        runner.wake()
        until(lambda: shop.service.outcomes() == ["applied"] and all(row.state == "sent" for row in shop.rows()))
    finally:
        runner.stop()
    assert len(shop.told()) == 1
    assert "RuntimeError" in shop.told()[0]
    assert "TSR" not in shop.told()[0]


# ---- the servers


def test_a_mail_that_went_is_sent_even_if_nothing_else_can_be_written_down(
    shop: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(which: str) -> None:
        if which == "smtp":
            raise OperationalError("", None, Exception("the connection is lost"))

    monkeypatch.setattr(shop.round.watch, "back", gone)
    shop.service.game()
    shop.round.post = lambda: None
    to = shop.service.address("Ann")
    shop.service.send(mail("show map", sender="ann@players.example", to=to), to)
    shop.round.mail()
    shop.round.send()
    answers = [row for row in shop.rows() if row.answers is not None]
    assert [(row.state, row.attempts) for row in answers] == [("sent", 1)]


def test_who_decides_never_waits_for_the_way_out(shop: Shops) -> None:
    """Neither does it ask a server that was away whether it is there: who sends does."""
    shop.game()
    shop.smtp.error = Away("gone")
    shop.round.watch.away("smtp", Away("gone"))
    asked: list[str] = []
    probe = shop.smtp.probe

    def noted() -> None:
        asked.append(threading.current_thread().name)
        probe()

    shop.smtp.probe = noted  # type: ignore[method-assign]
    shop.round.post = lambda: None  # somebody sends beside it
    shop.round.sweep()
    assert asked == []
    shop.smtp.error = None
    shop.round.send()
    assert asked
    assert shop.round.watch.frozen() == {}


def test_a_server_that_lets_us_in_and_takes_nothing_is_told_once(shop: Shops) -> None:
    class Polite:
        """Says yes to who asks whether it is there."""

        def probe(self) -> None:
            return

        def send(self, outgoing: Outgoing) -> None:
            raise Barred("no more from you")

    shop.service.game()
    through(shop, Polite())
    to = shop.service.address("Ann")
    shop.service.send(mail("show map", sender="ann@players.example", to=to), to)
    for _ in range(10):
        shop.round.sweep()
        shop.service.clock.pass_by(minutes=1)
    alarms = [row for row in shop.rows() if row.kind == "operator"]
    assert len(alarms) == 1
    assert "smtp" in shop.round.watch.frozen()


def test_the_clock_that_is_accepted_while_a_mail_is_on_its_way_sends_nothing_twice(shop: Shops) -> None:
    shop.service.game()
    shop.round.post = lambda: None
    to = shop.service.address("Ann")
    shop.service.send(mail("show map", sender="ann@players.example", to=to), to)
    shop.round.mail()
    shop.meter.jump(days=3)
    shop.round.mail()
    slow = Slow()
    through(shop, slow)
    sending = threading.Thread(target=shop.round.send, daemon=True)
    sending.start()
    assert slow.begun.acquire(timeout=PATIENCE)
    shop.meter.jump(days=-3)  # the operator sets the clock right, and says so
    assert accept_clock(shop.service.desk) is not None
    for _ in range(10):
        slow.may.release()
    sending.join(PATIENCE)
    shop.round.send()
    assert len(slow.got) == len(set(slow.got))
    assert all(row.state == "sent" for row in shop.rows())
