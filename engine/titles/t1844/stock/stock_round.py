"""The stock round: turns with sales and at most one purchase, until all pass in a row; then prices move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.events import Marked, OverlayLaid, Passed, PrivateMoved
from engine.core.ids import BANK, IPO, POOL, CompanyId, HexId, PlayerId, PrivateId, TileId
from engine.core.orders import Buy, BuyMountain, BuyTunnel, Order, Pass, Repay, Sell, Start
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind
from engine.holders.control import count
from engine.holders.ledger import shares
from engine.holders.succession import from_left_of, in_private_hands
from engine.steps.duty_to_sell import Duty
from engine.steps.trade_shares import check_certificates, in_ranges, limit_of, move_price, one_by_one
from engine.titles.t1844.names import FORMATION, MOUNTAIN, MOUNTAINS, TUNNEL
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, PANELS, panel_on
from engine.titles.t1844.policies import operating_order
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.auction import check_par, pars, seat_anew
from engine.titles.t1844.stock.duties import DEBT, LIMIT, check_duty_sale, duties, enough_sales
from engine.titles.t1844.stock.launches import set_par
from engine.titles.t1844.stock.trade import buy, check_buy, check_sale, purchases, sell
from engine.titles.t1844.turn.debts import interest, repay, settle_exchange

PRICES = {MOUNTAIN: 150, TUNNEL: 50}


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``turn``: the player on turn. ``passes``: number of passes in a row. ``sold``: players and the companies they
    sold in this round. ``sold_now``: companies sold in this turn. ``bought``: players and the kinds of paper (mountain
    railway or tunnel certificate) they bought in this round."""

    turn: PlayerId
    passes: int = 0
    sold: frozenset[tuple[PlayerId, CompanyId]] = frozenset()
    sold_now: tuple[CompanyId, ...] = ()
    bought: frozenset[tuple[PlayerId, str]] = frozenset()

    def sold_by(self, player: PlayerId) -> frozenset[CompanyId]:
        """The companies of which ``player`` has sold shares in this round."""
        return frozenset(c for p, c in self.sold if p == player)


