"""The course of the game as a table: what follows each round, and what is done between rounds.

A title's ``sequence.py`` reads beside its rulebook:

    SEQUENCE = Sequence(
        start=("set_up", "stock_round"),
        rows=(
            After("OR", "last_round", ("finish",), "15.8"),     # the first row whose condition holds
            After("OR", "", ("operating_round",), "6.11"),
            ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.steps.automatic import NobodyAsked


@dataclass(frozen=True, slots=True)
class Course(Frame):
    """The lowest frame. ``todo``: what is done before it is looked what round comes next, in this order."""

    todo: tuple[str, ...] = ()


def rounds_of(title: Title) -> frozenset[str]:
    """The kinds of rounds that the title's sequence has; none if its course is no such table."""
    tables = (step for step in title.steps.values() if isinstance(step, Sequence))
    return frozenset(row.round for table in tables for row in table.rows)


@dataclass(frozen=True, slots=True)
class After:
    """A row of the sequence: after a round of the kind ``round``, if ``when`` holds (``""``: in any case), what
    ``then`` names is done in this order. ``rule``: where that is said."""

    round: str
    when: str
    then: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Sequence(NobodyAsked):
    """Starts one round after the other until the game is over.

    ``start``: what is done at the beginning. ``rows``: the first that fits says what follows a round. ``conditions``
    and ``does``: what the names in the rows mean. ``over``: what is looked at whenever a round has ended.
    """

    start: tuple[str, ...]
    rows: tuple[After, ...]
    conditions: Mapping[str, Callable[[Title, State], bool]]
    does: Mapping[str, Callable[[Play], None]]
    over: Callable[[Play], None]

    def begin(self, title: Title, state: State) -> tuple[Frame, ...]:
        """The agenda at the start."""
        return (Course(self.start),)

    def advance(self, play: Play, frame: Course) -> None:
        if frame.todo:
            play.become(Course(frame.todo[1:]))
            self.does[frame.todo[0]](play)
            return
        self.over(play)
        row = next(row for row in self.rows if row.round == play.state.round.kind and self._holds(row.when, play))
        play.become(Course(row.then))

    def _holds(self, condition: str, play: Play) -> bool:
        return not condition or self.conditions[condition](play.title, play.state)
