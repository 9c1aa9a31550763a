"""Standing orders in services that are killed, started anew, set back to copies and upgraded, while game masters undo,
correct, and give seats to others: nothing is lost, nothing is told to others, and all that is stored leads to what was
told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.samples import amount, sampled
from tests.kit.service.master_chaos import FIRST_SEEDS
from tests.kit.service.standing_chaos import stand

SHORT = [("1861", 1), ("1844", 2), ("1841", 3), ("1863", 4), ("1867", 5)]
"""Titles and seeds of short games."""


@pytest.mark.prove
@pytest.mark.parametrize("title", FIRST_SEEDS)
def test_standing_orders_in_long_games(
    tmp_path: Path, title: str, emptied: Callable[[], None], each_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Counter[str]()
    games = amount("STANDING_TABLES", 10)
    for seed in range(games):
        emptied()
        seen += stand(tmp_path / str(seed), title, FIRST_SEEDS[title] + seed, 40)
    with capsys.disabled():
        print(f"\n{title}, {each_database}, {games} games: {dict(sorted(seen.items()))}")  # noqa: T201
    assert seen["kills"] and seen["restores"] == games and seen["upgrades"] == games
    assert seen["standing kept"] and seen["moves by them"]


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize(("title", "seed"), sampled(SHORT, [("1844", 2), ("1863", 4)]))
def test_standing_orders_in_short_games(tmp_path: Path, title: str, seed: int) -> None:
    seen = stand(tmp_path, title, seed, 4)
    assert seen["restores"] == seen["upgrades"] == 1 and seen["standing given"]
