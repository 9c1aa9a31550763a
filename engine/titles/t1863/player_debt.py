"""Sums that a player must pay at once, out of turn: he sells shares for them, or is bankrupt."""

from __future__ import annotations

from engine.core.events import Reason
from engine.core.ids import CompanyId, Owner, PlayerId
from engine.core.title import Play


def owe(
    play: Play, player: PlayerId, amount: int, payee: Owner, reason: Reason, company: CompanyId | None = None
) -> None:
    """Let the player pay, or sell shares first where his cash is too little, or go bankrupt. To be called last: it may
    put a frame on top of the agenda."""  # rule 5.4, 7.3
    if play.state.money(player) < amount:
        raise NotImplementedError
    play.pay(player, payee, amount, reason, company or "")
