"""The plain player where companies have a capital of their own: bids, floats, loans, dividends and bills."""

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
"""The cash that a company keeps for track, in addition to its bill, when it declares a dividend."""
DEARER: Final = 25
"""The amount per round by which a loan may become dearer."""
RESERVE: Final = 20
"""The cash that a company keeps, in addition to its bill, when it borrows for a train."""
LEAST_YIELD: Final = 40
"""The least yield, in thousandths of its price, of a share that is bought."""


# ---- privates and floats ---------------------------------------------------------------------------------------------


def open_cheap(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A bid of the minimum on the next private, as long as enough cash is left for a company."""
    opened = ranges(menu, Open)
    keeps = game.state.money(ask.player) - (opened[0].low if opened else 0)
    return opened[0].order if opened and keeps >= 2 * KEPT_BACK else None


def keep_private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Keep a private that the player was dealt, as long as enough cash is left for a company; otherwise return it."""
    keeps = game.state.money(ask.player) - int(ask.about[1]) >= 2 * KEPT_BACK
    return next((order for order in of(menu, KeepPrivate) if order.keep == keeps), None)


def start(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The least bid for the right to start a company, at the best place. The player must have the money for a train; he
    need not where companies get no bills and he directs no company."""
    title, state = game.title, game.state
    need = first_capital(title, state)

    def worth(order: Start) -> int:
        """The value of the place and of its two best neighbours, so that a train can run soon."""
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
    """The float at the lowest price that brings the money for a train; if none does, the one that brings the most
    money. The company has the smallest number of markers."""
    title, state = game.title, game.state
    need = first_capital(title, state)

    def money(order: Float) -> int:
        return (game.cost(order) or 0) - int(ask.about[1])

    found = of(menu, Float)
    enough = [order for order in found if money(order) >= need]
    return min(enough, key=lambda o: (o.price, money(o)), default=None) or max(found, key=money, default=None)


# ---- shares ----------------------------------------------------------------------------------------------------------


def from_charter(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The purchase of as many shares of the player's own company as leave ``KEPT_BACK`` in hand; otherwise a pass."""
    found = ranges(menu, Take)
    price = int(ask.about[1])
    count = (game.state.money(ask.actor) - KEPT_BACK) // price if price else 0
    return at(found[0], count) if found and ask.actor == ask.player and count > 0 else Pass(ask.actor)


def one_share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The purchase of a share with a yield of at least ``LEAST_YIELD``, if the player has cash to spare; otherwise a
    pass."""
    title, state = game.title, game.state
    company = CompanyId(ask.about[0])
    rich = state.money(ask.player) >= title.price(state, company) + KEPT_BACK
    wanted = rich and earns(title, state, company) >= LEAST_YIELD
    return next(iter(of(menu, Buy)), None) if wanted else Pass(ask.actor)


# ---- money of companies ----------------------------------------------------------------------------------------------


def borrow(title: Title, state: State, company: CompanyId, menu: Menu) -> Order | None:
    """The fewest loans that pay for a first train, or for another train that earns more than it adds to the bill. The
    income must also cover the bill, even if loans become dearer."""
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
    """The repayment of as many loans as spare cash allows. The bill and ``FIRST_COSTS`` are kept, and the price of the
    next train if the company has at least half of it."""
    found, train = ranges(menu, RepayLoans), next_cost(title, state)
    needed = FIRST_COSTS + bill(title, state, company) + (train if 2 * state.money(company) >= train else 0)
    spare = (state.money(company) - needed) // title.loan if title.loan else 0
    return at(found[0], spare) if found and spare > 0 else None


def dividend(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The dividend: all that was earned, as far as cash beyond the bill and ``FOR_TRACK`` allows. A company that cannot
    yet pay for a train that it wants declares only its share price or, if it earned less, just over half of it. A
    company that owns half of its shares or more does not save, since most of the dividend comes back. A company that
    does not save and earned less than its share price declares the price if it can spare it."""
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
    wanted = min(wanted, able)
    return at(max((part for part in found if part.low <= wanted), key=lambda part: part.low, default=found[0]), wanted)


def pay_bill(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A loan as long as one can be had. After that the player helps if he has the money; if not, the company goes into
    liquidation."""
    state = game.state
    if loans := ranges(menu, Borrow):
        return loans[0].order
    due, cash = int(ask.about[1]), int(ask.about[2])
    way = "help" if state.money(ask.player) >= due - cash + KEPT_BACK else "liquidate"
    return next((order for order in of(menu, Crisis) if order.way == way), None)


def keep_trains(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The choice that keeps the most trains."""
    return max(of(menu, KeepTrains), key=lambda order: len(order.trains), default=None)
