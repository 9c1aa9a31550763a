"""Selling shares to the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.acts.player.act import PlayerAct
from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.ids import Actor
from engine.core.orders import Order, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.shares.menu import in_ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class SellShares(PlayerAct):
    """Sales do not end the turn, and they fulfil a duty to sell. ``sales`` yields every legal sale of the actor, one
    for each number of shares; under a duty only those that it admits. ``enough`` returns the reasons why the duty does
    not admit a legal sale. ``doubles``: companies have certificates for two shares, of which an order may say how many
    are sold."""

    sales: Callable[[Title, State, Any, Actor, Any], Iterable[Sell]]
    enough: Callable[[Title, State, Any, Any, Any], Iterable[Failure]]
    name: str = "SellShares"
    takes: tuple[type[Order], ...] = (Sell,)
    list: Callable[[Title, State, Any, Actor], Iterable[Choice]] = lambda *_: ()
    ends: bool = False
    waits: Callable[[Title, Any], bool] = lambda *_: False
    doubles: bool = False

    def offers(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> Iterable[Choice]:
        return in_ranges(self.sales(title, state, frame, actor, owed))

    def possible(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> bool:
        return next(iter(self.sales(title, state, frame, actor, owed)), None) is not None

    def failures(self, title: Title, state: State, frame: Any, order: Order, owed: Any) -> Iterable[Failure]:
        found = tuple(self.check(title, state, frame, order))
        if isinstance(order, Sell) and order.doubles is not None and not self.doubles:
            found = (Failure("order.no_such_part", {"part": "doubles"}), *found)
        return found or self.enough(title, state, frame, order, owed)
