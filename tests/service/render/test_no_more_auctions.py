"""A mail speaks of auctions only while something may still be sold by auction."""

from __future__ import annotations

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.robots import sensible
from moderator import render
from tests.kit.games.render_games import info


@pytest.mark.parametrize("name", ["1861", "1867"])
def test_after_the_last_minor_can_be_had_no_stock_turn_speaks_of_auctions(name: str) -> None:
    game = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    seen = {True: 0, False: 0}
    phases = set()
    while not game.finished:
        ask = game.asked()[0]
        if ask.what == "stock.turn":
            coming = bool(game.lots_to_come())
            phase = game.title.phase(game.state).name
            first = coming and not seen[True]
            if first or (not coming and phase not in phases):
                phases.add(phase)
                seen[coming] += 1
                text = " ".join(
                    render.turn_mail(game, info(game, ask.player), ask.player, len(game.orders)).text.split()
                )
                asked = text.partition("ANSWER LIKE THIS")[0]
                assert ("auction" in asked) == coming
                opens = [c for c in game.legal(ask.actor) if isinstance(c.order, o.Open)]
                assert coming or not opens
        assert game.submit(sensible(game, ask))
    assert all(seen.values()) and "8" in phases
