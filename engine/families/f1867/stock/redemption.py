"""Redemption: a public company buys its own shares back from the pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Range
from engine.core.checks import Failure
from engine.core.events import CertificatesMoved
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, PlayerId
from engine.core.orders import Order, Redeem
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.names import PUBLIC
from engine.holders.charters import charter_of, ordinary_kind
from engine.holders.ledger import shares


@dataclass(frozen=True, slots=True)
class RedeemShares(Act):
    """Move shares from the pool to the treasury at the current price. Loans may not be taken for it."""  # rule 6.4

    takes = (Redeem,)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        return (
            None if charter_of(title, state, company).kind == PUBLIC else Failure("redeem.kind", {"company": company})
        )

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        company = turn.company
        most = min(shares(title, state, POOL, company), state.money(company) // title.price(state, company))
        if most:
            yield Range(Redeem(company, 1), "count", 1, most)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Redeem)
        return order.count * title.price(state, turn.company)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Redeem)
        title, state, company = play.title, play.state, turn.company
        pool, price, cash = shares(title, state, POOL, company), title.price(state, company), state.money(company)
        play.require(order.count >= 1, "redeem.none", count=order.count)
        play.require(order.count <= pool, "redeem.not_in_pool", count=order.count, pool=pool)
        play.require(order.count * price <= cash, "redeem.money", cost=order.count * price, cash=cash)
        if play.failures:
            return
        play.pay(company, BANK, order.count * price, "redeem", company)
        play.emit(CertificatesMoved(company, ordinary_kind(title, state, company), order.count, POOL, TREASURY))
