"""Emergency money: a company that must buy a train and cannot pay for it sells shares at half price, and so do those
above it, up to the player who controls them.

The levels come in turn: the company's own money and shares, then its owner's, and so on. Money moves down to the
company automatically, as far as the train needs it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn, turn_of
from engine.acts.buy_train import price_of
from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Fact, Failure
from engine.core.ids import BANK, POOL, Actor, CompanyId, PlayerId
from engine.core.orders import Order, Sell, Train
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.charters import directors_worth
from engine.holders.control import chain_of, controller_of, owner_of
from engine.holders.ledger import holders, shares
from engine.shares.menu import in_ranges
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.limits import Sale, player_of
from engine.titles.t1841.stock.presidency import bound, next_owner, transfer
from engine.titles.t1841.stock.trading import check_sale, list_sales, proceeds, sell_at_half
from engine.titles.t1841.turn.queue import look_at_order
from engine.titles.t1841.turn.trains import buy_train, check_train, offers, price_due


@dataclass(frozen=True, slots=True)
class Raised(Note):
    """``sold``: somebody has sold for the train in this turn. ``halves``: sellers to whom half a unit is still due,
    because the total that each raises is rounded down only once."""

    sold: bool = False
    halves: frozenset[Actor] = frozenset()


@dataclass(frozen=True, slots=True)
class Need:
    """The company must pay ``price``. ``seller``: the one who must sell now; None if the money of all who have nothing
    left to sell is enough, or if nobody has anything left. ``missing``: the sum that is lacking when the money of all
    up to the seller is counted; 0 or less if nothing is lacking."""

    price: int
    seller: Actor | None
    missing: int


def levels(title: Title, state: State, company: CompanyId) -> tuple[Actor, ...]:
    """The company and those above it, up to the player."""
    return (company, *chain_of(title, state, company))


def need_of(title: Title, state: State, company: CompanyId) -> Need | None:
    """The emergency of a company that must buy a train; None if it need not buy one, or can pay for it."""  # rule 8.9
    price = price_due(title, state, company)
    return None if price is None else need_for(title, state, company, price)


def need_for(title: Title, state: State, company: CompanyId, price: int) -> Need | None:
    """The emergency of a company that must pay ``price``; None if it can pay."""
    if price <= state.money(company):
        return None
    missing = price
    for level in levels(title, state, company):
        missing -= state.money(level)
        if missing <= 0:
            break
        if next(sales_for(title, state, company, level), None) is not None:
            return Need(price, level, missing)
    return Need(price, None, missing)


def help_now(title: Title, state: State, company: CompanyId) -> int:
    """The money that those above the company add now for the train that it must buy; 0 while somebody must sell
    first."""
    need = need_of(title, state, company)
    return need.price - state.money(company) if need is not None and need.seller is None and need.missing <= 0 else 0


# ---- sales ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SellToRaise(Act):
    """Sell shares at half price for the train that the company must buy. The company sells, or those above it."""

    # rule 8.11, 8.12, 8.13, clarification 1.14, 1.15, 5.6

    takes = (Sell,)
    notes = (Raised,)
    helped = True

    def concerns(self, title: Title, state: State, turn: Turn, order: Order) -> bool:
        return need_of(title, state, turn.company) is not None or order.actor != turn.company

    def helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        return tuple(seller for seller in sellers(title, state, turn) if seller != turn.company)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for seller in sellers(title, state, turn):
            raises = list_raises(title, state, turn, seller)
            yield from in_ranges(Sell(seller, company, number) for company, number in raises)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Sell)
        play.note(check_raise(play.title, play.state, turn, order))
        if not play.failures:
            raise_money(play, turn.company, order)


def sellers(title: Title, state: State, turn: Turn) -> tuple[Actor, ...]:
    """Those who may sell now: one level at a time, in the order of the rules. Under a ruling, all companies of the
    chain while one of them must sell, and the player as long as a train must be bought."""  # rule 8.10
    company, need = turn.company, need_of(title, state, turn.company)
    if rulings_of(title).emergency_order != "free":
        return () if need is None or need.seller is None else (need.seller,)
    if price_due(title, state, company) is None:
        return ()
    players = [level for level in levels(title, state, company) if player_of(state, level)]
    companies_sell = need is not None and need.seller is not None and need.seller not in players
    able = levels(title, state, company) if companies_sell else players
    return tuple(level for level in able if next(sales_for(title, state, company, level), None) is not None)


def sales_for(title: Title, state: State, company: CompanyId, seller: Actor) -> Iterator[Sale]:
    """Yield every sale of one company's shares by which ``seller`` may help ``company``, whatever the sum needed."""
    for sale in list_sales(title, state, seller, emergency=True):
        if keeps_control(title, state, company, seller, sale):
            yield sale


