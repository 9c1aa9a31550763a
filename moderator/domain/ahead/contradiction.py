"""Two orders of one mail of which one makes the other void. Neither is chosen: such a mail is refused."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import orders as o
from engine.core.programs import AuctionPlan
from moderator.domain.ahead.standing import clash, purpose
from moderator.domain.ahead.subjects import about, is_merger


def contradicted(earlier: Iterable[o.Order], order: o.Order) -> o.Order | None:
    """The first of the ``earlier`` orders that cannot stand together with ``order``; None if all can. Lots and subjects
    must be written out."""
    return next((one for one in earlier if _exclude(one, order) or _exclude(order, one)), None)


def _exclude(one: o.Order, other: o.Order) -> bool:
    """True if ``one`` and ``other`` are for the same auction, deal or offer and want different things of it."""
    if is_merger(one) and is_merger(other):
        return type(one) is not type(other) and about(one) == about(other)  # type: ignore[arg-type]
    if one.actor != other.actor or one == other:
        return False
    match one, other:
        case o.Limit(), o.Limit() | o.Drop():
            return one.item == other.item
        case o.Standing(), o.Standing():
            return purpose(one) == purpose(other) or clash(one, other)
        case o.Standing(program=AuctionPlan() as plan), o.Limit():
            return any(lot.item == other.item for lot in plan.lots)
        case o.Limit(), o.Bid() | o.Open():
            return one.item == other.item and (other.amount or 0) > one.maximum
        case o.Agree(), o.Refuse():
            return one.subject is not None and one.subject == other.subject
        case o.Take(), o.Take():
            return one.company is not None and one.company == other.company and one.count != other.count
    return False
