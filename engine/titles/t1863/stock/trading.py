"""Selling and buying shares of majors, by players and companies: the checks and the effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.events import Bought, Shorted
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, Place, PlayerId
from engine.core.orders import Buy, Redeem
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import count, owner_of
from engine.holders.ledger import all_shares_in, shares, shares_over_chain
from engine.shares import purchase as shares_to_buy
from engine.shares import sale as shares_for_sale
from engine.shares.purchase import PurchaseTerms, SoldBefore, sources
from engine.shares.sale import SaleTerms, director_stays, pay_for_sale
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.names import FINAL, ORDINARY, mark
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.circles import circle_refused, closed_by, would_circle
from engine.titles.t1863.stock.limits import by_holder, check_limits
from engine.titles.t1863.stock.market import in_red, in_white, move_price
from engine.titles.t1863.stock.presidency import after_move, move_shares, next_president, successor_of
from engine.titles.t1863.stock.shares import is_major, is_minor, open_pairs, open_short


def _check_traded(title: Title, state: State, company: CompanyId) -> Failure | None:
    """The reason why shares of the company are not traded, or None."""
    if company not in state.companies or state.companies[company].status != "open":
        return Failure("trade.not_in_play", {"company": company})
    if is_minor(title, state, company):
        return Failure("trade.minor", {"company": company})
    if in_red(title, state, company):  # rule 12.64
        return Failure("trade.red", {"company": company})
    return None


# ---- selling ---------------------------------------------------------------------------------------------------------


def _closed(title: Title, state: State, seller: Actor, company: CompanyId) -> Failure | None:
    if seller == company:  # rule 4.28
        return Failure("sell.own", {"company": company})
    return _check_traded(title, state, company)


def _in_liquidation(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
    if player_of(state, seller) is None and in_red(title, state, CompanyId(seller)):
        yield Failure("sell.red", {"company": seller})


def _heir(title: Title, state: State, company: CompanyId, owner: Actor, left: int) -> Actor | None:
    return next_president(title, state, company, {owner: left})


def _circles(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> list[Failure]:
    if owner_of(title, state, company) != seller:
        return []
    deed = partial(sell, seller=seller, company=company, number=number)
    return check_circles(title, state, company, number, seller, POOL, deed)


BREAKING_UP: Final = SaleTerms(closed=_closed, pool_part=None, director=director_stays(_heir))
"""The terms on which a company that ends sells all it can."""
SALES: Final = replace(BREAKING_UP, bars=_in_liquidation, last=_circles)
"""The terms of every other sale. The pool has room for all shares."""  # rule 4.3, 12.11, 12.19, 4.29


def check_sale(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> list[Failure]:
    """Every reason why the seller may not sell ``number`` shares of the company to the pool at once."""
    return shares_for_sale.check_sale(SALES, title, state, seller, company, number)


def check_circles(
    title: Title, state: State, company: CompanyId, number: int, source: Place, target: Place,
    deed: Callable[[Play], object],
) -> list[Failure]:  # fmt: skip
    """Refuse ``deed``, which moves ``number`` shares of the company from ``source`` to ``target``, if it would close
    circles or enlarge one."""  # rule 4.1
    circles = closed_by(title, state, deed) if _may_close(title, state, company, number, source, target) else ()
    if would_circle(title, state, target, company):
        circles = ((CompanyId(target), company),)
    return [circle_refused(title, company, circles)] if circles else []


def _may_close(title: Title, state: State, company: CompanyId, number: int, source: Place, target: Place) -> bool:
    """False if every president stays, so that the move can close no circle except one of the target."""
    if is_minor(title, state, company) or rulings_of(title).circles != "shares":
        return True
    after = after_move(title, state, company, number, source, target)
    return next_president(title, state, company, after) != owner_of(title, state, company)


def list_sales(title: Title, state: State, seller: Actor) -> Iterator[tuple[CompanyId, int]]:
    """Every legal sale to the pool, as a company and a number of shares."""
    held = all_shares_in(title, state, (seller,))
    companies = (company for company in state.prices if held.get(company, 0))
    return shares_for_sale.list_sales(SALES, title, state, seller, companies)


def sell(play: Play, seller: Actor, company: CompanyId, number: int) -> int:
    """Carry out a checked sale and return the money. All shares are sold at the present price, then the price falls."""
    # rule 4.3
    amount = number * play.title.price(play.state, company)
    columns = fall(play.title, play.state, seller, company, number)
    move_shares(play, company, number, seller, POOL)
    pay_for_sale(play, seller, company, number, amount)
    move_price(play, company, -columns, "sale")
    return amount


def fall(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> int:
    """The number of columns that the price falls: two for each share sold by the president, and one for each other
    share. The share with which he loses the presidency counts two."""  # rule 4.3, 12.18, 4.26
    held, columns = shares(title, state, seller, company), 0
    presides = owner_of(title, state, company) == seller
    for left in range(held - 1, held - number - 1, -1):
        columns += 2 if presides else 1
        presides = presides and successor_of(title, state, company, left) is None
    return columns


def to_pool(play: Play, seller: CompanyId) -> dict[CompanyId, int]:
    """Sell everything that a company can sell of its shares of others to the pool. Return the shares that it keeps:
    minors, presidencies that nobody takes over, and shares of companies that are not traded."""
    # rule 7.2, 8.5, 10.2, 12.65, 7.6
    kept: dict[CompanyId, int] = {}
    for company in tuple(play.state.prices):
        legal = shares_for_sale.list_sales(BREAKING_UP, play.title, play.state, seller, (company,))
        if most := max((number for _, number in legal), default=0):
            sell(play, seller, company, most)
        if left := shares(play.title, play.state, seller, company):
            kept[company] = left
    return kept


# ---- buying ----------------------------------------------------------------------------------------------------------


def _closed_to(title: Title, state: State, buyer: Actor, order: Buy) -> Failure | None:
    if (closed := _check_traded(title, state, order.company)) is not None:
        return closed
    return Failure("buy.own", {"company": order.company}) if buyer == order.company else None


def _limits(title: Title, state: State, buyer: Actor, order: Buy) -> list[Failure]:
    company, failures = order.company, check_limits(title, state, buyer, order.company, 1)
    if player_of(state, buyer) is None:
        name = order.source or sources(title, state, company)[0]
        deed = partial(buy, buyer=buyer, company=company, source=name)
        failures += check_circles(title, state, company, 1, POOL if name == "pool" else TREASURY, buyer, deed)
    return failures


PURCHASES: Final = PurchaseTerms(closed=_closed_to, limits=_limits)
"""The terms on which players and companies buy shares from a charter or the pool."""  # rule 4.4, 12.12, 4.27


def check_buy(title: Title, state: State, order: Buy, sold: SoldBefore = ()) -> list[Failure]:
    """Every reason why the actor may not buy a share of the company."""
    return shares_to_buy.check_buy(PURCHASES, title, state, order.actor, order, sold)


def buy(play: Play, buyer: Actor, company: CompanyId, source: str, number: int = 1) -> None:
    """Carry out a checked purchase at the present price. Shares from the charter are paid to the company. Shares from
    the pool are paid to the bank, and the price rises one column for each."""  # rule 4.4, 4.30
    place: Place = TREASURY if source == "treasury" else POOL
    amount = number * play.title.price(play.state, company)
    play.pay(buyer, company if place == TREASURY else BANK, amount, "share", company)
    play.emit(Bought(buyer, company, number, amount, source))
    move_shares(play, company, number, place, buyer)
    if place == POOL:
        move_price(play, company, number, "purchase")


def list_buys(title: Title, state: State, buyer: Actor, sold: SoldBefore = ()) -> Iterator[Buy]:
    """Every legal purchase of a share."""
    for company in state.prices:
        yield from buys_from(title, state, buyer, company, sold)


def buys_from(title: Title, state: State, buyer: Actor, company: CompanyId, sold: SoldBefore = ()) -> Iterator[Buy]:
    """Every legal purchase of a share of one company."""
    orders = (Buy(buyer, company, "treasury"), Buy(buyer, company, "pool"))
    return (order for order in orders if not check_buy(title, state, order, sold))


def check_redeem(title: Title, state: State, company: CompanyId, number: int = 1) -> list[Failure]:
    """Every reason why the company may not buy one of its own shares from the pool."""  # rule 4.4
    if (closed := _check_traded(title, state, company)) is not None:
        return [closed]
    failures = []
    if number != 1:
        failures.append(Failure("redeem.one", {"company": company, "count": number}))
    if not count(state, POOL, company, ORDINARY):
        failures.append(Failure("redeem.none", {"company": company}))
    price, cash = title.price(state, company), state.money(company)
    if cash < price:
        failures.append(Failure("redeem.money", {"company": company, "cost": price, "cash": cash}))
    return failures


def redeem(play: Play, company: CompanyId) -> None:
    """Buy one of the company's own shares from the pool onto its charter. The price rises one column."""
    # rule 4.4, 4.32
    price = play.title.price(play.state, company)
    play.pay(company, BANK, price, "redeem", company)
    play.emit(Bought(company, company, 1, price, "pool"))
    move_shares(play, company, 1, POOL, TREASURY)
    move_price(play, company, 1, "purchase")


