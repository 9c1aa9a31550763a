"""Placing station markers in an operating turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.acts.reach import reach_for
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import MarkerPlaced
from engine.core.ids import BANK, CompanyId, HexId, PlayerId
from engine.core.orders import Order, Space, Token
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of


@dataclass(frozen=True, slots=True)
class Placed(Note):
    """A note that the company has placed a marker in its turn."""

    marker: bool = False


def nothing_follows(play: Play) -> None:
    """The usual ``PlaceToken.brings``: a marker has no other effects."""


@dataclass(frozen=True, slots=True)
class PlaceToken(Act):
    """Placing a marker. ``kinds``: the kinds of company that place markers; empty means all. ``brings``: carries out
    the immediate effects of a marker."""

    kinds: tuple[str, ...] = ()
    brings: Callable[[Play], None] = nothing_follows

    takes = (Token,)
    notes = (Placed,)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        if not self.kinds or charter_of(title, state, company).kind in self.kinds:
            return None
        return Failure("token.kind", {"company": company})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        company, placed = turn.company, turn.note(Placed).marker
        for space in list_tokens(title, state, company, state.money(company), placed):
            yield Exact(Token(company, space))

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Token)
        return title.policies.marker_cost(title, state, turn.company, order.space.hex)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Token)
        if place_marker(play, turn.company, order.space, turn.note(Placed).marker):
            play.become(turn.noting(Placed(True)))
            self.brings(play)


def check_token(
    title: Title, state: State, company: CompanyId, space: Space, budget: int, placed_this_turn: bool
) -> tuple[Failure, ...]:
    """Return a failure for every check that a marker in ``space`` fails. ``budget``: the company's cash; no loans may
    be taken for markers."""
    failures = [*_turn(title, state, company, placed_this_turn)]
    city = token_city(title, state, company, space)
    if city is None:
        failures.append(unclear_space(title, state, space))
        if space.hex not in title.map.hexes or not state.board.face(space.hex).cities:
            return tuple(failures)
    else:
        failures.extend(check_room(title, state, company, space.hex, city))
        if ("c", space.hex, city) not in reach_for(title, state, company, "token"):  # rule 1861:8.2
            failures.append(Failure("token.no_route", {"hex": space.hex, "company": company}))
    failures.extend(_hex(title, state, company, space.hex, budget))
    return tuple(failures)


def place_marker(play: Play, company: CompanyId, space: Space, placed_this_turn: bool) -> bool:
    """Check a marker, pay for it from the treasury and place it. Returns True if it was placed."""
    title, state = play.title, play.state
    play.note(check_token(title, state, company, space, state.money(company), placed_this_turn))
    if play.failures:
        return False
    city = token_city(title, state, company, space)
    assert city is not None
    play.pay(company, BANK, title.policies.marker_cost(title, state, company, space.hex), "token")
    play.emit(MarkerPlaced(company, space.hex, city))
    return True


def token_city(title: Title, state: State, company: CompanyId, space: Space) -> int | None:
    """The city that ``space`` means: the city that it names or, if it names only a hex, the only city there in which
    the company may place a marker. None if there is no such city, or more than one."""
    return city_meant(title, state, space, lambda: _open_cities(title, state, company, space.hex))


def city_meant(title: Title, state: State, space: Space, open_cities: Callable[[], list[int]]) -> int | None:
    """The city that ``space`` names or, if it names only a hex, the one of ``open_cities`` there. None if there is no
    such city, or more than one."""
    named = state.board.city_at(space)
    if named is not None or not space.bare or space.hex not in title.map.hexes:
        return named
    found = open_cities()
    return found[0] if len(found) == 1 else None


def list_tokens(
    title: Title, state: State, company: CompanyId, budget: int, placed_this_turn: bool
) -> tuple[Space, ...]:
    """Every space in which the company may place a marker now, in the order of the map."""
    if any(_turn(title, state, company, placed_this_turn)):
        return ()
    hexes = {hex for kind, hex, _ in reach_for(title, state, company, "token").stops if kind == "c"}
    return tuple(
        city_space(state, hex, city)
        for hex in title.map.hexes
        if hex in hexes and not any(_hex(title, state, company, hex, budget))
        for city in _open_cities(title, state, company, hex)
    )


def city_space(state: State, hex: HexId, city: int) -> Space:
    """The notation of a city: its hex alone or, if the hex has several cities, with the lowest edge of its track, or
    with its number if it has no track."""
    face = state.board.face(hex)
    if len(face.cities) == 1:
        return Space(hex)
    exits = face.exits_of("c", city)
    return Space(hex, min(exits)) if exits else Space(hex, number=city + 1)


# ---- checks ---------------------------------------------------------------------------------------------------------


def _turn(title: Title, state: State, company: CompanyId, placed_this_turn: bool) -> Iterator[Failure]:
    if placed_this_turn:  # rule 1861:8.2
        yield Failure("token.one_a_turn", {"company": company})
    markers = title.policies.markers(title, state, company)
    if len(state.board.places_of(company)) >= markers:  # rule 1861:8.2
        yield Failure("token.none_left", {"company": company, "markers": markers})


def _hex(title: Title, state: State, company: CompanyId, hex: HexId, budget: int) -> Iterator[Failure]:
    if any(company in city for city in state.board.circles(hex)):  # rule 1861:8.3
        yield Failure("token.same_hex", {"hex": hex, "company": company})
        return
    cost = title.policies.marker_cost(title, state, company, hex)
    if cost > budget:  # rule 1861:8.4, 8.5
        yield Failure("token.money", {"hex": hex, "cost": cost, "cash": budget, "missing": cost - budget})


def check_room(title: Title, state: State, company: CompanyId, hex: HexId, city: int) -> Iterator[Failure]:
    """Yield a failure if the city is full, or if others have claims to all its free circles."""
    board = state.board
    free = board.free(hex, city)
    if free < 1:
        yield Failure("token.full", {"hex": hex, "companies": board.at(hex, city)})
        return
    here = tuple(c for c, at in title.policies.reserved(title, state, hex, company) if at == city)
    if free <= len(here):  # rule 1861:8.7, 8.8
        yield Failure("token.reserved", {"hex": hex, "companies": here, "free": free})


def _open_cities(title: Title, state: State, company: CompanyId, hex: HexId) -> list[int]:
    """Cities of the hex that a route of the company reaches and that have room for its marker."""
    found = reach_for(title, state, company, "token")
    cities = range(len(state.board.face(hex).cities))
    return [i for i in cities if ("c", hex, i) in found and not any(check_room(title, state, company, hex, i))]


def unclear_space(title: Title, state: State, space: Space) -> Failure:
    """Return the reason why ``space`` does not name a single city: no such hex or city, or several to choose from."""
    if space.hex not in title.map.hexes:
        return Failure("token.no_hex", {"hex": space.hex})
    face = state.board.face(space.hex)
    if not face.cities:
        return Failure("token.no_city", {"hex": space.hex})
    spaces = [city_space(state, space.hex, i) for i in range(len(face.cities))] if len(face.cities) > 1 else []
    exits = tuple(str(s.number) if s.exit is None else title.map.edge_names[s.exit] for s in spaces)
    facts = {"hex": space.hex, "company": space.company, "exit": space.exit, "number": space.number, "exits": exits}
    return Failure("ambiguous.space" if space.bare else "token.no_space", facts)
