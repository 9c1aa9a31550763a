"""The exchange of old certificates for those of the company that a merger forms.

Shares of two minors are exchanged without a question: a share of 20 % becomes one of 10 %. For two majors every holder
decides, in decision order: first those who have pairs, then those who have a single share left.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import Exchanged
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, Place, PlayerId
from engine.core.orders import Exchange, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, directors_worth, ordinary_kind
from engine.holders.control import controller_of, count, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.mergers.assets import give_up, receive
from engine.titles.t1841.mergers.decision_order import Decider, as_actor
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import forbidden_circle
from engine.titles.t1841.stock.presidency import settle_president, transfer
from engine.titles.t1841.turn.surplus import Surplus

PAIR: Final = 2
"""Old shares of 10 % that become one new share."""
Use = Literal["director", "share", "cash"]


@dataclass(frozen=True, slots=True)
class MergerExchange(Frame):
    """The certificates of ``parts`` become those of ``into``. ``order``: all who held any at the beginning, each with
    the player who decides; ``done``: how many of them are done in this pass. ``odd``: this is the second pass, over
    single shares. ``forced``: circles may be closed. ``surplus``: trains over the limit go before anybody is asked;
    ``leader`` chooses where nobody presides."""

    parts: tuple[CompanyId, CompanyId]
    into: CompanyId
    leader: PlayerId
    order: tuple[Decider, ...]
    done: int = 0
    odd: bool = False
    forced: bool = False
    surplus: bool = False


def old_shares(title: Title, state: State, holder: Place, parts: tuple[CompanyId, ...]) -> int:
    """The number of shares of the old companies together; a pair may be mixed."""
    return sum(shares(title, state, holder, part) for part in parts)


def exchange_minors(
    play: Play, old: tuple[tuple[Decider, int], ...], presidents: Collection[Actor | None], into: CompanyId
) -> None:
    """Give the holders ``old``, in decision order, as many shares of the new company as they had of the minors. The
    first of the ``presidents``, who had a certificate of 40 %, gets the new president's certificate for it. If the pool
    had both, the first holder to reach two shares gets it."""  # rule 10.16
    first = next((holder for (holder, _), _ in old if holder in presidents), None)
    for (holder, _), number in old:
        if first in (None, holder):
            receive(play, into, number, holder)
        else:
            transfer(play, into, number, TREASURY, holder)
        tell_exchange(play, holder, into, number)
    settle_president(play, into)


def tell_exchange(play: Play, holder: Place, into: CompanyId, number: int, money: int = 0) -> None:
    """Report what a holder has received for his old shares, and that he is president now if he is. The pool gets no
    report."""
    if holder == POOL:
        return
    director = owner_of(play.title, play.state, into) == holder
    play.emit(Exchanged(as_actor(play.state, holder), into, number, director and number >= PAIR, money))


# ---- the prices -----------------------------------------------------------------------------------------------------


def director_price(title: Title, state: State, into: CompanyId, old: int) -> int:
    """The price of the president's certificate for a holder who gives ``old`` shares for it: the difference, rounded
    down."""  # rule 10.17, clarification 3.6
    missing = PAIR * directors_worth(title, state, into) - old
    return title.price(state, into) * missing // PAIR


def half_price(title: Title, state: State, into: CompanyId) -> int:
    """Half the price of a new share, rounded down: the price of rounding a single old share up, or the payment for
    it."""  # rule 10.18
    return title.price(state, into) // PAIR


# ---- the step -------------------------------------------------------------------------------------------------------


class MergerExchangeStep:
    """Exchange the shares of each holder in turn. A holder who has no choice is not asked."""

    def asked(self, title: Title, state: State, frame: MergerExchange) -> tuple[Ask, ...]:
        question = None if frame.surplus else self._question(title, state, frame)
        return () if question is None else (question,)

    def _question(self, title: Title, state: State, frame: MergerExchange) -> Ask | None:
        if frame.done >= len(frame.order):
            return None
        holder, _ = frame.order[frame.done]
        player = self._player(title, state, frame)
        uses = self._uses(title, state, frame)
        if player is None or len(uses) < 2:
            return None
        actor = as_actor(state, holder)
        least: Use = "cash" if frame.odd else "share"
        about = (frame.into, *uses)
        return Ask(player, actor, "merger.exchange", about, Exchange(actor, least))

    def menu(self, title: Title, state: State, frame: MergerExchange, ask: Ask) -> Menu:
        return tuple(Exact(Exchange(ask.actor, use)) for use in self._uses(title, state, frame))

    def cost(self, title: Title, state: State, frame: MergerExchange, order: Order) -> int | None:
        """The sum that the holder pays; None if he is paid, or if nothing is paid."""
        if not isinstance(order, Exchange):
            return None
        old = old_shares(title, state, order.actor, frame.parts)
        if order.into == "director":
            return director_price(title, state, frame.into, old)
        return half_price(title, state, frame.into) if order.into == "share" and frame.odd else None

    def decide(self, play: Play, frame: MergerExchange, ask: Ask, order: Order) -> None:
        if not isinstance(order, Exchange):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        uses, cost = self._uses(play.title, play.state, frame), self.cost(play.title, play.state, frame, order)
        cash = play.state.money(order.actor)
        play.require(
            order.into in uses, "exchange.choice", into=order.into, uses=uses, company=frame.into, cost=cost, cash=cash
        )
        if not play.failures:
            self._exchange(play, frame, order.into)

    def advance(self, play: Play, frame: MergerExchange) -> None:
        if frame.surplus and self._question(play.title, play.state, frame) is not None:
            play.become(replace(frame, surplus=False))
            play.push(Surplus(frame.into, frame.leader))
        elif frame.done < len(frame.order):
            self._exchange(play, frame, next(iter(self._uses(play.title, play.state, frame)), "cash"))
        elif not frame.odd:
            play.become(replace(frame, done=0, odd=True))
        else:
            play.pop()

    # ---- what a holder may do -------------------------------------------------------------------------------------

    def _player(self, title: Title, state: State, frame: MergerExchange) -> PlayerId | None:
        """The player who decides for the holder whose turn it is: the one who controlled it when the merger began or,
        under a ruling, the one who controls it now. For a while, nobody controls a company that belongs to one of the
        two."""
        holder, player = frame.order[frame.done]
        if player is None or player == holder or rulings_of(title).merger_control == "before":
            return player
        return controller_of(title, state, CompanyId(holder))

    def _uses(self, title: Title, state: State, frame: MergerExchange) -> tuple[Use, ...]:
        """The uses that the holder may make of his shares. The first is the one that applies without an order."""
        holder, _ = frame.order[frame.done]
        player = self._player(title, state, frame)
        old = old_shares(title, state, holder, frame.parts)
        if frame.odd:
            return self._single(title, state, frame, holder, player) if old == 1 else ()
        if old < PAIR:
            return ()
        free = bool(count(state, TREASURY, frame.into, director_kind(title, state, frame.into)))
        if free and player is not None and old >= PAIR * directors_worth(title, state, frame.into):
            return ("director",)
        may = free and self._may_preside(title, state, frame, holder, player, old)
        return ("share", "director") if may else ("share",)

    def _single(
        self, title: Title, state: State, frame: MergerExchange, holder: Place, player: PlayerId | None
    ) -> tuple[Use, ...]:
        into, found = frame.into, list[Use](("cash",))
        left = count(state, TREASURY, into, ordinary_kind(title, state, into))
        free = bool(count(state, TREASURY, into, director_kind(title, state, into)))
        half = player is not None and state.money(holder) >= half_price(title, state, into)
        if free and self._may_preside(title, state, frame, holder, player, 1):
            found.append("director")
        available = left or (free and self._second_is_directors(title, state, frame, holder))
        if half and available and (frame.forced or not self._circle(title, state, frame, holder, 1)):
            found.append("share")
        return tuple(found)

    def _second_is_directors(self, title: Title, state: State, frame: MergerExchange, holder: Place) -> bool:
        """True if, under the site's ruling, a holder of a new share, the pool too, takes the president's certificate
        for one and the share due to him, when no ordinary share is left."""  # clarification 3.6
        return rulings_of(title).pair_and_share and shares(title, state, holder, frame.into) >= 1

    def _may_preside(
        self, title: Title, state: State, frame: MergerExchange, holder: Place, player: PlayerId | None, old: int
    ) -> bool:
        """True if the holder may choose the president's certificate and pay the difference."""
        if player is None or (player != holder and rulings_of(title).merger_presidency == "players"):
            return False
        if state.money(holder) < director_price(title, state, frame.into, old):
            return False
        worth = directors_worth(title, state, frame.into)
        return frame.forced or not self._circle(title, state, frame, holder, worth)  # clarification 3.1

    def _circle(self, title: Title, state: State, frame: MergerExchange, holder: Place, number: int) -> bool:
        def deed(play: Play) -> None:
            receive(play, frame.into, number, holder)

        return bool(forbidden_circle(title, state, deed))

    # ---- what becomes of the shares -------------------------------------------------------------------------------

    def _exchange(self, play: Play, frame: MergerExchange, use: Use) -> None:
        title, state, into = play.title, play.state, frame.into
        holder, _ = frame.order[frame.done]
        old = old_shares(title, state, holder, frame.parts)
        if frame.odd and old == 1:
            self._exchange_single(play, frame, holder, use)
        elif not frame.odd and old >= PAIR:
            worth = directors_worth(title, state, into)
            if use == "director":
                cost = max(0, director_price(title, state, into, old))
                given = min(old, PAIR * worth)
                give_up(play, holder, frame.parts, given)
                play.pay(holder, into, cost, "exchange", into)
                receive(play, into, worth, holder)
                tell_exchange(play, holder, into, worth, -cost)
                old -= given
            self._exchange_pairs(play, frame, holder, old // PAIR)
        play.become(replace(frame, done=frame.done + 1))

    def _exchange_pairs(self, play: Play, frame: MergerExchange, holder: Place, pairs: int) -> None:
        """Give the holder a new share for each pair. When none is left, the bank pays the full price."""
        # clarification 3.6
        title, into = play.title, frame.into
        price, new, money = title.price(play.state, into), 0, 0
        for _ in range(pairs):
            give_up(play, holder, frame.parts, PAIR)
            state = play.state
            left = count(state, TREASURY, into, ordinary_kind(title, state, into))
            free = count(state, TREASURY, into, director_kind(title, state, into))
            if left or (free and self._second_is_directors(title, state, frame, holder)):
                receive(play, into, 1, holder)
                new += 1
            elif holder != POOL:
                play.pay(BANK, holder, price, "exchange", into)
                money += price
        if pairs:
            tell_exchange(play, holder, into, new, money)

    def _exchange_single(self, play: Play, frame: MergerExchange, holder: Place, use: Use) -> None:
        title, into = play.title, frame.into
        half = half_price(title, play.state, into)
        give_up(play, holder, frame.parts, 1)
        if use == "director":
            cost, worth = director_price(title, play.state, into, 1), directors_worth(title, play.state, into)
            play.pay(holder, into, cost, "exchange", into)
            receive(play, into, worth, holder)
            tell_exchange(play, holder, into, worth, -cost)
        elif use == "share":
            play.pay(holder, into, half, "exchange", into)
            receive(play, into, 1, holder)
            tell_exchange(play, holder, into, 1, -half)
        elif holder != POOL:  # the pool discards what is left over
            play.pay(BANK, holder, half, "exchange", into)
            tell_exchange(play, holder, into, 0, half)
