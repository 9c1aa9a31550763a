"""Replays a game's log with every check on, and compares it with what was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, col, select

from engine import Game, Refused, Title
from engine.core.description import differences, told
from engine.core.events import Event
from engine.core.state import State
from moderator.adapters.tables import EntryRow
from moderator.domain.records.adopted_position import read_adopted
from moderator.service.past.game_loader import Pieces, Snapshot, Unreadable, data_of, same_form, snapshots_of
from moderator.service.past.log import Line, Standing, events_of

Describe = Callable[[Title, Refused], str]
"""Describes a refusal in words."""

_MOST_DIFFERENCES = 40
"""The number of differences that are named."""


@dataclass(frozen=True, slots=True)
class Departure:
    """The point at which a replay departs from the game as it was told. ``order`` 0 is the position before the first;
    ``at`` is the decision; ``text`` is the order; ``refused`` is the reason why it is refused now, or empty;
    ``differences`` are those between the position that was told and that of the replay, as far as they are known."""

    order: int
    at: int
    text: str
    refused: str = ""
    differences: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        """The departure as JSON, for ``read``."""
        return {
            "order": self.order, "at": self.at, "text": self.text, "refused": self.refused,
            "differences": list(self.differences),
        }  # fmt: skip

    @staticmethod
    def read(kept: dict[str, Any]) -> Departure:
        return Departure(
            int(kept["order"]), int(kept["at"]), str(kept["text"]), str(kept["refused"]), tuple(kept["differences"])
        )

    def __str__(self) -> str:
        where = f"order {self.order}, {self.text}," if self.order else "the position before the first order"
        if self.refused:
            return f"{where} is refused now: {self.refused}"
        differences = "; ".join(self.differences) or "the digests differ"
        return f"{where} does not lead to the position that players were told: {differences}"


@dataclass(slots=True)
class Replayed:
    """The result of a replay. ``game`` is the game by the present rules, up to a ``departure``. ``steps``: number of
    each replayed order -> the position after it, and its events; ``base`` is the position at which the replay began."""

    game: Game
    base: State
    steps: dict[int, tuple[State, tuple[Event, ...]]] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)
    """Number of an order -> the digest of the position after it. The position at which the replay began has the number
    of the orders before it."""
    departure: Departure | None = None


def play_again(session: Session, pieces: Pieces, before: int, still: Standing, describe: Describe) -> Replayed:
    """Replay the orders that count up to decision ``before``, from the start or from the latest position that was
    adopted, until the replay departs from what was told. One with a withdrawn option departs before its first order.
    ``UnknownForm`` or ``NotASnapshot`` if the adopted position
    cannot be read."""
    found = _begin(session, pieces, still)
    if pieces.withdrawn:
        found.departure = Departure(0, 0, "", "", (pieces.withdrawn,))
        return found
    stored = events_of(session, pieces.game, still.orders)
    begun = _told_at_first(session, pieces, before, still)
    base = still.base
    found.digests[base] = pieces.digest(found.base)
    if begun is not None and same_form(begun.digest, found.digests[base]) and begun.digest != found.digests[base]:
        found.departure = _at_first(session, pieces, still, begun, found.base)
        return found
    for number, line in enumerate(still.orders[base:], base + 1):
        before_it = found.game.state
        try:
            events = found.game.submit(pieces.order(line.text))
        except Exception as error:  # whatever stops it stops every later replay: it departs here
            found.departure = Departure(number, line.at, line.text, f"{type(error).__name__}: {error}")
            return found
        if isinstance(events, Refused):
            found.departure = Departure(number, line.at, line.text, describe(pieces.title, events))
            return found
        state = found.game.state
        digest = pieces.digest(state)
        if digest != line.digest and line.digest:
            told_state = _told_state(pieces, before_it, stored.get(line.at))
            if _departs(pieces, line, digest, told_state):
                lines = () if told_state is None else _differences(pieces, told_state, state)
                found.departure = Departure(number, line.at, line.text, "", lines)
                return found
        found.steps[number], found.digests[number] = (state, events), digest
    return found


def _begin(session: Session, pieces: Pieces, still: Standing) -> Replayed:
    if not still.adopted:
        game = Game.start(pieces.title, pieces.setup)
        return Replayed(game, game.state)
    line = still.adopted[-1]
    wanted = select(EntryRow.position).where(EntryRow.game == pieces.game, col(EntryRow.at) == line.at)
    state = read_adopted(session.exec(wanted).one() or b"").state(pieces.title, pieces.setup.seed)
    orders = [pieces.order(one.text) for one in still.orders[: line.orders]]
    return Replayed(Game.resume(pieces.title, pieces.setup, orders, state), state)


def _told_at_first(session: Session, pieces: Pieces, before: int, still: Standing) -> Snapshot | None:
    """The snapshot of the position at which the replay begins; None if there is none."""
    every = snapshots_of(session, pieces.game, before, still)
    return next((one for one in every if one.orders == still.base), None)


def _at_first(session: Session, pieces: Pieces, still: Standing, begun: Snapshot, state: State) -> Departure:
    try:
        told_state = pieces.state(data_of(session, pieces.game, begun.at) or b"")
    except Unreadable:
        return Departure(still.base, begun.at, "")
    return Departure(still.base, begun.at, "", "", _differences(pieces, told_state, state))


def _told_state(pieces: Pieces, before: State, events: bytes | None) -> State | None:
    """The position after an order as it was told; None if its events are not stored or cannot be read."""
    if events is None:
        return None
    try:
        return pieces.after(before, pieces.events(events))
    except Unreadable:
        return None


def _departs(pieces: Pieces, line: Line, digest: str, told_state: State | None) -> bool:
    if same_form(line.digest, digest):
        return line.digest != digest
    return bool(line.digest) and told_state is not None and pieces.digest(told_state) != digest


def _differences(pieces: Pieces, before: State, after: State) -> tuple[str, ...]:
    found = differences(told(pieces.title, before), told(pieces.title, after))
    more = len(found) - _MOST_DIFFERENCES
    return (*found[:_MOST_DIFFERENCES], *((f"and {more} more",) if more > 0 else ()))


def retell(session: Session, pieces: Pieces, before: int, still: Standing, describe: Describe) -> Game | None:
    """The game as it was told, for the case that no snapshot can be read: replayed from its log as far as that agrees
    with what was told, and from there by the stored events. None if these cannot be read either."""
    found = play_again(session, pieces, before, still, describe)
    if found.departure is None:
        return found.game
    number = found.departure.order
    if pieces.withdrawn:  # what was told is played on by the stored events from the start
        number = still.base + 1
    elif number <= still.base:
        return None
    state = found.steps[number - 1][0] if number - 1 in found.steps else found.base
    rest = still.orders[number - 1 :]
    stored = events_of(session, pieces.game, rest)
    lately: dict[int, tuple[State, tuple[Event, ...]]] = {}
    try:
        for count, line in enumerate(rest, number):
            events = pieces.events(stored[line.at])
            lately[count] = state, events
            state = pieces.after(state, events)
    except (*Unreadable, KeyError):
        return None
    if same_form(rest[-1].digest, digest := pieces.digest(state)) and rest[-1].digest != digest:
        return None
    orders = [pieces.order(line.text) for line in still.orders]
    return Game.resume(pieces.title, pieces.setup, orders, state, lately=lately)
