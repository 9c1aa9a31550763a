"""Mails call a company frozen only if the rules do."""

from __future__ import annotations

from moderator import render
from moderator.render import views
from tests.kit.games.render_games import info, played


def test_a_company_that_never_has_a_director_is_not_called_frozen() -> None:
    game = played(1130)
    assert any(line.director is None for line in views.companies(game.title, game.state)), "the state railway"
    seat = game.asked()[0].player
    assert "frozen" not in render.turn_mail(game, info(game, seat), seat, len(game.orders)).html
