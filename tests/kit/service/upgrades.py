"""Games under way, and titles as another version of the program would have them."""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlmodel import col, select

from engine import Title
from engine.core.events import Paid
from engine.core.ids import BANK
from engine.core.orders import Bid, Open, Order
from engine.core.title import Play
from engine.robots import sensible
from moderator.adapters.tables import EntryRow, GameRow, SnapshotRow
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.games import LoadTitle, default_titles
from moderator.service.play.holds import look_back
from tests.kit.service.mail_service import CountedBytes, Service

_PROGRAMS = itertools.count(2)
Change = Callable[[Title], Title]


def changed(change: Change, name: str = "changed") -> LoadTitle:
    """The titles of a program in which the rules were changed."""

    def load(title: str, edition: str, options: Mapping[str, str]) -> Title:
        return replace(change(default_titles(title, edition, options)), fingerprint_of=lambda: name)

    return load


def other_facts(title: Title) -> Title:
    """Everybody begins with 10 more."""
    return replace(title, table={n: replace(row, cash=row.cash + 10) for n, row in title.table.items()})


class _Step:
    """A step that decides otherwise."""

    def __init__(self, inner: Any, decide: Any) -> None:
        self._inner, self.decide = inner, decide

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _deciding(title: Title, decide: Callable[[Any], Any]) -> Title:
    steps: dict[Any, Any] = {kind: _Step(step, decide(step.decide)) for kind, step in title.steps.items()}
    return replace(title, steps=steps)


def stricter(title: Title) -> Title:
    """Nobody may bid 13, 22, 25 or 32 for the first lot any more, as the robots do with their second order."""

    def around(inner: Any) -> Any:
        def decide(play: Play, frame: Any, ask: Any, order: Order) -> None:
            first = not any(play.state.privates.values())
            if first and isinstance(order, Open | Bid) and order.amount in (13, 22, 25, 32):
                play.refuse("bid.step", step=10, amount=5)
            else:
                inner(play, frame, ask, order)

        return decide

    return _deciding(title, around)


def dearer(title: Title) -> Title:
    """Whoever bids pays 1 to the bank."""

    def around(inner: Any) -> Any:
        def decide(play: Play, frame: Any, ask: Any, order: Order) -> None:
            inner(play, frame, ask, order)
            if isinstance(order, Open | Bid) and not play.failures:
                play.emit(Paid(ask.player, BANK, 1, "bid"))

        return decide

    return _deciding(title, around)


def other_order_of_checks(title: Title) -> Title:
    """The same checks, told in another order."""

    def around(inner: Any) -> Any:
        def decide(play: Play, frame: Any, ask: Any, order: Order) -> None:
            inner(play, frame, ask, order)
            play.failures.reverse()

        return decide

    return _deciding(title, around)


def play_on(service: Service, game: str, mails: int) -> None:
    """Robots send so many mails, each the whole answer of whoever is asked first."""
    for _ in range(mails):
        position = service.position(game)
        if position.finished:
            return
        player = position.asked()[0].player
        before = service.log(game)
        service.say(str(player), as_text(position, orders_of_turn(position, player, sensible)))
        assert service.log(game) != before, (service.outcomes()[-1], service.complaints)


def upgraded(service: Service, load: LoadTitle = default_titles) -> Service:
    """The service after a restart with another program."""
    clock = service.clock
    service.desk.database.close()
    again = Service.open(service.root, load)
    again.clock.moment = clock.moment
    random_bytes: Any = CountedBytes(next(_PROGRAMS) * 1_000_000)
    again.desk = replace(again.desk, random_bytes=random_bytes)
    return again


def sweep(service: Service) -> None:
    look_back(service.desk)
    service.run()


def row_of(service: Service, game: str) -> GameRow:
    with service.desk.database.reading() as session:
        row = session.get(GameRow, game)
        assert row is not None
        return row


def entries(service: Service, game: str) -> list[EntryRow]:
    with service.desk.database.reading() as session:
        return list(session.exec(select(EntryRow).where(EntryRow.game == game).order_by(col(EntryRow.at))).all())


def snapshots(service: Service, game: str) -> list[SnapshotRow]:
    with service.desk.database.reading() as session:
        wanted = select(SnapshotRow).where(SnapshotRow.game == game).order_by(col(SnapshotRow.at))
        return list(session.exec(wanted).all())


def as_of_another_form(service: Service) -> None:
    """As if all snapshots had been written by a program that writes them otherwise."""
    with service.desk.database.transaction() as session:
        for row in session.exec(select(SnapshotRow)).all():
            document = json.loads(zlib.decompress(row.data))
            row.data = zlib.compress(json.dumps(["0", *document[1:]]).encode())
            row.form = "0:of before"


def as_before_digests(service: Service) -> None:
    """As a database is that an older program has left, once its tables are brought up to date."""
    with service.desk.database.transaction() as session:
        for entry in session.exec(select(EntryRow)).all():
            entry.digest, entry.events = "", None
        for row in session.exec(select(SnapshotRow)).all():
            session.delete(row)
        for game in session.exec(select(GameRow)).all():
            game.rules = game.began_rules = 0
            game.fingerprint = ""
