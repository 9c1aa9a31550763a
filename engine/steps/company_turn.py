"""A company's turn in an operating round: its steps in their order, each of them optional but bound to its place.

One frame carries the whole turn. An order for a later step skips the steps before it; an order for an earlier step is
refused. Running is never skipped silently: a company that can run says what it runs before it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.events import CertificatesMoved, Lapsed, TileLaid, TurnEnded
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, HexId, PlayerId
from engine.core.orders import (
    BuyPrivate,
    Done,
    Lay,
    Order,
    Pay,
    PrivateSale,
    Redeem,
    Run,
    RunBest,
    Settle,
    Token,
    Train,
    TrainSale,
)
from engine.core.play import Play
from engine.core.state import Frame, State
from engine.core.title import Title
from engine.finance.holdings import ordinary_kind, shares
from engine.finance.loans import pay_with_loans, spendable
from engine.steps.buy_private import buy_private, check_private, owner_of
from engine.steps.buy_train import (
    buy_at_face_value,
    buy_from_company,
    check_train,
    must_buy,
    new_trains,
    train_room,
)
from engine.steps.consent import Consent, ask_consent
from engine.steps.lay_track import Earlier, check_lay, lay_price, list_lays
from engine.steps.place_token import list_tokens, place_marker
from engine.steps.run_trains import able_to_run, declare, declare_best


class Stage(IntEnum):
    """Steps of a turn, in order."""

    REDEEM = 0
    TRACK = 1
    TOKEN = 2
    RUN = 3
    PAY = 4
    LOANS = 5
    TRAINS = 6


@dataclass(frozen=True, slots=True)
class CompanyTurn(Frame):
    """``stage``: the step reached; earlier ones are over. ``laid``: hexes laid this turn. ``loans``: those it began
    with. ``ended``: it is done and leaves the agenda as soon as it is on top again."""

    company: CompanyId
    loans: int
    stage: Stage = Stage.REDEEM
    laid: Earlier = ()
    placed: bool = False
    revenue: int | None = None
    ended: bool = False


def in_time(play: Play, frame: CompanyTurn, stage: Stage) -> bool:
    """Whether the step is not over yet."""
    return play.require(frame.stage <= stage, "turn.step_over", step=stage.name.lower(), now=frame.stage.name.lower())


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What a title decides about turns.

    ``private_phases``: companies may buy privates in them. ``shares_kind``: kind of company that redeems, places
    markers and chooses its dividend. ``announces``: the best run is declared for everyone. ``distribute``: what becomes
    of earnings that are not the director's choice; ``chosen``: the same after his choice. ``settle``: interest and
    redemption, which the rules place after the earnings and before trains. ``trainless``: a company ends its turn
    without a train. ``laid``: what a new tile brings. ``window``: others may announce a better run before earnings are
    dealt with.
    """

    private_phases: tuple[str, ...]
    shares_kind: str
    announces: Callable[[Title], bool]
    distribute: Callable[[Play, CompanyTurn], None]
    chosen: Callable[[Play, CompanyTurn, Pay], None]
    settle: Callable[[Play, CompanyTurn], None]
    trainless: Callable[[Play, CompanyId], None]
    laid: Callable[[Play, CompanyId, HexId], None]
    window: Callable[[Play, CompanyTurn], bool]


