"""1863: best runs of late positions are proven."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.routes.optimise import best_run
from tests.kit.games.plain_1863 import late_runs


@pytest.mark.parametrize("positions", [10, pytest.param(500, marks=pytest.mark.prove)])
def test_the_best_runs_of_a_plain_game_are_proven(positions: int) -> None:
    """Of one game from its phase III on; the greater number is the whole game."""
    for board, traits in islice(late_runs("historical", 4, "1"), positions):
        found = best_run(board, traits)
        assert found.proven, (board.tiles, traits)
