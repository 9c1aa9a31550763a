"""``railpost seat address``, ``revoke`` and ``alias``."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.adapters.tables import AliasRow
from moderator.entrypoints.cli import app
from tests.kit.service.mail_service import Service
from tests.service.people.test_identity import ANN, AWAY, NEW, pendings, write

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game()


def railpost(service: Service, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["--data", str(service.root), "seat", *words])
    return result.exit_code, result.output


@pytest.mark.fault(40)
def test_the_operator_changes_an_address(service: Service, game: str) -> None:
    status, said = railpost(service, "address", game, "Ann", NEW)
    assert status == 0 and NEW in said and pendings(service) == [("address", "confirmed")]
    assert service.seat(game, "Ann").address == ANN
    status, _ = railpost(service, "address", game, "Ann", NEW, "--at-once")
    assert status == 0 and service.seat(game, "Ann").address == NEW and pendings(service) == [("address", "refused")]
    assert railpost(service, "address", game, "Ann", NEW)[0] == 1
    assert railpost(service, "address", game, "Zoe", NEW)[0] == 1
    assert railpost(service, "address", game, "Ann", "nowhere")[0] == 2


def test_the_operator_gives_a_seat_to_somebody_else(service: Service, game: str) -> None:
    status, said = railpost(service, "give", game, "Ann", f"Dan <{NEW}>")
    assert status == 0 and "Dan plays for Ann" in said and service.seat(game, "Ann").address == NEW
    assert railpost(service, "give", game, "Ann", f"Dan <{NEW}>")[0] == 1
    assert railpost(service, "give", game, "Zoe", f"Dan <{NEW}>")[0] == 1
    assert railpost(service, "give", "1861-99", "Ann", f"Dan <{NEW}>")[0] == 1
    assert railpost(service, "give", game, "Bob", "nobody")[0] == 2


@pytest.mark.fault(38)
def test_the_operator_revokes_secrets(service: Service, game: str) -> None:
    old = service.address("Ann")
    assert railpost(service, "revoke", game, "Ann")[0] == 0
    write(service, "open TSR 25", to=old)
    assert service.outcomes() == ["wrong_token"]


@pytest.mark.fault(39)
def test_the_operator_sees_and_changes_aliases(service: Service, game: str) -> None:
    status, said = railpost(service, "alias", game, "Ann", AWAY)
    assert status == 0 and "is asked" in said
    assert "not confirmed" in railpost(service, "alias", game, "Ann")[1]
    with service.session() as session, session.begin():
        row = session.get(AliasRow, (AWAY, ANN))
        assert row is not None
        row.confirmed_at = service.clock.now()
    assert railpost(service, "alias", game, "Ann", AWAY)[0] == 1
    assert railpost(service, "alias", game, "Ann", AWAY, "--remove")[0] == 0
    assert railpost(service, "alias", game, "Ann", AWAY, "--remove")[0] == 1
