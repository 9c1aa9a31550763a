"""The plain player where companies are floated with capital of their own: bids, floats, loans, dividends, bills."""

from __future__ import annotations

from typing import Final

from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import TREASURY, CompanyId
from engine.core.orders import (
    Borrow,
    Buy,
    Crisis,
    Dividend,
    Float,
    KeepPrivate,
    KeepTrains,
    Open,
    Order,
    Pass,
    RepayLoans,
    Start,
    Take,
)
from engine.core.state import State
from engine.core.title import Title
from engine.holders.ledger import shares
from engine.sensible.common import (
    KEPT_BACK,
    at,
    best_stop,
    earns,
    lasting,
    next_cost,
    of,
    paid_shares,
    ranges,
    stop_value,
)
from engine.sensible.thrift import (
    FIRST_COSTS,
    LEAST_GAIN,
    bill,
    bill_with,
    earns_more,
    first_capital,
    has_bills,
    may_found,
    next_train,
    runs,
)

FOR_TRACK: Final = 60
"""A company that declares a dividend keeps so much beside its bill."""
DEARER: Final = 25
"""By so much more in a round a loan may become dearer."""
RESERVE: Final = 20
"""A company that borrows for a train keeps so much beside its bill."""
LEAST_YIELD: Final = 40
"""Thousandths of its price that a share must earn to be bought."""


# ---- privates and floats ---------------------------------------------------------------------------------------------


