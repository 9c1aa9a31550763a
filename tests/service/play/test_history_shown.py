"""The history of a game by mail: asked for with a word, and summed up when an operating round is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from moderator.domain.pictures import Picture
from moderator.render.pictures import drawn
from tests.kit.games.course_1861 import minor, operating_turn
from tests.kit.games.kept_games import plain
from tests.kit.games.situations import situation
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Ann's N, with a 2-train, is on turn; it is the only company, and runs between G15 and its neighbour for 20."""
    service = Service.open(tmp_path)
    begin_at(service, "1861", operating_turn(situation(minor("N", "Ann", trains="2")), "N").state)
    return service


def said(service: Service, player: str, kind: str) -> str:
    letter = next(letter for letter in reversed(service.letters(player)) if letter.kind == kind)
    return " ".join(letter.text.split())


def test_the_mail_after_a_round_sums_it_up(service: Service) -> None:
    assert "ROUNDS THAT ARE OVER" not in said(service, "Ann", "turn")
    service.say("Ann", "run best; done")
    told = said(service, "Ann", "transcript")
    assert "ROUNDS THAT ARE OVER Operating round" in told
    assert "Cash, could raise, worth: Ann R" in told


def test_history_is_shown_for_the_game_and_for_a_company(service: Service) -> None:
    service.say("Ann", "run best; done")
    service.say("Ann", "show history")
    whole = said(service, "Ann", "transcript")
    assert "so far Cash, could raise, worth: Ann" in whole
    service.say("Ann", "show history n")
    own = said(service, "Ann", "transcript")
    assert "No revenue" in own or "N R" in own
    assert "could raise" not in own
    service.say("Ann", "show history csv")
    assert "round,name,revenue,kind,per_share,cash,could_raise,worth" in said(service, "Ann", "transcript")


def test_the_picture_draws_the_company_that_is_asked_for_thick() -> None:
    game = plain("1861")
    name = next(str(name) for name in game.state.companies if game.state.companies[name].last_run)
    one = drawn(game, Picture("picture-0", "history", 1, "", company=name)).svg
    none = drawn(game, Picture("picture-0", "history", 1, "")).svg
    assert name in one and one != none
