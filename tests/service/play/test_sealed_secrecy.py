"""No mail, transcript, log line, stored row, snapshot or view of a player has another's sealed bid before the opening;
afterwards everybody can check the digests. Random rounds: bids are sealed, replaced, withdrawn, tried and refused."""

from __future__ import annotations

import logging
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
import sqlalchemy
from sqlmodel import SQLModel, select

from engine.core.ids import PlayerId
from engine.core.orders import SealedBids
from engine.core.storage.snapshot import write_state
from moderator.adapters.tables import OutboxRow, SealedRow
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.export import export_record
from tests.kit.samples import sampled
from tests.kit.service.mail_service import Letter, Service, mail

PLAYERS = ("Ann", "Bob", "Cat", "Dan")
ITEMS = ("Bayard", "C-SFLP", "C-SFTC", "C-IRSFF")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_PAIR = re.compile(r"^\| ([0-9a-f]{32} \w+: bids .+)\n\| ([0-9a-f]{64})$", re.MULTILINE)
_OPENING = re.compile(r"All sealed orders are open|Nobody sealed an order")
_MINE = ("sealed", "mail", "outbox", "content_key", "seat_token")
"""Tables that hold what a player wrote or was written; the mails are looked at by their recipients."""


def numbers(text: str) -> set[int]:
    return {int(found) for found in _NUMBER.findall(text) if len(found) < 6}


