"""Values that the plain player looks at everywhere: menus by kind of order, prices of trains, values of stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from engine.acts.reaching import reach_for
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
"""The cash that a player keeps for his first company while privates are sold, and where he has the choice later."""
USUAL_STOPS: Final = 3
"""So many stops a company's first train is expected to count."""
BOUND_FOR: Final = 150
"""The worth of coming to a destination that brings money."""
NEARER: Final = 8
"""The worth of each hex less on the way there."""


def of(menu: Menu, kind: type[Kind]) -> list[Kind]:
    return [c.order for c in menu if isinstance(c.order, kind)]


def ranges(menu: Menu, kind: type[Order]) -> list[Range]:
    return [c for c in menu if isinstance(c, Range) and isinstance(c.order, kind)]


def at(choice: Choice, number: int) -> Order:
    """The order with ``number``, or the nearest that is legal."""
    if not isinstance(choice, Range):
        return choice.order
    return choice.sample((min(max(number, choice.low), choice.high) - choice.low) // choice.step)


def next_cost(title: Title, state: State) -> int:
    """Price of the next train that the bank or the pool sells."""
    costs = [title.trains[t].cost for t in state.pool_trains]
    usual = (t for t in title.trains.values() if not t.special and t.card is None)
    costs += [t.cost for t in usual if state.supply.get(t.name, 1) > 0][:1]
    return min(costs, default=0)


def lasting(title: Title, state: State, train: TrainName) -> bool:
    """True if the train stays in the game when the type that is sold next, or the one after it, has been bought."""
    new = [t for t in title.trains.values() if not t.special and t.card is None and state.supply.get(t.name, 1) > 0]
    data = title.trains[train]
    sides = {train, data.card, data.flips}
    return not any(t.rusts in sides for t in new[:2] if t.rusts is not None)


def worst_share(title: Title, state: State, sales: Sequence[Sell]) -> Sell:
    """Of sales the one that costs the least income."""
    return min(sales, key=lambda s: earns(title, state, s.company))


def earns(title: Title, state: State, company: CompanyId, price: int | None = None) -> int:
    """Last earnings in thousandths of the price of all shares that they are divided among; nothing without trains."""
    now = state.companies[company]
    price = title.price(state, company) if price is None else price
    return 1000 * (now.last_run or 0) // (paid_shares(title, state, company) * price) if now.trains else 0


def paid_shares(title: Title, state: State, company: CompanyId) -> int:
    """Shares among which a dividend is divided. Whoever has sold a share short pays what its buyer gets, so a share
    that is paired with a short counts nothing."""
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
    """Ten times the best stops that the longest train could count, a little for every other in reach, and the way to
    a destination that brings money."""
    found = reach_for(title, state, company, "run", board)
    values = sorted((stop_value(title, state, board, stop) for stop in found.stops), reverse=True)
    longest = max((_stops(title, t) for t in state.companies[company].trains), default=USUAL_STOPS)
    return 10 * sum(values[:longest]) + 2 * len(values) + _on_the_way(title, state, found.hexes, company)


def _stops(title: Title, train: TrainName) -> int:
    run = title.trains[train].reach
    return run.stops if run.hexes is None else min(run.stops, run.hexes)


def _on_the_way(title: Title, state: State, hexes: frozenset[HexId], company: CompanyId) -> int:
    """The gain of the company on its way to its destination, if it has one that is not reached."""
    told = title.policies.remarks(title, state, company)
    goal = title.companies[company].destination
    if goal is None or told.get("done", True) or not hexes:
        return 0
    return BOUND_FOR if goal in hexes else -NEARER * min(title.map.distance(hex, goal) for hex in hexes)
