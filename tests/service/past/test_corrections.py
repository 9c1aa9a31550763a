"""Earlier positions of games that a game master has corrected, read from what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.robots import sensible
from grammar.master.words import CorrectPay
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.play.masters.corrections import correct_in
from tests.kit.service.mail_service import Service


def play(service: Service, game: str, orders: int, seen: dict[int, str]) -> None:
    """Let the robots write until so many orders were carried out. ``seen``: number of orders -> the money of all."""
    while len(service.position(game).orders) < orders:
        now = service.position(game)
        player = now.asked()[0].player
        service.say(player, as_text(now, orders_of_turn(now, player, sensible)))
        after = service.position(game)
        seen[len(after.orders)] = str(dict(after.state.cash))


@pytest.mark.parametrize("corrected_at", [[8], [30], [8, 31], [26, 33]])
def test_positions_on_both_sides_of_a_correction_are_those_of_then(tmp_path: Path, corrected_at: list[int]) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game("1861", ("Ann", "Bob", "Cat"))
    seen: dict[int, str] = {}
    for number, orders in enumerate(corrected_at, 1):
        play(service, game, orders, seen)
        with service.desk.sitting() as sitting:
            live = correct_in(sitting, game, CorrectPay(number, "bank", "Ann"), "a slip")
        assert live is not None
        service.desk.games.put(live)
        service.run()
        seen.pop(len(service.position(game).orders), None)  # before or after the correction: both are right
    play(service, game, corrected_at[-1] + 30, seen)
    again = service.again().position(game)
    assert {number: str(dict(again.at(number).cash)) for number in seen} == seen
    assert len(list(again.happened(0))) == len(again.orders)
