"""Restores games from what is stored of them: the latest snapshot that can be read, and the events since.

Nothing is decided again. If no snapshot can be read, the log is replayed (``replay``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, insert
from sqlmodel import Session, col, select

from engine import Game, Setup, Title
from engine.core.description import told_digest
from engine.core.events import Event
from engine.core.evolve import evolve
from engine.core.orders import Order
from engine.core.state import State
from engine.core.storage.snapshot import (
    NotASnapshot,
    UnknownForm,
    form,
    read_events,
    read_state,
    write_events,
    write_state,
)
from grammar import Vocabulary, read
from moderator.adapters.database import run_plain
from moderator.adapters.tables import GameRow, SnapshotRow
from moderator.service.past.log import Line, Standing, events_of

EVERY: Final = 25
"""The number of orders from one snapshot to the next."""

_SNAPSHOTS = (
    select(SnapshotRow.at, SnapshotRow.orders, SnapshotRow.digest)
    .where(col(SnapshotRow.game) == bindparam("game"), col(SnapshotRow.at) <= bindparam("before"))
    .order_by(col(SnapshotRow.orders).desc(), col(SnapshotRow.at).desc())
)
_DATA = select(SnapshotRow.data).where(
    col(SnapshotRow.game) == bindparam("game"), col(SnapshotRow.at) == bindparam("at")
)
_WRITTEN = insert(SnapshotRow)

Unreadable = (UnknownForm, NotASnapshot)
"""Errors with which stored positions and events are refused."""
Reading = Callable[[], AbstractContextManager[Session]]


class Snapshot(NamedTuple):
    """A stored position, without its data."""

    at: int
    orders: int
    digest: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """All that is needed to read the log and the snapshots of one game."""

    game: str
    title: Title
    setup: Setup
    vocabulary: Vocabulary
    withdrawn: str = ""
    """The reason why the title cannot play the options of the game, if it has such (``WithdrawnOption``)."""

    def order(self, text: str) -> Order:
        """The one order in ``text``, as it was stored. ``ValueError`` if it cannot be read."""
        reading = read(text, self.vocabulary)
        if reading.errors or reading.words or reading.skipped or len(reading.orders) != 1:
            raise ValueError(f"{self.game}: this order in the log cannot be read: {text!r}: {reading.errors}")
        return reading.orders[0]

    def state(self, data: bytes) -> State:
        return read_state(self.title, data, seed=self.setup.seed)

    def events(self, data: bytes) -> tuple[Event, ...]:
        return read_events(self.title, data)

    def after(self, state: State, events: Iterable[Event]) -> State:
        for event in events:
            state = evolve(self.title, state, event)
        return state

    def digest(self, state: State) -> str:
        return told_digest(self.title, state)


class Written(Sequence[Order]):
    """Orders as the log has them. Each is read when it is first used."""

    def __init__(self, texts: Sequence[str], pieces: Pieces) -> None:
        self._texts, self._pieces = texts, pieces
        self._read: dict[int, Order] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, at: Any) -> Any:
        numbers = range(len(self._texts))[at]
        return self._one(numbers) if isinstance(numbers, int) else [self._one(number) for number in numbers]

    def _one(self, number: int) -> Order:
        if number not in self._read:
            self._read[number] = self._pieces.order(self._texts[number])
        return self._read[number]


def setup_of(row: GameRow) -> Setup:
    """The setup of the game."""
    kept = row.setup
    privates = kept.get("privates")
    return Setup(tuple(kept["players"]), row.seed, kept.get("priority"), None if privates is None else tuple(privates))


def same_form(one: str, other: str) -> bool:
    """True if two digests are of the same form of the description, so that they can be compared."""
    return bool(one) and bool(other) and one.partition(":")[0] == other.partition(":")[0]


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_snapshot(session: Session, pieces: Pieces, at: int, orders: int, state: State, digest: str) -> None:
    """Store the position before decision ``at`` as a snapshot."""
    values = {
        "game": pieces.game, "at": at, "orders": orders, "form": form(pieces.title),
        "data": write_state(pieces.title, state), "digest": digest,
    }  # fmt: skip
    run_plain(session, _WRITTEN, values)


def followed(pieces: Pieces, state: State, events: tuple[Event, ...]) -> dict[str, Any]:
    """The values stored beside an order: the digest of the position after it, and the events."""
    return {"digest": pieces.digest(state), "events": write_events(pieces.title, events)}


# ---- reading ---------------------------------------------------------------------------------------------------------


def snapshots_of(session: Session, game: str, before: int, still: Standing) -> list[Snapshot]:
    """The snapshots of positions that the game went through up to decision ``before``, without those that were undone
    or that an adopted position has replaced; the latest first."""
    return _since_adopted(_all_snapshots(session, game, before, still), still)


def _since_adopted(snapshots: Sequence[Snapshot], still: Standing) -> list[Snapshot]:
    since = still.adopted[-1].at if still.adopted else -1
    return [one for one in snapshots if one.at > since]


def _all_snapshots(session: Session, game: str, before: int, still: Standing) -> list[Snapshot]:
    """The snapshots of all positions that the game went through, also before a position was adopted."""
    found = [Snapshot(*row) for row in session.exec(_SNAPSHOTS, params={"game": game, "before": before}).all()]
    return [one for one in found if _on_the_way(one, still.orders)]


def _on_the_way(found: Snapshot, orders: Sequence[Line]) -> bool:
    """True if the orders before the snapshot are the first of ``orders``: undone orders led elsewhere."""
    count = found.orders
    if count > len(orders) or (count and orders[count - 1].at >= found.at):
        return False
    return count == len(orders) or orders[count].at >= found.at


def data_of(session: Session, game: str, at: int) -> bytes | None:
    return session.exec(_DATA, params={"game": game, "at": at}).first()


def bring_back(
    session: Session, pieces: Pieces, before: int, still: Standing, reading: Reading | None
) -> tuple[Game | None, list[Snapshot]]:
    """The game as it was told at decision ``before``, or None if no snapshot that can be read leads there; and the
    snapshots that lead to a wrong position. ``reading`` opens a session for later reads."""
    wrong: list[Snapshot] = []
    everything = _all_snapshots(session, pieces.game, before, still)
    snapshots = _since_adopted(everything, still)
    orders = Written([line.text for line in still.orders], pieces)
    for found in snapshots:
        rest = still.orders[found.orders :]
        try:
            lately = _lately(session, pieces, found, rest)
        except Unreadable:
            continue
        state = lately.pop(0)[0] if not rest else pieces.after(*lately[found.orders + len(rest)])
        wanted = rest[-1].digest if rest else found.digest
        digest = pieces.digest(state)
        if same_form(wanted, digest) and wanted != digest:
            wrong.append(found)
            continue
        recall = Recall(pieces, still, everything, reading) if reading is not None else None
        return Game.resume(pieces.title, pieces.setup, orders, state, lately=lately, recall=recall), wrong
    return None, wrong


def _lately(
    session: Session, pieces: Pieces, found: Snapshot, rest: Sequence[Line]
) -> dict[int, tuple[State, tuple[Event, ...]]]:
    """Number of each order after a snapshot -> the position before it, and its events; without any order, only the
    position, under 0. ``UnknownForm`` or ``NotASnapshot`` if something cannot be read."""
    data = data_of(session, pieces.game, found.at)
    if data is None:
        raise NotASnapshot("it is gone")
    state = pieces.state(data)
    if not rest:
        return {0: (state, ())}
    stored = events_of(session, pieces.game, rest)
    lately: dict[int, tuple[State, tuple[Event, ...]]] = {}
    for number, line in enumerate(rest, found.orders + 1):
        if line.at not in stored:
            raise NotASnapshot(f"the events of order {number} are not stored")
        events = pieces.events(stored[line.at])
        lately[number] = state, events
        state = pieces.after(state, events)
    return lately


class Recall:
    """Reads earlier positions of a game, and the events that followed from its orders, when they are asked for. Orders
    after an adopted position are followed from it or from snapshots after it, those before it only from earlier ones.
    """

    def __init__(self, pieces: Pieces, still: Standing, snapshots: Sequence[Snapshot], reading: Reading) -> None:
        self._pieces, self._orders, self._snapshots, self._reading = pieces, still.orders, snapshots, reading
        self._adopted = still.adopted
        self._stretch = lru_cache(maxsize=2)(self._read)

    def __call__(self, number: int) -> tuple[State, tuple[Event, ...]] | None:
        """The position before order ``number`` and the events that followed from it; None if they cannot be read."""
        return self._stretch((number - 1) // EVERY).get(number)

    def _read(self, stretch: int) -> dict[int, tuple[State, tuple[Event, ...]]]:
        first, last = stretch * EVERY + 1, min((stretch + 1) * EVERY, len(self._orders))
        read: dict[int, tuple[State, tuple[Event, ...]]] = {}
        ends = [*self._adopted, None]
        with self._reading() as session:
            for since, until in zip([None, *self._adopted], ends, strict=True):
                begin = max(first, since.orders + 1 if since is not None else 1)
                end = min(last, until.orders if until is not None else last)
                if begin <= end:
                    read |= self._between(session, begin, end, since, until)
        return read

    def _between(
        self, session: Session, first: int, last: int, since: Line | None, until: Line | None
    ) -> dict[int, tuple[State, tuple[Event, ...]]]:
        """The orders ``first`` to ``last``, which were given between two adopted positions: as many of them as follow a
        snapshot of that time."""
        own = [
            one
            for one in self._snapshots
            if (since is None or one.at > since.at) and (until is None or one.at <= until.at) and one.orders < last
        ]
        before = [one for one in own if one.orders < first]
        later = [one for one in reversed(own) if one.orders >= first]
        for found in (*before, *later):
            try:
                return _lately(session, self._pieces, found, self._orders[found.orders : last])
            except Unreadable:
                continue
        return {}
