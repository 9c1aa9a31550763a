"""Two services that sweep at once: the second finds what is due, and the first has done it before the second begins.

Only one service sweeps, but its lease runs out while it stands still; so every part looks again under its locks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, func, select, update

from moderator.adapters.tables import BounceRow, DeadlineRow, EntryRow, OutboxRow, SeatRow
from moderator.service.decision.motions import end_lapsed
from moderator.service.desk import Desk
from moderator.service.operation import outages
from moderator.service.people.silence import remind_silent
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.reminders import remind
from moderator.service.robots.bounces import refused
from moderator.service.table.digests import daily_news
from tests.kit.service.mail_service import START, Service

pytestmark = [pytest.mark.usefixtures("each_database"), pytest.mark.fault(90)]

HOURS = 48


def one_game(service: Service) -> None:
    service.game(deadline_hours=HOURS)
    service.say("Bob", "notify daily")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.made(tmp_path, one_game)


def pass_by(service: Service, **span: float) -> None:
    service.clock.pass_by(**span)


def nearly_due(service: Service) -> None:
    pass_by(service, hours=HOURS - 1)


def late(service: Service) -> None:
    pass_by(service, hours=HOURS + 1)


def late_for_long(service: Service) -> None:
    late(service)
    sweep_deadlines(service.desk)
    pass_by(service, hours=service.desk.settings.late_again_hours + 1)


def silent(service: Service) -> None:
    pass_by(service, hours=service.desk.settings.silent_hours + 1)


def after_an_outage(service: Service) -> None:
    nearly_due(service)
    with service.desk.sitting() as sitting:
        outages.note(sitting, START + timedelta(hours=40), START + timedelta(hours=50))


def in_another_zone(service: Service) -> None:
    with service.desk.database.transaction() as session:
        session.exec(update(DeadlineRow).values(wall="2026-03-03T20:00 Europe/Zurich"))


def news_for_bob(service: Service) -> None:
    service.say("Ann", "open TSR 25")
    service.say("Bob", "bid 30")
    service.say("Cat", "pass")
    pass_by(service, hours=30)


def refused_for_good(service: Service) -> None:
    with service.desk.database.transaction() as session:
        session.exec(update(OutboxRow).values(state="failed", error="550 5.1.1 nobody of that name"))
        session.exec(update(SeatRow).values(bounces=service.desk.settings.bounces_allowed - 1))


def after_a_vote(service: Service) -> None:
    service.say("Cat", "propose extend 48 hours because Ann has no electricity")
    late(service)


WORKS: dict[str, tuple[Callable[[Service], None], Callable[[Desk], object]]] = {
    "reminders": (nearly_due, remind),
    "late answers": (late, sweep_deadlines),
    "answers still late": (late_for_long, remind),
    "silent seats": (silent, remind_silent),
    "an outage": (after_an_outage, outages.settle),
    "zones": (in_another_zone, outages.follow_zones),
    "news": (news_for_bob, daily_news),
    "refused mail": (refused_for_good, refused),
    "a vote that is over": (after_a_vote, end_lapsed),
}


def written(service: Service) -> tuple[int, ...]:
    """The numbers of mails, of entries of logs, and of mails that came back."""
    with service.desk.database.reading() as session:
        return tuple(
            session.exec(select(func.count(col(table.id)))).one() for table in (OutboxRow, EntryRow, BounceRow)
        )


@pytest.mark.parametrize("work", WORKS)
def test_90_what_two_services_find_due_is_done_once(
    service: Service, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, sweep = WORKS[work]
    prepare(service)
    other = Service.open(service.root)
    other.clock.moment = service.clock.moment
    before, transaction = written(service), service.desk.database.transaction
    once: list[tuple[int, ...]] = []

    def overtaken() -> AbstractContextManager[Session]:
        if not once:
            sweep(other.desk)
            once.append(written(other))
        return transaction()

    monkeypatch.setattr(service.desk.database, "transaction", overtaken)
    sweep(service.desk)
    assert once, "nothing was written"
    assert once[0] != before, "nothing was due: this test has shown nothing"
    assert written(service) == once[0]
    other.desk.database.close()
