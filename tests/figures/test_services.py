"""The CPU time that a mail costs where one, two and four services share a PostgreSQL database: figures for
docs/performance.md. Where processors are shared, CPU time grows by a third; throughput depends on them even more, so
the share of the database and the load are printed beside it.

`RAILPOST_SERVICES` is how often each number of services is measured, in turn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy import insert
from sqlmodel import col, func, select

from moderator.adapters.database import Database
from moderator.adapters.mail.maildir import deliver
from moderator.adapters.tables import MailRow, OutboxRow
from moderator.domain.ports import Incoming
from moderator.service.desk import Desk
from moderator.service.intake import store
from moderator.service.pipeline import claim
from moderator.settings import Settings
from tests.kit.mail_system.service import configuration
from tests.kit.postgres import Postgres, cpu_of
from tests.kit.service.load import Hall, scripts

pytestmark = pytest.mark.bench

_GAMES = 200
_BEFORE, _MEASURED = 2, 4
"""Mails of each game that are decided before anything is measured, and those that are."""
_SERVICES = (1, 2, 4)
_LONG = 22_000
"""Mails that wait in a long queue."""
_ROUND_WARM, _ROUNDS = 1, 3
"""Rounds of whole services before anything is measured, and those that are."""
_TIMES = int(os.environ.get("RAILPOST_SERVICES", "3"))

Mail = tuple[bytes, str, str]


@dataclass(frozen=True, slots=True)
class Took:
    """``cpu``: milliseconds of all services for a mail; ``rate``: mails decided in a second; ``least``: the share of
    mails that the least busy service decided."""

    cpu: float
    rate: float
    least: float


def test_services_that_share_a_database(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="", flush=True)  # noqa: T201

    template = postgres.create()
    monkeypatch.setenv("RAILPOST_DATABASE", template)
    hall = Hall(tmp_path, _GAMES, scripts(8), _BEFORE + _MEASURED + 1)
    rounds = [hall.mails(1) for _ in range(_BEFORE + _MEASURED)]
    hall.desk.database.close()
    found: dict[int, list[Took]] = {count: [] for count in _SERVICES}
    for number in range(_TIMES):
        for count in _SERVICES:
            url = postgres.create(template)
            monkeypatch.setenv("RAILPOST_DATABASE", url)
            took = _measure(hall.desk, url, tmp_path, count, rounds)
            postgres.drop(url)
            found[count].append(took)
            say(f"{number + 1}: {count} services, {took.cpu:.1f} ms of CPU a mail, {took.rate:.1f} mails a second,"
                f" {100 * took.least:.0f} % by the least busy; load {os.getloadavg()[0]:.1f}")  # fmt: skip
    one = found[_SERVICES[0]]
    for count, times in found.items():
        cpu = [took.cpu for took in times]
        ratio = median(took.cpu / first.cpu for took, first in zip(times, one, strict=True))
        rate = median(took.rate / first.rate for took, first in zip(times, one, strict=True))
        say(f"{count} services: median {median(cpu):.1f} ms of CPU a mail ({min(cpu):.1f} to {max(cpu):.1f}),"
            f" {ratio:.2f} times one; {rate:.2f} times the mails in a second; {_TIMES} times")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Whole:
    """As ``Took``, of whole services; ``database``: milliseconds of PostgreSQL for a mail."""

    cpu: float
    database: float
    rate: float


def test_whole_services_that_share_a_database(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`railpost run`, with a Maildir as mailbox and Maildirs of the players: one service takes the mails in, all decide
    and send. As many services at once, each on a database of its own, show what the machine alone makes of them."""

    def say(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="", flush=True)  # noqa: T201

    template = postgres.create()
    monkeypatch.setenv("RAILPOST_DATABASE", template)
    hall = Hall(tmp_path / "hall", _GAMES, scripts(8), _ROUND_WARM + _ROUNDS + 1)
    rounds = [hall.mails(1) for _ in range(_ROUND_WARM + _ROUNDS)]
    hall.desk.database.close()
    found: dict[int, list[Whole]] = {count: [] for count in _SERVICES}
    alone: dict[int, list[float]] = {count: [] for count in _SERVICES}
    for number in range(_TIMES):
        for count in _SERVICES:
            url = postgres.create(template)
            monkeypatch.setenv("RAILPOST_DATABASE", url)
            took = _measure_whole(postgres, url, tmp_path / f"{number} {count}", count, rounds)
            postgres.drop(url)
            apart = _measure_apart(postgres, template, tmp_path / f"{number} {count} apart", count, rounds)
            found[count].append(took)
            alone[count].append(apart)
            say(f"{number + 1}: {count} whole services, {took.cpu:.1f} ms of CPU a mail and {took.database:.1f} of the"
                f" database, {took.rate:.1f} mails a second; apart {apart:.1f} ms;"
                f" load {os.getloadavg()[0]:.1f}")  # fmt: skip
    one = found[_SERVICES[0]]
    for count, times in found.items():
        same = median(took.cpu / apart for took, apart in zip(times, alone[count], strict=True))
        ratio = median(took.cpu / first.cpu for took, first in zip(times, one, strict=True))
        rate = median(took.rate / first.rate for took, first in zip(times, one, strict=True))
        cpu, database = median(took.cpu for took in times), median(took.database for took in times)
        say(f"{count} whole services: median {cpu:.1f} ms of CPU a mail, {ratio:.2f} times one and {same:.2f} times"
            f" as many apart, {database:.1f} ms of the database; {rate:.2f} times the mails in a second;"
            f" {_TIMES} times")  # fmt: skip


