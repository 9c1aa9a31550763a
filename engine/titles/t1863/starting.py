"""The auction of the right to start a company."""

from __future__ import annotations

from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.auction import Auction


def may_bid(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player may bid for the right to start a company."""  # rule 4.2
    raise NotImplementedError


def funds(title: Title, state: State, player: PlayerId) -> int:
    """The most that the player may bid: what leaves enough to one of his entities for the cheapest float."""
    # rule 4.2, 12.14
    raise NotImplementedError


def won(play: Play, frame: Auction) -> None:
    """The winner floats the company."""  # rule 4.2
    raise NotImplementedError
