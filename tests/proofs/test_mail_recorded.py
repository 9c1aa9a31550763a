"""A game that people played, sent again as mails: each order by the right player, to the recorded standings."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.core.orders import Order
from grammar import write_block
from moderator.domain.ports import Incoming
from moderator.domain.records.import_18xx import read_import
from moderator.service.intake import store
from moderator.service.pipeline import process
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.post.delivery import send_due
from tests.kit.service.mail_service import Service, mail

FIRST = 20
"""Mails of the sample."""
STANDINGS = [("Player 3", 8341), ("Player 1", 8216), ("Player 2", 7679)]


def recorded_mails(path: Path) -> tuple[Game, list[tuple[PlayerId, list[Order]]]]:
    """The game, and its orders in mails: what one player ordered as one actor without a break."""
    record = read_import(path)
    for _ in record.play():
        pass
    again = Game.start(record.game.title, record.game.setup)

    def given() -> Iterator[tuple[PlayerId, Order]]:
        for order in record.game.orders:
            yield next(ask.player for ask in again.asked() if ask.actor == order.actor), order
            again.submit(order)

    parts = groupby(given(), lambda pair: (pair[0], pair[1].actor))
    return record.game, [(player, [order for _, order in group]) for (player, _), group in parts]


class Replay:
    """The recorded game on a table of its own. Mail goes from memory to memory: ``seconds`` are from raw bytes to the
    answers in the outbox."""

    def __init__(self, root: Path, record: Path) -> None:
        self.service = Service.open(root)
        played, self.mails = recorded_mails(record)
        seats = played.setup.players
        people = [Person(seat, f"p{number}@players.example") for number, seat in enumerate(seats, 1)]
        self.address = {person.name: person.address for person in people}
        setup = Setup(seats, "recorded", played.setup.priority, played.setup.privates)
        title = played.title
        self.reply_to: dict[str, str] = {}
        self.sent = 0
        self.seconds: list[float] = []
        self.game = new_game(self.service.desk, Terms(title.name, title.edition, title.options), people, setup=setup)
        self.collect()

    def collect(self) -> None:
        """Send what is due; every player knows where his latest mail wants its answer."""
        outlet = _Collector()
        self.sent += send_due(self.service.desk, outlet, self.service.complaints.append)
        for recipient, reply_to in outlet.found:
            self.reply_to[recipient] = reply_to

    def play(self, most: int | None = None) -> None:
        """Send the mails, or the first ``most`` of them."""
        desk = self.service.desk
        edges = self.service.position(self.game).title.map.edge_names
        for number, (player, orders) in enumerate(self.mails[:most]):
            to = self.reply_to[self.address[player]]
            content = mail(write_block(orders, edges), sender=self.address[player], to=to)
            began = time.perf_counter()
            incoming = Incoming(str(number), desk.clock.now(), len(content), content, self.address[player])
            (stored,) = store(desk, "test", [incoming])
            assert stored is not None
            process(desk, stored, self.service.complaints.append)
            self.seconds.append(time.perf_counter() - began)
            assert not self.service.complaints, (self.service.complaints, orders)
            self.collect()


class _Collector:
    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def send(self, outgoing: object) -> None:
        self.found.append((outgoing.recipient, outgoing.reply_to))  # type: ignore[attr-defined]


def test_a_recorded_game_by_mail_begins_as_it_was_recorded(tmp_path: Path, records: Path) -> None:
    """A sample; the whole game is below."""
    replay = Replay(tmp_path, records / "1861" / "29683.json")
    replay.play(FIRST)
    game = replay.service.position(replay.game)
    given = [order for _, orders in replay.mails[:FIRST] for order in orders]
    assert [str(order) for order in game.orders] == [str(order) for order in given]
    assert set(replay.service.outcomes()) == {"applied"}


@pytest.mark.prove
@pytest.mark.usefixtures("each_database")
def test_a_recorded_game_by_mail_ends_in_the_recorded_standings(
    tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = Replay(tmp_path, records / "1861" / "29683.json")
    replay.play()
    game = replay.service.position(replay.game)
    assert game.finished
    assert list(game.standings()) == STANDINGS
    assert set(replay.service.outcomes()) == {"applied"}
    assert len(replay.service.log(replay.game)) == len(game.orders)
    with capsys.disabled():
        print(  # noqa: T201 - how many mails it took is part of the result
            f"\n29683 by mail: {len(game.orders)} orders in {len(replay.mails)} mails from the players,"
            f" {replay.sent} mails to them"
        )


@pytest.mark.bench
def test_bench_a_mail_in_a_late_position(tmp_path: Path, records: Path) -> None:
    replay = Replay(tmp_path, records / "1861" / "29683.json")
    replay.play()
    late = sorted(replay.seconds[-100:])
    print(  # noqa: T201
        f"mail to outbox, last 100 mails of 29683: median {statistics.median(late) * 1e3:.1f} ms,"
        f" 95 % {late[94] * 1e3:.1f} ms, worst {late[-1] * 1e3:.1f} ms"
    )
