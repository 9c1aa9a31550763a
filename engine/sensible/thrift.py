"""The plain player where companies get bills: the cash that a company must keep, the income of its trains, and the
mergers that pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.acts.reach import reach_for
from engine.board.board import Board
from engine.core.agenda import Ask, Menu, Range
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId, TrainName
from engine.core.orders import Convert, Merge, Order, Sell, Start
from engine.core.state import State
from engine.core.title import Title
from engine.holders.ledger import counted
from engine.routes.optimum import best_run
from engine.sensible.common import at, earns, lasting, next_cost, of, ranges

LEAST_GAIN: Final = 20
"""The least additional income per round for which a train is bought."""
FOUNDERS: Final = 5
"""The number of certificates that the founder of a major may want: the president's, and single shares whose money pays
for its first train."""
FIRST_COSTS: Final = 130
"""The cash that a new company should have in addition to the price of a train."""
LEAST_CAPITAL: Final = 150
LATER: Final = 6
"""The number of rounds of income by which track is valued."""
SHARES: Final = 1
"""The number of its shares that a player must be able to pay for to convert a minor into a major."""
STEPS: Final = 50_000
"""The step limit for finding a best run. The best run found by then is good enough for planning."""


def has_bills(title: Title) -> bool:
    """True if companies get bills, so that trains without a run cost them money."""
    return title.policies.bill is not None


def bill(title: Title, state: State, company: CompanyId) -> int:
    """The bill of the company in the present position; 0 if companies get no bills."""
    asked = title.policies.bill
    return 0 if asked is None else asked(title, state, company)


def bill_with(title: Title, state: State, company: CompanyId, loans: int, train: TrainName) -> int:
    """The bill that the company would have with ``loans`` more loans and with ``train`` in addition."""
    now = state.companies[company]
    more = replace(now, loans=now.loans + loans, trains=(*now.trains, train))
    return bill(title, replace(state, companies={**state.companies, company: more}), company)


def unearned(title: Title, state: State, company: CompanyId) -> int:
    """The part of the bill that is not covered if the company earns as much as in its last run."""
    return max(0, bill(title, state, company) - (state.companies[company].last_run or 0))


def at_risk(title: Title, state: State, player: PlayerId) -> int:
    """The money that the player may have to pay for his companies that earn less than their bills: their loans less
    their treasuries."""
    mine = (c for c in state.prices if title.policies.director(title, state, c) == player)
    failing = (c for c in mine if (state.companies[c].last_run or 0) < bill(title, state, c))
    return sum(max(0, title.loan * state.companies[c].loans - state.money(c)) for c in failing)


def first_capital(title: Title, state: State) -> int:
    """The money that a new company should have. If the next train costs more than a loan brings, it takes one loan."""
    cost = next_cost(title, state)
    return max(LEAST_CAPITAL, cost + FIRST_COSTS - (title.loan if cost > title.loan else 0))


def may_found(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player has the money for a new company in addition to what his others may cost him, and his
    certificate limit allows one more certificate."""
    rich = state.money(player) >= first_capital(title, state) + at_risk(title, state, player)
    return rich and _room(title, state, player) > 0


def _room(title: Title, state: State, player: PlayerId) -> int:
    """The number of certificates that the player may still take."""
    return title.table[len(state.players)].certificate_limit - counted(title, state, player)


def make_room(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A sale by a player who could pay for two new companies, but whose certificate limit leaves no room for the shares
    of one. The player sells the shares with the lowest yield among those of companies that others direct."""
    title, state, player = game.title, game.state, ask.player
    wanted = FOUNDERS - _room(title, state, player)
    if wanted <= 0 or not could_found_two(title, state, player) or not of(menu, Start):
        return None
    sales = [c for c in ranges(menu, Sell) if isinstance(c.order, Sell) and c.order.actor == player]
    others = [c for c in sales if title.policies.director(title, state, _sold(c)) != player]
    worst = min(others, key=lambda c: earns(title, state, _sold(c)), default=None)
    return None if worst is None else at(worst, wanted)


def could_found_two(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player has the money for two new companies, so that founding one is worth more than shares."""
    return state.money(player) >= 2 * first_capital(title, state) + at_risk(title, state, player)


def _sold(choice: Range) -> CompanyId:
    assert isinstance(choice.order, Sell)
    return choice.order.company


def runs(
    title: Title, state: State, company: CompanyId, more: Sequence[TrainName] = (), board: Board | None = None
) -> int:
    """The income that the company can have with ``more`` trains, on the present board or on ``board``. If it has more
    trains than the train limit, only the dearest count, so that a merged company is not overrated."""
    now, most = state.companies[company], title.policies.train_limit(title, state, company)
    trains = sorted((*now.trains, *more), key=lambda train: -title.trains[train].cost)[:most]
    state = replace(state, companies={**state.companies, company: replace(now, trains=tuple(trains))})
    traits = title.policies.run_traits(title, state, company)
    return best_run(state.board if board is None else board, traits, STEPS).value


def earns_more(title: Title, state: State, company: CompanyId, train: TrainName) -> bool:
    """True if the train adds at least ``LEAST_GAIN`` to the company's income, or if none of its trains will last."""
    better = runs(title, state, company, (train,)) >= runs(title, state, company) + LEAST_GAIN
    return better or not any(lasting(title, state, t) for t in state.companies[company].trains)


def idles(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company's trains could count all stops in reach, so that more track is wanted."""
    trains = state.companies[company].trains
    stops = reach_for(title, state, company, "run", state.board).stops
    return len(stops) < sum(title.trains[t].reach.stops for t in trains) + 1


def thought_of(title: Title, state: State, company: CompanyId, board: Board) -> int:
    """The income of the company on ``board`` over ``LATER`` rounds. A company without trains is valued as if it had the
    next train."""
    more = () if state.companies[company].trains else (next_train(title, state),)
    return LATER * runs(title, state, company, more, board)


def next_train(title: Title, state: State) -> TrainName:
    """The train that the bank sells next; the last type of all if none is left."""
    usual = [t for t in title.trains.values() if not t.special and t.card is None]
    return next((t.name for t in usual if state.supply.get(t.name, 1) > 0), usual[-1].name)


# ---- mergers ---------------------------------------------------------------------------------------------------------


def union(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A conversion of a company that has earned something, if the player has the money to buy a share of it; otherwise
    a merger of the player's own companies after which they earn at least as much together."""
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    price, earned = title.price(state, company), state.companies[company].last_run or 0
    rich = state.money(ask.player) >= at_risk(title, state, ask.player) + SHARES * price
    if rich and earned and (converts := of(menu, Convert)):
        return converts[0]
    return next((order for order in of(menu, Merge) if _pays(game, ask, order)), None)


def _pays(game: Game, ask: Ask, order: Merge) -> bool:
    title, state = game.title, game.state
    parts = tuple(dict.fromkeys((CompanyId(order.actor), *order.minors, order.into)))
    parts = tuple(part for part in parts if part in state.prices)
    if any(title.policies.director(title, state, part) != ask.player for part in parts):
        return False
    tried = game.fork()
    if isinstance(tried.submit(order), Refused) or order.into not in tried.state.prices:
        return False
    apart = sum(runs(title, state, part) for part in parts)
    return runs(title, tried.state, CompanyId(order.into)) >= apart
