"""Figures of 1863: the course of plain games on the reconstructed board, and the best runs of their late positions."""

from __future__ import annotations

import statistics
import time
from itertools import chain, islice

import pytest

from engine.routes.optimise import best_run
from tests.kit.figures import Say
from tests.kit.games.plain_1863 import course, late_runs

pytestmark = pytest.mark.bench

SEEDS = ("1", "2")
TABLES = (
    *((edition, players, seed) for edition in ("historical", "equal") for players in (3, 4) for seed in SEEDS),
    *(("historical", players, SEEDS[0]) for players in (5, 6)),
)
"""With five and six players no private is left out, so that every seed brings the same game."""
POSITIONS = 500


@pytest.mark.parametrize(("edition", "players", "seed"), TABLES)
def test_the_course_of_a_plain_game(say: Say, edition: str, players: int, seed: str) -> None:
    found = course(edition, players, seed)
    game = found.game
    assert game.finished
    say(
        f"{edition}, {players} players, seed {seed}: {len(game.orders)} orders, ends in {game.state.round}, phase"
        f" {game.state.phase}, phases began in sets {found.began}; {dict(found.counts)};"
        f" final values {[value for _, value in game.standings()]}"
    )


def test_best_runs_of_late_positions(say: Say) -> None:
    games = (late_runs("historical", players, seed) for seed in SEEDS for players in (3, 4, 5, 6))
    times = []
    for board, traits in islice(chain.from_iterable(games), POSITIONS):
        began = time.process_time()
        found = best_run(board, traits)
        times.append(time.process_time() - began)
        assert found.proven
    times.sort()
    say(
        f"best runs of {len(times)} late positions of 1863: median {1000 * statistics.median(times):.1f} ms,"
        f" 95 % {times[int(len(times) * 0.95)]:.3f} s, worst {times[-1]:.2f} s of CPU time"
    )
