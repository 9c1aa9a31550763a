"""Games of 1841 for tests of the words, each at a moment worth a look: described positions, and what went on there."""

from __future__ import annotations

from collections.abc import Callable

import engine
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.titles.t1841.mergers.first_four import FirstFour
from tests.kit.games.situations_1841 import Firm, Italian, firm, fresh, situation


def game_from(position: Italian, orders: str = "") -> Game:
    """A game that begins with the position, and goes on with the orders."""
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    game = Game(position.title, setup, position.state, _kept={0: position.state})
    for order in position.read(orders):
        result = game.submit(order)
        assert not isinstance(result, engine.Refused), f"{order}: {result}"
    return game


def concessions() -> Game:
    """Sealed bids; Ann's are in."""
    return game_from(fresh(), "Ann: bids 41 on Bayard, 37 on C-SFLP")


def tie() -> Game:
    """Bids are opened, and two were equal."""
    return game_from(fresh(), "Ann: bids 50 on C-SFTG, 25 on Bayard\nBob: bids 50 on C-SFTG\nCat: bids 30 on C-SSFL")


def _companies(cash: int = 900) -> tuple[Firm, ...]:
    """Ann runs SFTG, which runs SFTN; AFI and CTS own each other. ``cash`` is SFTN's."""
    return (
        firm("SFTG", {"Ann": 4, "Bob": 1}, at="I2", cash=140, trains="4"),
        firm("SFTN", {"SFTG": 3, "Cat": 1}, at="C3", cash=cash),
        firm("RSFS", {"Bob": 4, "Ann": 1}, at="F4", cash=200, trains="4", markers="M7", pool=1),
        firm("AFI", {"CTS": 2, "Bob": 1}, at="F5", markers="D8", pool=1),
        firm("CTS", {"AFI": 3, "Ann": 1}, at="E5", markers="E9"),
    )


_TILES = {"G5": "7#0", "I5": "87#2", "D8": "57#2", "E9": "621#2"}
_CASH = {"Ann": 400, "Bob": 350, "Cat": 120}


def stock() -> Game:
    """Bob is on turn: he may buy from others and start a company; two companies are frozen by a circle."""
    return game_from(
        situation(*_companies(), cash=_CASH, tiles=_TILES).stock("Ann", "SR 3"), "Ann: sell 1 RSFS\nAnn: pass"
    )


def company() -> Game:
    """SFTN, which SFTG owns and Ann controls, has its turn."""
    return game_from(situation(*_companies(), cash=_CASH, tiles=_TILES).turn("SFTN", waiting="RSFS"))


def help_needed() -> Game:
    """SFTN must have a train; SFTG, which owns it, sells first, and then Ann."""
    return game_from(situation(*_companies(0), cash=_CASH, tiles=_TILES).turn("SFTN", "trains", waiting="RSFS"))


def merging() -> Game:
    """SFTG may merge with SFTN or buy."""
    return game_from(_two_majors())


def exchange() -> Game:
    """Two majors have merged; SSFL, which Eve runs, has a single share."""
    return game_from(_two_majors(), "SFTG: merge SFTN into AFI")


def _two_majors() -> Italian:
    return situation(
        firm("SFTG", {"Bob": 2, "Ann": 3, "Cat": 1, "Dan": 1}, "E4", cash=100, markers="D8", pool=1),
        firm("SFTN", {"Bob": 3, "Cat": 1, "SSFL": 1}, "C5", cash=36, markers="E9", pool=2),
        firm("SSFL", "Eve", "A1"),
        tiles=_TILES,
        players="Ann Bob Cat Dan Eve",
        cash=dict.fromkeys(("Ann", "Bob", "Cat", "Dan", "SSFL"), 300),
    ).turn("SFTG", "merge")


def secession() -> Game:
    """The first 4-train divides the IRSFF: Ann chooses."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "SFTG": 2}, "F4", cash=100),
        firm("SFTN", {"Bob": 2, "IRSFF": 1}, "K1", markers=""),
        firm("SFTG", "IRSFF", "B1", markers="H4/0"),
        firm("AFI", "Eve", "A1", markers="L12"),
        players="Ann Bob Eve",
    ).turn("AFI", "sell")
    game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))
    return game_from(game)


def founding() -> Game:
    """Bob has started a company, and chooses where it is at home."""
    position = situation(*_companies(), cash=_CASH, tiles=_TILES).stock("Bob", "SR 3")
    return game_from(position, "Bob: start CTLP at 68")


MOMENTS: dict[str, Callable[[], Game]] = {
    "concessions": concessions,
    "tie": tie,
    "stock": stock,
    "founding": founding,
    "company": company,
    "help": help_needed,
    "merge": merging,
    "exchange": exchange,
    "secession": secession,
}


def asked(game: Game) -> PlayerId:
    return game.asked()[0].player if game.asked() else game.state.players[0]
