"""Selling and buying shares of majors, by players and companies: the checks and the effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.events import Bought, Shorted, Sold
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, Place, PlayerId
from engine.core.orders import Buy, Redeem
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import count, owner_of
from engine.holders.ledger import all_shares_in, holders, shares, shares_over_chain
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.names import FINAL, ORDINARY, mark
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.circles import circle_refused, closed_by, would_circle
from engine.titles.t1863.stock.limits import by_holder, check_limits
from engine.titles.t1863.stock.market import in_red, in_white, move_price
from engine.titles.t1863.stock.presidency import after_move, move_shares, next_president, successor_of
from engine.titles.t1863.stock.shares import is_major, is_minor, open_pairs, open_short

SoldBefore = Collection[tuple[Actor, CompanyId]]
"""Pairs of a seller and a company whose shares it has sold in this round."""
SOURCES: Final = (("treasury", TREASURY), ("pool", POOL))


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


def check_sale(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> list[Failure]:
    """Every reason why the seller may not sell ``number`` shares of the company to the pool at once."""
    # rule 4.3, 12.11, 12.19, 4.29
    failures = _check_goods(title, state, seller, company, number)
    if player_of(state, seller) is None and in_red(title, state, CompanyId(seller)):
        failures.append(Failure("sell.red", {"company": seller}))
    if not failures and owner_of(title, state, company) == seller:
        deed = partial(sell, seller=seller, company=company, number=number)
        failures += check_circles(title, state, company, number, seller, POOL, deed)
    return failures


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


def _check_goods(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> list[Failure]:
    """Every reason against a sale that depends on the shares: their owner, their number and the presidency."""
    # rule 4.28
    if seller == company:
        return [Failure("sell.own", {"company": company})]
    if (closed := _check_traded(title, state, company)) is not None:
        return [closed]
    held = shares(title, state, seller, company)
    if not 1 <= number <= held:
        return [Failure("sell.count", {"company": company, "count": number, "held": held})]
    failures = []
    left = held - number
    if owner_of(title, state, company) == seller and next_president(title, state, company, {seller: left}) is None:
        others = tuple((h, shares(title, state, h, company)) for h in holders(state, company) if h != seller)
        most = count(state, seller, company, ORDINARY)
        facts: dict[str, Fact] = {"company": company, "count": number, "most": most, "others": others}
        failures.append(Failure("sell.director", facts))
    return failures


def list_sales(title: Title, state: State, seller: Actor) -> Iterator[tuple[CompanyId, int]]:
    """Every legal sale to the pool, as a company and a number of shares."""
    held = all_shares_in(title, state, (seller,))
    for company in state.prices:
        for number in range(1, held.get(company, 0) + 1):
            if not check_sale(title, state, seller, company, number):
                yield company, number


def sell(play: Play, seller: Actor, company: CompanyId, number: int) -> int:
    """Carry out a checked sale and return the money. All shares are sold at the present price, then the price falls."""
    # rule 4.3
    amount = number * play.title.price(play.state, company)
    columns = fall(play.title, play.state, seller, company, number)
    move_shares(play, company, number, seller, POOL)
    play.pay(BANK, seller, amount, "sale", company)
    play.emit(Sold(seller, company, number, amount))
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
        held = shares(play.title, play.state, seller, company)
        most = next((n for n in range(held, 0, -1) if not _check_goods(play.title, play.state, seller, company, n)), 0)
        if most:
            sell(play, seller, company, most)
        if left := shares(play.title, play.state, seller, company):
            kept[company] = left
    return kept


# ---- buying ----------------------------------------------------------------------------------------------------------


def sources(state: State, company: CompanyId) -> tuple[str, ...]:
    """The places where a share of the company is for sale: ``treasury`` for its charter, or ``pool``."""
    return tuple(name for name, place in SOURCES if count(state, place, company, ORDINARY))


def check_buy(
    title: Title, state: State, buyer: Actor, company: CompanyId, source: str | None, sold: SoldBefore = ()
) -> list[Failure]:
    """Every reason why the buyer may not buy a share of the company."""  # rule 4.4
    if (closed := _check_traded(title, state, company)) is not None:
        return [closed]
    if buyer == company:
        return [Failure("buy.own", {"company": company})]
    found = sources(state, company)
    if not found or (source is not None and source not in found):
        return [Failure("buy.none_left", {"company": company, "source": source, "left": found})]
    failures = []
    if source is None and len(found) > 1:
        failures.append(Failure("ambiguous.source", {"company": company, "sources": found}))
    price, cash = title.price(state, company), state.money(buyer)
    if cash < price:
        failures.append(Failure("buy.money", {"company": company, "price": price, "cash": cash}))
    failures += check_sold_before(title, state, buyer, company, sold)
    failures += check_limits(title, state, buyer, company, 1)
    if player_of(state, buyer) is None:
        name = source or found[0]
        deed = partial(buy, buyer=buyer, company=company, source=name)
        failures += check_circles(title, state, company, 1, dict(SOURCES)[name], buyer, deed)
    return failures


def check_sold_before(
    title: Title, state: State, buyer: Actor, company: CompanyId, sold: SoldBefore
) -> Iterator[Failure]:
    """Refuse shares of a company that the entity has sold in this round."""
    # rule 4.3, 12.12, 4.27
    if (buyer, company) in sold:
        yield Failure("buy.sold_before", {"company": company, "seller": buyer})


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
        for name, _ in SOURCES:
            if not check_buy(title, state, buyer, company, name, sold):
                yield Buy(buyer, company, "pool" if name == "pool" else "treasury")


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
    if shares_over_chain(title, state, player, company):
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
