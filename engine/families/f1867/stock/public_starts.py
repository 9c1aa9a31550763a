"""Starts of public companies in a stock turn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import MarkerPlaced
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.names import PUBLIC
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.stock.starts import PUBLIC_START_MARKS, may_take_certificate, start_public
from engine.families.f1867.turn.first_marker import check_first_marker, first_marker_city, first_marker_spaces
from engine.holders.charters import charter_of, of_kind
from engine.shares.limits import check_certificates


def list_starts(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """Every legal start of a public company."""
    cells, cash = title.chart.cells_marked(*PUBLIC_START_MARKS), state.money(actor)
    prices = [title.chart.price(c) for c in cells if 2 * title.chart.price(c) <= cash]
    if not prices or not title.reached(state, "4") or not may_take_certificate(title, state, frame.turn):
        return
    for data in map(title.companies.__getitem__, of_kind(title, state, PUBLIC)):
        if state.companies[data.id].status == "unstarted":
            for space in first_marker_spaces(title, state, data.id):
                for price in prices:
                    yield Exact(Start(actor, data.id, price, space))


def check_start(title: Title, state: State, frame: StockRound, order: Start) -> list[Failure]:
    """Every reason why the player may not start the company."""
    company, failures = order.company, list[Failure]()
    if company not in title.companies or charter_of(title, state, company).kind != PUBLIC:
        return [Failure("start.not_public", {"company": company})]
    if not title.reached(state, "4"):
        failures.append(Failure("start.too_early", {"company": company, "phase": state.phase}))
    if state.companies[company].status != "unstarted":
        failures.append(Failure("start.started", {"company": company}))
    if title.chart.start_cell(order.price, *PUBLIC_START_MARKS) is None:
        prices = tuple(title.chart.price(c) for c in title.chart.cells_marked(*PUBLIC_START_MARKS))
        failures.append(Failure("start.price", {"price": order.price, "prices": prices}))
    cost, cash = 2 * order.price, state.money(order.actor)
    if cost > cash:
        failures.append(Failure("start.money", {"cost": cost, "cash": cash}))
    failures += check_certificates(title, state, order.actor)
    spaces = first_marker_spaces(title, state, company)
    if order.space is not None:
        failures += check_first_marker(title, state, company, order.space)
    elif len(spaces) != 1:
        failures.append(Failure("start.space", {"spaces": tuple(s.hex for s in spaces)}))
    return failures


def start(play: Play, order: Start) -> None:
    """Carry out a checked start: the director's certificate, the money and the first marker."""
    title, state, company = play.title, play.state, order.company
    space = order.space or first_marker_spaces(title, state, company)[0]
    cell = title.chart.start_cell(order.price, *PUBLIC_START_MARKS)
    city = first_marker_city(title, state, company, space)
    assert cell is not None and city is not None
    start_public(play, company, cell, PlayerId(order.actor))
    play.pay(order.actor, company, 2 * order.price, "share", company)
    play.emit(MarkerPlaced(company, space.hex, city))
