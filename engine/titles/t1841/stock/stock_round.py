"""The stock round: turns of selling, then at most one purchase or start, until all pass in a row; then prices move.

Only players act. A player over a limit must sell first, as far as he can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.acts.player.sell_shares import SellShares
from engine.acts.player.trade import Trade
from engine.acts.player.turns import PlayerTurns, Row, last_while_idle
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import PriorityMoved
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Buy, BuyConcession, BuyFrom, PrivateSale, Sell, SellGroup, ShareSale, Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1841.auction.trade import (
    buy_concession,
    check_concession,
    list_concessions,
    owner_of_concession,
    running,
    total_cost,
)
from engine.titles.t1841.ending.stalemate import look_for_stalemate
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import begin_founding, check_start, list_starts
from engine.titles.t1841.stock.frame import StockRound, active, next_player
from engine.titles.t1841.stock.limits import Excess, binding, by_holder, certificate_limit, lessened
from engine.titles.t1841.stock.player_trade import buy_from, check_buy_from, list_buys_from
from engine.titles.t1841.stock.round_end import close_stock_round
from engine.titles.t1841.stock.trading import (
    after_sale,
    buy,
    check_buy,
    check_sale,
    cost_of,
    list_buys,
    list_sales,
    sales_of,
    sell_group,
)

Owed = tuple[Excess, ...]
"""The excesses for which the player must sell before anything else."""


def _owes(title: Title, state: State, frame: StockRound) -> Owed:
    # rule 5.13
    sales = partial(list_sales, title, state, frame.turn)
    return binding(title, state, frame.turn, sales, partial(after_sale, title, state, frame.turn))


def _first(title: Title, state: State, frame: StockRound, owed: Owed) -> Iterator[Failure]:
    # rule 5.13
    for excess in owed:
        if excess.what in title.companies:
            company = CompanyId(excess.what)
            held = by_holder(title, state, frame.turn, company)
            yield Failure("stock.over_sixty", {"company": company, "over": excess.over, "holders": held})
        else:
            limit = certificate_limit(title, state, frame.turn)
            yield Failure("stock.over_limit", {"over": excess.over, "limit": limit})


# ---- sales ----------------------------------------------------------------------------------------------------------


def _group_sold(title: Title, frame: StockRound) -> bool:
    """True if the player may sell no more in this turn, because its one group has been sold."""  # rule 3.7
    return frame.group and rulings_of(title).sale_falls == "together"


def _sales(title: Title, state: State, frame: StockRound, actor: Actor, owed: Owed) -> Iterator[Sell]:
    if not owed and _group_sold(title, frame):
        return
    for company, number in list_sales(title, state, actor):
        order = Sell(actor, company, number)
        if not owed or not any(True for _ in _enough(title, state, frame, order, owed)):
            yield order


def _check_sale(title: Title, state: State, frame: StockRound, order: Sell | SellGroup) -> list[Failure]:
    failures = list[Failure]()
    if _group_sold(title, frame) and not _owes(title, state, frame):
        failures.append(Failure("stock.one_group", {"companies": frame.sold_now}))
    return failures + check_sale(title, state, order.actor, sales_of(order))


def _enough(title: Title, state: State, frame: StockRound, order: Sell | SellGroup, owed: Owed) -> Iterator[Failure]:
    """Why a legal sale does not reduce what the player must sell. Under the site's ruling, any sale will do."""
    if owed and rulings_of(title).president_limit != "any":
        after = after_sale(title, state, order.actor, *sales_of(order))
        if not lessened(title, owed, order.actor, after):
            yield from _first(title, state, frame, owed)


def _note_sale(title: Title, state: State, frame: StockRound, order: Sell | SellGroup) -> StockRound:
    companies = tuple(company for company, _ in sales_of(order))
    return replace(
        frame,
        passes=0,
        sold=frame.sold | {(order.actor, c) for c in companies},
        sold_now=(*frame.sold_now, *(c for c in companies if c not in frame.sold_now)),
        group=not _owes(title, state, frame),
        idle=False,
    )


def _sell(play: Play, order: Sell | SellGroup) -> None:
    sell_group(play, order.actor, sales_of(order))


# ---- purchases ------------------------------------------------------------------------------------------------------


