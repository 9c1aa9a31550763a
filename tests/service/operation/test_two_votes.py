"""Two services that decide the last voices of one vote at the same moment, on PostgreSQL: both would carry it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from moderator.adapters.database import Database
from moderator.adapters.tables import DeadlineRow, MotionRow
from moderator.service import locks
from moderator.service.decision import duplicates, motions
from moderator.service.pipeline import claim, process
from moderator.service.table import motions as votes
from tests.kit.patience import PATIENCE
from tests.kit.postgres import empty
from tests.kit.service.mail_service import OPENED, Service, mail

pytestmark = pytest.mark.fault(90)

_MEANWHILE = 1.0
"""Seconds in which a service without locks would have read what the other is about to change."""
PLAYERS = ("Ann", "Bob", "Cat", "Dan")


@pytest.fixture
def service(tmp_path: Path, postgres_tables: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("RAILPOST_DATABASE", postgres_tables.url)
    service = Service.open(tmp_path)
    service.game(players=PLAYERS, deadline_hours=72)
    yield service
    while OPENED:
        OPENED.pop().close()
    empty(postgres_tables)


def due(service: Service) -> DeadlineRow:
    with service.session() as session:
        return session.exec(select(DeadlineRow).where(DeadlineRow.state != "met")).one()


def test_90_a_vote_that_two_services_decide_at_once_is_carried_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of four must agree. Two have, and the voices of the other two are decided at once."""
    before = due(service).due_at
    service.say("Cat", "propose extend 48 hours because Ann has no electricity")
    service.say("Bob", "vote yes")
    for player in ("Ann", "Dan"):
        to = service.address(player)
        service.send(mail("vote yes", sender=f"{player.lower()}@players.example", to=to), to)
    service.take_in()
    both = service, Service.open(service.root)
    both[1].clock.moment = service.clock.moment
    together, lock = threading.Barrier(2, timeout=PATIENCE), locks.lock_games
    met: list[int] = []

    def locked(*given: Any) -> Any:
        if len(met) < 2:  # neither locks the game before the other has read its mail
            met.append(together.wait())
        return lock(*given)

    monkeypatch.setattr(duplicates, "lock_games", locked)
    both_read, read = threading.Barrier(2), votes.open_motions

    def read_motions(*given: Any) -> Any:
        """As it is, but neither goes on before the other has read the motions, too, if nothing keeps it from that."""
        found = read(*given)
        with suppress(threading.BrokenBarrierError):
            both_read.wait(_MEANWHILE)
        return found

    monkeypatch.setattr(motions, "open_motions", read_motions)
    numbers = [claim(one.desk) for one in both]
    assert None not in numbers and numbers[0] != numbers[1]
    threads = [
        threading.Thread(target=process, args=(one.desk, number, one.complaints.append))
        for one, number in zip(both, numbers, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(met) == [0, 1], "both were at the same point"
    assert not both[0].complaints and not both[1].complaints
    service.run()
    with service.session() as session:
        assert [row.state for row in session.exec(select(MotionRow)).all()] == ["carried"]
    assert due(service).due_at == before + timedelta(hours=48), "once"
    for player in PLAYERS:
        told = [" ".join(letter.text.split()) for letter in service.letters(player)]
        assert sum("The table has agreed" in text for text in told) == 1
