"""`railpost health`: green when all is well, and red for each thing that can be wrong."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select
from typer.testing import CliRunner

from moderator.adapters.tables import GameRow, MailRow, OutboxRow
from moderator.entrypoints import cli
from moderator.entrypoints.processes.health import look
from moderator.entrypoints.processes.worker import Worker
from moderator.service.operation import supervision as watch
from moderator.service.people.journal import path_of
from moderator.service.service_facts import recall, remember
from tests.kit.mail_system import MailSystem
from tests.kit.mail_system.service import RealService, configuration, server_settings
from tests.kit.postgres import Postgres
from tests.kit.service.broken_database import locked
from tests.kit.service.mail_service import mail

EACH = pytest.mark.usefixtures("each_database")
"""What the database tells. Servers and the disk of ``data`` have nothing to do with it."""


@pytest.fixture
def service(mail_system: MailSystem, tmp_path: Path) -> Iterator[RealService]:
    with RealService(mail_system, tmp_path / "data", disk_free_mb=1) as running:
        running.round.sweep()
        yield running


def states(service: RealService, **changed: Any) -> dict[str, str]:
    """What is not green, and how bad it is."""
    found = look(service.settings.model_copy(update=changed))
    return {one.key: one.state for one in found if one.state != "green"}


def nobody_there() -> int:
    """A port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@EACH
def test_all_is_well(service: RealService) -> None:
    assert states(service) == {}


@pytest.mark.fault(81)
def test_the_mailbox_is_gone(service: RealService) -> None:
    assert states(service, imap_port=nobody_there()) == {"imap": "red"}


@pytest.mark.fault(81)
def test_the_way_out_is_gone(service: RealService) -> None:
    assert states(service, smtp_port=nobody_there()) == {"smtp": "red"}


@pytest.mark.fault(81)
@pytest.mark.parametrize("which", ["imap", "smtp"])
def test_a_login_is_refused(service: RealService, tmp_path: Path, which: str) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong\n")
    assert states(service, **{f"{which}_password_file": wrong}) == {which: "red"}


@pytest.mark.fault(89)
def test_there_is_little_room(service: RealService) -> None:
    assert states(service, disk_free_mb=10**12) == {"disk": "red"}


@EACH
@pytest.mark.fault(89)
def test_the_database_is_locked(service: RealService) -> None:
    began = time.monotonic()
    with locked(service.desk.database):
        assert states(service) == {"database": "red"}
    assert time.monotonic() - began < 20, "nobody who asks how things are is kept waiting for long"
    assert states(service) == {}


def test_there_is_no_database(service: RealService, tmp_path: Path) -> None:
    assert states(service, data=tmp_path / "elsewhere") == {"database": "red"}
    assert not (tmp_path / "elsewhere").exists()


def test_where_the_file_of_a_service_is_gone_nobody_is_told_to_begin_an_empty_one(service: RealService) -> None:
    service.game(*(f"{name}@players.example" for name in ("ann", "bob", "cat")))
    gone = service.settings.model_copy(update={"database": f"sqlite:///{service.settings.data / 'gone.db'}"})
    path_of(gone).touch()  # the journal of seats, which a service begins with its first change
    why = next(str(one.facts["why"]) for one in look(gone) if one.key == "database")
    assert "railpost restore" in why and "railpost run" not in why


def test_there_is_no_database_on_the_server(service: RealService, postgres: Postgres) -> None:
    gone = postgres.create()
    postgres.drop(gone)
    assert states(service, database=gone) == {"database": "red"}


def test_the_tables_are_of_another_version(service: RealService, postgres: Postgres) -> None:
    empty = postgres.create()
    assert states(service, database=empty) == {"database": "red"}
    postgres.drop(empty)


@EACH
@pytest.mark.fault(60)
def test_the_clock_has_jumped(service: RealService) -> None:
    with service.desk.sitting() as sitting:
        kept = recall(sitting.session, watch.TICK)
        assert kept is not None
        kept["running"] = float(kept["running"]) - 7_200  # as if two hours had passed that the clock does not know of
        remember(sitting, watch.TICK, kept)
    again = Worker(service.desk, service.intake, service.outlet, service.complaints.append)
    again.mail()
    assert states(service) == {"clock": "red"}
    command = CliRunner().invoke(cli.app, ["--data", str(service.settings.data), "clock", "accept"])
    assert command.exit_code == 0, command.output
    assert states(service) == {}


@EACH
def test_nothing_runs(service: RealService) -> None:
    with service.desk.sitting() as sitting:
        kept = recall(sitting.session, watch.ROUND)
        assert kept is not None
        kept["running"] -= 20 * 60
        remember(sitting, watch.ROUND, kept)
    service.round.tick()  # the clock is still looked at
    assert states(service) == {"scheduler": "red"}


@EACH
def test_a_clock_that_went_back_makes_no_round_overdue_and_hides_none(service: RealService) -> None:
    with service.desk.sitting() as sitting:
        kept = recall(sitting.session, watch.ROUND)
        assert kept is not None
        kept["wall"] = (service.desk.clock.now() + timedelta(days=1)).isoformat()
        remember(sitting, watch.ROUND, kept)
    assert states(service) == {}
    with service.desk.sitting() as sitting:
        remember(sitting, watch.ROUND, kept | {"running": kept["running"] - 20 * 60})
    assert states(service) == {"scheduler": "red"}


