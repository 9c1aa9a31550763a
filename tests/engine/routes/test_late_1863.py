"""1863: best runs of late positions are proven."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.routes.optimum import best_run
from tests.kit.games.plain_1863 import late_runs
from tests.kit.samples import prove

FEW, ALL = 3, None


@pytest.mark.parametrize(("players", "positions"), [(4, FEW), *(prove((players, ALL)) for players in (3, 4, 5, 6))])
def test_the_best_runs_of_a_plain_game_are_proven(players: int, positions: int | None) -> None:
    """From phase III on. The four whole games have more than 500 such positions."""
    for board, traits in islice(late_runs("historical", players, "1"), positions):
        found = best_run(board, traits)
        assert found.proven, (board.tiles, traits)
