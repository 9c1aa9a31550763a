"""Random words of game masters and votes of the table, with kills, restarts, copies and upgrades: nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.samples import amount, sampled
from tests.kit.service.master_chaos import FIRST_SEEDS, masters_speak

SHORT = [("1861", 1), ("1844", 2), ("1841", 3), ("1863", 4), ("1867", 5)]
"""Titles and seeds of short games."""


@pytest.mark.prove
@pytest.mark.parametrize("title", FIRST_SEEDS)
def test_masters_speak_in_long_games(
    tmp_path: Path, title: str, emptied: Callable[[], None], each_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Counter[str]()
    games = amount("MASTER_GAMES", 10)
    for seed in range(games):
        emptied()
        seen += masters_speak(tmp_path / str(seed), title, FIRST_SEEDS[title] + seed, 40)
    with capsys.disabled():
        print(f"\n{title}, {each_database}, {games} games: {dict(sorted(seen.items()))}")  # noqa: T201
    assert seen["kills"] and seen["restores"] == games and seen["upgrades"] == games
    assert seen["motion carried"] and seen["motion refused"] and seen["votes"]


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize(("title", "seed"), sampled(SHORT, [("1863", 4), ("1867", 5)]))
def test_masters_speak(tmp_path: Path, title: str, seed: int) -> None:
    seen = masters_speak(tmp_path, title, seed, 8)
    assert seen["restores"] == seen["upgrades"] == 1
