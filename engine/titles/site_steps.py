"""The steps of 18xx.games in a company's turn, for games that are written as its records.

The site takes a turn step by step. In a step where the company could do something it waits, until the company acts or
passes; the others it leaves out by itself. Our turn has no passes: an order for a later act leaves out those before it.
So a title lists the site's steps with the question whether the site waits in them, and the passes follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.acts.act import Turn
from engine.acts.turns import Turns
from engine.core.events import Became, Event
from engine.core.evolve import evolve
from engine.core.ids import CompanyId
from engine.core.orders import Done, Order
from engine.core.state import State
from engine.core.title import Title
from engine.titles.site_sheet import Sheet

Waits: TypeAlias = Callable[[Title, State, CompanyId, Sequence[Order]], bool]
"""Whether the site waits for the company, which has given these orders in its turn."""


def never(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """For a step that is not passed: where something can be done in it, the company must do it."""
    return False


@dataclass(frozen=True, slots=True)
class SiteStep:
    """``stage``: the stage of our turn that it belongs to. ``takes``: the orders that are given in it. ``formal``: the
    site passes it by itself, and records that with the action before."""

    stage: str
    takes: tuple[type[Order], ...]
    waits: Waits
    formal: bool = False


@dataclass(slots=True)
class SiteTurns:
    """Follows the turns of companies through the site's ``steps``, which are in their order of play, and writes their
    passes on ``sheet``. ``turns``: ours.

    An order that no step takes can be given in any of them."""

    sheet: Sheet
    turns: Turns
    steps: Sequence[SiteStep]
    _turn: tuple[object, ...] = ()
    _at: int = 0
    _given: list[Order] = field(default_factory=list)

    def go_on_to(self, order: Order | None, before: State, events: Sequence[Event]) -> None:
        """Write the passes of the steps between the last order of the company in turn and this one."""
        title, turn = self.sheet.game.title, turn_in(before)
        if turn is None or order is None or order.actor != turn.company:
            return
        if (before.round, turn.company) != self._turn:
            self._turn, self._at, self._given = (before.round, turn.company), 0, []
        moments = list(self._moments(before, events))
        to = len(self.steps) if isinstance(order, Done) else self._step_of(order)
        for step in self.steps[self._at : to]:
            state = self._moment(moments, step.stage)
            still_there = state.companies[turn.company].status == "open"
            if still_there and step.waits(title, state, turn.company, self._given):
                write = self.sheet.nest if step.formal else self.sheet.emit
                write([self.sheet.by(turn.company, "pass")])
        self._at = max(self._at, to)
        self._given.append(order)

    def _step_of(self, order: Order) -> int:
        """The step that takes the order: the one at hand or a later one."""
        later = range(self._at, len(self.steps))
        return next((n for n in later if isinstance(order, self.steps[n].takes)), self._at)

    def _moments(self, before: State, events: Sequence[Event]) -> Iterator[State]:
        """The positions on the way, up to the end of the turn."""
        yield (state := before)
        for event in events:
            if isinstance(event, Became) and isinstance(event.frame, Turn) and event.frame.ended:
                return
            yield (state := evolve(self.sheet.game.title, state, event))

    def _moment(self, moments: Sequence[State], stage: str) -> State:
        """The last position before the turn goes on from ``stage``."""
        found = moments[0]
        for state in moments:
            turn = turn_in(state)
            if turn is None or self.turns.is_past(turn, stage):
                return found
            found = state
        return found


def turn_in(state: State) -> Turn | None:
    """The turn on the agenda."""
    return next((frame for frame in reversed(state.agenda) if isinstance(frame, Turn)), None)
