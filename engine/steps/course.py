"""The course of the game as a table: what is done after each round.

A title's ``sequence.py`` can be read side by side with its rulebook:

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
    """The lowest frame of the agenda. ``todo``: what is still to be done, in this order, before the table is read
    again."""

    todo: tuple[str, ...] = ()


def rounds_of(title: Title) -> frozenset[str]:
    """The kinds of round in the title's sequence; empty if none of its steps is a ``Sequence``."""
    tables = (step for step in title.steps.values() if isinstance(step, Sequence))
    return frozenset(row.round for table in tables for row in table.rows)


@dataclass(frozen=True, slots=True)
class After:
    """A row of the sequence: after a round of the kind ``round``, if the condition ``when`` holds (``""``: always), the
    things named in ``then`` are done in this order. ``rule``: the rulebook section that says so."""

    round: str
    when: str
    then: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Sequence(NobodyAsked):
    """The step that starts one round after another until the game is over.

    ``start``: the names of the things to do at the beginning. ``rows``: the first row that fits gives the things to do
    after a round. ``conditions`` and ``does``: the functions that the names in the rows stand for. ``over``: called
    whenever a round has ended.
    """

    start: tuple[str, ...]
    rows: tuple[After, ...]
    conditions: Mapping[str, Callable[[Title, State], bool]]
    does: Mapping[str, Callable[[Play], None]]
    over: Callable[[Play], None]

    def __post_init__(self) -> None:
        """``ValueError`` for a name in the table that nothing stands behind."""
        things = (*self.start, *(name for row in self.rows for name in row.then))
        conditions = (row.when for row in self.rows if row.when)
        for names, known, what in ((things, self.does, "thing to do"), (conditions, self.conditions, "condition")):
            for name in names:
                if name not in known:
                    raise ValueError(f"the sequence has no {what} {name!r}; there are: {', '.join(known) or 'none'}")

    def begin(self, title: Title, state: State) -> tuple[Frame, ...]:
        """Return the agenda at the start of the game."""
        return (Course(self.start),)

    def advance(self, play: Play, frame: Course) -> None:
        if frame.todo:
            play.become(Course(frame.todo[1:]))
            self.does[frame.todo[0]](play)
            return
        self.over(play)
        now = play.state.round.kind
        row = next((row for row in self.rows if row.round == now and self._holds(row.when, play)), None)
        if row is None:
            raise LookupError(f"no row of the sequence says what follows a round {now!r}")
        play.become(Course(row.then))

    def _holds(self, condition: str, play: Play) -> bool:
        return not condition or self.conditions[condition](play.title, play.state)
