"""A game that is over is shown as any other: nothing in its tables needs a question that is asked."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import engine
from engine.robots import random_order

ORDERS = 250


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", engine.title_names())
def test_the_remarks_of_a_game_need_nothing_on_its_agenda(name: str) -> None:
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="over"))
    chance = random.Random("over")
    while not game.finished and len(game.orders) < ORDERS:
        assert game.submit(random_order(game, game.asked()[0], chance))
    title, over = game.title, replace(game.state, agenda=())
    assert any(company.status == "open" for company in over.companies.values())
    for item in (*title.companies, *title.privates, "", "map"):
        assert isinstance(title.policies.remarks(title, over, item), dict)
