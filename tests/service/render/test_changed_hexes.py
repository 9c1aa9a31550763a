"""Turn mails with pictures list only the hexes that have changed."""

from __future__ import annotations

import re

from engine.svg.marks import changed_hexes
from moderator import render
from moderator.words.position.board_views import board
from tests.kit.games.render_games import info
from tests.service.render.test_mails import asked_seat, turn


def test_a_turn_mail_lists_only_hexes_that_have_changed() -> None:
    """The picture has the whole map. Who wants no pictures gets the whole table."""
    game, _ = turn(700)
    seat = asked_seat(game)
    changed = changed_hexes(game.at(640).board, game.state.board)
    assert changed
    listed = hexes_of(render.turn_mail(game, info(game, seat), seat, 640).html)
    assert listed == changed
    whole = hexes_of(render.turn_mail(game, info(game, seat, pictures="off"), seat, 640).html)
    assert whole == {line.id for line in board(game.title, game.state)} > changed
    assert hexes_of(render.turn_mail(game, info(game, seat), seat, -1).html) == whole


def hexes_of(html: str) -> set[str]:
    """The hexes in the table below the map."""
    return set(re.findall(r">([A-Z]\d+)[ <]", html.rpartition(">Map<")[2].partition(">How to answer<")[0]))
