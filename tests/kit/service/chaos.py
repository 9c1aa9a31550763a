"""Robots' games by mail while everything goes wrong: services are killed, servers fail, mails come twice and late.

Each service is `railpost run` in a process of its own; between it and Postfix and Dovecot are fault proxies. Players'
mails are put into its mailbox as the server would, and theirs are read where the server put them.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from engine.core.ids import PlayerId
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.tables import ContentKey, EntryRow, MailRow, OutboxRow, SeatRow, SeatToken
from moderator.domain.ports import SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.settings import Settings
from tests.kit.fault_proxy import FaultProxy
from tests.kit.mail_system import PASSWORD, MailSystem
from tests.kit.mail_system.dovecot import NOBODY
from tests.kit.mail_system.service import configuration
from tests.kit.service.load import PLAYERS, Script

_PATIENCE = 180.0
_AT_ONCE = 40
"""So many mails at most wait until they are decided."""
_LIFE = 3.0, 17.0
"""Seconds that a service lives: sometimes less than the leases of the one before it, mostly longer."""
_CARRIED_OUT = "carried out"


@dataclass
class Seat:
    """A player's mailbox, and what he got: In-Reply-To, kind, subject and where answers go, by Message-ID."""

    address: str
    folder: Path
    letters: dict[str, tuple[str, str, str, str]] = field(default_factory=dict)
    subjects: dict[str, str] = field(default_factory=dict)
    """In-Reply-To -> subject of the first answer."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Token -> the address to answer to that has it."""
    again: int = 0
    """Mails that came once more, with the same Message-ID."""

    def look(self) -> list[str]:
        """Read what is new, and take it out of the mailbox: looking again shall cost nothing. What was answered."""
        folder = self.folder / "new"
        answered = []
        for entry in list(os.scandir(folder)) if folder.is_dir() else ():
            answered.append(self._read(Path(entry.path).read_bytes()))
            Path(entry.path).unlink()
        return [name for name in answered if name]

    def _read(self, content: bytes) -> str:
        message = message_from_bytes(content, policy=default)
        name = str(message["Message-ID"]).strip()
        self.again += name in self.letters
        found = re.search(r"[^\s<>]+@[^\s<>]+", str(message["Reply-To"] or ""))
        kind = (str(message["X-Railpost"] or "").split() or [""])[-1]
        answers, subject, to = (
            str(message["In-Reply-To"] or "").strip(),
            str(message["Subject"]),
            found[0] if found else "",
        )
        self.letters[name] = answers, kind, subject, to
        self.subjects.setdefault(answers, subject)
        self.tokens[to.partition("@")[0].rpartition(".")[2]] = to
        return answers


@dataclass
class Table:
    """A game, and how far its script has come."""

    name: str
    script: Script
    seats: dict[PlayerId, Seat]
    step: int = 0
    asked: str = ""
    """Message-ID of the answer that is under way."""
    old: list[tuple[PlayerId, str, str]] = field(default_factory=list)


