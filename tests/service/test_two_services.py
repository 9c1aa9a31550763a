"""Two services on one database share the work, and double none of it. On SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import select as waiting
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import pytest
from sqlmodel import col, func, select

import engine
from moderator.adapters.mail.maildir import deliver
from moderator.adapters.tables import EntryRow, GameRow, MailRow, OutboxRow, SeatRow
from moderator.service.desk import Desk
from moderator.service.locks import give_lease_back, take_lease
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.post.delivery import send_due
from moderator.service.table.seats import secret_address, token_for
from tests.kit.samples import sampled
from tests.kit.service.mail_service import mail
from tests.kit.service.second_service import DECIDED, READY, desk_of

pytestmark = pytest.mark.usefixtures("each_database")

_DECISIONS = 4
_PATIENCE = 120.0


class Services:
    """So many services at work. ``done``: what each has done, when all are through."""

    def __init__(self, root: Path, count: int) -> None:
        self.done: list[dict[str, Any]] = []
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.kit.service.second_service", str(root), f"service {number}"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for number in range(count)
        ]  # fmt: skip
        self._idle = list(self._processes)

    def __enter__(self) -> Self:
        for process in self._processes:  # none may have done all before another has begun
            assert self._line(process) == READY
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            for process in self._processes if error is None else ():
                said, wrong = process.communicate("\n", timeout=_PATIENCE)
                assert process.returncode == 0, wrong
                self.done.append(json.loads(said.removeprefix(f"{DECIDED}\n")))
        finally:
            for process in self._processes:
                process.kill()
                process.communicate()

    def one_is_idle(self) -> bool:
        """True while one of them has decided nothing."""
        for process in list(self._idle):
            assert process.stdout is not None
            if waiting.select([process.stdout], [], [], 0)[0]:
                assert self._line(process) == DECIDED
                self._idle.remove(process)
        return bool(self._idle)

    def _line(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()


class Tables:
    """Many small games, and what is written to the service about them."""

    def __init__(self, root: Path, games: int) -> None:
        self.desk = desk_of(root, "the test")
        self.games = [self._new(number) for number in range(games)]
        self.wrote = self.looked = 0

    def _new(self, number: int) -> str:
        people = [Person(name, f"{name.lower()}{number}@players.example") for name in ("Ann", "Bob", "Cat")]
        return new_game(self.desk, Terms("toy", "one"), people)

    def ask_all(self) -> None:
        """In every game, at once: the answer of the player who is asked, the same mail again, another answer of his
        from another address, and questions of the others."""
        for name in self.games:
            with self.desk.sitting() as sitting:
                row = sitting.session.get(GameRow, name)
                assert row is not None
                game = self.desk.games.get(sitting.session, row).game
                if game.finished:
                    continue
                asked = game.asked()[0].player
                seats = sitting.session.exec(select(SeatRow).where(SeatRow.game == name)).all()
                where = {seat.player: secret_address(self.desk, seat, token_for(sitting, seat, row.at))
                         for seat in seats}  # fmt: skip
                own = {seat.player: seat.address for seat in seats}
            right, other = ("pass", "open P 10") if len(game.orders) == 0 else ("redeem 1", "pay none; done")
            if len(game.orders) and game.asked()[0].actor == asked:
                right, other = "pass", "bid 20"
            self._write(own[asked], where[asked], right, f"<{self.wrote}.a@x.example>")
            self._write(own[asked], where[asked], right, f"<{self.wrote - 1}.a@x.example>")
            self._write(f"other.{own[asked]}", where[asked], other)
            for player, address in own.items():
                if player != asked:
                    self._write(address, where[player], "show map")

    def look_all(self) -> None:
        """In every game each player asks for the map: a mail that a service can decide alone."""
        for name in self.games:
            with self.desk.sitting() as sitting:
                row = sitting.session.get_one(GameRow, name)
                seats = sitting.session.exec(select(SeatRow).where(SeatRow.game == name)).all()
                written = [(seat.address, secret_address(self.desk, seat, token_for(sitting, seat, row.at)))
                           for seat in seats]  # fmt: skip
            for address, to in written:
                self._write(address, to, "show map")
        self.looked += len(self.games) * 3

    def _write(self, sender: str, to: str, text: str, message_id: str = "") -> None:
        content = mail(text, sender=sender, to=to, message_id=message_id)
        deliver(self.desk.settings.mail_folder, to, content, sender)
        self.wrote += 1

    def until_decided(self) -> None:
        until = time.monotonic() + _PATIENCE
        while True:
            with self.desk.database.reading() as session:
                decided = session.exec(select(func.count()).where(col(MailRow.outcome).is_not(None))).one()
                queued = session.exec(select(func.count()).where(OutboxRow.state == "queued")).one()
            if decided == self.wrote and not queued:
                return
            assert time.monotonic() < until, f"{decided} of {self.wrote} mails are decided, {queued} wait to be sent"
            time.sleep(0.02)


@pytest.mark.fault(90)
@pytest.mark.parametrize("games", sampled((3, 10), (3,)))
def test_90_two_services_share_the_work_and_double_none(
    tmp_path: Path, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    tables = Tables(tmp_path, games)
    desk = tables.desk
    with Services(tmp_path, 2) as both:
        for _ in range(_DECISIONS):
            tables.ask_all()
            tables.until_decided()
        until = time.monotonic() + _PATIENCE
        while both.one_is_idle():  # the machine has given it no time yet: it gets more mails to decide
            assert time.monotonic() < until, "one of them does nothing"
            tables.look_all()
            tables.until_decided()
    done = both.done
    with desk.database.reading() as session:
        mails = session.exec(select(MailRow)).all()
        entries = session.exec(select(EntryRow)).all()
        outbox = session.exec(select(OutboxRow)).all()
        rows = session.exec(select(GameRow)).all()
    assert not [one["complaints"] for one in done if one["complaints"]]
    assert sum(one["decided"] for one in done) == len(mails) == tables.wrote
    asked = tables.wrote - tables.looked
    assert asked >= 20 * games
    assert sum(one["sent"] for one in done) == len(outbox)
    assert min(one["decided"] for one in done) > 0, "one of them did nothing: this test has shown nothing"
    outcomes = Counter(row.outcome for row in mails)
    assert outcomes["duplicate"] == asked // 5
    assert set(outcomes) <= {"applied", "duplicate", "shown", "stale", "refused", "held", "unconfirmed"}, outcomes
    answers = Counter(row.answers for row in outbox if row.answers is not None)
    assert answers == Counter(row.id for row in mails if row.outcome != "duplicate"), "one answer to each"
    assert {row.mail for row in entries} == {row.id for row in mails if row.outcome == "applied"}
    for game in rows:
        own = sorted(row.at for row in entries if row.game == game.id)
        assert own == list(range(1, game.at)), "each decision was made once"
    lying = [path for path in desk.settings.mail_folder.glob("*/new/*") if "railpost@" not in str(path)]
    assert len(lying) == len(outbox), "each mail went out once"
    desk.database.close()


@pytest.mark.fault(90)
def test_90_one_service_at_a_time_looks_into_a_mailbox(tmp_path: Path) -> None:
    one, other = desk_of(tmp_path, "one"), desk_of(tmp_path, "other")
    span = timedelta(seconds=60)
    assert take_lease(one, "mailbox", span)
    assert take_lease(one, "mailbox", span), "its own lease is made longer"
    assert not take_lease(other, "mailbox", span)
    assert take_lease(other, "another mailbox", span)
    give_lease_back(other, "mailbox")
    assert not take_lease(other, "mailbox", span), "nobody gives back what is not his"
    give_lease_back(one, "mailbox")
    assert take_lease(other, "mailbox", span)


@pytest.mark.fault(90)
def test_90_a_lease_that_has_run_out_is_anybodys(tmp_path: Path) -> None:
    one, other = desk_of(tmp_path, "one"), desk_of(tmp_path, "other")
    assert take_lease(one, "mailbox", timedelta(seconds=-1))
    assert take_lease(other, "mailbox", timedelta(seconds=60))
    assert not take_lease(one, "mailbox", timedelta(seconds=60))


@pytest.mark.fault(90)
def test_90_a_lease_of_a_clock_that_is_ahead_lasts_unless_it_is_far_ahead(tmp_path: Path) -> None:
    one, other = desk_of(tmp_path, "one"), desk_of(tmp_path, "other")
    assert take_lease(one, "mailbox", timedelta(seconds=60 + 15)), "taken for 60 seconds, 15 ahead"
    assert not take_lease(other, "mailbox", timedelta(seconds=60))
    assert take_lease(one, "mailbox", timedelta(days=365))
    assert take_lease(other, "mailbox", timedelta(seconds=60))


class Slow:
    """An outlet so slow that leases run out, while another service sends what it finds free."""

    def __init__(self, desk: Desk, other: Desk) -> None:
        self.desk, self.other = desk, other
        self.sent: list[str] = []

    def send(self, letter: Any) -> None:
        self.sent.append(letter.message_id)
        if len(self.sent) > 1:
            return
        with self.desk.database.transaction() as session:
            for row in session.exec(select(OutboxRow)).all():
                if row.message_id != letter.message_id and row.lease_until is not None:
                    row.lease_until -= timedelta(hours=1)
        send_due(self.other, self, print)


def test_what_another_service_has_taken_over_is_not_sent_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    one, other = desk_of(tmp_path, "one"), desk_of(tmp_path, "other")
    new_game(one, Terms("toy", "one"), [Person(n, f"{n.lower()}@players.example") for n in ("Ann", "Bob", "Cat")])
    slow = Slow(one, other)
    send_due(one, slow, print)
    assert len(slow.sent) == len(set(slow.sent)) == 4
