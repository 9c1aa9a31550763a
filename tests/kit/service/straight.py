"""Plays a game of the mail service on without mails, as robots do for players who are away."""

from __future__ import annotations

from collections.abc import Callable

from engine import Ask, Game, Refused
from engine.core.orders import Order
from moderator.domain.fork import Fork
from moderator.service.play.moves import write_moves
from moderator.service.table.notices import note_questions
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service


def play_on(service: Service, name: str, choose: Callable[[Game, Ask], Order], until: Callable[[Game], bool]) -> int:
    """Play with ``choose`` until the game is at a wanted position, or over. Returns the number of orders then."""
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, name)
        fork = Fork(table.game)
        while not fork.game.finished and not until(fork.game):
            ask = fork.game.asked()[0]
            order = choose(fork.game, ask)
            assert not isinstance(fork.submit(order, ask.player, "robot"), Refused)
        table = write_moves(table, fork)
        note_questions(table, {seat.player for seat in table.seats})
    service.desk.games.put(table.live)
    service.run()
    return len(table.game.orders)