class StockRoundStep:
    """Asks the player on turn and carries out his orders."""

    def asked(self, title: Title, state: State, frame: StockRound) -> tuple[Ask, ...]:
        if frame.passes >= len(state.players):
            return ()
        if next(self._choices(title, state, frame, one_by_one), None) is None:
            return ()
        return (Ask(frame.turn, frame.turn, "stock.turn", frame.sold_now),)

    # ---- what may be done -----------------------------------------------------------------------------------------

    def menu(self, title: Title, state: State, frame: StockRound, ask: Ask) -> Menu:
        found = tuple(self._choices(title, state, frame))
        return found if self._duties(title, state, frame) else (*found, Exact(Pass(ask.player)))

    def _choices(
        self, title: Title, state: State, frame: StockRound,
        as_choices: Callable[[Iterable[Sell]], Iterator[Choice]] = in_ranges,
    ) -> Iterator[Choice]:  # fmt: skip
        player = frame.turn
        yield from as_choices(self._sales(title, state, frame))
        bound, owed = self._duties(title, state, frame), min(state.debt(player), state.money(player))
        if owed > 0 and not (bound and self._sales_first(title, bound)):
            least = owed if rulings_of(title).repayment == "all_possible" else 1
            yield Range(Repay(player, least), "amount", least, owed)
        if bound:
            return
        if not state.debt(player):
            for order in purchases(title, state, player, frame.sold_by(player)):
                yield Exact(order)
        if not state.debt(player) or rulings_of(title).debt_blocks == "shares":
            yield from self._papers(title, state, frame)
        if not state.debt(player) or rulings_of(title).debt_blocks == "not_par":
            yield from self._pars(title, state, frame)

    def _sales(self, title: Title, state: State, frame: StockRound) -> Iterator[Sell]:
        if not _first(state):
            yield from enough_sales(title, state, frame.turn, frame.sold_now)

    def _papers(self, title: Title, state: State, frame: StockRound) -> Iterator[Choice]:
        """Legal purchases of mountain railways and tunnel certificates. Only the first unsold of each kind is
        listed."""
        player, cash = frame.turn, state.money(frame.turn)
        for kind, price in PRICES.items():
            unsold = _unsold(title, state, kind)
            if not unsold or cash < price or (player, kind) in frame.bought:
                continue
            if kind == TUNNEL:
                yield Exact(BuyTunnel(player, unsold[0]))
                continue
            for hex in _free_mountains(state):
                for panel in _panels_left(state):
                    yield Exact(BuyMountain(player, unsold[0], hex, panel))

    def _pars(self, title: Title, state: State, frame: StockRound) -> Iterator[Choice]:
        player = frame.turn
        if check_certificates(title, state, player):
            return
        for data in title.companies.values():
            if _unparred(title, state, data.id) and data.id not in frame.sold_by(player):
                for price in pars(title):
                    if 2 * price <= state.money(player):
                        yield Exact(Start(player, data.id, price))

    def _duties(self, title: Title, state: State, frame: StockRound) -> Mapping[str, Duty]:
        """The duties to sell, which come before anything else: certificates over the limit, debt of the exchange."""
        # rule 4.25, 13.12
        return {} if _first(state) else duties(title, state, frame.turn, frame.sold_now)

    def _sales_first(self, title: Title, bound: Mapping[str, Duty]) -> bool:
        """True if a player who must sell cannot even repay debt before."""  # rule 4.25, 13.12
        return rulings_of(title).repayment == "any" or DEBT in bound

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: StockRound, ask: Ask, order: Order) -> None:
        title, state, player = play.title, play.state, frame.turn
        bound = {} if isinstance(order, Sell) else self._duties(title, state, frame)
        if bound and not (isinstance(order, Repay) and not self._sales_first(title, bound)):
            self._require_sales(play, player, bound)
        match order:
            case Sell():
                self._sell(play, frame, order)
            case Buy():
                play.note(check_buy(title, state, player, order, frame.sold_by(player)))
                self._require_no_debt(play, player)
                if not play.failures:
                    buy(play, player, order)
                    self._end_turn(play, frame)
            case Start():
                self._start(play, frame, order)
            case BuyMountain():
                self._buy_mountain(play, frame, order)
            case BuyTunnel():
                self._buy_paper(play, frame, order.tunnel, TUNNEL)
                if not play.failures:
                    self._end_turn(play, replace(frame, bought=frame.bought | {(player, TUNNEL)}))
            case Repay():
                self._repay(play, player, order)
            case Pass():
                if not play.failures:
                    self._pass(play, frame, forced=False)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _require_sales(self, play: Play, player: PlayerId, bound: Mapping[str, Duty]) -> None:
        title, state = play.title, play.state
        if LIMIT in bound:  # rule 4.25
            play.refuse("stock.over_limit", over=bound[LIMIT].lack, limit=limit_of(title, state))
        else:  # rule 13.12
            play.refuse("stock.sell_for_debt", debt=state.debt(player, FORMATION), cash=state.money(player))

    def _require_no_debt(self, play: Play, player: PlayerId) -> None:
        owed = play.state.debt(player)
        play.require(owed == 0, "buy.debt", debt=owed, cash=play.state.money(player))  # rule 4.18

    def _sell(self, play: Play, frame: StockRound, order: Sell) -> None:
        title, state, player = play.title, play.state, frame.turn
        play.require(not _first(state), "sell.first_round")  # rule 4.3
        play.note(check_sale(title, state, player, order, frame.sold_now))
        if not play.failures:
            play.note(check_duty_sale(title, state, player, order, frame.sold_now))
        if play.failures:
            return
        sell(play, player, order)
        settle_exchange(play, player)
        sold = frame.sold | {(player, order.company)}
        sold_now = tuple(dict.fromkeys((*frame.sold_now, order.company)))
        play.become(replace(frame, passes=0, sold=sold, sold_now=sold_now))

    def _start(self, play: Play, frame: StockRound, order: Start) -> None:
        title, state, player = play.title, play.state, frame.turn
        data = title.companies.get(order.company)
        if not play.require(
            data is not None and charter_of(title, state, data.id).home is not None,
            "par.not_for_sale",
            company=order.company,
        ):
            return
        status = state.companies[order.company]
        play.require(status.par is None and status.status != "closed", "par.taken", company=order.company)  # rule 4.11
        check_par(play, order)
        cost, cash = 2 * order.price, state.money(player)
        play.require(cost <= cash, "start.money", cost=cost, cash=cash)
        play.require(order.company not in frame.sold_by(player), "buy.sold_before", company=order.company)
        if rulings_of(title).debt_blocks != "not_par":
            self._require_no_debt(play, player)
        play.note(check_certificates(title, state, player))
        if play.failures:
            return
        play.pay(player, BANK, cost, "share", order.company)
        set_par(play, order.company, player, order.price)
        owed = min(play.state.debt(player), play.state.money(player))
        if owed > 0:  # he can do nothing else after a par, not even pass
            repay(play, player, owed)
        self._end_turn(play, frame)

    def _buy_paper(self, play: Play, frame: StockRound, paper: PrivateId, kind: str) -> None:
        """Check the purchase of a mountain railway or tunnel certificate, and carry it out if legal."""
        # rule 4.14, 4.18
        title, state, player = play.title, play.state, frame.turn
        price, cash = PRICES[kind], state.money(player)
        right = paper in title.privates and title.privates[paper].kind == kind
        if not play.require(right, "paper.unknown", paper=paper, left=_unsold(title, state, kind)):
            return
        owner = state.privates[paper]
        play.require(owner is None, "paper.taken", paper=paper, owner=owner, left=_unsold(title, state, kind))
        play.require((player, kind) not in frame.bought, "paper.one_a_round", kind=kind)
        play.require(price <= cash, "paper.money", paper=paper, price=price, cash=cash)
        if rulings_of(title).debt_blocks != "shares":
            self._require_no_debt(play, player)
        if not play.failures:
            play.pay(player, BANK, price, "paper", paper)
            play.emit(PrivateMoved(paper, player))

    def _buy_mountain(self, play: Play, frame: StockRound, order: BuyMountain) -> None:
        free, left = _free_mountains(play.state), _panels_left(play.state)
        play.require(order.hex in free, "mountain.hex", hex=order.hex, free=free)  # rule 4.24
        play.require(order.panel in left, "mountain.panel", panel=order.panel, left=left)
        self._buy_paper(play, frame, order.mountain, MOUNTAIN)
        if play.failures:
            return
        placed = {**play.state.marks.get(MOUNTAINS, {}), order.mountain: order.hex}
        play.emit(OverlayLaid(order.mountain, order.hex, order.panel, 0), Marked(MOUNTAINS, placed))
        self._end_turn(play, replace(frame, bought=frame.bought | {(frame.turn, MOUNTAIN)}))

    def _repay(self, play: Play, player: PlayerId, order: Repay) -> None:
        """Repay debt. This neither ends the turn nor interrupts a row of passes."""  # rule 11.11
        owed, cash = play.state.debt(player), play.state.money(player)
        most = min(owed, cash)
        if not play.require(owed > 0, "repay.no_debt", player=player):
            return
        play.require(1 <= order.amount <= most, "repay.amount", amount=order.amount, debt=owed, cash=cash)
        if rulings_of(play.title).repayment == "all_possible":
            play.require(order.amount == most, "repay.all", amount=order.amount, most=most)
        if not play.failures:
            repay(play, player, order.amount)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def _end_turn(self, play: Play, frame: StockRound) -> None:
        """End the turn of a player who has bought. Earlier passes no longer count."""  # rule 4.1, 4.2
        left = from_left_of(play.state, frame.turn)[0]
        play.become(replace(frame, turn=left, passes=0, sold_now=()))

    def _pass(self, play: Play, frame: StockRound, forced: bool) -> None:
        """End the turn with a pass. After a sale in this turn it does not count as a pass."""  # rule 4.2
        play.emit(Passed(frame.turn, forced))
        left = from_left_of(play.state, frame.turn)[0]
        passes = 0 if frame.sold_now else frame.passes + 1
        play.become(replace(frame, turn=left, passes=passes, sold_now=()))

    def advance(self, play: Play, frame: StockRound) -> None:
        if frame.passes < len(play.state.players):
            self._pass(play, frame, forced=True)
            return
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


def _first(state: State) -> bool:
    """True if this is the first stock round, after the auction."""  # rule 4.3
    return state.round.set == 1


def _unsold(title: Title, state: State, kind: str) -> tuple[PrivateId, ...]:
    return tuple(p for p, owner in state.privates.items() if owner is None and title.privates[p].kind == kind)


def _free_mountains(state: State) -> tuple[HexId, ...]:
    return tuple(hex for hex in MOUNTAIN_HEXES if panel_on(state.board, hex) is None)


def _panels_left(state: State) -> tuple[TileId, ...]:
    return tuple(panel for panel, number in PANELS.items() if state.board.in_play(panel) < number)


def _unparred(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company's director's certificate can be bought at a par."""
    now = state.companies[company]
    if now.par is not None or now.status != "unstarted" or charter_of(title, state, company).home is None:
        return False
    return bool(count(state, IPO, company, director_kind(title, state, company)))
