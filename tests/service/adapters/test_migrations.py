"""A database that is in use is brought up to date, and back, with everything in it. On SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, select, text
from sqlmodel import select as orm_select

from moderator.adapters.database import Database, metadata
from moderator.adapters.revisions import MIGRATIONS, known_revisions
from moderator.adapters.tables import OutboxRow
from tests.kit.postgres import Postgres
from tests.kit.service.mail_service import OPENED, Service

_REVISIONS = [
    "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012", "0013",
    "0014",
    "0015",
    "0016",
]  # fmt: skip
_USED = "mail", "content_key", "game", "seat", "seat_token", "entry", "held", "outbox", "deadline", "stranger"


@pytest.fixture(params=["sqlite", "postgresql"])
def played(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service that was in use: a game under way, mails of all sorts, something held, a deadline, a stranger."""
    server: Postgres | None = None
    if request.param == "postgresql":
        server = request.getfixturevalue("postgres")
        monkeypatch.setenv("RAILPOST_DATABASE", server.create())
    service = Service.open(tmp_path)
    service.game(deadline_hours=24)
    service.say("Ann", "open TSR 25\nlimit 60")
    service.say("Bob", "bid 30")
    service.say("Bob", "what is this")
    service.send(b"From: who@elsewhere.example\r\nSubject: hello\r\n\r\nhello\r\n", return_path="who@elsewhere.example")
    service.run()
    yield service
    OPENED.clear()
    service.desk.database.close()
    if server is not None:
        server.drop(service.desk.settings.database_url)


def move(database: Database, revision: str) -> None:
    """As `alembic upgrade` and `downgrade` do it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.connect() as connection:
        before = MigrationContext.configure(connection).get_current_revision() or ""
        connection.rollback()
        config.attributes["connection"] = connection
        (command.upgrade if revision != "base" and before < revision else command.downgrade)(config, revision)


def rows(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table that there is."""
    with database.engine.connect() as connection:
        there = MetaData()
        there.reflect(connection)
        return {
            name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
            for name, table in there.tables.items()
            if name != "alembic_version"
        }


def test_all_revisions_are_tried_here() -> None:
    found = sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    assert found == _REVISIONS


def test_alembic_finds_the_revisions_that_the_program_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    found = ScriptDirectory.from_config(config)
    assert tuple(one.revision for one in found.walk_revisions())[::-1] == known_revisions()
    assert found.get_current_head() == known_revisions()[-1]


def test_rows_are_kept_on_the_way_down_and_up(played: Service) -> None:
    database = played.desk.database
    before = rows(database)
    for name in (
        "mail",
        "content_key",
        "game",
        "seat",
        "seat_token",
        "entry",
        "held",
        "outbox",
        "deadline",
        "stranger",
    ):
        assert before[name], f"{name} has no rows: this test would show nothing"
    for revision in reversed(_REVISIONS[:-1]):
        move(database, revision)
        for name, found in rows(database).items():
            assert len(found) == len(before[name])
            kept = set(found[0]) if found else set()
            assert found == [{key: row[key] for key in row if key in kept} for row in before[name]], name
    oldest = rows(database)
    database.upgrade()
    after = rows(database)
    for name, found in oldest.items():
        kept = set(found[0]) if found else set()
        assert [{key: row[key] for key in row if key in kept} for row in after[name]] == found, name
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_service_goes_on_after_an_upgrade_from_the_first_tables(played: Service) -> None:
    database = played.desk.database
    letters = len(played.letters("Bob"))
    move(database, "0001")
    again = Service.open(played.root)
    assert again.outcomes() == played.outcomes()
    again.say("Cat", "pass")
    assert again.log("1861-1") == ["Ann: open TSR 25", "Bob: bid 30", "Cat: drop", "Ann: bid 35"]
    assert again.outcomes()[-1] == "applied"
    assert len(again.letters("Bob")) > letters
    again.desk.database.close()


def test_what_there_was_has_the_values_that_mean_nothing_has_happened(played: Service) -> None:
    database = played.desk.database
    move(database, "0001")
    database.upgrade()
    with database.engine.connect() as connection:
        lanes = connection.execute(text("SELECT DISTINCT lane, sender, verdict FROM mail")).all()
        seats = connection.execute(text("SELECT DISTINCT bounces, stopped_at, unreachable_at FROM seat")).all()
        urgent = connection.execute(text("SELECT DISTINCT priority FROM outbox")).all()
    assert [tuple(row) for row in lanes] == [("", "", "")]
    assert [tuple(row) for row in seats] == [(0, None, None)]
    assert [tuple(row) for row in urgent] == [(1,)]
    with database.reading() as session:
        for mail in session.exec(orm_select(OutboxRow)).all():
            assert mail.size == len(mail.text.encode()) + len(mail.html.encode()) > 100


def test_down_to_nothing(played: Service) -> None:
    move(played.desk.database, "base")
    assert rows(played.desk.database) == {}
