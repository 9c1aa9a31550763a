"""Passes in merger rounds that 18xx.games records and our game does not ask for.

The site records a pass for every minor, even for one that can neither convert nor merge. If these passes come last, our
game is already in its next round, and they must not be read as the end of turns there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.events import Became, Event, RoundBegan
from engine.core.evolve import evolve
from engine.core.ids import CompanyId
from engine.core.orders import Decline, Order
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.names import MINOR
from engine.families.f1867.turn.connection import connected
from engine.holders.charters import charter_of
from engine.site18xx.walk import Walk


@dataclass(slots=True)
class MergerPasses:
    """Finds these passes. ``numbers``: numbers of their actions."""

    numbers: set[int] = field(default_factory=set)
    _merging: bool = False

    def hear(self, event: Event, walk: Walk) -> None:
        """Note what has happened."""
        if isinstance(event, RoundBegan):
            if self._merging and event.round.kind != "MR":
                self._over(walk)
            self._merging = event.round.kind == "MR"

    def _over(self, walk: Walk) -> None:
        """Note the end of our merger round. If the record goes on with passes of the last minors in operating order,
        they belong to that round."""
        title, state, first = walk.game.title, walk.game.state, walk.at + 1
        minors = [c for c in title.policies.operating_order(title, state) if charter_of(title, state, c).kind == MINOR]
        following = range(first, min(first + len(minors), len(walk.actions)))
        passing = [walk.actor(n) if walk.actions[n]["type"] == "pass" else "" for n in following]
        for number in range(len(minors), 0, -1):
            if passing[:number] == minors[-number:]:
                self.numbers.update(range(first, first + number))
                return


def failed_mergers(actions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The option that a record needs if nobody comes to two shares of a merged company and its players do not undo the
    merger."""
    owners: dict[str, str] = {}
    group: list[str] = []
    for number, action in enumerate(actions):
        if action["type"] == "bid" and action.get("corporation"):
            owners[action["corporation"]] = str(action.get("entity"))  # the last bid won
        elif action["type"] == "convert":
            group = []
        elif action["type"] == "merge" and action.get("corporation") in owners:
            group = [*(group or [action["entity"]]), action["corporation"]]
        elif action["type"] == "merge":
            holders = [owners.get(minor) for minor in group]
            if len(set(holders)) == len(holders) > 1 and _fails(actions[number + 1 :], set(holders)):
                return {"merger_fails": "stays"}
            group = []
    return {}


def _fails(following: Iterable[Mapping[str, Any]], holders: set[str | None]) -> bool:
    """True if none of the ``holders``, who have one share each, buys a second one when offered."""
    asked = set(holders)
    for action in following:
        if action.get("entity_type") != "player":
            if action["type"] in ("remove_token", "discard_train"):
                continue
            return True
        if action["type"] == "buy_shares":
            return str(action["entity"]) not in asked
        asked.discard(str(action["entity"]))
    return not asked


def left_out(title: Title, order: Order | None, before: State, events: Iterable[Event]) -> Iterator[CompanyId]:
    """The minors whose turn our merger round has skipped without an order. The site asks them."""
    asked = order.actor if isinstance(order, Decline) else None
    state = before
    for event in events:
        waiting, state = _waiting(state), evolve(title, state, event)
        if not isinstance(event, Became) or not waiting or _waiting(state) != waiting[1:]:
            continue
        if waiting[0] != asked and state.companies[waiting[0]].status == "open":
            yield waiting[0]


def _waiting(state: State) -> tuple[CompanyId, ...]:
    """The minors still to come in the merger round."""
    top = state.agenda[-1] if state.agenda else None
    return top.order if isinstance(top, MergerRound) else ()


def more_could_join(title: Title, state: State, group: tuple[CompanyId, ...]) -> bool:
    """True if the site asks for one more minor before the merger, because track connects another one to the group."""
    minors = (c for c in title.policies.operating_order(title, state) if charter_of(title, state, c).kind == MINOR)
    return any(connected(title, state, (*group, minor)) for minor in minors if minor not in group)
