"""The shared steps as players know them: what each frame remembers, in the game's own terms (``engine.core.told``).

Every function takes a frame and gives the name of the decision and what is known of it, as JSON values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.core.orders import Merge, Merger, Order, PrivateSale, Space, Subject, Train, TrainSale
from engine.core.state import Frame
from engine.steps.announce import AnnounceWindow
from engine.steps.auction import Auction
from engine.steps.company_turn import CompanyTurn, Stage
from engine.steps.consent import Consent
from engine.steps.discard import Discards

Told: TypeAlias = tuple[str, Mapping[str, Any]]

STAGES: Final = {
    Stage.REDEEM: "redeem",
    Stage.TRACK: "track",
    Stage.TOKEN: "token",
    Stage.RUN: "run",
    Stage.PAY: "pay",
    Stage.LOANS: "loans",
    Stage.TRAINS: "trains",
}


def auction(frame: Auction) -> Told:
    return "auction", {
        "item": frame.item,
        "opened by": frame.proposer,
        "high bidder": frame.holder,
        "bid": frame.amount,
        "still bidding": list(frame.waiting),
        "least raise": frame.step,
    }


def company_turn(frame: CompanyTurn) -> Told:
    return "company turn", {
        "company": frame.company,
        "step": STAGES[frame.stage],
        "laid": [[hex, "upgrade" if upgraded else "lay"] for hex, upgraded in frame.laid],
        "marker placed": frame.placed,
        "earned": frame.revenue,
        "loans at the start": frame.loans,
    }


def discards(frame: Discards) -> Told:
    return "discards", {"companies": list(frame.companies), "at once": frame.together}


def announcements(frame: AnnounceWindow) -> Told:
    return "announcements", {"company": frame.company, "earned": frame.revenue, "not yet answered": list(frame.waiting)}


def consent(frame: Consent) -> Told:
    return "consent", {
        "asked by": frame.player,
        "for": frame.order.actor,
        "subject": _subject(frame.subject),
        "ordered with it": _more(frame.order),
        "not yet answered": [[player, actor] for player, actor in frame.waiting],
    }


def space(named: Space) -> list[Any]:
    """A city space as it is ordered: hex, exit, company; None where it is not said."""
    return [named.hex, named.exit, named.company]


def _subject(subject: Subject) -> dict[str, Any]:
    match subject:
        case TrainSale():
            return {"train": subject.train, "to": subject.buyer, "price": subject.price}
        case PrivateSale():
            return {"private": subject.private, "to": subject.buyer, "price": subject.price}
        case Merger():
            return {"minors": sorted(subject.minors), "into": subject.into}


def _more(order: Order) -> dict[str, Any]:
    """The part of an order beyond its subject: the train bought otherwise, the markers that stay."""
    if isinstance(order, Train) and order.otherwise is not None:
        other = order.otherwise
        return {"otherwise": {"train": other.train, "from": other.source, "price": other.price, **_more(other)}}
    if isinstance(order, Merge) and order.keep:
        return {"keep": [space(each) for each in order.keep]}
    return {}


SHARED: Final[Mapping[type[Frame], Callable[[Any], Told]]] = {
    Auction: auction,
    CompanyTurn: company_turn,
    Discards: discards,
    AnnounceWindow: announcements,
    Consent: consent,
}
