"""Connections between minors: they may merge if track joins their homes. Their own markers do not block it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.network import linked
from engine.board.track import StopAt
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.names import MINOR
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of


def _reached(state: State, start: CompanyId, group: frozenset[CompanyId]) -> frozenset[CompanyId]:
    """Members of the group whose marker a legal route from the marker of ``start`` reaches."""
    found = linked(state.board, state.board.places_of(start)[0], group)
    return frozenset(m for m in group if _stop(state, m) in found)


def _stop(state: State, minor: CompanyId) -> StopAt:
    hex, city = state.board.places_of(minor)[0]
    return ("c", hex, city)


def connected(title: Title, state: State, group: tuple[CompanyId, ...]) -> bool:
    """True if track connects the group as a merger requires."""  # rule 14.8
    members = frozenset(group)
    if rulings_of(title).merger_connection == "hub":
        return any(_reached(state, m, members) >= members for m in group)
    joined, waiting = {group[0]}, [group[0]]
    while waiting:
        for other in _reached(state, waiting.pop(), members) - joined:
            joined.add(other)
            waiting.append(other)
    return joined >= members


def partners(title: Title, state: State, minor: CompanyId) -> Iterator[CompanyId]:
    """Minors that are connected directly to ``minor``, in operating order."""
    start = state.board.places_of(minor)[0]
    for other in title.policies.operating_order(title, state):
        another = other != minor and charter_of(title, state, other).kind == MINOR
        if another and _stop(state, other) in linked(state.board, start, frozenset((minor, other))):
            yield other
