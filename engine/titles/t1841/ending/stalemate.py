"""The end that no rule of the book provides: no company can do anything any more, and nobody can change that."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from engine.core.events import Marked
from engine.core.ids import POOL, TREASURY, CompanyId, PlayerId
from engine.core.orders import Done
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, directors_worth, ordinary_kind
from engine.holders.control import controller_of, count, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.ending.end_signals import signal_end
from engine.titles.t1841.names import RESIGNED
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.market import start_prices
from engine.titles.t1841.stock.presidency import bound
from engine.titles.t1841.stock.trading import list_sales
from engine.titles.t1841.turn.company_turn import TURNS

STALEMATE: Final = "stalemate"
STILL: Final = "still"
"""Mark: the digest of the position at the end of a stock round in which nobody could do anything that leads further."""


def look_for_stalemate(play: Play, idle: bool) -> None:
    """Look for a stalemate at the end of a stock round. ``idle``: nobody could do anything but pass in it. The game
    ends if no company can do anything in its turn, players could at most trade with each other to no avail, and the
    position is the same as one set ago, so that all that follows would only be repeated."""
    # rule 12.7
    title, state = play.title, play.state
    if rulings_of(title).stalemate == "goes_on":
        return
    still = (idle or not can_go_on(title, state)) and not any(_can_act(play, company) for company in state.prices)
    now = _position(state) if still else None
    before = state.marks.get(STILL)
    if now is not None and now == before:
        signal_end(play, STALEMATE)
    elif now != before:
        play.emit(Marked(STILL, now))


def can_go_on(title: Title, state: State) -> bool:
    """True if a player can do more than trade with other players, or could after such trades, while companies change
    nothing. All that players can give each other is counted together: their money, and their shares of each company."""
    # rule 12.7
    resigned: frozenset[PlayerId] = state.marks.get(RESIGNED, frozenset())
    players = tuple(p for p in state.players if p not in resigned)
    money = sum(map(state.money, players))
    return (
        any(cost <= money for cost in _costs(title, state))
        or any(_would_preside(title, state, players, company) for company in state.prices)
        or any(next(list_sales(title, state, player), None) is not None for player in players)
    )


def _costs(title: Title, state: State) -> Iterator[int]:
    """Yield the prices of all that is for sale, except by players: certificates, concessions and companies to be
    started."""
    for company, now in state.companies.items():
        worth, ordinary = directors_worth(title, state, company), ordinary_kind(title, state, company)
        if now.status == "unstarted":
            yield worth * start_prices(title, company)[0]
        elif now.status == "open" and any(count(state, place, company, ordinary) for place in (TREASURY, POOL)):
            yield title.price(state, company)
        elif now.status == "open" and count(state, POOL, company, director_kind(title, state, company)):
            yield worth * title.price(state, company)
    yield from (title.privates[private].face for private, owner in state.privates.items() if owner is None)


def _would_preside(title: Title, state: State, players: tuple[PlayerId, ...], company: CompanyId) -> bool:
    """True if one player with the shares of all players could become president of the company. If its concession still
    exists, shares alone do not bring that."""
    if bound(title, state, company):
        return False
    owner = owner_of(title, state, company)
    held = sum(shares(title, state, player, company) for player in players)
    enough = directors_worth(title, state, company) if owner is None else shares(title, state, owner, company) + 1
    return held >= enough


def _can_act(play: Play, company: CompanyId) -> bool:
    """True if the company, or somebody else in its turn, could do something in a turn now."""
    if controller_of(play.title, play.state, company) is None:
        return False  # rule 11.3
    turn = TURNS.begin(company)
    trial = Play(play.title, play.state)
    trial.push(turn)
    asks = TURNS.asked(play.title, trial.state, turn)
    menus = (TURNS.menu(play.title, trial.state, turn, ask) for ask in asks)
    return any(choice.order != Done(company) for menu in menus for choice in menu)


def _position(state: State) -> str:
    """A digest of all that may change in a set of rounds though nobody acts."""
    parts = (state.cash, state.holdings, state.privates, state.prices)
    rows = [sorted(repr(row) for row in part.items()) for part in parts]
    return hashlib.sha256(repr(rows).encode()).hexdigest()
