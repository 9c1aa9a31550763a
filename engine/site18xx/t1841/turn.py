"""The progress of the site in a company's turn.

The site asks for every step of a turn, and leaves out those in which it thinks that nothing can be done. So its actions
tell the earliest step that it can have reached. An action of an earlier step belongs to the company's next turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from engine.acts.act import turn_in
from engine.core.game import Game


class Step(IntEnum):
    """The site's steps of a turn, in their order."""

    TRACK = 0
    TOKEN = 1
    RUN = 2
    PAY = 3
    ACQUIRE = 4
    TRAINS = 5
    SHARES = 6
    MERGE = 7
    TRANSFORM = 8
    OVER = 9


STEPS: Mapping[str, Step] = {
    "lay_tile": Step.TRACK,
    "place_token": Step.TOKEN,
    "run_routes": Step.RUN,
    "dividend": Step.PAY,
    "buy_token": Step.ACQUIRE,
    "buy_train": Step.TRAINS,
    "buy_shares": Step.SHARES,
    "par": Step.SHARES,
    "merge": Step.TRANSFORM,
}
ONCE = ("place_token", "run_routes", "dividend", "buy_token", "buy_shares")
"""Actions after which their step is over; not a purchase of shares by a founder, who may buy up to 40 %."""
HALF_PRICE = "share_price"
"""The part of an action that only a sale in an emergency has: the price of a share."""


@dataclass(slots=True)
class SiteTurn:
    """The turn at hand, and the step that it has reached."""

    _of: tuple[object, ...] = ()
    _step: Step = Step.TRACK
    _founds: bool = False
    """True if the company has founded another in this turn."""

    def look_at(self, game: Game) -> None:
        """Start again if another turn has begun in ``game``."""
        top = turn_in(game.state)
        now = () if top is None else (game.state.round, top.company)
        if now != self._of:
            self._of, self._step, self._founds = now, Step.TRACK, False

    def past(self, action: Mapping[str, Any]) -> bool:
        """True if the action comes too late for the turn at hand."""
        step = step_of(action)
        return step is not None and step < self._step

    def note(self, action: Mapping[str, Any]) -> None:
        """Note an action of the company in turn. A pass that the site adds by itself is no step of the turn."""
        if not self._of or action.get("entity") != self._of[1]:
            return
        step = step_of(action)
        self._founds |= action["type"] == "par"
        if step is not None:
            over = action["type"] in ONCE and not (self._founds and step == Step.SHARES)
            self._step = max(self._step, Step(step + over))
        elif action["type"] == "pass" and action.get("id") is not None:
            self._step = Step(min(self._step + 1, Step.OVER))


def step_of(action: Mapping[str, Any]) -> Step | None:
    """The step that an action belongs to; None if it could be any."""
    if action["type"] == "sell_shares":
        return Step.TRAINS if HALF_PRICE in action else Step.SHARES
    return STEPS.get(action["type"])
