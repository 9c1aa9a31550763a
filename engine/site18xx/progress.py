"""The step in which the site stands in a company's turn, for records that are read.

``SiteTurn`` knows the earliest step that the actions of a turn allow. Here the site's ``steps`` tell which of them it
leaves out by itself, as they do for games that are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.acts.act import turn_in
from engine.core.orders import Order
from engine.core.state import State
from engine.core.title import Title
from engine.site18xx.steps import SiteStep
from engine.site18xx.walk import Action


@dataclass(frozen=True, slots=True)
class _Noted:
    """An action of the turn, the orders that it became, and the positions before and after it."""

    passes: bool
    orders: tuple[Order, ...]
    before: State
    after: State


@dataclass(slots=True)
class Progress:
    """The turn at hand. ``steps``: those of the site, in their order of play."""

    title: Title
    steps: Sequence[SiteStep]
    _turn: tuple[object, ...] = ()
    _noted: list[_Noted] = field(default_factory=list)

    def note(self, action: Action, orders: Sequence[Order], before: State, after: State) -> None:
        """Note an action that became ``orders``. Only those of the company in turn count. A pass that the site adds by
        itself is no step of the turn."""
        turn = turn_in(before)
        now = () if turn is None else (before.round, turn.company)
        if now != self._turn:
            self._turn, self._noted = now, []
        if turn is None or action.get("entity") != turn.company:
            return
        passes = action["type"] == "pass" and action.get("id") is not None
        if passes or orders:
            self._noted.append(_Noted(passes, tuple(orders), before, after))

    def over(self, state: State) -> bool:
        """True if the site has ended the turn at hand in ``state``: it finds nothing to ask the company in the steps
        that are left."""
        if not self._noted or not self._is_turn_of(state):
            return False
        at, given = 0, list[Order]()
        for noted in self._noted:
            if noted.passes:
                at = self._waiting(at, noted.before, given) + 1
                continue
            for order in noted.orders:
                at = next((n for n, step in enumerate(self.steps) if isinstance(order, step.takes)), at)
                given.append(order)
        return self._waiting(at, self._noted[-1].after, given) >= len(self.steps)

    def _waiting(self, at: int, state: State, given: Sequence[Order]) -> int:
        """The first step from ``at`` on in which the site waits in this position; their number if there is none."""
        if not self._is_turn_of(state):
            return len(self.steps)
        asks = (n for n in range(at, len(self.steps)) if self._asks(self.steps[n], state, given))
        return next(asks, len(self.steps))

    def _is_turn_of(self, state: State) -> bool:
        turn = turn_in(state)
        return turn is not None and (state.round, turn.company) == self._turn

    def _asks(self, step: SiteStep, state: State, given: Sequence[Order]) -> bool:
        company = self._turn[1]
        return step.formal is None and step.waits(self.title, state, company, given)  # type: ignore[arg-type]
