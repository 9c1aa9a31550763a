"""Selling and buying shares, by a player or a company: what may be traded, for how much, and what it moves.

A company sells its shares of others, and those of its own that nobody has bought yet (its Initial Offering). Numbers
are shares. A president's certificate is two; half of it is sold by naming one share less.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from engine.core.checks import Failure
from engine.core.events import Bought, Marked
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, Place
from engine.core.orders import Buy, Order, Sell, SellGroup
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, directors_worth, ordinary_kind
from engine.holders.control import chain_of, count, owner_of
from engine.holders.ledger import shares
from engine.shares import purchase as shares_to_buy
from engine.shares import sale as shares_for_sale
from engine.shares.purchase import PurchaseTerms, SoldBefore, sources
from engine.shares.sale import SaleTerms, director_stays, pay_for_sale
from engine.titles.t1841.names import SOLD
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import forbidden_circle, may_leave
from engine.titles.t1841.stock.limits import (
    Sale,
    check_certificates,
    check_sixty,
    check_sixty_then,
    has_history,
    player_of,
)
from engine.titles.t1841.stock.market import move_together
from engine.titles.t1841.stock.presidency import bound, next_owner, transfer
from engine.titles.t1841.track.regions import apart


def sales_of(order: Order) -> tuple[Sale, ...]:
    """The companies and numbers of shares that an order to sell names."""
    if isinstance(order, SellGroup):
        return order.sales
    assert isinstance(order, Sell), order
    return ((order.company, order.count),)


def place_of(seller: Actor, company: CompanyId) -> Place:
    """The place of the shares that ``seller`` can sell of the company."""
    return TREASURY if seller == company else seller


# ---- selling --------------------------------------------------------------------------------------------------------


def check_sale(
    title: Title, state: State, seller: Actor, sales: Collection[Sale], emergency: bool = False
) -> list[Failure]:
    """Every reason why ``seller`` may not sell these shares as one group. ``emergency``: conditions of normal sales do
    not bind: the company's history, room in the pool, and the need for another president."""
    # rule 8.12, 10.1, 11.1
    failures = list[Failure]()
    named = [company for company, _ in sales]
    for company in dict.fromkeys(c for c in named if named.count(c) > 1):
        failures.append(Failure("sell.named_twice", {"company": company}))
    terms = EMERGENCY if emergency else SALES
    for company, number in sales:
        failures += shares_for_sale.check_sale(terms, title, state, seller, company, number)
    if not failures and not emergency and may_leave(title, state, seller, named):
        deed = partial(sell_group, seller=seller, sales=tuple(sales))
        if circle := forbidden_circle(title, state, deed):
            failures.append(Failure("sell.circle", {"circle": circle}))
    return failures


def _closed(title: Title, state: State, seller: Actor, company: CompanyId) -> Failure | None:
    if company in state.companies and state.companies[company].status == "open":
        return None
    return Failure("sell.not_for_sale", {"company": company})


