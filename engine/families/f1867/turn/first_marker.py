"""The place of a public company's first marker, which its founder chooses."""

from __future__ import annotations

from collections.abc import Iterator

from engine.acts.place_token import check_room, city_meant, city_space, unclear_space
from engine.board.network import isolated
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Space
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.rulings import rulings_of


def check_first_marker(title: Title, state: State, company: CompanyId, space: Space) -> tuple[Failure, ...]:
    """Every reason why ``space`` may not be the place of a new company's first marker."""  # rule 3.13
    city = first_marker_city(title, state, company, space)
    if city is None:
        return (unclear_space(title, state, space),)
    return (*check_room(title, state, company, space.hex, city), *_unlinked(title, state, space.hex, city))


def first_marker_city(title: Title, state: State, company: CompanyId, space: Space) -> int | None:
    """The city that ``space`` means for a first marker: the city that it names or, if it names only a hex, the only
    city there that may be chosen. None if there is no such city, or more than one."""
    return city_meant(title, state, space, lambda: _first_cities(title, state, company, space.hex))


def first_marker_spaces(title: Title, state: State, company: CompanyId) -> tuple[Space, ...]:
    """Every space in which a new company may place its first marker, in the order of the map."""
    return tuple(
        city_space(state, hex, city)
        for hex in title.map.hexes
        if state.board.face(hex).cities
        for city in _first_cities(title, state, company, hex)
    )


def _unlinked(title: Title, state: State, hex: HexId, city: int) -> Iterator[Failure]:
    """Yield the failures of the ruling ``first_marker``: ``space`` looks at the links of the city alone, ``empty`` also
    wants it empty, and ``hex`` wants every city of the hex without a link, to off-board areas too."""
    board, ruling = state.board, rulings_of(title).first_marker
    if ruling == "hex_free":
        yield from _apart(title, state, hex)
        return
    if ruling != "space" and board.at(hex, city):
        yield Failure("start.occupied", {"hex": hex, "companies": board.at(hex, city)})
    whole = ruling == "hex"
    cities = range(len(board.face(hex).cities)) if whole else (city,)
    if not all(isolated(board, hex, i, not whole, whole) for i in cities):
        yield Failure("start.connected", {"hex": hex})


def _apart(title: Title, state: State, hex: HexId) -> Iterator[Failure]:
    """Yield the failures of the ruling ``hex_free``: no marker may stand in the hex, and no city of it may be joined to
    another stop unless every hex that has room is."""
    board = state.board
    if standing := tuple(company for city in board.circles(hex) for company in city):
        yield Failure("start.occupied", {"hex": hex, "companies": standing})
    elif not _unjoined(state, hex) and any(
        _unjoined(state, other) and not any(board.circles(other)) and _room(title, state, other)
        for other in title.map.hexes
        if board.face(other).cities
    ):
        yield Failure("start.connected", {"hex": hex})


def _unjoined(state: State, hex: HexId) -> bool:
    return all(isolated(state.board, hex, i, False, True) for i in range(len(state.board.face(hex).cities)))


def _room(title: Title, state: State, hex: HexId) -> bool:
    """True if a city of the hex has a circle that is free and kept for nobody."""
    board, kept = state.board, title.policies.reserved(title, state, hex, CompanyId(""))
    cities = range(len(board.face(hex).cities))
    return any(board.free(hex, i) > sum(1 for _, city in kept if city == i) for i in cities)


def _first_cities(title: Title, state: State, company: CompanyId, hex: HexId) -> list[int]:
    cities = range(len(state.board.face(hex).cities))
    return [
        i
        for i in cities
        if not any(check_room(title, state, company, hex, i)) and not any(_unlinked(title, state, hex, i))
    ]
