"""A game of the mail service that goes on from a described position, as one does that was adopted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from moderator.service.past.replay import Departure
from moderator.service.play.holds import go_on, write_adoption
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service

if TYPE_CHECKING:
    from engine.core.state import State


def begin_at(service: Service, title: str, state: State, options: Mapping[str, str] | None = None) -> str:
    """A game of ``title`` among the players of ``state`` that stands there; they have their mails about it."""
    game = service.game(title, state.players, options=options)
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        table.live.game.state = replace(state, tick=table.live.game.state.tick + state.tick)
        table = write_adoption(table, Departure(0, 0, ""))
        service.desk.games.put(table.live)
        facts = {"game": game, "order": 0, "at": 0, "text": "", "refused": "", "differences": (), "orders": 0}
        go_on(table, "past_adopted", facts)
    service.run()
    return game
