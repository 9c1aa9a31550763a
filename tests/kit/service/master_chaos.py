"""A game of robots in which game masters and the table say whatever they may, while services are killed, started anew,
set back to copies and upgraded. After each step all that is stored leads to what was told."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlmodel import col, select

from engine import Game
from engine.robots import sensible
from moderator.adapters.revisions import MIGRATIONS
from moderator.adapters.tables import (
    DeadlineRow,
    EntryRow,
    GameRow,
    MailRow,
    MotionRow,
    OutboxRow,
    SeatRow,
    SeatToken,
    VoiceRow,
)  # fmt: skip
from moderator.domain.records.record import read_record, replay_record
from moderator.service.decision.motions import end_lapsed
from moderator.service.operation.backup import backup
from moderator.service.operation.releases import open_outbox
from moderator.service.operation.restoration import close_copy, go_on, put_in_place, read_copy
from moderator.service.operation.verification import replay_all
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.journal.export import export_record
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.masters.master import add_master_in, end, name_master
from moderator.service.play.new_games import Person
from moderator.service.table.game_master import Office, offices_of
from moderator.service.table.seats import secret_address, token_for
from moderator.service.table.table import lock_table
from tests.kit.properties import of_position
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.sudden_death import Killed, death_at

SERVER = "mx.example.org"
MAX, EVE = "max@master.example", "eve@unproved.example"
"""Max writes with proof. Of Eve our server never has any: she is asked for her own yes."""
PLAYERS = ("Ann", "Bob", "Cat")
FIRST_SEEDS = {"1861": 100, "1844": 200, "1841": 300, "1863": 400, "1867": 500}
"""The first seed of each title in long proofs: no two titles play with the same ones."""
SECRET = re.compile(r"(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])")


class Chaos:
    """One game of ``title``. ``seen`` counts what happened."""

    def __init__(self, root: Path, title: str, seed: int) -> None:
        self.root, self.chance, self.seen = root, random.Random(seed), Counter[str]()
        self.service = self._under(Service.open(root / "var"))
        self.game = self.service.ready_game(title, PLAYERS, deadline_hours=72)
        name_master(self.service.desk, self.game, Person("Max", MAX))
        with self.service.desk.sitting() as sitting:
            add_master_in(sitting, self.game, Person("Eve", EVE))
        self.numbers, self.read, self.copies = 0, 0, 0
        for ask in self.position().asked():
            if ask.sealed:
                self.service.say(str(ask.player), "bids none" if ask.player != "Ann" else "bids 41 on Bayard")
        with self.service.desk.sitting() as sitting:
            table = lock_table(sitting, self.game)
            for seat in table.seats:
                set_caretaker(table, seat, "robot")
        self.service.desk.games.forget_all()
        self.service.run()

    def _under(self, service: Service) -> Service:
        (self.root / "var").mkdir(parents=True, exist_ok=True)
        settings = service.desk.settings.model_copy(update={"authserv_id": SERVER, "press_per_day": 1_000})
        return replace(service, desk=replace(service.desk, settings=settings))

    def position(self) -> Game:
        return self.service.position(self.game)

    # ---- what happens

    def step(self) -> None:
        """Robots move, somebody says something, perhaps while the service is killed; then all is looked at."""
        for _ in range(self.chance.randint(1, 12)):
            self.service.clock.pass_by(minutes=1)
            sweep_deadlines(self.service.desk)
        act = self.chance.choice(self.acts())
        try:
            if self.chance.random() < 0.4:
                with death_at(self.chance.randrange(1, 5), self.chance.choice(("before", "after"))):
                    act()
            else:
                act()
        except Killed:
            self.seen["kills"] += 1
            self.again()
        if self.chance.random() < 0.1:
            self.again()
        self.service.run()
        self.look()

    def play(self, steps: int) -> None:
        """Play ``steps`` steps, with a copy and an upgrade at random points, and judge the end."""
        back, up = self.chance.randrange(steps), self.chance.randrange(steps)
        for number in range(steps):
            if self.position().finished:
                break
            self.step()
            if number == back:
                self.go_back()
            if number == up:
                self.upgrade()
        self.verdict()

    def acts(self) -> tuple[Callable[[], None], ...]:
        """The things of which one happens in a step."""
        return (self.master_says, self.master_says, self.eve_asks, self.table_votes)

    def again(self) -> None:
        """The service starts anew on what is stored."""
        old = self.service
        again = self._under(old.again())
        again.complaints = old.complaints
        self.service = again
        again.clock.pass_by(minutes=30)  # what the old one had begun to decide is free again
        self.seen["starts"] += 1

    def go_back(self) -> None:
        """Make a copy, play on, and go back to it. Motions lapse, and secret addresses are new."""
        self.copies += 1
        copy, desk = self.root / f"{self.copies}.db", self.service.desk
        backup(desk, copy)
        log = self.orders()
        for _ in range(3):
            self.master_says()
        found = read_copy(copy)
        try:
            replaced = put_in_place(desk, found, copy, ())
        finally:
            close_copy(found)
        go_on(desk, replaced)
        open_outbox(desk)
        self.again()
        assert self.orders()[: len(log)] == log
        self.service.run()
        offices = [one.token for one in self.offices()]
        assert all(offices), "a game master does not know where to write"
        with self.service.session() as session:
            assert not session.exec(select(MotionRow).where(MotionRow.state == "open")).all()
        self.service.run()
        self.read = 0
        self.seen["restores"] += 1
        self.look()

    def upgrade(self) -> None:
        """The tables are those of the program before game masters wrote mails, and are upgraded."""
        self.count_motions()  # the older program has no table for them
        log, config = self.orders(), Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.service.desk.database.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0017")
        self.again()
        assert self.orders() == log
        name_master(self.service.desk, self.game, Person("Zoe", "zoe@master.example"))
        name_master(self.service.desk, self.game, Person("Max", MAX))
        with self.service.desk.sitting() as sitting:
            add_master_in(sitting, self.game, Person("Eve", EVE))
        self.service.run()
        self.seen["upgrades"] += 1
        self.look()

    # ---- what is said

    def words(self) -> str:
        """A word of a game master, or two; it need not fit."""
        orders, chance = len(self.position().orders), self.chance
        number = max(0, orders - chance.choice((1, 3, 10)))
        seat, other = chance.sample(PLAYERS, 2)
        hours = chance.choice((24, 48))
        said = chance.choice(
            (
                f"undo to {number}", f"undo to {number} through {min(orders, number + 2)}", f"undo to {number} whole",
                "redo", f"extend {hours} hours", "pause", "resume", "resume", f"robot {seat} on", f"robot {seat} off",
                "clock late=default", f"say: good evening {hours}", f"answer {seat}: you may", "show log",
                f"correct pay {chance.randint(1, 40)} from {seat} to {other}",
                f"correct pay {chance.randint(1, 40)} from bank to {seat}", self.entry(), self.entry(),
            )
        )  # fmt: skip
        return f"reason: it was so\n{said}" + ("\nshow clock" if chance.random() < 0.1 else "")

    def entry(self) -> str:
        """Orders that somebody gave by telephone: what a robot would do, or nonsense."""
        asked = [ask for ask in self.position().asked() if not ask.sealed]
        if not asked or self.chance.random() < 0.2:
            return f"enter Ann: {self.chance.choice(('pass', 'nonsense', 'withdraw all'))}"
        ask = self.chance.choice(asked)
        with self.service.session() as session:
            live = self.service.desk.games.get(session, session.get_one(GameRow, self.game))
        return f"enter {ask.player}:\n{live.write_order(sensible(live.game, ask))}\nend enter"

    def send(self, text: str, sender: str, to: str, *, proof: bool) -> None:
        self.numbers += 1
        at = f"Sun, 01 Mar 2026 {self.numbers // 3600:02}:{self.numbers // 60 % 60:02}:{self.numbers % 60:02} +0000"
        content = mail(text, sender=sender, to=to, date=at)
        if proof:
            head = f"Authentication-Results: {SERVER}; dmarc=pass header.from={sender.rpartition('@')[2]}\r\n"
            content = f"{head}Received: from x by {SERVER}; x\r\n".encode() + content
        self.service.send(content, to, sender)
        if self.chance.random() < 0.2:  # it comes twice
            self.service.send(content, to, sender)
        self.service.run()

    def office(self, address: str) -> str:
        """Where the words of a game master go."""
        office = next(one for one in self.offices() if one.address == address)
        return f"railpost+{self.game}.master.{office.token}@example.org"

    def offices(self) -> tuple[Office, ...]:
        with self.service.session() as session:
            return offices_of(session.get_one(GameRow, self.game))

    def master_says(self) -> None:
        text = self.words()
        self.seen[text.split("\n")[1].split()[0]] += 1
        self.send(text, MAX, self.office(MAX), proof=True)

    def eve_asks(self) -> None:
        """She is asked whether it was she, and answers at once, later, twice or never."""
        self.send(self.words(), EVE, self.office(EVE), proof=False)
        for _ in range(self.chance.randrange(3)):
            sweep_deadlines(self.service.desk)
        with self.service.session() as session:
            wanted = select(VoiceRow.token).join(MotionRow).where(VoiceRow.token != "", MotionRow.state == "open")
            tokens = list(session.exec(wanted).all())
        for token in tokens[: self.chance.randrange(3)]:
            said = self.chance.choice(("yes", "yes", "no", "perhaps"))
            self.send(said, EVE, f"railpost+motion.{token}@example.org", proof=False)
            self.seen[f"consent {said}"] += 1
        if self.chance.random() < 0.1:
            self.service.clock.pass_by(hours=80)
            end_lapsed(self.service.desk)

    def table_votes(self) -> None:
        """A player proposes something, and perhaps all agree."""
        orders = len(self.position().orders)
        seat = self.chance.choice(PLAYERS)
        said = self.chance.choice(
            (
                "pause",
                "resume",
                "extend 24 hours",
                f"undo to {max(0, orders - 2)}",
                "redo",
                f"robot {seat} on",
                f"option hours {self.chance.randrange(50, 100)}",
            )
        )
        for player, text in ((seat, f"propose {said} because of the weather"), *((one, "vote yes") for one in PLAYERS)):
            if player == seat or self.chance.random() < 0.8:
                self.send(text, f"{player.lower()}@players.example", self._seat(player), proof=False)
        self.seen["votes"] += 1

    def _seat(self, player: str) -> str:
        with self.service.desk.sitting() as sitting:
            row = sitting.session.get_one(GameRow, self.game)
            wanted = select(SeatRow).where(SeatRow.game == self.game, SeatRow.player == player)
            seat = sitting.session.exec(wanted).one()
            return secret_address(self.service.desk, seat, token_for(sitting, seat, row.at))

    # ---- what must hold

    def orders(self) -> list[str]:
        return self.service.log(self.game)

    def look(self) -> None:
        """The log leads to the stored digests and to the position in memory, which adds up; clocks and mails are as
        they must be."""
        desk, now = self.service.desk, self.position()
        faults = [found.fault for found in replay_all(desk.database, desk.games)]
        assert faults == [""], faults
        found = rebuild(desk, self.game)
        assert found is not None and not found.differs, found
        of_position.hold(now, None)
        with self.service.session() as session:
            row = session.get_one(GameRow, self.game)
            running = select(DeadlineRow).where(DeadlineRow.game == self.game, DeadlineRow.state != "met")
            due = session.exec(running).all()
            mails = session.exec(select(MailRow.outcome, MailRow.detail)).all()
            entries = session.exec(select(EntryRow.at).where(EntryRow.game == self.game)).all()
        assert len(entries) == len(set(entries))
        assert not [one for one in mails if one[0] in (None, "error")], mails
        assert not self.service.complaints, self.service.complaints
        owing = Counter(one.player for one in due)
        assert all(count == 1 for count in owing.values()), owing
        asked = {str(ask.player) for ask in now.asked()} if not row.over else set()
        assert row.over or set(owing) == asked, (owing, asked)
        self.look_at_mails()

    def look_at_mails(self) -> None:
        """No mail shows a secret address of somebody else."""
        with self.service.session() as session:
            seats = {seat.id: seat.address for seat in session.exec(select(SeatRow)).all()}
            owner = {token.token: seats[token.seat] for token in session.exec(select(SeatToken)).all()}
            owner |= {one.token: one.voter for one in session.exec(select(VoiceRow)).all() if one.token}
            owner |= {one.token: one.address for one in offices_of(session.get_one(GameRow, self.game)) if one.token}
            rows = session.exec(select(OutboxRow).where(col(OutboxRow.id) > self.read)).all()
        for row in rows:
            self.read = max(self.read, row.id or 0)
            for word in SECRET.findall(f"{row.reply_to} {row.text} {row.html} {row.headers}"):
                assert owner.get(word, row.recipient) == row.recipient, f"a secret of {owner[word]} to {row.recipient}"

    def verdict(self) -> None:
        """At the end the exported record replays to the position. It has the seed, for some titles draw lots."""
        if not self.position().finished:
            end(self.service.desk, self.game, "the proof is over")
        text = export_record(self.service.desk, self.game)
        assert text is not None
        assert replay_record(read_record(text)).told_digest() == self.position().told_digest()
        self.count_motions()

    def count_motions(self) -> None:
        with self.service.session() as session:
            for row in session.exec(select(MotionRow)).all():
                self.seen[f"motion {row.state}"] += 1
                assert row.due_at - row.created_at <= timedelta(days=7)


def masters_speak(root: Path, title: str, seed: int, steps: int) -> Counter[str]:
    """Play ``steps`` steps. Returns what was seen."""
    chaos = Chaos(root, title, seed)
    chaos.play(steps)
    return chaos.seen
