"""Station markers of companies that become one, and the choice of the markers to keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import Chartered, MarkerRemoved, MarkerReplaced
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Keep, Order, Space
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1863.pieces import most_markers
from engine.titles.t1863.policies import director
from engine.titles.t1863.stock.shares import is_minor

Standing = tuple[HexId, int]
"""A marker on the map: its hex and city index."""


@dataclass(frozen=True, slots=True)
class MarkersOver(Frame):
    """The company may have ``most`` markers, but has more on the map."""

    company: CompanyId
    most: int


def marker_limit(title: Title, state: State, company: CompanyId) -> int:
    """The most markers that the company may have in all. A minor may have no more than it was floated with."""
    # rule 4.2, 8.7, 8.36
    if is_minor(title, state, company):
        return max(1, charter_of(title, state, company).markers)
    return most_markers(title, company)


def join_markers(play: Play, old: CompanyId, survivor: CompanyId) -> None:
    """Give the markers of ``old``, on the map and on its charter, to ``survivor``. Of two markers in a hex, one is
    lost. So are markers over the limit, those on the charter first. This may put a frame on top of the agenda."""
    # rule 8.7, 8.37
    title = play.title
    limit = marker_limit(title, play.state, survivor)
    there = {hex for hex, _ in play.state.board.places_of(survivor)}
    mine, other = charter_of(title, play.state, survivor), charter_of(title, play.state, old)
    total = mine.markers + other.markers
    for hex, city in play.state.board.places_of(old):
        if hex in there:
            play.emit(MarkerRemoved(old, hex, city))
            total -= 1
        else:
            play.emit(MarkerReplaced(old, survivor, hex, city))
    most = min(total, limit)
    play.emit(Chartered(survivor, replace(mine, markers=most)), Chartered(old, replace(other, markers=0)))
    if len(play.state.board.places_of(survivor)) > most:
        play.push(MarkersOver(survivor, most))


# ---- the choice -----------------------------------------------------------------------------------------------------


def _spaces(kept: tuple[Standing, ...]) -> tuple[Space, ...]:
    return tuple(Space(hex) for hex, _ in kept)


class MarkersOverStep:
    """Asks for the markers to keep, if the company has more on the map than it may have."""  # rule 8.7

    def asked(self, title: Title, state: State, frame: MarkersOver) -> tuple[Ask, ...]:
        player, places = director(title, state, frame.company), state.board.places_of(frame.company)
        if player is None or len(places) <= frame.most:
            return ()
        about = (frame.company, str(frame.most), *(hex for hex, _ in places))
        return (Ask(player, frame.company, "markers.stay", about),)

    def menu(self, title: Title, state: State, frame: MarkersOver, ask: Ask) -> Menu:
        return tuple(Exact(Keep(frame.company, _spaces(kept))) for kept in self._choices(state, frame))

    def _choices(self, state: State, frame: MarkersOver) -> Iterator[tuple[Standing, ...]]:
        yield from combinations(state.board.places_of(frame.company), frame.most)

    def decide(self, play: Play, frame: MarkersOver, ask: Ask, order: Order) -> None:
        if not isinstance(order, Keep):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        places = play.state.board.places_of(frame.company)
        hexes, named = tuple(hex for hex, _ in places), tuple(space.hex for space in order.spaces)
        fits = len(set(named)) == len(named) == frame.most and set(named) <= set(hexes)
        if play.require(fits, "keep.markers", company=frame.company, most=frame.most, hexes=hexes):
            self._keep(play, frame, tuple(place for place in places if place[0] in named))

    def advance(self, play: Play, frame: MarkersOver) -> None:
        """Keep the markers that were placed first if nobody can choose."""
        self._keep(play, frame, play.state.board.places_of(frame.company)[: frame.most])

    def _keep(self, play: Play, frame: MarkersOver, kept: tuple[Standing, ...]) -> None:
        play.pop()
        for hex, city in play.state.board.places_of(frame.company):
            if (hex, city) not in kept:
                play.emit(MarkerRemoved(frame.company, hex, city))
