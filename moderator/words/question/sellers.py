"""The trains that a company could buy from other companies, and the prices that the rules allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains
from engine.acts.turns import Turns
from engine.core.agenda import Range
from engine.core.events import Paid
from engine.core.evolve import evolve
from engine.core.ids import BANK, POOL, CompanyId, PlayerId, TrainName
from engine.core.orders import Train
from engine.core.state import State
from engine.core.title import Title
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.texts import Words

_RICHES: Final = 1_000_000
"""More money than any game has: with it a company can pay every price that it may pay."""
_USUAL: Final = 70
"""The price in the example of a purchase, if it may be chosen and the company has so much."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A train of another company. ``high`` is None if the buyer may pay all that it has. ``consent``: the player who
    must agree, None if nobody must."""

    train: TrainName
    seller: CompanyId
    low: int
    high: int | None
    consent: PlayerId | None


def offers(title: Title, state: State, act: BuyTrains) -> tuple[Offer, ...]:
    """The trains of other companies that the company in turn could buy if it had the money, each kind of a company
    once."""
    turn = state.top
    assert isinstance(turn, Turn)
    rich = evolve(title, state, Paid(BANK, turn.company, _RICHES, "train"))
    most, found = rich.money(turn.company), list[Offer]()
    for choice in act.list(title, rich, turn):
        order = choice.sample(0)
        if not isinstance(order, Train) or order.source in (None, BANK, POOL):
            continue
        seller = CompanyId(order.source or "")
        low = choice.low if isinstance(choice, Range) else order.price or title.trains[order.train].cost
        high = choice.high if isinstance(choice, Range) else low
        consent = title.policies.director(title, state, seller) if act.asks(title) else None
        own = consent == title.policies.director(title, state, turn.company)
        found.append(Offer(order.train, seller, low, None if high >= most else high, None if own else consent))
    return tuple(found)


def example(title: Title, state: State, company: CompanyId, offer: Offer) -> str:
    """A purchase as it can be ordered."""
    price = offer.high if offer.high is not None else min(_USUAL, max(1, state.money(company)))
    return write(Train(company, offer.train, offer.seller, max(price, offer.low)), vocabulary(title))


def of_others(own: Words, title: Title, state: State, but: Callable[[Offer], bool] | None = None) -> str:
    """A sentence on the companies that may sell trains to the company in turn, and for what prices; "" if none may.
    ``but``: True of those that are not told."""
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return ""
    act = next((p.act for p in step.places if isinstance(p.act, BuyTrains) and not step.is_past(turn, p.last)), None)
    found = [offer for offer in offers(title, state, act) if but is None or not but(offer)] if act is not None else []
    if not found:
        return ""
    cash = state.money(turn.company)
    free, fixed, dear = dict[object, list[Offer]](), dict[object, list[Offer]](), dict[object, list[Offer]]()
    for offer in found:
        if offer.high is not None and offer.low > cash:
            dear.setdefault((offer.train, offer.high), []).append(offer)
        else:
            groups = free if offer.high is None else fixed
            groups.setdefault((offer.train, offer.consent, offer.high), []).append(offer)
    facts = {
        "company": turn.company, "low": min(offer.low for offer in found), "free": tuple(map(_group, free.values())),
        "fixed": tuple(map(_group, fixed.values())), "dear": tuple(map(_group, dear.values())),
        "example": example(title, state, turn.company, next((one for one in found if one.high is None), found[0])),
    }  # fmt: skip
    return own.say("words", "sellers", title=title, **facts)


def _group(of: list[Offer]) -> tuple[TrainName, tuple[CompanyId, ...], PlayerId | None, int | None]:
    """The train, those who have it, who must agree, and the price if it is fixed, of offers that are alike."""
    return of[0].train, tuple(offer.seller for offer in of), of[0].consent, of[0].high
