"""The stock round: turns of players, in which each acts for himself or for one company that he controls.

A player who buys, takes shares or starts a company ends his turn with it. A company may take or repay loans before
that. A turn in which it does nothing else counts as a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import Passed
from engine.core.ids import Actor, CompanyId
from engine.core.orders import (
    Borrow,
    Buy,
    Lay,
    Order,
    Pass,
    Redeem,
    RepayLoans,
    Sell,
    Settle,
    Short,
    Start,
    Transfer,
)
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.trade_shares import in_ranges, one_by_one
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.money.crisis import settle_bill
from engine.titles.t1863.money.loans import (
    check_loans,
    check_repayment,
    loan_room,
    repay_loans,
    take_loans,
)
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.privates.clink import check_clink, lay_clink, list_clink
from engine.titles.t1863.stock.frame import StockRound, next_turn
from engine.titles.t1863.stock.limits import Excess
from engine.titles.t1863.stock.markers_due import all_due, check_settle, due, pay_markers
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
    sources,
)


def begin_stock_round(play: Play) -> None:
    """Put a stock round on the agenda. The player with priority begins, or the next player if he is bankrupt."""
    # rule 4.9
    play.push(StockRound(seats_from(play.state, play.state.priority)[0]))


class StockRoundStep:
    """Runs the turns of the stock round. A player is asked for himself and for each company for which he may act."""

    # rule 4.10

    def asked(self, title: Title, state: State, frame: StockRound) -> tuple[Ask, ...]:
        player = frame.turn
        if frame.passes >= len(players_in(state)) or player not in players_in(state):
            return ()
        owed = duties(title, state, player)
        able = tuple(e for e in sellers(title, state, player) if self._can_act(title, state, frame, e, owed))
        if not able and not _must_be_asked(state, frame):
            return ()
        others = tuple(Ask(player, e, "stock.turn.for", (e, *frame.sold_now)) for e in able if e != player)
        if player not in able and owed:
            return others
        return (Ask(player, player, "stock.turn", frame.sold_now), *others)

    def _can_act(self, title: Title, state: State, frame: StockRound, entity: Actor, owed: Sequence[Excess]) -> bool:
        return next(self._choices(title, state, frame, entity, owed, one_by_one), None) is not None

    # ---- what may be done -----------------------------------------------------------------------------------------

    def menu(self, title: Title, state: State, frame: StockRound, ask: Ask) -> Menu:
        owed = duties(title, state, frame.turn)
        found = tuple(self._choices(title, state, frame, ask.actor, owed))
        may_pass = ask.actor == ask.player and not owed
        return (*found, Exact(Pass(ask.player))) if may_pass else found

    def _choices(
        self, title: Title, state: State, frame: StockRound, entity: Actor, owed: Sequence[Excess],
        as_choices: Callable[[Iterable[Sell]], Iterator[Choice]] = in_ranges,
    ) -> Iterator[Choice]:  # fmt: skip
        """Yield the choices of an entity. ``owed``: the duties of the player on turn. ``as_choices`` turns
        sales into choices."""
        if owed:
            forced = forced_sales(title, state, frame.turn, entity, owed)
            yield from map(Exact, (Sell(entity, company, number) for company, number in forced))
            return
        player = player_of(state, entity)
        if player is not None:
            yield from map(Exact, list_clink(title, state, player))
        if frame.entity not in (None, entity):
            return
        if not frame.shorted:
            yield from as_choices(Sell(entity, c, number) for c, number in list_sales(title, state, entity))
        if player is None:
            yield from self._of_company(title, state, CompanyId(entity))
        elif not frame.shorted:
            yield from (Exact(Short(player, c)) for c in state.prices if not check_short(title, state, player, c))
        yield from map(Exact, list_buys(title, state, entity, frame.sold))
        if player is not None:
            yield from list_transfers(title, state, player, frame.sold)
        if player is not None or frame.entity == entity:  # the founder is named when the right is won
            yield from list_starts(title, state, frame.turn, entity)

    def _of_company(self, title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
        yield from map(Exact, list_redeems(title, state, company))
        if room := loan_room(title, state, company):
            yield Range(Borrow(company, 1), "count", 1, room)
        if most := min(state.companies[company].loans, state.money(company) // loan(title)):
            yield Range(RepayLoans(company, 1), "count", 1, most)
        if due(state, company) and not check_settle(title, state, company):
            yield Exact(Settle(company))

    def cost(self, title: Title, state: State, frame: StockRound, order: Order) -> int | None:
        """The price of shares, of repaid loans or of markers."""
        match order:
            case Buy() | Redeem() if self._subject(order) in state.prices:
                return title.price(state, self._subject(order))
            case Transfer() if order.company in state.prices:
                return transfer_cost(title, state, order)
            case RepayLoans():
                return order.count * loan(title)
            case Settle():
                return due(state, order.actor)
        return None

    def _subject(self, order: Buy | Redeem) -> CompanyId:
        return order.company if isinstance(order, Buy) else order.actor

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: StockRound, ask: Ask, order: Order) -> None:
        title, state, player = play.title, play.state, frame.turn
        forced = duties(title, state, player)
        if isinstance(order, Sell):
            self._sell(play, frame, order, forced)
            return
        if isinstance(order, Lay):  # rule 9.13
            play.note(check_clink(title, state, player, order))
            if not play.failures:
                lay_clink(play, player, order)
            return
        play.note(must_sell(forced))
        by_company = ask.actor != player
        if isinstance(order, Transfer if by_company else Redeem | Settle):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        if not isinstance(order, Pass):
            play.require(frame.entity in (None, ask.actor), "stock.wrong_actor", acts=frame.entity, actor=ask.actor)
        match order:
            case Short():
                self._short(play, frame, order)
            case Buy() | Redeem() | Transfer() | Start():
                self._final(play, frame, order)
            case Borrow() | RepayLoans() | Settle():
                self._loans(play, frame, order)
            case Pass():
                if not play.failures:
                    self._pass(play, frame, forced=False)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _sell(self, play: Play, frame: StockRound, order: Sell, forced: Sequence[Excess]) -> None:
        """Carry out a sale. A forced sale may be made for any entity, and does not decide for which entity the player
        acts."""
        title, state, seller = play.title, play.state, order.actor
        if order.doubles is not None:
            play.refuse("order.no_such_part", part="doubles")
        if not forced:
            play.require(frame.entity in (None, seller), "stock.wrong_actor", acts=frame.entity, actor=seller)
            play.require(not frame.shorted, "stock.order", company=order.company)
        play.note(check_sale(title, state, seller, order.company, order.count))
        if forced and not play.failures:
            sale = seller, order.company, order.count
            play.note([] if lessens(title, state, frame.turn, forced, sale) else must_sell(forced))
        if play.failures:
            return
        sell(play, seller, order.company, order.count)
        entity = frame.entity if forced else seller
        play.become(self._sold(replace(frame, entity=entity), seller, order.company))

    def _sold(self, frame: StockRound, seller: Actor, company: CompanyId) -> StockRound:
        now = frame.sold_now if company in frame.sold_now else (*frame.sold_now, company)
        return replace(frame, passes=0, sold=frame.sold | {(seller, company)}, sold_now=now, acted=True)

    def _short(self, play: Play, frame: StockRound, order: Short) -> None:
        """Sell a share short. A purchase may follow, as after a sale."""
        # rule 4.7, 12.59, 4.11
        play.require(not frame.shorted, "short.again")
        play.note(check_short(play.title, play.state, order.actor, order.company))
        if not play.failures:
            short(play, order.actor, order.company)
            play.become(replace(self._sold(frame, order.actor, order.company), entity=order.actor, shorted=True))

    def _final(self, play: Play, frame: StockRound, order: Buy | Redeem | Transfer | Start) -> None:
        """Check and carry out an order that ends the turn."""
        title, state = play.title, play.state
        play.note(self._check_final(title, state, frame, order))
        if play.failures:
            return
        if isinstance(order, Transfer):
            frame = replace(frame, sold=frame.sold | {(order.source, order.company)})
        next_turn(play, frame, acted=True)
        match order:
            case Buy():
                buy(play, order.actor, order.company, order.source or sources(state, order.company)[0])
            case Redeem():
                redeem(play, order.actor)
            case Transfer():
                transfer(play, order)
            case Start():
                begin_start(play, frame.turn, order)

    def _check_final(
        self, title: Title, state: State, frame: StockRound, order: Buy | Redeem | Transfer | Start
    ) -> list[Failure]:
        match order:
            case Buy():
                failures = check_buy(title, state, order.actor, order.company, order.source, frame.sold)
                if order.certificate is not None:
                    failures.append(Failure("order.no_such_part", {"part": "certificate"}))
                return failures
            case Redeem():
                return check_redeem(title, state, order.actor, order.count)
            case Transfer():
                return check_transfer(title, state, order, frame.sold)
        return check_start(title, state, frame.turn, order)

    def _loans(self, play: Play, frame: StockRound, order: Borrow | RepayLoans | Settle) -> None:
        """Carry out orders for loans, or pay early for markers of the float. They do not count as an action."""
        # rule 4.6, 12.62
        title, state, company = play.title, play.state, order.actor
        match order:
            case Borrow():
                play.note(check_loans(title, state, company, order.count))
            case RepayLoans():
                play.note(check_repayment(title, state, company, order.count))
            case Settle():
                play.note(check_settle(title, state, company))
        if play.failures:
            return
        play.become(replace(frame, entity=company))
        match order:
            case Borrow():
                take_loans(play, company, order.count)
            case RepayLoans():
                repay_loans(play, company, order.count)
            case Settle():
                pay_markers(play, company)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def _pass(self, play: Play, frame: StockRound, forced: bool) -> None:
        """End the turn. It counts as a pass only if nothing except loans was done in it."""  # rule 12.62
        play.emit(Passed(frame.turn, forced))
        player = frame.turn
        able = not forced and any(
            self._can_act(play.title, play.state, frame, e, ()) for e in sellers(play.title, play.state, player)
        )  # a player who owes a sale cannot pass
        next_turn(play, frame, frame.acted, idle=not able)

    def advance(self, play: Play, frame: StockRound) -> None:
        if frame.passes < len(players_in(play.state)):
            self._pass(play, frame, forced=True)
            return
        company = next(iter(all_due(play.state)), None)
        if company is not None:
            settle_bill(play, company, "markers")
            return
        close_stock_round(play, frame.last)
        play.pop()


def _must_be_asked(state: State, frame: StockRound) -> bool:
    """True if the player must be asked although he can only pass. This is the last player if nobody before him could do
    anything. Otherwise a game without possible actions would go on by itself forever."""
    return frame.idle and frame.passes == len(players_in(state)) - 1
