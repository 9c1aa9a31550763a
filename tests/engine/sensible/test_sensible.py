"""The plain player: he answers every question that a position can put to him, whoever his opponents are."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

import engine
from engine.core import decide as rules
from engine.robots import random_order, sensible
from engine.sensible.stock import stock_turn
from tests.kit.games.course_1861 import stock
from tests.kit.games.situations import Played
from tests.kit.samples import one_in
from tests.proofs.test_games import NAMES, remembered_runs


def plain_stock_turn(game: Played) -> str:
    """What the plain player orders in a stock turn, "" for nothing; fails if that is refused."""
    (ask,) = rules.asked(game.title, game.state)
    order = stock_turn(cast(Any, game), ask, rules.menu(game.title, game.state, ask))
    if order is None:
        return ""
    assert not isinstance(rules.decide(game.title, game.state, order), engine.Refused)
    return game.write(order)


def test_he_starts_a_public_company_that_can_pay_for_a_used_train() -> None:
    """Public companies of 1861 have no home; the director's certificate brings them into play."""
    game = stock(cash={"Bob": 1000}, phase="6", pool_trains="3", edition="first")
    assert plain_stock_turn(game).startswith("start NW at 70")


@pytest.mark.parametrize(("cash", "start"), [(329, ""), (330, "start NW at 165")])
def test_he_starts_no_public_company_that_could_not_pay_for_its_train(cash: int, start: str) -> None:
    """Twice 165 and 225 of five loans are the first sums that reach the 550 of a 5-train."""
    order = plain_stock_turn(stock(cash={"Bob": cash}, phase="5"))
    assert order.startswith(start) and bool(order) == bool(start)


@pytest.mark.parametrize(("edition", "players", "seed"), one_in(3, [("first", 3, 5), ("v2.0", 3, 2), ("2020", 5, 1)]))
def test_he_plays_a_whole_game_among_players_of_chance(edition: str, players: int, seed: int) -> None:
    title, names = engine.load_title("1861", edition), NAMES[:players]
    game, chance = engine.Game.start(title, engine.Setup(names, str(seed), names[0])), random.Random(seed)
    with remembered_runs():
        while not game.finished:
            ask = game.asked()[0]
            order = sensible(game, ask) if ask.player == names[0] else random_order(game, ask, chance)
            found = game.submit(order)
            assert found, f"order {len(game.orders)}, {order}: {found}"
