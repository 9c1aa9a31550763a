"""Questions: the player who is asked, the subject, and the answers that are legal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engine.core.ids import Actor, PlayerId
from engine.core.orders import Order


@dataclass(frozen=True, slots=True)
class Ask:
    """One open question: ``player`` must answer, acting as ``actor`` (himself or a company he directs now).

    ``what`` is a key (``auction.bid``, ``company.turn`` …) with words in the templates; ``about`` names the things
    that the question is about.
    """

    player: PlayerId
    actor: Actor
    what: str
    about: tuple[str, ...] = ()
    silence: Order | None = None
    """The answer that counts if none comes in time, for questions that may go unanswered: an offer is declined, consent
    is refused, a company without a director makes its best run. A player's own turn has no such answer."""
    sealed: bool = False
    """The answer is secret until the last of all such questions is answered."""


@dataclass(frozen=True, slots=True)
class Lot:
    """The private or company that is up for auction: being bid on, or on offer. ``bidders`` may still bid or open
    it, the next to answer first; the ``holder`` of the standing bid is not among them. ``amount``: the standing bid,
    None before the first. ``least``: no bid below it can be made any more; None while the lot is offered again,
    perhaps for less, if all pass."""

    item: str
    bidders: tuple[PlayerId, ...]
    holder: PlayerId | None = None
    amount: int | None = None
    least: int | None = None


@dataclass(frozen=True, slots=True)
class Exact:
    """One order that is legal now, exactly as given."""

    order: Order

    def sample(self, pick: int = 0) -> Order:
        """The order, whatever the value of ``pick``."""
        return self.order


@dataclass(frozen=True, slots=True)
class Range:
    """Orders that differ in one number: ``field`` of ``order`` may be ``low``, ``low + step`` … up to ``high``."""

    order: Order
    field: str
    low: int
    high: int
    step: int = 1

    def sample(self, pick: int = 0) -> Order:
        """The order with the value number ``pick``, counted from 0; the first value follows the last."""
        size = (self.high - self.low) // self.step + 1
        changes: dict[str, Any] = {self.field: self.low + self.step * (pick % size)}
        return replace(self.order, **changes)


Choice: TypeAlias = Exact | Range
Menu: TypeAlias = tuple[Choice, ...]
"""The legal answers to a question. Runs are listed only as ``run best`` and ``run none``: there are too many legal runs
to list."""
