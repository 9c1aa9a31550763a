"""Earnings: the declaration of runs, the papers that they open, and the distribution of revenue."""

from __future__ import annotations

from engine.acts.run_trains import best_for
from engine.core.events import Activated, Distributed, Marked, PrivateClosed, Ran
from engine.core.ids import BANK, POOL, CompanyId, HexId
from engine.core.orders import Pay, Route, Run, RunBest
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares
from engine.holders.ledger import holders, shares
from engine.routes.graph import graph_of
from engine.routes.legality import RunCheck, check_run
from engine.routes.reach import RunTraits
from engine.shares.price import move_price
from engine.titles.t1844.names import ACTIVE, FERROVIE, FNM, MOUNTAINS, TUNNELS
from engine.titles.t1844.pieces import transit
from engine.titles.t1844.rulings import rulings_of

TUNNEL_BONUS = 10
_NEED_VALUE = {
    "no_station": frozenset({"mountain", "offboard"}),
    "station": frozenset({"mountain"}),
    "duty": frozenset({"mountain", "offboard"}),
}
"""By the ruling ``torino``: kinds of stop that are not stations while they are worth nothing."""


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """Trains of the company, colour of off-board values, bonuses for tunnels and transit, and rulings on routes."""
    # rule 8.13, 8.14, 8.15, 8.16
    trains = tuple(sorted(state.companies[company].trains))
    return RunTraits(
        company=company,
        trains=trains,
        reaches=tuple(title.trains[t].reach for t in trains),
        color=title.phase(state).colors[-1],
        tunnel_bonus=TUNNEL_BONUS,
        transit=transit(title),
        same_side_refused=not rulings_of(title).same_side_route,
        ends_need_value=_NEED_VALUE[rulings_of(title).torino],
        spare_ends=rulings_of(title).empty_mountains == "uncounted",
    )


def declare(play: Play, company: CompanyId, order: Run | RunBest) -> int | None:
    """Check and declare a run, and open the papers that it uses for the first time. Returns the revenue, or None if
    checks fail."""  # rule 8.17
    title, state = play.title, play.state
    traits = run_traits(title, state, company)
    if isinstance(order, RunBest):
        best = best_for(title, state, company)
        play.emit(Ran(company, best.routes, best.values, best.value, best.proven))
        _open_up(play, company, best.routes)
        return best.value
    checked = check_run(state.board, traits, order.routes)
    play.note(checked.failures)
    if play.failures:
        return None
    if rulings_of(title).runs == "best":
        best = best_for(title, state, company)
        play.require(checked.total >= best.value, "run.not_best", revenue=checked.total, best=best.value)
        if play.failures:
            return None
    play.emit(Ran(company, order.routes, checked.values, checked.total))
    _open_up(play, company, order.routes, checked)
    return checked.total


def _open_up(play: Play, company: CompanyId, routes: tuple[Route, ...], checked: RunCheck | None = None) -> None:
    """Activate mountain railways counted and tunnels used for the first time; they pay from the next operating round
    on. FNM's first run closes its private. ``checked``: the result of checking the routes, if known."""
    # rule 5.13, 8.18
    state = play.state
    if company == FNM and routes and FERROVIE in state.privates:
        play.emit(PrivateClosed(FERROVIE))
    mountains, tunnels = state.marks.get(MOUNTAINS, {}), state.marks.get(TUNNELS, {})
    active = state.marks.get(ACTIVE, frozenset())
    if not routes or active.issuperset((*mountains, *tunnels)):
        return
    if checked is None:
        checked = check_run(state.board, run_traits(play.title, state, company), routes)
    visited, bored = _visited(play, checked), _bored(play, checked)
    opened = [paper for paper, hex in mountains.items() if paper not in active and hex in visited]
    opened += [paper for paper, hex in tunnels.items() if paper not in active and hex in bored]
    if opened:
        play.emit(*(Activated(paper) for paper in opened), Marked(ACTIVE, active.union(opened)))


def _visited(play: Play, checked: RunCheck) -> frozenset[HexId]:
    """Hexes of the stops that the routes count or, by a ruling, of all stops that they visit."""
    if rulings_of(play.title).opened_by == "visited":
        graph = graph_of(play.state.board)
        return frozenset(graph.nodes[i].hex for track in checked.tracks for i in track.stops)
    return frozenset(hex for stops in checked.counted for hex, _ in stops)


def _bored(play: Play, checked: RunCheck) -> frozenset[HexId]:
    """Hexes whose tunnels the routes use. A stop beside a tunnel (Andermatt) does not use it."""
    graph = graph_of(play.state.board)
    return frozenset(hex for track in checked.tracks for hex in track.tunnels(graph))


def nothing_earned(play: Play, company: CompanyId) -> None:
    """Record that the company earned nothing and move its price left."""  # rule 8.19, 9.5
    play.emit(Distributed(company, "none", 0, 0, 0))
    move_price(play, company, "left", 1, "no_dividend")


def pay_as_chosen(play: Play, company: CompanyId, revenue: int, order: Pay) -> None:
    """Pay out or withhold the revenue, as the director has chosen."""  # rule 9.1, 9.5
    if order.kind == "full":
        pay_dividend(play, company, revenue)
        return
    play.pay(BANK, company, revenue, "withheld", company)
    play.emit(Distributed(company, "none", revenue, 0, revenue))
    move_price(play, company, "left", 1, "no_dividend")


def pay_dividend(play: Play, company: CompanyId, revenue: int) -> None:
    """Pay all revenue to the shares. Each player's part is rounded up; the company gets the pool's part, rounded
    down."""
    # rule 9.2, 9.3, 9.4, 9.5
    title = play.title
    total = all_shares(title, play.state, company)
    for holder in holders(play.state, company):
        held = shares(title, play.state, holder, company)
        play.pay(BANK, holder, -(-held * revenue // total), "dividend", company)
    kept = shares(title, play.state, POOL, company) * revenue // total
    play.pay(BANK, company, kept, "dividend", company)
    play.emit(Distributed(company, "full", revenue, revenue, 0))
    move_price(play, company, "right", 1, "earnings")
