"""Offers of a company's shares out of turn: its president may buy shares from its charter, then each other player may
act once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import Passed
from engine.core.ids import TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Borrow, Buy, Order, Pass, Sell, Short, Take
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of, count
from engine.shares.menu import in_ranges
from engine.shares.purchase import sources
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.money.loans import check_loans, loan_room, take_loans
from engine.titles.t1863.names import ORDINARY
from engine.titles.t1863.stock.limits import check_limits, room_for
from engine.titles.t1863.stock.shares import is_minor, seats_after, seats_from
from engine.titles.t1863.stock.trading import (
    buy,
    buys_from,
    check_buy,
    check_sale,
    check_short,
    list_sales,
    sell,
    short,
)

Others = Literal["none", "buy_or_short", "buy_or_sell"]


@dataclass(frozen=True, slots=True)
class Window(Frame):
    """``buyer`` may buy shares of ``company`` from its charter; it is None once he has answered. Then the players in
    ``waiting`` may each act once, as ``others`` says."""

    company: CompanyId
    buyer: Actor | None
    others: Others
    waiting: tuple[PlayerId, ...]


def open_windows(play: Play, company: CompanyId, buyer: Actor | None, others: Others) -> None:
    """Offer shares of ``company``. ``buyer``, its president, may buy any number within limits; if None, only the others
    are asked.

    ``others``: ``none``: nobody else is asked. ``buy_or_short``: each other player, from the left of the company's
    controller, may buy one share or sell one short. ``buy_or_sell``: every player, the controller last, may buy one
    share or sell any number.
    """
    # rule 4.2, 8.1, 8.2, 8.3, 4.25, 8.14, 8.25
    state, title = play.state, play.title
    if is_minor(title, state, company):
        return
    seat = controller_of(title, state, company)
    waiting: tuple[PlayerId, ...] = ()
    if seat is not None and others == "buy_or_short":
        waiting = seats_after(state, seat)
    elif seat is not None and others == "buy_or_sell":
        waiting = (*seats_after(state, seat), *seats_from(state, seat)[:1])
    play.push(Window(company, buyer, others, waiting))


class WindowStep:
    """Asks the buyer, then the others, skipping players who could do nothing."""

    def asked(self, title: Title, state: State, frame: Window) -> tuple[Ask, ...]:
        actor = self._actor(frame)
        if actor is None or next(self._choices(title, state, frame, actor), None) is None:
            return ()
        player = decider_of(title, state, actor)
        assert player is not None, frame
        about = (frame.company, str(title.price(state, frame.company)))
        what = "window.buyer" if frame.buyer is not None else f"window.{frame.others}"
        return (Ask(player, actor, what, about, Pass(actor)),)

    def _actor(self, frame: Window) -> Actor | None:
        return frame.buyer if frame.buyer is not None else next(iter(frame.waiting), None)

    def menu(self, title: Title, state: State, frame: Window, ask: Ask) -> Menu:
        return (*self._choices(title, state, frame, ask.actor), Exact(Pass(ask.actor)))

    def _choices(self, title: Title, state: State, frame: Window, actor: Actor) -> Iterator[Choice]:
        company = frame.company
        if frame.buyer is not None:
            most = most_taken(title, state, actor, company)
            if most:
                yield Range(Take(actor, 1), "count", 1, most)
            if (room := self._loans(title, state, frame)) > 0:
                yield Range(Borrow(CompanyId(actor), 1), "count", 1, room)
            return
        yield from map(Exact, buys_from(title, state, actor, company))
        player = player_of(state, actor)
        if (
            player is not None
            and frame.others == "buy_or_short"
            and not check_short(title, state, player, company, True)
        ):
            yield Exact(Short(player, company))
        if frame.others == "buy_or_sell":
            found = (Sell(actor, c, number) for c, number in list_sales(title, state, actor) if c == company)
            yield from in_ranges(found)

    def _loans(self, title: Title, state: State, frame: Window) -> int:
        """The loans that a company may take to buy shares as ``buyer``; otherwise 0."""  # rule 6.2
        buyer = frame.buyer
        if buyer is None or player_of(state, buyer) is not None or not room_for(title, state, buyer, frame.company):
            return 0
        return loan_room(title, state, CompanyId(buyer)) if count(state, TREASURY, frame.company, ORDINARY) else 0

    def cost(self, title: Title, state: State, frame: Window, order: Order) -> int | None:
        """The price of the shares."""
        price = title.price(state, frame.company)
        if isinstance(order, Take):
            return order.count * price
        return price if isinstance(order, Buy) else None

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: Window, ask: Ask, order: Order) -> None:
        named = order.company if isinstance(order, Take | Buy | Short | Sell) else None
        if not play.require(named in (None, frame.company), "window.company", company=named, offered=frame.company):
            return
        match order:
            case Pass():
                play.emit(Passed(ask.actor))
                play.become(self._next(frame))
            case Take() if not order.count:
                play.emit(Passed(ask.actor))
                play.become(self._next(frame))
            case Take() if frame.buyer is not None:
                self._take(play, frame, frame.buyer, order.count)
            case Borrow() if frame.buyer == order.actor:
                play.note(check_loans(play.title, play.state, order.actor, order.count))
                if not play.failures:
                    take_loans(play, order.actor, order.count)
            case Take() | Buy() | Short() | Sell() if frame.buyer is None:
                self._once(play, frame, ask.player, order)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _next(self, frame: Window) -> Window:
        return replace(frame, buyer=None) if frame.buyer is not None else replace(frame, waiting=frame.waiting[1:])

    def _take(self, play: Play, frame: Window, buyer: Actor, number: int) -> None:
        """Let the president buy shares from the charter. The price stays."""
        title, state, company = play.title, play.state, frame.company
        play.note(check_take(title, state, buyer, company, number))
        if not play.failures:
            play.become(self._next(frame))
            buy(play, buyer, company, "treasury", number)

    def _once(self, play: Play, frame: Window, player: PlayerId, order: Take | Buy | Short | Sell) -> None:
        """Let a player buy a share, sell one short, or sell shares, as the window allows."""
        title, state, company = play.title, play.state, frame.company
        match order:
            case Take() | Buy():
                wanted = order if isinstance(order, Buy) else Buy(player, company)
                one = not isinstance(order, Take) or order.count == 1
                play.require(one, "window.one_each", count=getattr(order, "count", 1))
                play.note(check_buy(title, state, wanted))
                if not play.failures:
                    play.become(self._next(frame))
                    buy(play, player, company, wanted.source or sources(title, state, company)[0])
            case Short() if frame.others == "buy_or_short":
                play.note(check_short(title, state, player, company, fresh=True))
                if not play.failures:
                    play.become(self._next(frame))
                    short(play, player, company)
            case Sell() if frame.others == "buy_or_sell":
                play.note(check_sale(title, state, player, company, order.count))
                if not play.failures:
                    play.become(self._next(frame))
                    sell(play, player, company, order.count)
            case _:
                play.refuse("order.wrong_kind", asked=f"window.{frame.others}")

    def advance(self, play: Play, frame: Window) -> None:
        if self._actor(frame) is None:
            play.pop()
        else:
            play.become(self._next(frame))


def most_taken(title: Title, state: State, buyer: Actor, company: CompanyId) -> int:
    """The most shares that the buyer can take from the charter now."""
    left, price = count(state, TREASURY, company, ORDINARY), title.price(state, company)
    return min(left, room_for(title, state, buyer, company), state.money(buyer) // price if price else left)


def check_take(title: Title, state: State, buyer: Actor, company: CompanyId, number: int) -> list[Failure]:
    """Every reason why the buyer may not take ``number`` shares from the charter."""
    left, price, cash = count(state, TREASURY, company, ORDINARY), title.price(state, company), state.money(buyer)
    failures = []
    if number > left:
        failures.append(Failure("window.none_left", {"count": number, "left": left}))
    if number * price > cash:
        failures.append(Failure("window.money", {"cost": number * price, "cash": cash}))
    return [*failures, *check_limits(title, state, buyer, company, number)]