def keeps_control(title: Title, state: State, company: CompanyId, seller: Actor, sale: Sale) -> bool:
    """True if the sale does not change who controls the operating company. Under a ruling, the owners of that company
    and of those above it must stay too, and nobody may then hold more of a company whose president must stay."""
    # rule 8.14, clarification 1.14
    of, number = sale
    chain_kept = rulings_of(title).emergency_presidencies == "chain_kept"
    concession = chain_kept and bound(title, state, of) is not None
    if owner_of(title, state, of) != seller or not (concession or of in levels(title, state, company)):
        return True
    left, pool = shares(title, state, seller, of) - number, shares(title, state, POOL, of)
    if concession:
        others = (shares(title, state, h, of) for h in holders(state, of) if h not in (seller, of))
        return left >= max((directors_worth(title, state, of), *others))
    if next_owner(title, state, of, {seller: left, POOL: pool + number}) == seller:
        return True
    if chain_kept:
        return False
    play = Play(title, state)
    transfer(play, of, number, seller, POOL)
    return controller_of(title, play.state, company) == controller_of(title, state, company)


def check_raise(title: Title, state: State, turn: Turn, order: Sell) -> list[Failure]:
    """Every reason against a sale for the train."""
    company, seller = turn.company, order.actor
    price, need = price_due(title, state, company), need_of(title, state, company)
    if price is None:
        return [Failure("help.not_obliged", {"company": company})]
    able = sellers(title, state, turn)
    if need is None and seller not in able:
        return [Failure("help.no_need", {"company": company, "price": price, "cash": state.money(company)})]
    if seller not in able:  # rule 8.10
        missing = 0 if need is None else need.missing
        return [Failure("help.not_yet", {"company": company, "seller": seller, "now": able, "missing": missing})]
    failures = check_sale_for(title, state, company, order)
    if failures or need is None or rulings_of(title).emergency_order == "free":
        return failures
    return list(_check_among(title, state, turn, order, need, tuple(sales_for(title, state, company, seller))))


def _check_among(
    title: Title, state: State, turn: Turn, order: Sell, need: Need, sales: Collection[Sale]
) -> Iterator[Failure]:
    """Why another sale must come first, or this one must be smaller, given all ``sales`` that the seller could make."""
    yield from _check_order(title, order, sales)
    yield from check_enough(title, state, order, need, turn.note(Raised).halves, sales)


def check_sale_for(title: Title, state: State, company: CompanyId, order: Sell) -> list[Failure]:
    """Why a sale may not be made to help ``company``, whatever the sum needed: the general reasons, or loss of
    control."""
    sale = (order.company, order.count)
    failures = check_sale(title, state, order.actor, (sale,), emergency=True)
    if order.doubles is not None:
        failures.append(Failure("order.no_such_part", {"part": "doubles"}))
    if not failures and not keeps_control(title, state, company, order.actor, sale):
        facts: dict[str, Fact] = {"company": order.company, "operating": company, "seller": order.actor}
        failures.append(Failure("help.control", facts))
    return failures


def _check_order(title: Title, order: Sell, sales: Collection[Sale]) -> Iterator[Failure]:
    """Under a ruling, refuse to sell a company's own shares while it can sell those of others."""
    # rule 8.10, 8.13, clarification 1.15
    seller = order.actor
    if order.company == seller and rulings_of(title).emergency_order == "stock_first":
        others = dict.fromkeys(of for of, _ in sales if of != seller)
        if others:
            yield Failure("help.stock_first", {"seller": seller, "companies": tuple(others)})


def check_enough(
    title: Title, state: State, order: Sell, need: Need, halves: frozenset[Actor], sales: Collection[Sale]
) -> Iterator[Failure]:
    """Why a sale is larger than needed, given all ``sales`` that the seller could make."""  # rule 8.10
    seller = order.actor
    numbers = (n for of, n in sales if of == order.company)
    enough = (n for n in numbers if brings(title, state, seller, ((order.company, n),), halves) >= need.missing)
    least = next(enough, order.count)
    if least < order.count:
        facts: dict[str, Fact] = {
            "company": order.company,
            "count": order.count,
            "missing": need.missing,
            "least": least,
        }
        yield Failure("help.too_much", facts)


