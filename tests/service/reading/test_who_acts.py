"""Orders without a head, from a player who is asked for several actors: they are for the only one who can give them."""

from __future__ import annotations

from functools import lru_cache

import pytest

import engine
from engine.robots import sensible
from grammar import Reading
from moderator.adapters.tables import SeatRow
from moderator.domain.asks import asks_of
from moderator.domain.vocabulary import vocabulary
from moderator.service.games import Live
from moderator.service.play.text import read_text
from moderator.service.table.seat_text import Said

PLAYERS = ("Ann", "Bob", "Cat")


@lru_cache
def asked_for_several(what: str) -> tuple[Live, str]:
    """A game of 1863 in which a player is asked ``what`` for himself and something for companies, and this player."""
    title = engine.load_title("1863")
    game = engine.Game.start(title, engine.Setup(PLAYERS, "s0", "Ann"))
    for _ in range(600):
        for player in PLAYERS:
            asks = asks_of(game, player)
            if len(asks) > 1 and asks[0].what == what:
                return Live("1863-1", game, vocabulary(title, PLAYERS), 1), player
        asks = game.asked()
        game.submit(sensible(game, asks[len(game.orders) % len(asks)]))
    raise AssertionError(f"nobody is asked {what}")


def read(text: str, what: str) -> tuple[str, Reading]:
    live, player = asked_for_several(what)
    said = Said(SeatRow(game="1863-1", number=1, player=player, address="a@example.org"), 1, text)
    return player, read_text(live, player, said)[0]


@pytest.mark.parametrize(
    ("what", "text"),
    [("stock.turn", "pass"), ("stock.turn", "Pass."), ("auction.lot", "drop"), ("auction.lot", "pass")],
)
def test_an_order_is_for_the_only_one_who_can_give_it(what: str, text: str) -> None:
    player, reading = read(text, what)
    assert not reading.errors and [order.actor for order in reading.orders] == [player]


def test_it_may_be_a_company() -> None:
    player, reading = read("loan 1", "stock.turn")
    assert not reading.errors and [order.actor for order in reading.orders] not in ([], [player])


def test_who_can_give_it_is_named_if_there_are_several() -> None:
    live, player = asked_for_several("auction.lot")
    lot = live.game.lot()
    assert lot is not None and lot.least is not None
    _, reading = read(f"bid {lot.least}", "auction.lot")
    (error,) = reading.errors
    named = " or ".join(f"`{ask.actor}:`" for ask in asks_of(live.game, player))
    assert (error.kind, error.reason, error.expected) == ("ambiguous", "who", (f"before it {named}",))


def test_a_head_decides() -> None:
    live, player = asked_for_several("stock.turn")
    company = asks_of(live.game, player)[1].actor
    _, reading = read(f"{company}: loan 1\n{player}: pass", "stock.turn")
    assert not reading.errors and [order.actor for order in reading.orders] == [company, player]
