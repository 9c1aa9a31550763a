"""Values that all parts of the plain player use: menus by kind of order, prices of trains, values of stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from engine.acts.reach import reach_for
from engine.board.board import Board
from engine.board.map import Face
from engine.board.track import StopAt
from engine.core.agenda import Choice, Menu, Range
from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.orders import Order, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of

Kind = TypeVar("Kind", bound=Order)

KEPT_BACK: Final = 100
"""The cash that a player keeps for his first company while privates are sold, and in some later decisions."""
USUAL_STOPS: Final = 3
"""The number of stops that a company's first train is expected to count."""
BOUND_FOR: Final = 150
"""The worth of reaching a destination that brings money."""
NEARER: Final = 8
"""The worth of each hex by which the company comes closer to such a destination."""


def of(menu: Menu, kind: type[Kind]) -> list[Kind]:
    return [c.order for c in menu if isinstance(c.order, kind)]


def ranges(menu: Menu, kind: type[Order]) -> list[Range]:
    return [c for c in menu if isinstance(c, Range) and isinstance(c.order, kind)]


def at(choice: Choice, number: int) -> Order:
    """The order with ``number``, or with a legal number near it: steps are rounded down."""
    if not isinstance(choice, Range):
        return choice.order
    return choice.sample((min(max(number, choice.low), choice.high) - choice.low) // choice.step)


def next_cost(title: Title, state: State) -> int:
    """The price of the cheapest train that the bank or the pool sells next; 0 if there is none."""
    costs = [title.trains[t].cost for t in state.pool_trains]
    usual = (t for t in title.trains.values() if not t.special and t.card is None)
    costs += [t.cost for t in usual if state.supply.get(t.name, 1) > 0][:1]
    return min(costs, default=0)


def lasting(title: Title, state: State, train: TrainName) -> bool:
    """True if the train does not rust when the type that is sold next is bought, or the one after it."""
    new = [t for t in title.trains.values() if not t.special and t.card is None and state.supply.get(t.name, 1) > 0]
    data = title.trains[train]
    sides = {train, data.card, data.flips}
    return not any(t.rusts in sides for t in new[:2] if t.rusts is not None)


def worst_share(title: Title, state: State, sales: Sequence[Sell]) -> Sell:
    """The sale of the share with the lowest yield."""
    return min(sales, key=lambda s: earns(title, state, s.company))


def earns(title: Title, state: State, company: CompanyId, price: int | None = None) -> int:
    """The yield of a share: the last revenue in thousandths of the price of all shares that it is divided among; 0 if
    the company has no trains. ``price``: of one share; the current price if it is None."""
    now = state.companies[company]
    price = title.price(state, company) if price is None else price
    return 1000 * (now.last_run or 0) // (paid_shares(title, state, company) * price) if now.trains else 0


def paid_shares(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares among which a dividend is divided. The seller of a short pays what its buyer receives, so a
    share that is paired with a short does not count."""
    return sum(kind.paid_for * n for kind, n in charter_of(title, state, company).certificates.values())


# ---- the map --------------------------------------------------------------------------------------------------------


def best_stop(face: Face, color: str) -> int:
    return max((stop.value(color) for stop in (*face.cities, *face.towns, *face.offboards)), default=0)


def stop_value(title: Title, state: State, board: Board, stop: StopAt) -> int:
    kind, hex, index = stop
    face = board.face(hex)
    stops = face.cities if kind == "c" else face.towns if kind == "t" else face.offboards
    return stops[index].value(title.phase(state).revenue_color)


def promise(title: Title, state: State, board: Board, company: CompanyId) -> int:
    """The worth of the company's position on the board: ten times the values of the best stops that its longest train
    could count, 2 for each stop in reach, and the worth of the way to a destination that brings money."""
    found = reach_for(title, state, company, "run", board)
    values = sorted((stop_value(title, state, board, stop) for stop in found.stops), reverse=True)
    longest = max((_stops(title, t) for t in state.companies[company].trains), default=USUAL_STOPS)
    return 10 * sum(values[:longest]) + 2 * len(values) + _on_the_way(title, state, found.hexes, company)


def _stops(title: Title, train: TrainName) -> int:
    run = title.trains[train].reach
    return run.stops if run.hexes is None else min(run.stops, run.hexes)


def _on_the_way(title: Title, state: State, hexes: frozenset[HexId], company: CompanyId) -> int:
    """The worth of the company's track on the way to its destination; 0 if it has none or has reached it. It is below 0
    as long as the destination is out of reach."""
    told = title.policies.remarks(title, state, company)
    goal = title.companies[company].destination
    if goal is None or told.get("done", True) or not hexes:
        return 0
    return BOUND_FOR if goal in hexes else -NEARER * min(title.map.distance(hex, goal) for hex in hexes)
