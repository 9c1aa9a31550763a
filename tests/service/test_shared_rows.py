"""Rows that several threads or services write at the same time: none of their words is lost, none counts twice."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, select

from moderator.adapters.tables import BudgetRow, MailRow, OutboxRow
from moderator.domain.ports import Away, Outgoing
from moderator.service import pipeline
from moderator.service.operation import outages
from moderator.service.operation.alarms import Alarms
from moderator.service.post.delivery import send_due
from moderator.service.service_facts import forget, recall, recall_to_change, remember
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import START, mail
from tests.kit.service.two_threads import AT_ONCE, Shops, at_once, until

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def shop(tmp_path: Path) -> Shops:
    return Shops(tmp_path)


# ---- rows that both write


def test_a_row_that_several_begin_at_once_is_written_by_all_of_them(shop: Shops) -> None:
    desk = shop.service.desk

    def count(_: int) -> None:
        for _ in range(5):
            with desk.sitting() as sitting:
                before = recall_to_change(sitting.session, "counted") or {"count": 0}
                remember(sitting, "counted", {"count": before["count"] + 1})

    at_once(count)
    with desk.database.reading() as session:
        assert recall(session, "counted") == {"count": 5 * AT_ONCE}


def test_a_row_is_forgotten_by_one_of_them(shop: Shops) -> None:
    desk, gone = shop.service.desk, []
    with desk.sitting() as sitting:
        remember(sitting, "once", {})

    def away(_: int) -> None:
        with desk.database.transaction() as session:
            gone.append(forget(session, "once"))

    at_once(away)
    assert sorted(gone) == [False] * (AT_ONCE - 1) + [True]


def test_outages_that_end_together_are_one_from_the_first_moment_to_the_last(shop: Shops) -> None:
    desk = shop.service.desk

    def ended(number: int) -> None:
        with desk.sitting() as sitting:
            outages.note(sitting, START - timedelta(hours=number), START + timedelta(hours=number))

    at_once(ended)
    last = timedelta(hours=AT_ONCE - 1)
    assert outages.pending(desk) == (START - last, START + last)


def test_an_outage_that_grows_while_deadlines_are_moved_is_not_forgotten(
    shop: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shop.service.desk
    shop.game()
    with desk.sitting() as sitting:
        outages.note(sitting, START, START + timedelta(hours=1))
    hit = outages._games_hit

    def meanwhile(*given: object) -> list[str]:
        with desk.sitting() as sitting:  # who sends finds a server back
            outages.note(sitting, START, START + timedelta(hours=50))
        return hit(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(outages, "_games_hit", meanwhile)
    assert outages.settle(desk) == 0
    monkeypatch.undo()
    assert outages.settle(desk) == 1, "Ann's deadline fell into it"


def test_one_trouble_that_several_meet_is_told_once(shop: Shops) -> None:
    past: list[str] = []

    def hook(text: str) -> str:
        past.append(text)
        return ""

    alarms = Alarms(shop.service.desk, hook)
    at_once(lambda _: alarms.tell("away", "smtp", which="smtp", since="12:00", why="gone"))
    assert [row.kind for row in shop.rows()] == ["operator"]
    assert past == [], "the database was there all the time"


def test_a_server_found_away_and_there_at_once_is_one_of_them(shop: Shops) -> None:
    """Two services, or a probe of one and a mail of another."""
    works = [shop.another() for _ in range(AT_ONCE)]

    def seen(number: int) -> None:
        for _ in range(5):
            works[number].watch.away("smtp", Away("gone"))
            works[number].watch.back("smtp")

    at_once(seen)
    assert shop.round.watch.frozen() == {}


# ---- mails that are given up


@pytest.fixture
def failing(shop: Shops) -> int:
    """Number of a mail that was tried and tried."""
    shop.service.game()
    to = shop.service.address("Ann")
    shop.service.send(mail("bid 1", sender="ann@players.example", to=to), to)
    shop.service.take_in()
    with shop.service.desk.database.reading() as session:
        return session.exec(select(MailRow.id)).one() or 0


def test_a_mail_that_several_give_up_is_told_the_operator_once(shop: Shops, failing: int) -> None:
    at_once(lambda _: pipeline._end_in_error(shop.service.desk, failing, "too often"))
    assert [row.kind for row in shop.rows()].count("operator") == 1


def test_a_mail_that_another_decides_meanwhile_is_not_given_up(shop: Shops, failing: int) -> None:
    desk, held = shop.service.desk, threading.Event()

    def decide() -> None:
        with desk.database.transaction() as session:
            row = session.exec(select(MailRow).with_for_update()).one()
            held.set()
            time.sleep(0.2)  # who gives it up comes now
            row.outcome = "applied"

    with ThreadPoolExecutor(1) as pool:
        decided = pool.submit(decide)
        assert held.wait(PATIENCE)
        pipeline._end_in_error(desk, failing, "too often")
        decided.result(PATIENCE)
    with desk.database.reading() as session:
        assert session.exec(select(MailRow.outcome)).one() == "applied"
    assert not [row for row in shop.rows() if row.kind == "operator"]


# ---- the quota


@pytest.fixture
def rationed(shop: Shops) -> Shops:
    shop.service.game()
    settings = shop.service.desk.settings.model_copy(update={"mails_per_day": 100})
    object.__setattr__(shop.service.desk, "settings", settings)
    shop.round.post = lambda: None
    to = shop.service.address("Ann")
    for number in range(3):
        shop.service.send(mail(f"help {number}", sender="ann@players.example", to=to), to)
    shop.round.mail()
    return shop


def test_what_was_not_tried_counts_neither_today_nor_tomorrow(rationed: Shops) -> None:
    def midnight(outgoing: Outgoing) -> None:
        rationed.service.clock.moment = START + timedelta(days=1)
        raise Away("gone")

    class Gone:
        send = staticmethod(midnight)

    send_due(rationed.service.desk, Gone(), lambda _: None)
    with rationed.service.desk.database.reading() as session:
        counts = session.exec(select(BudgetRow.count).where(BudgetRow.scope == "sent")).all()
    assert list(counts) == [0]


def test_what_somebody_else_took_over_is_not_counted_twice(rationed: Shops) -> None:
    desk = rationed.service.desk
    took: list[str] = []

    class Outlet:
        def send(self, outgoing: Outgoing) -> None:
            took.append(outgoing.message_id)
            if len(took) == 1:  # the operator keeps the others back
                with desk.database.transaction() as session:
                    for row in _queued(session):
                        if row.message_id != outgoing.message_id:
                            row.state = "kept"

    queued = sum(row.state == "queued" for row in rationed.rows())
    assert queued > 1
    assert send_due(desk, Outlet(), lambda _: None) == 1
    assert rationed.sent_today() == 1


def test_services_that_send_at_once_count_each_mail_once(rationed: Shops) -> None:
    desk = rationed.service.desk
    queued = sum(row.state == "queued" for row in rationed.rows())
    got: list[str] = []

    class Outlet:
        def send(self, outgoing: Outgoing) -> None:
            got.append(outgoing.message_id)

    desks = [replace(desk, owner=str(number)) for number in range(AT_ONCE)]

    def some(number: int) -> None:
        while send_due(desks[number], Outlet(), lambda _: None, 1):
            pass

    at_once(some)
    until(lambda: send_due(desk, Outlet(), lambda _: None) == 0)
    assert len(got) == len(set(got)) == queued
    assert rationed.sent_today() == queued


def test_a_database_that_fails_between_two_mails_keeps_the_others_waiting_for_no_lease(
    rationed: Shops, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service.post import delivery as sending

    desk, note = rationed.service.desk, sending._note
    got: list[str] = []

    class Outlet:
        def send(self, outgoing: Outgoing) -> None:
            got.append(outgoing.message_id)

    def lost(*_: object) -> None:
        raise OperationalError("", None, Exception("the connection is lost"))

    queued = sum(row.state == "queued" for row in rationed.rows())
    monkeypatch.setattr(sending, "_note", lost)
    with pytest.raises(OperationalError):
        send_due(desk, Outlet(), lambda _: None)
    monkeypatch.setattr(sending, "_note", note)
    leases = [row.lease_until for row in rationed.rows() if row.state == "queued"]
    assert len([lease for lease in leases if lease is not None]) == 1, "the one that went may go again when it runs out"
    assert rationed.sent_today() == 1
    rationed.service.clock.pass_by(minutes=5)
    while send_due(desk, Outlet(), lambda _: None):
        pass
    assert len(set(got)) == queued
    assert len(got) == queued + 1, "the one of which nobody knows goes again, with the same Message-ID"


def _queued(session: Session) -> list[OutboxRow]:
    return list(session.exec(select(OutboxRow).where(OutboxRow.state == "queued")).all())
