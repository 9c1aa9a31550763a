"""Copies of everything, and services that go on from them: on SQLite, on PostgreSQL, and from one to the other."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func
from sqlalchemy import select as every
from sqlmodel import select
from typer.testing import CliRunner, Result

import engine
from engine import load_title
from moderator.adapters.database import Database, metadata
from moderator.adapters.tables import EntryRow, GameRow, OutboxRow
from moderator.entrypoints import cli
from moderator.service.operation.backup import NotRestored, backup
from moderator.service.operation.releases import open_outbox
from moderator.service.operation.restoration import close_copy, go_on, put_in_place, read_copy
from moderator.service.post.delivery import send_due
from tests.kit.postgres import Postgres
from tests.kit.service.mail_service import OPENED, CountedBytes, Service

pytestmark = pytest.mark.fault(91)


@pytest.fixture
def service(each_database: str, tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann has opened an auction; Bob is asked, and Cat has given something ahead."""
    game = service.ready_game(deadline_hours=48)
    service.say("Cat", "limit 60 on TSR")
    service.say("Ann", "open TSR 25")
    return game


def contents(database: Database, *without: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table but what a copy says of itself."""
    with database.reading() as session:
        return {
            table.name: sorted((tuple(row) for row in session.connection().execute(every(table))), key=repr)
            for table in metadata.sorted_tables
            if table.name not in {"kept", *without}
        }


CHANGED = ("game", "entry", "outbox", "seat", "seat_token", "deadline")
"""Tables to which going on from a copy adds."""


def restore(service: Service, copy: Path) -> int:
    """Go on from it, as ``railpost restore`` does; how many mails are answered anew."""
    found = read_copy(copy)
    try:
        replaced = put_in_place(service.desk, found, copy, ())
    finally:
        close_copy(found)
    go_on(service.desk, replaced)
    return replaced.mails


def with_other_secrets(service: Service, first: int) -> Service:
    """A service on a new database does not draw again what the one before it has drawn."""
    return replace(service, desk=replace(service.desk, random_bytes=CountedBytes(first)))


def test_a_copy_holds_every_row_and_is_one_file(service: Service, game: str, tmp_path: Path) -> None:
    file = tmp_path / "copies" / "one.db"
    file.parent.mkdir()
    made = backup(service.desk, file)
    assert (made.games, [path.name for path in file.parent.iterdir()]) == (1, ["one.db"])
    copy = read_copy(file)
    assert contents(copy) == contents(service.desk.database)
    close_copy(copy)
    assert [path.name for path in file.parent.iterdir()] == ["one.db"]
    with pytest.raises(FileExistsError):
        backup(service.desk, file)


def test_a_copy_is_made_while_the_service_writes(service: Service, game: str, tmp_path: Path) -> None:
    with service.desk.database.transaction() as session:
        session.add(EntryRow(game=game, at=99, kind="undo", orders=0, created_at=service.clock.now()))
        session.flush()
        if service.desk.database.engine.dialect.name == "postgresql":
            backup(service.desk, tmp_path / "one.db")
    if service.desk.database.engine.dialect.name == "sqlite":
        backup(service.desk, tmp_path / "one.db")
    with sqlite3.connect(tmp_path / "one.db") as copy:
        half = copy.execute("select count(*) from entry where at = 99").fetchone()[0]
    assert half == (0 if service.desk.database.engine.dialect.name == "postgresql" else 1)


def test_a_game_goes_on_from_a_copy_and_late_answers_change_nothing(
    service: Service, game: str, tmp_path: Path
) -> None:
    backup(service.desk, tmp_path / "one.db")
    orders, old = service.log(game), {player: service.address(player) for player in ("Ann", "Bob", "Cat")}
    service.say("Bob", "bid 70")  # this is lost
    newer = {player: service.address(player) for player in ("Ann", "Bob", "Cat")}
    at = service.at(game)
    restore(service, tmp_path / "one.db")
    assert [text for text in service.log(game) if not text.startswith("undo")] == orders
    assert service.at(game) > at
    for addresses in (old, newer):
        for player, address in addresses.items():
            for text in ("drop", "bid 90", "open TSR 25", f"BEGIN {game} at {at}\nbid 90\nEND"):
                service.say(player, text, to=address)
    assert [text for text in service.log(game) if not text.startswith("undo")] == orders
    open_outbox(service.desk)
    service.run()
    kinds = [letter.kind for letter in service.letters("Bob")]
    assert "notice" in kinds[-20:]
    fresh = next(letter for letter in reversed(service.letters("Bob")) if letter.kind == "turn")
    service.say("Bob", "bid 80", to=fresh.reply_to)
    assert any("bid 80" in text for text in service.log(game))


def test_nothing_is_sent_and_nothing_ends_until_the_operator_agrees(
    service: Service, game: str, tmp_path: Path
) -> None:
    with service.desk.database.transaction() as session:  # this one was waiting when the copy was made
        row = session.exec(select(OutboxRow)).first()
        assert row is not None
        row.state, number = "queued", row.id
    backup(service.desk, tmp_path / "one.db")
    service.run()
    before = {player: len(service.letters(player)) for player in ("Ann", "Bob", "Cat")}
    restore(service, tmp_path / "one.db")
    service.say("Bob", "help")
    assert {player: len(service.letters(player)) for player in before} == before
    assert open_outbox(service.desk)
    assert not open_outbox(service.desk)
    service.run()
    assert all(len(service.letters(player)) > before[player] for player in before)
    with service.desk.database.reading() as session:
        row = session.get(OutboxRow, number)
        assert row is not None
        assert (row.state, row.error) == ("kept", "restored")


def test_the_operator_is_told_all_the_same(service: Service, game: str, tmp_path: Path) -> None:
    from moderator.adapters.mail.maildir import MaildirOutlet
    from moderator.service.post.outbox import queue_operator

    backup(service.desk, tmp_path / "one.db")
    restore(service, tmp_path / "one.db")
    with service.desk.sitting() as sitting:
        queue_operator(sitting, "the house is on fire")
    assert send_due(service.desk, MaildirOutlet(service.desk.settings.mail_folder), service.complaints.append) == 1


def test_mail_that_came_since_the_copy_is_answered_anew_with_the_position(
    service: Service, game: str, tmp_path: Path
) -> None:
    backup(service.desk, tmp_path / "one.db")
    service.say("Bob", "bid 70")
    assert restore(service, tmp_path / "one.db") == 1
    service.run()
    assert service.outcomes()[-1] == "stale"
    assert not any("bid 70" in text for text in service.log(game))


def test_deadlines_begin_anew(service: Service, game: str, tmp_path: Path) -> None:
    from moderator.adapters.tables import DeadlineRow

    backup(service.desk, tmp_path / "one.db")
    service.clock.pass_by(days=30)
    restore(service, tmp_path / "one.db")
    with service.desk.database.reading() as session:
        due = session.exec(select(DeadlineRow.due_at).where(DeadlineRow.state == "open")).all()
    assert due
    assert min(due) >= service.clock.now() + timedelta(hours=48)


def test_a_copy_goes_from_one_database_to_the_other_and_back(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
    first = Service.open(tmp_path / "a")
    game = first.game()
    first.say("Ann", "open TSR 25")
    there, log = contents(first.desk.database, *CHANGED), first.log(game)
    backup(first.desk, tmp_path / "one.db")
    url = postgres.create()
    monkeypatch.setenv("RAILPOST_DATABASE", url)
    second = with_other_secrets(Service.open(tmp_path / "b"), 2_000_000)
    restore(second, tmp_path / "one.db")
    assert contents(second.desk.database, *CHANGED) == there
    assert second.log(game)[: len(log)] == log
    open_outbox(second.desk)
    second.run()
    second.say("Bob", "bid 30")  # numbers of rows go on where they were
    assert second.outcomes()[-1] == "applied"
    backup(second.desk, tmp_path / "two.db")
    monkeypatch.delenv("RAILPOST_DATABASE")
    third = with_other_secrets(Service.open(tmp_path / "c"), 3_000_000)
    restore(third, tmp_path / "two.db")
    assert third.log(game)[: len(second.log(game))] == second.log(game)
    while OPENED:
        OPENED.pop().close()
    postgres.drop(url)


def test_what_is_no_copy_is_refused(service: Service, game: str, tmp_path: Path) -> None:
    for name, content in (("empty.db", b""), ("text.db", b"this is no database" * 100)):
        (tmp_path / name).write_bytes(content)
        with pytest.raises((NotRestored, ValueError)):
            close_copy(read_copy(tmp_path / name))
    backup(service.desk, tmp_path / "good.db")
    damaged = (tmp_path / "good.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(damaged[: len(damaged) // 2])
    with pytest.raises(NotRestored):
        read_copy(tmp_path / "cut.db")
    with pytest.raises(NotRestored, match="no such file"):
        read_copy(tmp_path / "nothing.db")
    assert not list(tmp_path.glob("*.restoring*"))


# ---- the commands


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Service]:
    (tmp_path / "var").mkdir()
    service = Service.open(tmp_path / "var")
    yield service
    service.desk.database.close()


def railpost(service: Service, *words: str) -> Result:
    return CliRunner().invoke(cli.app, ["--data", str(service.root), *words])


def test_backup_replays_what_it_has_copied(shop: Service, tmp_path: Path) -> None:
    shop.game()
    shop.say("Ann", "open TSR 25")
    result = railpost(shop, "backup", str(tmp_path / "one.db"))
    assert result.exit_code == 0, result.output
    assert "1 game replayed with every check" in result.output
    assert (tmp_path / "one.db").stat().st_mode & 0o077 == 0
    assert railpost(shop, "backup", str(tmp_path / "one.db")).exit_code == 2
    with shop.desk.database.transaction() as session:
        entry = session.exec(select(EntryRow)).one()
        entry.text = "Ann: open TSR 7"  # against a rule
    result = railpost(shop, "backup", str(tmp_path / "two.db"))
    assert result.exit_code == 1
    assert "1861-1" in result.output
    result = railpost(shop, "restore", str(tmp_path / "two.db"), "--replace")
    assert result.exit_code == 1
    assert "nothing was restored" in result.output


def test_restore_asks_before_it_replaces_and_says_what_to_do(shop: Service, tmp_path: Path) -> None:
    shop.game()
    assert railpost(shop, "backup", str(tmp_path / "one.db")).exit_code == 0
    shop.game()
    refused = railpost(shop, "restore", str(tmp_path / "one.db"))
    assert refused.exit_code == 2
    assert "--replace" in refused.output
    done = railpost(shop, "restore", str(tmp_path / "one.db"), "--replace")
    assert done.exit_code == 0, done.output
    assert "railpost outbox release" in done.output
    before = re.search(r"what was there is in (\S+)", done.output)
    assert before is not None
    with sqlite3.connect(before[1]) as copy:
        assert copy.execute("select count(*) from game").fetchone()[0] == 2
    with shop.desk.database.reading() as session:
        assert session.exec(select(func.count()).select_from(GameRow)).one() == 1
    released = railpost(shop, "outbox", "release")
    assert released.exit_code == 0, released.output
    assert railpost(shop, "outbox", "release").exit_code == 1


def test_restore_is_refused_while_the_service_runs(shop: Service, tmp_path: Path) -> None:
    from datetime import UTC, datetime

    from moderator.service.operation.supervision import TICK
    from moderator.service.service_facts import remember

    shop.game()
    railpost(shop, "backup", str(tmp_path / "one.db"))
    with shop.desk.sitting() as sitting:
        remember(sitting, TICK, {"wall": datetime.now(UTC).isoformat(), "running": 1.0, "boot": ""})
    result = railpost(shop, "restore", str(tmp_path / "one.db"), "--replace")
    assert result.exit_code == 2
    assert "Stop it first" in result.output


@pytest.mark.parametrize("another", [False, True])
def test_a_service_that_has_stopped_need_not_be_waited_for_and_another_one_is_noticed(
    shop: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, another: bool
) -> None:
    from datetime import UTC, datetime

    from moderator.entrypoints import copies
    from moderator.service.operation.restoration import STOPPED
    from moderator.service.operation.supervision import TICK
    from moderator.service.service_facts import remember

    def sign() -> dict[str, object]:
        return {"wall": datetime.now(UTC).isoformat(), "running": 1.0, "boot": ""}

    def wait(_: float) -> None:
        if another:
            with shop.desk.sitting() as sitting:
                remember(sitting, TICK, sign())

    shop.game()
    railpost(shop, "backup", str(tmp_path / "one.db"))
    monkeypatch.setattr("moderator.entrypoints.copies.time.sleep", wait)
    monkeypatch.setattr(copies, "_BETWEEN_SIGNS", timedelta(seconds=-19.5 if not another else 10))
    with shop.desk.sitting() as sitting:
        remember(sitting, TICK, sign())
        remember(sitting, STOPPED, sign())
    result = railpost(shop, "restore", str(tmp_path / "one.db"), "--replace")
    assert result.exit_code == (2 if another else 0), result.output
    assert ("Stop it first" in result.output) == another


@pytest.mark.fault(92)
def test_games_begun_with_other_rules_are_told_of_and_taken_over_when_they_replay(shop: Service) -> None:
    from moderator.service.operation.health import findings

    shop.game()
    shop.say("Ann", "open TSR 25")
    with shop.desk.database.transaction() as session:
        session.exec(select(GameRow)).one().fingerprint = "of other rules"
    rules = next(one for one in findings(shop.desk, "0.1.0") if one.key == "rules")
    assert (rules.state, rules.facts["games"]) == ("look", ("1861-1",))
    present = f"rules {engine.load_title('1861').rules_version}"
    assert present in railpost(shop, "record", "verify", "--database").output
    result = railpost(shop, "record", "verify", "--database", "--accept")
    assert result.exit_code == 0, result.output
    assert "taken over" in result.output
    with shop.desk.database.reading() as session:
        assert session.exec(select(GameRow)).one().fingerprint == load_title("1861").fingerprint
    assert railpost(shop, "record", "verify").exit_code == 2


def test_whatever_the_umask_is_nobody_else_can_read_database_copies_and_journal(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "var").mkdir()
        service = Service.open(tmp_path / "var")
        service.game()
        assert railpost(service, "backup", str(tmp_path / "one.db")).exit_code == 0
        assert railpost(service, "seat", "revoke", "1861-1", "Ann").exit_code == 0
        copy = read_copy(tmp_path / "one.db")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.suffix != ""}
        close_copy(copy)
        assert railpost(service, "restore", str(tmp_path / "one.db"), "--replace").exit_code == 0
        modes |= {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "var").glob("before-restore-*")}
    finally:
        os.umask(before)
    secret = {name: mode for name, mode in modes.items() if ".db" in name or name.endswith(".jsonl")}
    assert {"railpost.db", "railpost.db-wal", "one.db", "one.db.restoring", "seats.jsonl"} <= secret.keys()
    assert len(secret) > 6
    assert set(secret.values()) == {0o600}
