"""The figures of docs/performance.md: `make bench` prints them. Nothing here fails because a machine is slow."""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

import engine
from engine.routes.optimum import best_run
from moderator.adapters.mail.maildir import MaildirIntake, folder_for
from moderator.adapters.tables import GameRow
from moderator.domain.records.import_18xx import read_import
from moderator.domain.records.record import write_record
from moderator.entrypoints.records.commands import orders_with_players
from moderator.entrypoints.robot_player import as_text
from moderator.service.intake import take_in
from moderator.service.pipeline import work_off
from moderator.service.play.new_games import Person, Terms, new_game
from tests.engine.routes.test_best import Declared, declared
from tests.kit.figures import Say
from tests.kit.games.plain_1863 import course
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.bench


PLAIN_1863 = "1863 of plain players"
"""The game that stands in for a record, of which there is none."""


def file_of(records: Path, name: str, folder: Path) -> Path:
    """The file of a recorded game; one of 1863 is played and written into ``folder``."""
    if name != PLAIN_1863:
        return records / f"{name}.json"
    file = folder / "plain.txt"
    file.write_text(write_record(course("historical", 3, "1").game, {}), encoding="utf-8")
    return file


def imported(path: Path) -> engine.Game:
    record = read_import(path)
    for _ in record.play():
        pass
    return record.game


@pytest.mark.parametrize("name", ["1861/29683", "1861/167259", "1844/160062", "1841/132002", PLAIN_1863])
def test_replay_with_every_check(records: Path, say: Say, name: str) -> None:
    game = course("historical", 3, "1").game if name == PLAIN_1863 else imported(records / f"{name}.json")
    times = []
    for _ in range(5):
        gc.collect()
        began = time.perf_counter()
        again = engine.replay(game.title, game.setup, game.orders)
        times.append(time.perf_counter() - began)
        assert again.digest() == game.digest()
    median, number = statistics.median(times), len(game.orders)
    say(
        f"replay of {name}, {number} orders: best {min(times):.3f} s, median {median:.3f} s,"
        f" {1000 * median / number:.2f} ms an order"
    )


def test_best_runs(records: Path, say: Say) -> None:
    times = [_time_best(run) for run in declared(records)]
    times.sort()
    say(
        f"best runs of {len(times)} recorded positions: median {1000 * statistics.median(times):.1f} ms,"
        f" 95 % {times[int(len(times) * 0.95)]:.3f} s, worst {times[-1]:.2f} s"
    )


def _time_best(run: Declared) -> float:
    board = replace(run.board)
    began = time.perf_counter()
    found = best_run(board, run.traits)
    spent = time.perf_counter() - began
    assert found.proven
    return spent


@pytest.mark.parametrize("record", ["1861/29683", "1841/132002", PLAIN_1863])
def test_a_mail_in_a_late_position(records: Path, tmp_path: Path, say: Say, record: str) -> None:
    start, given, _ = orders_with_players(file_of(records, record, tmp_path))
    mails = [(p, [order for _, order in group]) for (p, _), group in groupby(given, lambda g: (g[0], g[1].actor))]
    service = Service.open(tmp_path)
    players = start.setup.players
    people = [Person(p, f"{p.lower().replace(' ', '')}@players.example") for p in players]
    setup = engine.Setup(players, start.setup.seed or "recorded", start.setup.priority)
    name = new_game(
        service.desk, Terms(start.title.name, start.title.edition, start.title.options), people, setup=setup
    )
    service.run()
    address = {p.name: p.address for p in people}
    times = []
    for number, (player, orders) in enumerate(mails):
        to = latest_reply_address(service, address[player])
        service.send(mail(as_text(start, orders), sender=address[player], to=to), to)
        intake = MaildirIntake(folder_for(service.desk.settings.mail_folder, service.desk.settings.address))
        began = time.perf_counter()
        take_in(service.desk, intake)
        work_off(service.desk, service.complaints.append)
        if number > 2 * len(mails) // 3:
            times.append(time.perf_counter() - began)
        service.run()
    with service.desk.database.reading() as session:
        row = session.get(GameRow, name)
        assert row is not None
        assert service.desk.games.get(session, row).game.finished, service.complaints
    times.sort()
    say(
        f"a mail in the last third of {record}, raw bytes to outbox, {len(times)} mails: median"
        f" {1000 * statistics.median(times):.1f} ms, 95 % {1000 * times[int(len(times) * 0.95)]:.1f} ms"
    )


def latest_reply_address(service: Service, address: str) -> str:
    """Where the latest mail to a player wants its answer."""
    folder = folder_for(service.desk.settings.mail_folder, address) / "new"
    latest = max(folder.glob("*"), key=lambda path: path.stat().st_mtime_ns)
    return Letter.of(latest.read_bytes()).reply_to


def test_a_hundred_games(records: Path, say: Say) -> None:
    game = imported(records / "1861" / "29683.json")
    before = resident()
    alive = [engine.replay(game.title, game.setup, game.orders[: 400 + n]) for n in range(100)]
    after = resident()
    say(f"{len(alive)} games in late positions: {after:.0f} MB resident, {after - before:.0f} MB of it theirs")


def resident() -> float:
    """Megabytes of memory that the process holds."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise RuntimeError("this system does not tell a process how much memory it holds")
