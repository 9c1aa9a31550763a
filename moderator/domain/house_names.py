"""Names of the house: what the players of an anonymous game are called until it is over.

They are trees, so that they say nothing of a person. A lot from the game's seed says which seats have which: neither
who joined first nor what somebody is called has an effect on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from moderator.domain.seating import draw

HOUSE_NAMES: Final = (
    "Acacia", "Alder", "Aspen", "Birch", "Cedar", "Cypress", "Hickory", "Larch", "Linden", "Maple", "Poplar",
    "Redwood", "Spruce", "Sycamore", "Walnut", "Yew",
)  # fmt: skip


def check_person_names(names: Iterable[str]) -> None:
    """``ValueError`` if a person who plays in an anonymous game is called as a player of it may be."""
    taken = {one.casefold() for one in HOUSE_NAMES}
    found = next((name for name in names if name.casefold() in taken), None)
    if found is not None:
        raise ValueError(f"{found!r} is a name of the house, as players of an anonymous game have")


def draw_house_names(seed: str, count: int) -> tuple[str, ...]:
    """Names for ``count`` seats, in the order of the seats: each is drawn by lot among those that are left.
    ``ValueError`` if there are not so many."""
    if count > len(HOUSE_NAMES):
        raise ValueError(f"an anonymous game has at most {len(HOUSE_NAMES)} players")
    return draw(seed, "house name", HOUSE_NAMES, count)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """``names`` with a number behind each that was there before: players who do not know of each other may have the
    same one."""
    found: list[str] = []
    for name in names:
        number, said = 2, name
        while said.casefold() in (one.casefold() for one in found):
            number, said = number + 1, f"{name} {number}"
        found.append(said)
    return tuple(found)
