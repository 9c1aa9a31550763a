"""Trades between players: the other one has to agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.acts.player.act import PlayerAct
from engine.core.ids import PlayerId
from engine.core.orders import Order, Subject
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.consent import ask_consent


def _asked(title: Title) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade(PlayerAct):
    """``partner`` returns the player who must agree, and the subject about which he is asked; None if nobody has to.
    ``consent``: False if the title's edition takes the partner's consent as given."""

    partner: Callable[[Title, State, Any], tuple[PlayerId, Subject] | None]
    consent: Callable[[Title], bool] = _asked

    def asks(self, play: Play, order: Order) -> bool:
        found = self.partner(play.title, play.state, order) if self.consent(play.title) else None
        if found is None:
            return False
        partner, subject = found
        ask_consent(play, order, PlayerId(order.actor), subject, ((partner, partner),))
        return True
