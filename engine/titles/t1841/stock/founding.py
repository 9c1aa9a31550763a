"""Starting a company, by a player or another company: the president's certificate, further shares, homes and tokens.

The decisions come in a fixed order. The founder of a major may add shares up to 40 %, then the homes are chosen, then
the tokens are bought. If the treasury cannot pay for the fewest tokens, the company sells own shares at half price.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Fact, Failure
from engine.core.events import (
    Bought,
    CertificatesMoved,
    Chartered,
    CompanyOpened,
    DirectorChanged,
    MarkerPlaced,
    PriceSet,
    TokensBought,
)
from engine.core.ids import BANK, TREASURY, Actor, CompanyId
from engine.core.orders import Buy, Order, Pass, Start, Token, Tokens
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, director_kind, directors_worth
from engine.holders.ledger import shares
from engine.shares.purchase import SoldBefore, check_sold_before
from engine.titles.t1841.names import CONCESSION_OF, FREE_START_PHASE, HISTORICAL, MAJOR
from engine.titles.t1841.policies import acting
from engine.titles.t1841.stock.homes import MOST_HOMES, check_home, fixed_homes, home_city, homes_open, list_homes
from engine.titles.t1841.stock.limits import check_certificates, player_of
from engine.titles.t1841.stock.market import cell_of_price, start_prices
from engine.titles.t1841.stock.token_price import token_price
from engine.titles.t1841.stock.trading import buy, check_buy, sell_at_half
from engine.titles.t1841.turn.queue import look_at_order

TOKENS: Final = {False: (1, 2), True: (2, 5)}
"""The fewest and the most tokens of a minor (False) and of a major (True)."""
SHARES_AT_START: Final = 40
"""The percentage up to which the founder of a major may buy in the same turn."""


@dataclass(frozen=True, slots=True)
class Founding(Frame):
    """``company`` has been started by ``founder``. ``stage``: the next decision."""

    company: CompanyId
    founder: Actor
    stage: Literal["shares", "homes", "tokens"] = "shares"


# ---- who may start what ---------------------------------------------------------------------------------------------


def check_start(title: Title, state: State, actor: Actor, order: Start, sold: SoldBefore = ()) -> list[Failure]:
    """Every reason why ``actor`` may not start the company at the price."""  # rule 4.1, 4.2, 4.3, 10.9
    company = order.company
    if company not in title.companies:
        return [Failure("start.unknown", {"company": company})]
    failures = list(_check_right(title, state, actor, company))
    if failures:
        return failures
    if order.space is not None:
        failures.append(Failure("order.no_such_part", {"part": "space"}))
    failures += _check_price(title, state, actor, order)
    failures += _check_circumstances(title, state, actor, company, sold)
    return failures


def _check_price(title: Title, state: State, actor: Actor, order: Start) -> Iterator[Failure]:
    company, prices = order.company, start_prices(title, order.company)
    if order.price not in prices:
        yield Failure("start.price", {"company": company, "price": order.price, "prices": prices})
    cost, cash = order.price * directors_worth(title, state, company), state.money(actor)
    if cash < cost:
        yield Failure("start.money", {"company": company, "cost": cost, "cash": cash})


def _check_circumstances(
    title: Title, state: State, actor: Actor, company: CompanyId, sold: SoldBefore
) -> Iterator[Failure]:
    """Every reason why the company cannot be started at any price."""
    yield from check_sold_before(actor, company, sold)
    yield from check_certificates(title, state, actor)
    if not fixed_homes(title, state, company) and next(homes_open(title, state, company), None) is None:
        yield Failure("start.no_home", {"company": company})


def _check_right(title: Title, state: State, actor: Actor, company: CompanyId) -> Iterator[Failure]:
    """Every reason why the company cannot be started now at all, or not by this actor."""
    status = state.companies[company].status
    concession = CONCESSION_OF.get(company)
    if status != "unstarted":
        yield Failure("start.taken", {"company": company, "status": status})
    elif company in HISTORICAL:
        if concession is None:
            yield Failure("start.formed", {"company": company})
        elif concession not in state.privates:
            yield Failure("start.concession_gone", {"company": company, "concession": concession})
        elif state.privates[concession] != actor:
            owner = state.privates[concession]
            yield Failure("start.concession", {"company": company, "concession": concession, "owner": owner})
    elif not title.reached(state, FREE_START_PHASE):
        yield Failure("start.phase", {"company": company, "phase": state.phase, "from": FREE_START_PHASE})


def list_starts(title: Title, state: State, actor: Actor, sold: SoldBefore = ()) -> Iterator[Start]:
    """Yield a start of every company that ``actor`` may start, at every price that he can pay."""
    for company in title.companies:
        if state.companies[company].status != "unstarted" or any(_check_right(title, state, actor, company)):
            continue
        orders = [Start(actor, company, price) for price in start_prices(title, company)]
        payable = [order for order in orders if not any(_check_price(title, state, actor, order))]
        if payable and not any(_check_circumstances(title, state, actor, company, sold)):
            yield from payable


def begin_founding(play: Play, actor: Actor, order: Start) -> None:
    """Carry out a checked start. The founder pays for the president's certificate, the price marker is placed, and the
    further decisions come on top of the agenda. The frame beneath must be ready to go on when they are over."""
    # rule 1.11, 4.4
    title, state, company = play.title, play.state, order.company
    number = directors_worth(title, state, company)
    cell = cell_of_price(title, order.price)
    assert cell is not None, order
    play.emit(CompanyOpened(company), PriceSet(company, cell, order.price, "start"))
    play.pay(actor, company, order.price * number, "share", company)
    play.emit(
        CertificatesMoved(company, director_kind(title, state, company), 1, TREASURY, actor),
        Bought(actor, company, number, order.price * number, "treasury"),
        DirectorChanged(company, actor),
    )
    play.push(Founding(company, actor))


# ---- the decisions --------------------------------------------------------------------------------------------------


class FoundingStep:
    """Decide on further shares, homes and tokens of a company that is being started."""

    def asked(self, title: Title, state: State, frame: Founding) -> tuple[Ask, ...]:
        player = player_of(state, frame.founder) or title.policies.director(title, state, frame.company)
        player = player or acting(title, state)  # a company that is frozen in its turn may have started it
        match frame.stage:
            case "shares" if any(self._extra(title, state, frame)):
                return (Ask(player, frame.founder, "founding.shares", (frame.company,)),)
            case "homes" if self._open_homes(title, state, frame):
                return (Ask(player, frame.company, "founding.home", (frame.company,)),)
            case "tokens":
                return (Ask(player, frame.company, "founding.tokens", (frame.company,)),)
        return ()

    def menu(self, title: Title, state: State, frame: Founding, ask: Ask) -> Menu:
        company = frame.company
        match frame.stage:
            case "shares":
                return (*map(Exact, self._extra(title, state, frame)), Exact(Pass(frame.founder)))
            case "homes":
                homes = tuple(Exact(Token(company, space)) for space in list_homes(title, state, company))
                return (*homes, Exact(Pass(company))) if state.board.places_of(company) else homes
        fewest, _ = token_limits(title, state, company)
        return (Range(Tokens(company, fewest), "count", fewest, self._affordable(title, state, company)),)

    def cost(self, title: Title, state: State, frame: Founding, order: Order) -> int | None:
        """The price of a share to the founder, or of tokens to the company; None for other orders."""
        match order:
            case Buy():
                return title.price(state, frame.company)
            case Tokens() if frame.stage != "shares" and state.board.places_of(frame.company):
                return order.count * token_price(title, state, frame.company)
        return None

    def decide(self, play: Play, frame: Founding, ask: Ask, order: Order) -> None:
        match order:
            case Buy() if frame.stage == "shares":
                self._buy(play, frame, order)
            case Pass() if frame.stage == "shares":
                play.become(replace(frame, stage="homes"))
            case Token() if frame.stage == "homes":
                self._home(play, frame, order)
            case Pass() if frame.stage == "homes":
                if play.require(bool(play.state.board.places_of(frame.company)), "home.needed", company=frame.company):
                    play.become(replace(frame, stage="tokens"))
            case Tokens() if frame.stage == "tokens":
                self._tokens(play, frame, order)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def advance(self, play: Play, frame: Founding) -> None:
        """Go on to the next stage, as nothing is left to decide in this one. The fixed homes are placed first."""
        if frame.stage == "homes":
            for hex, city in fixed_homes(play.title, play.state, frame.company):
                play.emit(MarkerPlaced(frame.company, hex, city))
        play.become(replace(frame, stage="homes" if frame.stage == "shares" else "tokens"))

    # ---- shares ---------------------------------------------------------------------------------------------------

    def _extra(self, title: Title, state: State, frame: Founding) -> Iterator[Buy]:
        order = Buy(frame.founder, frame.company, "treasury")
        if not self._check_extra(title, state, frame, order):
            yield order

    def _check_extra(self, title: Title, state: State, frame: Founding, order: Buy) -> list[Failure]:
        company, held = frame.company, shares(title, state, frame.founder, frame.company)
        percent = 100 * held // all_shares(title, state, company)
        if order.company != company:
            return [Failure("founding.other_company", {"company": company, "wanted": order.company})]
        if percent >= SHARES_AT_START:
            return [Failure("founding.forty_percent", {"company": company, "most": SHARES_AT_START})]
        return check_buy(title, state, frame.founder, order)

    def _buy(self, play: Play, frame: Founding, order: Buy) -> None:
        play.note(self._check_extra(play.title, play.state, frame, order))
        if not play.failures:
            buy(play, frame.founder, order)

    # ---- homes ----------------------------------------------------------------------------------------------------

    def _open_homes(self, title: Title, state: State, frame: Founding) -> bool:
        """True if a home can be chosen: the first, or the second of a major."""
        company = frame.company
        stands = len(state.board.places_of(company))
        most = MOST_HOMES if charter_of(title, state, company).kind == MAJOR else 1
        if fixed_homes(title, state, company) or stands >= (1 if company in HISTORICAL else most):
            return False
        return bool(list_homes(title, state, company))

    def _home(self, play: Play, frame: Founding, order: Token) -> None:
        title, state, company = play.title, play.state, frame.company
        play.note(check_home(title, state, company, order.space))
        city = None if play.failures else home_city(title, state, company, order.space)
        if city is not None:
            play.emit(MarkerPlaced(company, order.space.hex, city))

    # ---- tokens ---------------------------------------------------------------------------------------------------

    def _affordable(self, title: Title, state: State, company: CompanyId) -> int:
        """The most tokens that the company can buy. It can always buy the fewest, for which money is raised."""
        fewest, most = token_limits(title, state, company)
        return max(fewest, min(most, state.money(company) // token_price(title, state, company)))

    def _tokens(self, play: Play, frame: Founding, order: Tokens) -> None:
        title, state, company = play.title, play.state, frame.company
        fewest, most = token_limits(title, state, company)
        price, cash = token_price(title, state, company), state.money(company)
        if not play.require(
            fewest <= order.count <= most, "tokens.number", company=company, count=order.count, least=fewest, most=most
        ):
            return
        facts: dict[str, Fact] = {"count": order.count, "price": price, "cost": order.count * price, "cash": cash}
        enough = order.count * price <= cash or order.count == fewest
        if not play.require(enough, "tokens.money", company=company, least=fewest, **facts):
            return
        buy_tokens(play, company, order.count, order.count * price)
        play.pop()


def token_limits(title: Title, state: State, company: CompanyId) -> tuple[int, int]:
    """The fewest and the most tokens that the company may have."""  # rule 4.13
    return TOKENS[charter_of(title, state, company).kind == MAJOR]


def buy_tokens(play: Play, company: CompanyId, number: int, cost: int) -> None:
    """Buy all the tokens of a company for ``cost``. The company raises what it lacks by selling as few own shares at
    half price as possible. The shares always bring enough: at 68, the lowest start, a major has 136 and eight shares at
    34 for tokens of 400 at most."""
    # rule 4.13, 4.15, 4.16
    title = play.title
    lack = cost - play.state.money(company)
    if lack > 0:
        price = title.price(play.state, company)
        needed = -(-2 * lack // price)
        left = shares(title, play.state, TREASURY, company)
        assert needed <= left, f"{company} cannot raise {lack} with {left} shares at {price}"
        sell_at_half(play, company, ((company, needed),))
        look_at_order(play)
    play.pay(company, BANK, cost, "token", company)
    charter = charter_of(title, play.state, company)
    play.emit(Chartered(company, replace(charter, markers=number)), TokensBought(company, number, cost))
