"""Clocks, absences, caretakers and pauses while services are killed, clocks are set, and copies are restored.

No order is lost or carried out twice, no deadline is lost, doubled or early, no clock takes time from anybody, all
positions add up and replay to what was told, and no mail shows a secret of somebody else. ``PROOF_DAYS`` in the
environment is the number of days.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlmodel import col, select

from moderator.adapters.revisions import MIGRATIONS, known_revisions
from moderator.adapters.tables import DeadlineRow, EntryRow, GameRow, MailRow, OutboxRow, SeatRow, SeatToken
from moderator.service.decision.resumption import resume
from moderator.service.operation import supervision
from moderator.service.operation.backup import backup
from moderator.service.operation.releases import open_outbox
from moderator.service.operation.restoration import close_copy, go_on, put_in_place, read_copy
from moderator.service.operation.verification import replay_all
from moderator.service.play.masters import pauses
from tests.kit.properties.of_position import hold
from tests.kit.service.mail_service import Service
from tests.kit.service.older_tables import with_one_more_migration
from tests.kit.service.shop import Shop
from tests.kit.service.sudden_death import PLACES, Killed, death_at
from tests.proofs.test_long_tables import PLAYERS, STEP, TERMS, ZONES, Table, say

pytestmark = pytest.mark.prove
DAYS = int(os.environ.get("PROOF_DAYS", "60"))
HOURS = 72
SECRET = re.compile(r"(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])")
JUMPS = (timedelta(hours=1), timedelta(hours=7), timedelta(days=1), timedelta(days=3), timedelta(hours=-1))


class World:
    """A service with its rounds, one game, and what must hold of both whatever happens."""

    def __init__(self, root: Path, seed: int, clock: list[tuple[str, str]], hours: int = HOURS) -> None:
        self.root, self.chance = root, random.Random(seed)
        self.shop = Shop(Service.open(root / "var"))
        self.game = self.shop.service.game(deadline_hours=hours, clock=clock)
        self.table = Table(self.shop.service, self.game, self.chance)
        terms = dict(clock)
        self.least = min(int(terms.get(term, hours)) for term in ("auction", "answer", "increment")) * 3_600
        """Seconds that every answer has."""
        self.running: dict[int, float] = {}
        """Deadline -> seconds that had passed when it was seen first."""
        self.seen: Counter[str] = Counter()
        self.read = 0

    # ---- what happens

    def again(self) -> None:
        """The service starts anew on the same machine."""
        shop, old = self.shop, self.shop.service
        service = old.again()
        service.clock = old.clock
        object.__setattr__(service.desk, "clock", old.clock)
        self.shop = Shop(service, shop.meter)
        self.table.service = service
        self.seen["starts"] += 1

    def do(self, act: str) -> None:
        """``pass`` some hours, or ``act`` at the table; perhaps the service is killed meanwhile, once or twice."""
        for _ in range(3):
            try:
                if self.chance.random() < 0.4:
                    usual = self.chance.random() < 0.1
                    number = self.chance.randrange(1, 12 if usual else 4)
                    with death_at(number, self.chance.choice(("before", "after")), usual=usual):
                        self._do(act)
                else:
                    self._do(act)
                return
            except Killed:
                self.seen["kills"] += 1
                self.again()
                act = "pass"

    def _do(self, act: str) -> None:
        if act == "pass":
            self.shop.pass_by(seconds=(STEP * self.chance.randrange(1, 4)).total_seconds())
        else:
            self.table.act()

    def jump(self) -> None:
        """The clock is set. No deadline ends until it is right again, or the operator accepts it; then nobody who was
        asked before has less time left than he had."""
        by = self.chance.choice(JUMPS)
        self.seen[f"jump by {by}"] += 1
        before, left, then = self.deadlines(), self.left(), self.shop.meter.seconds()
        self.shop.meter.jump(seconds=by.total_seconds())
        for _ in range(self.chance.randrange(1, 4)):
            self.shop.round.sweep()
            self.shop.pass_by(minutes=20)
        assert "clock" in self.shop.round.watch.frozen()
        for number, (_, state, _) in self.deadlines().items():
            assert state != "overdue" or before.get(number, ("", "overdue"))[1] == "overdue", "late by a wrong clock"
        if self.chance.random() < 0.5:
            self.shop.meter.jump(seconds=-by.total_seconds())
            self.seen["right again"] += 1
        else:
            supervision.accept_clock(self.shop.service.desk)
        self.shop.round.sweep()
        self.shop.round.sweep()
        assert "clock" not in self.shop.round.watch.frozen()
        passed = timedelta(seconds=self.shop.meter.seconds() - then)
        for number, remains in self.left().items():
            if number in left and not self.shop.service.seat(self.game, before[number][0]).caretaker:
                assert remains >= left[number] - passed, "the clock has taken time from somebody"

    def go_back(self, copy: Path) -> None:
        """Make a copy, play on for a while, and go back to it. The log is that of the copy."""
        desk = self.shop.service.desk
        backup(desk, copy)
        log = [line for line in self.shop.service.log(self.game) if ": " in line]
        for _ in range(self.chance.randrange(1, 5)):
            self._do("act")
            self._do("pass")
        found = read_copy(copy)
        try:
            replaced = put_in_place(desk, found, copy, ())
        finally:
            close_copy(found)
        go_on(desk, replaced)
        self.shop.start()
        self.shop.round.sweep()
        open_outbox(desk)
        self.shop.round.sweep()
        after = [line for line in self.shop.service.log(self.game) if ": " in line]
        assert after[: len(log)] == log, "an order of the copy is lost"
        self.running.clear()
        self.read = 0
        self.seen["restores"] += 1

    # ---- what must hold

    def left(self) -> dict[int, timedelta]:
        """The time left for each answer that is not late; none while the game is paused: all are asked anew then."""
        now = self.shop.service.clock.moment
        with self.shop.service.desk.database.reading() as session:
            if session.get_one(GameRow, self.game).waits:
                return {}
            rows = session.exec(
                select(DeadlineRow).where(DeadlineRow.game == self.game, DeadlineRow.state == "open")
            ).all()
            return {row.id or 0: row.due_at - now for row in rows}

    def deadlines(self) -> dict[int, tuple[str, str, object]]:
        with self.shop.service.desk.database.reading() as session:
            rows = session.exec(select(DeadlineRow).where(DeadlineRow.game == self.game)).all()
            return {row.id or 0: (row.player, row.state, row.due_at) for row in rows}

    def look(self) -> None:
        """After a sweep: the table as it must be, and no deadline that was early by the time that has passed."""
        self.shop.round.sweep()
        self.table.look()
        now = self.shop.meter.seconds()
        for number, (player, state, _) in self.deadlines().items():
            begun = self.running.setdefault(number, now)
            if state == "overdue" and begun != now:  # it was seen first within some hours
                assert now - begun >= self.least - 5 * STEP.total_seconds(), f"{player} is late too early"
        with self.shop.service.desk.database.reading() as session:
            row = session.get_one(GameRow, self.game)
            hold(self.shop.service.desk.games.get(session, row).game, None)
        self.look_at_mails()

    def look_at_mails(self) -> None:
        """Each mail of a player has one outcome and one answer, and no mail shows a secret of another seat."""
        with self.shop.service.desk.database.reading() as session:
            seats = {seat.id: (seat.game, seat.player) for seat in session.exec(select(SeatRow)).all()}
            owner = {token.token: seats[token.seat] for token in session.exec(select(SeatToken)).all()}
            rows = session.exec(select(OutboxRow).where(col(OutboxRow.id) > self.read)).all()
        for row in rows:
            self.read = max(self.read, row.id or 0)
            for word in SECRET.findall(f"{row.reply_to} {row.text} {row.html} {row.headers}"):
                assert owner.get(word, (row.game, row.player)) == (row.game, row.player), f"a secret of {owner[word]}"

    def verdict(self) -> None:
        """At the end: nothing is lost or doubled."""
        self.shop.pass_by(hours=6)
        desk = self.shop.service.desk
        with desk.database.reading() as session:
            mails = session.exec(select(MailRow)).all()
            entries = Counter(
                session.exec(select(EntryRow.mail).where(EntryRow.kind == "order", EntryRow.origin == "mail")).all()
            )
            answers = Counter(session.exec(select(OutboxRow.answers)).all())
            unsent = session.exec(select(OutboxRow).where(OutboxRow.state == "queued")).all()
            texts = session.exec(select(EntryRow.at, EntryRow.kind, EntryRow.text)).all()
        assert len({one.content for one in mails}) == len(mails), "a mail was taken in twice"
        assert not unsent and not [one for one in mails if one.outcome in (None, "error")]
        assert len({at for at, _, _ in texts}) == len(texts)
        for one in mails:
            lines = len([line for line in one.content.decode().split("\r\n\r\n", 1)[-1].splitlines() if line.strip()])
            assert entries[one.id] <= lines, "an order was carried out twice"
            assert answers[one.id] >= 1, f"mail {one.id} ({one.outcome}) was never answered"
            if one.outcome == "applied":
                assert entries[one.id], f"mail {one.id} was applied, and the log has none of it"
        for replayed in replay_all(desk.database, desk.games):
            assert not replayed.fault, replayed
        assert not self.shop.service.complaints, self.shop.service.complaints[:3]


@pytest.mark.parametrize("seed", range(len(TERMS)))
def test_sixty_days_of_kills_jumps_and_copies(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    world = World(tmp_path, seed, [("zone", ZONES[seed]), *TERMS[seed]])
    begun, copies = world.shop.meter.seconds(), 0
    while world.shop.meter.seconds() - begun < DAYS * 86_400 and not world.shop.service.position(world.game).finished:
        world.do("pass")
        world.look()
        if world.chance.random() < 0.6:
            world.do("act")
            world.look()
        if world.chance.random() < 0.03:
            world.jump()
            world.look()
        if world.chance.random() < 0.01:
            copies += 1
            world.go_back(tmp_path / f"{copies}.db")
            world.look()
    world.verdict()
    with capsys.disabled():
        print(f"\n{TERMS[seed]}: {dict(world.seen)}, {dict(world.table.seen)}")  # noqa: T201
        print(f"killed at {len(PLACES)} places: {dict(PLACES.most_common())}")  # noqa: T201
    assert world.seen["kills"] and world.table.seen["answer"]


def make_sixteen(service: Service) -> None:
    """The database as the program before clocks and people has left it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with service.desk.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0016")
    with service.desk.database.engine.begin() as connection:
        connection.execute(text("UPDATE deadline SET remind_at = NULL"))  # it had none but for sealed orders


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    known_revisions.cache_clear()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("revision", ["0016", "0017"])
def test_an_upgrade_while_clocks_run(
    tmp_path: Path, known: pytest.MonkeyPatch, revision: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that was begun by an older program goes on with its deadlines, late answers, absences and pauses."""
    world = World(tmp_path, seed, [] if revision == "0016" else [("zone", ZONES[seed]), *TERMS[seed]])
    for _ in range(30):
        world.do("pass")
        if revision == "0017":
            world.do("act")
        elif world.chance.random() < 0.4:
            say(world.shop.service, world.game, world.chance.choice(PLAYERS), "pass")
        world.look()
    for _ in range(20 * (seed % 2)):  # somebody becomes late
        world.do("pass")
        world.look()
    if seed > 1:
        with suppress(ValueError):  # if it is paused already
            pauses.pause(world.shop.service.desk, world.game, "an upgrade")
    world.look()
    before, log = world.deadlines(), world.shop.service.log(world.game)
    if revision == "0016":
        make_sixteen(world.shop.service)
    else:
        with_one_more_migration(tmp_path, known)
    world.again()
    assert world.deadlines() == before and world.shop.service.log(world.game) == log
    if seed > 1:
        resume(world.shop.service.desk, world.game)
    told, late = len(world.shop.told()), [one for one in world.deadlines().values() if one[1] == "overdue"]
    if late and revision == "0016":
        world.shop.pass_by(hours=world.shop.service.desk.settings.late_again_hours + 3)
        assert len(world.shop.told()) > told, "who is late since before the upgrade is not told again"
    for _ in range(40):
        world.do("pass")
        world.do("act")
        world.look()
    world.verdict()
    states = Counter(state for _, state, _ in before.values())
    with capsys.disabled():
        print(f"\nfrom {revision}: {dict(states)}, then {dict(world.seen)}, {dict(world.table.seen)}")  # noqa: T201
