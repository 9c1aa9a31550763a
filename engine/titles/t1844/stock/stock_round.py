"""The stock round: turns with sales and at most one purchase, until all pass in a row; then prices move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.acts.player.sell_shares import SellShares
from engine.acts.player.turns import PlayerTurns, Row
from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.ids import POOL, Actor, PlayerId
from engine.core.orders import Buy, BuyMountain, BuyTunnel, Repay, Sell, Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.ledger import shares
from engine.holders.succession import in_private_hands
from engine.shares.limits import limit_of
from engine.shares.price import move_price
from engine.steps.duty_to_sell import Duty
from engine.titles.t1844.names import FORMATION
from engine.titles.t1844.policies import operating_order
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.auction import seat_anew
from engine.titles.t1844.stock.duties import DEBT, LIMIT, check_duty_sale, duties, enough_sales
from engine.titles.t1844.stock.frame import StockRound, end_turn, is_first
from engine.titles.t1844.stock.papers import (
    buy_mountain,
    buy_tunnel,
    check_mountain,
    check_tunnel,
    list_mountains,
    list_tunnels,
    note_paper,
)
from engine.titles.t1844.stock.par import check_start, list_starts, start
from engine.titles.t1844.stock.trade import buy, check_buy, check_sale, purchases, sell
from engine.titles.t1844.turn.debts import interest, repay, settle_exchange

# ---- duties ---------------------------------------------------------------------------------------------------------


def _owes(title: Title, state: State, frame: StockRound) -> Mapping[str, Duty]:
    """The duties to sell, which come before anything else: certificates over the limit, debt of the exchange."""
    # rule 4.25, 13.12
    return {} if is_first(state) else duties(title, state, frame.turn, frame.sold_now)


def _first(title: Title, state: State, frame: StockRound, owed: Mapping[str, Duty]) -> Iterator[Failure]:
    if LIMIT in owed:  # rule 4.25
        yield Failure("stock.over_limit", {"over": owed[LIMIT].lack, "limit": limit_of(title, state)})
    else:  # rule 13.12
        debt, cash = state.debt(frame.turn, FORMATION), state.money(frame.turn)
        yield Failure("stock.sell_for_debt", {"debt": debt, "cash": cash})


def _sales_before_repayment(title: Title, owed: Mapping[str, Duty]) -> bool:
    """True if a player who must sell cannot even repay debt before."""  # rule 4.25, 13.12
    return rulings_of(title).repayment == "any" or DEBT in owed


# ---- sales ----------------------------------------------------------------------------------------------------------


def _no_sales(title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    return Failure("sell.first_round", {}) if is_first(state) else None  # rule 4.3


def _sales(title: Title, state: State, frame: StockRound, actor: Actor, owed: object) -> Iterator[Sell]:
    return enough_sales(title, state, frame.turn, frame.sold_now)


def _check_sale(title: Title, state: State, frame: StockRound, order: Sell) -> list[Failure]:
    return check_sale(title, state, frame.turn, order, frame.sold_now)


def _check_enough(title: Title, state: State, frame: StockRound, order: Sell, owed: object) -> list[Failure]:
    return check_duty_sale(title, state, frame.turn, order, frame.sold_now)


def _note_sale(title: Title, state: State, frame: StockRound, order: Sell) -> StockRound:
    sold_now = tuple(dict.fromkeys((*frame.sold_now, order.company)))
    return replace(frame, passes=0, sold=frame.sold | {(order.actor, order.company)}, sold_now=sold_now)


def _sell(play: Play, order: Sell) -> None:
    player = PlayerId(order.actor)
    sell(play, player, order)
    settle_exchange(play, player)


# ---- debt -----------------------------------------------------------------------------------------------------------


def _debtor(allowed: tuple[str, ...], title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    """Refuse purchases of a debtor, unless the ruling ``debt_blocks`` is one of those ``allowed``."""  # rule 4.18
    debt = state.debt(frame.turn)
    if debt == 0 or rulings_of(title).debt_blocks in allowed:
        return None
    return Failure("buy.debt", {"debt": debt, "cash": state.money(actor)})


def _list_repayments(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    most = min(state.debt(frame.turn), state.money(actor))
    if most > 0:
        least = most if rulings_of(title).repayment == "all_possible" else 1
        yield Range(Repay(frame.turn, least), "amount", least, most)


def _check_repayment(title: Title, state: State, frame: StockRound, order: Repay) -> Iterator[Failure]:
    owed, cash = state.debt(frame.turn), state.money(order.actor)
    most = min(owed, cash)
    if owed <= 0:
        yield Failure("repay.no_debt", {"player": frame.turn})
        return
    if not 1 <= order.amount <= most:
        yield Failure("repay.amount", {"amount": order.amount, "debt": owed, "cash": cash})
    if rulings_of(title).repayment == "all_possible" and order.amount != most:
        yield Failure("repay.all", {"amount": order.amount, "most": most})


def _repay(play: Play, order: Repay) -> None:
    repay(play, PlayerId(order.actor), order.amount)


# ---- purchases ------------------------------------------------------------------------------------------------------


def _list_buys(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return map(Exact, purchases(title, state, frame.turn, frame.sold))


def _check_buy(title: Title, state: State, frame: StockRound, order: Buy) -> list[Failure]:
    return check_buy(title, state, order, frame.sold)


# ---- what follows ---------------------------------------------------------------------------------------------------


def _passed(play: Play, frame: StockRound, able: Callable[[], bool]) -> None:
    """End the turn with a pass. After a sale in this turn it does not count as a pass."""  # rule 4.2
    end_turn(play, frame, 0 if frame.sold_now else frame.passes + 1)


def _over(play: Play, frame: StockRound) -> None:
    move_market(play)
    interest(play)
    seat_anew(play, richest_first=True)
    play.pop()


def move_market(play: Play) -> None:
    """Raise sold-out companies and lower those with shares in the pool, in operating order."""  # rule 4.27
    for company in operating_order(play.title, play.state):
        if in_private_hands(play.title, play.state, company):
            move_price(play, company, "up", 1, "sold_out")
        elif shares(play.title, play.state, POOL, company):
            move_price(play, company, "left", 1, "pool")


PLAYER_TURNS: Final = PlayerTurns(
    rows=(
        Row(
            SellShares(sales=_sales, check=_check_sale, enough=_check_enough, notes=_note_sale, do=_sell, doubles=True),
            rule="4.2",
            bars=_no_sales,
        ),
        Row(
            PlayerAct(
                name="RepayDebt", takes=(Repay,), list=_list_repayments, check=_check_repayment, do=_repay,
                ends=False, waits=_sales_before_repayment,
            ),
            rule="11.11",
        ),
        Row(
            PlayerAct(name="BuyShare", takes=(Buy,), list=_list_buys, check=_check_buy, do=buy),
            1, "4.12", partial(_debtor, ()),
        ),
        Row(
            PlayerAct(
                name="BuyMountain", takes=(BuyMountain,), list=list_mountains, check=check_mountain,
                notes=note_paper, do=buy_mountain,
            ),
            1, "4.14", partial(_debtor, ("shares",)),
        ),
        Row(
            PlayerAct(
                name="BuyTunnel", takes=(BuyTunnel,), list=list_tunnels, check=check_tunnel,
                notes=note_paper, do=buy_tunnel,
            ),
            1, "4.14", partial(_debtor, ("shares",)),
        ),
        Row(
            PlayerAct(name="StartCompany", takes=(Start,), list=list_starts, check=check_start, do=start),
            1, "4.11", partial(_debtor, ("not_par",)),
        ),
    ),
    pass_rule="4.2",
    seated=lambda state: state.players,
    owes=_owes,
    first=_first,
    end=end_turn,
    passed=_passed,
    over=_over,
)  # fmt: skip
