"""The foresight for kept orders in games of chance, held against what happens when everybody passes and they are sent
in when they are asked for."""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace

import pytest

import engine
from engine import Game, Menu, Setup
from engine.core import orders as o
from engine.core.events import LotDrawn, RoundBegan
from engine.core.ids import PlayerId
from engine.robots import sensible
from grammar import read, write, write_section
from moderator.domain.ahead.foresight import foresee
from moderator.domain.ahead.orders import Held
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.samples import amount, sampled
from tests.proofs.test_ahead_bound import NAMES, everywhere, given_ahead

SAMPLE = [
    ("1861", "v2.0", 3, 1), ("1867", "18xx.games", 4, 3), ("1844", "rulebook", 4, 2), ("1841", "v2", 4, 5),
    ("1863", "historical", 4, 118),
]  # fmt: skip
EVERY = 2
"""So many orders of the game stand between two looks."""
MOST = 700


def passing(menu: Menu) -> o.Order | None:
    """The order of a menu with which its owner does nothing; None if he must do something."""
    kinds = (o.Pass, o.Drop, o.Decline, o.Refuse, o.Done)
    return next((choice.order for kind in kinds for choice in menu if isinstance(choice.order, kind)), None)


def given(game: Game, player: PlayerId, chance: random.Random, earlier: list[str]) -> str:
    """Orders of a player who is not asked: anything, one that he could give if all passed until he is asked, or one
    that somebody could give ``earlier``."""
    if earlier and chance.random() < 0.3:
        return f"{player}: {chance.choice(earlier[-9:])}"
    if chance.random() < 0.3:
        return given_ahead(game, player, chance)
    game = game.fork()
    for _ in range(20):
        own = next((ask for ask in game.asked() if ask.player == player), None)
        if own is not None:
            order = chance.choice(game.legal(own.actor)).sample(0)
            earlier += [write(order, vocabulary(game.title))] if own.actor == player else []
            return write_section(own.actor, [order], vocabulary(game.title))
        idle = None if game.finished else passing(game.legal(game.asked()[0].actor))
        if idle is None or isinstance(game.submit(idle), engine.Refused):
            break
    return given_ahead(game, player, chance)


def happens(game: Game, held: Held) -> list[str] | None:
    """The reasons why the orders are refused when everybody has passed and they are sent in one by one, by the real
    game with all its secrets; none if they are carried out, None if nobody can tell."""
    game = game.fork()
    for _ in range(60):
        asked = game.asked()
        if game.finished or not asked:
            return None
        own = next((a for a in asked if (a.player, a.actor) == (held.player, held.actor)), None)
        assert held.occasion is not None
        if own is not None and held.occasion.is_now(game, own, held.orders[0]):
            return sent(game, held)
        order = None if asked[0].sealed else passing(game.legal(asked[0].actor))
        events = None if order is None else game.submit(order)
        if events is None or isinstance(events, engine.Refused):
            return None
        if any(isinstance(event, RoundBegan | LotDrawn) for event in events):
            return None
    return None


def sent(game: Game, held: Held) -> list[str] | None:
    fork = Fork(game)
    text = held.text
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=held.actor)
    block = play_block(fork, held.player, reading, text, partial=False)
    if any(isinstance(event, LotDrawn) for move in fork.moves for event in move.events):
        return None
    return [failure.check for line in block.lines for failure in line.failures]


def look(name: str, edition: str, players: int, seed: int) -> Counter[str]:
    """Play a game of chance, and look at orders given ahead on the way."""
    chance, count, earlier = random.Random(seed), Counter[str](), list[str]()
    game = Game.start(engine.load_title(name, edition=edition), Setup(NAMES[:players], seed=str(seed)))
    while not game.finished and len(game.orders) < MOST:
        if len(game.orders) % EVERY == 0:
            look_once(game, chance, count, earlier)
        assert not isinstance(game.submit(sensible(game, game.asked()[0])), engine.Refused)
    return count


def look_once(game: Game, chance: random.Random, count: Counter[str], earlier: list[str]) -> None:
    player = chance.choice(game.state.players)
    if any(ask.player == player for ask in game.asked()):
        return
    text = given(game, player, chance, earlier)
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=player)
    block = play_block(Fork(game), player, reading, text, partial=False)
    for held in block.held if block.stands else ():
        before, foreseen = game.digest(), [failure.check for failure in foresee(game, held)]
        assert game.digest() == before and replace(held) is not held
        if held.kind != "turn" or isinstance(held.orders[0], o.Limit):
            count[held.kind] += 1
            continue
        happened = happens(game, held)
        if foreseen:
            assert happened is None or happened[: len(foreseen)] == foreseen, (text, foreseen, happened)
            assert happened is not None, f"foretold, though nobody can tell: {text}: {foreseen}"
            count["foretold"] += 1
        else:
            came = game.state.round.kind == {"stock": "SR", "turn": "OR", "merger": "MR"}.get(held.occasion.kind, "")  # type: ignore[union-attr]
            assert not (happened and came), f"not foretold: {text}: {happened}"
            count["possible" if happened == [] else "unknown"] += 1


@pytest.mark.parametrize(("name", "edition", "players", "seed"), sampled(SAMPLE, SAMPLE[:1]))
def test_what_is_foretold_happens(name: str, edition: str, players: int, seed: int) -> None:
    count = look(name, edition, players, seed)
    sys.stdout.write(f"{name}: {dict(count)}\n")
    assert count["foretold"] > 0 and count["possible"] > 0, count


@pytest.mark.prove
def test_what_is_foretold_happens_in_games_of_all_titles() -> None:
    count = Counter[str]()
    for row in everywhere(1000, amount("FORETOLD_GAMES", 100)):
        count += look(*row)
    sys.stdout.write(f"{dict(count)}\n")
    assert count["foretold"] > 10
