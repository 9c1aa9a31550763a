"""The plain player's bids: the price of a company's first train, and the worth of a private."""

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
"""The most by which the player exceeds his own first bid for a company."""
RIGHT: Final = 15
"""The most that the player pays for the mere right to start a company."""
INCOMES: Final = 4
"""The number of incomes that a private is worth above its face value, if bids do not begin below that."""


def open_private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The minimum bid on a private, as long as ``KEPT_BACK`` is left for a company."""
    opened = of(menu, Open)
    least = int(ask.about[1])
    if opened and game.state.money(ask.player) - least >= KEPT_BACK:
        return opened[0]
    return None


def bid_first(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The auctioneer's minimum bid on his private, as long as ``KEPT_BACK`` is left for a company."""
    found = of(menu, Bid)
    if found and game.state.money(ask.player) - found[0].amount >= KEPT_BACK:
        return found[0]
    return None


def bid(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The least raise, up to the worth of the item to the player; beyond that he drops out. If a private has no income,
    or bids on it do not begin below its face value, the bid is halfway between the least raise and its worth."""
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
    """The worth of a private. If bids begin below its face value: 5 less than that or, without an income, half of it (a
    quarter where companies get bills, for which they need the money). Otherwise the face value and ``INCOMES`` times
    the income or, without an income, one and a half times the face value."""
    if _below_face(private):
        return private.face - 5 if private.income else private.face // (4 if has_bills(title) else 2)
    return private.face + (INCOMES * private.income or private.face // 2)


def _below_face(private: PrivateData) -> bool:
    return private.minimum < private.face


def first_bid(title: Title, state: State, company: CompanyId) -> int:
    """The first bid for a company: enough to buy its first train with a single loan, rounded up to a multiple of 5."""
    return max(KEPT_BACK, -(-(next_cost(title, state) - title.loan) // 5) * 5)


def par(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The highest par, so that the company receives the most for a certificate that costs the player nothing more."""
    return max(of(menu, Start), key=lambda s: s.price, default=None)
