"""A flood of strangers' and foreign mails beside games of robots: players notice little of it, and are all answered.

``RAILPOST_FLOOD=10`` makes ten parts in a hundred of it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

import pytest
from sqlmodel import Session, col, func, select

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, deliver, folder_for
from moderator.adapters.tables import GameRow, MailRow, OutboxRow, SeatRow
from moderator.entrypoints.processes.run import Runner
from moderator.entrypoints.processes.worker import Worker
from moderator.service.desk import Sitting
from moderator.service.table.seats import secret_address, token_for
from tests.kit.samples import amount
from tests.kit.service.load import Hall, Table, scripts
from tests.kit.service.mail_service import mail

_SIZE = amount("RAILPOST_FLOOD", 100) / 100
_STRANGERS, _FOREIGN = int(20_000 * _SIZE), int(2_000 * _SIZE)
_GAMES, _RATE = 24, 2.5
"""Games of robots, and their mails in a second."""
_SECONDS = max(30, int(800 * _SIZE))
"""So long the flood comes in."""
_CALM = min(_SECONDS, 120)
"""So long players are measured without it."""
_QUESTIONS = ("show at {0}\nshow map", "show position // {0}", "pass // {0}", "check\npass // {0}",
              "address x{0}@junk.example")  # fmt: skip

Message = tuple[bytes, str, str]


@dataclass(frozen=True, slots=True)
class Measured:
    """Milliseconds from the arrival of players' mails to their answers, and megabytes of the database after it."""

    waits: list[float]
    size: float

    @property
    def late(self) -> float:
        return self.waits[int(len(self.waits) * 0.95)]

    def __str__(self) -> str:
        return f"median {median(self.waits):.0f} ms, 95 % {self.late:.0f} ms, worst {self.waits[-1]:.0f} ms"


@pytest.mark.prove
@pytest.mark.usefixtures("each_database")
def test_a_flood_beside_games_of_robots(tmp_path: Path, each_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    hall = Hall(tmp_path, _GAMES, scripts(8), 2 * int(_RATE * _SECONDS / _GAMES + 2), operator="master@example.net")
    _bring_back(hall)
    calm = _play(hall, int(_RATE * _CALM), [], _CALM)
    flood = list(_flood(hall, Random(1861)))
    stormy = _play(hall, int(_RATE * _SECONDS), flood, _SECONDS)
    outcomes, told = _end(hall, len(flood))
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{each_database}: {len(calm.waits)} mails of players in {_CALM} s without a flood: {calm};"
            f" {len(stormy.waits)} in {_SECONDS} s beside {_STRANGERS} strangers' and {_FOREIGN} foreign mails:"
            f" {stormy}; the database grew by {stormy.size - calm.size:.1f} MB in all; {dict(outcomes)};"
            f" {told} mails to the operator"
        )
    assert stormy.late <= 2 * calm.late


def test_players_beside_a_short_flood(tmp_path: Path) -> None:
    """All that the long run shows but its times: who is answered, and that nobody waits behind the flood."""
    hall = Hall(tmp_path, 2, scripts(2, 20), 6, operator="master@example.net")
    root = hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    work, written = Worker(hall.desk, intake, MaildirOutlet(root), pytest.fail), 0
    for turn in range(2):
        flood = [_stranger(100 * turn + number) for number in range(15)] + list(_foreign(hall, 10, Random(turn)))
        asked = hall.mails(1)
        written += len(asked)
        for content, to, path in flood + asked:
            deliver(root, to, content, path)
        work.mail()
    with hall.desk.database.reading() as session:
        rows = session.exec(select(MailRow).order_by(col(MailRow.decided_at))).all()
    players = [place for place, row in enumerate(rows) if row.sender.endswith("players.example")]
    assert len(players) == written
    assert {rows[place].outcome for place in players} == {"applied"}
    assert all(row.outcome is not None for row in rows)
    assert _answered(hall, {row.id for row in rows if row.outcome == "applied"})


def _bring_back(hall: Hall) -> None:
    with hall.desk.database.reading() as session:
        for row in session.exec(select(GameRow)).all():
            hall.desk.games.get(session, row)


def _flood(hall: Hall, chance: Random) -> Iterator[Message]:
    """Strangers with ever new return paths, and between them mails to secret addresses from elsewhere."""
    mails = [_stranger(number) for number in range(_STRANGERS)] + list(_foreign(hall, _FOREIGN, chance))
    chance.shuffle(mails)
    yield from mails


