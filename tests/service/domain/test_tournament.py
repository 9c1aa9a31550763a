"""Tournaments: how persons are dealt to games, and the table of results."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from moderator.domain.figures.tournament import Place, deal, ranking

NAMES = tuple("ABCDEFGHIJKLMNOP")


@pytest.mark.parametrize("persons", range(3, 17))
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("games", [1, 2, 5, 8, 20])
def test_everybody_plays_as_often_as_others(persons: int, seats: int, games: int) -> None:
    if seats > persons:
        with pytest.raises(ValueError, match="cannot play games of"):
            deal("a seed", NAMES[:persons], games, seats)
        return
    dealt = deal("a seed", NAMES[:persons], games, seats)
    assert len(dealt) == games
    assert all(len(set(table)) == seats for table in dealt)
    counts = Counter(name for table in dealt for name in table)
    often = [counts[name] for name in NAMES[:persons]]
    assert max(often) - min(often) <= 1
    assert sum(often) == games * seats


def test_sixteen_persons_meet_evenly() -> None:
    dealt = deal("another seed", NAMES, 20, 4)
    met = Counter(frozenset(pair) for table in dealt for pair in combinations(table, 2))
    assert max(met.values()) <= 3


def test_the_lot_decides_the_rest() -> None:
    assert deal("a", NAMES[:8], 4, 4) != deal("b", NAMES[:8], 4, 4)
    assert deal("a", NAMES[:8], 4, 4) == deal("a", NAMES[:8], 4, 4)


@pytest.mark.parametrize(("names", "games", "why"), [(("A", "A", "B"), 1, "same name"), (("A", "B"), 0, "one game")])
def test_what_cannot_be_dealt_says_why(names: tuple[str, ...], games: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        deal("a seed", names, games, 2)


def test_the_table() -> None:
    found = ranking(
        [
            ({"Ann": 600, "Bob": 300, "Cat": 100}, True),
            ({"Ann": 200, "Bob": 200, "Dan": 600}, True),
            ({"Cat": 0, "Dan": 0, "Ann": 0}, False),
        ]
    )
    assert found == [
        Place("Ann", 3, 2, 2.5, 1, 80.0),
        Place("Dan", 2, 1, 2.0, 1, 60.0),
        Place("Bob", 2, 2, 1.5, 0, 50.0),
        Place("Cat", 2, 1, 0.0, 0, 10.0),
    ]
