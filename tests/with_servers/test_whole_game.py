"""The long game of the tour by real mail: from the command that offers it, nobody has a shell. The long proof plays it
to the final standings; tests of the pages do so with mails in folders.
Players, game masters, an observer and a person on the waiting list write by SMTP through Postfix, and read in their
mailboxes in Dovecot. The clock is set."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import func, select

from moderator.adapters.tables import OutboxRow
from moderator.entrypoints.processes.assembly import mailbox_of, outlet_of
from moderator.entrypoints.processes.worker import Worker
from tests.kit.mail_system import AUTHSERV_ID, MailSystem
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import RealService, configuration, server_settings
from tests.kit.patience import PATIENCE
from tests.kit.samples import prove
from tests.kit.service.long_game import begun, check
from tests.with_servers.test_senders import HOPS
from tools.long_game.game import LongGame
from tools.long_game.script import CHAPTERS, play
from tools.long_game.stage import OUTAGE_MINUTES, Counted, Punctual, SetClock

MAILBOX = "longgame"
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


@pytest.fixture
def servers(mail_system: MailSystem, tmp_path: Path) -> Iterator[Servers]:
    made = Servers(mail_system, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("last", ["The auction", prove("The end")])
def test_the_long_game_by_real_mail(servers: Servers, last: str) -> None:
    """To the end of a chapter."""
    game = LongGame(servers)
    play(game, last)
    (check if last == "The end" else begun)(game)
    names = list(CHAPTERS)
    assert list(game.chapters) == names[: names.index(last) + 1]
    assert not servers.complaints
