"""Attentive players: a known game is played once more, with the mails that a policy writes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.core.events import RoundBegan
from engine.core.orders import Limit, Order
from moderator.domain.ahead.orders import Held
from tests.kit.waits.course import Course, Piece, Step
from tests.kit.waits.short_table import After, Section, Table, take_mail, text_of

_NEW: Final = 0
"""Number of orders in a mail that is only tried."""
_REST: Final = ("rest",)
"""Key of the rest of a turn that others interrupt."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Orders that a player would give ahead. ``key`` tells them from others that he would give for the same occasion;
    ``purpose`` is equal for those of which he gives one at most."""

    key: tuple[object, ...]
    purpose: tuple[str, ...]
    section: Section


@dataclass(frozen=True, slots=True)
class Moment:
    """The knowledge of a player when he writes: not what others will order."""

    player: str
    table: Table
    """As it stands once he has answered what he is asked."""
    past: Sequence[Step]
    """All steps so far, with those of his answer."""
    own: Sequence[Piece]
    """His own later pieces, the next first."""
    best: Callable[[Step], bool]
    """True for a step with runs that earn as much as the best ones."""


class Policy(Protocol):
    """A way to write mails. ``name``: as tables show it; ``whole``: a mail has all that its writer is asked for in a
    row, not just the answer to one question."""

    name: str
    whole: bool

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        """The orders that the player would give ahead, the most wanted first."""
        ...


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail. ``step``: the step of the course that it begins with; ``waited``: somebody waited for it."""

    player: str
    text: str
    step: Step
    waited: bool
    end: int
    """Number of the first step that it does not answer."""


@dataclass(slots=True)
class Played:
    """A game that a policy has played. ``used``: orders of the course that kept orders gave."""

    course: Course
    policy: str
    mails: list[Sent]
    used: int
    withdrawn: int
    """How many orders given ahead would have led elsewhere."""

    @property
    def waits(self) -> int:
        return sum(mail.waited for mail in self.mails)

    def kinds(self, *, second: bool = False) -> Counter[str]:
        """The causes of waits: the question and the first order of its answer. ``second``: only answers that
        were not the next of their purpose when their player wrote before, so that he could not keep them too."""
        found = Counter[str]()
        for number, mail in enumerate(self.mails):
            if mail.waited and not (second and self._was_next(number)):
                found[f"{mail.step.kind} ({type(mail.step.order).__name__.lower()})"] += 1
        return found

    def _was_next(self, number: int) -> bool:
        """True if mail ``number`` begins with the next piece of its purpose after the player's mail before it, or if
        there is none."""
        step, player = self.mails[number].step, self.mails[number].player
        before = next((mail for mail in reversed(self.mails[:number]) if mail.player == player), None)
        own = self.course.later(player, before.end if before is not None else 0)
        return next((one.first for one in own if one.first.purpose == step.purpose), step) is step


@dataclass(frozen=True, slots=True)
class _Point:
    """Where the game is taken up again: everything before a mail was written."""

    table: Table
    mails: int
    used: int
    begun: tuple[str, ...]
    """Players who may still write, because a round has just begun."""
    writer: str


def play(course: Course, policy: Policy) -> Played:
    """Play ``course`` again with the mails of ``policy``. The game is the same order by order: a mail that gives ahead
    what would lead elsewhere is taken back, and written without it."""
    return _Game(course, policy).play()


