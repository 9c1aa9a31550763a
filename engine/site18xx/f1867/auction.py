"""Auctions in records of 18xx.games: passes that our game does not ask for.

For some years the site asked every player with enough money for the next bid, even at the certificate limit. Our game
does not ask such a player, so his pass in the record must not be read as a pass in the stock round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.core.agenda import Ask
from engine.core.events import BidMade, Bought, DirectorChanged, Dropped, Event, Opened, Passed, Sold
from engine.core.evolve import evolve
from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.mergers.merger_round import free_publics
from engine.families.f1867.stock.bids import MINOR_MINIMUM, STEP
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.stock.starts import (
    MINOR_START_MARKS,
    PUBLIC_START_MARKS,
    may_take_certificate,
    offered_minors,
    on_offer,
)
from engine.site18xx.walk import Walk
from engine.steps.auction import Auction


@dataclass(slots=True)
class AuctionPasses:
    """Counts, by player, the passes that the record still has to contain."""

    _bid: int = 0
    _due: Counter[PlayerId] = field(default_factory=Counter)

    def hear(self, event: Event, state: State) -> None:
        """Note what has happened; ``state`` is the position after it."""
        acted = isinstance(event, Opened | Sold | Bought | DirectorChanged)
        if acted or (isinstance(event, Passed) and not event.forced):
            self._due.clear()  # the site asked them before anybody had his next turn
        if isinstance(event, Opened | BidMade):
            self._bid = event.amount
        elif isinstance(event, Dropped) and event.forced and state.money(event.player) >= self._bid + STEP:
            self._due[event.player] += 1  # the player had the money, so it was the limit

    def take(self, player: PlayerId, ask: Ask | None) -> bool:
        """True if the current pass of ``player`` is one of these, and no answer to what he is asked here. It is then
        counted off."""
        if not self._due[player] or _answered_by_pass(ask):
            return False
        self._due[player] -= 1
        return True

    def comes(self, walk: Walk, number: int) -> bool:
        """True if action ``number``, which is still to come, will be one of these passes, and no answer to what the
        player is asked here."""
        player, last = PlayerId(walk.actor(number)), walk.actions[number]
        if last["type"] != "pass" or _answered_by_pass(walk.ask(player)):
            return False
        following = walk.actions[walk.at + 1 : number + 1]
        passes = sum(1 for a in following if a["type"] == "pass" and a.get("entity") == last.get("entity"))
        return passes <= self._due[player]


def _answered_by_pass(ask: Ask | None) -> bool:
    """True if a pass answers this question. One in a stock turn may also belong to the auction before it."""
    return ask is not None and ask.what != "stock.turn"


def asked_there(title: Title, before: State, events: Iterable[Event]) -> Iterator[PlayerId]:
    """The players for whom our game passes because they can do nothing, but whom the site asks."""
    state = before
    for event in events:
        match event:
            case Passed(actor=player, forced=True) if isinstance(state.top, StockRound):
                if _could_start(title, state, PlayerId(player)) or _could_open(title, state, PlayerId(player)):
                    yield PlayerId(player)
            case Dropped(player=player, forced=True) if isinstance(state.top, Auction):
                if state.money(player) >= state.top.amount + STEP:  # it was the limit of certificates
                    yield player
        state = evolve(title, state, event)


def _could_open(title: Title, state: State, player: PlayerId) -> bool:
    """True if the site considers the player able to open the auction of a minor. It does not look for a home."""
    if on_offer(title, state) is not None or not may_take_certificate(title, state, player):
        return False
    return bool(offered_minors(title, state)) and state.money(player) >= MINOR_MINIMUM


def _could_start(title: Title, state: State, player: PlayerId) -> bool:
    """True if the site considers the player able to start a public company. It uses the lowest start price of all, even
    one for minors only."""
    public = title.reached(state, "4") and bool(free_publics(title, state))
    if not public or not may_take_certificate(title, state, player):
        return False
    cells = title.chart.cells_marked(*MINOR_START_MARKS, *PUBLIC_START_MARKS)
    return state.money(player) >= 2 * min(title.chart.price(cell) for cell in cells)
