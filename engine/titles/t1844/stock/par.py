"""Purchases of a director's certificate at a par, in a stock round."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.ids import BANK, IPO, Actor, CompanyId, PlayerId
from engine.core.orders import Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind
from engine.holders.control import count
from engine.shares.limits import check_certificates
from engine.shares.purchase import check_sold_before
from engine.titles.t1844.stock.auction import check_par, pars
from engine.titles.t1844.stock.frame import StockRound
from engine.titles.t1844.stock.launches import set_par
from engine.titles.t1844.turn.debts import repay


def list_starts(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """Every legal purchase of a director's certificate."""
    if check_certificates(title, state, actor):
        return
    for data in title.companies.values():
        if _unparred(title, state, data.id) and (actor, data.id) not in frame.sold:
            for price in pars(title):
                if 2 * price <= state.money(actor):
                    yield Exact(Start(actor, data.id, price))


def _unparred(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company's director's certificate can be bought at a par."""
    now = state.companies[company]
    if now.par is not None or now.status != "unstarted" or charter_of(title, state, company).home is None:
        return False
    return bool(count(state, IPO, company, director_kind(title, state, company)))


def check_start(title: Title, state: State, frame: StockRound, order: Start) -> list[Failure]:
    """Every reason why the actor may not buy the director's certificate at this par."""
    company = order.company
    if company not in title.companies or charter_of(title, state, company).home is None:
        return [Failure("par.not_for_sale", {"company": company})]
    now, failures = state.companies[company], list[Failure]()
    if now.par is not None or now.status == "closed":  # rule 4.11
        failures.append(Failure("par.taken", {"company": company}))
    failures += check_par(title, order)
    cost, cash = 2 * order.price, state.money(order.actor)
    if cost > cash:
        failures.append(Failure("start.money", {"cost": cost, "cash": cash}))
    failures += check_sold_before(order.actor, company, frame.sold)
    return failures + check_certificates(title, state, order.actor)


def start(play: Play, order: Start) -> None:
    """Carry out a checked purchase. A debtor repays all he can: he can do nothing else after a par, not even pass."""
    player = PlayerId(order.actor)
    play.pay(player, BANK, 2 * order.price, "share", order.company)
    set_par(play, order.company, player, order.price)
    owed = min(play.state.debt(player), play.state.money(player))
    if owed > 0:
        repay(play, player, owed)
