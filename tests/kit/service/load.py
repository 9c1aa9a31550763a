"""A thousand games at once, for figures: robots' games are played once, and copied into the database at many depths.

What a robot answered in the script is what the mail of that game says; it is written long before it is asked, to the
secret address of the decision that it will answer.
"""

from __future__ import annotations

import base64
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from secrets import token_bytes

from sqlmodel import select

import engine
from engine import Game, Setup, Title
from engine.core.ids import PlayerId
from engine.core.storage.snapshot import form, write_events, write_state
from engine.robots import sensible
from grammar import write_section
from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.tables import EntryRow, GameRow, SeatRow, SeatToken, SnapshotRow, TenureRow
from moderator.domain.asks import question
from moderator.domain.ports import SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Games, default_titles
from moderator.service.past.game_loader import EVERY
from moderator.service.play.new_games import commitment_of
from moderator.service.table.seats import secret_address
from moderator.settings import Settings
from tests.kit.titles import TITLES

PLAYERS = ("Ann", "Bob", "Cat", "Dan")


@dataclass(frozen=True, slots=True)
class Step:
    """One mail of a script: who answers the position after ``before`` orders, with what; what everybody is asked."""

    player: PlayerId
    text: str
    before: int
    orders: int
    asked: dict[PlayerId, str]


@dataclass(frozen=True, slots=True)
class Script:
    """A game between robots, from its first question to its end."""

    title: Title
    setup: Setup
    entries: tuple[tuple[str, str, str, bytes], ...]
    """Player, text, digest and events of each order, as the service writes it down."""
    snapshots: dict[int, tuple[bytes, str]]
    """Number of orders -> the position after them and its digest."""
    steps: tuple[Step, ...]


def script(title: Title, seed: str, most: int = 10_000) -> Script:
    """What four robots make of ``title``, in so many mails at most."""
    setup = Setup(PLAYERS, seed, PLAYERS[0])
    game, words = Game.start(title, setup), vocabulary(title, PLAYERS)
    entries: list[tuple[str, str, str, bytes]] = []
    snapshots = {0: (write_state(title, game.state), game.told_digest())}
    steps: list[Step] = []
    while not game.finished and len(steps) < most:
        player = game.asked()[0].player
        orders = orders_of_turn(game, player, sensible)
        asked = {PlayerId(name): question(game, PlayerId(name)) for name in PLAYERS}
        steps.append(Step(player, as_text(game, orders), len(game.orders), len(orders), asked))
        for order in orders:
            events = game.submit(order)
            assert not isinstance(events, engine.Refused)
            text, digest = write_section(order.actor, [order], words), game.told_digest()
            entries.append((player, text, digest, write_events(title, events)))
            if len(entries) % EVERY == 0:
                snapshots[len(entries)] = write_state(title, game.state), digest
    return Script(title, setup, tuple(entries), snapshots, tuple(steps))


def titles() -> list[Title]:
    """One edition of each title. Of 1841 it is the open auction: sealed bids are no orders before they are opened, and
    have tests of their own."""
    options = {"1841": {"concessions": "open"}}
    names = TITLES
    return [engine.load_title(name, engine.editions(name)[0], options=options.get(name)) for name in names]


def scripts(count: int, most: int = 10_000) -> list[Script]:
    """So many, of all titles in turn, of so many mails at most."""
    every = titles()
    return [script(every[number % len(every)], f"load {number}", most) for number in range(count)]