def _without_history(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
    if not has_history(state, company):  # rule 3.3, 10.2
        yield Failure("sell.not_operated", {"company": company, "own": seller == company})


def _heir(title: Title, state: State, company: CompanyId, owner: Actor, left: int) -> Actor | None:
    """The next president; None if there would be none, or if the seller would still be president."""
    found = next_owner(title, state, company, {owner: left})
    return None if found == owner else found


_nobody_follows = director_stays(_heir)


def _president(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
    """Every reason why the president may not sell so many shares that his certificate goes."""
    if concession := _bound(title, state, seller, company, number):  # rule 5.8
        yield concession
    else:
        yield from _nobody_follows(title, state, seller, company, number)


def _president_in_need(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
    """The same in an emergency. Half of the certificate may be sold if the pool can give a share back for the other
    half."""
    if concession := _bound(title, state, seller, company, number):
        yield concession
        return
    enough = shares(title, state, POOL, company) + number >= directors_worth(title, state, company)
    if not enough and any(_nobody_follows(title, state, seller, company, number)):
        yield Failure("sell.half_president", {"company": company})


def _bound(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Failure | None:
    """The reason against the sale of a president's certificate that stays with its concession."""
    concession = bound(title, state, company)
    most = count(state, seller, company, ordinary_kind(title, state, company))
    if not concession or number <= most or owner_of(title, state, company) != seller:
        return None
    return Failure("sell.concession", {"company": company, "count": number, "most": most, "concession": concession})


EMERGENCY: Final = SaleTerms(closed=_closed, place=place_of, pool_part=None, director=_president_in_need)
"""The terms of sales that raise money for a purchase: conditions of other sales do not bind."""  # rule 8.11
SALES: Final = replace(EMERGENCY, pool_part=2, bars=_without_history, director=_president)
"""The terms of every other sale: at most half of a company may lie in the pool."""  # rule 3.3, 3.4, 3.5


def sell_group(play: Play, seller: Actor, sales: Collection[Sale], half: bool = False, fall: bool = True) -> int:
    """Carry out a checked sale, and return the money. All shares are paid at the prices before it. Then each price
    falls one row a share, the cheapest first and the top of a pile last; under the site's ruling, each sale is paid and
    its price falls in turn. ``half``: sell at half price, the total rounded down once (under the site's ruling, each
    sale up). ``fall``: prices fall."""  # rule 3.6, 3.7, 8.11
    if rulings_of(play.title).sale_falls == "each":
        return sum(_sell_together(play, seller, (sale,), half, fall) for sale in sales)
    return _sell_together(play, seller, tuple(sales), half, fall)


def sell_at_half(play: Play, seller: Actor, sales: Collection[Sale], fall: bool = True) -> int:
    """Carry out a checked sale of an emergency, and return the money."""
    return sell_group(play, seller, sales, half=True, fall=fall)


def _sell_together(play: Play, seller: Actor, sales: tuple[Sale, ...], half: bool, fall: bool) -> int:
    title = play.title
    amounts = proceeds(title, play.state, sales, half)
    for (company, number), amount in zip(sales, amounts, strict=True):
        transfer(play, company, number, place_of(seller, company), POOL)
        pay_for_sale(play, seller, company, number, amount, emergency=half)
    if fall:
        falling = [(c, n) for c, n in sales if _falls(title, play.state, seller, c, n)]
        move_together(play, falling, "down", "sale", top_first=False)
    _remember(play, seller, sales, half)
    return sum(amounts)


def proceeds(title: Title, state: State, sales: Collection[Sale], half: bool = False) -> tuple[int, ...]:
    """The money that each part of a group sale brings."""  # rule 8.11
    full = [title.price(state, company) * number for company, number in sales]
    if not half:
        return tuple(full)
    if rulings_of(title).half_prices == "order_up":
        return tuple((amount + 1) // 2 for amount in full)
    sums = [sum(full[: i + 1]) // 2 for i in range(len(full))]
    return tuple(now - before for now, before in zip(sums, (0, *sums), strict=False))


PROTECTED = {range(11, 16): 2, range(16, 19): 3}
"""Columns of the chart (L to P, Q to S) -> the least sale of shares that moves the price of a protected company."""


def _falls(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> bool:
    """True if the sale moves the price. Under the variant, a small sale of another company's dear stock by a company
    does not."""
    # rule 10.3
    if not rulings_of(title).price_protection or player_of(state, seller) is not None or seller == company:
        return True
    column = title.cell(state, company)[1]
    return number >= next((least for columns, least in PROTECTED.items() if column in columns), 1)


def _remember(play: Play, seller: Actor, sales: tuple[Sale, ...], half: bool) -> None:
    """Note the sales of a company, which may not buy the same stock again in the operating round."""  # rule 10.6
    if player_of(play.state, seller) is not None or (half and rulings_of(play.title).sold_in_round == "financial"):
        return
    marked: frozenset[tuple[Actor, CompanyId]] = play.state.marks.get(SOLD, frozenset())
    play.emit(Marked(SOLD, marked | {(seller, company) for company, _ in sales}))


def list_sales(title: Title, state: State, seller: Actor, emergency: bool = False) -> Iterator[Sale]:
    """Yield every legal sale of shares of one company."""
    for company in state.companies:
        held = shares(title, state, place_of(seller, company), company)
        for number in range(1, held + 1):
            if not check_sale(title, state, seller, ((company, number),), emergency):
                yield company, number


def after_sale(title: Title, state: State, seller: Actor, *sales: Sale) -> State:
    """The position that a legal group of sales leads to."""
    play = Play(title, state)
    sell_group(play, seller, sales)
    return play.state


# ---- buying ---------------------------------------------------------------------------------------------------------


def places(title: Title, state: State, order: Buy) -> tuple[str, ...]:
    """The places where the certificate of the order is for sale: ``treasury`` (the Initial Offering), ``pool``."""
    # rule 3.9, 3.18
    if order.certificate == "director":
        found = count(state, POOL, order.company, director_kind(title, state, order.company))
        return ("pool",) if found else ()
    return sources(title, state, order.company)


def cost_of(title: Title, state: State, order: Buy) -> int:
    """The price of the certificate: the company's share price, or twice that for the president's."""
    # rule 1.8, 3.9, 3.10
    return title.price(state, order.company) * _number(title, state, order)


def _number(title: Title, state: State, order: Buy) -> int:
    return directors_worth(title, state, order.company) if order.certificate == "director" else 1


def _unavailable(title: Title, state: State, buyer: Actor, order: Buy) -> Failure | None:
    if order.company not in state.companies:
        return Failure("buy.not_for_sale", {"company": order.company})
    if (status := state.companies[order.company].status) != "open":
        return Failure("buy.not_started", {"company": order.company, "status": status})
    return None


def _bars(title: Title, state: State, buyer: Actor, order: Buy) -> Iterator[Failure]:
    company = order.company
    if order.certificate == "director" and (concession := bound(title, state, company)):
        yield Failure("buy.concession", {"company": company, "concession": concession})
    yield from _check_company(title, state, buyer, company)


def _limits(title: Title, state: State, buyer: Actor, order: Buy) -> list[Failure]:
    more = _number(title, state, order)
    return check_certificates(title, state, buyer) + check_sixty(title, state, buyer, order.company, more)


PURCHASES: Final = PurchaseTerms(
    closed=_unavailable,
    parts=frozenset({"director"}),
    bars=_bars,
    places=lambda title, state, buyer, order: places(title, state, order),
    price=lambda title, state, order, source: cost_of(title, state, order),
    limits=_limits,
)
"""The terms on which certificates are bought from an Initial Offering or the pool."""  # rule 3.8 to 3.10, 10.4, 11.1


def _is_for_sale(title: Title, state: State, order: Buy) -> bool:
    found = places(title, state, order)
    return bool(found) if order.source is None else order.source in found


def check_buy(title: Title, state: State, buyer: Actor, order: Buy, sold: SoldBefore = ()) -> list[Failure]:
    """Every reason why ``buyer`` may not buy the certificate. ``sold``: the sales for whose sake he may not."""
    # rule 10.6
    failures = shares_to_buy.check_buy(PURCHASES, title, state, buyer, order, sold)
    company = order.company
    possible = {f.check for f in failures} <= {"buy.own_owner"} and _is_for_sale(title, state, order)
    deed = partial(buy, buyer=buyer, order=order)
    if possible:
        failures += check_sixty_then(title, state, buyer, company, deed)
    company_buys = player_of(state, buyer) is None  # a player who gets shares makes no company president
    if possible and company_buys and (circle := forbidden_circle(title, state, deed)):
        failures.append(Failure("buy.circle", {"company": company, "circle": circle}))
    return failures


def _check_company(title: Title, state: State, buyer: Actor, company: CompanyId) -> Iterator[Failure]:
    """Refuse the stock that a company may never buy: its own, that of a company which owns it and, under the variant,
    that of one with tokens beyond an active border."""  # rule 10.5, 10.8
    if player_of(state, buyer) is not None:
        return
    if buyer == company:
        yield Failure("buy.own", {"company": company})
    chain = chain_of(title, state, CompanyId(buyer))
    if company in chain:
        yield Failure("buy.own_owner", {"company": company, "buyer": buyer, "chain": chain})
    if not rulings_of(title).foreign_shares and (abroad := apart(title, state, CompanyId(buyer), company)):
        yield Failure("buy.abroad", {"company": company, "hexes": abroad})


def buy(play: Play, buyer: Actor, order: Buy) -> None:
    """Carry out a checked purchase. The company is paid for its Initial Offering, the bank for the pool."""
    # rule 1.11, 3.9
    title, state, company = play.title, play.state, order.company
    source = order.source or places(title, state, order)[0]
    price, number = cost_of(title, state, order), _number(title, state, order)
    play.pay(buyer, company if source == "treasury" else BANK, price, "share", company)
    play.emit(Bought(buyer, company, number, price, source))
    transfer(play, company, number, TREASURY if source == "treasury" else POOL, buyer)


def list_buys(title: Title, state: State, buyer: Actor, sold: SoldBefore = ()) -> Iterator[Buy]:
    """Yield every legal purchase of a certificate from the Initial Offering or the pool."""
    for company, now in state.companies.items():
        if now.status != "open":
            continue
        shares_of = Buy(buyer, company, "treasury"), Buy(buyer, company, "pool")
        for order in (*shares_of, Buy(buyer, company, "pool", "director")):
            if not check_buy(title, state, buyer, order, sold):
                yield order
