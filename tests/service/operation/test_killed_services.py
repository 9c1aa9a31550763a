"""Two services on one PostgreSQL database, each a process of its own. The one that reads the mailbox is killed at a bad
moment, and the other goes on within a minute."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from moderator.adapters.mail.maildir import deliver
from moderator.adapters.tables import EntryRow, KeptRow, MailRow, OutboxRow
from tests.kit.mail_system.service import configuration
from tests.kit.patience import PATIENCE
from tests.kit.postgres import Postgres
from tests.kit.service.load import Hall, scripts

pytestmark = pytest.mark.fault(90)

MINUTE = 60.0
_SHORT = {"poll_seconds": 1.0, "lease_seconds": 10}


class Two:
    """A reader of the mailbox, and another service; robots' games that wait for mails."""

    def __init__(self, root: Path, games: int, **settings: Any) -> None:
        self.hall = Hall(root, games, scripts(3, 12), 1)
        self.database = self.hall.desk.database
        values = {"data": root, "domain": "example.org", "database": self.database.url, **settings}
        self.config = root / "railpost.toml"
        self.config.write_text(configuration(values))
        self.processes: list[subprocess.Popen[bytes]] = []
        self.wrote = games

    @contextmanager
    def at_work(self) -> Iterator[None]:
        try:
            self._start()
            self.until(self.reader)
            self._start()
            yield
        finally:
            for process in self.processes:
                process.kill()
                process.wait()
            self.database.close()

    def _start(self) -> None:
        command = [sys.executable, "-m", "moderator.entrypoints.cli", "--config", str(self.config), "run"]
        with (self.config.parent / "service.log").open("ab") as log:
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ)))

    def until(self, done: Callable[[], object], seconds: float = PATIENCE) -> float:
        """Wait. The seconds that it took."""
        began = time.monotonic()
        while not done():
            assert time.monotonic() - began < seconds, (self.config.parent / "service.log").read_text()[-3000:]
            time.sleep(0.005)
        return time.monotonic() - began

    def reader(self) -> str:
        """The name of the service that reads the mailbox; empty if none does."""
        with self.database.reading() as session:
            kept = session.exec(select(KeptRow.value).where(col(KeptRow.key).startswith("lease mailbox"))).first()
            return str(kept["owner"] or "") if kept is not None else ""

    def write(self) -> None:
        """Put a mail for every game into the mailbox."""
        for content, to, sender in self.hall.mails(1):
            deliver(self.hall.settings.mail_folder, to, content, sender)

    def kill_reader(self) -> None:
        self.processes[0].send_signal(signal.SIGKILL)
        self.processes[0].wait()

    def counts(self) -> tuple[int, int, int, int]:
        """Mails that are decided and not, that are sent and not."""
        with self.database.reading() as session:
            decided = session.exec(select(func.count()).where(col(MailRow.outcome).is_not(None))).one()
            waiting = session.exec(select(func.count()).where(col(MailRow.outcome).is_(None))).one()
            sent = session.exec(select(func.count()).where(OutboxRow.state == "sent")).one()
            queued = session.exec(select(func.count()).where(OutboxRow.state == "queued")).one()
        return decided, waiting, sent, queued

    def reads_now(self) -> bool:
        """Some mails are stored, and others are still to be stored or decided."""
        decided, waiting, *_ = self.counts()
        return 0 < decided + waiting < self.wrote or (decided >= 2 and waiting > 0)

    def sends_now(self) -> bool:
        """The reader has sent some mails, and has others in hand."""
        with self.database.reading() as session:
            mine = (OutboxRow.lease_owner == self.reader(), OutboxRow.state == "queued")
            in_hand = session.exec(select(func.count()).where(*mine)).one()
        return self.counts()[2] >= 2 and in_hand > 0

    def check(self) -> None:
        """Each mail has one outcome and one answer, each game its orders, and each mail to a player went once; the one
        that was on its way when the service was killed may have gone twice, with the same Message-ID."""
        with self.database.reading() as session:
            mails = session.exec(select(MailRow.id, MailRow.outcome)).all()
            outbox = session.exec(select(OutboxRow)).all()
            log = Counter(session.exec(select(EntryRow.game)).all())
        assert Counter(outcome for _, outcome in mails) == Counter({"applied": self.wrote})
        assert sorted(row.answers for row in outbox if row.answers) == sorted(number for number, _ in mails if number)
        played = {table.name: table.script.steps[table.step - 1] for table in self.hall.tables}
        assert log == Counter({name: last.before + last.orders for name, last in played.items()})
        folder = self.hall.settings.mail_folder
        came = [
            message_from_bytes(path.read_bytes()) for path in folder.glob("*/new/*") if "railpost@" not in str(path)
        ]
        counted = Counter(str(one["Message-ID"]) for one in came)
        assert counted.keys() == {row.message_id for row in outbox}
        assert len(came) <= len(outbox) + 1


def _killed(two: Two, moment: Callable[[], bool]) -> None:
    with two.at_work():
        two.write()
        two.until(moment)
        two.kill_reader()
        decided, _, _, queued = two.counts()
        assert decided < two.wrote or queued, "it had done all: this test has shown nothing"
        took = two.until(lambda: two.counts()[0] == two.wrote and not two.counts()[3], 2 * MINUTE)
        assert took < MINUTE
        first, second = two.processes
        assert first.returncode is not None and second.poll() is None
        two.check()


@pytest.mark.parametrize("settings", [_SHORT, pytest.param({}, marks=pytest.mark.prove)], ids=["short", "usual"])
@pytest.mark.parametrize(
    ("tables", "pictures", "moment"),
    [(60, False, Two.reads_now), (8, True, Two.sends_now)],
    ids=["reads", "draws_and_sends"],
)
def test_90_killed_while_it_reads_the_mailbox_or_draws_and_sends(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any],
    tables: int, pictures: bool, moment: Callable[[Two], bool],
) -> None:  # fmt: skip
    monkeypatch.setenv("RAILPOST_DATABASE", url := postgres.create())
    two = Two(tmp_path, tables, pictures=pictures, **settings)
    _killed(two, lambda: moment(two))
    postgres.drop(url)