def brings(title: Title, state: State, seller: Actor, sales: Collection[Sale], halves: frozenset[Actor]) -> int:
    """The money that sales bring at half price. A half unit still due to the seller makes a second one whole."""
    # clarification 2.22
    amount = sum(proceeds(title, state, sales, half=True))
    return amount + (1 if _odd(title, state, sales) and seller in halves else 0)


def _odd(title: Title, state: State, sales: Collection[Sale]) -> bool:
    return bool(sum(title.price(state, company) * number for company, number in sales) % 2)


def list_raises(title: Title, state: State, turn: Turn, seller: Actor) -> Iterator[Sale]:
    """Yield every legal sale for the train by ``seller``, one of the ``sellers``."""
    need = None if rulings_of(title).emergency_order == "free" else need_of(title, state, turn.company)
    sales = tuple(sales_for(title, state, turn.company, seller))
    for of, number in sales:
        if need is None or not any(_check_among(title, state, turn, Sell(seller, of, number), need, sales)):
            yield of, number


def raise_money(play: Play, company: CompanyId, order: Sell) -> None:
    """Carry out a checked sale. The proceeds move down to the company as far as the train needs them."""
    # rule 8.10, 8.11, clarification 2.22
    title, turn, seller = play.title, turn_of(play.state), order.actor
    halves = sell_half(play, seller, (order.company, order.count), turn.note(Raised).halves)
    look_at_order(play)
    play.become(turn_of(play.state).noting(Raised(True, halves)))
    price = price_due(title, play.state, company)
    if price is not None:
        move_down(play, company, price, seller)


def sell_half(play: Play, seller: Actor, sale: Sale, halves: frozenset[Actor], fall: bool = True) -> frozenset[Actor]:
    """Sell at half price; a second half unit makes a whole one. Return the sellers to whom half a unit is then due."""
    after = halves_after(play.title, play.state, seller, sale, halves)
    sell_at_half(play, seller, (sale,), fall)
    if after < halves:
        play.pay(BANK, seller, 1, "emergency", sale[0])
    return after


def halves_after(title: Title, state: State, seller: Actor, sale: Sale, halves: frozenset[Actor]) -> frozenset[Actor]:
    """The sellers to whom half a unit is due after a sale."""  # rule 8.11, clarification 2.22
    odd = rulings_of(title).half_prices == "total_down" and _odd(title, state, (sale,))
    return halves ^ {seller} if odd else halves


def move_down(play: Play, company: CompanyId, price: int, last: Actor | None = None) -> None:
    """Move the money that the company lacks for ``price`` down from those above it, the nearest first, up to ``last``,
    who has just sold. After a sale that gave the company another owner, others may have to sell before their money and
    that of those above them moves. No money moves if ``last`` is no longer above the company."""
    # rule 8.10
    title = play.title
    above = chain_of(title, play.state, company)
    if last is not None and last not in above:
        return
    in_order = last is not None and rulings_of(title).emergency_order != "free"
    for level in above:
        if in_order and level != last and next(sales_for(title, play.state, company, level), None) is not None:
            return
        amount = min(price - play.state.money(company), play.state.money(level))
        if amount > 0:
            play.pay(level, company, amount, "help")
        if level == last:
            return


# ---- the purchase ---------------------------------------------------------------------------------------------------


def check_with_help(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Every reason against a purchase of a train, consent aside."""
    found = check_train(title, state, turn.company, order, help_now(title, state, turn.company))
    return found or _check_purpose(title, state, turn, order)


def _check_purpose(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Refuse any purchase before that of the train for which money has been raised."""  # rule 8.9
    price = price_due(title, state, turn.company) if turn.note(Raised).sold else None
    if price is None or (order.source in (None, BANK, POOL) and price_of(title, order) == price):
        return []
    return [Failure("help.purpose", {"company": turn.company, "train": order.train, "price": price})]


def list_with_help(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    """Yield every legal purchase of a train."""
    for order, low, high in offers(title, state, turn.company, help_now(title, state, turn.company)):
        if not _check_purpose(title, state, turn, order):
            yield Exact(order) if low == high else Range(order, "price", low, high)


def buy_with_help(play: Play, order: Train) -> None:
    """Carry out a checked and agreed purchase. Those above the company add the money that it lacks."""
    # rule 8.10, 8.15, clarification 2.23
    company, cost = order.actor, price_of(play.title, order)
    move_down(play, company, cost)
    buy_train(play, company, order)
