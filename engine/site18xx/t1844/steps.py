"""Steps of 18xx.games in a company's turn, with the conditions under which the site waits for the company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.acts.buy_train import train_room
from engine.acts.pay_out import PAY
from engine.acts.place_token import list_tokens
from engine.acts.run_trains import able_to_run
from engine.core.ids import CompanyId
from engine.core.orders import Bankrupt, Lay, Order, Pay, Run, RunBest, Sell, Token, Train, Tunnel
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.routes.graph import graph_of, own_stops
from engine.site18xx.steps import SiteStep, asks_for_runs, did, never, no_runs, passed
from engine.titles.t1844.names import (
    BOEDELI,
    EVA_PHASE,
    EXTRA_TILE,
    FIRST_POWERS_PHASE,
    FURKA,
    OERLIKON,
    PRE_SBB,
    PRIVATE_PHASES,
    REGIONAL,
)
from engine.titles.t1844.policies import director
from engine.titles.t1844.stock.private_sales import private_sales
from engine.titles.t1844.turn.company_turn import TRAINS
from engine.titles.t1844.turn.track import unused_certificates
from engine.titles.t1844.turn.trains import printed_prices


def _builds(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the company can build: its tile, or by a private another tile or a tunnel. The site does not check their
    cost."""
    laid = any(isinstance(order, Lay) and order.using is None for order in given)
    return not laid or bool(unused_certificates(title, state, company)) or _extra_tile(title, state, company)


def _extra_tile(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company may use Bödelibahn, or could buy it from its owner."""
    owner = state.privates.get(BOEDELI)
    if owner is None or EXTRA_TILE in state.marks or not title.reached(state, FIRST_POWERS_PHASE):
        return False
    buys = owner in state.players and state.phase in PRIVATE_PHASES and state.money(company) >= 1
    return buys or owner in (company, director(title, state, company))


def _always(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return True


def _places(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    return bool(list_tokens(title, state, company, state.money(company), did(given, Token) > 0))


def _runs(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the site asks for runs. For regional companies it does not count areas outside the map, which their
    trains cannot visit."""
    if not asks_for_runs(title, state, company, given):
        return False
    if charter_of(title, state, company).kind != REGIONAL or able_to_run(title, state, company):
        return True
    graph, marked = graph_of(state.board), title.policies.run_traits(title, state, company).marker_in
    own = own_stops(state.board, graph, company, marked)
    return any(graph.nodes[other].kind != "offboard" for stop in own for _, other in graph.exits[stop])


def _buys_train(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the company can buy a train. The site does not check the price of a train of another company."""
    cash = state.money(company)
    if train_room(title, state, company) < 1:
        return False
    return cash >= min(printed_prices(title, state, company), default=cash + 1) or (
        cash >= 1 and title.reached(state, FIRST_POWERS_PHASE) and _others_have_trains(title, state, company)
    )


def _others_have_trains(title: Title, state: State, company: CompanyId) -> bool:
    others = (other.trains for name, other in state.companies.items() if name != company)
    return any(title.trains[train].tradable for trains in others for train in trains)


def _uses_power(title: Title, state: State, company: CompanyId) -> bool:
    """True if Furka-Oberalp or Oerlikon could be used in the company's turn."""
    lead = director(title, state, company)
    furka, oerlikon = state.privates.get(FURKA), state.privates.get(OERLIKON)
    return (furka is not None and furka in (company, lead) and title.reached(state, FIRST_POWERS_PHASE)) or (
        oerlikon is not None and oerlikon == lead and title.reached(state, EVA_PHASE)
    )


def _buys_private(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if a private can be bought or its power used. Pre-SBB companies do not have this step."""
    if charter_of(title, state, company).kind == PRE_SBB:
        return False
    return _uses_power(title, state, company) or any(True for _ in private_sales(title, state, company))


STEPS: Final = (
    SiteStep("track", (Lay, Tunnel), _builds),
    SiteStep("track", (), _always, passed),
    SiteStep("token", (Token,), _places),
    SiteStep("token", (), _always, passed),
    SiteStep("run", (Run, RunBest), _runs, left=no_runs),
    SiteStep(PAY, (Pay,), never),
    SiteStep(TRAINS, (Train, Sell, Bankrupt), _buys_train),
    SiteStep(TRAINS, (), _buys_private),
)
"""In the formal steps the site checks for destinations that have been reached."""
