"""`railpost alarm`: the operator hears of a unit that has failed, also while the database cannot be used."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.entrypoints.cli import app
from tests.kit.service.mail_service import Service

UNIT = "railpost-backup.service"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file into which `alarm_command` writes."""
    file, program = tmp_path / "told", tmp_path / "tell"
    program.write_text(f"#!/bin/sh\ncat >> {file}\n")
    program.chmod(0o755)
    monkeypatch.setenv("RAILPOST_ALARM_COMMAND", str(program))
    return file


def alarm(folder: Path, *, operator: str = "master@example.net") -> int:
    environment = {"RAILPOST_OPERATOR": operator, "RAILPOST_DOMAIN": "example.org"}
    return CliRunner().invoke(app, ["--data", str(folder), "alarm", UNIT], env=environment).exit_code


def test_the_operator_is_told_by_mail_and_at_once_by_the_command(tmp_path: Path, told: Path) -> None:
    service = Service.open(tmp_path / "var")
    assert alarm(service.root) == 0
    assert f"{UNIT} has failed" in told.read_text()
    service.clock.moment = datetime.now(UTC)  # the command runs by the machine's
    service.run()
    (letter,) = service.mailbox("master@example.net")
    assert f"{UNIT} has failed" in " ".join(letter.text.split())


def test_without_the_database_the_command_alone_tells_it(tmp_path: Path, told: Path) -> None:
    assert alarm(tmp_path / "none") == 0
    assert f"{UNIT} has failed" in told.read_text()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "railpost.db").write_text("no database " * 1_000)
    assert alarm(broken) == 0
    assert told.read_text().count(f"{UNIT} has failed") == 2


def test_it_fails_if_nobody_can_be_told(tmp_path: Path, told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILPOST_ALARM_COMMAND", "false")
    assert alarm(tmp_path / "none") == 3
    monkeypatch.delenv("RAILPOST_ALARM_COMMAND")
    assert alarm(tmp_path / "none") == 3
    assert alarm(tmp_path / "none", operator="") == 3
    assert not told.exists()
