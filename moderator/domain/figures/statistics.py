"""Statistics of a game: its rounds, train purchases, revenues of companies, and wealth of players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import Game
from engine.core.events import Bought, Distributed, Event, Paid, Ran, RoundBegan, TrainMoved
from engine.core.state import State
from engine.svg.graphs.history import Moment, history


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round. ``first`` and ``last``: the numbers of its first and last order; ``last`` is ``first - 1`` in a round
    without orders."""

    name: str
    first: int
    last: int

    @property
    def orders(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class TrainBought:
    """A train that a company got. ``source``: ``Bank``, ``Pool`` or a company. ``price``: None if nothing was paid."""

    order: int
    round: str
    company: str
    train: str
    source: str
    price: int | None


@dataclass(frozen=True, slots=True)
class Earned:
    """A run of a company. ``kind``: the kind of its dividend, such as ``full``, ``half`` or ``none``; empty if there
    was no decision about it."""

    order: int
    round: str
    company: str
    revenue: int
    kind: str


@dataclass(slots=True)
class Statistics:
    """The statistics of a game. ``worth``: the wealth of every player at the end of each round, computed as at the end
    of the game."""

    rounds: list[RoundPlayed] = field(default_factory=list)
    trains: list[TrainBought] = field(default_factory=list)
    earned: list[Earned] = field(default_factory=list)
    shares: int = 0
    """The number of purchases of shares."""
    worth: Sequence[Moment] = ()


def statistics(game: Game) -> Statistics:
    """The statistics of a game as far as it has been played."""
    found, states = Statistics(), [game.at(0)]
    now, first = str(game.at(0).round), 1
    for number, (_, before, events) in enumerate(game.happened(0), 1):
        states.append(before)
        for event in events:
            if isinstance(event, RoundBegan):
                found.rounds.append(RoundPlayed(now, first, number))
                now, first = str(event.round), number + 1
            _count(found, number, now, event, events)
    states.append(game.state)
    found.rounds.append(RoundPlayed(now, first, len(game.orders)))
    found.worth = history(game.title, _in_order(states))
    return found


def _in_order(states: Iterable[State]) -> Iterable[State]:
    """The positions, without consecutive repetitions."""
    last: State | None = None
    for state in states:
        if state is not last:
            yield state
        last = state


def _count(found: Statistics, number: int, now: str, event: Event, events: Sequence[Event]) -> None:
    match event:
        case TrainMoved(train=train, source=source, target=target) if (
            source and target and target not in ("Pool", "Bank")
        ):
            paid = (e.amount for e in events if isinstance(e, Paid) and e.reason == "train" and e.payer == target)
            found.trains.append(TrainBought(number, now, target, train, source, next(paid, None)))
        case Ran(company=company, revenue=revenue):
            found.earned.append(Earned(number, now, company, revenue, ""))
        case Distributed(company=company, kind=kind):
            last = next((n for n in range(len(found.earned) - 1, -1, -1) if found.earned[n].company == company), None)
            if last is not None and not found.earned[last].kind:
                one = found.earned[last]
                found.earned[last] = Earned(one.order, one.round, one.company, one.revenue, kind)
        case Bought():
            found.shares += 1