@EACH
def test_what_waits_fails_and_is_put_aside(service: RealService) -> None:
    service.game(*(f"{name}@players.example" for name in ("ann", "bob", "cat")))
    now = service.desk.clock.now()
    with service.desk.sitting() as sitting:
        for place, (outcome, minutes) in enumerate((("error", 5), ("quarantine", 5), (None, 20))):
            row = MailRow(
                received_at=now - timedelta(minutes=minutes), source="x", reference=str(place), content=mail("x"),
                size=1, outcome=outcome, decided_at=now if outcome else None,
            )  # fmt: skip
            sitting.session.add(row)
        for mail_row, state in zip(
            sitting.session.exec(select(OutboxRow)).all(), ("failed", "queued", "queued"), strict=False
        ):
            mail_row.state, mail_row.attempts = state, 3
            mail_row.next_attempt = now - timedelta(minutes=30)
        sitting.session.exec(select(GameRow)).one().fingerprint = "of other rules"
        remember(sitting, "stuck 1861-1", {"why": "RuntimeError"})
        remember(sitting, "breaker seats", {"count": 5001, "until": "2999-01-01T00:00:00+00:00"})
    assert states(service) == {
        "waiting": "red", "unsent": "red", "failed": "look", "errors": "red", "quarantine": "look", "games": "red",
        "breaker": "red", "rules": "look",
    }  # fmt: skip


@EACH
def test_mail_that_is_tried_again_later_is_no_alarm(service: RealService) -> None:
    service.game(*(f"{name}@players.example" for name in ("ann", "bob", "cat")))
    now = service.desk.clock.now()
    with service.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.created_at, row.next_attempt = now - timedelta(hours=20), now + timedelta(hours=2)
    assert states(service) == {}


@EACH
@pytest.mark.fault(91)
def test_the_newest_backup_is_too_old(service: RealService, tmp_path: Path) -> None:
    from moderator.service.operation.backup import LATEST, backup

    service.game(*(f"{name}@players.example" for name in ("ann", "bob", "cat")))

    def older(hours: int) -> None:
        with service.desk.sitting() as sitting:
            game = sitting.session.exec(select(GameRow)).one()
            game.created_at -= timedelta(hours=hours)
            kept = recall(sitting.session, LATEST)
            if kept is not None:
                made = (datetime.fromisoformat(kept["made"]) - timedelta(hours=hours)).isoformat()
                remember(sitting, LATEST, {**kept, "made": made})

    older(35)
    assert states(service) == {}, "a game that was just begun need not be in a copy yet"
    older(2)
    assert states(service) == {"backup": "look"}
    older(72)
    assert states(service) == {"backup": "red"}
    assert states(service, backup_hours=0) == {}
    backup(service.desk, tmp_path / "one.db")
    assert states(service) == {}
    older(37)
    assert states(service) == {"backup": "look"}
    line = next(one for one in look(service.settings) if one.key == "backup")
    assert (line.facts["hours"], line.facts["file"]) == (37, str(tmp_path / "one.db"))


@EACH
def test_others_can_read_what_holds_secrets(service: RealService, tmp_path: Path, each_database: str) -> None:
    from moderator.service.operation.backup import backup
    from moderator.service.people.journal import catch_up

    catch_up(service.desk)
    backup(service.desk, tmp_path / "one.db")
    secret = [path_of(service.settings), tmp_path / "one.db"]
    if each_database == "sqlite":
        secret += [service.settings.data / f"railpost.db{end}" for end in ("", "-wal", "-shm")]
    for path in secret:
        assert path.stat().st_mode & 0o777 == 0o600, path
        path.chmod(0o640)
        assert states(service) == {"files": "look"}
        line = next(one for one in look(service.settings) if one.key == "files")
        assert line.facts["files"] == (str(path),)
        path.chmod(0o600)
    assert states(service) == {}


# ---- the command


def run_health(folder: Path, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "RAILPOST_DISK_FREE_MB": "1"}
    return subprocess.run(
        [sys.executable, "-m", "moderator.entrypoints.cli", "--config", f"{folder}/railpost.toml", "health", *words],
        capture_output=True, text=True, timeout=60, env=env, check=False, **more,
    )  # fmt: skip


@pytest.fixture
def configured(service: RealService, mail_system: MailSystem) -> Path:
    folder = service.settings.data
    values = server_settings(mail_system, folder, service.settings.mailbox)
    (folder / "railpost.toml").write_text(configuration(values))
    return folder


@EACH
def test_the_command_says_it_and_ends_with_0_or_1(service: RealService, configured: Path) -> None:
    service.run()
    good = run_health(configured)
    assert good.returncode == 0, good.stdout + good.stderr
    assert {line.split()[0] for line in good.stdout.splitlines()} == {"green"}
    with service.desk.sitting() as sitting:
        remember(sitting, "breaker seats", {"count": 5001, "until": "2999-01-01T00:00:00+00:00"})
    bad = run_health(configured, "--json")
    assert bad.returncode == 1
    told = json.loads(bad.stdout)
    assert told["state"] == "red"
    assert [one["name"] for one in told["findings"] if one["state"] == "red"] == ["breaker"]
    assert "railpost breaker --reset" in next(one["text"] for one in told["findings"] if one["name"] == "breaker")


@pytest.mark.fault(89)
def test_the_disk_is_full(service: RealService, configured: Path) -> None:
    """No file may grow by a byte, as on a full disk."""
    service.run()
    service.desk.database.close()

    def nothing_more() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    result = run_health(configured, "--json", preexec_fn=nothing_more)
    assert result.returncode == 1, result.stdout + result.stderr
    assert [one["name"] for one in json.loads(result.stdout)["findings"] if one["state"] == "red"] == ["database"]