def open_cheap(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The next private at the least bid, as long as enough is left for a company."""
    opened = ranges(menu, Open)
    keeps = game.state.money(ask.player) - (opened[0].low if opened else 0)
    return opened[0].order if opened and keeps >= 2 * KEPT_BACK else None


def keep_private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A private that he was dealt, as long as enough is left for a company."""
    keeps = game.state.money(ask.player) - int(ask.about[1]) >= 2 * KEPT_BACK
    return next((order for order in of(menu, KeepPrivate) if order.keep == keeps), None)


def start(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The right to a company, at the least bid, at the best place; only with money for a train, or, where companies
    get no bills, without a company of his."""
    title, state = game.title, game.state
    need = first_capital(title, state)

    def worth(order: Start) -> int:
        """The income of the place and of its neighbours, so that a train can run soon."""
        if order.space is None or state.board.face(order.space.hex).color == "red":
            return 0
        near = title.map.hexes[order.space.hex].neighbors.values()
        color = title.phase(state).revenue_color
        values = sorted(
            best_stop(state.board.face(hex), color) + 10 * bool(state.board.face(hex).cities) for hex in near
        )
        city = state.board.city_at(order.space) or 0
        return stop_value(title, state, state.board, ("c", order.space.hex, city)) + sum(values[-2:])

    able = [c.order for c in ranges(menu, Start) if isinstance(c.order, Start)]
    rich = [order for order in able if state.money(order.actor) - order.price >= need]
    idle = not has_bills(title) and not any(
        title.policies.director(title, state, c) == ask.player for c in state.prices
    )
    able = able if idle else rich if not has_bills(title) or may_found(title, state, ask.player) else []
    return max(able, key=worth, default=None)


def float_it(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The lowest price that brings the money for a train, or the highest there is; for himself, with one marker."""
    title, state = game.title, game.state
    need = first_capital(title, state)

    def money(order: Float) -> int:
        return (game.cost(order) or 0) - int(ask.about[1])

    found = of(menu, Float)
    enough = [order for order in found if money(order) >= need]
    return min(enough, key=lambda o: (o.price, money(o)), default=None) or max(found, key=money, default=None)


# ---- shares ----------------------------------------------------------------------------------------------------------


def from_charter(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """As many shares of his company as leave something in hand."""
    found = ranges(menu, Take)
    price = int(ask.about[1])
    count = (game.state.money(ask.actor) - KEPT_BACK) // price if price else 0
    return at(found[0], count) if found and ask.actor == ask.player and count > 0 else Pass(ask.actor)


def one_share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A share that pays well, if he has money to spare."""
    title, state = game.title, game.state
    company = CompanyId(ask.about[0])
    rich = state.money(ask.player) >= title.price(state, company) + KEPT_BACK
    wanted = rich and earns(title, state, company) >= LEAST_YIELD
    return next(iter(of(menu, Buy)), None) if wanted else Pass(ask.actor)


# ---- money of companies ----------------------------------------------------------------------------------------------


def borrow(title: Title, state: State, company: CompanyId, menu: Menu) -> Order | None:
    """The loans that bring a first train, or one that earns more than it costs, if they reach so far and the company
    can pay its bill then, even if loans become dearer."""
    found, now = ranges(menu, Borrow), state.companies[company]
    if not found or not title.loan or len(now.trains) >= title.policies.train_limit(title, state, company):
        return None
    cost, train, cash = next_cost(title, state), next_train(title, state), state.money(company)
    if cash >= cost + (bill_with(title, state, company, 0, train) if now.trains else 0):
        return None

    def reaches(count: int) -> bool:
        needed = bill_with(title, state, company, count, train) + RESERVE if now.trains else 0
        return cash + title.loan * count >= cost + needed

    count = next((n for n in range(found[0].low, found[0].high + 1) if reaches(n)), None)
    if count is None or (now.trains and not earns_more(title, state, company, train)):
        return None
    then, dear = runs(title, state, company, (train,)), bill_with(title, state, company, count, train)
    stays = runs(title, state, company) if any(lasting(title, state, t) for t in now.trains) else 0
    pays = then - stays >= dear - bill(title, state, company) + DEARER * count
    return at(found[0], count) if pays and then >= max(LEAST_GAIN, dear + DEARER * (now.loans + count)) else None


def repay(title: Title, state: State, company: CompanyId, menu: Menu) -> Order | None:
    """Loans, with money that the bill does not need, nor the next train if half of its price is there."""
    found, train = ranges(menu, RepayLoans), next_cost(title, state)
    needed = FIRST_COSTS + bill(title, state, company) + (train if 2 * state.money(company) >= train else 0)
    spare = (state.money(company) - needed) // title.loan if title.loan else 0
    return at(found[0], spare) if found and spare > 0 else None


def dividend(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """All that was earned but what the bill needs, and what is kept for track; where the next train is wanted and not
    yet paid for, what keeps the price. A company that can spare it adds what keeps the price, and one that owns most of
    its shares, so that most comes back, saves nothing."""
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    found = ranges(menu, Dividend)
    if not found:
        return None
    now, price = state.companies[company], title.price(state, company)
    own = shares(title, state, TREASURY, company)
    of_all = paid_shares(title, state, company)
    spare = max(0, state.money(company) - bill(title, state, company) - FOR_TRACK)
    able, earned = spare * of_all // max(1, of_all - own), now.last_run or 0
    room = title.policies.train_limit(title, state, company) > len(now.trains)
    fading = not any(lasting(title, state, train) for train in now.trains)
    owed = title.loan * now.loans if fading else 0
    saves = 2 * own < of_all and (room or fading) and spare - earned < next_cost(title, state) + owed
    wanted = min(earned, price if earned >= price else price // 2 + 5) if saves else earned
    if not saves and earned < price <= able - next_cost(title, state) * room:
        wanted = price
    return at(found[0], min(wanted, able))


def pay_bill(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Loans as long as there are any; then he helps if he has the money, and gives the company up if not."""
    state = game.state
    if loans := ranges(menu, Borrow):
        return loans[0].order
    due, cash = int(ask.about[1]), int(ask.about[2])
    way = "help" if state.money(ask.player) >= due - cash + KEPT_BACK else "liquidate"
    return next((order for order in of(menu, Crisis) if order.way == way), None)


def keep_trains(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """As many trains as may stay."""
    return max(of(menu, KeepTrains), key=lambda order: len(order.trains), default=None)
