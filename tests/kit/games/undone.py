"""Games of chance in which an order is taken back and the later ones are played again as far as they fit."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import pytest

from engine import Game, Refused, Setup, load_title, replay
from engine.core.view import holds_sealed
from engine.robots import random_order, sensible
from moderator.domain import again
from moderator.domain.again import Course, Ready, places
from moderator.domain.fit import Given, Misfit, given, misfit
from moderator.domain.fork import Fork
from tests.kit.games.naive_fit import fits
from tests.kit.properties import of_position

WISE = 0.8
"""The share of orders that a sensible player gives; the others are given by chance."""


@dataclass
class Undone:
    """A game, who gave its orders, and one that was taken back in it."""

    game: Game
    players: list[str]
    first: int
    """Number of the first order that is taken back."""
    fork: Fork
    course: Course
    taken: list[int]
    judged: Counter[str] = field(default_factory=Counter)
    """How often the judgement was "fits", or a reason against it."""


def begun(title: str, players: int, seed: int, orders: int) -> tuple[Game, list[str]]:
    chance = random.Random(seed)
    names = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Guy", "Hal")[:players]
    game, givers = Game.start(load_title(title), Setup(names, f"undone {seed}")), list[str]()
    while len(game.orders) < orders and not game.finished:
        ask = chance.choice(game.asked())
        order = sensible(game, ask) if chance.random() < WISE else random_order(game, ask, chance)
        assert not isinstance(game.submit(order), Refused)
        givers.append(str(ask.player))
    return game, givers


def take_back(game: Game, players: list[str], first: int) -> Undone:
    while first > 1 and holds_sealed(game.at(first - 1)):
        first -= 1
    found = places(game, players[first - 1 :], 99, first)
    groups = {place.group for place in found[:1]} - {0}
    turns = {place.turn for place in found if place.number == first or place.group in groups}
    ready = [
        Ready(who, str(game.orders[place.number - 1].actor), str(place.number), place,
              partial(given, game, place.number, who), gap=place.turn in turns)
        for place, who in zip(found, players[first - 1 :], strict=True)
    ]  # fmt: skip
    back = game.fork()
    back.undo(first - 1)
    taken = [place.number for place in found if place.turn in turns]
    return Undone(game, players, first, Fork(back), Course.of(ready), taken)


def go_on(undone: Undone, chance: random.Random, most: int, same: float = 0.25) -> None:
    """Answer what is asked, ``most`` times, and play what is kept ready whenever it fits. ``same``: how often the first
    answer is the order that was taken back."""
    fork, course = undone.fork, undone.course
    course.go_on(fork)
    for number in range(most):
        if fork.game.finished or not course.left:
            return
        ask = chance.choice(fork.game.asked())
        wise = number and chance.random() < WISE
        order = sensible(fork.game, ask) if wise else random_order(fork.game, ask, chance)
        old = undone.game.orders[undone.first - 1]
        if not number and chance.random() < same and old.actor == ask.actor:
            order = old
        assert not isinstance(fork.submit(order, str(ask.player), "mail"), Refused)
        course.go_on(fork)


def judging_twice(monkeypatch: pytest.MonkeyPatch, undone: Undone, every: int) -> None:
    """Judge each order that does not fit, and one in ``every`` that does, by the second formulation too."""

    def judged(one: Given, now: Game) -> Misfit | None:
        found = misfit(one, now)
        if found is not None or undone.judged["fits"] % every == 0:
            assert fits(one, now) == (found is None), f"{one.order} of {one.player}: {found}"
        undone.judged[found.reason if found else "fits"] += 1
        return found

    monkeypatch.setattr(again, "misfit", judged)


def try_undos(
    monkeypatch: pytest.MonkeyPatch, title: str, players: int, orders: int, *, seed: int, tries: int, every: int
) -> Counter[str]:
    """Take orders of one game back, and check what follows. Returns the judgements."""
    game, givers = begun(title, players, seed, orders)
    chance, judged = random.Random(seed), Counter[str]()
    for _ in range(tries):
        undone = take_back(game, givers, chance.randrange(1, len(game.orders)))
        judging_twice(monkeypatch, undone, every)
        go_on(undone, chance, 40)
        all_is_right(undone)
        judged += undone.judged
    return judged


def all_is_right(undone: Undone) -> None:
    """Nothing is lost or doubled, what was kept has the same effects, and the whole adds up and can be replayed."""
    course, fork, old = undone.course, undone.fork, undone.game
    known = [one.place.number for one in (*course.left, *course.played, *(gone.ready for gone in course.gone))]
    assert sorted([*known, *undone.taken]) == list(range(undone.first, len(old.orders) + 1))
    for one, number in zip(course.played, course.numbers, strict=True):
        assert fork.game.orders[number - 1] == old.orders[one.place.number - 1]
        assert fork.game.events(number) == old.events(one.place.number)
    kept = [move for move in fork.moves if move.origin == "kept"]
    assert [move.order for move in kept] == [old.orders[one.place.number - 1] for one in course.played]
    orders = len(fork.game.orders)
    of_position.hold(fork.game, fork.game.at(orders - 1) if orders else None)
    again = replay(old.title, old.setup, list(fork.game.orders))
    assert again.told_digest() == fork.game.told_digest()
