"""Emergency sales: a director's sales to pay for a train that his company must have, and his bankruptcy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.acts.act import Act, Turn, turn_of
from engine.acts.buy_train import price_of
from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Fact, Failure
from engine.core.events import GameOver
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.core.orders import Bankrupt, Order, Sell, Train
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.shares.menu import in_ranges
from engine.titles.t1844.policies import director
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.trade import certificates_for, check_sale, sales, sell
from engine.titles.t1844.turn.trains import (
    check_train,
    most_help,
    must_own,
    offers,
    printed_price_only,
    printed_prices,
)


@dataclass(frozen=True, slots=True)
class HelpSales(Note):
    """``companies``: those whose shares the director has sold in this turn to pay for a train. ``raised``: amount that
    each share of the last sale brought."""

    companies: tuple[CompanyId, ...] = ()
    raised: int = 0


@dataclass(frozen=True, slots=True)
class SellToHelp(Act):
    """Sales of the director's own shares to pay for a train that his company must have."""  # rule 11.5

    takes = (Sell,)
    notes = (HelpSales,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return in_ranges(help_sales(title, state, turn.company, player, turn.note(HelpSales).companies))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Sell)
        sold = turn.note(HelpSales).companies
        play.note(check_help_sale(play.title, play.state, turn.company, player, order, sold))
        if play.failures:
            return
        before = play.state.money(player)
        sell(play, player, order)
        raised = (play.state.money(player) - before) // order.count
        play.become(turn_of(play.state).noting(HelpSales((*sold, order.company), raised)))


@dataclass(frozen=True, slots=True)
class GoBankrupt(Act):
    """Bankruptcy: by a ruling a director who cannot pay for a train ends the game."""  # rule 11.9

    takes = (Bankrupt,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        sold = turn.note(HelpSales).companies
        if must_own(title, state, turn.company) and not check_bankrupt(title, state, turn.company, sold):
            yield Exact(Bankrupt(turn.company))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        sold = turn.note(HelpSales).companies
        play.note(check_bankrupt(play.title, play.state, turn.company, sold))
        if play.failures:
            return
        give_up(play, turn.company, player, sold)
        rows = [(p, play.title.score(play.title, play.state, p)) for p in play.state.players]
        play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), "bankruptcy"))


def check_with_help(title: Title, state: State, turn: Turn, order: Train) -> list[Failure]:
    """Every reason to refuse a purchase, except for missing consent."""
    found = check_train(title, state, turn.company, order)
    return found or check_purpose(title, state, turn.company, order, turn.note(HelpSales).raised)


def list_with_help(title: Title, state: State, turn: Turn) -> Iterator[Choice]:
    """Every legal purchase of a train, with the range of prices where it is negotiable."""
    for order, low, high in offers_after(title, state, turn.company, turn.note(HelpSales).raised):
        yield Exact(order) if low == high else Range(order, "price", low, high)


def check_help_sale(
    title: Title, state: State, company: CompanyId, player: PlayerId, order: Sell, sold: tuple[CompanyId, ...]
) -> list[Failure]:
    """Every reason why the director may not sell shares to pay for a train of the company. ``sold``: companies sold in
    this turn."""  # rule 11.5, 11.6, 11.7
    dearest, cash = most_help(title, state, company), state.money(company)
    if not must_own(title, state, company):
        return [Failure("help.not_obliged", {"company": company})]
    no_need = Failure("help.no_need", {"company": company, "cash": cash, "price": dearest})
    needed = rulings_of(title).emergency_sales == "needed"
    if dearest <= cash and not needed:
        return [no_need]
    failures = check_sale(title, state, player, order, sold, keep_directors=True)
    if needed and not failures:
        missing = dearest - cash - state.money(player)
        if missing <= _but_one(title, state, player, order):
            too_much = Failure("help.too_much", {"company": order.company, "missing": max(0, missing)})
            failures.append(no_need if dearest <= cash else too_much)
    return failures


def _but_one(title: Title, state: State, player: PlayerId, order: Sell) -> int:
    """Proceeds of a legal sale less the present price of its smallest certificate."""
    taken = certificates_for(title, state, player, order)
    assert taken is not None
    smallest = 1 if taken[1] > 0 else 2  # only doubles are sold
    price = _sale_price(title, state, order.company)
    return order.count * price - smallest * title.price(state, order.company)


