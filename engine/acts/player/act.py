"""An act is one kind of thing that a player may do in his turn of a stock round.

A title lists its acts in a table (``engine.acts.player.turns``). An act is a frozen value: its kind of order, and the
functions in which titles differ. The frame of the round is the title's own, so functions here take it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.ids import Actor
from engine.core.orders import Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.consent import Consent


def _nothing_noted(title: Title, state: State, frame: Any, order: Any) -> Any:
    return frame


def _no_price(title: Title, state: State, order: Any) -> int | None:
    return None


def _always(title: Title, owed: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAct:
    """``name``: the words of the table of the turn. ``takes``: the kinds of order that belong to the act. ``list``
    yields the legal orders of an actor, a player or a company for which he acts. ``check`` returns every reason against
    an order. ``do`` carries out an order that has been checked. ``ends``: the order ends the turn, before its effects.
    ``notes`` returns the frame with all that the round must remember of the order. ``price``: the cost to the actor.
    ``waits``: True if a duty to sell comes before the act."""

    name: str
    takes: tuple[type[Order], ...]
    list: Callable[[Title, State, Any, Actor], Iterable[Choice]]
    check: Callable[[Title, State, Any, Any], Iterable[Failure]]
    do: Callable[[Play, Any], object]
    ends: bool = True
    notes: Callable[[Title, State, Any, Any], Any] = _nothing_noted
    price: Callable[[Title, State, Any], int | None] = _no_price
    waits: Callable[[Title, Any], bool] = _always

    def offers(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> Iterable[Choice]:
        """List the legal orders of the actor. ``owed``: the player's duties to sell; falsy if there are none."""
        return () if owed and self.waits(title, owed) else self.list(title, state, frame, actor)

    def possible(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> bool:
        """True if the actor has a legal order."""
        return next(iter(self.offers(title, state, frame, actor, owed)), None) is not None

    def failures(self, title: Title, state: State, frame: Any, order: Order, owed: Any) -> Iterable[Failure]:
        """Return every reason against the order, apart from the duty itself."""
        return self.check(title, state, frame, order)

    def asks(self, play: Play, order: Order) -> bool:
        """Ask others for their consent, if the order needs it. Returns True if it has to wait for an answer."""
        return False

    def granted(self, play: Play, frame: Any, consent: Consent) -> bool:
        """True if an order for which everybody has given consent is still legal."""
        return not tuple(self.check(play.title, play.state, frame, consent.order))
