"""The stock round: turns of players, in which each acts for himself or for one company that he controls.

A player who buys, takes shares or starts a company ends his turn with it. A company may take or repay loans before
that. A turn in which it does nothing else counts as a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.acts.player.sell_shares import SellShares
from engine.acts.player.turns import PlayerTurns, Row, last_while_idle
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.ids import Actor, CompanyId
from engine.core.orders import Buy, Redeem, Sell, Short, Start, Transfer
from engine.core.state import State
from engine.core.title import Play, Title
from engine.shares.purchase import sources
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.money.crisis import settle_bill
from engine.titles.t1863.money.stock_loans import BORROW, PAY_MARKERS, REPAY
from engine.titles.t1863.privates.clink import LAY_CLINK
from engine.titles.t1863.stock.frame import StockRound, next_turn
from engine.titles.t1863.stock.limits import Excess
from engine.titles.t1863.stock.markers_due import all_due
from engine.titles.t1863.stock.round_end import close_stock_round
from engine.titles.t1863.stock.sell_down import duties, forced_sales, lessens, must_sell, sellers
from engine.titles.t1863.stock.shares import players_in, seats_from
from engine.titles.t1863.stock.start_right import begin_start, check_start, list_starts
from engine.titles.t1863.stock.subsidiaries import check_transfer, list_transfers, transfer, transfer_cost
from engine.titles.t1863.stock.trading import (
    buy,
    check_buy,
    check_redeem,
    check_sale,
    check_short,
    list_buys,
    list_redeems,
    list_sales,
    redeem,
    sell,
    short,
)

Owed = Sequence[Excess]
"""The holdings over a limit for which the player must sell first."""


def begin_stock_round(play: Play) -> None:
    """Put a stock round on the agenda. The player with priority begins, or the next player if he is bankrupt."""
    # rule 4.9
    play.push(StockRound(seats_from(play.state, play.state.priority)[0]))


def _owes(title: Title, state: State, frame: StockRound) -> Owed:
    return duties(title, state, frame.turn)


def _first(title: Title, state: State, frame: StockRound, owed: Owed) -> list[Failure]:
    return must_sell(owed)


# ---- who acts in a turn ---------------------------------------------------------------------------------------------


def _another_acts(title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    """Refuse an order for another entity than the one for which the player acts in this turn."""  # rule 4.10
    if frame.entity in (None, actor):
        return None
    return Failure("stock.wrong_actor", {"acts": frame.entity, "actor": actor})


def _of_company(title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    if player_of(state, actor) is not None:
        return Failure("order.wrong_kind", {"asked": "stock.turn"})
    return _another_acts(title, state, frame, actor)


def _of_player(title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    if player_of(state, actor) is None:
        return Failure("order.wrong_kind", {"asked": "stock.turn.for"})
    return _another_acts(title, state, frame, actor)


# ---- sales ----------------------------------------------------------------------------------------------------------


def _sales(title: Title, state: State, frame: StockRound, actor: Actor, owed: Owed) -> Iterator[Sell]:
    if owed:
        found = forced_sales(title, state, frame.turn, actor, owed)
    elif any(True for _ in _untimely_sale(title, state, frame, actor)):
        return
    else:
        found = list_sales(title, state, actor)
    for company, number in found:
        yield Sell(actor, company, number)


def _untimely_sale(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Failure]:
    """Every reason why the actor may not sell now of his own accord."""
    if (other := _another_acts(title, state, frame, actor)) is not None:
        yield other
    if frame.shorted:
        yield Failure("stock.order", {})


def _check_sale(title: Title, state: State, frame: StockRound, order: Sell) -> list[Failure]:
    """Every reason against a sale. A forced sale may be made for any entity of the player."""
    forced = duties(title, state, frame.turn)
    failures = [] if forced else list(_untimely_sale(title, state, frame, order.actor))
    return failures + check_sale(title, state, order.actor, order.company, order.count)


def _enough(title: Title, state: State, frame: StockRound, order: Sell, owed: Owed) -> list[Failure]:
    sale = order.actor, order.company, order.count
    return must_sell(owed) if owed and not lessens(title, state, frame.turn, owed, sale) else []


def _note_sale(title: Title, state: State, frame: StockRound, order: Sell | Short) -> StockRound:
    """The frame after a sale. A forced sale does not decide for which entity the player acts."""
    company = order.company
    now = frame.sold_now if company in frame.sold_now else (*frame.sold_now, company)
    entity = frame.entity if duties(title, state, frame.turn) else order.actor
    sold = frame.sold | {(order.actor, company)}
    return replace(frame, passes=0, sold=sold, sold_now=now, acted=True, entity=entity)


def _sell(play: Play, order: Sell) -> None:
    sell(play, order.actor, order.company, order.count)


def _list_shorts(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    player = player_of(state, actor)
    if player is not None and not frame.shorted:
        yield from (Exact(Short(player, c)) for c in state.prices if not check_short(title, state, player, c))


def _check_short(title: Title, state: State, frame: StockRound, order: Short) -> list[Failure]:
    # rule 4.7, 12.59, 4.11
    again = [Failure("short.again", {})] if frame.shorted else []
    return again + check_short(title, state, order.actor, order.company)


def _note_short(title: Title, state: State, frame: StockRound, order: Short) -> StockRound:
    """The frame after a short. A purchase may follow, as after a sale."""
    return replace(_note_sale(title, state, frame, order), shorted=True)


def _short(play: Play, order: Short) -> None:
    short(play, order.actor, order.company)


# ---- purchases ------------------------------------------------------------------------------------------------------


def _list_buys(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return map(Exact, list_buys(title, state, actor, frame.sold))


def _check_buy(title: Title, state: State, frame: StockRound, order: Buy) -> list[Failure]:
    return check_buy(title, state, order, frame.sold)


def _buy(play: Play, order: Buy) -> None:
    source = order.source or sources(play.title, play.state, order.company)[0]
    buy(play, order.actor, order.company, source)


def _price(title: Title, state: State, order: Buy | Redeem) -> int | None:
    company = order.company if isinstance(order, Buy) else order.actor
    return title.price(state, company) if company in state.prices else None


def _list_redeems(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    return map(Exact, list_redeems(title, state, CompanyId(actor)))


def _check_redeem(title: Title, state: State, frame: StockRound, order: Redeem) -> list[Failure]:
    return check_redeem(title, state, order.actor, order.count)


def _redeem(play: Play, order: Redeem) -> None:
    redeem(play, order.actor)


def _list_transfers(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    player = player_of(state, actor)
    return iter(()) if player is None else list_transfers(title, state, player, frame.sold)


def _check_transfer(title: Title, state: State, frame: StockRound, order: Transfer) -> list[Failure]:
    return check_transfer(title, state, order, frame.sold)


def _note_transfer(title: Title, state: State, frame: StockRound, order: Transfer) -> StockRound:
    return replace(frame, sold=frame.sold | {(order.source, order.company)})


def _transfer_price(title: Title, state: State, order: Transfer) -> int | None:
    return transfer_cost(title, state, order) if order.company in state.prices else None


def _list_starts(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """Starts of companies. A company that founds another is named when the right is won."""
    if player_of(state, actor) is not None or frame.entity == actor:
        yield from list_starts(title, state, frame.turn, actor)


def _check_start(title: Title, state: State, frame: StockRound, order: Start) -> list[Failure]:
    return check_start(title, state, frame.turn, order)


def _start(play: Play, order: Start) -> None:
    player = decider_of(play.title, play.state, order.actor)
    assert player is not None, order
    begin_start(play, player, order)


# ---- what follows ---------------------------------------------------------------------------------------------------


def _end(play: Play, frame: StockRound) -> None:
    next_turn(play, frame, acted=True)


def _passed(play: Play, frame: StockRound, able: Callable[[], bool]) -> None:
    """End the turn. It counts as a pass only if nothing except loans was done in it."""  # rule 12.62
    next_turn(play, frame, frame.acted, idle=not able())


def _over(play: Play, frame: StockRound) -> None:
    company = next(iter(all_due(play.state)), None)
    if company is not None:
        settle_bill(play, company, "markers")
        return
    close_stock_round(play, frame.last)
    play.pop()


PLAYER_TURNS: Final = PlayerTurns(
    rows=(
        Row(LAY_CLINK, rule="9.13"),
        Row(SellShares(sales=_sales, check=_check_sale, enough=_enough, notes=_note_sale, do=_sell), rule="4.3"),
        Row(
            PlayerAct(
                name="RedeemShare", takes=(Redeem,), list=_list_redeems, check=_check_redeem, do=_redeem, price=_price,
            ),
            1, "4.4", _of_company,
        ),
        Row(BORROW, rule="4.6", bars=_another_acts),
        Row(REPAY, rule="4.6", bars=_another_acts),
        Row(PAY_MARKERS, rule="4.6", bars=_of_company),
        Row(
            PlayerAct(
                name="SellShort", takes=(Short,), list=_list_shorts, check=_check_short, do=_short,
                ends=False, notes=_note_short,
            ),
            1, "4.7", _another_acts,
        ),
        Row(
            PlayerAct(name="BuyShare", takes=(Buy,), list=_list_buys, check=_check_buy, do=_buy, price=_price),
            1, "4.4", _another_acts,
        ),
        Row(
            PlayerAct(
                name="TakeShares", takes=(Transfer,), list=_list_transfers, check=_check_transfer, do=transfer,
                notes=_note_transfer, price=_transfer_price,
            ),
            1, "4.5", _of_player,
        ),
        Row(
            PlayerAct(name="StartCompany", takes=(Start,), list=_list_starts, check=_check_start, do=_start),
            1, "4.2", _another_acts,
        ),
    ),
    pass_rule="4.9",
    seated=players_in,
    owes=_owes,
    first=_first,
    end=_end,
    passed=_passed,
    over=_over,
    actors=sellers,
    stands=last_while_idle(players_in),
)  # fmt: skip