class Chaos:
    """``play`` runs it, ``verdict`` says what is wrong with what came of it (nothing, if all is well)."""

    services = 1
    """So many share the database."""

    def __init__(self, system: MailSystem, root: Path, seed: int, scripts: list[Script], mailbox: str) -> None:
        self.system, self.root, self.seed, self.chance = system, root, seed, random.Random(seed)
        self.imap = FaultProxy(system.imap, "imap", seed, 0.9)
        self.smtp = FaultProxy(system.smtp, "smtp", seed, 0.9, never=0.05)
        self.values: dict[str, Any] = {
            "data": root, "domain": "example.org", "mailbox": mailbox, "mail_since": "all", "poll_seconds": 1.0,
            "pictures": False,
            "imap_host": "127.0.0.1", "imap_security": "none", "imap_user": f"{mailbox}@example.org",
            "imap_password_file": root / "password", "smtp_host": "127.0.0.1", "smtp_security": "none",
            "server_timeout": 2.0, "lease_seconds": 5, "answers_per_seat": 10**6, "answers_per_game": 10**6,
            "others_per_seat": 10**6,
            "same_text_answers": 10**6, "breaker_per_hour": 10**6, "bounces_allowed": 10**6, "most_attempts": 50,
        }  # fmt: skip
        root.mkdir(parents=True, exist_ok=True)
        (root / "password").write_text(PASSWORD)
        settings = Settings(**{k: v for k, v in self.values.items() if "password" not in k})
        if settings.database:
            self.values["database"] = settings.database
        self.database = Database(settings.database_url)
        self.database.upgrade()
        self.desk = Desk(settings, self.database, Games(default_titles, vocabulary, 2), render, SystemClock())
        self.tables = [self._table(number, script) for number, script in enumerate(scripts)]
        self.sent: dict[str, tuple[Seat, str]] = {}
        """Message-ID -> who wrote it, and what kind of mail it is."""
        self.answered: set[str] = set()
        self.later: list[tuple[float, bytes]] = []
        self.delivered = self.decided = self.kills = self.starts = self.given_up = 0
        self.told: dict[str, list[int]] = defaultdict(list)
        self.problems: list[str] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.command: tuple[str, ...] = (sys.executable, "-m", "moderator.entrypoints.cli")
        self.environment: dict[str, str] = {}

    def _table(self, number: int, script: Script) -> Table:
        prefix = f"{self.values['mailbox']}-{number}"
        addresses = {PlayerId(player): f"{player.lower()}.{prefix}@players.example" for player in PLAYERS}
        people = [Person(player, address) for player, address in addresses.items()]
        name = new_game(
            self.desk,
            Terms(script.title.name, script.title.edition, dict(script.title.options)),
            people,
            setup=script.setup,
        )
        seats = {player: Seat(address, self.system.maildir(address)) for player, address in addresses.items()}
        return Table(name, script, seats)

    # ---- the service

    def _start(self) -> None:
        """Start as many as are missing, whoever ended the others."""
        self.processes = [process for process in self.processes if process.poll() is None]
        command = [*self.command, "--config", str(self.root / "railpost.toml"), "run"]
        while len(self.processes) < self.services:
            with (self.root / "service.log").open("ab") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | self.environment)
            self.processes.append(process)
            self.starts += 1

    def _kill(self) -> None:
        """One of them, at any moment of its work. What it held is free when its leases have run out."""
        if self.processes:
            process = self.processes.pop(self.chance.randrange(len(self.processes)))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.kills += 1

    def _hurry(self) -> None:
        """Nobody waits minutes here until a mail is tried again; what was refused for good the operator sends again.
        While the services write all the time, this may have to wait."""
        self.decided = self._state()[0]
        with suppress(OperationalError), self.database.transaction() as session:
            waiting = select(OutboxRow).where(
                OutboxRow.state == "queued", OutboxRow.next_attempt > self.desk.clock.now()
            )
            for row in session.exec(waiting).all():
                row.next_attempt = self.desk.clock.now()
            given_up = select(OutboxRow).where(
                OutboxRow.state == "failed", col(OutboxRow.recipient).not_in(self.smtp.always)
            )
            for row in session.exec(given_up).all():
                self.given_up += 1
                if "5.1.1" not in row.error:
                    self.problems.append(f"given up without a refusal for good: {row.error}")
                row.state, row.error = "queued", ""

    # ---- playing

    def play(self, deliveries: int, kills: int) -> None:
        """Until there were so many of each; then until everything is through, without further faults."""
        with self.imap, self.smtp:
            self.values |= {"imap_port": self.imap.port, "smtp_port": self.smtp.port}
            (self.root / "railpost.toml").write_text(configuration(self.values))
            try:
                self._start()
                self._storm(deliveries, kills)
                self.imap.rate = self.smtp.rate = 0.0
                self._calm()
            finally:
                for process in self.processes:
                    process.kill()
                    process.wait()
                self.database.close()

    def _storm(self, deliveries: int, kills: int) -> None:
        death = hurry = time.monotonic()
        while self.delivered < deliveries or self.kills < kills:
            now = time.monotonic()
            if now >= death:
                if self.kills < kills:
                    self._kill()
                self._start()
                death = time.monotonic() + self.chance.uniform(*_LIFE)
            if now >= hurry:
                self._hurry()
                hurry = now + 1
            self._turn()
            if self.delivered < deliveries:
                self._disturb()
            time.sleep(0.02)

    def _calm(self) -> None:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            self._hurry()
            self._turn(new=False)
            if not self.later and self._idle() and not self._under_way():
                return
            time.sleep(0.1)
        self.problems.append(f"not everything came to an end: {self._state()}")

    def _idle(self) -> bool:
        decided, queued, unsent = self._state()
        return not queued and not unsent and decided >= self.delivered

    def _under_way(self) -> list[str]:
        """What was sent and has not reached its mailbox; the mail server takes its time."""
        seats = {seat.address: seat for table in self.tables for seat in table.seats.values()}
        with self.database.reading() as session:
            sent = session.exec(
                select(OutboxRow.kind, OutboxRow.message_id, OutboxRow.recipient).where(OutboxRow.state == "sent")
            ).all()
        return [
            f"{kind} {name} to {recipient}"
            for kind, name, recipient in sent
            if recipient in seats and name not in seats[recipient].letters
        ]

    def _state(self) -> tuple[int, int, int]:
        with self.database.reading() as session:
            decided = session.exec(select(func.count()).where(col(MailRow.outcome).is_not(None))).one()
            waiting = session.exec(select(func.count()).where(col(MailRow.outcome).is_(None))).one()
            unsent = session.exec(select(func.count()).where(OutboxRow.state == "queued")).one()
        return decided, waiting, unsent

    def _turn(self, *, new: bool = True) -> None:
        """Everybody looks into his mailbox, and answers what he is asked."""
        for table in self.tables:
            for seat in table.seats.values():
                self.answered.update(seat.look())
            self._follow(table)
            if new and not table.asked and table.step < len(table.script.steps):
                self._answer(table)
        now = time.monotonic()
        due = [content for when, content in self.later if when <= now]
        self.later = [one for one in self.later if one[0] > now]
        for content in due:
            self._deliver(content)

    def _follow(self, table: Table) -> None:
        """Whether the answer that is under way was told to be carried out."""
        if not table.asked or table.asked not in self.answered:
            return
        seat = self.sent[table.asked][0]
        subject = seat.subjects[table.asked]
        if _CARRIED_OUT in subject:
            self.told[table.name].append(table.step)
        else:
            self.problems.append(f"{table.name}, step {table.step}: {subject}")
        table.step, table.asked = table.step + 1, ""

    def _answer(self, table: Table) -> None:
        step = table.script.steps[table.step]
        seat = table.seats[step.player]
        to = self._address(table, step.player, step.before + 1)
        if not to:
            return  # the turn mail is on its way
        table.asked = self._write(seat, to, step.text, "orders")
        table.old.append((step.player, to, step.text))

    def _address(self, table: Table, player: PlayerId, at: int) -> str:
        """The address to which the question of decision ``at`` wants its answer, if he has been asked."""
        with self.database.reading() as session:
            made = (
                select(SeatToken.token)
                .join(SeatRow, col(SeatRow.id) == col(SeatToken.seat))
                .where(SeatRow.game == table.name, SeatRow.player == player, SeatToken.at == at)
            )
            came = table.seats[player].tokens
            return next((came[token] for token in session.exec(made) if token in came), "")

    def _disturb(self) -> None:
        """What else comes: questions, old orders once more, words of robots."""
        if len(self.later) + self.delivered - self.decided > _AT_ONCE:  # some old orders are never answered
            return
        table = self.chance.choice(self.tables)
        seat = self.chance.choice(list(table.seats.values()))
        to = next((letter[3] for letter in reversed(seat.letters.values()) if letter[3]), "")
        what = self.chance.random()
        if what < 0.6 and to:
            self._write(seat, to, self.chance.choice(("show map", "help", "show orders", "tokn K9")), "question")
        elif what < 0.9 and len(table.old) > 1:
            player, address, text = self.chance.choice(table.old[:-1])
            self._write(table.seats[player], address, text, "old orders")
        elif to:
            self._write(seat, to, "I am away until Monday.", "robot", {"Auto-Submitted": "auto-replied"})

    def _write(self, seat: Seat, to: str, text: str, what: str, headers: dict[str, str] | None = None) -> str:
        message = EmailMessage(policy=SMTP)
        name = f"<{len(self.sent)}.{self.seed}@players.example>"
        message["From"], message["To"], message["Subject"], message["Message-ID"] = seat.address, to, "Re: turn", name
        for key, value in (headers or {}).items():
            message[key] = value
        message.set_content(text + "\n")
        head = f"Return-Path: <{seat.address}>\r\nDelivered-To: {to}\r\n".encode()
        self.sent[name] = (seat, what)
        if what == "robot":
            self.answered.add(name)
        for _ in range(1 + (self.chance.random() < 0.25)):  # one in four comes twice, and each when it likes
            late = 0.0 if self.chance.random() < 0.5 else self.chance.uniform(0, 0.5)
            self.later.append((time.monotonic() + late, head + message.as_bytes()))
        return name

    def _deliver(self, content: bytes) -> None:
        """As Dovecot's own delivery does it."""
        folder = self.system.maildir(self.values["imap_user"])
        for part in (folder, folder / "tmp", folder / "new", folder / "cur"):
            if not part.is_dir():
                part.mkdir()
                os.chown(part, NOBODY, NOBODY)
        self.delivered += 1
        file = folder / "tmp" / f"{time.time():.6f}.c{self.delivered}.chaos"
        file.write_bytes(content)
        os.chown(file, NOBODY, NOBODY)
        file.rename(folder / "new" / file.name)

    # ---- what came of it

    def verdict(self) -> list[str]:
        wrong = list(self.problems)
        with self.database.reading() as session:
            for table in self.tables:
                steps = table.script.steps[: table.step]
                orders = steps[-1].before + steps[-1].orders if steps else 0
                own = select(EntryRow).where(EntryRow.game == table.name).order_by(col(EntryRow.at))
                log = [(row.player, row.text) for row in session.exec(own).all()]
                scripted = [entry[:2] for entry in table.script.entries[:orders]]
                if log != scripted or self.told[table.name] != list(range(table.step)):
                    wrong.append(f"{table.name}: {len(log)} orders recorded, {orders} told to be carried out")
            outbox = session.exec(select(OutboxRow)).all()
            outcomes = Counter(session.exec(select(MailRow.outcome)).all())
            said = session.exec(
                select(ContentKey.message_id)
                .join(MailRow, col(MailRow.id) == col(ContentKey.mail))
                .where(col(MailRow.outcome) == "stale", col(MailRow.detail).startswith("not answered any more"))
                .where(col(ContentKey.message_id).is_not(None))
            ).all()
        self.outcomes = {str(name): count for name, count in sorted(outcomes.items(), key=lambda one: -one[1])}
        usual = {"applied", "shown", "helped", "unreadable", "stale", "duplicate", "auto_reply", "game_over"}
        if stray := set(outcomes) - usual:
            wrong.append(f"outcomes that nothing here should have: {stray}")
        seats = {seat.address: seat for table in self.tables for seat in table.seats.values()}
        came = {address: Counter(letter[0] for letter in seat.letters.values()) for address, seat in seats.items()}
        for name, (seat, what) in self.sent.items():
            due = 0 if what == "robot" or name in said else 1  # old orders are answered once for each decision
            if came[seat.address][name] != due:
                wrong.append(f"{what} {name} of {seat.address}: {came[seat.address][name]} answers; {self._case(name)}")
        wrong += [f"never arrived: {lost}" for lost in self._under_way()]
        if self.given_up > len(self.smtp.refused):
            wrong.append(f"{self.given_up} mails given up, {len(self.smtp.refused)} refused for good")
        self.mails_out, self.said = len(outbox), len(said)
        self.again = sum(seat.again for seat in seats.values())
        self.database.close()
        return wrong

    def _case(self, name: str) -> str:
        """What the service knows of a player's mail."""
        found = []
        with self.database.reading() as session:
            for mail in session.exec(select(MailRow)).all():
                if name.encode() not in mail.content:
                    continue
                answers = session.exec(select(OutboxRow).where(OutboxRow.answers == mail.id)).all()
                keys = session.exec(select(ContentKey.message_id).where(ContentKey.mail == mail.id)).all()
                sent = [(a.id, a.kind, a.state, a.error, a.attempts, a.recipient, a.message_id) for a in answers]
                found.append(
                    f"mail {mail.id} {mail.outcome} {mail.detail!r}, {mail.attempts} attempts, {keys}, answers {sent}"
                )
        return "; ".join(found) or "it was never taken in"

    def figures(self) -> str:
        faults = ", ".join(f"{kind} {count}" for kind, count in sorted((self.imap.faults + self.smtp.faults).items()))
        return (
            f"seed {self.seed}: {self.delivered} deliveries of {len(self.sent)} mails ({self.outcomes}),"
            f" {self.kills} kills of {self.services} services, {sum(self.imap.faults.values())} faults of IMAP and"
            f" {sum(self.smtp.faults.values())} of SMTP"
            f" ({faults}) in {self.imap.connections + self.smtp.connections} connections;"
            f" {sum(table.step for table in self.tables)} turns of {len(self.tables)} games carried out;"
            f" {self.mails_out} mails to players, {self.again} came again under the same Message-ID, {self.given_up}"
            f" refused for good and sent again, {self.said} old mails not answered a second time"
        )
