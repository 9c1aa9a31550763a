"""A game's log: its entries in their order, and which of them still count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from moderator.adapters.tables import EntryRow

_COLUMNS: tuple[Any, ...] = (EntryRow.at, EntryRow.kind, EntryRow.orders, EntryRow.text, EntryRow.digest)
_LINES = (
    select(*(col(column) for column in _COLUMNS))
    .where(
        col(EntryRow.game) == bindparam("game"), col(EntryRow.at) >= bindparam("since"),
        col(EntryRow.at) < bindparam("before"),
    )
    .order_by(col(EntryRow.at))
)  # fmt: skip
_EVENTS = select(col(EntryRow.at), col(EntryRow.events)).where(
    col(EntryRow.game) == bindparam("game"), col(EntryRow.at) >= bindparam("since"),
    col(EntryRow.at) <= bindparam("last"),
)  # fmt: skip


class Line(NamedTuple):
    """An entry without its blobs."""

    at: int
    kind: str
    orders: int
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The part of a log that counts: ``orders`` that were not undone, and ``adopted`` positions at which a replay
    begins, the oldest first."""

    orders: tuple[Line, ...] = ()
    adopted: tuple[Line, ...] = ()

    @property
    def base(self) -> int:
        """The number of orders after which a replay begins."""
        return self.adopted[-1].orders if self.adopted else 0


def lines_of(session: Session, game: str, before: int, since: int = 0) -> Sequence[Line]:
    """The entries from decision ``since`` up to, but not including, decision ``before``."""
    found = session.execute(_LINES, {"game": game, "since": since, "before": before}).all()
    return [Line(*row) for row in found]


def standing(lines: Iterable[Line]) -> Standing:
    """The lines that still count at the end of ``lines``."""
    orders: list[Line] = []
    adopted: list[Line] = []
    for line in lines:
        if line.kind == "order":
            orders.append(line)
        elif line.kind == "undo":
            del orders[line.orders :]
            adopted = [one for one in adopted if one.orders <= line.orders]
        elif line.kind == "adopt":
            adopted.append(line)
    return Standing(tuple(orders), tuple(adopted))


def events_of(session: Session, game: str, orders: Sequence[Line]) -> dict[int, bytes]:
    """The stored events of these orders: decision -> events. Orders of games that were begun before events were stored
    are missing."""
    if not orders:
        return {}
    found = session.execute(_EVENTS, {"game": game, "since": orders[0].at, "last": orders[-1].at}).all()
    wanted = {line.at for line in orders}
    return {at: events for at, events in found if events is not None and at in wanted}