def _stranger(number: int) -> Message:
    sender = f"s{number}@crowd.example"
    return mail(f"Hello {number},\n\nis this a game?\n", sender=sender), "railpost@example.org", sender


def _foreign(hall: Hall, count: int, chance: Random) -> Iterator[Message]:
    with hall.desk.database.transaction() as session:
        addresses = [_address(hall, session, seat) for seat in session.exec(select(SeatRow)).all()]
    for number in range(count):
        to, sender = chance.choice(addresses), f"f{number % 50}@else.example"
        yield mail(chance.choice(_QUESTIONS).format(number), sender=sender, to=to), to, sender


def _address(hall: Hall, session: Session, seat: SeatRow) -> str:
    return secret_address(hall.desk, seat, token_for(Sitting(hall.desk, session), seat, seat.since))


def _play(hall: Hall, players: int, flood: list[Message], seconds: int) -> Measured:
    """Let players write and the flood come in, both evenly over the time, while a service is at work."""
    root = hall.settings.mail_folder
    intake = MaildirIntake(folder_for(root, hall.settings.address))
    with hall.desk.database.reading() as session:
        last = session.exec(select(func.max(MailRow.id))).one() or 0
    runner = Runner(Worker(hall.desk, intake, MaildirOutlet(root), pytest.fail), poll_seconds=1.0)
    runner.start()
    began, others, tables, written = time.monotonic(), deque(flood), deque(hall.tables), Counter[str]()
    while written.total() < players or others:
        now = (time.monotonic() - began) / seconds
        while others and 1 - len(others) / len(flood) <= now:
            content, to, path = others.popleft()
            deliver(root, to, content, path)
        if written.total() < players and written.total() / players <= now:
            tables.rotate(-1)
            _write_next(hall, tables[0], written, last)
        runner.wake()
        time.sleep(0.01)
    while len(_of_players(hall, last)) < players or _waiting(hall, last, players + len(flood)):
        time.sleep(0.2)
    runner.stop()
    rows = _of_players(hall, last)
    assert {row.outcome for row in rows} == {"applied"}
    assert _answered(hall, {row.id for row in rows})
    waits = sorted(1000 * (row.decided_at - row.received_at).total_seconds() for row in rows if row.decided_at)
    return Measured(waits, _size(hall))


def _write_next(hall: Hall, table: Table, written: Counter[str], last: int) -> None:
    """The next mail of a game, unless its last one is not decided yet: nobody answers before being asked."""
    decided = sum(row.game == table.name for row in _of_players(hall, last))
    if decided == written[table.name]:
        with hall.desk.sitting() as sitting:
            content, to, path = table.next_mail(sitting, hall.wrote)
        hall.wrote += 1
        written[table.name] += 1
        deliver(hall.settings.mail_folder, to, content, path)


def _of_players(hall: Hall, last: int) -> list[MailRow]:
    theirs = select(MailRow).where(col(MailRow.id) > last, col(MailRow.share).startswith("player "))
    with hall.desk.database.reading() as session:
        return list(session.exec(theirs.where(col(MailRow.outcome).is_not(None))).all())


def _waiting(hall: Hall, last: int, count: int) -> bool:
    with hall.desk.database.reading() as session:
        decided = select(func.count()).where(col(MailRow.id) > last, col(MailRow.outcome).is_not(None))
        return session.exec(decided).one() < count


def _answered(hall: Hall, numbers: set[int | None]) -> bool:
    with hall.desk.database.reading() as session:
        answers = Counter(session.exec(select(OutboxRow.answers).where(col(OutboxRow.answers).is_not(None))).all())
    return all(answers[number] == 1 for number in numbers)


def _size(hall: Hall) -> float:
    """Megabytes of the database."""
    with hall.desk.database.reading() as session:
        if session.get_bind().dialect.name == "postgresql":
            return float(session.scalar(select(func.pg_database_size(func.current_database()))) or 0) / 1e6
        pages, page = (session.connection().exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in _PAGES)
        return float(pages * page) / 1e6


_PAGES = ("page_count", "page_size")


def _end(hall: Hall, flood: int) -> tuple[Counter[str], int]:
    """The outcomes of the flood, and how many mails the operator got."""
    with hall.desk.database.reading() as session:
        rows = session.exec(select(MailRow.outcome).where(~col(MailRow.share).startswith("player "))).all()
        told = session.exec(select(func.count()).where(OutboxRow.kind == "operator")).one()
    assert len(rows) == flood
    hall.desk.database.close()
    return Counter(str(outcome) for outcome in rows), told
