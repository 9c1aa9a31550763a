"""How the plain player bids: what a company needs for its first train, and what a private brings."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask, Menu
from engine.core.data import PrivateData
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Bid, Drop, Open, Order, Start
from engine.core.state import State
from engine.core.title import Title
from engine.sensible.common import KEPT_BACK, at, next_cost, of, ranges
from engine.sensible.thrift import has_bills, may_found

RAISES: Final = 60
"""So much more than his own first bid he pays for a company."""
RIGHT: Final = 15
"""The most that he pays for no more than the right to start a company."""
INCOMES: Final = 4
"""A private that is sold for its face at least is worth so many incomes more."""


def open_private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The least bid, as long as enough is left for a company."""
    opened = of(menu, Open)
    least = int(ask.about[1])
    if opened and game.state.money(ask.player) - least >= KEPT_BACK:
        return opened[0]
    return None


def bid_first(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The same where the auctioneer is asked for one private."""
    found = of(menu, Bid)
    if found and game.state.money(ask.player) - found[0].amount >= KEPT_BACK:
        return found[0]
    return None


def bid(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A little more than stands, up to what it is worth to him; halfway there, where bids begin at the face."""
    item = ask.about[0]
    private = next((p for p in game.title.privates.values() if p.id == item), None)
    if private is not None:
        most = min(_worth(game.title, private), game.state.money(ask.player) - KEPT_BACK)
    elif game.state.board.places_of(CompanyId(item)):  # its marker stands: the bid is for the right alone
        most = RIGHT if may_found(game.title, game.state, ask.player) else 0
    else:
        most = first_bid(game.title, game.state, CompanyId(item)) + RAISES
    found = of(menu, Bid)
    if not found or found[0].amount > most:
        return Drop(ask.player)
    if private is not None and (not private.income or not _below_face(private)):
        return at(ranges(menu, Bid)[0], (found[0].amount + most) // 2)
    return found[0]


def _worth(title: Title, private: PrivateData) -> int:
    """Less than its face where bids begin lower, half of it where it has no income either, and a quarter where
    companies get bills, for which they need the money; otherwise its face and some incomes, or half as much again where
    what it brings is no income."""
    if _below_face(private):
        return private.face - 5 if private.income else private.face // (4 if has_bills(title) else 2)
    return private.face + (INCOMES * private.income or private.face // 2)


def _below_face(private: PrivateData) -> bool:
    return private.minimum < private.face


def first_bid(title: Title, state: State, company: CompanyId) -> int:
    """Enough for the first train with a single loan, in steps of five."""
    return max(KEPT_BACK, -(-(next_cost(title, state) - title.loan) // 5) * 5)


def par(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The highest par: the company gets the most for a certificate that costs nothing more."""
    return max(of(menu, Start), key=lambda s: s.price, default=None)
