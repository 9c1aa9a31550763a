"""A thousand games alive at once: orders by the second, how long an answer takes, memory. `make bench` prints it.

`RAILPOST_LOAD` is how many games there are, if it shall not be a thousand.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
from sqlmodel import col, func, select

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, deliver, folder_for
from moderator.adapters.tables import EntryRow, GameRow, MailRow, OutboxRow
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from moderator.service.intake import take_in
from moderator.service.pipeline import work_off
from moderator.service.post.delivery import send_due
from tests.kit.service.load import Hall, scripts

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("each_database")]

_GAMES = int(os.environ.get("RAILPOST_LOAD", "1000"))
_EACH = 10
"""Backlogs with a mail for each game."""
_RATES, _SECONDS = (6.0, 12.1), 40
"""Mails that arrive in a second: 12.1 bring 25 orders, half of that leaves a slower machine room too. For how long."""
_TIMES, _MOST_TIMES = 3, 8
"""So often each rate is measured with the processors to ourselves. What is measured at other times is printed too, and
counts where there is nothing better after so many."""
_QUIET, _PATIENCE = 0.01, 90
"""The share of the processors with which others disturb nothing, and for how many seconds that is waited for."""

_Waits = tuple[float, float, float]
"""Milliseconds from arrival to answer queued: median, 95 %, worst."""


class _Machine:
    """How the machine was while something was measured: what others took of it, and how fast it is after that."""

    def __init__(self) -> None:
        self._before = self._taken()

    def __str__(self) -> str:
        share = f"{100 * self.others():.1f} % of the processors was others'"
        return f"{share}, a million additions take {1000 * _yardstick():.0f} ms"

    def others(self) -> float:
        """The share of the processors that others had until now."""
        spent, theirs = (after - begun for after, begun in zip(self._taken(), self._before, strict=True))
        return theirs / max(1, spent)

    def _taken(self) -> tuple[int, int]:
        """Ticks of the processors so far, and how many of them for other machines (Linux on a shared one)."""
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
    hall = Hall(tmp_path, _GAMES, scripts(min(20, _GAMES)), _EACH + len(_RATES) * _MOST_TIMES + 1)
    _remember(hall, say)
    for rate in _RATES:
        _several(hall, rate, say)
    _backlog(hall, say)
    say(f"{memory() - bare:.0f} MB more than before the games were made; load of the machine {os.getloadavg()[0]:.1f}")
    hall.desk.database.close()


def _complain(problem: str) -> None:
    raise AssertionError(problem)


def _remember(hall: Hall, say: Callable[[str], None]) -> None:
    """What every service has behind it soon after its start."""
    began = time.process_time()
    with hall.desk.database.reading() as session:
        for row in session.exec(select(GameRow)).all():
            hall.desk.games.get(session, row)
    say(f"all games brought back from their logs in {time.process_time() - began:.1f} s of CPU time")


def _await_quiet() -> None:
    """Until others leave us the processors, but not for ever. What they take shows only while there is work."""
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up:
        machine, until = _Machine(), time.monotonic() + 5
        while time.monotonic() < until:
            _yardstick()
        if machine.others() <= _QUIET:
            return


def _several(hall: Hall, rate: float, say: Callable[[str], None]) -> None:
    """One rate as often as it takes, and the medians."""
    every: list[_Waits] = []
    quiet: list[_Waits] = []
    while len(every) < _MOST_TIMES and len(quiet) < _TIMES:
        _await_quiet()
        others, times = _arrivals(hall, rate, say)
        every.append(times)
        if others <= _QUIET:
            quiet.append(times)
    enough = len(quiet) == _TIMES
    which = f"the {_TIMES} without others" if enough else f"all {len(every)}, {len(quiet)} without others"
    middle, late, worst = map(median, zip(*(quiet if enough else every), strict=True))
    say(f"{rate} mails a second, medians of {which}: median {middle:.0f} ms, 95 % {late:.0f}, worst {worst:.0f}")


def _arrivals(hall: Hall, rate: float, say: Callable[[str], None]) -> tuple[float, _Waits]:
    """Mails that come one by one, each for another game, so many a second; the share of the processors that others
    had."""
    desk, root = hall.desk, hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    written = hall.mails(1, int(rate * _SECONDS))
    with desk.database.reading() as session:
        last = session.exec(select(func.max(MailRow.id))).one() or 0
    machine = _Machine()
    work = Worker(desk, intake, MaildirOutlet(root), _complain)
    runner = Runner(work, poll_seconds=1.0)
    began, cpu = time.monotonic(), time.process_time()
    runner.start()
    for number, (content, to, sender) in enumerate(written):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        deliver(root, to, content, sender)
        runner.wake()  # as a mail server does that offers IDLE
    while _waiting(hall):
        time.sleep(0.5)
    runner.stop()
    cpu, others = time.process_time() - cpu, machine.others()
    with desk.database.reading() as session:
        rows = session.exec(select(MailRow).where(col(MailRow.id) > last)).all()
        orders = session.exec(select(func.count()).select_from(EntryRow).where(col(EntryRow.mail) > last)).one()
    assert {row.outcome for row in rows} == {"applied"}
    assert len(rows) == len(written)
    took = sorted(1000 * (row.decided_at - row.received_at).total_seconds() for row in rows if row.decided_at)
    middle, late, worst = took[len(took) // 2], took[int(len(took) * 0.95)], took[-1]
    say(
        f"{len(rows)} mails with {orders} orders, {rate} mails a second: from arrival to answer queued median"
        f" {middle:.0f} ms, 95 % {late:.0f} ms, worst {worst:.0f} ms; {1000 * cpu / len(rows):.1f} ms CPU a mail with"
        f" delivering, taking in and sending; {machine}"
    )
    return others, (middle, late, worst)


def _backlog(hall: Hall, say: Callable[[str], None]) -> None:
    """A mailbox with a mail for each game, some of them twice, so many times: the next ones are written when all are
    answered, as players do."""
    desk, root = hall.desk, hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    while send_due(desk, MaildirOutlet(root), _complain):
        pass
    before, machine = _count(hall), _Machine()
    taken = doubled = 0
    stored, decided = _Spent(), _Spent()
    for _ in range(_EACH):
        written = hall.mails(1)
        again = written[::50]
        for content, to, sender in (*written, *again):
            deliver(root, to, content, sender)
        with stored:
            taken += len(take_in(desk, intake))
        with decided:
            while work_off(desk, _complain):
                pass
        doubled += len(again)
    orders = _count(hall) - before
    with desk.database.reading() as session:
        mails = session.exec(select(MailRow)).all()
        answers = session.exec(select(OutboxRow.answers).where(col(OutboxRow.answers).is_not(None))).all()
        games = {row.id: row for row in session.exec(select(GameRow)).all()}
        for table in hall.tables[::10]:
            log = session.exec(select(EntryRow).where(EntryRow.game == table.name).order_by(col(EntryRow.at))).all()
            assert [(row.player, row.text) for row in log] == [
                entry[:2] for entry in table.script.entries[: games[table.name].orders]
            ]
    outcomes = Counter(row.outcome for row in mails)
    assert outcomes == {"applied": len(mails) - doubled, "duplicate": doubled}
    assert Counter(answers) == Counter(row.id for row in mails if row.outcome == "applied"), "one answer to each"
    say(
        f"backlogs of {taken} mails ({doubled} of them doubled): stored in {stored.wall:.0f} s ({stored.cpu:.0f} s"
        f" CPU), decided in {decided.wall:.0f} s ({decided.cpu:.0f} s CPU): {orders / decided.wall:.0f} orders a second"
        f" ({orders / decided.cpu:.0f} by CPU time), {1000 * decided.cpu / taken:.1f} ms CPU a mail; one answer to"
        f" each, the doubled ones none; {machine}"
    )


class _Spent:
    """``with`` it: seconds by the clock and of the processor, added up."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def __enter__(self) -> None:
        self._began = time.monotonic(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._began
        self.wall += time.monotonic() - wall
        self.cpu += time.process_time() - cpu


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
