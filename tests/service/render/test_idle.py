"""A company that does not run: its turn mail says so in advance, and the news say why, beside what its price does."""

from __future__ import annotations

import pytest

import engine
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.robots import sensible
from moderator import render
from moderator.words.story import story
from moderator.words.texts import words
from tests.kit.games.render_games import info
from tests.kit.titles import TITLES

MOVED = ("price ", "the price stays")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_mails_say_why_a_company_does_not_run_and_what_its_price_does(name: str) -> None:
    title = engine.load_title(name)
    game = Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="a seed for tests"))
    announced = False
    while len(game.orders) < 150:
        ask = game.asked()[0]
        if ask.what == "company.turn" and not game.state.companies[CompanyId(ask.actor)].trains and not announced:
            said = render.turn_mail(game, info(game, ask.player), ask.player, len(game.orders)).text
            announced = f"{ask.actor} has no train, so it does not run now and earns nothing." in " ".join(said.split())
            assert announced
        assert game.submit(sensible(game, ask))
    assert announced
    told = [p.clauses for chapter in story(words("en"), game, -1) for p in chapter.paragraphs]
    idle = [clauses for clauses in told if any("did not run: it had no " in clause for clause in clauses)]
    assert idle, "somebody had no train"
    for clauses in idle:
        at = next(i for i, clause in enumerate(clauses) if "did not run" in clause)
        assert clauses[at + 1].startswith(MOVED), clauses
