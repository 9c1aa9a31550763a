"""Numbers in orders. The notation has none below zero; a program that uses the library may write one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

import engine
from engine import Game, Refused, Setup
from engine.core.agenda import Menu
from engine.core.orders import Order
from engine.robots import random_order, sensible
from tests.kit.samples import sampled

NAMES = ("Ann", "Bob", "Cat", "Dan")
TRIED = (-1, -3, -10)
ORDERS = {"make test": 120, "make prove": 1_500}


def below_zero(menu: Menu) -> Iterator[Order]:
    """The first order of each kind in the menu, with each of its numbers below zero."""
    seen = set[type]()
    for choice in menu:
        order: Any = choice.sample(0)
        if type(order) not in seen:
            seen.add(type(order))
            for part in fields(order):
                for value in spoilt(part.name, getattr(order, part.name)):
                    yield replace(order, **{part.name: value})


def spoilt(part: str, value: Any) -> Iterator[Any]:
    match value:
        case bool():
            pass
        case int() if part != "rotation":
            yield from TRIED
        case ((_, int()), *_):
            yield from (tuple((name, number) for name, _ in value) for number in TRIED)


@pytest.mark.parametrize("most", sampled(ORDERS, ["make test"]))
@pytest.mark.parametrize("name", engine.title_names())
def test_no_order_with_a_number_below_zero_is_accepted(name: str, most: str) -> None:
    game, chance = Game.start(engine.load_title(name), Setup(NAMES, seed="below")), random.Random(7)
    tried = Counter[type]()
    while not game.finished and len(game.orders) < ORDERS[most]:
        ask = game.asked()[0]
        for order in below_zero(game.legal(ask.actor)):
            found = game.check(order)
            assert isinstance(found, Refused), f"{order} is accepted: {found}"
            assert [failure.check for failure in found.failures] == ["order.below_zero"], order
            tried[type(order)] += 1
        assert game.submit(sensible(game, ask) if chance.random() < 0.7 else random_order(game, ask, chance))
    assert len(tried) > 2, tried
