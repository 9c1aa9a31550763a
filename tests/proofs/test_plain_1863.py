"""Twenty games of the plain player of 1863 for each number of players, half of them in each edition. No game of 1863
was ever recorded, and its board is partly reconstructed: these games tell whether the board carries a game."""

from __future__ import annotations

import sys

import pytest

from tests.kit.games.plain_1863 import course
from tests.kit.properties.of_position import hold

EDITIONS = {"historical": range(1, 11), "equal": range(11, 21)}
"""The seeds of the games in each edition."""
PORTION = 5
ORDINARY = range(10, 31)
"""Sets of rounds of an ordinary game."""


PORTIONS = [
    (edition, players, first)
    for players in (3, 4, 5, 6)
    for edition, seeds in EDITIONS.items()
    for first in seeds[::PORTION]
]
"""Of each number of players and edition the first seed of every five, so that they can run side by side."""


@pytest.mark.prove
@pytest.mark.parametrize(("edition", "players", "first"), PORTIONS)
def test_plain_games_end_in_an_ordinary_number_of_rounds(edition: str, players: int, first: int) -> None:
    """They come to the last phase, and last as many rounds as a game does. Games with different seeds differ."""
    seeds = range(first, first + PORTION)
    found = [course(edition, players, str(seed)) for seed in seeds]
    for seed, played in zip(seeds, found, strict=True):
        game = played.game
        values = [value for _, value in game.standings()]
        sys.stdout.write(
            f"{edition}, {players} players, seed {seed}: {len(game.orders)} orders, ends in {game.state.round}"
            f" ({played.ended}); phases began in sets {played.began}; {dict(played.counts)}; final values {values}\n"
        )
        hold(game, None)
        assert game.finished
        assert game.state.phase == "V"
        assert game.state.round.set in ORDINARY
    assert len({played.game.digest() for played in found}) == len(found)
