"""The stock round: first privates, then turns with sales and at most one purchase, until all pass in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from engine.acts.player.act import PlayerAct
from engine.acts.player.sell_shares import SellShares
from engine.acts.player.turns import PlayerTurns, Row
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Buy, Open, Sell, Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.stock.bids import check_bid, list_bids, open_bid, reduce_minimum
from engine.families.f1867.stock.frame import StockRound, end_turn, minimum_of, pass_turn
from engine.families.f1867.stock.public_starts import check_start, list_starts, start
from engine.families.f1867.stock.round_end import end_round
from engine.families.f1867.stock.sales import check_sale, price_of_sale, sales, sell, trading
from engine.families.f1867.stock.starts import may_take_certificate, on_offer
from engine.shares.limits import limit_of, over_limit
from engine.shares.purchase import SHARES, buy, check_buy, sources
from engine.steps.duty_to_sell import Duty, duty_of


def _owes(title: Title, state: State, frame: StockRound) -> Duty | None:
    """The duty to sell certificates over the limit, if it binds. No sale is too small, because the player may sell
    shares of the same company again in this turn."""  # rule 3.15

    def after(before: State, order: Sell) -> State:
        play = Play(title, before)
        sell(play, frame.turn, order, frame.sold_now)
        return play.state

    player = frame.turn
    duty = duty_of(lambda s: over_limit(title, s, player), after, state, lambda: sales(title, state, player))
    return duty if duty.binds else None


def _first(title: Title, state: State, frame: StockRound, owed: Duty) -> Iterator[Failure]:
    yield Failure("stock.over_limit", {"over": owed.lack, "limit": limit_of(title, state)})


def _question(title: Title, state: State, frame: StockRound, actor: Actor) -> tuple[str, tuple[str, ...]]:
    private = on_offer(title, state)
    if private is not None:
        return "auction.open", (private, str(minimum_of(title, frame, private)))
    return "stock.turn", tuple(frame.sold_now)


def _privates_first(title: Title, state: State, frame: StockRound, actor: Actor) -> Failure | None:
    private = on_offer(title, state)  # rule 2.2
    return None if private is None else Failure("open.privates_first", {"private": private})


# ---- sales ----------------------------------------------------------------------------------------------------------


def _sales(title: Title, state: State, frame: StockRound, actor: Actor, owed: object) -> Iterator[Sell]:
    return sales(title, state, actor)


def _check_sale(title: Title, state: State, frame: StockRound, order: Sell) -> list[Failure]:
    return check_sale(title, state, order.actor, order)


def _enough(title: Title, state: State, frame: StockRound, order: Sell, owed: object) -> tuple[Failure, ...]:
    return ()


def _note_sale(title: Title, state: State, frame: StockRound, order: Sell) -> StockRound:
    price = price_of_sale(title, state, order, frame.sold_now)
    sold, sold_now = frame.sold | {(order.actor, order.company)}, {**frame.sold_now, order.company: price}
    return replace(frame, actor=frame.turn, passes=0, led=None, sold=sold, sold_now=sold_now)


def _sell(play: Play, order: Sell) -> None:
    frame = play.state.top
    assert isinstance(frame, StockRound), frame
    sell(play, order.actor, order, frame.sold_now)


# ---- purchases ------------------------------------------------------------------------------------------------------


def _list_buys(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    if may_take_certificate(title, state, frame.turn):
        for company in trading(title, state):
            for source in sources(title, state, company):
                order = Buy(actor, company, "pool" if source == "pool" else "treasury")
                if not check_buy(SHARES, title, state, actor, order, frame.sold):
                    yield Exact(order)


def _check_buy(title: Title, state: State, frame: StockRound, order: Buy) -> list[Failure]:
    return check_buy(SHARES, title, state, order.actor, order, frame.sold)


def _buy(play: Play, order: Buy) -> None:
    buy(play, order.actor, order)


# ---- what follows ---------------------------------------------------------------------------------------------------


def _end(play: Play, frame: StockRound) -> None:
    end_turn(play, frame, frame.turn, frame.turn)


def _passed(play: Play, frame: StockRound, able: Callable[[], bool]) -> None:
    """End the turn with a pass. A turn with a sale is not a pass."""  # rule 3.1
    if frame.sold_now:
        _end(play, frame)
    else:
        pass_turn(play, frame)


def _over(play: Play, frame: StockRound) -> None:
    private = on_offer(play.title, play.state)
    if private is None:
        end_round(play, frame.actor)
    else:
        reduce_minimum(play, frame, private)


def _players(state: State) -> tuple[PlayerId, ...]:
    return state.players


PLAYER_TURNS: Final = PlayerTurns(
    rows=(
        Row(
            SellShares(sales=_sales, check=_check_sale, enough=_enough, notes=_note_sale, do=_sell),
            rule="3.1", bars=_privates_first,
        ),
        Row(
            PlayerAct(name="BuyShare", takes=(Buy,), list=_list_buys, check=_check_buy, do=_buy),
            1, "3.9", _privates_first,
        ),
        Row(
            PlayerAct(name="OpenAuction", takes=(Open,), list=list_bids, check=check_bid, do=open_bid, ends=False),
            1, "4.4",
        ),
        Row(
            PlayerAct(name="StartCompany", takes=(Start,), list=list_starts, check=check_start, do=start),
            1, "3.11", _privates_first,
        ),
    ),
    pass_rule="3.1",
    seated=_players,
    owes=_owes,
    first=_first,
    end=_end,
    passed=_passed,
    over=_over,
    question=_question,
    strange=lambda title, state, frame, ask: _privates_first(title, state, frame, ask.actor),
)  # fmt: skip
