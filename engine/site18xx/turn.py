"""The progress of the site in a company's turn, for records that are read.

The site asks for every step of a turn, and leaves out those in which it finds nothing to do. So its actions show the
earliest step that it can have reached. An action of an earlier step belongs to the company's next turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from engine.acts.act import turn_in
from engine.core.state import State
from engine.site18xx.walk import Action


@dataclass(slots=True)
class SiteTurn:
    """The turn at hand, and the step that it has reached.

    ``STEPS``: type of an action -> the number of the site's step that it belongs to. ``ONCE``: types after which their
    step is over. ``END``: the number after the last step.
    """

    STEPS: ClassVar[Mapping[str, int]] = {}
    ONCE: ClassVar[Collection[str]] = ()
    END: ClassVar[int] = 0

    _of: tuple[object, ...] = ()
    _step: int = 0
    _done: set[str] = field(default_factory=set)
    """Types of the company's actions in this turn."""

    def look_at(self, state: State) -> None:
        """Start again if another turn has begun in ``state``."""
        top = turn_in(state)
        now = () if top is None else (state.round, top.company)
        if now != self._of:
            self._of, self._step, self._done = now, 0, set()

    def past(self, action: Action) -> bool:
        """True if the action comes too late for the turn at hand."""
        step = self.step_of(action)
        return step is not None and step < self._step

    def may_be_in(self, step: int) -> bool:
        """True if the turn is not past this step."""
        return self._step <= step

    @property
    def over(self) -> bool:
        """True if the site has ended the turn."""
        return self._step == self.END

    def follow(self, action: Action, given_in: State, after: State) -> None:
        """Note an action in the turn in which it was given: it may have ended it, and begun the same company's next."""
        self.look_at(given_in)
        self.note(action)
        self.look_at(after)

    def note(self, action: Action) -> None:
        """Note an action of the company in turn. A pass that the site adds by itself is no step of the turn."""
        if not self._of or action.get("entity") != self._of[1]:
            return
        self._done.add(str(action["type"]))
        step = self.step_of(action)
        if step is not None:
            self._step = max(self._step, step + self._ends_its_step(action))
        elif action["type"] == "pass" and action.get("id") is not None:
            self._step = min(self._step + 1, self.END)

    def step_of(self, action: Action) -> int | None:
        """The step that an action belongs to; None if it could be any."""
        return self.STEPS.get(action["type"])

    def _ends_its_step(self, action: Action) -> bool:
        return action["type"] in self.ONCE
