"""Robots play 1841 by mail: from the sealed bids on, and to the final standings; the whole game is a long proof."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.robots import sensible
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

PLAYERS = ("Ann", "Bob", "Cat")
OPENING, LAST = 25, 30
"""Mails of the sample after the sealed bids, and orders before the end of a game from which it goes on by mail."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def answer(service: Service, game: Game, player: PlayerId) -> None:
    """One mail of ``player`` with all that a robot does now; it must be carried out or sealed."""
    text = as_text(game, orders_of_turn(game, player, sensible))
    letter = service.say(player, text)
    assert letter is not None
    assert service.outcomes()[-1] in ("applied", "sealed"), f"{player}: {text}\n{letter.text}"


def play(service: Service, name: str, most: int) -> Game:
    """``most`` mails, or fewer if the game is over before."""
    for _ in range(most):
        game = service.position(name)
        if game.finished:
            break
        answer(service, game, game.asked()[0].player)
    return service.position(name)


def bids(service: Service, name: str) -> None:
    """Every player's sealed bids."""
    game = service.position(name)
    for player in game.state.players:
        answer(service, game, player)


def test_the_beginning(service: Service) -> None:
    name = service.game("1841", PLAYERS)
    bids(service, name)
    game = play(service, name, OPENING)
    assert {letter.kind for letter in service.letters("Ann")} >= {"welcome", "turn", "transcript"}
    assert len(game.orders) == len(service.log(name)) > OPENING
    assert game.state.round.kind in ("SR", "OR") and any(now.status == "open" for now in game.state.companies.values())
    assert service.complaints == []


def test_the_end(service: Service) -> None:
    """The game goes on from a position near its end, and everybody gets the final standings."""
    finished = Game.start(engine.load_title("1841", "clarified", {"map": "lite"}), Setup(PLAYERS, "to the end"))
    while not finished.finished:
        ask = finished.asked()[0]
        assert finished.submit(sensible(finished, ask))
    before = finished.fork()
    before.undo(len(finished.orders) - LAST)
    name = begin_at(service, "1841", before.state, options={"map": "lite"})
    game = play(service, name, LAST + 1)
    assert game.finished
    assert game.standings() == finished.standings()
    assert all("the game is over" in service.letters(player)[-1].subject for player in PLAYERS)
    assert service.complaints == []


@pytest.mark.prove
def test_a_whole_game(service: Service) -> None:
    name = service.game("1841", PLAYERS)
    bids(service, name)
    game = play(service, name, 2_000)
    assert game.finished and len(game.standings()) == len(PLAYERS)
    assert service.complaints == []
