"""Floating a company: the winner of the right gives founder, price, capital, kind and markers in one order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.answer_cache import lately
from engine.core.checks import Fact, Failure
from engine.core.events import DirectorChanged, Floated, MarkerRemoved, TokensBought
from engine.core.ids import BANK, Actor, CompanyId, PlayerId
from engine.core.orders import Float, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.ledger import counted
from engine.shares.limits import limit_of
from engine.titles.t1863.entities import founders_of, player_of
from engine.titles.t1863.names import LODGINGS, MAJOR, MINOR, PHASE_III, PHASE_IV
from engine.titles.t1863.pieces import costs
from engine.titles.t1863.privates.powers import MARKER, is_used_up, nine_elms, use_up
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.capital import all_goods, bring, cash_needed, check_capital, check_goods, goods_of, worth
from engine.titles.t1863.stock.circles import circle_refused, new_circles
from engine.titles.t1863.stock.markers_due import owe_markers
from engine.titles.t1863.stock.market import set_price, start_cell, start_prices
from engine.titles.t1863.stock.shares import float_certificates
from engine.titles.t1863.stock.windows import open_windows

MOST_MARKERS: Final = {MINOR: 1, MAJOR: 4}
"""The most markers that a company may have when it is floated."""
Kind = Literal["minor", "major"]
ANY: Final = CompanyId("")
"""A placeholder for any company that could be started. The goods that a founder can bring do not depend on it."""


@dataclass(frozen=True, slots=True)
class Floating(Frame):
    """``winner`` has won the right to start ``company`` for ``bid``. Its first marker is already on the map."""

    winner: PlayerId
    company: CompanyId
    bid: int


# ---- checks ----------------------------------------------------------------------------------------------------------


def kinds_now(title: Title, state: State) -> tuple[Kind, ...]:
    """The kinds of company that may be started in this phase."""  # rule 3.2, 3.12
    if title.reached(state, PHASE_IV):
        return (MAJOR,)
    return (MINOR, MAJOR) if title.reached(state, PHASE_III) else (MINOR,)


def check_float(title: Title, state: State, player: PlayerId, bid: int, order: Float) -> list[Failure]:
    """Every reason why the player, who owes ``bid`` for the right, may not float the company as ordered."""  # rule 4.2
    founders = founders_of(title, state, player)
    if order.actor not in founders:
        return [Failure("float.founder", {"founder": order.actor, "founders": founders})]
    failures = []
    if order.kind not in kinds_now(title, state):
        failures.append(Failure("float.kind", {"kind": order.kind, "kinds": kinds_now(title, state)}))
    if start_cell(title, order.price) is None:
        failures.append(Failure("float.price", {"price": order.price, "prices": start_prices(title)}))
    most = MOST_MARKERS[order.kind]
    if not 1 <= order.markers <= most:
        failures.append(Failure("float.markers", {"kind": order.kind, "count": order.markers, "most": most}))
    failures += check_goods(title, state, order)
    if failures:
        return failures
    failures += check_capital(title, state, order)
    needed, cash = cash_needed(title, state, order), state.money(order.actor)
    if bid + needed > cash:
        facts: dict[str, Fact] = {"founder": order.actor, "bid": bid, "needed": needed, "cash": cash}
        failures.append(Failure("float.money", {**facts, "goods": goods_of(title, state, order)}))
    return failures or list(_check_holdings(title, state, order))


def _check_holdings(title: Title, state: State, order: Float) -> Iterator[Failure]:
    """Check the certificate limit of a player who founds, and circles, in the position after the float."""  # rule 4.1
    play = Play(title, state)
    carry_out(play, order, 0)
    if circles := new_circles(title, state, play.state):
        yield circle_refused(title, order.company, circles)
    player = player_of(state, order.actor)
    if player is not None:
        held, limit = counted(title, state, player), limit_of(title, state)
        if counted(title, play.state, player) > max(held, limit):
            facts: dict[str, Fact] = {"company": order.company, "holder": player, "more": 2}
            yield Failure("limit.certificates", {**facts, "held": held, "limit": limit})


def _cash_left(title: Title, state: State, founder: Actor, price: int) -> int:
    """The most cash that the founder could have left after a float at this price. The higher the price, the less."""
    return state.money(founder) - max(0, 2 * price - worth(title, state, founder))


def _ways(title: Title, state: State, founder: Actor, company: CompanyId, price: int) -> Iterator[Float]:
    """Yield ways to float the company at this price."""
    yield from all_goods(title, state, Float(founder, company, kinds_now(title, state)[0], price))


def most_bid(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    """The most that one of the player's entities can pay for the right and still float the company, or -1 if none can.
    By a ruling, all cash of the richest of them.

    The lowest price nearly always leaves most. At a higher one, goods may be used that are worth too much for it.
    """  # rule 4.2, 12.14
    if rulings_of(title).bid_means == "cash":
        return max((state.money(founder) for founder in founders_of(title, state, player)), default=-1)
    most = -1
    for price in start_prices(title):
        if _hope(title, state, player, price) <= most:
            break
        for rest, way in _richest_first(title, state, player, price):
            if rest <= most:
                break
            if not check_float(title, state, player, 0, replace(way, company=company)):
                most = rest
                break
    return most


@lately(64)
def _hope(title: Title, state: State, player: PlayerId, price: int) -> int:
    """The most cash that any founder of the player could have left after a float at this price."""
    founders = founders_of(title, state, player)
    return max((_cash_left(title, state, founder, price) for founder in founders), default=-1)


@lately(64)  # a menu asks for each company that could be started
def _richest_first(title: Title, state: State, player: PlayerId, price: int) -> tuple[tuple[int, Float], ...]:
    """For each way to float a company at this price, the cash that its founder keeps and the order, the most cash
    first. This is the same for every company."""
    founders = founders_of(title, state, player)
    ways = [way for founder in founders for way in _ways(title, state, founder, ANY, price)]
    left = [(state.money(way.actor) - cash_needed(title, state, way), way) for way in ways]
    return tuple(sorted((one for one in left if one[0] >= 0), key=lambda one: -one[0]))


# ---- the float -------------------------------------------------------------------------------------------------------


def markers_of(state: State, order: Float) -> int:
    """The new company's station markers in all: one more if the Railway Lodgings are part of its capital, once in the
    game."""
    # rule 9.9, 12.50
    return order.markers + (LODGINGS in order.privates and not is_used_up(state, LODGINGS, MARKER))


def markers_cost(title: Title, state: State, order: Float) -> int:
    """The price of the company's markers. The first is free if it stands in the company's home."""
    # rule 4.2, 4.22, 13.8
    home = title.companies[order.company].charter.home
    free = rulings_of(title).play == "historical" and home is not None
    at_home = free and any(hex == home[0] for hex, _ in state.board.places_of(order.company)) if home else False
    return costs(title).marker * (order.markers - at_home)


def carry_out(play: Play, order: Float, bid: int) -> None:
    """Carry out a checked float: pay the bid and the capital, and bill the company for its markers."""
    # rule 4.2, 4.18
    title, company, founder = play.title, order.company, order.actor
    goods, cash = goods_of(title, play.state, order), cash_needed(title, play.state, order)
    cell = start_cell(title, order.price)
    assert cell is not None, order
    markers = markers_of(play.state, order)
    play.pay(founder, BANK, bid, "bid", company)
    float_certificates(play, company, order.kind, founder, markers)
    set_price(play, company, cell, "start")
    cost = markers_cost(title, play.state, order)
    play.emit(
        Floated(founder, company, order.kind, order.price, cash, goods),
        DirectorChanged(company, founder),
        TokensBought(company, markers, 0),
    )
    if markers > order.markers:
        use_up(play, LODGINGS, MARKER)
    bring(play, order, cash)
    owe_markers(play, company, cost)


class FloatingStep:
    """Asks the winner once for each of his entities that can found: himself and his companies. By a ruling, bids may
    leave no money for a float. He has then paid for nothing, and the charter stays unopened."""

    def asked(self, title: Title, state: State, frame: Floating) -> tuple[Ask, ...]:
        player, about = frame.winner, (frame.company, str(frame.bid))
        able = (f for f in founders_of(title, state, player) if self._able(title, state, frame, f))
        return tuple(
            Ask(player, f, "floating.float", (*about, str(costs(title).marker)))
            if f == player
            else Ask(player, f, "floating.float.for", (*about, f))
            for f in able
        )

    def _able(self, title: Title, state: State, frame: Floating, founder: Actor) -> bool:
        """True if the entity could found the company."""
        return any(
            not check_float(title, state, frame.winner, frame.bid, order)
            for price in start_prices(title)
            if _cash_left(title, state, founder, price) >= frame.bid
            for order in _ways(title, state, founder, frame.company, price)
        )

    def menu(self, title: Title, state: State, frame: Floating, ask: Ask) -> Menu:
        """Each price and kind with cash alone, and some ways to bring goods at the lowest price at which there is any.
        Not every set of goods is listed."""
        return tuple(self._choices(title, state, frame, ask.actor))

    def _choices(self, title: Title, state: State, frame: Floating, founder: Actor) -> Iterator[Choice]:
        for kind in kinds_now(title, state):
            most, found = MOST_MARKERS[kind], False
            for price in start_prices(title):
                if _cash_left(title, state, founder, price) < frame.bid:
                    break
                plain = Float(founder, frame.company, kind, price)
                for order in (plain,) if found else tuple(all_goods(title, state, plain)):
                    if not check_float(title, state, frame.winner, frame.bid, order):
                        found = True
                        yield Range(order, "markers", 1, most) if most > 1 else Exact(order)

    def cost(self, title: Title, state: State, frame: Floating, order: Order) -> int | None:
        """The bid and the cash that the founder pays."""
        if not isinstance(order, Float) or check_goods(title, state, order):
            return None
        return frame.bid + cash_needed(title, state, order)

    def decide(self, play: Play, frame: Floating, ask: Ask, order: Order) -> None:
        if not isinstance(order, Float):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        company = frame.company
        if not play.require(order.company == company, "float.company", company=company, named=order.company):
            return
        play.note(check_float(play.title, play.state, frame.winner, frame.bid, order))
        if play.failures:
            return
        hex, _ = play.state.board.places_of(company)[0]
        play.pop()
        carry_out(play, replace(order, cash=None), frame.bid)
        nine_elms(play, company, hex)
        open_windows(play, company, order.actor, "none")

    def advance(self, play: Play, frame: Floating) -> None:
        """Take the bid and the right from the winner, because none of his entities can float the company. Only a ruling
        on bids allows this."""
        title, state, company = play.title, play.state, frame.company
        payer = max(founders_of(title, state, frame.winner), key=state.money)
        play.pop()
        play.pay(payer, BANK, frame.bid, "bid", company)
        for hex, city in state.board.places_of(company):
            play.emit(MarkerRemoved(company, hex, city))
