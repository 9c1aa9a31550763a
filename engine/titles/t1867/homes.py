"""The home of a minor, which the player who opens its auction names with his bid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.acts.place_token import city_meant, city_space, unclear_space
from engine.core.checks import Failure
from engine.core.events import Marked
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Open, Space
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.kin import Place
from engine.titles.t1867.names import HOME, MONTREAL, TORONTO
from engine.titles.t1867.policies import reserved
from engine.titles.t1867.rulings import rulings_of


def homes(title: Title, state: State) -> tuple[Space, ...]:
    """Every place that a minor may have as its home: a free circle in a hex with an empty city or, by a ruling, any
    free circle of Toronto and Montreal."""  # rule 4.11
    return tuple(city_space(state, hex, city) for hex, city in _places(title, state))


def named(title: Title, state: State, place: tuple[str, int]) -> str:
    """A city as orders name it, such as ``M9``, ``L12/N`` or ``L12/3``."""
    space = city_space(state, HexId(place[0]), place[1])
    part = space.number if space.exit is None else title.map.edge_names[space.exit]
    return space.hex if part is None else f"{space.hex}/{part}"


def _places(title: Title, state: State) -> Iterator[Place]:
    board = state.board
    for hex in title.map.hexes:
        kept = {city for _, city in reserved(title, state, hex, CompanyId(""))}
        cities = [i for i in range(len(board.face(hex).cities)) if i not in kept]
        whole = hex in (TORONTO, MONTREAL) and rulings_of(title).homes == "free_circle"
        if whole or any(not board.at(hex, i) for i in cities):
            yield from ((hex, i) for i in cities if board.free(hex, i))


def openings(title: Title, state: State, minor: CompanyId) -> Iterator[Open]:
    """The opening bids for a minor, one for each home."""
    return (Open(PlayerId(""), minor, None, space) for space in homes(title, state))


def check_opening(title: Title, state: State, order: Open) -> Iterator[Failure]:
    """The reason why the minor may not have its home there."""  # rule 4.8
    places, space = tuple(_places(title, state)), order.space
    spaces = tuple(named(title, state, place) for place in places)
    there = [city_space(state, *place) for place in places if space is not None and place[0] == space.hex]
    if not spaces:
        yield Failure("open.no_home", {"item": order.item})
    elif space is None:
        yield Failure("open.home_missing", {"item": order.item, "spaces": spaces})
    elif there and _meant(title, state, space) is None:
        yield _unclear(title, state, space, there)
    elif _is_neutral(title, state, space):
        yield Failure("open.home_neutral", {"item": order.item, "hex": space.hex, "spaces": spaces})
    elif _meant(title, state, space) not in places:
        yield Failure("open.home", {"item": order.item, "hex": space.hex, "spaces": spaces})


def _unclear(title: Title, state: State, space: Space, there: list[Space]) -> Failure:
    """The reason why ``space`` does not name one city, with those that are ``there`` to choose from."""
    failure = unclear_space(title, state, space)
    exits = tuple(str(s.number) if s.exit is None else title.map.edge_names[s.exit] for s in there)
    return replace(failure, facts={**failure.facts, "exits": exits})


def _is_neutral(title: Title, state: State, space: Space) -> bool:
    """True if a neutral marker stands in the city that ``space`` means."""  # rule 1.13
    kept = [city for _, city in reserved(title, state, space.hex, CompanyId(""))]
    return bool(kept) and city_meant(title, state, space, lambda: kept) in kept


def _meant(title: Title, state: State, space: Space) -> Place | None:
    """The city that ``space`` means: the one that it names, or the only one of its hex that may be a home."""
    city = city_meant(title, state, space, lambda: [i for hex, i in _places(title, state) if hex == space.hex])
    return None if city is None else (space.hex, city)


def opened(play: Play, order: Open) -> None:
    """Note the home that was named."""  # rule 4.8
    assert order.space is not None
    play.emit(Marked(f"{HOME}{order.item}", _meant(play.title, play.state, order.space)))


def home(title: Title, state: State, company: CompanyId) -> Place:
    """The home that was named with the opening bid."""  # rule 4.8
    hex, city = state.marks[HOME + company]
    return HexId(hex), city


def minor_started(play: Play, company: CompanyId) -> None:
    """Forget the home: a marker stands there now."""
    play.emit(Marked(HOME + company, None))
