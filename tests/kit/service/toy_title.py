"""A toy game that no title folder knows, made of the engine's types: the moderator must conduct it as any other.

Company X is directed by the first player, Y by the second. They take turns: a company may redeem as often as it likes,
may buy the other's train if its director agrees, must pay, and ends its turn with ``done``. Before each pair of turns
there is an auction of P: the first player opens it, whoever wins pays. After ``ROUNDS`` pairs of turns it is over.
Q is the last player's: once in the game, at any moment, he may use it for a company, which may run from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from engine.board.map import Map
from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.charter import Charter
from engine.core.data import CompanyData, PhaseData, PrivateData, TableRow
from engine.core.events import CompanyOpened, GameOver, Marked, Opened, Passed, RoundBegan, TurnEnded
from engine.core.ids import CompanyId, PhaseName, PlayerId, PrivateId, TrainName
from engine.core.orders import Bid, Done, Merger, Open, Order, Pass, Pay, Redeem, Run, Train, TrainSale, UsePrivate
from engine.core.orders import Merge as MergeOrder
from engine.core.state import Frame, Round, State
from engine.core.title import Play, Policies, Title
from engine.finance.chart import Chart
from engine.steps.auction import Auction, AuctionStep, open_auction, running_lot
from engine.steps.automatic import NobodyAsked
from engine.steps.consent import Consent, ConsentStep, ask_consent
from grammar import Vocabulary

NAME = "toy"
ROUNDS = 2
X, Y, P, Q = CompanyId("X"), CompanyId("Y"), PrivateId("P"), PrivateId("Q")
CAR = TrainName("2")


@dataclass(frozen=True, slots=True)
class Course(Frame):
    """The lowest frame: what comes next. ``turn`` counts from 0; 0 of three is the auction."""

    turn: int = 0


@dataclass(frozen=True, slots=True)
class Offer(Frame):
    player: PlayerId


@dataclass(frozen=True, slots=True)
class Turn(Frame):
    company: CompanyId
    paid: bool = False


def director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    return state.players[0 if company == X else 1]


class CourseStep(NobodyAsked):
    def advance(self, play: Play, frame: Course) -> None:
        if frame.turn == 3 * ROUNDS:
            wealth = [(p, play.title.score(play.title, play.state, p)) for p in play.state.players]
            play.emit(GameOver(tuple(sorted(wealth, key=lambda row: -row[1])), "rounds"))
            return
        play.become(Course(frame.turn + 1))
        number, kind = divmod(frame.turn, 3)
        if kind == 0:
            play.emit(RoundBegan(Round("SR", number + 1)))
            play.push(Offer(play.state.players[0]))
        else:
            if kind == 1:
                play.emit(RoundBegan(Round("OR", number + 1, 1)))
            play.push(Turn((X, Y)[kind - 1]))


class OfferStep:
    def asked(self, title: Title, state: State, frame: Offer) -> tuple[Ask, ...]:
        return (Ask(frame.player, frame.player, "auction.open", (P, "5")),)

    def menu(self, title: Title, state: State, frame: Offer, ask: Ask) -> Menu:
        return (
            Range(Open(frame.player, P, 5), "amount", 5, state.money(frame.player) // 5 * 5, 5),
            Exact(Pass(frame.player)),
        )

    def decide(self, play: Play, frame: Offer, ask: Ask, order: Order) -> None:
        if isinstance(order, Pass):
            play.emit(Passed(frame.player))
            play.pop()
        elif isinstance(order, Open | Bid):
            amount = order.amount or 5
            if play.require(5 <= amount <= play.state.money(frame.player), "open.amount", amount=amount):
                play.emit(Opened(frame.player, P, amount))
                play.pop()
                open_auction(play, P, frame.player, amount)
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def advance(self, play: Play, frame: Offer) -> None:
        raise AssertionError("somebody is asked")


class TurnStep:
    def asked(self, title: Title, state: State, frame: Turn) -> tuple[Ask, ...]:
        player = director(title, state, frame.company)
        assert player is not None
        return (Ask(player, frame.company, "company.turn", (frame.company, "pay")),)

    def menu(self, title: Title, state: State, frame: Turn, ask: Ask) -> Menu:
        c = frame.company
        other = Y if c == X else X
        powered: list[Order] = [Run(c, ())] if state.marks.get(Q) == c else []
        steps: list[Order] = [Redeem(c, 1), *powered, Train(c, CAR, other, 1), MergeOrder(c, (other,), c)]
        last: Order = Done(c) if frame.paid else Pay(c, "none")
        return tuple(Exact(order) for order in (*steps, last))

    def decide(self, play: Play, frame: Turn, ask: Ask, order: Order) -> None:
        company = frame.company
        if isinstance(order, Redeem):
            if play.require(order.count == 1, "redeem.count", count=order.count):
                play.emit(CompanyOpened(company))
        elif isinstance(order, Train):
            other = Y if company == X else X
            owner = director(play.title, play.state, other)
            assert owner is not None
            sale = TrainSale(CAR, company, order.price or 1)
            ask_consent(play, order, ask.player, sale, ((owner, other),))
        elif isinstance(order, MergeOrder):
            owners = tuple((p, p) for p in play.state.players if p != ask.player)
            ask_consent(play, order, ask.player, Merger(order.minors, order.into), cast(Any, owners))
        elif isinstance(order, Pay):
            play.become(replace(frame, paid=True))
        elif isinstance(order, Run):
            if play.require(play.state.marks.get(Q) == company, "run.no_power", company=company):
                play.emit(CompanyOpened(company))
        elif isinstance(order, Done):
            if play.require(frame.paid, "done.unpaid", company=company):
                play.emit(TurnEnded(company))
                play.pop()
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def advance(self, play: Play, frame: Turn) -> None:
        raise AssertionError("somebody is asked")


def unasked(title: Title, state: State, player: PlayerId) -> Menu:
    if player != state.players[-1] or Q in state.marks:
        return ()
    return tuple(Exact(UsePrivate(player, Q, c)) for c in (X, Y))


def decide_unasked(play: Play, order: Order) -> bool:
    if not isinstance(order, UsePrivate):
        return False
    play.require(order.actor == play.state.players[-1], "use.not_owner", private=order.private, owner=None)
    play.require(Q not in play.state.marks, "use.closed", private=order.private)
    play.require(order.company in (X, Y), "use.company", company=order.company, companies=(X, Y))
    if not play.failures:
        play.emit(Marked(Q, order.company))
    return True


def _won(play: Play, auction: Auction) -> None:
    play.pay(auction.holder, "Bank", auction.amount, "bid", auction.item)


def _nothing(play: Play, frame: Consent) -> None:
    """What was asked for is granted or refused, and nothing comes of it."""


def _policies() -> Policies:
    def never(*_: Any) -> Any:
        raise AssertionError("the toy has no such thing")

    return Policies(
        director=director, operating_order=lambda *_: (X, Y), train_limit=never, marker_cost=never,
        reserved=lambda *_: (),
        lay_cost=never, run_traits=never, train_bought=never, credit=never,
        unasked=unasked, decide_unasked=decide_unasked, any_moment=frozenset({UsePrivate}),
        lot=lambda _, state: running_lot(state),
        lots_to_come=lambda *_: (P,),
    )  # fmt: skip


def load(name: str, edition: str, options: Mapping[str, str]) -> Title:
    """The toy, as the service loads titles."""
    assert name == NAME, name
    player_steps: dict[Any, Any] = {
        Course: CourseStep(),
        Offer: OfferStep(),
        Turn: TurnStep(),
        Auction: AuctionStep(lambda title, state, player: True, _won),
        Consent: ConsentStep(_nothing, _nothing),
    }
    return Title(
        name=NAME, edition="one", full_name="A Toy", currency="R", rulings=None, options={},
        map=Map(True, ("S", "SW", "NW", "N", "NE", "SE"), (), {}, {}, {}, {}, {}),
        chart=Chart("none", {}, {}, {}), trains={}, phases=(PhaseData(PhaseName("2"), ("yellow",), {}),),
        privates={p: PrivateData(p, "A private", 5, 5, 1) for p in (P, Q)},
        companies={c: CompanyData(c, f"Company {c}", Charter("minor", {}, (), 1), "#000") for c in (X, Y)},
        table={n: TableRow(100, 10) for n in (2, 3, 4)}, bank=1000, loan=45, loan_value=50, policies=_policies(),
        steps=player_steps, begin=lambda title, state: (Course(),), score=lambda title, state, p: state.money(p),
        addresses={"done.unpaid": "7", "bid.too_low": "3"},
    )  # fmt: skip


def vocabulary(title: Title, players: tuple[str, ...], forms: str = "1861") -> Vocabulary:
    """Its names, read by the grammar of a title that has the ``forms`` it needs."""
    return Vocabulary(
        title=forms, players=tuple(players), companies={"X": (), "Y": ()}, privates={"P": (), "Q": ()}, trains=("2",)
    )
