"""Games of robots, written for 18xx.games and read again: the form is the site's, every certificate that is named lies
in the hand that gives it, and the game is the same."""

from __future__ import annotations

import json
import os

import pytest

from engine import Game
from engine.site18xx.sheet import NotForTheSite
from moderator.domain.records.export_18xx import BY_THE_PLAYERS, NotExported, export_game
from moderator.domain.records.import_18xx import read_game
from tests.kit.records.site_checker import faults
from tests.kit.samples import amount, today
from tests.service.domain.test_export_18xx import play

GAMES = 200
EDITIONS = (("1861", "2020"), ("1844", "18xx.games"), ("1841", "v1"), ("1841", "v2"), ("1867", "18xx.games"))


def _there_and_back(game: Game) -> tuple[int, list[str]]:
    """The number of actions that ``game`` becomes, and what is wrong with them. Raises ``NotForTheSite`` for an order
    that the site does not know."""
    try:
        data = json.loads(export_game(game))
    except NotExported as problem:
        if isinstance(problem.__cause__, NotForTheSite):
            raise problem.__cause__ from None
        return 0, [str(problem)]
    found = faults(data)
    again = read_game("a game of robots", data)
    for _ in again.play():
        pass
    found += [f"{number} does not lie where it is taken" for number in again.converter.books.strangers]
    ended = data["game_end_reason"] != BY_THE_PLAYERS
    if ended and again.game.told_digest() != game.told_digest():
        found.append("the position is another")
    if dict(again.game.standings()) != dict(game.standings()):
        found.append("the standings are others")
    return len(data["actions"]), found


@pytest.mark.prove
@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_what_robots_played_comes_back_the_same(name: str, edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`EXPORTED_GAMES` is their number, and `FIRST_SEED` the first seed, otherwise one of the day."""
    number = amount("EXPORTED_GAMES", GAMES)
    first = int(os.environ.get("FIRST_SEED", str(today() * GAMES)))
    actions = wrong = refused = 0
    for seed in range(first, first + number):
        game = play(name, edition, 3 + seed % 4, seed, ())
        try:
            count, found = _there_and_back(game)
        except NotForTheSite as reason:
            refused += 1
            with capsys.disabled():
                print(f"\n{name} {edition}, seed {seed}: {reason}")  # noqa: T201
            continue
        actions += count
        wrong += bool(found)
        if found:
            with capsys.disabled():
                print(f"\n{name} {edition}, seed {seed}: {found[:3]}")  # noqa: T201
    counts = f"{number} games from seed {first}, {actions} actions, {wrong} wrong, {refused} refused"
    with capsys.disabled():
        print(f"\n{name} {edition}: {counts}")  # noqa: T201
    assert not wrong and refused <= max(1, number // 50)
