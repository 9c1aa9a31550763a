"""Commands on tables of another version: reading leaves them as they are, only `run` and `upgrade` change them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.entrypoints import cli
from tests.kit.service.mail_service import Service
from tests.service.adapters.test_migrations import move


def railpost(folder: Path, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(folder), *words], env={"RAILPOST_DOMAIN": "example.org"})
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


def revision(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "railpost.db")) as link:
        return str(link.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@pytest.fixture
def older(tmp_path: Path) -> Path:
    service = Service.open(tmp_path)
    service.game()
    move(service.desk.database, "0014")
    service.desk.database.close()
    return tmp_path


@pytest.mark.parametrize("words", [("game", "list"), ("seat", "list", "1861-1"), ("record", "verify", "--database")])
def test_a_reading_command_reads_older_tables_and_leaves_them(older: Path, words: tuple[str, ...]) -> None:
    assert "1861-1" in railpost(older, *words) or "Ann" in railpost(older, *words)
    assert revision(older) == "0014"


def test_a_writing_command_says_what_to_do_and_changes_nothing(older: Path) -> None:
    assert "`railpost upgrade`" in railpost(older, "game", "pause", "1861-1", status=1)
    assert revision(older) == "0014"


def test_upgrade_says_so_and_changes_the_tables(older: Path) -> None:
    assert "older programs cannot use them any more" in railpost(older, "upgrade")
    assert revision(older) > "0014"
    assert "up to date" in railpost(older, "upgrade")
    railpost(older, "game", "pause", "1861-1")


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
