"""Plays the orders that came after an undone one again, as far as they fit (``domain.fit``).

The orders are kept ready in the order in which they were given, in turns: a turn is what one seat did for one actor
until another question came, without the questions to others that interrupted it. Whoever gave the undone order decides
anew, and so does each player whose order does not fit: his turn is a *gap*. The turns after a gap wait until it is
closed, because the game then asks for them; none is played before its question is asked.

What a seat sends itself always counts before what is kept ready for it: its turn is then gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import Ask, Game, Refused
from engine.core.state import Round
from engine.core.view import holds_sealed
from moderator.domain.ahead.orders import Held
from moderator.domain.fit import Given, Misfit, ask_of, misfit
from moderator.domain.fork import Fork, Move

WORD: Final = "again"
"""The kind of rows of orders that are kept ready, and the first word of their occasion."""
_UNASKED: Final = "-"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an order in a game that was undone. ``undo``: the decision of the undo; ``number``: of the order;
    ``turn``: the number of the first order of its turn; ``depth``: of the agenda before the turn's first order;
    ``kind``: of the question, empty if it was given unasked; ``group``: the number of the first of the orders that were
    opened together with it, 0 if it was not sealed; ``round``: in which it was given."""

    undo: int
    number: int
    turn: int
    depth: int
    kind: str
    group: int
    round: str

    def __str__(self) -> str:
        return " ".join(
            (WORD, *map(str, (self.undo, self.number, self.turn, self.depth, self.kind or _UNASKED, self.group)),
             self.round)
        )  # fmt: skip

    @staticmethod
    def parse(text: str) -> Place:
        """The place in the text that ``str`` gives. ``ValueError`` for any other text."""
        word, *numbers = text.split(" ", 7)
        if word != WORD or len(numbers) != 7:
            raise ValueError(f"this is no place of an order: {text!r:.80}")
        undo, number, turn, depth, kind, group, round = numbers
        return Place(int(undo), int(number), int(turn), int(depth), kind.replace(_UNASKED, ""), int(group), round)


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """An order that is kept ready. ``id``: of its row. ``look``: finds the order as it was given. ``gap``: it is not
    played any more, and marks the turn that its author decides anew."""

    player: str
    actor: str
    text: str
    place: Place
    look: Callable[[], Given]
    id: int | None = None
    gap: bool = False

    @property
    def seat(self) -> tuple[str, str, str, str]:
        """A key that is equal for orders that may answer the same question."""
        return self.player, self.actor, self.place.kind, self.place.round

    @property
    def turn(self) -> tuple[int, int]:
        return self.place.undo, self.place.turn


@dataclass(frozen=True, slots=True)
class Gone:
    """An order that was kept ready and does not fit."""

    ready: Ready
    why: Misfit


