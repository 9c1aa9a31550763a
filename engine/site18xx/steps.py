"""The steps of 18xx.games in a company's turn, for games that are written as its records.

The site takes a turn step by step. In a step where the company could do something it waits, until the company acts or
passes; the others it leaves out by itself. Our turn has no passes: an order for a later act leaves out those before it.
So a title lists the site's steps with the question whether the site waits in them, and the passes follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.acts.act import Turn, turn_in
from engine.acts.turns import Turns
from engine.core.events import Became, Event
from engine.core.evolve import evolve
from engine.core.ids import CompanyId
from engine.core.orders import Done, Order, Run, RunBest
from engine.core.state import State
from engine.core.title import Title
from engine.routes.graph import graph_of, own_stops
from engine.site18xx.sheet import Action, Sheet
from engine.steps.consent import Consent

Waits: TypeAlias = Callable[[Title, State, CompanyId, Sequence[Order]], bool]
"""True if the site waits for the company, which has given these orders in its turn."""
Leave: TypeAlias = Callable[[Sheet, CompanyId, State], Action]
"""The action of the company that stands in this position."""


def passed(sheet: Sheet, company: CompanyId, state: State) -> Action:
    """A pass of the company."""
    return sheet.by(company, "pass")


def no_runs(sheet: Sheet, company: CompanyId, state: State) -> Action:
    """A run of no trains. The site asks for it where no train has a run that it might make."""
    return sheet.by(company, "run_routes", routes=[], extra_revenue=0, subsidy=0)


def asks_for_runs(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """True if the site asks the company for runs: it has a train, and track leads from one of its markers to another
    stop. The site does not ask whether a train can go that far."""
    if did(given, Run, RunBest) or not state.companies[company].trains:
        return False
    traits, graph = title.policies.run_traits(title, state, company), graph_of(state.board)
    return any(graph.exits[own] for own in own_stops(state.board, graph, company, traits.marker_in))


def did(given: Sequence[Order], *kinds: type[Order]) -> int:
    """The number of orders of these kinds."""
    return sum(isinstance(order, kinds) for order in given)


def never(title: Title, state: State, company: CompanyId, given: Sequence[Order]) -> bool:
    """For a step that is not passed: where something can be done in it, the company must do it."""
    return False


@dataclass(frozen=True, slots=True)
class SiteStep:
    """``stage``: the stage of our turn in which the site comes to it. ``takes``: the orders that are given in it.
    ``left``: the action by which a company leaves it. ``formal``: what the site adds by itself to the action before,
    in the present position, where another step would be left."""

    stage: str
    takes: tuple[type[Order], ...]
    waits: Waits
    formal: Leave | None = None
    left: Leave = passed


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
        """Write the passes of the steps between the last order of the turn at hand and this one."""
        title, turn = self.sheet.game.title, turn_in(before)
        if turn is None or order is None:
            return
        stage = self.turns.stage_of(title, before, turn, order)
        within = before.top == turn or isinstance(before.top, Consent)  # others may sell for it, or use a private
        if order.actor != turn.company and not within:
            return
        if (before.round, turn.company) != self._turn:
            self._turn, self._at, self._given = (before.round, turn.company), 0, []
        ends = isinstance(order, Done)
        to, moment = (len(self.steps), self._departure) if ends else (self._step_of(order, stage), self._arrival)
        if within and not any(isinstance(order, (Done, *step.takes)) for step in self.steps):
            to = self._standing(turn, before)
        moments = list(self._moments(before, events))
        for step in self.steps[self._at : to]:
            state = moment(moments, step.stage)
            still_there = state.companies[turn.company].status == "open"
            if not still_there or not step.waits(title, state, turn.company, self._given):
                continue
            if step.formal is None:
                self.sheet.emit([step.left(self.sheet, turn.company, state)])
            else:
                self.sheet.nest([step.formal(self.sheet, turn.company, state)])
        self._at = max(self._at, to)
        self._given.append(order)

    def come_to(self, state: State) -> None:
        """Write what the site adds by itself up to the step in which it waits at the end of what has been played."""
        turn = turn_in(state)
        if turn is None or (state.round, turn.company) != self._turn:
            return
        for step in self.steps[self._at :]:
            waits = step.waits(self.sheet.game.title, state, turn.company, self._given)
            if step.formal is None and (waits or step.waits is never):
                return
            if step.formal is not None and waits:
                self.sheet.nest([step.formal(self.sheet, turn.company, state)])

    def _standing(self, turn: Turn, state: State) -> int:
        """The step in which the site stands in this position: it has gone on by itself from those before."""
        for number in range(self._at, len(self.steps)):
            step = self.steps[number]
            waits = step.waits(self.sheet.game.title, state, turn.company, self._given)
            stays = step.formal is None and (waits or step.waits is never)
            if stays and not self._earlier(step.stage, turn.stage):
                return number
        return len(self.steps)

    def _step_of(self, order: Order, stage: str | None) -> int:
        """The step that takes an order of this stage: the one at hand or a later one."""
        for number in range(self._at, len(self.steps) if stage is not None else 0):
            step = self.steps[number]
            if isinstance(order, step.takes) and not self._earlier(step.stage, str(stage)):
                return number
        return self._at

    def _earlier(self, stage: str, other: str) -> bool:
        return self.turns.stages.index(stage) < self.turns.stages.index(other)

    def _moments(self, before: State, events: Sequence[Event]) -> Iterator[State]:
        """The positions on the way, up to the end of the turn."""
        yield (state := before)
        for event in events:
            if isinstance(event, Became) and isinstance(event.frame, Turn) and event.frame.ended:
                return
            yield (state := evolve(self.sheet.game.title, state, event))

    def _arrival(self, moments: Sequence[State], stage: str) -> State:
        """The position in which the turn comes to ``stage`` or goes beyond it."""
        for state in moments:
            turn = turn_in(state)
            if turn is None or not self._earlier(turn.stage, stage):
                return state
        return moments[-1]

    def _departure(self, moments: Sequence[State], stage: str) -> State:
        """The last position before the turn goes on from ``stage``."""
        found = moments[0]
        for state in moments:
            turn = turn_in(state)
            if turn is None or self.turns.is_past(turn, stage):
                return found
            found = state
        return found
