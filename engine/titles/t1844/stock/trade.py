"""Sales and purchases of shares: their checks, prices and effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.checks import Failure
from engine.core.events import Bought, CertificatesMoved, DirectorChanged
from engine.core.ids import BANK, IPO, POOL, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, director_kind, directors_worth, double_kind, ordinary_kind
from engine.holders.control import count, owner_of
from engine.holders.ledger import shares
from engine.holders.succession import hand_over, settle_director, successor
from engine.shares import purchase as shares_to_buy
from engine.shares import sale as shares_for_sale
from engine.shares.limits import check_certificates
from engine.shares.price import move_price
from engine.shares.purchase import PurchaseTerms, SoldBefore
from engine.shares.sale import SaleTerms, list_sales, pay_for_sale
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import launch_if_due

# ---- selling --------------------------------------------------------------------------------------------------------


def _closed(title: Title, state: State, seller: Actor, company: CompanyId) -> Failure | None:
    if company not in title.companies:
        return Failure("sell.not_for_sale", {"company": company})
    if company not in state.prices or owner_of(title, state, company) is None:  # rule 4.8
        return Failure("sell.no_director", {"company": company})
    return None


def sale_terms(sold: tuple[CompanyId, ...], keep_directors: bool = False, doubles: int | None = None) -> SaleTerms:
    """The terms of a sale: at most half of a company may lie in the pool. ``sold``: companies that the seller has sold
    in this turn. ``keep_directors``: True if the sale may not change a director. ``doubles``: how many of them must be
    among the certificates."""  # rule 4.7, 4.10, 11.6

    def bars(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
        if company in sold and rulings_of(title).sales_in_turn == "one":  # rule 4.4
            yield Failure("sell.twice", {"company": company})
        if keep_directors and owner_of(title, state, company) == seller:
            left = shares(title, state, seller, company) - number
            if (heir := successor(title, state, company, seller, left)) is not None:
                yield Failure("sell.director_change", {"company": company, "count": number, "player": heir})

    def last(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
        if certificates_for(title, state, PlayerId(seller), Sell(seller, company, number, doubles)) is None:
            yield Failure("sell.certificates", {"company": company, "count": number, "doubles": doubles})

    return SaleTerms(closed=_closed, bars=bars, last=last)


def check_sale(
    title: Title, state: State, player: PlayerId, order: Sell, sold: tuple[CompanyId, ...], keep_directors: bool = False
) -> list[Failure]:
    """Every reason why ``player`` may not make the sale."""
    terms = sale_terms(sold, keep_directors, order.doubles)
    return shares_for_sale.check_sale(terms, title, state, player, order.company, order.count)


def certificates_for(title: Title, state: State, player: PlayerId, order: Sell) -> tuple[int, int] | None:
    """Numbers of doubles and ordinary certificates that the sale takes, after any change of director. The number of
    ordinary ones is -1 if the pool gives one as change. None if no certificates match the number of shares."""
    # rule 4.23
    company = order.company
    ordinary, double = ordinary_kind(title, state, company), double_kind(title, state, company)
    singles = count(state, player, company, ordinary)
    doubles = count(state, player, company, double) if double else 0
    split = rulings_of(title).sbb_split
    given = False  # a double for the director's certificate
    if owner_of(title, state, company) == player:
        left = shares(title, state, player, company) - order.count
        heir = successor(title, state, company, player, left)
        given = heir is not None and double is not None and count(state, heir, company, double) > 0
        if given:
            doubles += 1
        elif heir is not None:
            singles += directors_worth(title, state, company)
    choices = range(doubles + 1) if order.doubles is None else (order.doubles,)
    splits = split == "pool" or (split == "director" and given)
    change = double is not None and splits and count(state, POOL, company, ordinary) > 0
    for number in choices:
        least = -1 if change and number else 0
        if 0 <= number <= doubles and least <= order.count - 2 * number <= singles:
            return number, order.count - 2 * number
    return None


def sell(play: Play, player: PlayerId, order: Sell) -> None:
    """Carry out a checked sale. The director changes first if necessary, and the price falls once."""
    # rule 4.4, 4.5, 4.6
    title, state, company = play.title, play.state, order.company
    taken = certificates_for(title, state, player, order)
    assert taken is not None
    doubles, singles = taken
    if not state.companies[company].operated:
        move_price(play, company, "down", 1, "sale")
    price = title.price(play.state, company)
    if owner_of(title, state, company) == player:
        heir = successor(title, state, company, player, shares(title, state, player, company) - order.count)
        if heir is not None:
            hand_over(play, company, player, heir)
    double = double_kind(title, state, company)
    if doubles and double:
        play.emit(CertificatesMoved(company, double, doubles, player, POOL))
    if singles:
        way = (player, POOL) if singles > 0 else (POOL, player)
        play.emit(CertificatesMoved(company, ordinary_kind(title, state, company), abs(singles), *way))
    pay_for_sale(play, player, company, order.count, price * order.count)
    if state.companies[company].operated:
        move_price(play, company, "down", 1, "sale")


def sales(
    title: Title, state: State, player: PlayerId, actor: PlayerId | CompanyId, sold: tuple[CompanyId, ...],
    keep_directors: bool = False,
) -> Iterator[Sell]:  # fmt: skip
    """Every legal sale of the player, without a choice of certificates."""
    terms = sale_terms(sold, keep_directors)
    for company, number in list_sales(terms, title, state, player, state.prices):
        yield Sell(actor, company, number)


# ---- buying ---------------------------------------------------------------------------------------------------------


def price_at(title: Title, state: State, company: CompanyId, place: str) -> int:
    """The price of one share in ``place``: the par in the IPO, the market price in the pool."""  # rule 4.12
    par = state.companies[company].par
    return par if place == IPO and par is not None else title.price(state, company)


def kind_of(title: Title, state: State, order: Buy) -> str | None:
    """The kind of certificate that the order names; None if the company has no such certificate."""
    if order.certificate == "director":
        return director_kind(title, state, order.company)
    if order.certificate == "double":
        return double_kind(title, state, order.company)
    return ordinary_kind(title, state, order.company)


def places(title: Title, state: State, buyer: Actor, order: Buy) -> tuple[str, ...]:
    """The places (``ipo``, ``pool``) where the player may take the certificate that the order names."""
    kind, over = kind_of(title, state, order), _over_half(title, state, buyer, order.company)
    found = (("pool", POOL),) if over else (("ipo", IPO), ("pool", POOL))
    return tuple(name for name, place in found if kind and count(state, place, order.company, kind))


def _over_half(title: Title, state: State, buyer: Actor, company: CompanyId) -> bool:
    """True if the player has more than half of the company, so that he buys from the pool only."""  # rule 4.17
    return shares(title, state, buyer, company) * 2 > all_shares(title, state, company)


def _not_started(title: Title, state: State, buyer: Actor, order: Buy) -> Failure | None:
    company = order.company
    if company not in title.companies:
        return Failure("buy.not_for_sale", {"company": company})
    if company not in state.prices:  # rule 4.11
        return Failure("buy.not_started", {"company": company, "status": state.companies[company].status})
    return None


def _bars(title: Title, state: State, buyer: Actor, order: Buy) -> Iterator[Failure]:
    company, found = order.company, places(title, state, buyer, order)
    if owner_of(title, state, company) is None and order.certificate != "director":  # rule 13.17
        yield Failure("buy.director_first", {"company": company})
    elif _over_half(title, state, buyer, company) and (order.source == "ipo" or not found):  # rule 4.17
        held, half = shares(title, state, buyer, company), all_shares(title, state, company) // 2
        yield Failure("buy.pool_only", {"company": company, "held": held, "half": half})


def _certificate_limit(title: Title, state: State, buyer: Actor, order: Buy) -> list[Failure]:
    return check_certificates(title, state, buyer)  # rule 4.16


def cost_of(title: Title, state: State, order: Buy, source: str) -> int:
    """The price of the certificate from ``ipo`` or ``pool``."""  # rule 4.12, 4.13
    each = price_at(title, state, order.company, IPO if source == "ipo" else POOL)
    return each * _number(title, state, order)


def _number(title: Title, state: State, order: Buy) -> int:
    """The number of shares of the certificate that the order names."""
    kind = kind_of(title, state, order)
    assert kind is not None
    return charter_of(title, state, order.company).certificates[kind][0].shares


PURCHASES: Final = PurchaseTerms(
    closed=_not_started,
    parts=frozenset({"director", "double"}),
    bars=_bars,
    places=places,
    price=cost_of,
    limits=_certificate_limit,
)
"""The terms on which players buy certificates."""  # rule 4.11 to 4.17


def check_buy(title: Title, state: State, order: Buy, sold: SoldBefore) -> list[Failure]:
    """Every reason why the actor may not buy the certificate. ``sold``: the sales in this stock round."""
    return shares_to_buy.check_buy(PURCHASES, title, state, order.actor, order, sold)


def buy(play: Play, order: Buy) -> None:
    """Carry out a checked purchase. It may change the director and launch the company."""
    # rule 4.12, 4.19, 4.22
    title, player, company = play.title, order.actor, order.company
    source = order.source or places(title, play.state, player, order)[0]
    kind = kind_of(title, play.state, order)
    assert kind is not None
    price, number = cost_of(title, play.state, order, source), _number(title, play.state, order)
    play.pay(player, BANK, price, "share", company)
    play.emit(
        CertificatesMoved(company, kind, 1, IPO if source == "ipo" else POOL, player),
        Bought(player, company, number, price, source),
    )
    if order.certificate == "director":
        play.emit(DirectorChanged(company, player))
    else:
        settle_director(play, company, player)
    launch_if_due(play, company)


def purchases(title: Title, state: State, player: PlayerId, sold: SoldBefore) -> Iterator[Buy]:
    """Every legal purchase of a share."""
    for company in state.prices:
        for certificate in (None, "double", "director"):
            for source in ("ipo", "pool"):
                order = Buy(player, company, source, certificate)
                if not check_buy(title, state, order, sold):
                    yield order