@dataclass(slots=True)
class Course:
    """The orders that are kept ready, ``left`` in their order, and what became of the others: ``played`` and ``gone``.
    ``gaps`` are the turns that their authors decide anew; ``closed`` are gaps that are decided."""

    left: list[Ready]
    gaps: dict[tuple[int, int], Ready] = field(default_factory=dict)
    played: list[Ready] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    closed: list[Ready] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """The number that each order in ``played`` has now."""
    _seen: int = 0

    @staticmethod
    def of(ready: Sequence[Ready]) -> Course:
        gaps = {one.turn: one for one in reversed(ready) if one.gap and one.place.kind}
        return Course([one for one in ready if not one.gap], gaps)

    # ---- what their authors do

    def replaced_by(self, held: Sequence[Held]) -> None:
        """Drop the turns for which their authors have now given other orders ahead."""
        for new in held:
            wanted = new.player, new.actor, new.kind == "consent"
            found = next((r for r in self.left if (r.player, r.actor, r.place.kind == "consent") == wanted), None)
            if found is not None:
                self._drop(found, Misfit("answered"), gap=False)

    def _look_at_moves(self, fork: Fork) -> None:
        """Close the gaps that the latest moves have decided, and drop the turns that their authors have answered
        otherwise."""
        first = len(fork.game.orders) - len(fork.moves)
        for index in range(self._seen, len(fork.moves)):
            move = fork.moves[index]
            if move.origin != "kept":
                self._answered(_game_at(fork, first + index), move)
            self._close(_game_at(fork, first + index + 1))
        self._seen = len(fork.moves)

    def _answered(self, before: Game, move: Move) -> None:
        ask = ask_of(before, move.player, move.order)
        if ask is None:
            return
        seat = _seat_of(before, ask)
        if any(gap.seat == seat for gap in self.gaps.values()):
            return
        found = next((one for one in self.left if one.seat == seat), None)
        if found is not None:
            self._drop(found, Misfit("answered"), gap=True)

    def _close(self, game: Game) -> None:
        asked = {_seat_of(game, ask) for ask in game.asked()}
        for turn, gap in list(self.gaps.items()):
            if game.finished or (len(game.state.agenda) <= gap.place.depth and gap.seat not in asked):
                self.closed.append(self.gaps.pop(turn))

    def _drop(self, one: Ready, why: Misfit, *, gap: bool) -> None:
        """Let ``one`` go, with all later orders of its turn; if ``gap``, its author decides the turn anew."""
        turn = [other for other in self.left if other.turn == one.turn]
        self.left = [other for other in self.left if other.turn != one.turn]
        rest = why if why.reason in ("answered", "passed") else Misfit("turn")
        self.gone += [Gone(other, why if other is one else rest) for other in turn]
        if gap and one.place.kind:
            self.gaps[one.turn] = one

    # ---- playing

    def go_on(self, fork: Fork) -> bool:
        """Play the orders that are asked for now, as far as they fit. True if the game has moved."""
        before = len(fork.moves)
        self._look_at_moves(fork)
        while self.left and self._step(fork):
            self._look_at_moves(fork)
        return len(fork.moves) > before

    def _step(self, fork: Fork) -> bool:
        """Play one order, or let one go. False if all that is left waits."""
        game = fork.game
        past = next((one for one in self.left if game.finished or _is_past(one.place.round, game.state.round)), None)
        if past is not None:
            self._drop(past, Misfit("passed"), gap=False)
            return True
        for one in self._due(game):
            if one.place.group:
                self._play_together(fork, one)
            elif (why := misfit(one.look(), game)) is None:
                self._play(fork, one)
            else:
                self._drop(one, why, gap=True)
            return True
        return False

    def _due(self, game: Game) -> list[Ready]:
        """The orders for the questions that are open now, the first of each seat; first one that was given unasked, if
        it is the next of all."""
        open_seats = {gap.seat for gap in self.gaps.values()}
        found = []
        head = self.left[0]
        if not head.place.kind and all(gap.place.number > head.place.number for gap in self.gaps.values()):
            found.append(head)
        for ask in game.asked():
            seat = _seat_of(game, ask)
            one = next((one for one in self.left if one.seat == seat), None)
            if one is not None and seat not in open_seats:
                found.append(one)
        return found

    def _play(self, fork: Fork, one: Ready) -> None:
        if isinstance(fork.submit(one.look().order, one.player, "kept"), Refused):
            raise RuntimeError(f"an order that fits is refused: {one.text}")
        self._was_played(fork, one)

    def _was_played(self, fork: Fork, *ready: Ready) -> None:
        last = len(fork.game.orders)
        for one, number in zip(ready, range(last - len(ready) + 1, last + 1), strict=True):
            self.left.remove(one)
            self.played.append(one)
            self.numbers.append(number)

    def _play_together(self, fork: Fork, first: Ready) -> None:
        """Play the orders that were opened together, or let all of them go."""
        wanted = first.place.undo, first.place.group
        members = [one for one in self.left if (one.place.undo, one.place.group) == wanted]
        trial = fork.fork()
        for one in members:
            why = misfit(one.look(), trial.game)
            if why is not None:
                for other in members:
                    self._drop(other, why if other is one else Misfit("together"), gap=True)
                return
            trial.submit(one.look().order, one.player, "kept")
        if holds_sealed(trial.game.state):  # somebody has withdrawn his, and decides anew
            for one in members:
                self._drop(one, Misfit("together"), gap=True)
            return
        fork.join(trial)
        self._was_played(fork, *members)


def places(old: Game, players: Sequence[str], undo: int, first: int) -> list[Place]:
    """The places of the orders of ``old`` from number ``first`` on, which ``players`` gave, before the undo that is
    decision ``undo``."""
    found: list[Place] = []
    seats: list[tuple[str, str, str, str]] = []
    game, group = old.fork(), 0
    for number, player in enumerate(players, first):
        game = old.fork()
        game.undo(number - 1)
        order, state = old.orders[number - 1], game.state
        ask = ask_of(game, player, order)
        kind = "" if ask is None else _kind(ask)
        sealed = ask is not None and ask.sealed
        group = (group or number) if sealed else 0
        seat = player, str(order.actor), kind, str(state.round)
        depth = len(state.agenda)
        begun = _begun(found, seats, seat, depth) if kind else None
        turn = begun.turn if begun is not None else number
        found.append(Place(undo, number, turn, begun.depth if begun else depth, kind, group, str(state.round)))
        seats.append(seat)
        if sealed and not holds_sealed(old.at(number)):
            group = 0
    return found


def _begun(
    found: Sequence[Place], seats: Sequence[tuple[str, str, str, str]], seat: tuple[str, str, str, str], depth: int
) -> Place | None:
    """The turn of ``seat`` that goes on at ``depth``; None if it begins here."""
    for place, other in zip(reversed(found), reversed(seats), strict=True):
        if other == seat:
            return place
        if place.kind and place.depth <= depth:
            return None
    return None


def _kind(ask: Ask) -> str:
    return ask.what.partition(".")[0]


def _seat_of(game: Game, ask: Ask) -> tuple[str, str, str, str]:
    return str(ask.player), str(ask.actor), _kind(ask), str(game.state.round)


def _game_at(fork: Fork, number: int) -> Game:
    if number == len(fork.game.orders):
        return fork.game
    game = fork.game.fork()
    game.undo(number)
    return game


def _is_past(round: str, now: Round) -> bool:
    """True if the game has gone past ``round``: it is in a later set, or in a later round of the same kind."""
    kind, _, numbers = round.partition(" ")
    set, _, number = numbers.partition(".")
    if not set.isdecimal():
        return False
    return now.set > int(set) or (now.set == int(set) and now.kind == kind and now.number > int(number or 0))
