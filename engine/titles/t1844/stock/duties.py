"""Duties to sell in a stock round: certificates over the share limit, debt of the exchange of pre-SBB shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.shares.limits import over_limit
from engine.steps.duty_to_sell import After, Duty, Lack, duty_of
from engine.titles.t1844.names import FORMATION
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.trade import sales, sell

LIMIT: Final = "certificates"
DEBT: Final = "money"
"""Kinds of duty: too many certificates, or too little money for a debt."""


def _owed(title: Title, player: PlayerId, state: State) -> int:
    if rulings_of(title).sbb_debt_sales != "must":
        return 0
    debt = state.debt(player, FORMATION)
    return debt - state.money(player) if debt else 0  # rule 13.12


def _lacks(title: Title, player: PlayerId) -> Mapping[str, Lack]:
    return {LIMIT: lambda state: over_limit(title, state, player), DEBT: partial(_owed, title, player)}


def _weighed(title: Title, player: PlayerId) -> Mapping[str, Lack]:
    """The duties that every single sale must leave possible to fulfil."""  # rule 4.25, 13.12
    lacks = _lacks(title, player)
    return lacks if rulings_of(title).limit_sales == "enough" else {DEBT: lacks[DEBT]}


def _after(title: Title, player: PlayerId, state: State, order: Sell) -> State:
    play = Play(title, state)
    sell(play, player, order)
    return play.state


def duties(title: Title, state: State, player: PlayerId, sold: tuple[CompanyId, ...]) -> Mapping[str, Duty]:
    """The player's duties to sell, by kind, if a sale would help. ``sold``: companies sold in this turn."""
    # rule 4.25, 13.12
    legal, after = partial(sales, title, state, player, player, sold), partial(_after, title, player)
    found = {kind: duty_of(lack, after, state, legal) for kind, lack in _lacks(title, player).items()}
    return {kind: duty for kind, duty in found.items() if duty.binds}


def check_duty_sale(
    title: Title, state: State, player: PlayerId, order: Sell, sold: tuple[CompanyId, ...]
) -> list[Failure]:
    """The reasons why an otherwise legal sale would prevent the player from fulfilling a duty."""  # rule 4.25, 13.12
    legal, after = partial(sales, title, state, player, player, sold), partial(_after, title, player)
    found: list[Failure] = []
    for kind, lack in _weighed(title, player).items():
        found += _check_enough(lack, after, state, legal, order, kind)
    return found


def _check_enough(
    lack: Lack, after: After, state: State, legal: Callable[[], Iterable[Sell]], order: Sell, unit: str
) -> list[Failure]:
    """Return the failure if a legal sale of a company that can be sold only once in a turn is too small; otherwise an
    empty list. The failure, ``sell.too_few``, has the least number that would be enough and the total lack, in ``unit``
    (``certificates`` or ``money``)."""
    duty = duty_of(lack, after, state, legal)
    if not duty.binds or duty.kept(order.company, duty.lack - lack(after(state, order))):
        return []
    enough = (
        other.count
        for other in legal()
        if other.company == order.company and duty.kept(order.company, duty.lack - lack(after(state, other)))
    )
    facts: dict[str, Fact] = {
        "company": order.company, "count": order.count, "least": min(enough), "lack": duty.lack, "unit": unit,
    }  # fmt: skip
    return [Failure("sell.too_few", facts)]


def enough_sales(title: Title, state: State, player: PlayerId, sold: tuple[CompanyId, ...]) -> Iterator[Sell]:
    """Every legal sale that leaves the player's duties possible to fulfil."""
    lacks = _weighed(title, player)
    bound = {kind: duty for kind, duty in duties(title, state, player, sold).items() if kind in lacks}
    for order in sales(title, state, player, player, sold):
        after = _after(title, player, state, order) if bound else state
        if all(duty.kept(order.company, duty.lack - lacks[kind](after)) for kind, duty in bound.items()):
            yield order