@dataclass(slots=True)
class Table:
    """One game in the database, and how far its script has come."""

    name: str
    script: Script
    step: int
    addresses: dict[PlayerId, str]

    def next_mail(self, sitting: Sitting, number: int) -> tuple[bytes, str, str]:
        """The next answer of its script as bytes, where it goes and the return path."""
        step = self.script.steps[self.step]
        self.step += 1
        seat = sitting.session.exec(
            select(SeatRow).where(SeatRow.game == self.name, SeatRow.player == step.player)
        ).one()
        # Of its own: a seat that is asked the same keeps its word, and this one is written before anything is asked.
        token = base64.b32encode(sitting.desk.random_bytes(16)).decode().rstrip("=").lower()
        assert seat.id is not None
        sitting.session.add(SeatToken(token=token, seat=seat.id, at=step.before + 1, created_at=sitting.now()))
        to = secret_address(sitting.desk, seat, token)
        sender = self.addresses[step.player]
        message = EmailMessage(policy=SMTP)
        message["From"], message["To"], message["Subject"] = sender, to, f"Re: {self.name}"
        message["Message-ID"] = f"<{number}@players.example>"
        message.set_content(f"{step.text}\n\nOn Monday, 2 March 2026, Railpost wrote:\n\n> {self.name}\n")
        return message.as_bytes(), to, sender


class Hall:
    """Many games on one database."""

    def __init__(self, root: Path, games: int, scripts: list[Script], room: int, **settings: object) -> None:
        """``room``: so many steps at least are left in each game."""
        self.settings = Settings(data=root, domain="example.org", games_in_memory=games, pictures=False, **settings)  # type: ignore[arg-type]
        database = Database(self.settings.database_url)
        database.upgrade()
        memory = Games(default_titles, vocabulary, games)
        self.desk = Desk(self.settings, database, memory, render, SystemClock(), token_bytes, "load")
        self.chance = random.Random(1861)
        self.tables = [self._table(number, scripts[number % len(scripts)], room) for number in range(games)]
        self.wrote = 0

    def _table(self, number: int, played: Script, room: int) -> Table:
        return self.table(number, played, self.chance.randrange(max(1, len(played.steps) - room)))

    def table(self, number: int, played: Script, step: int) -> Table:
        """A game that has come to ``step`` of its script."""
        here, now = played.steps[step], datetime.now(UTC)
        title, setup, name = played.title, played.setup, f"{played.title.name}-{number + 1}"
        with self.desk.database.transaction() as session:
            session.add(
                GameRow(
                    id=name, title=title.name, edition=title.edition, options=dict(title.options), seed=setup.seed,
                    setup={"players": list(setup.players), "priority": setup.priority, "privates": None},
                    commitment=commitment_of(setup.seed), engine_version="0", created_at=now,
                    at=here.before + 1, orders=here.before, began_rules=title.rules_version,
                    rules=title.rules_version, fingerprint=title.fingerprint,
                )
            )  # fmt: skip
            session.flush()
            addresses = {PlayerId(player): f"{player.lower()}{number}@players.example" for player in PLAYERS}
            for place, (player, address) in enumerate(addresses.items(), 1):
                seat = SeatRow(
                    game=name, number=place, player=player, address=address, question=here.asked[player],
                    since=here.before + 1, told=here.before, told_at=now, rules=title.rules_version,
                )  # fmt: skip
                session.add(seat)
                session.flush()
                session.add(TenureRow(seat=seat.id or 0, person=player, address=address, began_at=now))
            for at, (who, text, digest, events) in enumerate(played.entries[: here.before], 1):
                session.add(
                    EntryRow(
                        game=name, at=at, kind="order", orders=at, player=who, text=text, created_at=now,
                        digest=digest, events=events,
                    )
                )  # fmt: skip
            for orders, (data, digest) in played.snapshots.items():
                if orders <= here.before:
                    session.add(
                        SnapshotRow(game=name, at=orders + 1, orders=orders, form=form(title), data=data, digest=digest)
                    )
        return Table(name, played, step, addresses)

    def mails(self, each: int, games: int | None = None) -> list[tuple[bytes, str, str]]:
        """The next ``each`` answers of every game (or so many of them): all first ones, all second ones, and so on."""
        written = []
        for _ in range(each):
            with self.desk.sitting() as sitting:
                for table in self.tables[:games]:
                    written.append(table.next_mail(sitting, self.wrote))
                    self.wrote += 1
        return written
