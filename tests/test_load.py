"""A thousand games alive at once: orders by the second, how long an answer takes, memory. `make bench` prints it.

`RAILPOST_LOAD` is how many games there are, if it shall not be a thousand.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import col, func, select

from moderator.adapters.maildir import MaildirIntake, MaildirOutlet, deliver, folder_for
from moderator.adapters.tables import EntryRow, GameRow, MailRow, OutboxRow
from moderator.entrypoints.rounds import Round
from moderator.entrypoints.run import Runner
from moderator.service.intake import take_in
from moderator.service.pipeline import work_off
from moderator.service.post.outbox import send_due
from tests.load import Hall, scripts

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("each_database")]

_GAMES = int(os.environ.get("RAILPOST_LOAD", "1000"))
_EACH = 10
"""Mails of the backlog for each game."""
_RATE, _SECONDS = 12.1, 60
"""Mails that arrive in a second, and for how long. A mail holds two or three orders."""


def _taken() -> tuple[int, int]:
    """What the machine's processors have done so far, and how much of it for other machines (Linux on a shared one)."""
    ticks = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]]
    return sum(ticks), ticks[7]


def _yardstick() -> float:
    """Seconds for a fixed piece of arithmetic, the least of five: how fast this machine is today."""

    def once() -> float:
        began, total = time.perf_counter(), 0
        for number in range(1_000_000):
            total += number
        return time.perf_counter() - began

    return min(once() for _ in range(5))


def memory() -> float:
    """Megabytes that this process holds."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")) / 1000


def test_a_thousand_games(tmp_path: Path, each_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            print(f"\n{each_database}, {_GAMES} games: {line}", end="")  # noqa: T201

    bare = memory()
    hall = Hall(tmp_path, _GAMES, scripts(min(20, _GAMES)), _EACH + 2)
    for part in (_arrivals, _backlog):
        before = _taken()
        part(hall, say)
        spent, others = (after - begun for after, begun in zip(_taken(), before, strict=True))
        say(f"in that time {100 * others / max(1, spent):.0f} % of the processors was others'; a million additions take"
            f" {1000 * _yardstick():.0f} ms")  # fmt: skip
    say(f"{memory() - bare:.0f} MB more than before the games were made; load of the machine {os.getloadavg()[0]:.1f}")
    hall.desk.database.close()


def _complain(problem: str) -> None:
    raise AssertionError(problem)


def _arrivals(hall: Hall, say: Callable[[str], None]) -> None:
    """Mails that come one by one, each for another game, as many a second as make 25 orders."""
    desk, root = hall.desk, hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    written = hall.mails(1, int(_RATE * _SECONDS))
    with desk.database.reading() as session:  # what every service has behind it soon after its start
        began = time.process_time()
        for row in session.exec(select(GameRow)).all():
            desk.games.get(session, row)
    say(f"all games brought back from their logs in {time.process_time() - began:.1f} s of CPU time")
    work = Round(desk, intake, MaildirOutlet(root), _complain)
    runner = Runner(work, poll_seconds=1.0)
    began, cpu = time.monotonic(), time.process_time()
    runner.start()
    for number, (content, to, sender) in enumerate(written):
        time.sleep(max(0.0, began + number / _RATE - time.monotonic()))
        deliver(root, to, content, sender)
        runner.wake()  # as a mail server does that offers IDLE
    while _waiting(hall):
        time.sleep(0.5)
    runner.stop()
    cpu = time.process_time() - cpu
    with desk.database.reading() as session:
        rows = session.exec(select(MailRow)).all()
        orders = session.exec(select(func.count()).select_from(EntryRow).where(col(EntryRow.mail).is_not(None))).one()
    assert {row.outcome for row in rows} == {"applied"}
    assert len(rows) == len(written)
    took = sorted((row.decided_at - row.received_at).total_seconds() for row in rows if row.decided_at)
    say(
        f"{len(rows)} mails with {orders} orders, {_RATE} mails a second: from arrival to answer queued median"
        f" {1000 * took[len(took) // 2]:.0f} ms, 95 % {1000 * took[int(len(took) * 0.95)]:.0f} ms,"
        f" worst {1000 * took[-1]:.0f} ms; {cpu:.1f} s of CPU time with delivering, taking in and sending"
    )


def _backlog(hall: Hall, say: Callable[[str], None]) -> None:
    """A mailbox full of mail, some of it twice."""
    desk, root = hall.desk, hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    while send_due(desk, MaildirOutlet(root), _complain):
        pass
    before = _count(hall)
    written = hall.mails(_EACH)
    doubled = written[::50]
    for content, to, sender in (*written, *doubled):
        deliver(root, to, content, sender)
    cpu, began = time.process_time(), time.monotonic()
    taken = len(take_in(desk, intake))
    stored_cpu, stored = time.process_time() - cpu, time.monotonic() - began
    cpu, began = time.process_time(), time.monotonic()
    while work_off(desk, _complain):
        pass
    cpu, wall = time.process_time() - cpu, time.monotonic() - began
    orders = _count(hall) - before
    with desk.database.reading() as session:
        mails = session.exec(select(MailRow)).all()
        answers = session.exec(select(OutboxRow.answers).where(col(OutboxRow.answers).is_not(None))).all()
        games = {row.id: row for row in session.exec(select(GameRow)).all()}
        for table in hall.tables[::10]:
            log = session.exec(select(EntryRow).where(EntryRow.game == table.name).order_by(col(EntryRow.at))).all()
            assert [(row.player, row.text) for row in log] == list(table.script.entries[: games[table.name].orders])
    outcomes = Counter(row.outcome for row in mails)
    assert outcomes == {"applied": len(mails) - len(doubled), "duplicate": len(doubled)}
    assert Counter(answers) == Counter(row.id for row in mails if row.outcome == "applied"), "one answer to each"
    say(
        f"backlog of {taken} mails ({len(doubled)} of them doubled): stored in {stored:.0f} s ({stored_cpu:.0f} s CPU),"
        f" decided in {wall:.0f} s ({cpu:.0f} s CPU): {orders / wall:.0f} orders a second ({orders / cpu:.0f} by CPU"
        f" time), {1000 * cpu / taken:.1f} ms CPU a mail; one answer to each, the doubled ones none"
    )


def _waiting(hall: Hall) -> int:
    """Mails that lie in the mailbox, are not decided or not sent."""
    with hall.desk.database.reading() as session:
        undecided = session.exec(select(func.count()).where(col(MailRow.outcome).is_(None))).one()
        unsent = session.exec(select(func.count()).where(OutboxRow.state == "queued")).one()
    folder = folder_for(hall.settings.mail_folder, hall.settings.address) / "new"
    return undecided + unsent + len(list(folder.iterdir()))


def _count(hall: Hall) -> int:
    with hall.desk.database.reading() as session:
        return session.exec(select(func.count()).select_from(EntryRow)).one()
