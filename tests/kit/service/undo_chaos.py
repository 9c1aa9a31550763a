"""A game of robots by the service in which orders are taken back again and again, with restarts between."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import select

from engine import Ask, Game
from engine.core.orders import Order, SealedBids
from engine.robots import random_order, sensible
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, SealedRow
from moderator.service.operation.verification import replay_all
from moderator.service.play import deputy
from moderator.service.play.again.redo import redo
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.undo import Wrong, take_back
from moderator.service.table.table import lock_table
from tests.kit.properties import of_position
from tests.kit.service.mail_service import Service


def undo_again_and_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, title: str, seed: int, rounds: int
) -> Counter[str]:
    """Play a game of ``title``, and check all that is stored after each undo and what followed. Returns how often an
    order had each origin, and how often each state of orders kept ready came up."""
    chance = random.Random(seed)

    def choose(game: Game, ask: Ask) -> Order:
        return sensible(game, ask) if chance.random() < 0.75 else random_order(game, ask, chance)

    monkeypatch.setattr(deputy, "sensible", choose)
    service = Service.open(root)
    game = service.ready_game(title)
    _open_what_is_sealed(service, game)
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        for seat in table.seats:
            set_caretaker(table, seat, "robot")
    service.desk.games.forget_all()
    for _ in range(rounds):
        _move(service, chance.randint(5, 25))
        orders = len(service.position(game).orders)
        if orders > 1:
            _undo(service, game, chance, orders)
        if chance.random() < 0.3:
            service = service.again()
        _all_is_right(service, game)
    return _seen(service, game)


def _open_what_is_sealed(service: Service, game: str) -> None:
    """Nobody seals an order for another: the players do it themselves."""
    for ask in service.position(game).asked():
        if ask.sealed:
            service.say(str(ask.player), "bids none" if ask.player != "Ann" else "bids 41 on Bayard")


def _move(service: Service, sweeps: int) -> None:
    for _ in range(sweeps):
        service.clock.pass_by(minutes=1)
        sweep_deadlines(service.desk)


def _undo(service: Service, game: str, chance: random.Random, orders: int) -> None:
    number = max(0, orders - chance.choice((1, 3, 10, 30)))
    through = min(orders, number + chance.choice((1, 1, 2, 4)))
    before = service.position(game).told_digest()
    take_back(service.desk, game, Wrong(number, through, keep=chance.random() < 0.9, why="a slip"))
    if chance.random() < 0.25:
        redo(service.desk, game)
        assert service.position(game).told_digest() == before
    _open_what_is_sealed(service, game)


def _all_is_right(service: Service, game: str) -> None:
    """The log leads to the stored digests and to the position in memory, and that adds up."""
    assert [found.fault for found in replay_all(service.desk.database, service.desk.games)] == [""]
    found = rebuild(service.desk, game)
    assert found is not None and not found.differs, found
    now = service.position(game)
    of_position.hold(now, now.at(len(now.orders) - 1) if now.orders else None)
    if now.finished:
        return
    with service.desk.database.reading() as session:
        opened = set(session.exec(select(SealedRow.text).where(SealedRow.status == "opened")).all())
        live = service.desk.games.get(session, session.get_one(GameRow, game))
    standing = {live.write_order(order) for order in live.game.orders if isinstance(order, SealedBids)}
    assert standing == opened, (standing, opened)


def _seen(service: Service, game: str) -> Counter[str]:
    with service.desk.database.reading() as session:
        origins = session.exec(select(EntryRow.origin).where(EntryRow.game == game, EntryRow.kind == "order")).all()
        states = session.exec(select(HeldRow.status).where(HeldRow.game == game, HeldRow.kind == "again")).all()
    return Counter([*origins, *states])