class _Game:
    def __init__(self, course: Course, policy: Policy) -> None:
        self.course, self.policy = course, policy
        self.table = Table(course.start.fork())
        self.mails: list[Sent] = []
        self.banned: set[tuple[str, tuple[object, ...]]] = set()
        self.origin: dict[int, tuple[_Point, tuple[object, ...]]] = {}
        self.numbers = itertools.count(1)
        self.used = self.withdrawn = 0
        self.begun: tuple[str, ...] = course.players

    def play(self) -> Played:
        while self.at < len(self.course.steps):
            step = self.course.steps[self.at]
            writer = next((player for player in self.begun if player != step.player), None)
            if writer is not None:
                self.begun = tuple(player for player in self.begun if player not in (writer, step.player))
                self._write_ahead(writer, step)
            else:
                self.begun = ()
                self._answer(step)
        assert self.table.game.standings() == self.course.end.standings()
        return Played(self.course, self.policy.name, self.mails, self.used, self.withdrawn)

    @property
    def at(self) -> int:
        """Number of the next step."""
        return len(self.table.game.orders)

    # ---- mails

    def _answer(self, step: Step) -> None:
        """The next player writes: he answers, and gives ahead what he may."""
        for sections, end in self._answers(step):
            wanted = self._aheads(step.player, end, sections)
            if wanted is not None:
                self._send(step, sections, wanted, end)
                return
        raise AssertionError(f"{self.course.name}: no mail gives step {step.number}: {step.order}")

    def _write_ahead(self, player: str, step: Step) -> None:
        wanted = self._aheads(player, self.at, [])
        if wanted:
            self._send(step, [], wanted, self.at, player)

    def _answers(self, step: Step) -> Sequence[tuple[list[Section], int]]:
        """The sections with which the player may answer, the wanted ones first, each with the number of the first step
        that they do not answer."""
        steps, course = list[Step](), self.course
        for later in course.steps[step.number :]:
            if later.player != step.player or (later.ask is None) != (step.ask is None):
                break
            steps.append(later)
        sizes = range(len(steps), 0, -1) if self.policy.whole else range(1, len(steps) + 1)
        found = list[tuple[list[Section], int]]()
        for size in sizes:
            if self.policy.whole and size == len(steps):
                rest = course.piece_of[steps[-1].number].since(steps[-1].number + 1)
                if rest and (step.player, (*_REST, self.at)) not in self.banned:
                    found.append((_sections(steps, rest), steps[-1].number + 1))
            found.append((_sections(steps[:size], ()), step.number + size))
        return found

    def _aheads(self, player: str, end: int, sections: list[Section]) -> list[Ahead] | None:
        """The orders that the player gives ahead with ``sections``; None if these are refused or lead elsewhere."""
        table = self.table
        if sections:
            after = self._tried(table, player, sections)
            if after is None:
                return None
            table = after.table
        chosen, done = list[Ahead](), set[tuple[str, ...]]()
        there = [(held.actor, held.orders) for held in table.waiting if held.player == player]
        for one in self.policy.ahead(self._moment(player, end, table)):
            if one.purpose in done or (player, one.key) in self.banned:
                continue
            if all((one.section[0], part) in there for part in _kept_apart(one)):
                done.add(one.purpose)
            elif self._tried(table, player, [one.section]) is not None:
                done.add(one.purpose)
                chosen.append(one)
        together = self._together(player, sections, chosen)
        if together is None:
            chosen = self._one_by_one(table, player, [], chosen)
            together = self._together(player, sections, chosen)
        return together if together is not None else self._one_by_one(self.table, player, sections, chosen)

    def _together(self, player: str, sections: list[Section], wanted: list[Ahead]) -> list[Ahead] | None:
        """``wanted`` if it can be given together with ``sections``; otherwise None."""
        given = [*sections, *(one.section for one in wanted)]
        return wanted if not wanted or self._tried(self.table, player, given) is not None else None

    def _moment(self, player: str, end: int, table: Table) -> Moment:
        course = self.course
        return Moment(player, table, course.steps[:end], course.later(player, end), course.runs_best)

    def _one_by_one(self, table: Table, player: str, sections: list[Section], wanted: Sequence[Ahead]) -> list[Ahead]:
        """Those of ``wanted`` that can be given together with ``sections`` and with the ones before them."""
        chosen: list[Ahead] = []
        for one in wanted:
            given = [*sections, *(before.section for before in chosen), one.section]
            if self._tried(table, player, given) is not None:
                chosen.append(one)
        return chosen

    def _tried(self, table: Table, player: str, sections: Sequence[Section]) -> After | None:
        """The outcome of a mail; None if it is refused or leads elsewhere by itself. If orders that waited before
        lead elsewhere, it is not to blame."""
        after = take_mail(table, player, self._text(sections), itertools.repeat(_NEW))
        if after is None:
            return None
        wrong = self._wrong(after)
        return after if wrong is None or after.gave.get(wrong, _NEW) != _NEW else None

    def _text(self, sections: Sequence[Section]) -> str:
        return text_of(self.course.start, sections)

    def _wrong(self, after: After) -> int | None:
        """The index of the first move that is not as in the course; None if all are."""
        begun = len(after.table.game.orders) - len(after.moves)
        for index, move in enumerate(after.moves):
            number = begun + index
            if number >= len(self.course.steps) or move.events != self.course.steps[number].events:
                return index
        return None

    def _send(self, step: Step, sections: list[Section], wanted: list[Ahead], end: int, player: str = "") -> None:
        player = player or step.player
        point = _Point(self.table, len(self.mails), self.used, self.begun, player)
        text = self._text([*sections, *(one.section for one in wanted)])
        after = take_mail(self.table, player, text, self.numbers)
        assert after is not None, text
        for held in after.held:
            key = _key_of(held, wanted)
            self.origin[held.id or 0] = (point, key)
        wrong = self._wrong(after)
        if wrong is not None:
            self._take_back(after.gave[wrong])
            return
        self.mails.append(Sent(player, text, step, after.waited, end))
        self.used += len(after.gave)
        before, self.table = self.at, after.table
        events = [event for one in self.course.steps[before : self.at] for event in one.events]
        if any(isinstance(event, RoundBegan) for event in events):
            self.begun = self.course.players

    def _take_back(self, number: int) -> None:
        """Go back to before the first mail that gave these orders ahead, which lead elsewhere."""
        point, key = self.origin[number]
        if key != _REST:
            same = (one for one, its in self.origin.values() if (one.writer, its) == (point.writer, key))
            point = min(same, key=lambda one: one.mails)
        self.banned.add((point.writer, (*key, len(point.table.game.orders)) if key == _REST else key))
        self.withdrawn += 1
        self.origin = {one: given for one, given in self.origin.items() if given[0].mails < point.mails}
        del self.mails[point.mails :]
        self.table, self.used, self.begun = point.table, point.used, point.begun


def _kept_apart(one: Ahead) -> list[tuple[Order, ...]]:
    """The orders of ``one`` as they are kept: a standing bid by itself."""
    limits = [(order,) for order in one.section[1] if isinstance(order, Limit)]
    others = tuple(order for order in one.section[1] if not isinstance(order, Limit))
    return [*limits, *([others] if others else [])]


def _key_of(held: Held, wanted: Sequence[Ahead]) -> tuple[object, ...]:
    """The key of those of the ``wanted`` orders that are ``held``, perhaps with their lot written out."""
    for same in (lambda a, b: a == b, lambda a, b: type(a) is type(b)):
        for one in wanted:
            actor, orders = one.section
            if actor == held.actor and all(any(same(a, b) for b in orders) for a in held.orders):
                return one.key
    return _REST


def _sections(steps: Sequence[Step], rest: tuple[Order, ...]) -> list[Section]:
    """The orders of ``steps`` and the ``rest`` of the last turn, in sections."""
    sections: list[Section] = []
    for _, group in itertools.groupby(steps, lambda step: (step.order.actor, step.kind)):
        orders = tuple(step.order for step in group)
        sections.append((str(orders[0].actor), orders))
    actor, last = sections[-1]
    return [*sections[:-1], (actor, (*last, *rest))]
