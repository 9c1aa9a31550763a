"""Where a game of 1861 goes on from a described position: agendas for ``tests.situations``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.ids import CompanyId, PlayerId
from engine.steps.company_turn import CompanyTurn, Stage
from engine.titles.t1861.merger_round import MergerRound
from engine.titles.t1861.names import MINOR, STATE
from engine.titles.t1861.operating_round import OperatingRound
from engine.titles.t1861.sequence import Course
from engine.titles.t1861.state_railway import StateTurn
from engine.titles.t1861.stock_round import StockRound
from tests.situations import Described, Played, situation

AFTER_N = {"nikolaev_sold": True}


def stock_turn(game: Played, player: str, **frame: Any) -> Played:
    """``player`` is on turn in a stock round."""
    now = replace(game.state.round, kind="SR", number=0)
    game.state = replace(game.state, round=now)
    return game.turns(Course(True), StockRound(PlayerId(player), **frame))


def operating_turn(game: Played, company: str, stage: str = "redeem", then: str = "") -> Played:
    """``company`` is on turn at ``stage`` and ``then`` (names) are to follow in this operating round."""
    name = CompanyId(company)
    following = tuple(map(CompanyId, then.split()))
    turn = CompanyTurn(name, game.state.companies[name].loans, Stage[stage.upper()])
    return game.turns(Course(True), OperatingRound(following, paid=True), turn)


def whole_round(game: Played) -> Played:
    """An operating round from its beginning."""
    order = game.title.policies.operating_order(game.title, game.state)
    return game.turns(Course(True), OperatingRound(order))


def state_turn(game: Played) -> Played:
    """The state railway's turn, the last of the round."""
    turn = StateTurn(game.state.companies[STATE].loans)
    return game.turns(Course(True), OperatingRound((), paid=True, state_due=False), turn)


def merger_round(game: Played) -> Played:
    """A merger round with all minors to come."""
    game.state = replace(game.state, round=replace(game.state.round, kind="MR"))
    order = game.title.policies.operating_order(game.title, game.state)
    minors = tuple(c for c in order if game.title.companies[c].kind == MINOR)
    return game.turns(Course(True), MergerRound(minors))


def stock(*described: Described, player: str = "Bob", **rest: Any) -> Played:
    """A stock round after N has been sold, ``player`` on turn."""
    return stock_turn(situation(*described, **{"marks": AFTER_N, "round": "SR 3", **rest}), player)
