"""The stock round: turns of selling, then at most one purchase or start, until all pass in a row; then prices move.

Only players act. A player over a limit must sell first, as far as he can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from engine.core.agenda import Ask, Choice, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import Lapsed, Passed, PriorityMoved
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import (
    Buy,
    BuyConcession,
    BuyFrom,
    Order,
    Pass,
    PrivateSale,
    Sell,
    SellGroup,
    ShareSale,
    Start,
    Subject,
)
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.steps.consent import Consent, ask_consent
from engine.steps.trade_shares import in_ranges, one_by_one
from engine.titles.t1841.auction.trade import (
    buy_concession,
    check_concession,
    list_concessions,
    owner_of_concession,
    running,
    total_cost,
)
from engine.titles.t1841.ending.stalemate import look_for_stalemate
from engine.titles.t1841.names import RESIGNED
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import begin_founding, check_start, list_starts
from engine.titles.t1841.stock.limits import Excess, Sale, binding, by_holder, certificate_limit, lessened
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


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: the number of passes in a row. ``sold``: pairs of seller and company in
    this round. ``sold_now``: companies sold in this turn; ``group``: the turn's group has been sold, beyond what limits
    forced. ``idle``: nobody could do anything but pass in this round."""

    turn: PlayerId
    passes: int = 0
    sold: frozenset[tuple[Actor, CompanyId]] = frozenset()
    sold_now: tuple[CompanyId, ...] = ()
    group: bool = False
    idle: bool = True


def active(state: State) -> tuple[PlayerId, ...]:
    """The players who have not resigned, in order of play."""
    resigned: frozenset[PlayerId] = state.marks.get(RESIGNED, frozenset())
    return tuple(p for p in state.players if p not in resigned)


def next_player(state: State, player: PlayerId) -> PlayerId:
    """The next player on the left who has not resigned."""
    at = state.players.index(player)
    playing = active(state)
    return next(p for p in (*state.players[at + 1 :], *state.players[: at + 1]) if p in playing)


def begin_stock_round(play: Play) -> None:
    """Put a stock round on the agenda; the priority holder begins."""
    state = play.state
    first = state.priority if state.priority in active(state) else next_player(state, state.priority)
    play.push(StockRound(first))


