"""Turn mails with pictures list only the hexes that have changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.svg.marks import changed_hexes
from moderator import render
from moderator.words.position.board_views import board
from tests.kit.games.course_1861 import minor, operating_turn
from tests.kit.games.render_games import info
from tests.kit.games.situations import situation
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.service.render.test_mails import asked_seat, turn


def test_a_turn_mail_lists_only_hexes_that_have_changed() -> None:
    """The picture has the whole map. Who wants no pictures gets the whole table."""
    game, _ = turn(700)
    seat = asked_seat(game)
    changed = changed_hexes(game.at(640).board, game.state.board)
    assert changed
    listed = hexes_of(render.turn_mail(game, info(game, seat), seat, 640).html)
    assert listed == changed
    for wish in ("dark", "map only"):
        assert hexes_of(render.turn_mail(game, info(game, seat, pictures=wish), seat, 640).html) == changed
    whole = hexes_of(render.turn_mail(game, info(game, seat, pictures="off"), seat, 640).html)
    assert hexes_of(render.turn_mail(game, info(game, seat, draws=False), seat, 640).html) == whole
    assert whole == {line.id for line in board(game.title, game.state)} > changed
    assert hexes_of(render.turn_mail(game, info(game, seat), seat, -1).html) == whole


def hexes_of(html: str) -> set[str]:
    """The hexes in the table below the map."""
    return set(re.findall(r">([A-Z]\d+)[ <]", html.rpartition(">Map<")[2].partition(">How to answer<")[0]))


@pytest.mark.parametrize("draws", [False, True])
def test_a_service_without_pictures_lists_every_hex(tmp_path: Path, draws: bool) -> None:
    service = Service.open(tmp_path, pictures=draws)
    begin_at(service, "1861", operating_turn(situation(minor("N", "Ann", trains="2")), "N").state)
    service.say("Ann", "run best; done")
    last = next(letter for letter in reversed(service.letters("Ann")) if letter.kind == "turn")
    assert ("since your last turn mail" in last.html) == draws


def test_a_service_without_pictures_has_no_heading_for_runs_on_the_map() -> None:
    """The best run of a late turn is a picture of its own, below the tables."""
    game, _ = turn(656)
    seat = asked_seat(game)
    drawn, plain = (render.turn_mail(game, info(game, seat, draws=draws), seat, 640).html for draws in (True, False))
    assert "Runs on the map" in drawn
    assert "Runs on the map" not in plain
