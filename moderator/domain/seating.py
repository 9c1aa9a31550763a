"""The seats of players: drawn by lot, with the places that they wished for when they joined.

A place is one in the order of play: whoever has the first one begins, with the priority deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.lots import lot

FIRST: Final = "first"
LAST: Final = "last"
_SEAT: Final = re.compile(r"seat (\d{1,2})")
FORMS: Final = ("first", "last", "seat 3")
"""The forms of a wish."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A wish and its result: the ``place`` that ``player`` has. ``rivals``: how many others wished for the same one."""

    player: str
    wish: str
    place: int
    granted: bool
    rivals: int = 0


def place_of(wish: str, players: int) -> int | None:
    """The place that is wished for in a game of so many ``players``; None if there is none such."""
    found = _SEAT.fullmatch(wish)
    place = 1 if wish == FIRST else players if wish == LAST else int(found[1]) if found is not None else 0
    return place if 1 <= place <= players else None


def deal_places(seed: str, names: Sequence[str], wishes: Mapping[str, str]) -> list[str]:
    """The order of play. Whoever alone wishes for a place has it; of several, one is drawn by lot. The places that are
    left are drawn among the others, in the order of their names. Without wishes, every place is drawn so."""
    left, seated = sorted(names), dict[int, str]()
    for place in range(1, len(names) + 1):
        wanting = [name for name in left if place_of(wishes.get(name, ""), len(names)) == place]
        if wanting:
            seated[place] = lot(seed, place, "wish", wanting)
    free = [place for place in range(1, len(names) + 1) if place not in seated]
    left = [name for name in left if name not in seated.values()]
    seated |= zip(free, draw(seed, "seat", left, len(free)), strict=True)
    return [seated[place] for place in sorted(seated)]


def draw(seed: str, purpose: str, names: Sequence[str], count: int) -> tuple[str, ...]:
    """So many of ``names``, each drawn by lot among those that are left, from lot number 0 on."""
    left, found = list(names), list[str]()
    for number in range(count):
        found.append(lot(seed, number, purpose, left))
        left.remove(found[-1])
    return tuple(found)


def dealt(players: Sequence[str], wishes: Mapping[str, str]) -> Iterator[Dealt]:
    """The result of each wish of ``players``, who sit in this order."""
    wanted = {player: place_of(wish, len(players)) for player, wish in wishes.items()}
    for place, player in enumerate(players, 1):
        if player in wishes:
            mine = wanted[player]
            rivals = sum(one == mine for one in wanted.values()) - 1 if mine is not None else 0
            yield Dealt(player, wishes[player], place, mine == place, rivals)
