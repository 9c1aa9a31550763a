"""Shares of Two Valleys: what a player does in a stock round, and what a company may do as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from engine.acts.act import Act, Turn
from engine.acts.player.act import PlayerAct
from engine.acts.player.turns import PlayerTurns, Row
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import (
    CertificatesMoved,
    CompanyOpened,
    DirectorChanged,
    MarkerPlaced,
    ParSet,
    PriceSet,
)  # fmt: skip
from engine.core.ids import BANK, TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Buy, Order, Start
from engine.core.state import Frame, Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind, directors_worth
from engine.holders.succession import from_left_of
from engine.shares.purchase import SHARES, buy, check_buy, sources

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


def starts(title: Title, state: State, actor: Actor) -> Iterator[Choice]:
    """The companies that the actor may start."""
    for company in title.companies:
        for price in PARS:
            if not check_start(title, state, actor, order := Start(actor, company, price)):
                yield Exact(order)


def buys(title: Title, state: State, actor: Actor) -> Iterator[Choice]:
    """The shares that the actor may buy."""
    for company in state.prices:
        for source in sources(title, state, company):
            if not check_share(title, state, actor, order := Buy(actor, company, source)):  # type: ignore[arg-type]
                yield Exact(order)


def check_share(title: Title, state: State, buyer: Actor, order: Buy) -> list[Failure]:
    """As for a player; a company has no share of its own. No circle of owners can come about: a player may have no more
    than three shares of a company with what his companies have."""
    failures = check_buy(SHARES, title, state, buyer, order)
    if order.company == buyer:
        failures.append(Failure("buy.own", {"company": order.company}))
    return failures


# ---- the stock round ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StockRound(Frame):
    """``passes`` in a row end it; each turn is one purchase or a pass."""

    turn: PlayerId
    passes: int = 0

    @property
    def sold_now(self) -> tuple[CompanyId, ...]:
        """Nobody sells anything."""
        return ()


def _next(play: Play, frame: StockRound, passes: int = 0) -> None:
    play.become(StockRound(from_left_of(play.state, frame.turn)[0], passes))


PLAYER_TURNS: Final = PlayerTurns(
    rows=(
        Row(
            PlayerAct(
                name="StartCompany", takes=(Start,),
                list=lambda title, state, frame, actor: starts(title, state, actor),
                check=lambda title, state, frame, order: check_start(title, state, order.actor, order),
                do=lambda play, order: start(play, order.actor, order),
            ),
            1, "3",
        ),
        Row(
            PlayerAct(
                name="BuyShare", takes=(Buy,),
                list=lambda title, state, frame, actor: buys(title, state, actor),
                check=lambda title, state, frame, order: check_share(title, state, order.actor, order),
                do=lambda play, order: buy(play, order.actor, order),
            ),
            1, "3",
        ),
    ),
    pass_rule="3",
    seated=lambda state: state.players,
    owes=lambda title, state, frame: (),
    first=lambda title, state, frame, owed: (),
    end=_next,
    passed=lambda play, frame, able: _next(play, frame, frame.passes + 1),
    over=lambda play, frame: play.pop(),
    stands=lambda state, frame: True,
)  # fmt: skip


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
        if not turn.note(Invested).once:
            yield from starts(title, state, turn.company)
            yield from buys(title, state, turn.company)

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
