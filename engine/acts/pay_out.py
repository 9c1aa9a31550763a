"""Dividends: the director's choice of how to use the earnings, and the payments that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.acts.act import Act, Turn
from engine.acts.run_trains import Earned
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.ids import BANK, TREASURY, CompanyId, PlayerId
from engine.core.orders import Order, Pay
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.ledger import dividend_shares, holders, shares

PAY: Final = "pay"
"""The stage in which the company has run and its director decides how to use the earnings."""


@dataclass(frozen=True, slots=True)
class PayOut(Act):
    """Paying dividends. ``ways``: the ways of paying that the title allows. ``kinds``: the kinds of company whose
    directors choose; empty means all. ``pay``: carries out the choice, with its effects."""

    ways: tuple[str, ...]
    pay: Callable[[Play, Turn, Pay], None]
    kinds: tuple[str, ...] = ()

    takes = (Pay,)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        if not self.kinds or charter_of(title, state, company).kind in self.kinds:
            return None
        return Failure("pay.kind", {"company": company})

    def early(self, title: Title, state: State, turn: Turn) -> Failure | None:
        return Failure("pay.nothing_run", {"company": turn.company})

    def late(self, title: Title, state: State, turn: Turn, stage: str) -> Failure:
        if turn.note(Earned).revenue == 0:
            return Failure("pay.nothing_earned", {"company": turn.company})
        return Act.late(self, title, state, turn, stage)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for way in ("full", "half", "none"):
            if way in self.ways:
                yield Exact(Pay(turn.company, way))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Pay)
        if play.require(order.kind in self.ways, "pay.half", company=turn.company):
            self.pay(play, turn, order)

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        revenue = turn.note(Earned).revenue
        if turn.stage != PAY or not revenue:
            return None
        return Failure("turn.pay_first", {"company": turn.company, "revenue": revenue, "ways": self.ways})


def pay_shares(play: Play, company: CompanyId, per_share: int) -> None:
    """Pay a dividend to every holder, player or company, and to the company itself for shares in its treasury; nothing
    is paid for shares in the pool. A holder with a negative number of dividend shares (shorts) pays the bank."""
    for holder in holders(play.state, company):
        amount = dividend_shares(play.title, play.state, holder, company) * per_share
        payer, payee = (BANK, holder) if amount >= 0 else (holder, BANK)
        play.pay(payer, payee, abs(amount), "dividend", company)
    own = shares(play.title, play.state, TREASURY, company)
    play.pay(BANK, company, own * per_share, "dividend", company)
