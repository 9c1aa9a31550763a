"""Shares of Two Valleys: what a player does in a stock round, and what a company may do as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from engine.acts.act import Act, Turn
from engine.core.agenda import Ask, Choice, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import (
    CertificatesMoved,
    CompanyOpened,
    DirectorChanged,
    MarkerPlaced,
    ParSet,
    Passed,
    PriceSet,
)  # fmt: skip
from engine.core.ids import BANK, TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Order, Pass, Start
from engine.core.state import Frame, Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind, directors_worth
from engine.steps.trade_shares import buy, check_buy, sources

PARS = (50, 60, 70)
DAUGHTERS = frozenset({CompanyId("U")})
"""Companies that only another company may start."""
CAPITAL = 2
"""Pars that the bank adds when a company is started."""


def check_start(title: Title, state: State, founder: Actor, order: Start) -> list[Failure]:
    """Every reason why ``founder``, a player or a company, may not buy the director's certificate."""
    company, failures = order.company, list[Failure]()
    if company not in state.companies or state.companies[company].status != "unstarted" or company == founder:
        return [Failure("start.not_free", {"company": company})]
    if (company in DAUGHTERS) != (founder in state.companies):
        failures.append(Failure("start.founder", {"company": company, "founder": founder}))
    if order.price not in PARS:
        failures.append(Failure("start.price", {"price": order.price, "prices": PARS}))
    if order.space is not None:
        failures.append(Failure("order.no_such_part", {"part": "space"}))
    cost = order.price * directors_worth(title, state, company)
    if state.money(founder) < cost:
        failures.append(Failure("start.money", {"company": company, "price": cost, "cash": state.money(founder)}))
    return failures


def start(play: Play, founder: Actor, order: Start) -> None:
    """A checked start: the price, the certificate, the home marker."""
    title, company = play.title, order.company
    cell = title.chart.start_cell(order.price, "par")
    charter = charter_of(title, play.state, company)
    assert cell is not None and charter.home is not None
    worth = directors_worth(title, play.state, company)
    play.pay(founder, company, order.price * worth, "share", company)
    play.pay(BANK, company, order.price * CAPITAL, "capital", company)
    play.emit(
        ParSet(company, order.price),
        PriceSet(company, cell, order.price, "start"),
        CertificatesMoved(company, director_kind(title, play.state, company), 1, TREASURY, founder),
        DirectorChanged(company, founder),
        CompanyOpened(company),
        MarkerPlaced(company, *charter.home),
    )


def offers(title: Title, state: State, actor: Actor) -> Iterator[Choice]:
    """What the actor may start or buy now."""
    for company in title.companies:
        for price in PARS:
            if not check_start(title, state, actor, order := Start(actor, company, price)):
                yield Exact(order)
        if company in state.prices:
            for source in sources(title, state, company):
                if not check_share(title, state, actor, bought := Buy(actor, company, source)):  # type: ignore[arg-type]
                    yield Exact(bought)


def check_share(title: Title, state: State, buyer: Actor, order: Buy) -> list[Failure]:
    """As for a player; a company has no share of its own. No circle of owners can come about: a player may have no more
    than three shares of a company with what his companies have."""
    failures = check_buy(title, state, buyer, order, frozenset())
    if order.company == buyer:
        failures.append(Failure("buy.own", {"company": order.company}))
    return failures


# ---- the stock round ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``passes`` in a row end it; each turn is one purchase or a pass."""

    player: PlayerId
    passes: int = 0


class StockRoundStep:
    def asked(self, title: Title, state: State, frame: StockRound) -> tuple[Ask, ...]:
        if frame.passes == len(state.players):
            return ()
        return (Ask(frame.player, frame.player, "stock.turn"),)

    def menu(self, title: Title, state: State, frame: StockRound, ask: Ask) -> Menu:
        return (*offers(title, state, ask.actor), Exact(Pass(ask.actor)))

    def decide(self, play: Play, frame: StockRound, ask: Ask, order: Order) -> None:
        player = frame.player
        match order:
            case Pass():
                play.emit(Passed(player))
            case Start():
                play.note(check_start(play.title, play.state, player, order))
                if not play.failures:
                    start(play, player, order)
            case Buy():
                play.note(check_share(play.title, play.state, player, order))
                if not play.failures:
                    buy(play, player, order)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)
        if not play.failures:
            players = play.state.players
            following = players[(players.index(player) + 1) % len(players)]
            play.become(StockRound(following, frame.passes + 1 if isinstance(order, Pass) else 0))

    def advance(self, play: Play, frame: StockRound) -> None:
        play.pop()


# ---- the act of a company -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invested(Note):
    """Whether the company has bought a share in its turn."""

    once: bool = False


@dataclass(frozen=True, slots=True)
class Invest(Act):
    """Once in its turn a company may start another, or buy a share of one."""

    takes = (Start, Buy)
    notes: ClassVar[tuple[type[Note], ...]] = (Invested,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        return iter(()) if turn.note(Invested).once else offers(title, state, turn.company)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Start | Buy)
        if isinstance(order, Start):
            return order.price * directors_worth(title, state, order.company)
        return title.price(state, order.company) if order.company in state.prices else None

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Start | Buy)
        title, state, company = play.title, play.state, turn.company
        play.require(not turn.note(Invested).once, "invest.once", company=company)
        play.note(
            check_start(title, state, company, order)
            if isinstance(order, Start)
            else check_share(title, state, company, order)
        )
        if play.failures:
            return
        play.become(turn.noting(Invested(True)))
        if isinstance(order, Start):
            start(play, company, order)
        else:
            buy(play, company, order)
