"""Commands on tables of another version: reading leaves them as they are, only `run` and `upgrade` change them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.adapters.database import Database
from moderator.adapters.revisions import known_revisions
from moderator.entrypoints import cli
from moderator.entrypoints.processes import service
from tests.kit.service.mail_service import Service
from tests.kit.service.older_tables import with_one_more_migration

NEWEST = known_revisions()[-1]


def railpost(folder: Path, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(folder), *words], env={"RAILPOST_DOMAIN": "example.org"})
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


def revision(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "railpost.db")) as link:
        return str(link.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with tables of the version before."""
    old = Service.open(tmp_path)
    old.game()
    old.desk.database.close()
    with_one_more_migration(tmp_path, monkeypatch)
    yield tmp_path
    monkeypatch.undo()
    known_revisions.cache_clear()


@pytest.mark.parametrize("words", [("game", "list"), ("seat", "list", "1861-1"), ("record", "verify", "--database")])
def test_a_reading_command_reads_older_tables_and_leaves_them(older: Path, words: tuple[str, ...]) -> None:
    assert "1861-1" in railpost(older, *words) or "Ann" in railpost(older, *words)
    assert revision(older) == NEWEST


def test_a_writing_command_says_what_to_do_and_changes_nothing(older: Path) -> None:
    assert "`railpost upgrade`" in railpost(older, "game", "pause", "1861-1", status=1)
    assert revision(older) == NEWEST


def test_upgrade_says_so_and_changes_the_tables(older: Path) -> None:
    assert "older programs cannot use them any more" in railpost(older, "upgrade")
    assert revision(older) > NEWEST
    assert "up to date" in railpost(older, "upgrade")
    railpost(older, "game", "pause", "1861-1")


@pytest.mark.parametrize("words", [("run",), ("upgrade",)])
def test_it_is_said_before_the_tables_are_changed(
    older: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that somebody who has not made a copy can still stop the service."""

    def away(_: Database) -> None:
        raise ValueError("the server is away")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "upgrade", away)
        assert "are brought up to date now" in railpost(older, *words, status=2)
    assert revision(older) == NEWEST


def test_run_changes_the_tables(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "serve", lambda *_: None)
    assert "older programs cannot use them any more" in railpost(older, "run")
    assert revision(older) > NEWEST


@pytest.mark.parametrize("words", [("game", "list"), ("run",), ("game", "end", "1861-1"), ("upgrade",)])
def test_newer_tables_name_the_version_that_wrote_them_and_the_way_back(tmp_path: Path, words: tuple[str, ...]) -> None:
    Service.open(tmp_path).game()
    with closing(sqlite3.connect(tmp_path / "railpost.db")) as link, link:
        link.execute("UPDATE alembic_version SET version_num = '9999'")
        value = json.dumps({"version": "7.8.9"})
        link.execute("INSERT OR REPLACE INTO kept VALUES ('program', ?, '2026-01-01 00:00:00')", (value,))
    said = railpost(tmp_path, *words, status=2)
    assert "version 7.8.9" in said
    assert "`railpost restore`" in said
    assert revision(tmp_path) == "9999"


@pytest.mark.parametrize("words", [("game", "list"), ("run",), ("game", "end", "1861-1"), ("upgrade",)])
def test_tables_that_are_too_old_name_the_version_to_run_first(tmp_path: Path, words: tuple[str, ...]) -> None:
    Service.open(tmp_path).game()
    with closing(sqlite3.connect(tmp_path / "railpost.db")) as link, link:
        link.execute("UPDATE alembic_version SET version_num = '0014'")
    said = " ".join(railpost(tmp_path, *words, status=2).split())
    assert "have revision 0014" in said
    assert "Run `railpost upgrade` of the newest program of version 0.1.0 first" in said
    assert revision(tmp_path) == "0014"
