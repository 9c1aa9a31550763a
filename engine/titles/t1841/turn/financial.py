"""The financial step: a company sells shares, then buys one certificate or starts a company."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from engine.acts.act import Act, Turn, turn_of
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Buy, Order, Sell, SellGroup, Start
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.control import chain_of
from engine.shares.menu import in_ranges
from engine.shares.purchase import SoldBefore
from engine.titles.t1841.names import SOLD
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import begin_founding, check_start, list_starts
from engine.titles.t1841.stock.limits import Excess, binding, by_holder, lessened
from engine.titles.t1841.stock.trading import (
    after_sale,
    buy,
    check_buy,
    check_sale,
    cost_of,
    list_buys,
    list_sales,
    places,
    sales_of,
    sell_group,
)
from engine.titles.t1841.turn.queue import look_at_order

MERGE: Final = "merge"
"""The stage that follows the purchase of a certificate or the start of a company."""


@dataclass(frozen=True, slots=True)
class SoldGroup(Note):
    """A note that the company has sold in its financial step."""

    done: bool = False


@dataclass(frozen=True, slots=True)
class SellShares(Act):
    """Sell certificates of other companies and own stock, at the full price, into the treasury."""

    # rule 10.1, clarification 2.2

    takes = (Sell, SellGroup)
    notes = (SoldGroup,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        legal = (
            (of, number)
            for of, number in list_sales(title, state, turn.company)
            if not check_financial_sale(title, state, turn, Sell(turn.company, of, number))
        )
        yield from in_ranges(Sell(turn.company, of, number) for of, number in legal)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Sell | SellGroup)
        play.note(check_financial_sale(play.title, play.state, turn, order))
        if not play.failures:
            sell_group(play, turn.company, sales_of(order))
            look_at_order(play)
            play.become(turn_of(play.state).noting(SoldGroup(True)))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """Refuse to go on while the company has shares over a limit that legal sales can reduce."""
        # rule 5.13, clarification 1.7, 2.10, 2.12
        excess = next(iter(must_sell(title, state, turn.company)), None)
        return None if excess is None else _must_sell_first(title, state, turn.company, excess)


def must_sell(title: Title, state: State, company: CompanyId) -> tuple[Excess, ...]:
    """The excesses for which the company must sell: too many certificates, shares of a company of which its controller
    has over 60 % or, under a ruling, shares of its owners. The company is excused if no sale helps."""
    # rule 5.14, 5.15, 10.5, clarification 2.12
    legal = partial(list_sales, title, state, company)
    return binding(title, state, company, legal, partial(after_sale, title, state, company))


def check_financial_sale(title: Title, state: State, turn: Turn, order: Sell | SellGroup) -> list[Failure]:
    """Every reason against a sale in the financial step."""  # rule 10.1, 10.2
    company, failures = turn.company, list[Failure]()
    sales = sales_of(order)
    if isinstance(order, Sell) and order.doubles is not None:
        failures.append(Failure("order.no_such_part", {"part": "doubles"}))
    duty = must_sell(title, state, company)
    if turn.note(SoldGroup).done and not duty and rulings_of(title).sale_falls == "together":
        failures.append(Failure("sell.one_group", {"company": company}))
    failures += check_sale(title, state, company, sales)
    if not duty or failures or rulings_of(title).president_limit == "any":
        return failures
    after = after_sale(title, state, company, *sales)
    return [] if lessened(title, duty, company, after) else [_must_sell_first(title, state, company, duty[0])]


def _must_sell_first(title: Title, state: State, company: CompanyId, excess: Excess) -> Failure:
    """The failure that names the sales due before the company goes on."""
    if excess.what not in title.companies:
        return Failure("turn.over_certificates", {"company": company, "over": excess.over, "limit": excess.limit})
    of = CompanyId(excess.what)
    if not excess.limit:
        chain = chain_of(title, state, company)
        return Failure("turn.owners_stock", {"company": company, "of": of, "held": excess.over, "chain": chain})
    facts: dict[str, Fact] = {
        "company": company,
        "of": of,
        "over": excess.over,
        "holders": by_holder(title, state, company, of),
    }
    return Failure("turn.over_sixty", facts)


def sold_before(state: State) -> SoldBefore:
    """Pairs of a seller and a company whose shares it has sold in this operating round."""
    # rule 10.6, clarification 3.5
    found: SoldBefore = state.marks.get(SOLD, frozenset())
    return found


@dataclass(frozen=True, slots=True)
class BuyShare(Act):
    """Buy one certificate from an Initial Offering or the pool."""  # rule 10.4, clarification 1.21

    takes = (Buy,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield from map(Exact, list_buys(title, state, turn.company, sold_before(state)))

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Buy)
        known = order.company in state.prices and places(title, state, order)
        return cost_of(title, state, order) if known else None

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Buy)
        title, state = play.title, play.state
        play.note(check_buy(title, state, turn.company, order, sold_before(state)))
        if not play.failures:
            play.become(replace(turn, stage=MERGE))
            buy(play, turn.company, order)


@dataclass(frozen=True, slots=True)
class StartCompany(Act):
    """Start another company instead of buying a certificate. The new company operates from the next round on."""

    # rule 10.9

    takes = (Start,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for order in list_starts(title, state, turn.company, sold_before(state)):
            yield Exact(order)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Start)
        return 2 * order.price

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Start)
        play.note(check_start(play.title, play.state, turn.company, order, sold_before(play.state)))
        if not play.failures:
            play.become(replace(turn, stage=MERGE))
            begin_founding(play, turn.company, order)
