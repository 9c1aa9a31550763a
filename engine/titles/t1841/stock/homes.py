"""The cities in which a company may begin: fixed for historical companies, otherwise one or two of one country."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.place_token import city_space
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Space
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.titles.t1841.names import MAJOR, NO_CONCESSIONS_PHASE, SFMA
from engine.titles.t1841.pieces import AUSTRIA, VENETO, historical_cities, major_cities, zone_of, zones
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.track.borders import active

MOST_HOMES: Final = 2


def fixed_homes(title: Title, state: State, company: CompanyId) -> tuple[tuple[HexId, int], ...]:
    """The hex and city of each printed home of a historical company; empty if its president chooses."""
    # rule 4.6, 4.7
    homes = charter_of(title, state, company).homes
    if company == SFMA and rulings_of(title).sfma_home == "either":
        return ()
    fixed = all(company in title.map.hexes[hex].face.cities[city].reserved_for for hex, city in homes)
    return tuple((hex, state.board.home_city(hex, city)) for hex, city in homes) if fixed else ()


def home_hexes(title: Title, state: State, company: CompanyId) -> tuple[HexId, ...]:
    """The hexes among which the next home may be chosen, with or without room."""  # rule 4.8, 4.9, 4.10, 4.11
    if homes := charter_of(title, state, company).homes:
        chosen = not fixed_homes(title, state, company) and not state.board.places_of(company)
        return tuple(dict.fromkeys(hex for hex, _ in homes)) if chosen else ()
    found = [hex for zone, cities in zones(title).items() for hex in cities if _begun(title, state, zone, hex)]
    stands = state.board.places_of(company)
    if stands:
        with_first = _with(title, state, stands[0][0])
        found = [hex for hex in found if hex in with_first and hex != stands[0][0]]
    if charter_of(title, state, company).kind != MAJOR:
        found = [h for h in found if h not in major_cities(title) and not any(state.board.circles(h))]
    return tuple(found)


def _begun(title: Title, state: State, zone: str, hex: HexId) -> bool:
    """True if companies may begin in the city at all. Before the first 4-train, none may in Austria or in the home of a
    historical company."""
    return title.reached(state, NO_CONCESSIONS_PHASE) or not (zone in AUSTRIA or hex in historical_cities(title))


def _with(title: Title, state: State, first: HexId) -> frozenset[HexId]:
    """The hexes that may be the second home of a major which has its first in ``first``: those of the same country."""
    by_zone, zone = zones(title), zone_of(title, first)
    every = frozenset(hex for cities in by_zone.values() for hex in cities)
    assert zone is not None, first
    match active(title, state):
        case "2":
            return frozenset(by_zone[zone])
        case "4":
            return frozenset(by_zone[VENETO]) if zone == VENETO else every - frozenset(by_zone[VENETO])
    return every


def list_homes(title: Title, state: State, company: CompanyId) -> tuple[Space, ...]:
    """Every space that may be the next home."""
    return tuple(homes_open(title, state, company))


def homes_open(title: Title, state: State, company: CompanyId) -> Iterator[Space]:
    """Yield every space that may be the next home."""
    for hex in home_hexes(title, state, company):
        for city in range(len(state.board.face(hex).cities)):
            if not any(_room(title, state, company, hex, city)):
                yield city_space(state, hex, city)


def check_home(title: Title, state: State, company: CompanyId, space: Space) -> list[Failure]:
    """Every reason why the next home of the company may not be there."""
    if space.hex not in title.map.hexes:
        return [Failure("token.no_hex", {"hex": space.hex})]
    if space.hex not in home_hexes(title, state, company):
        here = tuple(dict.fromkeys(s.hex for s in list_homes(title, state, company)))
        return [Failure("home.not_there", {"company": company, "hex": space.hex, "homes": here})]
    city = home_city(title, state, company, space)
    if city is None:
        spaces = tuple(s for s in list_homes(title, state, company) if s.hex == space.hex)
        exits = tuple(title.map.edge_names[s.exit] for s in spaces if s.exit is not None)
        facts = {"hex": space.hex, "company": space.company, "exit": space.exit, "number": space.number, "exits": exits}
        if spaces:
            return [Failure("ambiguous.space", facts)]
        return [Failure("token.no_space", facts)]
    return list(_room(title, state, company, space.hex, city))


def home_city(title: Title, state: State, company: CompanyId, space: Space) -> int | None:
    """The city that ``space`` means: the one it names, or the only one of the hex with room; None if there is no such
    city."""
    named = state.board.city_at(space)
    if named is not None or space.exit is not None or space.company is not None:
        return named
    cities = range(len(state.board.face(space.hex).cities))
    free = [i for i in cities if not any(_room(title, state, company, space.hex, i))]
    return free[0] if len(free) == 1 else None


def _room(title: Title, state: State, company: CompanyId, hex: HexId, city: int) -> Iterator[Failure]:
    board = state.board
    if board.face(hex).cities[city].kind == "pass":  # rule 4.8, 4.12
        yield Failure("home.pass", {"hex": hex})
        return
    free = board.free(hex, city)
    if free < 1:
        yield Failure("token.full", {"hex": hex, "companies": board.at(hex, city)})
        return
    here = tuple(c for c, at in title.policies.reserved(title, state, hex, company) if at == city)
    if free <= len(here):
        yield Failure("token.reserved", {"hex": hex, "companies": here, "free": free})
