"""Turns that wait in the middle for the answers of others: whose answers, and about what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine import Ask, Game
from engine.core.order_kinds import INTERRUPTIONS
from moderator.domain.asks import kinds_in
from moderator.domain.transcript import Facts, Note

WAITS: Final = "turn.waits"
"""The note on a turn that waits, and of which no order is left."""


def interrupts(game: Game, ask: Ask) -> bool:
    """True if ``ask`` interrupts a turn, which goes on afterwards. A question whose answers no menu lists, as a better
    run, is known by its name."""
    return ask.what in INTERRUPTIONS or bool(kinds_in(game.legal(ask.actor)) & INTERRUPTIONS)


def awaited(game: Game) -> Facts:
    """The ``players`` whose answers a turn waits for, and ``declared``: the revenue of the run that they may improve
    on, None if they are asked something else."""
    asks = [ask for ask in game.asked() if interrupts(game, ask)]
    declared = next((int(ask.about[1]) for ask in asks if ask.what == "announce"), None)
    return {"players": tuple(dict.fromkeys(str(ask.player) for ask in asks)), "declared": declared}


def still_awaited(notes: Iterable[Note], game: Game) -> list[Note]:
    """``notes`` without that on a turn which has gone on, because those who were asked had answered ahead."""
    notes = list(notes)
    if not any(key == WAITS for key, _ in notes):  # menus, which tell interruptions, take long
        return notes
    asked = {str(ask.player) for ask in game.asked() if interrupts(game, ask)}
    return [(key, facts) for key, facts in notes if key != WAITS or asked & {*map(str, _players(facts))}]


def _players(facts: Facts) -> tuple[str, ...]:
    players = facts["players"]
    assert isinstance(players, tuple)
    return players
