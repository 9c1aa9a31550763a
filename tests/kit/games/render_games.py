"""Games and infos for tests of the words: played by a seeded hand from the menus, so that they come to every corner."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import lru_cache

import engine
from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from moderator.domain.info import GameInfo

PLAYERS = ("Ann", "Bob", "Cat", "Dan")
_WEIGHT = {
    "Pass": 1, "Drop": 4, "Done": 2, "Lay": 12, "RunBest": 12, "Train": 12, "Decline": 1, "Refuse": 1, "BuyPrivate": 2,
}  # fmt: skip


@lru_cache(maxsize=64)
def played(orders: int, seed: int = 1) -> Game:
    """A game of so many orders (fewer where it ends before). Shared between tests: do not change it."""
    game = whole(seed).fork()
    game.undo(min(orders, len(game.orders)))
    return game


@lru_cache(maxsize=2)
def whole(seed: int) -> Game:
    """A game played to its end."""
    game = Game.start(engine.load_title("1861"), engine.Setup(PLAYERS, seed="a seed for tests", priority=PLAYERS[0]))
    hand = random.Random(seed)
    while game.asked() and len(game.orders) < 2000:
        ask = game.asked()[0]
        order = pick(hand, ask, game.legal(ask.actor))
        if not game.submit(order) and not game.submit(ask.silence or order):
            raise AssertionError(f"{order} is on the menu and refused: {game.check(order)}")
    return game


def pick(hand: random.Random, ask: Ask, menu: Menu) -> o.Order:
    """One choice, kinds of orders weighed, amounts kept small so that games go on."""
    kinds = sorted({type(c.order).__name__ for c in menu} - ({"Run"} if len(menu) > 1 else set()))
    kind = hand.choices(kinds, [_WEIGHT.get(k, 8) for k in kinds])[0]
    choice = hand.choice([c for c in menu if type(c.order).__name__ == kind])
    return choice.sample(hand.randrange(4))


def info(game: Game, seat: str, **changes: object) -> GameInfo:
    """What the service would say of a game."""
    facts: dict[str, object] = {
        "id": "1861-7",
        "title": game.title.name,
        "edition": game.title.edition,
        "options": {},
        "seat": seat,
        "seats": {p: f"{p.lower()}@example.org" if p == seat else None for p in game.state.players},
        "commitment": "5e" * 32,
        "at": 143,
        "reply_to": "railpost+1861-7.abcdefgh.qrstuvwx@mail.example.org",
        "token": "qrstuvwx",
        "deadline": datetime(2026, 11, 24, 17, 0, tzinfo=UTC),
        "zone": "Europe/Berlin",
        "asked": tuple(dict.fromkeys(a.player for a in game.asked())),
    }
    return GameInfo(**{**facts, **changes})  # type: ignore[arg-type]
