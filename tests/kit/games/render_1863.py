"""Games of 1863 for tests of the words, each at a moment worth a look: described positions, and what went on there."""

from __future__ import annotations

from collections.abc import Callable

import engine
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.stock_round import begin_stock_round
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


RAILS = {"C10": "57#1", "D9": "4#1", "E8": "58#5", "F9": "6#0"}
"""Track from Paddington to Marylebone."""


def _tubes(round: str = "OR 2.1") -> London:
    """Ann has MET, which is president of DIS and holds BAK whole; Bob has ELR, Cat has CLR and has sold DIS short."""
    return situation(
        tube("MET", {"Ann": 4, "Bob": 2, "ELR": 1}, 110, cash=260, loans=1, trains="2T 3T", last_run=90, tokens=4),
        tube("DIS", {"MET": 3, "Bob": 1}, 80, cash=40, loans=2, trains="2T", last_run=60, pool=2, shorts={"Cat": 2}),
        tube("BAK", "MET", 65, minor=True, cash=30, trains="2T", last_run=20),
        tube("ELR", {"Bob": 5, "Ann": 1}, 100, cash=150, trains="2+1e", last_run=100, markers="Q20 P17", tokens=3),
        tube("CLR", "Cat", 45, minor=True, cash=5, trains="2T", loans=2, markers="I10"),
        round=round,
        cash={"Ann": 310, "Bob": 185, "Cat": 420},
        privates={"GRE": "MET", "RMR": "Cat", "NEL": "Bob", "CHO": "ELR"},
        tiles={**RAILS, "C18": "57#0", "Q20": "57#1"},
        marks={"mail": ("C10", "M10")},
    )


def stock() -> Game:
    """Ann may act as herself, or as MET, DIS or BAK."""
    position = _tubes("SR 3")
    play = position.play()
    begin_stock_round(play)
    return game_from(position.frames(*play.state.agenda))


def floating() -> Game:
    """Cat has won the right to start CIR."""
    position = _tubes("SR 3").frames(StockRound(PlayerId("Cat")))
    return game_from(position, "Cat: start CIR at 25 in G18\nAnn: drop\nBob: drop")


def company() -> Game:
    """MET has its turn."""
    return game_from(_tubes().turn("MET", waiting="ELR DIS BAK CLR"))


def dividend() -> Game:
    """MET has run, and says what it pays."""
    return game_from(_tubes().turn("MET", waiting="ELR DIS BAK CLR"), "MET: run best")


def crisis() -> Game:
    """CLR cannot pay its bill, and has all its loans."""
    return game_from(_tubes().turn("CLR", "end"), "CLR: done")


def merger() -> Game:
    """A round of mergers: BAK may convert or merge with CLR."""
    return game_from(_tubes("MR 2.1").frames(MergerRound()), "MET: pass\nBob: pass\nELR: pass\nCat: pass\nCLR: decline")


def halves() -> Game:
    """ELR and MET have merged, and Bob has half a share."""
    position = situation(
        tube("MET", {"Ann": 5, "Bob": 3}, 110, cash=200, trains="2T", shorts={"Cat": 1}),
        tube("ELR", {"Ann": 2}, 100, cash=100, trains="2T"),
        round="MR 2.1",
        cash={"Ann": 500, "Bob": 500, "Cat": 500},
    )
    return game_from(position.frames(MergerRound()), "ELR: merge MET into MET\nAnn: pass")


def _failing() -> London:
    """CLR is in liquidation with a train, two loans and a private, and Bob's ELR in acquisition."""
    return situation(
        tube("MET", {"Ann": 4, "Bob": 2}, 110, cash=260, trains="3T", tokens=4),
        tube("ELR", {"Bob": 3, "Ann": 1}, 30, cash=150, trains="2+1e", loans=1, markers="Q20 P17", shorts={"Cat": 1}),
        tube("CLR", "Cat", 0, cash=5, trains="2T", loans=2, markers="I10 H11"),
        round="MR 2.1",
        cash={"Ann": 310, "Bob": 185, "Cat": 300},
        privates={"GRE": "CLR", "POR": "CLR", "FOW": "Ann"},
        marks={"owed": {CompanyId("CLR"): 25}},
    )


def lot() -> Game:
    """The markers of CLR have gone to the LPTB; its trains are put up, and MET has bid."""
    return game_from(_failing().frames(MergerRound()), "Ann: drop\nBob: drop\nMET: bid 10")


def acquisition() -> Game:
    """CLR is gone, and ELR is put up."""
    orders = "Ann: drop\nBob: drop\nMET: bid 10\nBob: drop\nAnn: bid 40\nBob: drop\nCat: drop\nCat: bid 40"
    return game_from(_failing().frames(MergerRound()), orders)


def private() -> Game:
    """Ann has put up a private of hers."""
    return game_from(_tubes("MR 2.1").frames(MergerRound()), "MET: auction GRE at 30\nBob: bid 45")


def lptb() -> Game:
    """The LPTB has seized ELR, which has no train, and asks which companies are offered to it."""
    position = situation(
        tube("MET", {"Ann": 4, "Bob": 2}, 110, cash=260, trains="5T", loans=1, tokens=4),
        tube("DIS", {"MET": 3, "Bob": 1}, 80, cash=40, trains="2+3e", pool=2),
        tube("ELR", {"Bob": 5, "Ann": 1}, 100, cash=150, last_run=60, markers="Q20 P17", shorts={"Cat": 1}),
        phase="V",
        round="OR 4.1",
        cash={"Ann": 310, "Bob": 185, "Cat": 420},
    )
    return game_from(position.turn("ELR", "end"), "ELR: done")


def transfer() -> Game:
    """Ann has taken shares of DIS from MET; it is Bob's turn."""
    position = _tubes("SR 3").frames(StockRound(PlayerId("Ann")))
    return game_from(position, "Ann: transfer 2 DIS from MET to Ann")


MOMENTS: dict[str, Callable[[], Game]] = {
    "auction": auction,
    "stock": stock,
    "floating": floating,
    "company": company,
    "dividend": dividend,
    "crisis": crisis,
    "merger": merger,
    "halves": halves,
    "lot": lot,
    "acquisition": acquisition,
    "private": private,
    "lptb": lptb,
    "transfer": transfer,
}


def asked(game: Game) -> PlayerId:
    return game.asked()[0].player if game.asked() else game.state.players[0]
