"""The steps of the site in a company's turn in 1841, for records that are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Final

from engine.site18xx import turn
from engine.site18xx.walk import Action


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


STEPS: Final[Mapping[str, Step]] = {
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
ONCE: Final = ("place_token", "run_routes", "dividend", "buy_token", "buy_shares")
"""Actions after which their step is over; not a purchase of shares by a founder, who may buy up to 40 %."""
HALF_PRICE: Final = "share_price"
"""The part of an action that only a sale in an emergency has: the price of a share."""


@dataclass(slots=True)
class SiteTurn(turn.SiteTurn):
    """Tracks the site's step. A sale may belong to the step of trains or to that of shares."""

    STEPS: ClassVar[Mapping[str, int]] = STEPS
    ONCE: ClassVar[Collection[str]] = ONCE
    END: ClassVar[int] = Step.OVER

    def step_of(self, action: Action) -> int | None:
        if action["type"] == "sell_shares":
            return Step.TRAINS if HALF_PRICE in action else Step.SHARES
        return turn.SiteTurn.step_of(self, action)

    def _ends_its_step(self, action: Action) -> bool:
        founds = "par" in self._done and self.step_of(action) == Step.SHARES
        return not founds and turn.SiteTurn._ends_its_step(self, action)
