"""Tokens that a company buys after it has been formed: at a transformation and, under a ruling, after the Secession.

A transformed company with a single token must buy a second one. If it cannot pay, the money is raised at half price, by
the company and then by those above it. A company that has nothing left to sell, and nobody above it who could pay, goes
without. Under a ruling, those above it pay at once if they can, and the sales follow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.checks import Fact, Failure
from engine.core.events import Chartered, TokensBought
from engine.core.ids import BANK, Actor, CompanyId, PlayerId
from engine.core.orders import Order, Sell, Tokens
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.titles.t1841.money.emergency import (
    Need,
    check_enough,
    check_sale_for,
    levels,
    move_down,
    need_for,
    sales_for,
    sell_half,
)
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import token_limits
from engine.titles.t1841.stock.limits import player_of
from engine.titles.t1841.turn.queue import look_at_order


@dataclass(frozen=True, slots=True)
class TokenPurchase(Frame):
    """``company`` may buy tokens: the first costs ``first``, each further one ``price``. ``due``: the first must be
    bought. ``player`` decides if nobody controls the company. ``raised``: shares have been sold for the purchase;
    ``halves``: sellers to whom half a unit is still due. ``paid``: it has been bought with the money of those above,
    and shares are still to be sold."""

    company: CompanyId
    player: PlayerId
    first: int
    price: int
    due: bool = False
    raised: bool = False
    halves: frozenset[Actor] = frozenset()
    paid: bool = False


def cost_of(frame: TokenPurchase, more: int) -> int:
    """The price of ``more`` tokens."""  # rule 10.24
    return frame.first + (more - 1) * frame.price if more > 0 else 0


def numbers(title: Title, state: State, frame: TokenPurchase) -> tuple[int, int]:
    """The fewest and the most tokens that the company may have in all after the purchase. If shares had to be sold for
    it, the company buys no more than it must."""  # rule 4.16, clarification 2.5
    have, cash = charter_of(title, state, frame.company).markers, state.money(frame.company)
    _, limit = token_limits(title, state, frame.company)  # rule 4.13
    least = have + (1 if frame.due else 0)
    if frame.raised:
        return least, least
    affordable = (more for more in range(limit - have, 0, -1) if cost_of(frame, more) <= cash)
    return least, max(least, have + next(affordable, 0))


def need_now(title: Title, state: State, frame: TokenPurchase) -> Need | None:
    """The emergency of a company that cannot pay for the token that it must buy, or has to sell shares for the price of
    the one that others have paid; None if there is none."""
    return need_for(title, state, frame.company, frame.first) if frame.due else None


def help_first(title: Title, state: State, frame: TokenPurchase) -> bool:
    """True if, under the site's ruling, those above the company pay now for the token that it must buy."""
    # rule 10.24
    over = frame.raised or frame.paid or need_now(title, state, frame) is None
    if over or rulings_of(title).token_help == "after_sales":
        return False
    return sum(state.money(level) for level in levels(title, state, frame.company)) >= frame.first


def sellers(title: Title, state: State, frame: TokenPurchase, need: Need) -> tuple[Actor, ...]:
    """Those who may sell for the token now: one level at a time. Under a ruling, all companies while one of them must
    sell, and the player while he lacks the money himself."""  # rule 8.10, clarification 2.5
    if need.seller is None or rulings_of(title).emergency_order != "free":
        return () if need.seller is None else (need.seller,)
    every = levels(title, state, frame.company)
    players = [level for level in every if player_of(state, level) and state.money(level) < frame.first]
    able = (*(level for level in every if not player_of(state, level)), *players)
    return tuple(
        level
        for level in (players if player_of(state, need.seller) else able)
        if next(sales_for(title, state, frame.company, level), None) is not None
    )


def check_raise(title: Title, state: State, frame: TokenPurchase, need: Need, order: Sell) -> list[Failure]:
    """Every reason against a sale for the token."""  # clarification 2.5
    failures = check_sale_for(title, state, frame.company, order)
    if failures or rulings_of(title).emergency_order == "free":
        return failures
    sales = tuple(sales_for(title, state, frame.company, order.actor))
    return list(check_enough(title, state, order, need, frame.halves, sales))


