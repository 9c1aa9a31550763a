"""The default of every question, in positions of games of chance of every title and edition, for every number of
players: legal, always the same, no more than the rules demand; and a game in which all are silent goes on."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

import engine
from engine import Game, Setup
from tests.kit.properties import of_default as prove_default
from tests.kit.titles import TITLES
from tests.proofs.test_games import NAMES, TABLES, order_of, remembered_runs, title_of

POSITIONS = 10_000
"""Positions of all tables together."""
EACH = -(-POSITIONS // len(TABLES))
SEED = 31_000
LEAPS = (1, 2, 3, 4, 5)
"""Every position is one of so many; the others are only played."""
SILENT = (0.0, 0.3, 0.6, 1.0)
"""How often a player is silent, game after game in turn."""
QUICK = {"1861": ("v2.0", 3), "1844": ("rulebook", 4), "1841": ("clarified", 3), "1863": ("equal", 3),
         "1867": ("18xx.games", 3)}  # fmt: skip
"""A table of each title, of which some positions are tried every time."""


def positions(name: str, edition: str, players: int, number: int, leap: int) -> Iterator[tuple[Game, random.Random]]:
    """So many positions of games of chance, in which some players are silent now and then."""
    seed, found = SEED, 0
    while found < number:
        chance, silent = random.Random(seed), SILENT[seed % len(SILENT)]
        game = Game.start(title_of(name, edition, players, seed), Setup(NAMES[:players], seed=str(seed)))
        while not game.finished and found < number and len(game.orders) < 1_500:
            if len(game.orders) % leap == 0:
                found += 1
                yield game, chance
            ask = game.asked()[int(chance.random() * len(game.asked()))]
            order = engine.default_order(game, ask) if chance.random() < silent else order_of(game, ask, chance)
            assert game.submit(order)
        seed += 1


def held(name: str, edition: str, players: int, number: int, leap: int) -> Counter[tuple[str, str]]:
    """Hold the defaults of so many positions; how often each kind of question had each default."""
    found: Counter[tuple[str, str]] = Counter()
    with remembered_runs():
        for count, (game, _) in enumerate(positions(name, edition, players, number, leap)):
            try:
                for ask in game.asked():
                    found[ask.what, prove_default.hold(game, ask).key] += 1
                if count % 10 == 0:
                    prove_default.all_silent(game)
                    engine.default_course(game, game.asked()[0])
            except Exception as error:
                where = f"{name} {edition}, {players} players, seed {game.setup.seed}, order {len(game.orders)}"
                raise AssertionError(where) from error
    return found


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_defaults_are_legal_and_harmless(name: str) -> None:
    edition, players = QUICK[name]
    found = held(name, edition, players, 30, 17)
    listed = engine.default_rules(engine.load_title(name))
    assert {what for what, _ in found} <= set(listed)


@pytest.mark.prove
@pytest.mark.parametrize(("name", "edition", "players"), TABLES)
def test_ten_thousand_positions(name: str, edition: str, players: int) -> None:
    found = held(name, edition, players, EACH, LEAPS[players % len(LEAPS)])
    listed = engine.default_rules(engine.load_title(name))
    assert all(key in {rule.key for rule in listed[what]} for what, key in found if what in listed)
    assert {what for what, _ in found} <= set(listed)
    lines = ", ".join(f"{what} {key} {number}" for (what, key), number in sorted(found.items()))
    sys.stdout.write(f"{name} {edition}, {players} players, {EACH} positions, {found.total()} questions: {lines}\n")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_a_game_in_which_all_are_silent_goes_on(name: str) -> None:
    edition, players = QUICK[name]
    game, sets = Game.start(engine.load_title(name, edition), Setup(NAMES[:players], seed="silent")), set[int]()
    while not game.finished and len(game.orders) < 150:
        assert game.submit(engine.default_order(game, game.asked()[0]))
        sets.add(game.state.round.set)
    assert game.finished or len(sets) > 2


@pytest.mark.prove
@pytest.mark.parametrize(("name", "edition", "players"), TABLES)
def test_a_silent_table_goes_on_at_every_table(name: str, edition: str, players: int) -> None:
    for seed in range(3):
        game = Game.start(title_of(name, edition, players, seed), Setup(NAMES[:players], seed=str(seed)))
        sets = set[int]()
        while not game.finished and len(game.orders) < 1_000:
            assert game.submit(engine.default_order(game, game.asked()[0]))
            sets.add(game.state.round.set)
        assert game.finished or len(sets) > 3
