"""A game in figures: its rounds, when trains were bought, what companies earned, what players were worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import Game
from engine.core.events import Bought, Distributed, Event, Paid, Ran, RoundBegan, TrainMoved
from engine.core.state import State
from engine.svg.history import Moment, history


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """``first`` and ``last``: numbers of its orders; ``last`` is one less than ``first`` in a round without any."""

    name: str
    first: int
    last: int

    @property
    def orders(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class TrainBought:
    """``source``: ``Bank``, ``Pool`` or a company; ``price`` None where nothing was paid."""

    order: int
    round: str
    company: str
    train: str
    source: str
    price: int | None


@dataclass(frozen=True, slots=True)
class Earned:
    """One run of a company. ``kind`` says how it was paid out: ``full``, ``half``, ``none``; empty if it was not."""

    order: int
    round: str
    company: str
    revenue: int
    kind: str


@dataclass(slots=True)
class Statistics:
    """``worth`` has what every player was worth at the end of each round, by the rules of the end of the game."""

    rounds: list[RoundPlayed] = field(default_factory=list)
    trains: list[TrainBought] = field(default_factory=list)
    earned: list[Earned] = field(default_factory=list)
    shares: int = 0
    """Purchases of shares."""
    worth: Sequence[Moment] = ()


def statistics(game: Game) -> Statistics:
    """The figures of a game as far as it has been played."""
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
    """Each position once."""
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