class Round:
    """One opening round. Every amount that anybody ever names in a bid is his alone, and stands nowhere else."""

    def __init__(self, root: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.players: Sequence[str] = PLAYERS[: self.chance.choice((3, 4))]
        self.service = Service.open(root)
        self.game = self.service.game("1841", self.players, deadline_hours=48)
        known = set[int]()
        for player in self.players:
            for letter in self.service.letters(player):
                known |= numbers(_texts(letter))
        self.free = [n for n in range(101, 200) if n not in known]
        self.chance.shuffle(self.free)
        self.owner: dict[int, str] = {}

    def bids(self, player: str, most: int = 3) -> str:
        items = self.chance.sample(ITEMS, self.chance.randint(0, most))
        amounts = [self.free.pop() for _ in items]
        self.owner |= dict.fromkeys(amounts, player)
        return f"bids {', '.join(f'{n} on {item}' for n, item in zip(amounts, items, strict=True)) or 'none'}"

    def refused(self, player: str) -> str:
        amount = self.free.pop()
        self.owner[amount] = player
        return f"bids {amount} on Bayard, {amount} on Bayard"

    def step(self, player: str) -> None:
        """One mail of ``player``."""
        match self.chance.choice(("seal", "seal", "seal", "withdraw", "check", "refused", "show", "twice", "confirm")):
            case "seal":
                self.service.say(player, self.bids(player))
            case "withdraw":
                self.service.say(player, f"withdraw // {self.free.pop()}")
            case "check":
                self.service.say(player, f"check\n{self.bids(player)}")
            case "refused":
                self.service.say(player, self.refused(player))
            case "show":
                self.service.say(player, "show orders\nshow record\nshow position\nshow at 1")
            case "twice":
                to = self.service.address(player)
                copy = mail(self.bids(player), sender=f"{player.lower()}@players.example", to=to)
                for _ in range(2):
                    self.service.send(copy, to)
                self.service.run()
            case "confirm":  # from an address that is not known: its owner is asked
                to = self.service.address(player)
                self.service.send(mail(self.bids(player), sender="elsewhere@example.com", to=to), to)
                self.service.run()

    @property
    def is_open(self) -> bool:
        return bool(self.service.position(self.game).orders)

    # ---- what others could see

    def seen_by(self, player: str) -> Iterator[str]:
        """Everything that ``player`` has, or could be shown."""
        yield from (_texts(letter) for letter in self.service.letters(player))
        with self.service.session() as session:
            for row in session.exec(select(OutboxRow).where(OutboxRow.player == player)).all():
                yield f"{row.subject}\n{row.text}\n{row.html}"
        view = self.service.position(self.game).seen_by(PlayerId(player))
        yield repr((view.state, view.orders, view.asked(), view.legal(PlayerId(player))))

    def seen_by_all(self) -> Iterator[str]:
        """Everything that is no one's own: the log, the record, rows, snapshots and positions."""
        yield export_record(self.service.desk, self.game) or ""
        yield "\n".join((*self.service.log(self.game), *self.service.details(), *self.service.complaints))
        position = self.service.position(self.game)
        yield repr(position.state)
        yield _unpacked(write_state(position.title, position.state))
        with self.service.session() as session:
            for name, table in SQLModel.metadata.tables.items():
                if name not in _MINE:
                    for row in session.execute(sqlalchemy.select(table)).all():
                        yield "\n".join(_unpacked(v) if isinstance(v, bytes) else str(v) for v in row)

    def assert_secret(self) -> None:
        for text in self.seen_by_all():
            assert not numbers(text) & set(self.owner), text
        for player in self.players:
            others = {n for n, owner in self.owner.items() if owner != player}
            for text in self.seen_by(player):
                assert not numbers(text) & others, (player, text)


def _texts(letter: Letter) -> str:
    return f"{letter.subject}\n{letter.text}\n{letter.html}".replace("\r\n", "\n")


def _unpacked(data: bytes) -> str:
    try:
        return zlib.decompress(data).decode("utf-8", "replace")
    except zlib.error:
        return data.decode("utf-8", "replace")


def play_round(root: Path, seed: int, log: pytest.LogCaptureFixture) -> None:
    """Play a round to its opening, and look at everything before it."""
    playing = Round(root, seed)
    service = playing.service
    with log.at_level(logging.DEBUG):
        for _ in range(playing.chance.randint(3, 7)):
            if playing.is_open:
                break
            playing.step(playing.chance.choice(playing.players))
            if not playing.is_open:
                playing.assert_secret()
        said = "\n".join(record.getMessage() for record in log.records)  # without the lines of our files
        assert not numbers(said) & set(playing.owner)
    while not playing.is_open:
        service.clock.pass_by(hours=19)
        sweep_deadlines(service.desk)
        service.run()
        if not playing.is_open:
            playing.assert_secret()
    assert service.complaints == []
    assert_opened(playing)


def assert_opened(playing: Round) -> None:
    """Everybody got every order that was opened with a line that has its digest, which he was sent before."""
    service = playing.service
    with service.session() as session:
        rows = session.exec(select(SealedRow).where(SealedRow.status == "opened")).all()
        opened = {(f"{row.salt} {row.text}", row.digest): row.player for row in rows}
    assert all(sha256(line.encode()).hexdigest() == digest for line, digest in opened)
    given = [order for order in service.position(playing.game).orders if isinstance(order, SealedBids)]
    assert [order.actor for order in given] == list(playing.players)
    for player in playing.players:
        letters = service.letters(player)
        told = max((n for n, one in enumerate(letters) if _OPENING.search(" ".join(_texts(one).split()))), default=-1)
        published = set(_PAIR.findall(_texts(letters[told])))
        assert told >= 0 and set(opened) <= published
        earlier = "\n".join(_texts(letter) for letter in letters[:told])
        last = max(rows, key=lambda row: row.id or 0).player if rows else ""
        late = {digest for (_, digest), owner in opened.items() if owner == last}  # it opened all: nothing came before
        assert all(digest in earlier for _, digest in opened if digest not in late)


@pytest.mark.parametrize("seed", sampled(range(4), [0]))
def test_a_bid_is_known_to_nobody_else_before_the_opening(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    play_round(tmp_path, seed, caplog)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(4, 200))
def test_in_200_rounds_a_bid_is_known_to_nobody_else_before_the_opening(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    play_round(tmp_path, seed, caplog)
