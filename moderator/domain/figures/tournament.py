"""Tournaments: persons dealt to several games of one title, and one table of their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.lots import lot


@dataclass(frozen=True, slots=True)
class Place:
    """The row of a person in the table. ``beaten``: opponents with a smaller total, in all games that are over; one
    with the same total counts half. ``won``: games in which nobody had more. ``share``: the sum of his shares of all
    wealth at the end of each game, in per cent."""

    person: str
    games: int
    over: int
    beaten: float
    won: int
    share: float


def deal(seed: str, names: Sequence[str], games: int, seats: int) -> list[tuple[str, ...]]:
    """The persons of each game. Nobody plays two games more than somebody else, and persons meet as evenly as that
    allows; the rest is drawn by lot. ``ValueError`` if there are fewer persons than seats, or no games."""
    if games < 1:
        raise ValueError("a tournament has at least one game")
    if not 2 <= seats <= len(names):
        raise ValueError(f"{len(names)} persons cannot play games of {seats}")
    if len(set(names)) < len(names):
        raise ValueError("two persons have the same name")
    order, left, drawn = list[str](), sorted(names), 0
    while left:
        chosen = left[0] if len(left) == 1 else lot(seed, drawn, "tournament", left)
        left.remove(chosen)
        order.append(chosen)
        drawn += 1
    played, met = Counter[str](), Counter[frozenset[str]]()
    dealt = []
    for _ in range(games):
        table: list[str] = []
        while len(table) < seats:
            free = [name for name in order if name not in table]
            table.append(min(free, key=lambda name: (played[name], sum(met[frozenset((name, one))] for one in table))))
        played.update(table)
        met.update(frozenset((one, other)) for n, one in enumerate(table) for other in table[n + 1 :])
        dealt.append(tuple(table))
    return dealt


def ranking(games: Iterable[tuple[Mapping[str, int], bool]]) -> list[Place]:
    """The table of a tournament, best first. Each game gives the totals of its persons, and whether it is over; the
    totals of others do not count."""
    found = list(games)
    names = dict.fromkeys(name for totals, _ in found for name in totals)
    rows = [_place(name, found) for name in names]
    return sorted(rows, key=lambda one: (-one.beaten, -one.won, -one.share, one.person))


def _place(name: str, games: Sequence[tuple[Mapping[str, int], bool]]) -> Place:
    his = [(totals, over) for totals, over in games if name in totals]
    over = [totals for totals, ended in his if ended]
    beaten = sum(
        1.0 if totals[name] > total else 0.5 if totals[name] == total else 0.0
        for totals in over
        for other, total in totals.items()
        if other != name
    )
    won = sum(totals[name] == max(totals.values()) for totals in over)
    share = sum(100 * totals[name] / sum(totals.values()) for totals in over if sum(totals.values()) > 0)
    return Place(name, len(his), len(over), beaten, won, share)
