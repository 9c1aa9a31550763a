"""A game by real mail: orders leave players' mailboxes by SMTP through Postfix, reach the service by IMAP, and its
answers reach their mailboxes in Dovecot. The service is the command ``railpost run``, in a process of its own."""

from __future__ import annotations

import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlmodel import col, func, select

from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.holders.control import owner_of
from engine.robots import random_order, sensible
from grammar import write_block
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.tables import EntryRow, GameRow, MailRow, OutboxRow
from moderator.domain.ports import SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.settings import Settings
from tests.kit import twins
from tests.kit.mail_system import MailSystem
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import configuration, server_settings
from tests.kit.patience import PATIENCE
from tests.proofs.test_mail_recorded import STANDINGS, recorded_mails

_SAMPLE = 15
"""Mails of the short game."""


class Table:
    """A game, the service that conducts it, and its players' mail programs."""

    def __init__(
        self, system: MailSystem, root: Path, mailbox: str, program: str = "moderator.entrypoints.cli",
        *, pictures: bool = False,
    ) -> None:  # fmt: skip
        """``program``: the module that is ``railpost``."""
        self.program = program
        self.system, self.root = system, root
        self.values = {**server_settings(system, root, mailbox), "pictures": pictures}
        self.database = Database(Settings(**self.values).database_url)
        self.database.upgrade()
        games = Games(default_titles, vocabulary, 2)
        self.desk = Desk(Settings(**self.values), self.database, games, render, SystemClock())
        self.players: dict[PlayerId, Player] = {}
        self.seconds: list[float] = []
        self.game = ""

    def begin(self, setup: Setup, title: str = "1861", edition: str | None = None, domain: str = "") -> None:
        """Seat ``setup``'s players in a new game."""
        addresses = {
            PlayerId(seat): f"{domain}p{number}@players.example" for number, seat in enumerate(setup.players, 1)
        }
        people = [Person(seat, address) for seat, address in addresses.items()]
        self.game = new_game(self.desk, Terms(title, edition), people, setup=setup)
        self.players = {seat: Player(self.system, address) for seat, address in addresses.items()}

    @contextmanager
    def conducted(self) -> Iterator[None]:
        """``railpost run`` while this lasts; it ends well when it is told to."""
        file, log = self.root / "railpost.toml", self.root / "service.log"
        file.write_text(configuration(self.values))
        command = [sys.executable, "-m", self.program, "--config", str(file), "run"]
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output)
            try:
                until = time.monotonic() + PATIENCE
                while b"running: mailbox imap:" not in log.read_bytes():
                    assert process.poll() is None and time.monotonic() < until, log.read_text()
                    time.sleep(0.05)
                yield
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE) == 0, log.read_text()
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                process.wait()
                for player in self.players.values():
                    player.close()
                self.database.close()

    def play(self, mails: Iterable[tuple[PlayerId, str]]) -> None:
        """Send ``mails`` one after the other; each waits for its answer, and until all that was to be told is there."""
        self.settle()
        for seat, text in mails:
            player = self.players[seat]
            message_id, began = player.write(text)
            _, there = player.answer_to(message_id, PATIENCE)
            self.seconds.append(there - began)
            self.settle()

    def settle(self) -> None:
        """Wait until everything that the service wrote to players has been delivered."""
        until = time.monotonic() + PATIENCE
        while True:
            with self.database.reading() as session:
                rows = session.exec(select(OutboxRow.recipient, func.count()).group_by(OutboxRow.recipient)).all()
            told = dict(rows)
            for player in self.players.values():
                player.look()
            if told and all(len(p.letters) >= told.get(p.address, 0) for p in self.players.values()):
                return
            assert time.monotonic() < until, (self.root / "service.log").read_text()[-4000:]
            time.sleep(0.005)

    # ---- looking

    def position(self) -> Game:
        with self.database.reading() as session:
            row = session.get(GameRow, self.game)
            assert row is not None
            return self.desk.games.get(session, row).game

    def outcomes(self) -> list[str | None]:
        with self.database.reading() as session:
            return [row.outcome for row in session.exec(select(MailRow).order_by(col(MailRow.id))).all()]

    def entries(self) -> int:
        with self.database.reading() as session:
            return session.exec(select(func.count()).where(EntryRow.game == self.game)).one()

    def figures(self) -> str:
        """How many mails went each way, and how long an answer took."""
        to_players = sum(len(player.letters) for player in self.players.values())
        ordered = sorted(self.seconds)
        late = ordered[max(0, round(0.95 * len(ordered)) - 1)]
        return (
            f"{self.entries()} orders in {len(ordered)} mails from the players, {to_players} mails to them;"
            f" from a player's send to the answer in his mailbox: median {statistics.median(ordered):.2f} s,"
            f" 95 % {late:.2f} s, worst {ordered[-1]:.2f} s"
        )


