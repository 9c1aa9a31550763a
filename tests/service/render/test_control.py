"""Mails call a company frozen only if the rules do."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import POOL
from moderator import render
from moderator.words.position import views
from moderator.words.texts import words
from tests.kit.games import render_1844
from tests.kit.games.render_games import info, played


def test_a_company_that_never_has_a_director_is_not_called_frozen() -> None:
    game = played(1130)
    assert any(line.director is None for line in views.companies(game.title, game.state)), "the state railway"
    seat = game.asked()[0].player
    assert "frozen" not in render.turn_mail(game, info(game, seat), seat, len(game.orders)).html


def test_only_the_title_whose_rules_freeze_companies_uses_the_word() -> None:
    """In 1844 the national railway has no director while nobody has enough shares of it."""
    game = render_1844.stock_debt()
    held = game.state.holdings
    state = replace(
        game.state,
        holdings={(POOL if key[1:] == ("MOB", "director") else key[0], *key[1:]): n for key, n in held.items()},
    )
    line = next(one for one in views.companies(game.title, state) if one.id == "MOB")
    assert line.frozen
    facts = {"c": line, "title": game.title, "state": state, "share_lines": ()}
    assert words("en").text("company", **facts).startswith("MOB (it has no director): ")