class StockRoundStep:
    """The turns of a stock round."""

    def asked(self, title: Title, state: State, frame: StockRound) -> tuple[Ask, ...]:
        if frame.passes >= len(active(state)):
            return ()
        if next(self._choices(title, state, frame, one_by_one), None) is None and not _must_be_asked(state, frame):
            return ()
        return (Ask(frame.turn, frame.turn, "stock.turn", frame.sold_now),)

    # ---- what may be done -----------------------------------------------------------------------------------------

    def menu(self, title: Title, state: State, frame: StockRound, ask: Ask) -> Menu:
        found = tuple(self._choices(title, state, frame))
        return found if self._binding(title, state, frame) else (*found, Exact(Pass(ask.player)))

    def _choices(
        self, title: Title, state: State, frame: StockRound,
        as_choices: Callable[[Iterable[Sell]], Iterator[Choice]] = in_ranges,
    ) -> Iterator[Choice]:  # fmt: skip
        player, bound = frame.turn, self._binding(title, state, frame)
        sales = self._sales(title, state, frame, bound)
        yield from as_choices(Sell(player, company, number) for company, number in sales)
        if bound:
            return
        yield from map(Exact, list_buys(title, state, player, frame.sold))
        yield from list_buys_from(title, state, player, frame.sold)
        yield from list_concessions(title, state, player)
        yield from map(Exact, list_starts(title, state, player, frame.sold))

    def _binding(self, title: Title, state: State, frame: StockRound) -> tuple[Excess, ...]:
        """The excesses for which the player must sell before anything else."""  # rule 5.13
        sales = partial(list_sales, title, state, frame.turn)
        return binding(title, state, frame.turn, sales, partial(after_sale, title, state, frame.turn))

    def _sales(self, title: Title, state: State, frame: StockRound, bound: tuple[Excess, ...]) -> Iterator[Sale]:
        if not bound and _group_sold(title, frame):
            return
        for sale in list_sales(title, state, frame.turn):
            if not bound or not _check_enough(title, state, frame.turn, (sale,), bound):
                yield sale

    def cost(self, title: Title, state: State, frame: StockRound, order: Order) -> int | None:
        """The price to the player of a certificate or concession, or of starting a company; None for other orders."""
        match order:
            case Buy() if order.company in state.prices:
                return cost_of(title, state, order)
            case BuyFrom():
                return order.price
            case Start():
                return 2 * order.price
            case BuyConcession() if order.concession in state.privates:
                return total_cost(title, state, order)
        return None

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: StockRound, ask: Ask, order: Order) -> None:
        title, state, player = play.title, play.state, frame.turn
        bound = self._binding(title, state, frame)
        if isinstance(order, Sell | SellGroup):
            self._sell(play, frame, order, bound)
            return
        play.note(_must_sell_first(title, state, player, bound))
        match order:
            case Buy():
                play.note(check_buy(title, state, player, order, frame.sold))
                if not play.failures:
                    buy(play, player, order)
                    self._end_turn(play)
            case Start():
                play.note(check_start(title, state, player, order, frame.sold))
                if not play.failures:
                    self._end_turn(play)
                    begin_founding(play, player, order)
            case BuyFrom():
                play.note(check_buy_from(title, state, order, frame.sold))
                if not play.failures:
                    subject = ShareSale(order.company, order.count, player, order.price)
                    self._ask(play, order, subject, order.seller)
            case BuyConcession():
                self._concession(play, frame, order)
            case Pass():
                if not play.failures:
                    self._pass(play, frame, forced=False)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _sell(self, play: Play, frame: StockRound, order: Sell | SellGroup, bound: tuple[Excess, ...]) -> None:
        title, state, player, sales = play.title, play.state, frame.turn, sales_of(order)
        if isinstance(order, Sell) and order.doubles is not None:
            play.refuse("order.no_such_part", part="doubles")
        if not bound:
            play.require(not _group_sold(title, frame), "stock.one_group", companies=frame.sold_now)  # rule 3.7
        play.note(check_sale(title, state, player, sales))
        if bound and not play.failures:
            play.note(_check_enough(title, state, player, sales, bound))
        if play.failures:
            return
        sell_group(play, player, sales)
        companies = tuple(company for company, _ in sales)
        play.become(
            replace(
                frame,
                passes=0,
                sold=frame.sold | {(player, c) for c in companies},
                sold_now=(*frame.sold_now, *(c for c in companies if c not in frame.sold_now)),
                group=not bound,
                idle=False,
            )
        )

    def _concession(self, play: Play, frame: StockRound, order: BuyConcession) -> None:
        title, state, player = play.title, play.state, frame.turn
        play.note(check_concession(title, state, order))
        if play.failures:
            return
        owner = owner_of_concession(state, order.concession)
        if owner is None:
            buy_concession(play, order)
            self._end_turn(play)
            return
        assert order.price is not None
        company = running(title, state, order.concession)
        self._ask(play, order, PrivateSale(order.concession, player, order.price, company), owner)

    def _ask(self, play: Play, order: BuyFrom | BuyConcession, subject: Subject, owner: PlayerId) -> None:
        """Ask the other player for consent. Under the site's ruling, he has agreed before."""
        if rulings_of(play.title).consent == "asked":
            ask_consent(play, order, order.actor, subject, ((owner, owner),))
        else:
            self._buy_agreed(play, order)

    def granted(self, play: Play, consent: Consent) -> None:
        """Carry out a purchase from another player who has agreed. It lapses if it is no longer legal."""
        frame, order = play.state.top, consent.order
        assert isinstance(frame, StockRound) and isinstance(order, BuyFrom | BuyConcession), consent
        if isinstance(order, BuyFrom):
            failures = check_buy_from(play.title, play.state, order, frame.sold)
        else:
            failures = check_concession(play.title, play.state, order)
        if failures:
            play.emit(Lapsed(order))
        else:
            self._buy_agreed(play, order)

    def refused(self, play: Play, consent: Consent) -> None:
        """Do nothing: the player is asked again."""

    def _buy_agreed(self, play: Play, order: BuyFrom | BuyConcession) -> None:
        if isinstance(order, BuyFrom):
            buy_from(play, order)
        else:
            buy_concession(play, order)
        self._end_turn(play)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def _end_turn(self, play: Play) -> None:
        """End the turn of a player who has bought; the passes in a row are counted anew."""  # rule 3.1, 3.2
        frame = play.state.top
        assert isinstance(frame, StockRound), frame
        play.become(StockRound(next_player(play.state, frame.turn), 0, frame.sold, idle=False))

    def _pass(self, play: Play, frame: StockRound, forced: bool) -> None:
        """End the player's turn. It is not a pass if he has sold in it."""
        idle = frame.idle and (forced or next(self._choices(play.title, play.state, frame, one_by_one), None) is None)
        play.emit(Passed(frame.turn, forced))
        passes = 0 if frame.sold_now else frame.passes + 1
        play.become(StockRound(next_player(play.state, frame.turn), passes, frame.sold, idle=idle))

    def advance(self, play: Play, frame: StockRound) -> None:
        if frame.passes < len(active(play.state)):
            self._pass(play, frame, forced=True)
            return
        close_stock_round(play)
        look_for_stalemate(play, frame.idle)
        play.emit(PriorityMoved(frame.turn))
        play.pop()


def _must_be_asked(state: State, frame: StockRound) -> bool:
    """True if the player is asked although he can only pass. The last player is, if nobody could do anything before: a
    game in which nobody can do anything must not go on without end by itself."""
    return frame.idle and frame.passes == len(active(state)) - 1


def _group_sold(title: Title, frame: StockRound) -> bool:
    """True if the player may sell no more in this turn, because its one group has been sold."""  # rule 3.7
    return frame.group and rulings_of(title).sale_falls == "together"


def _check_enough(
    title: Title, state: State, player: PlayerId, sales: tuple[Sale, ...], bound: tuple[Excess, ...]
) -> list[Failure]:
    """Why a legal sale does not reduce what the player must sell. Under the site's ruling, any sale will do."""
    if rulings_of(title).president_limit == "any":
        return []
    after = after_sale(title, state, player, *sales)
    return [] if lessened(title, bound, player, after) else _must_sell_first(title, state, player, bound)


def _must_sell_first(title: Title, state: State, player: PlayerId, bound: tuple[Excess, ...]) -> list[Failure]:
    """Every reason why the player must sell before he does anything else."""  # rule 5.13
    failures = []
    for excess in bound:
        if excess.what in title.companies:
            company = CompanyId(excess.what)
            held = by_holder(title, state, player, company)
            failures.append(Failure("stock.over_sixty", {"company": company, "over": excess.over, "holders": held}))
        else:
            limit = certificate_limit(title, state, player)
            failures.append(Failure("stock.over_limit", {"over": excess.over, "limit": limit}))
    return failures
