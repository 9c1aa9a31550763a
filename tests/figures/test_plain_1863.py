"""Figures of 1863: the best runs of late positions of plain games."""

from __future__ import annotations

import statistics
import time
from itertools import chain

import pytest

from engine.routes.optimum import best_run
from tests.kit.figures import Say
from tests.kit.games.plain_1863 import late_runs

pytestmark = pytest.mark.bench

SEED = "1"
LEAST = 500


def test_best_runs_of_late_positions(say: Say) -> None:
    games = (late_runs("historical", players, SEED) for players in (3, 4, 5, 6))
    times = []
    for board, traits in chain.from_iterable(games):
        began = time.process_time()
        found = best_run(board, traits)
        times.append(time.process_time() - began)
        assert found.proven
    assert len(times) >= LEAST
    times.sort()
    say(
        f"best runs of {len(times)} late positions of 1863: median {1000 * statistics.median(times):.1f} ms,"
        f" 95 % {times[int(len(times) * 0.95)]:.3f} s, worst {times[-1]:.2f} s of CPU time"
    )
