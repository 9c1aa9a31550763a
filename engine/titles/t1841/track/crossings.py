"""The missing link between a company and a place or another company, named in refusals of tokens and mergers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.acts.act import Turn
from engine.acts.place_token import PlaceToken, token_city
from engine.board.network import bases, linked, meet, reach
from engine.board.track import StopAt
from engine.board.ways import Ways
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Order, Token
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1841.track.borders import active, listed

Arrives: TypeAlias = Callable[[Ways], bool]
"""A test that is true if a way under these terms reaches its goal."""


def crossed(title: Title, state: State, company: CompanyId, arrives: Arrives) -> tuple[str, ...]:
    """The borders without which a way would arrive, such as ``E7 SW``: as few as the search finds, in the order of the
    map. Empty if a way arrives anyway, or if none would arrive even without borders."""
    ways = title.policies.ways(title, state, company, "token")
    free = replace(ways, barred=frozenset())
    if arrives(ways) or not arrives(free):
        return ()
    near = reach(state.board, company, free).hexes
    sides = listed(title, active(title, state))
    open_now = [pair for pair in sides if all(hex in near for hex, _ in pair)]
    barred = ways.barred.difference(*open_now)
    needed: list[tuple[tuple[HexId, int], ...]] = []
    for pair in open_now:
        if arrives(replace(ways, barred=barred.union(pair))):
            barred = barred.union(pair)
        else:
            needed.append(pair)
    return tuple(f"{hex} {title.map.edge_names[edge]}" for (hex, edge), *_ in needed)


def check_border(title: Title, state: State, company: CompanyId, hex: HexId, cities: Iterable[int]) -> list[Failure]:
    """A failure with the borders that keep a token of ``company`` out of all these ``cities`` of ``hex``; empty if none
    do."""
    # rule 6.23, clarification 5.4
    wanted: tuple[StopAt, ...] = tuple(("c", hex, city) for city in cities)

    def arrives(ways: Ways) -> bool:
        found = reach(state.board, company, ways)
        return any(stop in found for stop in wanted)

    borders = crossed(title, state, company, arrives)
    return [Failure("token.border", {"hex": hex, "company": company, "borders": borders})] if borders else []


@dataclass(frozen=True, slots=True)
class PlaceInCountry(PlaceToken):
    """Place a token by ways that cross no active border. A refusal names the borders on the way."""

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Token)
        PlaceToken.carry_out(self, play, turn, player, order)
        if any(failure.check == "token.no_route" for failure in play.failures):
            city = token_city(play.title, play.state, turn.company, order.space)
            cities = () if city is None else (city,)
            play.note(check_border(play.title, play.state, turn.company, order.space.hex, cities))


def missing_link(title: Title, state: State, company: CompanyId, other: CompanyId) -> Failure:
    """The failure that no way joins the two companies. It gives the ``borders`` on the way; ``blockers``, the companies
    whose tokens fill cities on it; and ``here`` and ``there``, the hexes in whose cities the two have tokens. Without
    borders and blockers, there is no track between these hexes."""
    # rule 10.11, clarification 2.29, 3.7
    borders = crossed(title, state, company, lambda ways: meet(state.board, company, other, ways))
    ways = title.policies.ways(title, state, company, "token")
    facts: dict[str, Fact] = {
        "company": company,
        "other": other,
        "borders": borders,
        "blockers": () if borders else _blockers(title, state, company, other),
        "here": tuple(hex for hex, _ in bases(state.board, company, ways)),
        "there": tuple(hex for hex, _ in bases(state.board, other, ways)),
    }
    return Failure("merge.not_connected", facts)


def _blockers(title: Title, state: State, company: CompanyId, other: CompanyId) -> tuple[CompanyId, ...]:
    """The companies without whose tokens the two would be joined; empty if no track joins them at all."""
    board, ways = state.board, title.policies.ways(title, state, company, "token")
    goals: tuple[StopAt, ...] = tuple(("c", hex, city) for hex, city in bases(board, other, ways))

    def joined(ignoring: frozenset[CompanyId]) -> bool:
        found = (linked(board, start, ignoring) for start in bases(board, company, ways))
        return any(goal in way for way in found for goal in goals)

    ignored = frozenset(title.companies)
    if not joined(ignored):
        return ()
    for third in title.companies:
        if third != company and joined(ignored - {third}):
            ignored -= {third}
    return tuple(third for third in title.companies if third in ignored and third != company)
