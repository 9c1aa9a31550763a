"""The tokens of a company that a merger forms: their number, and those on the map that stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from engine.core.agenda import Ask, Exact, Menu
from engine.core.checks import Fact, Failure
from engine.core.events import MarkerRemoved, MarkerReplaced
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Keep, Order, Space
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of

FEWEST: Final = 2
MOST: Final = 5
"""The fewest and the most tokens of a company that a merger forms."""
CITY: Final = "city"

Standing: TypeAlias = tuple[HexId, int, CompanyId]
"""Hex and city of a token, and the old company to which it belongs."""


@dataclass(frozen=True, slots=True)
class KeepTokens(Frame):
    """From ``least`` to ``most`` of the tokens in ``places`` stay, including those in the hexes ``fixed``. The
    president of ``company`` chooses, or ``player`` if it has none. ``parts``: the old companies."""

    company: CompanyId
    player: PlayerId
    parts: tuple[CompanyId, CompanyId]
    places: tuple[Standing, ...]
    least: int
    most: int
    fixed: frozenset[HexId] = frozenset()


# ---- numbers --------------------------------------------------------------------------------------------------------


def drop_doubles(play: Play, parts: tuple[CompanyId, CompanyId]) -> int:
    """Remove the second company's token from each city or pass that both share. Return the number of tokens that the
    two lose because they share a place or a hex."""  # rule 10.20, clarification 1.22
    first, second = parts
    shared = {hex for hex, _ in play.state.board.places_of(first)} & {h for h, _ in play.state.board.places_of(second)}
    for hex, city in play.state.board.places_of(second):
        if first in play.state.board.at(hex, city):
            play.emit(MarkerRemoved(second, hex, city))
    return len(shared)


def standing(state: State, parts: tuple[CompanyId, CompanyId]) -> tuple[Standing, ...]:
    """The tokens of the old companies on the map, in order of placing."""
    return tuple((hex, city, part) for part in parts for hex, city in state.board.places_of(part))


def tokens_of(title: Title, state: State, parts: tuple[CompanyId, CompanyId]) -> int:
    """The number of tokens that the two have bought."""
    return sum(charter_of(title, state, part).markers for part in parts)


def merged_tokens(owned: int) -> int:
    """The number of tokens of the new company, for ``owned`` of the old ones without those that shared a place."""
    # clarification 1.22
    return min(MOST, max(FEWEST, owned))


def staying(owned: int, hexes: int) -> tuple[int, int]:
    """The fewest and the most tokens in ``hexes`` different hexes that stay. The new company may have as many spare
    tokens as the two had, and no more tokens than its number."""  # rule 10.20
    number, spare = merged_tokens(owned), owned - hexes
    most = min(hexes, number)
    return min(most, number - min(spare, number - 1)), most


# ---- the choice -----------------------------------------------------------------------------------------------------


def choices(state: State, frame: KeepTokens) -> Iterator[tuple[Standing, ...]]:
    """Yield every set of tokens that may stay: at most one in a hex, at least one in a city if there is any, and all
    that are fixed."""
    # rule 10.20, clarification 2.20
    hexes = {hex for hex, _, _ in frame.places}
    for number in range(min(frame.most, len(hexes)), frame.least - 1, -1):
        for kept in combinations(frame.places, number):
            if _allowed(state, frame, kept):
                yield kept


def _allowed(state: State, frame: KeepTokens, kept: tuple[Standing, ...]) -> bool:
    there = [hex for hex, _, _ in kept]
    in_city = any(state.board.face(hex).cities[city].kind == CITY for hex, city, _ in kept)
    cities = any(state.board.face(hex).cities[city].kind == CITY for hex, city, _ in frame.places)
    return (
        frame.least <= len(kept) <= frame.most
        and len(set(there)) == len(there)
        and frame.fixed <= set(there)
        and (in_city or not cities)
    )


def named(state: State, frame: KeepTokens, spaces: tuple[Space, ...]) -> tuple[Standing, ...] | None:
    """The tokens that ``spaces`` name; None if a space names none of them, several, or one named before."""
    found: list[Standing] = []
    for space in spaces:
        here = [place for place in frame.places if place[0] == space.hex]
        if len(here) > 1 or space.exit is not None:
            here = [(h, c, part) for h, c, part in here if _names(state, space, h, c, part)]
        if len(here) != 1 or here[0] in found:
            return None
        found.append(here[0])
    return tuple(place for place in frame.places if place in found)


def _names(state: State, space: Space, hex: HexId, city: int, part: CompanyId) -> bool:
    if space.company is not None:
        return space.company == part
    return space.exit is not None and space.exit in state.board.face(hex).exits_of("c", city)


def spaces_of(frame: KeepTokens, kept: tuple[Standing, ...]) -> tuple[Space, ...]:
    """The spaces that name the tokens that stay: by hex, and by the old company where two stand in a hex."""
    hexes = [hex for hex, _, _ in frame.places]
    return tuple(Space(hex, None, part if hexes.count(hex) > 1 else None) for hex, _, part in kept)


def replace_tokens(play: Play, company: CompanyId, places: tuple[Standing, ...], kept: tuple[Standing, ...]) -> None:
    """Replace the tokens that stay by those of the new company, and remove the others from the map."""
    for place in places:
        hex, city, part = place
        if place not in kept:
            play.emit(MarkerRemoved(part, hex, city))
        elif part != company:
            play.emit(MarkerReplaced(part, company, hex, city))


class KeepTokensStep:
    """Settle the tokens that stay. Nobody is asked if only one set may stay."""

    def asked(self, title: Title, state: State, frame: KeepTokens) -> tuple[Ask, ...]:
        sets = choices(state, frame)
        if next(sets, None) is None or next(sets, None) is None:
            return ()
        player = controller_of(title, state, frame.company) or frame.player
        about = (frame.company, *(f"{hex}/{part}" for hex, _, part in frame.places))
        return (Ask(player, frame.company, "merger.keep", about),)

    def menu(self, title: Title, state: State, frame: KeepTokens, ask: Ask) -> Menu:
        return tuple(Exact(Keep(frame.company, spaces_of(frame, kept))) for kept in choices(state, frame))

    def decide(self, play: Play, frame: KeepTokens, ask: Ask, order: Order) -> None:
        if not isinstance(order, Keep):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        kept = named(play.state, frame, order.spaces)
        if kept is None or not _allowed(play.state, frame, kept):
            play.note((keep_failure(frame),))
            return
        self._close(play, frame, kept)

    def advance(self, play: Play, frame: KeepTokens) -> None:
        self._close(play, frame, next(choices(play.state, frame), frame.places))

    def _close(self, play: Play, frame: KeepTokens, kept: tuple[Standing, ...]) -> None:
        play.pop()
        replace_tokens(play, frame.company, frame.places, kept)


def keep_failure(frame: KeepTokens) -> Failure:
    """Why the tokens that were named cannot be the ones that stay."""
    tokens = tuple(f"{hex}/{part}" for hex, _, part in frame.places)
    facts: dict[str, Fact] = {
        "tokens": tokens,
        "least": frame.least,
        "most": frame.most,
        "fixed": tuple(sorted(frame.fixed)),
    }
    return Failure("keep.tokens", facts)