def test_robots_play_by_real_mail(mail_system: MailSystem, tmp_path: Path) -> None:
    """The beginning of a game: every mail is answered, and what the players ordered is what is recorded. The mails have
    their pictures."""
    table = Table(mail_system, tmp_path, "short", pictures=True)
    table.begin(Setup(("Ann", "Bob", "Cat"), "by mail", "Ann"), domain="short-")

    def mails() -> Iterator[tuple[PlayerId, str]]:
        for _ in range(_SAMPLE):
            game = table.position()
            player = game.asked()[0].player
            yield player, as_text(game, orders_of_turn(game, player, sensible))

    with table.conducted():
        table.play(mails())
        assert table.outcomes() == ["applied"] * _SAMPLE
        assert table.entries() == len(table.position().orders) >= _SAMPLE
        assert statistics.median(table.seconds) < 5
        assert "image/png" in {
            part.get_content_type() for p in table.players.values() for part in p.letters[-1].message.walk()
        }


@pytest.fixture
def two_valleys() -> Iterator[None]:
    with twins.known():
        yield


@pytest.mark.usefixtures("two_valleys")
def test_a_game_in_which_a_company_owns_another_by_real_mail(mail_system: MailSystem, tmp_path: Path) -> None:
    """A title from outside the engine, to its final standings; robots choose by chance."""
    table, chance = Table(mail_system, tmp_path, "twins", "tests.kit.twins"), random.Random(3)
    table.begin(Setup(("Ann", "Bob"), "twins by mail", "Ann"), twins.NAME, domain="twins-")
    owned = 0

    def mails() -> Iterator[tuple[PlayerId, str]]:
        nonlocal owned
        while not (game := table.position()).finished:
            player = game.asked()[0].player
            owned += owner_of(game.title, game.state, twins.U) == twins.L
            yield player, as_text(game, orders_of_turn(game, player, lambda g, ask: random_order(g, ask, chance)))

    with table.conducted():
        table.play(mails())
        game = table.position()
        assert game.finished and len(game.standings()) == 2
        assert set(table.outcomes()) == {"applied"}
        assert table.entries() == len(game.orders)
        assert owned, "L owns U for a while"


def robots_of_1841(table: Table, most: int) -> Iterator[tuple[PlayerId, str]]:
    """The sealed bids of every player, then the turns of robots: ``most`` mails, or fewer to the end of the game."""
    game = table.position()
    for player in game.state.players:
        yield player, as_text(game, orders_of_turn(game, player, sensible))
    for _ in range(most):
        if (game := table.position()).finished:
            return
        player = game.asked()[0].player
        yield player, as_text(game, orders_of_turn(game, player, sensible))


@pytest.mark.prove
@pytest.mark.parametrize("most", [10, 2_000])
def test_a_game_of_1841_by_real_mail(mail_system: MailSystem, tmp_path: Path, most: int) -> None:
    """From sealed bids on; in the long proof to the final standings."""
    table = Table(mail_system, tmp_path, f"italian{most}")
    table.begin(Setup(("Ann", "Bob", "Cat"), "by mail", "Ann"), "1841", domain=f"italian{most}-")
    with table.conducted():
        table.play(robots_of_1841(table, most))
        game, outcomes = table.position(), table.outcomes()
        assert outcomes[:3] == ["sealed", "sealed", "applied"] and set(outcomes[3:]) == {"applied"}
        assert table.entries() == len(game.orders) >= 10
        assert game.finished == (most > len(outcomes))


@pytest.mark.prove
def test_the_recorded_game_by_real_mail(
    mail_system: MailSystem, tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played, mails = recorded_mails(records / "1861" / "29683.json")
    table = Table(mail_system, tmp_path, "recorded")
    setup = Setup(played.setup.players, "recorded", played.setup.priority, played.setup.privates)
    table.begin(setup, played.title.name, played.title.edition, domain="recorded-")
    edges = played.title.map.edge_names
    with table.conducted():
        table.play((player, write_block(orders, edges)) for player, orders in mails)
        game = table.position()
        assert game.finished
        assert list(game.standings()) == STANDINGS
        assert table.outcomes() == ["applied"] * len(mails)
        assert table.entries() == len(game.orders) == len(played.orders)
        with capsys.disabled():
            print(f"\n29683 by real mail: {table.figures()}")  # noqa: T201 - the figures are part of the result
        assert statistics.median(table.seconds) <= 2
