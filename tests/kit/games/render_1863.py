"""Games of 1863 for tests of the words, each at a moment worth a look: described positions, and what went on there."""

from __future__ import annotations

from collections.abc import Callable

import engine
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.titles.t1863.stock_round import begin_stock_round
from tests.kit.games.situations_1863 import London, situation, title, tube


def game_from(position: London, orders: str = "") -> Game:
    """A game that begins with the position, and goes on with the orders."""
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    game = Game(position.title, setup, position.state, _kept={0: position.state})
    for order in position.read(orders):
        result = game.submit(order)
        assert not isinstance(result, engine.Refused), f"{order}: {result}"
    return game


def auction() -> Game:
    """The auction of the privates: Bob may raise."""
    setup = engine.Setup(("Ann", "Bob", "Cat"), seed="a seed for tests", priority="Ann")
    game = Game.start(title(), setup)
    first = next(iter(game.legal(PlayerId("Ann")))).sample(1)
    assert game.submit(first)
    return game


def _tubes(**district: object) -> London:
    """Ann has MET, which is president of DIS and holds BAK whole; Bob has ELR; Cat has sold DIS short."""
    return situation(
        tube("MET", {"Ann": 4, "Bob": 2, "ELR": 1}, 110, cash=260, loans=1, trains="2T 3T", last_run=90, tokens=4),
        tube("DIS", {"MET": 3, "Bob": 1}, 80, cash=40, loans=2, trains="2T", last_run=60, pool=2, shorts={"Cat": 2}),
        tube("BAK", "MET", 65, minor=True, cash=30, trains="2T", last_run=20),
        tube("ELR", {"Bob": 5, "Ann": 1}, 100, cash=150, trains="2+1e", last_run=100, markers="Q20 P17", tokens=3),
        cash={"Ann": 310, "Bob": 185, "Cat": 420},
        privates={"GRE": "MET", "RMR": "Cat", "NEL": "Bob", "CHO": "ELR"},
        tiles={"C10": "LU04#0", "F9": "57#0", "C18": "57#0", "Q20": "57#1"},
        marks={"mail": ("C10", "M10")},
        rate=5,
    )


def stock() -> Game:
    """Ann may act as herself, or as MET, DIS or BAK."""
    position = _tubes()
    play = position.play()
    begin_stock_round(play)
    frames = play.state.agenda
    return game_from(position.frames(*frames))


def floating() -> Game:
    """Cat has won the right to start CIR."""
    game = stock()
    for line in ("Ann: sell 1 MET; pass", "Bob: pass", "Cat: start CIR at 25 in G18", "Ann: drop", "Bob: drop"):
        _order(game, line)
    return game


def company() -> Game:
    """MET has its turn."""
    return game_from(_tubes().turn("MET", waiting="ELR DIS BAK"))


def dividend() -> Game:
    """ELR has run, and says what it pays."""
    return game_from(_tubes().turn("ELR", waiting="DIS BAK"), "ELR: run best")


MOMENTS: dict[str, Callable[[], Game]] = {
    "auction": auction,
    "stock": stock,
    "floating": floating,
    "company": company,
    "dividend": dividend,
}


def _order(game: Game, line: str) -> None:
    for order in London(game.title, game.state).read(line):
        if not any(ask.player == order.actor or ask.actor == order.actor for ask in game.asked()):
            continue
        result = game.submit(order)
        assert not isinstance(result, engine.Refused), f"{order}: {result}"


def asked(game: Game) -> PlayerId:
    return game.asked()[0].player if game.asked() else game.state.players[0]
