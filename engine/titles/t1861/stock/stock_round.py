"""The stock round: first privates, then turns with sales and at most one purchase, until all pass in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.events import (
    MarkerPlaced,
    MinimumReduced,
    Opened,
    Passed,
    PrivateMoved,
    Won,
)
from engine.core.ids import BANK, CompanyId, PlayerId, PrivateId
from engine.core.orders import Buy, Open, Order, Pass, Sell, Start
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, of_kind
from engine.holders.ledger import counted
from engine.holders.succession import from_left_of
from engine.steps.auction import Auction, open_auction
from engine.steps.duty_to_sell import Duty, duty_of
from engine.steps.trade_shares import buy, check_buy, check_certificates, limit_of, sources
from engine.titles.t1861.names import MINOR, NIKOLAEV, PUBLIC
from engine.titles.t1861.rulings import rulings_of
from engine.titles.t1861.stock.round_end import end_round
from engine.titles.t1861.stock.sales import check_sale, offered_sales, sales, sell, trading
from engine.titles.t1861.stock.starts import (
    PUBLIC_START_MARKS,
    may_take_certificate,
    offered_minors,
    on_offer,
    over_limit,
    start_minor,
    start_public,
)
from engine.titles.t1861.turn.first_marker import check_first_marker, first_marker_city, first_marker_spaces

STEP = 5
"""Bids are multiples of this amount, and minimum bids fall by it."""
MINOR_MINIMUM = 100


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: number of passes in a row. ``led``: the player who passed first in this
    row. ``actor``: the player who last bought or sold. ``sold``: players and the companies they sold in this round.
    ``sold_now``: companies sold in this turn, with the price. ``minimum``: least bid for the next private, where passes
    have reduced it."""

    turn: PlayerId
    passes: int = 0
    led: PlayerId | None = None
    actor: PlayerId | None = None
    sold: frozenset[tuple[PlayerId, CompanyId]] = frozenset()
    sold_now: dict[CompanyId, int] = field(default_factory=dict)
    minimum: int | None = None


def minimum_of(title: Title, frame: StockRound, private: PrivateId) -> int:
    return title.privates[private].minimum if frame.minimum is None else frame.minimum


