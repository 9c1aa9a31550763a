"""The auction of privates: who opens names one and bids; the others raise or drop out; an opener may pass."""

from __future__ import annotations

from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.auction import Auction
from engine.titles.t1863.ends import finish


def begin_privates(play: Play) -> None:
    """Put the auction of privates, or the quick deal, on the agenda: the priority player opens."""  # rule 3.1, 3.7
    finish(play)  # until the auction is there


def may_bid(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player may bid on the private that is up; nobody may who has the Clink Club."""  # rule 3.6
    raise NotImplementedError


def won(play: Play, frame: Auction) -> None:
    """The winner pays the bank and takes the private; the player on his left opens next."""  # rule 3.3
    raise NotImplementedError
