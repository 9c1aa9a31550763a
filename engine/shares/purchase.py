"""Purchases of certificates from the pool or from the place of unsold shares. A title says in a value of
``PurchaseTerms`` on what terms they are bought."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from engine.core.checks import Fact, Failure
from engine.core.events import Bought, CertificatesMoved
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId
from engine.core.orders import Buy
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, ordinary_kind
from engine.holders.control import count
from engine.holders.ledger import held_together
from engine.holders.succession import settle_director
from engine.shares.limits import check_certificates, most_shares

SoldBefore = Collection[tuple[Actor, CompanyId]]
"""Pairs of a seller and the company whose shares he has sold in this round."""


def sources(title: Title, state: State, company: CompanyId) -> tuple[str, ...]:
    """The places, ``treasury`` and ``pool``, that have an ordinary certificate of the company."""
    kind = ordinary_kind(title, state, company)
    return tuple(name for name, place in (("treasury", TREASURY), ("pool", POOL)) if count(state, place, company, kind))


def _sources(title: Title, state: State, buyer: Actor, order: Buy) -> tuple[str, ...]:
    return sources(title, state, order.company)


def _share_price(title: Title, state: State, order: Buy, source: str) -> int:
    return title.price(state, order.company)


def _nothing_against(title: Title, state: State, buyer: Actor, order: Buy) -> Iterable[Failure]:
    return ()


def _not_started(title: Title, state: State, buyer: Actor, order: Buy) -> Failure | None:
    company = order.company
    if company not in state.companies or len(charter_of(title, state, company).certificates) < 2:
        return Failure("buy.not_for_sale", {"company": company})
    if state.companies[company].status != "open":
        return Failure("buy.not_started", {"company": company, "status": state.companies[company].status})
    return None


def _limits(title: Title, state: State, buyer: Actor, order: Buy) -> Iterable[Failure]:
    most = most_shares(title, state, order.company)
    if held_together(title, state, buyer, order.company) >= most:
        yield Failure("buy.holding_limit", {"company": order.company, "most": most})
    yield from check_certificates(title, state, buyer)


def check_sold_before(buyer: Actor, company: CompanyId, sold: SoldBefore) -> list[Failure]:
    """Refuse shares of a company that the buyer has sold in this round."""
    if (buyer, company) in sold:
        return [Failure("buy.sold_before", {"company": company, "seller": buyer})]
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchaseTerms:
    """``closed`` returns the reason why the buyer can buy no certificate of the company; such a purchase has no further
    reason. ``parts``: the kinds of certificate that an order may name. ``bars``: the title's own reasons, whatever the
    place. ``places``: where the buyer may take the certificate of the order, by the names of sources. ``price``: the
    price there. ``limits``: the limits that one more certificate would break."""

    closed: Callable[[Title, State, Actor, Buy], Failure | None] = _not_started
    parts: frozenset[str] = frozenset()
    bars: Callable[[Title, State, Actor, Buy], Iterable[Failure]] = _nothing_against
    places: Callable[[Title, State, Actor, Buy], tuple[str, ...]] = _sources
    price: Callable[[Title, State, Buy, str], int] = _share_price
    limits: Callable[[Title, State, Actor, Buy], Iterable[Failure]] = _limits


def check_buy(
    terms: PurchaseTerms, title: Title, state: State, buyer: Actor, order: Buy, sold: SoldBefore = ()
) -> list[Failure]:
    """Return every reason why ``buyer`` may not buy the certificate. ``sold``: the sales of this stock round."""
    company = order.company
    if (closed := terms.closed(title, state, buyer, order)) is not None:
        return [closed]
    if order.certificate is not None and order.certificate not in terms.parts:
        return [Failure("order.no_such_part", {"part": "certificate"})]
    failures = list(terms.bars(title, state, buyer, order))
    found = terms.places(title, state, buyer, order)
    if not found or (order.source is not None and order.source not in found):
        left = terms.places(title, state, buyer, Buy(buyer, company))
        facts: dict[str, Fact] = {
            "company": company, "source": order.source, "left": left, "kind": order.certificate,
        }  # fmt: skip
        return failures or [Failure("buy.none_left", facts)]
    if order.source is None and len(found) > 1:
        failures.append(Failure("ambiguous.source", {"company": company, "sources": found}))
    price, cash = terms.price(title, state, order, order.source or found[0]), state.money(buyer)
    if cash < price:
        failures.append(Failure("buy.money", {"company": company, "price": price, "cash": cash}))
    failures += check_sold_before(buyer, company, sold)
    failures += terms.limits(title, state, buyer, order)
    return failures


SHARES = PurchaseTerms()
"""Ordinary certificates, one at a time, from the treasury or the pool."""


def buy(play: Play, buyer: Actor, order: Buy) -> None:
    """Carry out a purchase on the terms of ``SHARES`` that has been checked."""
    title, company = play.title, order.company
    source = order.source or sources(title, play.state, company)[0]
    place, payee = (TREASURY, company) if source == "treasury" else (POOL, BANK)
    take_shares(play, buyer, company, 1, place, payee, source)


def take_shares(play: Play, buyer: Actor, company: CompanyId, number: int, place: str, payee: str, source: str) -> None:
    """Buy ``number`` ordinary certificates from ``place`` at the current price. The director may change."""
    title = play.title
    price = title.price(play.state, company) * number
    play.pay(buyer, payee, price, "share", company)
    play.emit(
        CertificatesMoved(company, ordinary_kind(title, play.state, company), number, place, buyer),
        Bought(buyer, company, number, price, source),
    )
    settle_director(play, company, buyer)
