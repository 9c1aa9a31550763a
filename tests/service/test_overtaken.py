"""Another service gives a seat to somebody else, after a mail of its player was read and before the game is locked.

Only PostgreSQL lets two transactions write at once; on SQLite the second one waits until the first has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlmodel import select

from moderator.adapters.database import Database
from moderator.adapters.tables import OutboxRow
from moderator.service.decision import duplicates as seen
from moderator.service.people import reach
from moderator.service.people.hand_over import hand_over
from moderator.service.people.person_words import revoke
from moderator.service.post.list_headers import stop_token
from moderator.service.robots import bounces, unsubscribe
from moderator.service.table.table import lock_seat
from tests.kit.postgres import empty
from tests.kit.service.mail_service import OPENED, Service
from tests.kit.service.robot_mails import complaint

Meanwhile = Callable[[ModuleType, str, Callable[[], None]], None]


@pytest.fixture
def service(tmp_path: Path, postgres_tables: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("RAILPOST_DATABASE", postgres_tables.url)
    yield Service.open(tmp_path)
    while OPENED:
        OPENED.pop().close()
    empty(postgres_tables)


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game()


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let something happen once, right before a module locks a game by a function of that name."""

    def put(module: ModuleType, name: str, act: Callable[[], None]) -> None:
        lock, left = getattr(module, name), [act]

        def locked(*given: Any) -> Any:
            if left:
                left.pop()()
            return lock(*given)

        monkeypatch.setattr(module, name, locked)

    return put


def to_zoe(service: Service, game: str) -> Callable[[], None]:
    def act() -> None:
        with service.desk.sitting() as sitting:
            hand_over(sitting, lock_seat(sitting, game, "Ann"), "Zoe", "zoe@players.example")

    return act


def stopped(service: Service, game: str) -> bool:
    return service.seat(game, "Ann").stopped_at is not None


@pytest.mark.fault(90)
def test_90_orders_of_the_player_before_move_nothing(service: Service, game: str, meanwhile: Meanwhile) -> None:
    meanwhile(seen, "lock_games", to_zoe(service, game))
    service.say("Ann", "open TSR 25")
    assert service.log(game) == [] and service.outcomes() == ["wrong_token"]
    assert not [one for one in service.mailbox("zoe@players.example") if one.kind == "transcript"]


@pytest.mark.fault(90)
def test_90_an_address_that_is_revoked_meanwhile_changes_nothing(
    service: Service, game: str, meanwhile: Meanwhile
) -> None:
    def act() -> None:
        with service.desk.sitting() as sitting:
            revoke(sitting, lock_seat(sitting, game, "Ann"))

    meanwhile(seen, "lock_games", act)
    service.say("Ann", "open TSR 25")
    assert service.log(game) == [] and service.outcomes() == ["wrong_token"]


@pytest.mark.fault(74)
def test_74_a_link_of_the_player_before_stops_nothing(service: Service, game: str, meanwhile: Meanwhile) -> None:
    with service.desk.looking() as sitting:
        token = stop_token(sitting, service.seat(game, "Ann"))
    meanwhile(unsubscribe, "lock_game", to_zoe(service, game))
    assert unsubscribe.unsubscribe(service.desk, token) == "unknown"
    assert not stopped(service, game)


@pytest.mark.fault(68)
def test_68_mail_that_came_back_from_the_address_before_counts_for_nobody(
    service: Service, game: str, meanwhile: Meanwhile
) -> None:
    with service.desk.sitting() as sitting:
        for row in sitting.session.exec(select(OutboxRow).where(OutboxRow.player == "Ann")).all():
            row.state, row.error = "failed", "550 5.1.1 nobody of that name"
    meanwhile(reach, "lock_games", to_zoe(service, game))
    bounces.refused(service.desk)
    assert service.seat(game, "Ann").bounces == 0


@pytest.mark.fault(73)
def test_73_a_complaint_of_the_player_before_stops_nothing(service: Service, game: str, meanwhile: Meanwhile) -> None:
    with service.desk.looking() as sitting:
        path = sitting.session.exec(select(OutboxRow.return_path).where(OutboxRow.player == "Ann")).first()
    assert path is not None
    meanwhile(bounces, "lock_games", to_zoe(service, game))
    service.send(complaint(to=path))
    service.run()
    assert service.outcomes() == ["complaint"] and not stopped(service, game)
