"""The shared steps as players see them: the contents of each frame in the terms of the game.

Every function takes a frame and returns the name of the decision and the facts known about it, as JSON values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.acts.act import Turn
from engine.acts.lay_track import Laid
from engine.acts.place_token import Placed
from engine.acts.run_trains import Earned
from engine.core.orders import Merge, Merger, Order, PrivateSale, ShareSale, Space, Subject, TokenSale, Train, TrainSale
from engine.core.state import Frame
from engine.steps.auction import Auction
from engine.steps.consent import Consent
from engine.steps.discard import Discards

Told: TypeAlias = tuple[str, Mapping[str, Any]]


def auction(frame: Auction) -> Told:
    return "auction", {
        "item": frame.item,
        "opened by": frame.proposer,
        "high bidder": frame.holder,
        "bid": frame.amount,
        "still bidding": list(frame.waiting),
        "least raise": frame.step,
    }


def company_turn(turn: Turn) -> Told:
    return "company turn", {
        "company": turn.company,
        "step": turn.stage,
        "laid": [[hex, "upgrade" if upgraded else "lay"] for hex, upgraded in turn.note(Laid).hexes],
        "marker placed": turn.note(Placed).marker,
        "earned": turn.note(Earned).revenue,
    }


def discards(frame: Discards) -> Told:
    return "discards", {"companies": list(frame.companies), "at once": frame.together}


def consent(frame: Consent) -> Told:
    return "consent", {
        "asked by": frame.player,
        "for": frame.order.actor,
        "subject": _subject(frame.subject),
        "ordered with it": _more(frame.order),
        "not yet answered": [[player, actor] for player, actor in frame.waiting],
    }


def space(named: Space) -> list[Any]:
    """A city space as it was ordered: hex, exit and company; None for each part that the order does not name."""
    return [named.hex, named.exit, named.company]


def _subject(subject: Subject) -> dict[str, Any]:
    match subject:
        case TrainSale():
            return {"train": subject.train, "to": subject.buyer, "price": subject.price}
        case PrivateSale():
            return {"private": subject.private, "to": subject.buyer, "price": subject.price}
        case ShareSale():
            return {
                "shares": subject.count,
                "company": subject.company,
                "to": subject.buyer,
                "price": subject.price,
            }
        case TokenSale():
            return {"marker": space(subject.space), "to": subject.buyer, "price": subject.price}
        case Merger():
            return {"minors": sorted(subject.minors), "into": subject.into}


def _more(order: Order) -> dict[str, Any]:
    """The part of an order beyond its subject: the train to buy if the other is refused, or the markers to keep."""
    if isinstance(order, Train) and order.otherwise is not None:
        other = order.otherwise
        return {"otherwise": {"train": other.train, "from": other.source, "price": other.price, **_more(other)}}
    if isinstance(order, Merge) and order.keep:
        return {"keep": [space(each) for each in order.keep]}
    return {}


SHARED: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    Auction: auction,
    Discards: discards,
    Consent: consent,
}