class TokenPurchaseStep:
    """Ask for the number of tokens, or for sales that pay for the token that the company must buy."""

    def asked(self, title: Title, state: State, frame: TokenPurchase) -> tuple[Ask, ...]:
        player = controller_of(title, state, frame.company) or frame.player
        if help_first(title, state, frame):
            return ()
        if (need := need_now(title, state, frame)) is not None:
            about = (frame.company, str(need.missing), *(("paid",) if frame.paid else ()))
            return tuple(Ask(player, seller, "tokens.raise", about) for seller in sellers(title, state, frame, need))
        if frame.paid:
            return ()
        least, most = numbers(title, state, frame)
        if least == most:
            return ()
        return (Ask(player, frame.company, "tokens.number", (frame.company,), Tokens(frame.company, least)),)

    def menu(self, title: Title, state: State, frame: TokenPurchase, ask: Ask) -> Menu:
        if (need := need_now(title, state, frame)) is not None:
            orders = (Sell(ask.actor, of, n) for of, n in sales_for(title, state, frame.company, ask.actor))
            return tuple(Exact(o) for o in orders if not check_raise(title, state, frame, need, o))
        least, most = numbers(title, state, frame)
        return (Range(Tokens(frame.company, least), "count", least, most),)

    def cost(self, title: Title, state: State, frame: TokenPurchase, order: Order) -> int | None:
        """The price of the tokens that the company buys; None for other orders."""
        if not isinstance(order, Tokens):
            return None
        return cost_of(frame, order.count - charter_of(title, state, frame.company).markers)

    def decide(self, play: Play, frame: TokenPurchase, ask: Ask, order: Order) -> None:
        title, state, company = play.title, play.state, frame.company
        need = need_now(title, state, frame)
        if need is not None and isinstance(order, Sell):
            play.note(check_raise(title, state, frame, need, order))
            if not play.failures:
                halves = sell_half(play, order.actor, (order.company, order.count), frame.halves)
                look_at_order(play)
                play.become(replace(frame, raised=True, halves=halves))
                if rulings_of(title).emergency_order == "free":
                    move_down(play, company, frame.first, order.actor)
            return
        if need is not None or not isinstance(order, Tokens):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        have, (least, _) = charter_of(title, state, company).markers, numbers(title, state, frame)
        most = token_limits(title, state, company)[1]
        facts: dict[str, Fact] = {"company": company, "count": order.count, "least": least}
        if play.require(least <= order.count <= most, "tokens.number", most=most, **facts):
            cost, cash = cost_of(frame, order.count - have), state.money(company)
            play.require(cost <= cash, "tokens.money", cost=cost, cash=cash, **facts)
        if not play.failures:
            self._buy(play, frame, order.count)

    def advance(self, play: Play, frame: TokenPurchase) -> None:
        title, company = play.title, frame.company
        have = charter_of(title, play.state, company).markers
        need = need_now(title, play.state, frame)
        if frame.paid:
            play.pop()
        elif help_first(title, play.state, frame):
            move_down(play, company, frame.first)
            self._buy(play, frame, have + 1)
            play.push(replace(frame, paid=True))
        elif need is None:
            self._buy(play, frame, numbers(title, play.state, frame)[0])
        elif need.missing <= 0:
            move_down(play, company, frame.first)
            self._buy(play, frame, have + 1)
        else:
            self._buy(play, frame, have)

    def _buy(self, play: Play, frame: TokenPurchase, count: int) -> None:
        """Bring the company's tokens to ``count`` in all, and pay for the new ones."""
        company, charter = frame.company, charter_of(play.title, play.state, frame.company)
        play.pop()
        if count > charter.markers:
            cost = cost_of(frame, count - charter.markers)
            play.pay(company, BANK, cost, "token", company)
            play.emit(Chartered(company, replace(charter, markers=count)), TokensBought(company, count, cost))
