"""The plain player's company turns: track, marker, the best run, trains, and the use of the earnings."""

from __future__ import annotations

from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.orders import (
    Bankrupt,
    BuyPrivate,
    Dividend,
    Done,
    Lay,
    Order,
    Pay,
    RunBest,
    Sell,
    Settle,
    Token,
    Train,
    Tunnel,
    UsePrivate,
)
from engine.core.state import State
from engine.core.title import Title
from engine.sensible.capital import borrow, dividend, repay
from engine.sensible.common import at, lasting, next_cost, of, ranges, worst_share
from engine.sensible.owners import invest, sale
from engine.sensible.thrift import bill, earns_more, has_bills, idles
from engine.sensible.track import marker, power, track, tunnel


def company_turn(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The next order of a company's turn, in the order of its steps."""
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    order = (
        power(game, company, of(game.unasked(ask.player), UsePrivate))
        or track(game, company, of(menu, Lay), must=_must_lay(menu), astray=_astray(title, state, company, menu))
        or tunnel(game, company, of(menu, Tunnel))
        or marker(game, company, of(menu, Token))
    )
    if order is not None:
        return order
    if (repaid := repay(title, state, company, menu)) is not None:
        return repaid
    for kind in (RunBest, Settle):
        if found := of(menu, kind):
            return found[0]
    return (
        dividend(game, ask, menu)
        or _help(game, ask, company, menu)
        or _train(title, state, ask, company, menu)
        or borrow(title, state, company, menu)
        or _private(game, ask, menu)
        or invest(title, state, company, menu)
        or next(iter(of(menu, Done)), None)
        or _at_last(game, ask, menu)
    )


def _must_lay(menu: Menu) -> bool:
    """True if the menu offers nothing but track, tunnels and purchases of privates."""
    return all(isinstance(c.order, Lay | Tunnel | BuyPrivate) for c in menu)


def _astray(title: Title, state: State, company: CompanyId, menu: Menu) -> bool:
    """True if the company has no route now, so that a dividend is declared next. Where companies get bills, also true
    if it has trains that could count all stops in reach."""
    if bool(ranges(menu, Dividend)) and not of(menu, RunBest):
        return True
    return has_bills(title) and len(state.companies[company].trains) > 0 and idles(title, state, company)


def _at_last(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The last resort of a company that must buy a train. In this order: the cheapest train of the bank or the pool, a
    sale of shares, bankruptcy (going on with a loan rather than resigning), the cheapest train of another company."""
    title = game.title
    trains = of(menu, Train)
    fixed = [t for t in trains if t.source in (None, BANK, POOL)]
    return (
        min(fixed, key=lambda t: title.trains[t.train].cost, default=None)
        or sale(game, ask, menu)
        or next((sale(game, other, game.legal(other.actor)) for other in game.asked() if _helps(ask, other)), None)
        or min(of(menu, Bankrupt), key=lambda b: b.way == "resign", default=None)
        or min(trains, key=lambda t: title.trains[t.train].cost, default=None)
    )


def _helps(ask: Ask, other: Ask) -> bool:
    """True if ``other`` asks the same player to sell shares for the company that ``ask`` is about."""
    return other.what == "company.help" and other.player == ask.player and other.about[:1] == ask.about[:1]


def _help(game: Game, ask: Ask, company: CompanyId, menu: Menu) -> Order | None:
    """The director's help for a company that must have a train: a spare train of another company of his, or a sale of
    shares by the company instead of debt."""
    title, state = game.title, game.state
    if state.companies[company].trains or title.loan or of(menu, Done):
        return None
    sister = _from_sister(title, state, ask, menu, own_money=True)
    if sister is not None:
        return sister
    prices = [title.trains[t.train].cost for t in of(menu, Train) if t.source in (None, BANK, POOL)]
    sales = [s for s in of(menu, Sell) if s.actor == company]
    if sales and prices and min(prices) > state.money(company) + state.money(ask.player):
        return worst_share(title, state, sales)
    return None


def _train(title: Title, state: State, ask: Ask, company: CompanyId, menu: Menu) -> Order | None:
    """The cheapest train of the bank or the pool. A company that has a train buys only if it can still pay its bill
    afterwards and, where companies get bills, only if the train pays. A company without a train buys from another
    company of the player if neither the bank nor the pool sells one."""
    found = of(menu, Train)
    owned = state.companies[company].trains
    fixed = [t for t in found if t.source in (None, BANK, POOL)]
    if owned and has_bills(title):
        fixed = [t for t in fixed if earns_more(title, state, company, t.train)]
    needed = bill(title, state, company) if owned else 0
    if fixed and (not owned or min(title.trains[t.train].cost for t in fixed) + needed <= state.money(company)):
        return _better_face(
            title, state, company, fixed, max(fixed, key=lambda t: (-title.trains[t.train].cost, t.source == POOL))
        )
    if owned or fixed:
        return None
    return _from_sister(title, state, ask, menu, own_money=False)


def _better_face(title: Title, state: State, company: CompanyId, fixed: list[Train], chosen: Train) -> Train:
    """The other, dearer side of the same new card, if the company can pay for it itself; otherwise ``chosen``."""
    card = title.trains[chosen.train].card
    other = next((t for t in fixed if t.train == card and t.source == chosen.source), None)
    if other is not None and title.trains[other.train].cost <= state.money(company):
        return other
    return chosen


def _from_sister(title: Title, state: State, ask: Ask, menu: Menu, own_money: bool) -> Order | None:
    """A train of another company of the player that has more than one, for half of the highest price. ``own_money``:
    for no more than the buyer's treasury, if the lowest price allows it."""
    for choice in ranges(menu, Train):
        order = choice.order
        assert isinstance(order, Train) and order.source is not None
        seller = CompanyId(order.source)
        sister = title.policies.director(title, state, seller) == ask.player
        if sister and len(state.companies[seller].trains) > 1:
            return at(choice, min(choice.high // 2, state.money(order.actor)) if own_money else choice.high // 2)
    return None


def _private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The player's own private, once the company has a train: for its face value if that is the highest price. If more
    is allowed, for as much as leaves the price of the next train and twice the bill, but not for less than its face."""
    title, state = game.title, game.state
    for choice in ranges(menu, BuyPrivate):
        order = choice.order
        assert isinstance(order, BuyPrivate)
        face = title.privates[order.private].face
        if not state.companies[order.actor].trains or state.privates[order.private] != ask.player:
            continue
        if choice.high == face < state.money(order.actor):
            return at(choice, face)
        spare = state.money(order.actor) - next_cost(title, state) - 2 * bill(title, state, order.actor)
        if choice.high > face and spare >= face:
            return at(choice, min(choice.high, spare))
    return None


def pay(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Pay out half if the company has room for the next train and cannot pay for it yet, otherwise all. If half is not
    possible, withhold only if, in addition, no train of the company will last."""
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    kinds = {order.kind for order in of(menu, Pay)}
    trains = state.companies[company].trains
    room = title.policies.train_limit(title, state, company) - len(trains)
    saves = room > 0 and state.money(company) < next_cost(title, state)
    if "half" in kinds:
        return Pay(company, "half" if saves else "full")
    return Pay(company, "none" if saves and not any(lasting(title, state, t) for t in trains) else "full")


def run(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The order to run the best routes."""
    return next(iter(of(menu, RunBest)), None)