def _measure_whole(postgres: Postgres, url: str, root: Path, count: int, rounds: list[list[Mail]]) -> Whole:
    root.mkdir()
    config = root / "railpost.toml"
    config.write_text(
        configuration({"data": root, "domain": "example.org", "database": url, "pictures": False, "poll_seconds": 1.0})
    )
    settings = Settings(data=root, domain="example.org")
    database = Database(url)
    log = (root / "log").open("ab")
    command = [sys.executable, "-m", "moderator.entrypoints.cli", "--config", str(config), "run"]
    environment = os.environ | {"RAILPOST_DATABASE": url}
    services = [subprocess.Popen(command, stdout=log, stderr=log, env=environment) for _ in range(count)]
    total = wall = 0.0
    try:
        before = [0.0, 0.0]
        for number, mails in enumerate(rounds):
            if number == _ROUND_WARM:
                before = [sum(cpu_of(one.pid) for one in services), postgres.cpu()]
            began = time.monotonic()
            for content, to, sender in mails:
                deliver(settings.mail_folder, to, content, sender)
            while not _is_through(database, len(mails) * (number + 1)):
                assert not any(one.poll() for one in services), (root / "log").read_text()[-3000:]
                time.sleep(0.2)
            if number >= _ROUND_WARM:
                total, wall = total + len(mails), wall + time.monotonic() - began
        spent = [sum(cpu_of(one.pid) for one in services) - before[0], postgres.cpu() - before[1]]
    finally:
        for one in services:
            one.kill()
            one.wait()
        log.close()
        database.close()
    return Whole(1000 * spent[0] / total, 1000 * spent[1] / total, total / wall)


def _measure_apart(postgres: Postgres, template: str, root: Path, count: int, rounds: list[list[Mail]]) -> float:
    """Milliseconds of CPU time for a mail of so many services at once, each with a database and mails of its own."""
    root.mkdir()
    urls = [postgres.create(template) for _ in range(count)]
    with ThreadPoolExecutor(count) as threads:
        found = [
            threads.submit(_measure_whole, postgres, url, root / str(number), 1, rounds)
            for number, url in enumerate(urls)
        ]
        cpu = [each.result().cpu for each in found]
    for url in urls:
        postgres.drop(url)
    return sum(cpu) / count


def _is_through(database: Database, mails: int) -> bool:
    """True if so many mails are decided, and all answers are sent."""
    with database.reading() as session:
        decided = session.exec(select(func.count()).where(col(MailRow.outcome).is_not(None))).one()
        unsent = session.exec(select(func.count()).where(OutboxRow.state == "queued")).one()
    return bool(decided == mails and not unsent)


@pytest.mark.usefixtures("each_database")
def test_taking_a_mail_where_many_wait(tmp_path: Path, each_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As after a flood: half of the mails are of players, some for each game, and half of strangers."""
    hall = Hall(tmp_path, 20, scripts(2), 1)
    desk, now = hall.desk, datetime.now(UTC)
    waiting = [_waits(number, hall.tables[number % 20].name, now) for number in range(_LONG)]
    with desk.database.transaction() as session:
        session.exec(insert(MailRow), params=waiting)
    for whoever in (True, False):
        took = []
        for _ in range(50):
            began = time.perf_counter()
            assert claim(desk, whoever=whoever) is not None
            took.append(1000 * (time.perf_counter() - began))
        with capsys.disabled():
            which = "in plain order" if whoever else "for games in memory first"
            print(f"\n{each_database}: {_LONG} wait, one is taken {which} in {median(took):.1f} ms", end="")  # noqa: T201
    desk.database.close()


def _waits(number: int, game: str, now: datetime) -> dict[str, Any]:
    stranger, share = number % 2 == 1, f"player {number % 700}"
    return {
        "received_at": now, "source": "bench", "reference": str(number), "content": b"x" * 400, "size": 400,
        "envelope_from": "", "lane": f"stranger {number % 5_000}" if stranger else share,
        "share": "strangers" if stranger else share, "rank": 2 if stranger else 0,
        "turn": 4 * number if stranger else number // 1_400, "about": "" if stranger else game,
    }  # fmt: skip


def _measure(desk: Desk, url: str, root: Path, count: int, rounds: list[list[Mail]]) -> Took:
    """Each round is a mail for each game, in the order of its script: all wait at once, and the next round comes when
    all are decided."""
    database = Database(url)
    here = replace(desk, database=database)
    done: list[dict[str, Any]] = []
    with _services(root, count) as decide:
        for number, mails in enumerate(rounds):
            came = datetime.now(UTC)
            batch = [
                Incoming(f"{number}.{place}", came, len(content), content, sender)
                for place, (content, _, sender) in enumerate(mails)
            ]
            assert None not in store(here, "bench", batch)
            found = decide()
            assert sum(one["decided"] for one in found) == len(mails)
            done += found if number >= _BEFORE else []
    with database.reading() as session:
        outcomes = set(session.exec(select(MailRow.outcome)).all())
    database.close()
    assert outcomes == {"applied"}
    assert not [one["complaints"] for one in done if one["complaints"]]
    decided = sum(one["decided"] for one in done)
    walls = [max(one["wall"] for one in done[at : at + count]) for at in range(0, len(done), count)]
    least = min(sum(one["decided"] for one in done[service::count]) for service in range(count))
    return Took(1000 * sum(one["cpu"] for one in done) / decided, decided / sum(walls), least / decided)


@contextmanager
def _services(root: Path, count: int) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """So many of them. Each call has them decide all that waits, and gives what each says of it."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.kit.service.deciding_service", str(root), f"service {number}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(count)
    ]  # fmt: skip

    def ask() -> list[dict[str, Any]]:
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        return [json.loads(_line(process)) for process in processes]

    try:
        for process in processes:
            assert _line(process) == "ready"
        yield ask
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()
