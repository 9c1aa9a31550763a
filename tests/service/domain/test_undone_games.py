"""Orders that are played again after an undo: exactly those that fit, in games of chance of all titles."""

from __future__ import annotations

import pytest

from tests.kit.games.undone import try_undos
from tests.kit.samples import amount

GAMES = (("1861", 3, 130, 5), ("1844", 3, 130, 1), ("1841", 3, 110, 6), ("1863", 3, 110, 7), ("1867", 3, 130, 3))
"""Title, players, orders, and a seed with which some orders fit and others do not."""


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(("title", "players", "orders", "seed"), GAMES)
def test_what_is_played_again_is_what_fits(
    monkeypatch: pytest.MonkeyPatch, title: str, players: int, orders: int, seed: int
) -> None:
    judged = try_undos(monkeypatch, title, players, orders, seed=seed, tries=3, every=7)
    assert judged["fits"] and judged["question"] and judged["view"], judged


@pytest.mark.prove
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("title", [title for title, *_ in GAMES])
def test_so_it_is_in_many_games(monkeypatch: pytest.MonkeyPatch, title: str, players: int) -> None:
    for seed in range(amount("UNDONE_GAMES", 40)):
        try_undos(monkeypatch, title, players, 60 + 10 * (seed % 20), seed=100 + seed, tries=5, every=3)
