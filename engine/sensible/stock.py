"""The plain player's stock turns: a company of his own first, then the share with the highest yield."""

from __future__ import annotations

from typing import Final

from engine.acts.reach import reach_for
from engine.core.agenda import Ask, Menu, Range
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Buy, BuyMountain, BuyTunnel, Open, Order, Repay, Sell, Start
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of, directors_worth
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.sensible.bids import first_bid
from engine.sensible.capital import start
from engine.sensible.common import at, earns, next_cost, of, ranges, stop_value, worst_share
from engine.sensible.owners import concession
from engine.sensible.thrift import could_found_two, has_bills, make_room

LEAST_YIELD: Final = 3
"""The yield, in per cent of its price, of a share worth buying."""
SPARE: Final = 250
"""The cash that the player needs to buy a mountain railway or a tunnel, and that a company needs to build a tunnel."""


def stock_turn(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The next order of a stock turn: the repayment of debts first, then a new company of the player's own, the share
    with the highest yield, the start of a public company."""
    title, state = game.title, game.state
    sales = of(menu, Sell)
    if not any(not isinstance(c.order, Sell) for c in menu):
        return worst_share(title, state, sales)
    if repayments := ranges(menu, Repay):
        return at(repayments[0], repayments[0].high)
    if state.debt(ask.player) and sales:
        return worst_share(title, state, sales)
    if has_bills(title) and could_found_two(title, state, ask.player):
        founded = make_room(game, ask, menu) or start(game, ask, menu)
        if founded is not None:
            return founded
    return (
        _new_minor(game, menu)
        or _launch(game, ask, menu)
        or _found(game, ask, menu)
        or _paper(game, ask, menu)
        or _share(game, ask, menu)
        or _new_public(game, menu)
        or start(game, ask, menu)
        or concession(game, ask, menu)
    )


def _new_minor(game: Game, menu: Menu) -> Order | None:
    title, state = game.title, game.state

    def worth(choice: Range) -> int:
        home = charter_of(title, state, _item(choice)).home
        return 0 if home is None else stop_value(title, state, state.board, ("c", *home))

    able = [
        c
        for c in ranges(menu, Open)
        if c.high + title.policies.credit(title, state, _item(c)) >= next_cost(title, state)
    ]
    if not able:
        return None
    best = max(able, key=worth)
    return at(best, first_bid(title, state, _item(best)))


def _item(choice: Range) -> CompanyId:
    assert isinstance(choice.order, Open) and choice.order.item is not None
    return CompanyId(choice.order.item)


def _launch(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A share from the IPO of a company that the player directs and that has not started, since it starts when enough
    shares are sold. Of several companies, the one that needs the fewest."""
    title, state = game.title, game.state
    mine = [
        order
        for order in of(menu, Buy)
        if order.source == "ipo"
        and state.companies[order.company].status == "unstarted"
        and controller_of(title, state, order.company) == ask.player
    ]
    return min(mine, key=lambda order: _missing(title, state, order.company), default=None)


def _launch_shares(title: Title, state: State, company: CompanyId) -> int:
    return -(-all_shares(title, state, company) * title.companies[company].launch_percent // 100)


def _begins_at_once(title: Title, state: State, company: CompanyId) -> bool:
    """True if the sale of the director's certificate alone starts the company."""
    return _launch_shares(title, state, company) <= directors_worth(title, state, company)


def _missing(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares that must still be bought for the company to start."""
    sold = all_shares(title, state, company) - shares(title, state, title.unsold, company)
    return _launch_shares(title, state, company) - sold


def _found(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The start of a company that the player can launch alone and that can then pay for its first train: the one with
    the most capital and the best home, at the highest par. If its destination is not reached, its capital counts
    twice."""
    title, state = game.title, game.state
    need, cash = next_cost(title, state), state.money(ask.player)

    def able(order: Start) -> bool:
        missing, needed = _missing(title, state, order.company), _launch_shares(title, state, order.company)
        whole = _begins_at_once(title, state, order.company)
        return not whole and missing * order.price <= cash and needed * order.price >= need

    def worth(order: Start) -> tuple[int, int]:
        home = charter_of(title, state, order.company).home
        value = 0 if home is None else stop_value(title, state, state.board, ("c", *home))
        money = _launch_shares(title, state, order.company) * order.price
        twice = title.policies.remarks(title, state, order.company).get("done") is False
        return money * (2 if twice else 1) + 5 * value, order.price

    return max(filter(able, of(menu, Start)), key=worth, default=None)


def _paper(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The mountain railway with the highest income that one of the player's companies can reach; otherwise a tunnel
    certificate, if one of his companies has the money to build the tunnel and he has no unused certificate."""
    title, state = game.title, game.state
    if state.money(ask.player) < SPARE:
        return None
    mine = [c for c in state.companies if title.policies.director(title, state, c) == ask.player]
    color = title.phase(state).revenue_color
    found = [m for m in of(menu, BuyMountain) if any(m.hex in reach_for(title, state, c, "run").hexes for c in mine)]
    if found:
        return max(found, key=lambda m: _best_income(title, m, color))
    unused = any(
        owner == ask.player and title.policies.remarks(title, state, p).get("hex", p) is None
        for p, owner in state.privates.items()
    )
    rich = any(state.companies[c].trains and state.money(c) >= SPARE for c in mine)
    return next(iter(of(menu, BuyTunnel)), None) if rich and not unused else None


def _best_income(title: Title, order: BuyMountain, color: str) -> int:
    return sum(area.value(color) for area in title.map.tiles[order.panel].face.offboards)


def _share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The share with the highest yield, if that is high enough. A share from a treasury counts for more, above all if
    the player directs the company."""
    title, state = game.title, game.state

    def score(order: Buy) -> int:
        mine = title.policies.director(title, state, order.company) == ask.player
        capital = order.source == "treasury"
        price = state.companies[order.company].par if order.source == "ipo" else None
        return earns(title, state, order.company, price) + (30 if mine and capital else 10 if capital else 0)

    found = of(menu, Buy)
    best = max(found, key=score, default=None)
    return best if best is not None and score(best) >= 10 * LEAST_YIELD else None


def _new_public(game: Game, menu: Menu) -> Order | None:
    """The cheapest start of a company that starts at once and can then pay for its first train."""
    title, state = game.title, game.state
    need = next_cost(title, state)
    whole = [s for s in of(menu, Start) if _begins_at_once(title, state, s.company)]
    able = [s for s in whole if 2 * s.price + title.policies.credit(title, state, s.company) >= need]
    return min(able, key=lambda s: s.price, default=None)
