"""Auctions in which players bid for themselves: for privates, and for the right to start a company."""

from __future__ import annotations

from typing import Final

from engine.core.ids import PlayerId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.auction import Auction, AuctionStep
from engine.titles.t1863.privates import auction
from engine.titles.t1863.stock import start_right as starting


def _for_private(state: State) -> bool:
    top = state.top
    # rule 3.2, 4.2
    return isinstance(top, Auction) and PrivateId(top.item) in state.privates


def _may_bid(title: Title, state: State, player: PlayerId) -> bool:
    if _for_private(state):
        return auction.may_bid(title, state, player)
    return starting.may_bid(title, state, player)


def _funds(title: Title, state: State, player: PlayerId) -> int:
    return state.money(player) if _for_private(state) else starting.funds(title, state, player)


def _won(play: Play, frame: Auction) -> None:
    if PrivateId(frame.item) in play.state.privates:
        auction.won(play, frame)
    else:
        starting.won(play, frame)


AUCTIONS: Final = AuctionStep(_may_bid, _won, _funds, any_amount=True)
"""The step for these auctions. Each bid is at least 5 above the last one."""
