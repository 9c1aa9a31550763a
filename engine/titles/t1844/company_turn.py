"""A company's turn: track and tunnels, a marker, the runs, the dividend, trains with the help of its director."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import Distributed, GameOver, Lapsed, Ran, TurnEnded
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.core.orders import (
    Bankrupt,
    BuyPrivate,
    Done,
    Lay,
    Order,
    Pay,
    PrivateSale,
    Run,
    RunBest,
    Sell,
    Token,
    Train,
    TrainSale,
    Tunnel,
)
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title
from engine.steps.buy_private import buy_private
from engine.steps.company_turn import CompanyTurn, Stage, in_time
from engine.steps.consent import Consent, ask_consent
from engine.steps.place_token import list_tokens, place_marker
from engine.steps.run_trains import able_to_run
from engine.steps.trade_shares import move_price
from engine.titles.t1844.dealing import in_ranges, sell
from engine.titles.t1844.earnings import declare, pay_dividend
from engine.titles.t1844.emergency import (
    check_bankrupt,
    check_help_sale,
    check_purpose,
    give_up,
    help_sales,
    offers_after,
)
from engine.titles.t1844.launch import look_at_destinations
from engine.titles.t1844.private_sales import check_private, private_sales
from engine.titles.t1844.track import build_tunnel, check_tile, check_tunnel, home_due, lay, tiles, tunnels
from engine.titles.t1844.trains import buy_train, check_train, must_own


@dataclass(frozen=True, slots=True)
class SwissTurn(CompanyTurn):
    """``sold``: companies whose shares the director has sold in this turn to pay for a train; ``raised``: what the last
    of these sales brought."""

    sold: tuple[CompanyId, ...] = ()
    raised: int = 0


def turn_of(company: CompanyId) -> SwissTurn:
    """The turn of a company at its beginning."""
    return SwissTurn(company, 0, Stage.TRACK)


class SwissTurnStep:
    """Decides every order of a company's turn."""  # rule 5.6

    def asked(self, title: Title, state: State, frame: SwissTurn) -> tuple[Ask, ...]:
        director = title.policies.director(title, state, frame.company)
        if frame.ended or director is None:
            return ()
        what = "company.pay" if frame.stage == Stage.PAY else "company.turn"
        return (Ask(director, frame.company, what, (frame.company, frame.stage.name.lower())),)

    # ---- what may be done -----------------------------------------------------------------------------------------

    def menu(self, title: Title, state: State, frame: SwissTurn, ask: Ask) -> Menu:
        return tuple(self._choices(title, state, frame, ask.player))

    def _choices(self, title: Title, state: State, frame: SwissTurn, player: PlayerId) -> Iterator[Choice]:
        company, stage = frame.company, frame.stage
        yield from private_sales(title, state, company)
        if stage <= Stage.TRACK:
            for tile in tiles(title, state, company, frame.laid):
                yield Exact(tile)
            for tunnel in tunnels(title, state, company):
                yield Exact(tunnel)
            if home_due(title, state, company, frame.laid):
                return
        if stage <= Stage.TOKEN:
            for space in list_tokens(title, state, company, state.money(company), frame.placed):
                yield Exact(Token(company, space))
        if stage == Stage.PAY:
            yield Exact(Pay(company, "full"))
            yield Exact(Pay(company, "none"))
            return
        if stage <= Stage.RUN and able_to_run(title, state, company):
            yield Exact(RunBest(company))
            if title.rulings.runs == "any":
                yield Exact(Run(company, ()))
            return
        yield from self._trains(title, state, frame, player)
        if not must_own(title, state, company):
            yield Exact(Done(company))
        elif not check_bankrupt(title, state, company, frame.sold):
            yield Exact(Bankrupt(company))

    def _trains(self, title: Title, state: State, frame: SwissTurn, player: PlayerId) -> Iterator[Choice]:
        for order, low, high in offers_after(title, state, frame.company, frame.raised):
            yield Exact(order) if low == high else Range(order, "price", low, high)
        yield from in_ranges(help_sales(title, state, frame.company, player, frame.sold))

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: SwissTurn, ask: Ask, order: Order) -> None:
        match order:
            case BuyPrivate():
                self._buy_private(play, ask.player, order)
            case Lay():
                self._lay(play, frame, order)
            case Tunnel():
                self._tunnel(play, frame, order)
            case Token():
                self._token(play, frame, order)
            case Run() | RunBest():
                self._run(play, frame, order)
            case Pay():
                self._pay(play, frame, order)
            case Sell():
                self._sell(play, frame, ask.player, order)
            case Train():
                self._train(play, frame, ask.player, order)
            case Bankrupt():
                self._bankrupt(play, frame, ask.player)
            case Done():
                self._done(play, frame)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _in_time(self, play: Play, frame: SwissTurn, stage: Stage) -> bool:
        """Whether the step is not over yet, and the home tile does not come first."""  # rule 5.6, 6.3
        open_yet = in_time(play, frame, stage)
        if stage > Stage.TRACK and frame.stage == Stage.TRACK:
            due = home_due(play.title, play.state, frame.company, frame.laid)
            home = play.title.companies[frame.company].home
            play.require(not due, "turn.home_first", company=frame.company, home=home[0] if home else None)
        return open_yet

    def _lay(self, play: Play, frame: SwissTurn, order: Lay) -> None:
        self._in_time(play, frame, Stage.TRACK)
        play.note(check_tile(play.title, play.state, frame.company, order, frame.laid))
        if not play.failures:
            _, counted = lay(play, frame.company, order)
            play.become(replace(frame, laid=(*frame.laid, *counted)))

    def _tunnel(self, play: Play, frame: SwissTurn, order: Tunnel) -> None:
        self._in_time(play, frame, Stage.TRACK)
        play.note(check_tunnel(play.title, play.state, frame.company, order))
        if not play.failures:
            build_tunnel(play, frame.company, order)

    def _token(self, play: Play, frame: SwissTurn, order: Token) -> None:
        self._in_time(play, frame, Stage.TOKEN)
        if place_marker(play, frame.company, order.space, frame.placed):
            play.become(replace(frame, stage=Stage.TOKEN, placed=True))
            look_at_destinations(play)

    def _run(self, play: Play, frame: SwissTurn, order: Run | RunBest) -> None:
        self._in_time(play, frame, Stage.RUN)
        if play.failures:
            return
        revenue = declare(play, frame.company, order)
        if revenue is None:
            return
        if revenue:
            play.become(replace(frame, stage=Stage.PAY, revenue=revenue))
        else:
            self._nothing_earned(play, frame)

    def _nothing_earned(self, play: Play, frame: SwissTurn) -> None:
        """No earnings: the price falls."""  # rule 8.19, 9.5
        play.become(replace(frame, stage=Stage.TRAINS, revenue=0))
        play.emit(Distributed(frame.company, "none", 0, 0, 0))
        move_price(play, frame.company, "left", 1, "no_dividend")

    def _pay(self, play: Play, frame: SwissTurn, order: Pay) -> None:
        """All or nothing."""  # rule 9.1, 9.5
        company = frame.company
        if frame.stage > Stage.PAY and frame.revenue == 0:
            play.refuse("pay.nothing_earned", company=company)
            return
        if not in_time(play, frame, Stage.PAY):
            return
        play.require(frame.stage == Stage.PAY, "pay.nothing_run", company=company)
        play.require(order.kind != "half", "pay.half", company=company)
        if play.failures:
            return
        revenue = frame.revenue or 0
        play.become(replace(frame, stage=Stage.TRAINS))
        if order.kind == "full":
            pay_dividend(play, company, revenue)
        else:
            play.pay(BANK, company, revenue, "withheld", company)
            play.emit(Distributed(company, "none", revenue, 0, revenue))
            move_price(play, company, "left", 1, "no_dividend")

    # ---- trains ---------------------------------------------------------------------------------------------------

    def _reach_trains(self, play: Play, frame: SwissTurn) -> bool:
        """Skip to the purchase of trains; a company that can run must have run."""
        if frame.stage >= Stage.TRAINS:
            return True
        self._in_time(play, frame, Stage.TRAINS)
        if play.failures:
            return False
        if frame.stage == Stage.PAY:
            return play.require(False, "turn.pay_first", company=frame.company, revenue=frame.revenue)
        if able_to_run(play.title, play.state, frame.company):
            return play.require(False, "turn.run_first", company=frame.company)
        play.emit(Ran(frame.company, (), (), 0))
        self._nothing_earned(play, frame)
        return True

    def _train(self, play: Play, frame: SwissTurn, player: PlayerId, order: Train) -> None:
        title, company = play.title, frame.company
        failures = self._train_failures(title, play.state, order, frame.raised)
        if failures:
            play.note(failures)
            return
        if not self._reach_trains(play, frame):
            return
        if order.source in (None, BANK, POOL):
            buy_train(play, company, order)
            return
        seller = CompanyId(order.source or "")
        other = title.policies.director(title, play.state, seller)
        assert other is not None
        if other == player or title.rulings.consent == "not_asked":  # rule 10.10
            buy_train(play, company, order)
            return
        price = title.trains[order.train].cost if order.price is None else order.price
        ask_consent(play, order, player, TrainSale(order.train, company, price), ((other, seller),))

    def _train_failures(self, title: Title, state: State, order: Train, raised: int) -> list[Failure]:
        """``raised``: what the director's last sale in this turn has brought."""
        company = order.actor
        tried = [order] if order.otherwise is None else [order, replace(order.otherwise, actor=company)]
        failures = list[Failure]()
        for each in tried:
            found = check_train(title, state, company, each)
            found = found or check_purpose(title, state, company, each, raised)
            failures += [f for f in found if f not in failures]
        return failures

    def _sell(self, play: Play, frame: SwissTurn, player: PlayerId, order: Sell) -> None:
        """The director sells shares of his own to pay for the train that his company must have."""  # rule 11.5
        play.note(check_help_sale(play.title, play.state, frame.company, player, order, frame.sold))
        if play.failures or not self._reach_trains(play, frame):
            return
        before = play.state.money(player)
        sell(play, player, order)
        top = play.state.top
        assert isinstance(top, SwissTurn)
        raised = play.state.money(player) - before
        play.become(replace(top, sold=(*frame.sold, order.company), raised=raised))

    def _buy_private(self, play: Play, player: PlayerId, order: BuyPrivate) -> None:
        play.note(check_private(play.title, play.state, order))
        if play.failures:
            return
        owner = play.state.privates[order.private]
        if owner == player:
            buy_private(play, order)
            return
        seller = next(p for p in play.state.players if p == owner)
        subject = PrivateSale(order.private, order.actor, order.price)
        ask_consent(play, order, player, subject, ((seller, seller),))

    def granted(self, play: Play, consent: Consent) -> None:
        """The owner has agreed. The order lapses where a power used meanwhile has taken away what it was about."""
        title, state, order = play.title, play.state, consent.order
        if isinstance(order, BuyPrivate):
            if check_private(title, state, order):
                play.emit(Lapsed(order))
            else:
                buy_private(play, order)
        elif isinstance(order, Train):
            if check_train(title, state, order.actor, order):
                play.emit(Lapsed(order))
            else:
                buy_train(play, order.actor, order)

    def refused(self, play: Play, consent: Consent) -> None:
        """The fallback, if there is one; otherwise the company is asked again."""
        if isinstance(consent.order, Train) and consent.order.otherwise is not None:
            frame = play.state.top
            assert isinstance(frame, SwissTurn)
            fallback = replace(consent.order.otherwise, actor=consent.order.actor)
            self._train(play, frame, consent.player, fallback)

    def _bankrupt(self, play: Play, frame: SwissTurn, player: PlayerId) -> None:
        """Where the table plays so, a director who could not pay ends the game."""  # rule 11.9
        play.note(check_bankrupt(play.title, play.state, frame.company, frame.sold))
        if play.failures or not self._reach_trains(play, frame):
            return
        give_up(play, frame.company, player, frame.sold)
        rows = [(p, play.title.score(play.title, play.state, p)) for p in play.state.players]
        play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), "bankruptcy"))

    def _done(self, play: Play, frame: SwissTurn) -> None:
        company = frame.company
        play.require(not must_own(play.title, play.state, company), "train.must_own", company=company)  # rule 10.13
        if not self._reach_trains(play, frame) or play.failures:
            return
        top = play.state.top
        assert isinstance(top, SwissTurn)
        play.become(replace(top, ended=True))

    def advance(self, play: Play, frame: SwissTurn) -> None:
        play.emit(TurnEnded(frame.company))
        play.pop()