class StockRoundStep:
    """Asks the player on turn and carries out his orders."""

    def asked(self, title: Title, state: State, frame: StockRound) -> tuple[Ask, ...]:
        if frame.passes >= len(state.players) or not self._has_choice(title, state, frame):
            return ()
        private = on_offer(title, state)
        if private is not None:
            about = (private, str(minimum_of(title, frame, private)))
            return (Ask(frame.turn, frame.turn, "auction.open", about),)
        return (Ask(frame.turn, frame.turn, "stock.turn", tuple(frame.sold_now)),)

    def _has_choice(self, title: Title, state: State, frame: StockRound) -> bool:
        """True if the player on turn can do anything but pass."""
        return next(self._choices(title, state, frame, frame.turn), None) is not None

    def menu(self, title: Title, state: State, frame: StockRound, ask: Ask) -> Menu:
        found = tuple(self._choices(title, state, frame, ask.player))
        if self._duty(title, state, frame, ask.player).binds:  # rule 3.15
            return tuple(c for c in found if isinstance(c.order, Sell))
        return (*found, Exact(Pass(ask.player)))

    def _choices(self, title: Title, state: State, frame: StockRound, player: PlayerId) -> Iterator[Choice]:
        cash = state.money(player)
        private = on_offer(title, state)
        if private is not None:
            low = minimum_of(title, frame, private)
            if self._dutch(title, frame):
                if cash >= low and may_take_certificate(title, state, player):
                    yield Exact(Open(player, private, low))
            elif cash >= low and may_take_certificate(title, state, player):
                yield Range(Open(player, private, low), "amount", low, low + (cash - low) // STEP * STEP, STEP)
            return
        yield from offered_sales(title, state, player)
        if over_limit(title, state, player):
            return
        if may_take_certificate(title, state, player):
            yield from self._purchases(title, state, frame, player, cash)

    def _purchases(
        self, title: Title, state: State, frame: StockRound, player: PlayerId, cash: int
    ) -> Iterator[Choice]:
        for company in trading(title, state):
            for source in sources(title, state, company):
                order = Buy(player, company, "pool" if source == "pool" else "treasury")
                if not check_buy(title, state, player, order, frame.sold):
                    yield Exact(order)
        if cash >= MINOR_MINIMUM:
            for minor in offered_minors(title, state):
                high = MINOR_MINIMUM + (cash - MINOR_MINIMUM) // STEP * STEP
                yield Range(Open(player, minor, MINOR_MINIMUM), "amount", MINOR_MINIMUM, high, STEP)
        cells = [c for c in title.chart.cells_marked(*PUBLIC_START_MARKS) if 2 * title.chart.price(c) <= cash]
        if cells and title.reached(state, "4"):
            yield from self._starts(title, state, player, [title.chart.price(c) for c in cells])

    def _starts(self, title: Title, state: State, player: PlayerId, prices: list[int]) -> Iterator[Choice]:
        for data in map(title.companies.__getitem__, of_kind(title, state, PUBLIC)):
            if state.companies[data.id].status == "unstarted":
                for space in first_marker_spaces(title, state, data.id):
                    for price in prices:
                        yield Exact(Start(player, data.id, price, space))

    def _dutch(self, title: Title, frame: StockRound) -> bool:
        return rulings_of(title).reduced_private == "dutch" and frame.minimum is not None

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: StockRound, ask: Ask, order: Order) -> None:
        player = ask.player
        private = on_offer(play.title, play.state)
        if private is not None and not isinstance(order, Open | Pass):
            play.refuse("open.privates_first", private=private)
            return
        match order:
            case Open():
                self._open(play, frame, player, order, private)
            case Pass():
                self._pass(play, frame, player)
            case Sell():
                self._sell(play, frame, player, order)
            case Buy():
                play.note(check_buy(play.title, play.state, player, order, frame.sold))
                self._require_within_limit(play, frame, player)
                if not play.failures:
                    buy(play, player, order)
                    self._end_turn(play, frame, player, player)
            case Start():
                self._start(play, frame, player, order)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _require_within_limit(self, play: Play, frame: StockRound, player: PlayerId) -> None:
        duty = self._duty(play.title, play.state, frame, player)
        if duty.binds:
            play.refuse("stock.over_limit", over=duty.lack, limit=limit_of(play.title, play.state))

    def _duty(self, title: Title, state: State, frame: StockRound, player: PlayerId) -> Duty:
        """The duty to sell certificates over the limit, which comes before anything else. No sale is too small, because
        the player may sell shares of the same company again in this turn."""  # rule 3.15
        most = limit_of(title, state)

        def after(before: State, order: Sell) -> State:
            play = Play(title, before)
            sell(play, player, order, frame.sold_now)
            return play.state

        return duty_of(lambda s: counted(title, s, player) - most, after, state, lambda: sales(title, state, player))

    def _open(self, play: Play, frame: StockRound, player: PlayerId, order: Open, private: PrivateId | None) -> None:
        title, state = play.title, play.state
        cash = state.money(player)
        if private is not None:
            low = minimum_of(title, frame, private)
            play.require(order.item in (None, private), "open.order", item=order.item, next=private)
            item: str = private
        else:
            low = MINOR_MINIMUM
            offered = offered_minors(title, state)
            if order.item is None:
                if not play.require(len(offered) == 1, "ambiguous.item", items=tuple(map(str, offered))):
                    return
                item = offered[0]
            else:
                item = order.item
                self._check_minor(play, item, offered)
        amount = low if order.amount is None else order.amount
        play.require(amount >= low, "open.too_low", item=item, amount=amount, least=low)
        play.require(amount % STEP == 0, "bid.step", amount=amount, step=STEP)
        play.require(amount <= cash, "bid.money", amount=amount, cash=cash)
        if private is not None and self._dutch(title, frame) and rulings_of(title).dutch_price == "asked":
            play.require(amount == low, "open.asked_price", item=item, amount=amount, price=low)
        self._require_within_limit(play, frame, player)
        play.note(check_certificates(title, state, player))
        if play.failures:
            return
        if private is not None and self._dutch(title, frame):
            play.emit(Won(player, item, amount))
            self._sold_private(play, frame, private, player, player, amount)
            return
        play.emit(Opened(player, item, amount))
        open_auction(play, item, player, amount)

    def _check_minor(self, play: Play, item: str, offered: tuple[CompanyId, ...]) -> None:
        title, state = play.title, play.state
        data = title.companies.get(CompanyId(item))
        if not play.require(
            data is not None and charter_of(title, state, data.id).kind == MINOR, "open.not_a_minor", item=item
        ):
            return
        assert data is not None
        if title.reached(state, "5"):
            play.refuse("open.too_late", item=item, phase=state.phase)
        elif item in offered:
            return
        elif state.companies[data.id].status != "unstarted":
            play.refuse("open.taken", item=item)
        elif data.available_from is not None and not title.reached(state, data.available_from):
            play.refuse("open.too_early", item=item, phase=state.phase, available=data.available_from)
        else:
            play.refuse("open.first_minor", item=item, first=NIKOLAEV)

    def _pass(self, play: Play, frame: StockRound, player: PlayerId) -> None:
        self._require_within_limit(play, frame, player)
        if play.failures:
            return
        play.emit(Passed(player))
        if frame.sold_now:
            self._end_turn(play, frame, player, player)  # rule 3.1: a turn with a sale is not a pass
            return
        self._passed(play, frame)

    def _passed(self, play: Play, frame: StockRound) -> None:
        player = frame.turn
        left = from_left_of(play.state, player)[0]
        led = player if frame.passes == 0 else frame.led
        play.become(replace(frame, turn=left, passes=frame.passes + 1, led=led, sold_now={}))

    def _sell(self, play: Play, frame: StockRound, player: PlayerId, order: Sell) -> None:
        play.note(check_sale(play.title, play.state, player, order))
        if play.failures:
            return
        price = sell(play, player, order, frame.sold_now)
        play.become(
            replace(
                frame,
                actor=player,
                passes=0,
                led=None,
                sold=frame.sold | {(player, order.company)},
                sold_now={**frame.sold_now, order.company: price},
            )
        )

    def _start(self, play: Play, frame: StockRound, player: PlayerId, order: Start) -> None:
        title, state = play.title, play.state
        data = title.companies.get(order.company)
        if not play.require(
            data is not None and charter_of(title, state, data.id).kind == PUBLIC,
            "start.not_public",
            company=order.company,
        ):
            return
        play.require(title.reached(state, "4"), "start.too_early", company=order.company, phase=state.phase)
        status = state.companies[order.company].status
        play.require(status == "unstarted", "start.started", company=order.company)
        cell = title.chart.start_cell(order.price, *PUBLIC_START_MARKS)
        prices = tuple(title.chart.price(c) for c in title.chart.cells_marked(*PUBLIC_START_MARKS))
        play.require(cell is not None, "start.price", price=order.price, prices=prices)
        cost, cash = 2 * order.price, state.money(player)
        play.require(cost <= cash, "start.money", cost=cost, cash=cash)
        self._require_within_limit(play, frame, player)
        play.note(check_certificates(title, state, player))
        spaces = first_marker_spaces(title, state, order.company)
        space = order.space
        if space is None:
            play.require(len(spaces) == 1, "start.space", spaces=tuple(s.hex for s in spaces))
            space = spaces[0] if spaces else None
        else:
            play.note(check_first_marker(title, state, order.company, space))
        if play.failures or cell is None or space is None:
            return
        city = first_marker_city(title, state, order.company, space)
        assert city is not None
        start_public(play, order.company, cell, player)
        play.pay(player, order.company, cost, "share", order.company)
        play.emit(MarkerPlaced(order.company, space.hex, city))
        self._end_turn(play, frame, player, player)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def won(self, play: Play, auction: Auction) -> None:
        """Carry out the result of an auction. The frame of the stock round is on top again."""
        frame = play.state.top
        assert isinstance(frame, StockRound)
        if auction.item in play.title.privates:
            private = PrivateId(auction.item)
            self._sold_private(play, frame, private, auction.holder, auction.proposer, auction.amount)
            return
        start_minor(play, CompanyId(auction.item), auction.holder, auction.amount)
        self._end_turn(play, frame, auction.holder, auction.proposer)

    def _sold_private(
        self, play: Play, frame: StockRound, private: PrivateId, player: PlayerId, proposer: PlayerId, amount: int
    ) -> None:
        play.pay(player, BANK, amount, "bid", private)  # rule 2.5
        play.emit(PrivateMoved(private, player))
        self._end_turn(play, replace(frame, minimum=None), player, proposer)

    def _end_turn(self, play: Play, frame: StockRound, actor: PlayerId, proposer: PlayerId) -> None:
        """End the turn. The player left of ``actor`` is next or, by a ruling, the one left of ``proposer``."""
        # rule 2.6, 3.3, 4.9, 16.5
        pivot = proposer if rulings_of(play.title).next_after_auction == "proposer" else actor
        play.become(
            replace(frame, turn=from_left_of(play.state, pivot)[0], passes=0, led=None, actor=actor, sold_now={})
        )

    def advance(self, play: Play, frame: StockRound) -> None:
        title, state = play.title, play.state
        if frame.passes < len(state.players):
            play.emit(Passed(frame.turn, True))
            if frame.sold_now:
                self._end_turn(play, frame, frame.turn, frame.turn)
            else:
                self._passed(play, frame)
            return
        private = on_offer(title, state)
        if private is None:
            end_round(play, frame.actor)
            return
        assert frame.led is not None
        minimum = minimum_of(title, frame, private) - STEP  # rule 2.7
        if minimum > 0:
            play.emit(MinimumReduced(private, minimum))
            play.become(replace(frame, turn=frame.led, passes=0, led=None, minimum=minimum))
        else:
            play.emit(Won(frame.led, private, 0))  # rule 2.8
            self._sold_private(play, frame, private, frame.led, frame.led, 0)
