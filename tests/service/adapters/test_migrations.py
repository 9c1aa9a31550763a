"""A database of the version before is used as it is, and an older one names the version that upgrades it. On SQLite and
PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, Table, inspect, select, text
from sqlmodel import col
from sqlmodel import select as sqlmodel_select

from moderator.adapters.database import Database, metadata
from moderator.adapters.revisions import MIGRATIONS, known_revisions
from moderator.adapters.tables import GameRow, PersonRow, TenureRow
from moderator.service.table.game_master import Office, offices_of
from tests.kit.postgres import Postgres
from tests.kit.service.mail_service import OPENED, Service
from tests.kit.service.older_tables import make_tables_of_sixteen, with_one_more_migration, write_revision


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty database, which a service of ``tmp_path`` uses."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'railpost.db'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    found = server.create()
    monkeypatch.setenv("RAILPOST_DATABASE", found)
    yield found
    server.drop(found)


@pytest.fixture
def empty(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with_one_more_migration(tmp_path, monkeypatch)
    yield
    monkeypatch.undo()
    known_revisions.cache_clear()


def tables(database: Database) -> dict[str, Any]:
    """All that the database says of its tables: columns with types and defaults, keys and indexes."""
    seen = inspect(database.engine)
    with database.engine.connect() as connection:
        of_index = (
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            if database.engine.dialect.name == "sqlite"
            else "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
        )
        indexes = sorted(str(row[0]) for row in connection.execute(text(of_index)))
    found: dict[str, Any] = {
        table: (
            [{key: str(value) for key, value in column.items()} for column in seen.get_columns(table)],
            seen.get_pk_constraint(table),
            sorted(map(str, seen.get_foreign_keys(table))),
            sorted(map(str, seen.get_unique_constraints(table))),
        )
        for table in seen.get_table_names()
    }
    return {**found, "indexes": indexes}


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


def in_use(folder: Path) -> Service:
    """A service that was in use: a game under way, mails of all sorts, something held, a deadline, a stranger."""
    service = Service.open(folder)
    service.game(deadline_hours=24)
    service.say("Ann", "open TSR 25\nlimit 60")
    service.say("Bob", "bid 30")
    service.say("Bob", "what is this")
    service.send(b"From: who@elsewhere.example\r\nSubject: hello\r\n\r\nhello\r\n", return_path="who@elsewhere.example")
    service.run()
    return service


def closed(service: Service) -> None:
    OPENED.clear()
    service.desk.database.close()


def test_alembic_finds_the_revisions_that_the_program_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    found = ScriptDirectory.from_config(config)
    assert tuple(one.revision for one in found.walk_revisions())[::-1] == known_revisions()
    assert found.get_current_head() == known_revisions()[-1]


def test_new_tables_are_those_of_the_program(empty: Database) -> None:
    empty.upgrade()
    with empty.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_tables_of_the_sixteen_migrations_become_the_same_as_new_ones(empty: Database) -> None:
    make_tables_of_sixteen(empty)
    assert empty.tables() == "older"
    empty.upgrade()
    assert empty.tables() == "same" and empty.up_to_date()
    before = tables(empty)
    with empty.engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
    empty.upgrade()
    assert tables(empty) == before


def test_a_service_goes_on_with_a_database_of_the_version_before(empty: Database, tmp_path: Path) -> None:
    make_tables_of_sixteen(empty)
    empty.upgrade()
    service = in_use(tmp_path)
    before = rows(empty)
    again = Service.open(tmp_path)
    assert rows(empty) == before and again.outcomes() == service.outcomes()
    again.say("Cat", "pass")
    assert again.log("1861-1") == ["Ann: open TSR 25", "Bob: bid 30", "Cat: drop", "Ann: bid 35"]
    closed(service)
    again.desk.database.close()


def test_tables_of_the_version_before_get_tenures_and_persons(empty: Database) -> None:
    """Each seat has an open tenure of the person who has it now, and each address of record with a zone a person."""
    make_tables_of_sixteen(empty)
    made, given = "2026-01-02 03:04:05", "2026-02-03 04:05:06"
    seats = (
        (1, "Ann", "Ann@players.example", "Asia/Tokyo", "", None),
        (2, "Bob", "bob@players.example", "UTC", "Max", given),
        (3, "Cat", "cat@players.example", "UTC", "", None),
    )
    with empty.engine.begin() as connection:
        there = MetaData()
        there.reflect(connection, only=("game", "seat"))
        moment = datetime.fromisoformat(made).replace(tzinfo=UTC)
        connection.execute(there.tables["game"].insert(), [_filled(there.tables["game"], moment, id="1861-1")])
        rows_of_seats = [
            _filled(
                there.tables["seat"], moment, id=number, game="1861-1", number=number, player=player, address=address,
                zone=zone, person=person,
                given_at=None if at is None else datetime.fromisoformat(at).replace(tzinfo=UTC),
            )
            for number, player, address, zone, person, at in seats
        ]  # fmt: skip
        connection.execute(there.tables["seat"].insert(), rows_of_seats)
    empty.upgrade()
    with empty.reading() as session:
        found = session.exec(sqlmodel_select(TenureRow).order_by(col(TenureRow.seat))).all()
        tenures = [(row.seat, row.person, row.address, row.began_at, row.ended_at, row.answers) for row in found]
        persons = [(row.address, row.zone) for row in session.exec(sqlmodel_select(PersonRow)).all()]
    began, later = (datetime.fromisoformat(at).replace(tzinfo=UTC) for at in (made, given))
    assert tenures == [
        (1, "Ann", "ann@players.example", began, None, 0),
        (2, "Max", "bob@players.example", later, None, 0),
        (3, "Cat", "cat@players.example", began, None, 0),
    ]
    assert persons == [("ann@players.example", "Asia/Tokyo")]


def _filled(table: Table, moment: datetime, **values: Any) -> dict[str, Any]:
    """``values``, and something for each other column that must have a value."""
    for column in table.columns:
        if column.name in values or column.nullable or column.server_default is not None:
            continue
        kind = str(column.type).upper()
        if "INT" in kind:
            values[column.name] = 0
        elif "DATE" in kind or "TIME" in kind:
            values[column.name] = moment
        elif "JSON" in kind:
            values[column.name] = {}
        elif "BOOL" in kind:
            values[column.name] = False
        else:
            values[column.name] = ""
    return values


@pytest.mark.parametrize("revision", ["0001", "0015"])
def test_older_tables_name_the_version_that_upgrades_them(empty: Database, revision: str) -> None:
    make_tables_of_sixteen(empty)
    write_revision(empty, revision)
    before = tables(empty)
    wanted = f"have revision {revision}; .* from 0016 on. Run `railpost upgrade` of the newest program of version 0.1.0"
    for refused in (empty.tables, empty.upgrade):
        with pytest.raises(ValueError, match=wanted):
            refused()
    assert not empty.up_to_date() and tables(empty) == before


def test_rows_are_kept_by_a_migration_that_follows(url: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    service = in_use(tmp_path)
    before = rows(service.desk.database)
    for name in "mail", "content_key", "game", "seat", "seat_token", "entry", "held", "outbox", "deadline", "stranger":
        assert before[name], f"{name} has no rows: this test would show nothing"
    closed(service)
    request.getfixturevalue("later")
    database = Database(url)
    assert database.tables() == "older"
    database.upgrade()
    assert database.tables() == "same"
    assert rows(database) == {**before, "seat": [{**row, "later": ""} for row in before["seat"]]}
    database.close()


def test_down_to_nothing(empty: Database) -> None:
    empty.upgrade()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with empty.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert rows(empty) == {}


def test_a_named_master_becomes_the_first_of_the_list(empty: Database) -> None:
    make_tables_of_sixteen(empty)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    with empty.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0017")
    named = {"master": "Max", "master_address": "max@master.example"}, {"master": "", "master_address": ""}
    with empty.engine.begin() as connection:
        there = MetaData()
        there.reflect(connection, only=("game",))
        game = there.tables["game"]
        games = [_filled(game, moment, id=f"1861-{number}", **one) for number, one in enumerate(named, 1)]
        connection.execute(game.insert(), games)
    empty.upgrade()
    with empty.reading() as session:
        found = {row.id: offices_of(row) for row in session.exec(sqlmodel_select(GameRow)).all()}
    assert found == {"1861-1": (Office(name="Max", address="max@master.example"),), "1861-2": ()}
