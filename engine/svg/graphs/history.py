"""A game over time: the worth of players and the prices of companies after each round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId, PlayerId, TrainName
from engine.core.state import Round, State
from engine.core.title import Title


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of a round. ``worth``: the wealth of each player, by the rules for the end of the game. ``prices``: the
    price of each company that has one. ``trains``: the types of train of which the first was bought in the round."""

    round: Round
    worth: Mapping[PlayerId, int]
    cash: Mapping[PlayerId, int]
    prices: Mapping[CompanyId, int]
    trains: tuple[TrainName, ...]


def history(title: Title, states: Iterable[State]) -> tuple[Moment, ...]:
    """The end of each round; for the round in progress, the last position.

    ``states``: positions of a game in order, beginning with its first; others may be left out. A round ends with the
    first position of the next one.
    """
    found: list[Moment] = []
    begun: State | None = None
    last: State | None = None
    for state in states:
        if begun is None:
            begun = state
        elif state.round != begun.round:
            found.append(_moment(title, begun, state))
            begun = state
        last = state
    if begun is not None and last is not None and (last is not begun or not found):
        found.append(_moment(title, begun, last))
    return tuple(found)


def _moment(title: Title, begun: State, ended: State) -> Moment:
    return Moment(
        round=begun.round,
        worth={player: title.score(title, ended, player) for player in sorted(ended.players)},
        cash={player: ended.money(player) for player in sorted(ended.players)},
        prices={
            company: title.chart.price(marker.cell)
            for company, marker in ended.prices.items()
            if ended.companies[company].status != "closed"
        },
        trains=tuple(train for train in title.trains if train in ended.bought and train not in begun.bought),
    )