def list_redeems(title: Title, state: State, company: CompanyId) -> Iterator[Redeem]:
    """The company's purchase of one of its own shares, if it is legal."""
    if is_major(title, state, company) and not check_redeem(title, state, company):
        yield Redeem(company, 1)


# ---- shorts ----------------------------------------------------------------------------------------------------------


def check_short(title: Title, state: State, player: PlayerId, company: CompanyId, fresh: bool = False) -> list[Failure]:
    """Every reason why the player may not sell a share of the company short. ``fresh``: the company has just been
    converted or merged, so it need not have operated."""  # rule 4.7, 11.1, 12.63, 4.36, 4.37, 11.4
    if company not in state.companies or not is_major(title, state, company):
        return [Failure("short.company", {"company": company})]
    if player_of(state, player) is None:
        return [Failure("short.holder", {"company": player})]
    failures = []
    if mark(state, FINAL, False):
        failures.append(Failure("short.final", {"company": company}))
    if not in_white(title, state, company):
        failures.append(Failure("short.zone", {"company": company}))
    if not fresh and not state.companies[company].operated:
        failures.append(Failure("short.not_operated", {"company": company}))
    chain = not rulings_of(title).short_own_subsidiary
    held = shares_over_chain(title, state, player, company) if chain else shares(title, state, player, company)
    if held:
        facts: dict[str, Fact] = {"company": company, "holders": by_holder(title, state, player, company)}
        failures.append(Failure("short.owns", facts))
    if not open_pairs(state, company):
        failures.append(Failure("short.pair", {"company": company}))
    return failures


def short(play: Play, player: PlayerId, company: CompanyId) -> None:
    """Sell a share short: the bank pays the player, the share goes to the pool, and the price falls one column."""
    # rule 4.7, 4.39
    price = play.title.price(play.state, company)
    play.pay(BANK, player, price, "short", company)
    open_short(play, player, company)
    play.emit(Shorted(player, company, price))
    move_price(play, company, -1, "sale")
