"""The long game of the tour by real mail: from the command that offers it to the final standings, nobody has a shell.
Players, game masters, an observer and a person on the waiting list write by SMTP through Postfix, and read in their
mailboxes in Dovecot. The clock is set."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import Session, col, func, select

from moderator.adapters.tables import AbsenceRow, EntryRow, GameRow, GuestRow, InquiryRow, MotionRow, OutboxRow, SeatRow
from moderator.domain.records.record import read_record, replay_record
from moderator.entrypoints.processes.assembly import mailbox_of, outlet_of
from moderator.entrypoints.processes.worker import Worker
from moderator.service.play.journal.export import export_record
from tests.kit.mail_system import AUTHSERV_ID, MailSystem
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import RealService, configuration, server_settings
from tests.kit.patience import PATIENCE
from tests.with_servers.test_senders import HOPS
from tools.long_game.game import LongGame, text_of
from tools.long_game.joining import LIMIT, PLAYERS, TO_ALL, TO_ONE
from tools.long_game.script import ANSWER, CHAPTERS, QUESTION, play
from tools.long_game.stage import OUTAGE_MINUTES, Counted, Punctual, SetClock

MAILBOX = "longgame"
TOKEN = re.compile(r"(?:\+(?:[\w-]+\.)*|\btoken )([a-z2-7]{12,})\b")
PROVED = {"identity": "token+authenticated", "authserv_id": AUTHSERV_ID, "authserv_hops": HOPS}


class Servers:
    """The stage of the long game among real servers. Our mail server has proof of every sender."""

    def __init__(self, system: MailSystem, root: Path) -> None:
        self.real = RealService(system, root, mailbox=MAILBOX, outage_minutes=OUTAGE_MINUTES, **PROVED)
        self.system, self.clock = system, SetClock()
        self.desk = replace(self.real.desk, clock=self.clock, random_bytes=Counted())
        self.config = root / "railpost.toml"
        self.config.write_text(configuration({**server_settings(system, root, MAILBOX), **PROVED}))
        self.complaints: list[str] = []
        intake = Punctual(mailbox_of(self.desk), self.clock)
        self.worker = Worker(self.desk, intake, outlet_of(self.desk.settings), self.complaints.append, self.clock)
        self.players: dict[str, Player] = {}
        self.worker.mail()  # a mailbox begins with the first look into it

    def address(self, name: str) -> str:
        address = f"long-{name.lower()}@players.example"
        self.players[address] = Player(self.system, address)
        return address

    def send(self, content: bytes, sender: str, to: str) -> None:
        before = len(self.real.mails())
        self.players[sender].send(content, to)
        end = time.monotonic() + PATIENCE
        while len(rows := self.real.mails()) == before or not all(row.outcome for row in rows):
            assert time.monotonic() < end, self.complaints
            self.worker.mail()
        self.settle()

    def settle(self) -> None:
        self.worker.mail()
        end = time.monotonic() + PATIENCE
        with self.desk.database.reading() as session:
            told = dict(session.exec(select(OutboxRow.recipient, func.count()).group_by(OutboxRow.recipient)).all())
        for address, player in self.players.items():
            while len(player.letters) < told.get(address, 0):
                assert time.monotonic() < end, self.complaints
                player.look()

    def letters(self, address: str) -> list[EmailMessage]:
        found = [letter.message for letter in self.players[address].letters]
        return [mail for mail in found if isinstance(mail, EmailMessage)]

    def close(self) -> None:
        for player in self.players.values():
            player.close()
        self.worker.close()
        self.real.round.close()
        self.desk.database.close()


def check(game: LongGame) -> None:
    """All that should have happened has happened, and the record leads to the end."""
    now = game.position()
    assert now.finished
    with game.stage.desk.database.reading() as session:
        happened(session, game)
        joined(session, game)
    watched(game)
    for name in PLAYERS:
        last = text_of(game.letters(name)[-1])
        assert "FINAL STANDINGS" in last and "Cat (played by Dan)" in last
    text = export_record(game.stage.desk, game.name)
    assert text is not None
    assert replay_record(read_record(text)).told_digest() == now.told_digest()


def happened(session: Session, game: LongGame) -> None:
    entries = session.exec(select(EntryRow).where(EntryRow.game == game.name).order_by(col(EntryRow.at))).all()
    origins = {entry.origin for entry in entries if entry.kind == "order"}
    assert {"mail", "kept"} <= origins
    assert {"silence", "default"} & origins, "somebody was late"
    assert [entry.kind for entry in entries if entry.kind != "order"].count("undo") == 1
    seats = {seat.player: seat.address for seat in session.exec(select(SeatRow).where(SeatRow.game == game.name))}
    assert seats["Cat"] == game.addresses["Dan"]
    assert len(session.exec(select(AbsenceRow)).all()) == 1
    motions = session.exec(select(MotionRow).order_by(col(MotionRow.id))).all()
    assert {motion.state for motion in motions} == {"carried"}
    assert [motion.needs for motion in motions if motion.needs == "most"] == ["most"]
    row = session.get_one(GameRow, game.name)
    assert [office["name"] for office in row.masters] == ["Max", "Eve"]


def joined(session: Session, game: LongGame) -> None:
    """Everybody has his seat by mail, and was asked before."""
    asked = session.exec(select(InquiryRow)).all()
    agreed = sorted((row.kind, row.name) for row in asked if row.state == "confirmed")
    wanted = [*((kind, name) for kind in ("join", "confirm") for name in PLAYERS), ("begin", "Max")]
    wanted += [("observe", "Olga"), ("wait", "Dan"), ("offer", "Dan")]
    assert agreed == sorted(wanted)
    assert session.exec(select(GuestRow).where(GuestRow.state == "in")).all() == []
    opened = session.exec(select(EntryRow.text).where(EntryRow.game == game.name, EntryRow.kind == "open")).all()
    assert len(opened) == 1 and str(opened[0]).startswith("Cat")
    assert any("all that has happened so far" in str(mail["Subject"]) for mail in game.letters("Dan"))
    assert game.refused is not None and "pass" in text_of(game.refused)


def watched(game: LongGame) -> None:
    """The observer has the public news and nothing that is secret to a seat."""
    news = game.letters("Olga")
    told = " ".join(" ".join(as_sent(mail) for mail in news).split())
    rounds = [text_of(mail) for mail in news if "WHAT HAPPENED" in text_of(mail)]
    assert len(rounds) > 20 and TO_ALL in told and "the game is over" in str(news[-1]["Subject"])
    others = {*game.addresses.values(), game.left} - {game.addresses["Olga"]}
    mails = [as_sent(mail) for address in others for mail in game.stage.letters(address)]
    theirs = " ".join(" ".join(mails).split())
    secrets = {LIMIT, TO_ONE, QUESTION, ANSWER, *others}
    tokens = {token for mail in mails for token in TOKEN.findall(mail)}
    assert len(tokens) > 10
    for secret in secrets | tokens:
        assert secret in theirs, f"{secret} was never written to anybody"
        assert secret not in told, f"the observer has read {secret}"
    seed = game.position().setup.seed
    assert seed not in " ".join(as_sent(mail) for mail in news[:-1])


def as_sent(mail: EmailMessage) -> str:
    """All that somebody may see in a mail: its headers and each text in it."""
    texts = [str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in mail.items()), *texts])


@pytest.fixture
def servers(mail_system: MailSystem, tmp_path: Path) -> Iterator[Servers]:
    made = Servers(mail_system, tmp_path)
    yield made
    made.close()


def test_the_long_game_by_real_mail(servers: Servers) -> None:
    game = LongGame(servers)
    play(game)
    check(game)
    assert list(game.chapters) == list(CHAPTERS)
    assert not servers.complaints