def _sale_price(title: Title, state: State, company: CompanyId) -> int:
    """Proceeds of each share in a sale of the company."""  # rule 4.5, 4.6
    cell = title.cell(state, company)
    if not state.companies[company].operated:
        cell = title.chart.move(charter_of(title, state, company).kind, cell, "down")
    return title.chart.price(cell)


def least_price(title: Title, state: State, company: CompanyId, order: Train, raised: int) -> int:
    """The least price of a train bought after the director has sold shares for it. ``raised``: amount that each share
    of his last sale brought, 0 if he has sold nothing in this turn."""  # rule 11.13
    player = director(title, state, company)
    if not raised or player is None or not must_own(title, state, company):
        return 0
    cash, both = state.money(company), state.money(company) + state.money(player)
    if rulings_of(title).help_purpose == "short":
        dearest = max(printed_prices(title, state, company), default=0)
        return cash + 1 if dearest > cash else 0  # if not, the treasury has grown and can pay for any train on offer
    if order.source in (None, BANK, POOL) or cash >= title.trains[order.train].cost:
        return 0
    fixed = printed_price_only(title, state, company, CompanyId(order.source or ""))
    return 0 if fixed else both - raised + 1


def check_purpose(title: Title, state: State, company: CompanyId, order: Train, raised: int) -> list[Failure]:
    """The reason why the director's sales of shares do not permit an otherwise legal purchase."""  # rule 11.13
    least, price = least_price(title, state, company, order, raised), price_of(title, order)
    if price >= least:
        return []
    facts: dict[str, Fact] = {"train": order.train, "price": price, "least": least, "cash": state.money(company)}
    return [Failure("help.purpose", facts)]


def offers_after(title: Title, state: State, company: CompanyId, raised: int) -> Iterator[tuple[Train, int, int]]:
    """Every legal purchase, as an order with its least and greatest price."""
    for order, low, high in offers(title, state, company):
        least = max(low, least_price(title, state, company, order, raised))
        if least <= high:
            yield (order if low == high else replace(order, price=least)), least, high


def help_sales(
    title: Title, state: State, company: CompanyId, player: PlayerId, sold: tuple[CompanyId, ...]
) -> Iterator[Sell]:
    """Every legal sale of the director to pay for a train."""
    for order in sales(title, state, player, company, sold, keep_directors=True):
        if not check_help_sale(title, state, company, player, order, sold):
            yield order


def check_bankrupt(title: Title, state: State, company: CompanyId, sold: tuple[CompanyId, ...]) -> list[Failure]:
    """The reasons why a director may not end the game instead of buying a train. ``sold``: companies sold in this turn,
    of which no more can be sold."""  # rule 11.9
    if not rulings_of(title).bankruptcy:
        return [Failure("bankrupt.never", {"company": company})]
    if not must_own(title, state, company):
        return [Failure("help.not_obliged", {"company": company})]
    player = director(title, state, company)
    assert player is not None
    orders = _clearance(title, state, company, player, sold)
    raised = sum(o.count * _sale_price(title, state, o.company) for o in orders)
    funds = state.money(company) + state.money(player) + raised
    prices = printed_prices(title, state, company)
    if not prices or funds >= prices[0]:
        return [Failure("bankrupt.can_pay", {"company": company, "funds": funds, "price": prices[0] if prices else 0})]
    return []


def _clearance(
    title: Title, state: State, company: CompanyId, player: PlayerId, sold: tuple[CompanyId, ...]
) -> list[Sell]:
    """The largest legal sale of the director in each company."""
    most = {o.company: o for o in sales(title, state, player, company, sold, keep_directors=True)}
    return list(most.values())


def give_up(play: Play, company: CompanyId, player: PlayerId, sold: tuple[CompanyId, ...]) -> None:
    """Sell all shares that a bankrupt director can sell and take his cash. He keeps his other shares and his debt."""
    # rule 11.9
    for order in _clearance(play.title, play.state, company, player, sold):
        sell(play, player, order)
    play.pay(player, BANK, play.state.money(player), "bankruptcy")
