"""The London Passenger Transport Board: its seizures and purchases after an operating round, and its markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import MarkerRemoved, MarkerReplaced
from engine.core.ids import CompanyId
from engine.core.orders import Nationalise, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import owner_of
from engine.titles.t1863.ending.ends import LAST_MARKER, signal_end
from engine.titles.t1863.failures.failure import Taking, Way
from engine.titles.t1863.names import LPTB
from engine.titles.t1863.pieces import lptb_markers
from engine.titles.t1863.policies import director
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import in_red, in_white, merger_order

SEIZURE: Final = "seizure"
OFFERS: Final = "offers"
PURCHASE: Final = "purchase"
"""The stages of its acts after an operating round."""


@dataclass(frozen=True, slots=True)
class LptbActs(Frame):
    """The acts of the LPTB. ``waiting``: companies still to be seized, still to answer, or still to be bought, by
    stage. ``offered``: companies that were offered."""

    stage: str
    waiting: tuple[CompanyId, ...]
    offered: tuple[CompanyId, ...] = ()


def has_begun(title: Title, state: State) -> bool:
    """True if the LPTB has begun to take companies. No failed company, and nothing that it owns, is auctioned any
    more."""  # rule 10.1, 12.9
    return title.reached(state, rulings_of(title).lptb_from)


def begin_lptb(play: Play) -> None:
    """Put the acts of the LPTB after an operating round on the agenda. It seizes the companies that have failed by now,
    but not those that fail through its own sales."""  # rule 10.1, 10.5
    failed = (c for c in merger_order(play.title, play.state) if is_failed(play.title, play.state, c))
    play.push(LptbActs(SEIZURE, tuple(failed)))


def is_failed(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in acquisition, has no train, or has no president. A company that awaits its liquidation
    and has a president is not seized, but liquidated."""  # rule 10.1, 12.39, 12.64, 8.35
    if owner_of(title, state, company) is None:
        return True
    trainless = not state.companies[company].trains
    return not in_red(title, state, company) and (trainless or not in_white(title, state, company))


def take_over(play: Play, company: CompanyId, way: Way) -> None:
    """Let the LPTB take a company: ``seized`` for half its value, or ``bought`` for its price. Call this last: it puts
    a frame on top of the agenda."""  # rule 10.2, 10.3
    play.push(Taking(company, way))


def list_offered(title: Title, state: State) -> Iterator[CompanyId]:
    """The companies that may be offered now, the cheapest first."""  # rule 8.4, 10.3, 10.9
    for company in merger_order(title, state):
        if in_white(title, state, company) and director(title, state, company) is not None:
            yield company


# ---- markers ---------------------------------------------------------------------------------------------------------


def markers_left(title: Title, state: State) -> int:
    """The number of LPTB markers that are not on the map. The LPTB may have several in one city."""  # rule 10.4
    cities = (city for cities in state.board.markers.values() for city in cities)
    return lptb_markers(title) - sum(city.count(LPTB) for city in cities)


def replace_markers(play: Play, company: CompanyId) -> None:
    """Replace each marker of the company on the map with an LPTB marker. When none is left, remove the marker
    instead."""
    # rule 8.5, 10.4, 11.1, 11.6
    for hex, city in play.state.board.places_of(company):
        if markers_left(play.title, play.state) > 0:
            play.emit(MarkerReplaced(company, LPTB, hex, city))
        else:
            play.emit(MarkerRemoved(company, hex, city))
    if not markers_left(play.title, play.state):
        signal_end(play, LAST_MARKER)


# ---- the step --------------------------------------------------------------------------------------------------------


class LptbStep:
    """Seizes companies, asks all controllers at once for offers, and buys the offered companies, the cheapest first. A
    controller who does not answer offers nothing."""

    # rule 10.1, 10.3, 12.44

    def asked(self, title: Title, state: State, frame: LptbActs) -> tuple[Ask, ...]:
        if frame.stage != OFFERS:
            return ()
        return tuple(
            Ask(player, c, "lptb.offer", (c, str(title.price(state, c))), Nationalise(c, False))
            for c in frame.waiting
            if (player := director(title, state, c)) is not None
        )

    def menu(self, title: Title, state: State, frame: LptbActs, ask: Ask) -> Menu:
        company = CompanyId(ask.actor)
        return (Exact(Nationalise(company, True)), Exact(Nationalise(company, False)))

    def decide(self, play: Play, frame: LptbActs, ask: Ask, order: Order) -> None:
        if not isinstance(order, Nationalise):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        waiting = tuple(c for c in frame.waiting if c != order.actor)
        offered = (*frame.offered, order.actor) if order.yes else frame.offered
        play.become(replace(frame, waiting=waiting, offered=offered))

    def advance(self, play: Play, frame: LptbActs) -> None:
        title, state = play.title, play.state
        match frame.stage:
            case "seizure" if frame.waiting:
                play.become(replace(frame, waiting=frame.waiting[1:]))
                if state.companies[frame.waiting[0]].status == "open":
                    take_over(play, frame.waiting[0], "seized")
            case "seizure":
                play.become(LptbActs(OFFERS, tuple(list_offered(title, state))))
            case "offers":
                play.become(LptbActs(PURCHASE, frame.offered))
            case _:
                self._buy(play, frame)

    def _buy(self, play: Play, frame: LptbActs) -> None:
        """Buy the cheapest of the offered companies that still have a president. A company may have lost its president
        when another was bought; nobody sells it then."""
        title, state = play.title, play.state
        offered = (c for c in merger_order(title, state) if c in frame.waiting)
        cheapest = next((c for c in offered if owner_of(title, state, c) is not None), None)
        if cheapest is None:
            play.pop()
            return
        play.become(replace(frame, waiting=tuple(c for c in frame.waiting if c != cheapest)))
        take_over(play, cheapest, "bought")
