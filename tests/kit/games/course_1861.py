"""Where a game of 1861 goes on from a described position: agendas for ``tests.kit.games.situations``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.core.ids import CompanyId, PlayerId
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.names import MINOR
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.turn.company_turn import begin_turn
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.holders.charters import charter_of
from engine.steps.course import Course
from engine.titles.t1861.names import STATE
from engine.titles.t1861.state_railway import StateTurn
from tests.kit.games.situations import Described, Played, company, situation

AFTER_N = {"nikolaev_sold": True}


def stock_turn(game: Played, player: str, **frame: Any) -> Played:
    """``player`` is on turn in a stock round."""
    now = replace(game.state.round, kind="SR", number=0)
    game.state = replace(game.state, round=now)
    return game.turns(Course(), StockRound(PlayerId(player), **frame))


def operating_turn(game: Played, company: str, stage: str = "redeem", then: str = "") -> Played:
    """``company`` is on turn at ``stage`` and ``then`` (names) are to follow in this operating round."""
    name = CompanyId(company)
    following = tuple(map(CompanyId, then.split()))
    turn = replace(begin_turn(name, game.state.companies[name].loans), stage=stage)
    return game.turns(Course(), OperatingRound(following, paid=True), turn)


def whole_round(game: Played) -> Played:
    """An operating round from its beginning."""
    order = game.title.policies.operating_order(game.title, game.state)
    return game.turns(Course(), OperatingRound(order))


def state_turn(game: Played) -> Played:
    """The state railway's turn, the last of the round."""
    turn = StateTurn(game.state.companies[STATE].loans)
    return game.turns(Course(), OperatingRound((), paid=True, state_due=False), turn)


def merger_round(game: Played) -> Played:
    """A merger round with all minors to come."""
    game.state = replace(game.state, round=replace(game.state.round, kind="MR"))
    order = game.title.policies.operating_order(game.title, game.state)
    minors = tuple(c for c in order if charter_of(game.title, game.state, c).kind == MINOR)
    return game.turns(Course(), MergerRound(minors))


def stock(*described: Described, player: str = "Bob", **rest: Any) -> Played:
    """A stock round after N has been sold, ``player`` on turn."""
    return stock_turn(situation(*described, **{"marks": AFTER_N, "round": "SR 3", **rest}), player)


def mvr(bob: int = 5, cat: int = 3, pool: int = 0, at: str = "r3c8", operated: bool = True) -> Described:
    """A public company of Bob's, with Cat in second place."""
    return company("MVR", {"Bob": bob, "Cat": cat}, at=at, pool=pool, operated=operated, markers="")


def to_the_end(game: Played) -> Played:
    """All pass until the stock round is over."""
    while game.state.round.kind == "SR":
        game.do(f"{game.asked[0].split()[0]}: pass")
    return game


# ---- mergers ----

NETWORK: Final = {
    "H8": "638#0", "H10": "4#0", "H12": "8#3", "I13": "63#0", "H14": "9#1", "G15": "621#1", "I15": "9#0", "I17": "4#0",
    "I19": "57#0", "G9": "9#1", "F10": "8#2", "E9": "57#2",
}  # fmt: skip
"""Moscow H8, joined, with track to M-B in E9 and M-V in I13, and from there to K-R in G15 and V in I19."""
SPACES: Final = {
    165: "r1c7", 135: "r3c7", 120: "r4c7", 110: "r5c7", 100: "r6c7", 90: "r5c5", 70: "r6c4", 65: "r7c4", 60: "r7c3",
    55: "r8c3", 50: "r8c2", 45: "r8c1", 40: "r9c1", 35: "r10c1",
}  # fmt: skip


def minor(name: str, owner: str, price: int = 120, **rest: Any) -> Described:
    """A minor at the space of ``price``."""
    return company(name, owner, at=SPACES[price], **rest)


def mergers(*described: Described, **rest: Any) -> Played:
    """The merger round after OR 4.1, on the network above."""
    given: dict[str, Any] = {"phase": "5", "round": "OR 4.1", "tiles": NETWORK, **rest}
    return merger_round(situation(*described, **given))


def agreed(game: Played, order: str) -> Played:
    """Give the order, and let everybody agree who is asked."""
    game.do(order)
    while game.asked and game.asked[0].endswith("consent"):
        game.do(f"{game.asked[0].split()[0]}: agree")
    return game


def refuse_shares(game: Played) -> Played:
    """Nobody takes another share of what was formed."""
    while game.asked and game.asked[0].endswith("offer.shares"):
        game.do(f"{game.asked[0].split()[0]}: take 0")
    return game


# ---- first trains ----


def buyer(train: str = "5", cash: int = 2000, name: str = "GRR") -> Described:
    """A public company that can buy any new train and has one."""
    return company(name, {"Ann": 2}, at="r1c12", markers="", cash=cash, trains=train)


def first_train(train: str, *described: Described, **rest: Any) -> Played:
    """GRR buys the first train of its type; ``described`` (without a train of their own accord) are in play."""
    before = str(int(train) - 1)
    given: dict[str, Any] = {"phase": before, "supply": {before: 0}, **rest}
    game = situation(*described, buyer(), **given)
    operating_turn(game, "GRR", "trains").do(f"GRR: train {train}")
    return game