def _list_buys(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return map(Exact, list_buys(title, state, actor, frame.sold))


def _check_buy(title: Title, state: State, frame: StockRound, order: Buy) -> list[Failure]:
    return check_buy(title, state, order.actor, order, frame.sold)


def _buy(play: Play, order: Buy) -> None:
    buy(play, order.actor, order)


def _price(title: Title, state: State, order: Buy) -> int | None:
    return cost_of(title, state, order) if order.company in state.prices else None


def _list_starts(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return map(Exact, list_starts(title, state, frame.turn, frame.sold))


def _check_start(title: Title, state: State, frame: StockRound, order: Start) -> list[Failure]:
    return check_start(title, state, frame.turn, order, frame.sold)


def _start(play: Play, order: Start) -> None:
    begin_founding(play, PlayerId(order.actor), order)


# ---- trades with other players --------------------------------------------------------------------------------------


def _asks(title: Title) -> bool:
    """True if the other player is asked. Under the site's ruling, he has agreed before."""
    return rulings_of(title).consent == "asked"


def _list_buys_from(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return list_buys_from(title, state, frame.turn, frame.sold)


def _check_buy_from(title: Title, state: State, frame: StockRound, order: BuyFrom) -> list[Failure]:
    return check_buy_from(title, state, order, frame.sold)


def _seller(title: Title, state: State, order: BuyFrom) -> tuple[PlayerId, ShareSale]:
    return order.seller, ShareSale(order.company, order.count, order.actor, order.price)


def _list_concessions(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return list_concessions(title, state, frame.turn)


def _check_concession(title: Title, state: State, frame: StockRound, order: BuyConcession) -> list[Failure]:
    return check_concession(title, state, order)


def _owner(title: Title, state: State, order: BuyConcession) -> tuple[PlayerId, PrivateSale] | None:
    owner = owner_of_concession(state, order.concession)
    if owner is None:
        return None
    assert order.price is not None
    return owner, PrivateSale(order.concession, order.actor, order.price, running(title, state, order.concession))


def _concession_price(title: Title, state: State, order: BuyConcession) -> int | None:
    return total_cost(title, state, order) if order.concession in state.privates else None


# ---- what follows ---------------------------------------------------------------------------------------------------


def _end(play: Play, frame: StockRound) -> None:
    """End the turn of a player who has bought; the passes in a row are counted anew."""  # rule 3.1, 3.2
    play.become(StockRound(next_player(play.state, frame.turn), 0, frame.sold, idle=False))


def _passed(play: Play, frame: StockRound, able: Callable[[], bool]) -> None:
    """End the player's turn. It is not a pass if he has sold in it."""
    idle, passes = frame.idle and not able(), 0 if frame.sold_now else frame.passes + 1
    play.become(StockRound(next_player(play.state, frame.turn), passes, frame.sold, idle=idle))


def _over(play: Play, frame: StockRound) -> None:
    close_stock_round(play)
    look_for_stalemate(play, frame.idle)
    play.emit(PriorityMoved(frame.turn))
    play.pop()


PLAYER_TURNS: Final = PlayerTurns(
    rows=(
        Row(
            SellShares(
                takes=(Sell, SellGroup), sales=_sales, check=_check_sale, enough=_enough, notes=_note_sale, do=_sell,
            ),
            1, "3.1",
        ),
        Row(
            PlayerAct(name="BuyShare", takes=(Buy,), list=_list_buys, check=_check_buy, do=_buy, price=_price),
            1, "3.9",
        ),
        Row(
            Trade(
                name="BuyFromPlayer", takes=(BuyFrom,), list=_list_buys_from, check=_check_buy_from, do=buy_from,
                price=lambda title, state, order: order.price, partner=_seller, consent=_asks,
            ),
            1, "3.11",
        ),
        Row(
            Trade(
                name="BuyConcession", takes=(BuyConcession,), list=_list_concessions, check=_check_concession,
                do=buy_concession, price=_concession_price, partner=_owner, consent=_asks,
            ),
            1, "3.15",
        ),
        Row(
            PlayerAct(
                name="StartCompany", takes=(Start,), list=_list_starts, check=_check_start, do=_start,
                price=lambda title, state, order: 2 * order.price,
            ),
            1, "4.1",
        ),
    ),
    pass_rule="3.2",
    seated=active,
    owes=_owes,
    first=_first,
    end=_end,
    passed=_passed,
    over=_over,
    stands=last_while_idle(active),
)  # fmt: skip