@dataclass(frozen=True, slots=True)
class CompanyTurnStep:
    """Decides every order of a company's turn."""

    rules: TurnRules

    def asked(self, title: Title, state: State, frame: CompanyTurn) -> tuple[Ask, ...]:
        if frame.ended or state.companies[frame.company].status != "open":
            return ()
        director = title.policies.director(title, state, frame.company)
        if director is None:
            return ()
        what = "company.pay" if frame.stage == Stage.PAY else "company.turn"
        return (Ask(director, frame.company, what, (frame.company, frame.stage.name.lower())),)

    # ---- what may be done -----------------------------------------------------------------------------------------

    def menu(self, title: Title, state: State, frame: CompanyTurn, ask: Ask) -> Menu:
        return tuple(self._choices(title, state, frame))

    def _choices(self, title: Title, state: State, frame: CompanyTurn) -> Iterator[Choice]:
        company, stage = frame.company, frame.stage
        sharing = title.companies[company].kind == self.rules.shares_kind
        yield from self._privates(title, state, company)
        if stage <= Stage.REDEEM and sharing:
            most = self._redeemable(title, state, company)
            if most:
                yield Range(Redeem(company, 1), "count", 1, most)
        if stage <= Stage.TRACK:
            for lay in list_lays(title, state, company, frame.laid, spendable(title, state, company)):
                yield Exact(lay)
        if stage <= Stage.TOKEN and sharing:
            for space in list_tokens(title, state, company, state.money(company), frame.placed):
                yield Exact(Token(company, space))
        runs = stage <= Stage.RUN and able_to_run(title, state, company)
        if runs:
            yield Exact(RunBest(company))
            if not self.rules.announces(title):
                yield Exact(Run(company, ()))
            return
        if stage == Stage.LOANS:
            yield Exact(Settle(company))
        if stage == Stage.PAY:
            for kind in ("full", "half", "none"):
                yield Exact(Pay(company, kind))
            return
        after = self._after_zero(title, state, frame)
        if after.companies[company].status == "open":
            yield from self._trains(title, after, company)
        if not must_buy(title, after, company):
            yield Exact(Done(company))

    def _after_zero(self, title: Title, state: State, frame: CompanyTurn) -> State:
        """The position as it will be when trains are bought, for a company that cannot run."""
        if frame.stage >= Stage.TRAINS:
            return state
        trial = Play(title, state)
        if frame.stage == Stage.LOANS:
            self._settle(trial, frame)
        else:
            self._nothing_earned(trial, frame)
        return trial.state

    def _privates(self, title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
        if state.phase not in self.rules.private_phases:
            return
        for private in title.privates:
            most = min(title.privates[private].face, state.money(company))
            if owner_of(state, private) is not None and most >= 1:
                yield Range(BuyPrivate(company, private, 1), "price", 1, most)

    def _redeemable(self, title: Title, state: State, company: CompanyId) -> int:
        return min(shares(title, state, POOL, company), state.money(company) // title.price(state, company))

    def _trains(self, title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
        if train_room(title, state, company) < 1:
            return
        for train in new_trains(title, state):
            if not check_train(title, state, company, Train(company, train)):
                yield Exact(Train(company, train))
        for train in dict.fromkeys(state.pool_trains):
            if not check_train(title, state, company, Train(company, train, POOL)):
                yield Exact(Train(company, train, POOL))
        cash = state.money(company)
        for seller, other in state.companies.items():
            if seller != company and cash >= 1 and title.policies.director(title, state, seller) is not None:
                for train in dict.fromkeys(other.trains):
                    yield Range(Train(company, train, seller, 1), "price", 1, cash)

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: CompanyTurn, ask: Ask, order: Order) -> None:
        match order:
            case BuyPrivate():
                self._buy_private(play, ask.player, order)
            case Redeem():
                self._redeem(play, frame, order)
            case Lay():
                self._lay(play, frame, order)
            case Token():
                self._token(play, frame, order)
            case Run() | RunBest():
                self._run(play, frame, order)
            case Pay():
                self._pay(play, frame, order)
            case Settle():
                if play.require(frame.stage == Stage.LOANS, "settle.not_now", company=frame.company):
                    self._settle(play, frame)
            case Train():
                if self._reach_trains(play, frame):
                    self._train(play, ask.player, order)
                elif not play.failures:
                    play.emit(Lapsed(order))
            case Done():
                self._done(play, frame)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _sharing(self, play: Play, frame: CompanyTurn, check: str) -> bool:
        return play.require(
            play.title.companies[frame.company].kind == self.rules.shares_kind, check, company=frame.company
        )

    def _redeem(self, play: Play, frame: CompanyTurn, order: Redeem) -> None:
        title, state, company = play.title, play.state, frame.company
        in_time(play, frame, Stage.REDEEM)
        if not self._sharing(play, frame, "redeem.kind"):
            return
        pool, price, cash = shares(title, state, POOL, company), title.price(state, company), state.money(company)
        play.require(order.count >= 1, "redeem.none", count=order.count)
        play.require(order.count <= pool, "redeem.not_in_pool", count=order.count, pool=pool)
        play.require(order.count * price <= cash, "redeem.money", cost=order.count * price, cash=cash)
        if play.failures:
            return
        play.pay(company, BANK, order.count * price, "redeem", company)
        play.emit(CertificatesMoved(company, ordinary_kind(title, company), order.count, POOL, TREASURY))

    def _lay(self, play: Play, frame: CompanyTurn, order: Lay) -> None:
        title, state, company = play.title, play.state, frame.company
        in_time(play, frame, Stage.TRACK)
        play.require(order.using is None, "order.no_such_part", part="using")
        play.note(check_lay(title, state, company, order, frame.laid, spendable(title, state, company)))
        if play.failures:
            return
        price = lay_price(title, state, company, order.hex, frame.laid)
        upgrade = bool(state.board.face(order.hex).paths)
        pay_with_loans(play, company, BANK, price, "terrain", order.hex)
        play.emit(TileLaid(company, order.hex, order.tile, order.rotation))
        play.become(replace(frame, stage=Stage.TRACK, laid=(*frame.laid, (order.hex, upgrade))))
        self.rules.laid(play, company, order.hex)

    def _token(self, play: Play, frame: CompanyTurn, order: Token) -> None:
        in_time(play, frame, Stage.TOKEN)
        if not self._sharing(play, frame, "token.kind"):
            return
        if place_marker(play, frame.company, order.space, frame.placed):
            play.become(replace(frame, stage=Stage.TOKEN, placed=True))

    def _run(self, play: Play, frame: CompanyTurn, order: Run | RunBest) -> None:
        if not in_time(play, frame, Stage.RUN):
            return
        if self.rules.announces(play.title):
            revenue: int | None = declare_best(play, frame.company)
        else:
            revenue = declare(play, frame.company, order)
        if revenue is not None:
            self.ran(play, frame, revenue)

    def ran(self, play: Play, frame: CompanyTurn, revenue: int) -> None:
        """Go on after the declaration of ``revenue``."""
        frame = replace(frame, stage=Stage.PAY, revenue=revenue)
        play.become(frame)
        if not self.rules.window(play, frame):
            self.settle(play, frame)

    def settle(self, play: Play, frame: CompanyTurn) -> None:
        """Deal with the earnings where that is not the director's choice."""
        if frame.revenue and play.title.companies[frame.company].kind == self.rules.shares_kind:
            return
        self.rules.distribute(play, frame)
        self._on_to_loans(play, frame)

    def _on_to_loans(self, play: Play, frame: CompanyTurn) -> None:
        """Interest and redemption follow at once, unless the company could buy a private before them."""
        # rule 2.13
        frame = replace(frame, stage=Stage.LOANS)
        play.become(frame)
        owing = frame.loans or play.state.companies[frame.company].loans
        if not owing or next(self._privates(play.title, play.state, frame.company), None) is None:
            self._settle(play, frame)

    def _settle(self, play: Play, frame: CompanyTurn) -> None:
        frame = replace(frame, stage=Stage.TRAINS)
        play.become(frame)
        self.rules.settle(play, frame)

    def _nothing_earned(self, play: Play, frame: CompanyTurn) -> None:
        frame = replace(frame, revenue=0)
        self.rules.distribute(play, frame)
        self._settle(play, frame)

    def _pay(self, play: Play, frame: CompanyTurn, order: Pay) -> None:
        if not self._sharing(play, frame, "pay.kind"):
            return
        if not in_time(play, frame, Stage.PAY):
            return
        if not play.require(frame.stage == Stage.PAY, "pay.nothing_run", company=frame.company):
            return
        self.rules.chosen(play, frame, order)
        self._on_to_loans(play, frame)

    def _reach_trains(self, play: Play, frame: CompanyTurn) -> bool:
        """Skip to the purchase of trains; a company that can run must have run. False where the turn is over."""
        if frame.stage >= Stage.TRAINS:
            return True
        if frame.stage == Stage.PAY:
            return play.require(False, "turn.pay_first", company=frame.company, revenue=frame.revenue)
        if frame.stage == Stage.LOANS:
            self._settle(play, frame)
            return play.state.companies[frame.company].status == "open"
        if able_to_run(play.title, play.state, frame.company):
            return play.require(False, "turn.run_first", company=frame.company)
        self._nothing_earned(play, frame)
        return play.state.companies[frame.company].status == "open"

    def _train(self, play: Play, player: PlayerId, order: Train) -> None:
        title, state, company = play.title, play.state, order.actor
        failures = check_train(title, state, company, order)
        if order.otherwise is not None:
            failures += [f for f in check_train(title, state, company, order.otherwise) if f not in failures]
        play.failures.extend(failures)
        if failures:
            return
        if order.source in (None, BANK, POOL):
            buy_at_face_value(play, company, order.train, order.source or BANK)
            return
        seller = CompanyId(order.source or "")
        other = title.policies.director(title, state, seller)
        assert other is not None and order.price is not None
        if other == player:
            buy_from_company(play, company, order)
        else:
            ask_consent(play, order, player, TrainSale(order.train, company, order.price), ((other, seller),))

    def _buy_private(self, play: Play, player: PlayerId, order: BuyPrivate) -> None:
        play.note(check_private(play.title, play.state, order, self.rules.private_phases))
        if play.failures:
            return
        owner = owner_of(play.state, order.private)
        assert owner is not None
        if owner == player:
            buy_private(play, order)
        else:
            ask_consent(play, order, player, PrivateSale(order.private, order.actor, order.price), ((owner, owner),))

    def granted(self, play: Play, consent: Consent) -> None:
        """Everybody asked has agreed; nothing has moved meanwhile."""
        if isinstance(consent.order, BuyPrivate):
            buy_private(play, consent.order)
        elif isinstance(consent.order, Train):
            buy_from_company(play, consent.order.actor, consent.order)
            if consent.order.otherwise is not None:
                play.emit(Lapsed(consent.order.otherwise))

    def refused(self, play: Play, consent: Consent) -> None:
        """The fallback, if there is one; otherwise the company is asked again."""
        if isinstance(consent.order, Train) and consent.order.otherwise is not None:
            fallback = replace(consent.order.otherwise, actor=consent.order.actor)  # whoever it names, this one buys
            self._train(play, consent.player, fallback)

    def _done(self, play: Play, frame: CompanyTurn) -> None:
        company = frame.company
        if not self._reach_trains(play, frame):
            return
        if must_buy(play.title, play.state, company):
            play.refuse("train.must_buy", company=company, with_loans=spendable(play.title, play.state, company))
            return
        top = play.state.top
        assert isinstance(top, CompanyTurn)
        play.become(replace(top, ended=True))

    def advance(self, play: Play, frame: CompanyTurn) -> None:
        company = frame.company
        if play.state.companies[company].status == "open":
            if not play.state.companies[company].trains and frame.ended:
                self.rules.trainless(play, company)
            play.emit(TurnEnded(company))
        play.pop()
