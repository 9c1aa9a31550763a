"""The London Passenger Transport Board after an operating round: seizures, then purchases, and its markers."""

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
from engine.titles.t1863.ends import LAST_MARKER, signal_end
from engine.titles.t1863.failing import Taking, Way
from engine.titles.t1863.market import in_red, in_white, merger_order
from engine.titles.t1863.names import LPTB
from engine.titles.t1863.pieces import lptb_markers
from engine.titles.t1863.policies import director
from engine.titles.t1863.rulings import rulings_of

SEIZURE: Final = "seizure"
OFFERS: Final = "offers"
PURCHASE: Final = "purchase"
"""Stages of what it does after an operating round."""


@dataclass(frozen=True, slots=True)
class LptbActs(Frame):
    """``waiting``: companies that are still to be seized, or whose controllers are still to answer, or that are still
    to be bought; ``offered``: those that were offered."""

    stage: str
    waiting: tuple[CompanyId, ...]
    offered: tuple[CompanyId, ...] = ()


def has_begun(title: Title, state: State) -> bool:
    """True if the LPTB takes companies by now, and nothing of theirs is auctioned any more."""  # rule 10.1, 12.9
    return title.reached(state, rulings_of(title).lptb_from)


def begin_lptb(play: Play) -> None:
    """Put the acts of the LPTB after an operating round on the agenda. It seizes those that are failed now, not those
    that its own sales bring down."""  # rule 10.1, 10.5
    failed = (c for c in merger_order(play.title, play.state) if is_failed(play.title, play.state, c))
    play.push(LptbActs(SEIZURE, tuple(failed)))


def is_failed(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in acquisition, has no train, or has no president. One that awaits its liquidation goes
    that way, if it has a president."""  # rule 10.1, 12.39, 12.64, 8.35
    if owner_of(title, state, company) is None:
        return True
    trainless = not state.companies[company].trains
    return not in_red(title, state, company) and (trainless or not in_white(title, state, company))


def take_over(play: Play, company: CompanyId, way: Way) -> None:
    """Let the LPTB take a company: ``seized`` for half its value, ``bought`` for its price. To be called last: it puts
    a frame on top of the agenda."""  # rule 10.2, 10.3
    play.push(Taking(company, way))


def list_offered(title: Title, state: State) -> Iterator[CompanyId]:
    """The companies that may be offered now, cheapest first."""  # rule 8.4, 10.3, 10.9
    for company in merger_order(title, state):
        if in_white(title, state, company) and director(title, state, company) is not None:
            yield company


# ---- markers ---------------------------------------------------------------------------------------------------------


def markers_left(title: Title, state: State) -> int:
    """Markers of the LPTB that are not on the map. It may have several in one city."""  # rule 10.4
    cities = (city for cities in state.board.markers.values() for city in cities)
    return lptb_markers(title) - sum(city.count(LPTB) for city in cities)


def replace_markers(play: Play, company: CompanyId) -> None:
    """Each marker of the company on the map becomes one of the LPTB; when none is left, its space is free."""
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
    """Seizes, asks all controllers at once what they offer, and buys that, cheapest first. Silence offers nothing."""

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
        """Buy the cheapest of those that were offered and are still in play."""
        cheapest = next((c for c in merger_order(play.title, play.state) if c in frame.waiting), None)
        if cheapest is None:
            play.pop()
            return
        play.become(replace(frame, waiting=tuple(c for c in frame.waiting if c != cheapest)))
        take_over(play, cheapest, "bought")
