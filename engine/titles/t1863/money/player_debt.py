"""Amounts that a player must pay at once, out of turn. He sells shares to pay them, or goes bankrupt."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.agenda import Ask, Menu
from engine.core.events import Reason
from engine.core.ids import CompanyId, Owner, PlayerId
from engine.core.orders import Order, Sell
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.shares.menu import in_ranges
from engine.titles.t1863.money.bankruptcy import go_bankrupt
from engine.titles.t1863.stock.shares import players_in
from engine.titles.t1863.stock.trading import check_sale, list_sales, sell


@dataclass(frozen=True, slots=True)
class PlayerDebt(Frame):
    """``player`` owes ``amount`` to ``payee``, because of ``company``."""

    player: PlayerId
    amount: int
    payee: Owner
    reason: Reason
    company: str = ""


def owe(
    play: Play, player: PlayerId, amount: int, payee: Owner, reason: Reason, company: CompanyId | None = None
) -> None:
    """Let the player pay. If his cash is too little, he must sell shares first, or goes bankrupt. Call this last: it
    may put a frame on top of the agenda."""  # rule 5.4, 7.3
    if play.state.money(player) < amount:
        play.push(PlayerDebt(player, amount, payee, reason, company or ""))
    else:
        play.pay(player, payee, amount, reason, company or "")


class PlayerDebtStep:
    """Asks for sales until the player has the money. Any legal sale is allowed; a player without one is bankrupt."""

    # rule 7.3

    def asked(self, title: Title, state: State, frame: PlayerDebt) -> tuple[Ask, ...]:
        player, cash = frame.player, state.money(frame.player)
        if cash >= frame.amount or player not in players_in(state):
            return ()
        if next(list_sales(title, state, player), None) is None:
            return ()
        about = (str(frame.amount), str(cash), frame.company, frame.reason)
        return (Ask(player, player, "debt.sell", about),)

    def menu(self, title: Title, state: State, frame: PlayerDebt, ask: Ask) -> Menu:
        sales = list_sales(title, state, frame.player)
        return tuple(in_ranges(Sell(frame.player, company, number) for company, number in sales))

    def decide(self, play: Play, frame: PlayerDebt, ask: Ask, order: Order) -> None:
        if not isinstance(order, Sell):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        play.require(order.doubles is None, "order.no_such_part", part="doubles")
        play.note(check_sale(play.title, play.state, frame.player, order.company, order.count))
        if not play.failures:
            sell(play, frame.player, order.company, order.count)

    def advance(self, play: Play, frame: PlayerDebt) -> None:
        player, cash = frame.player, play.state.money(frame.player)
        play.pop()
        play.pay(player, frame.payee, min(cash, frame.amount), frame.reason, frame.company)
        if cash < frame.amount and player in players_in(play.state):
            go_bankrupt(play, player)
