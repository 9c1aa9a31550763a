"""Half shares and half shorts after a merger of majors or a refinancing: each holder either makes his half whole or
gives it up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Failure
from engine.core.events import CertificatesMoved, Exchanged
from engine.core.ids import BANK, POOL, TREASURY, Actor, CompanyId, PlayerId
from engine.core.orders import Borrow, Exchange, HalfShort, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of, count, owner_of
from engine.holders.ledger import shares
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.mergers.shares import HALF, NewShares, count_anew, from_left
from engine.titles.t1863.money.loans import check_loans, loan_room, take_loans
from engine.titles.t1863.money.player_debt import owe
from engine.titles.t1863.names import ORDINARY
from engine.titles.t1863.stock.limits import room_for
from engine.titles.t1863.stock.presidency import move_shares, settle_president
from engine.titles.t1863.stock.shares import (
    match_shorts,
    match_shorts_of,
    open_pairs,
    players_in,
    seats_from,
    shorters,
    shorts_of,
)
from engine.titles.t1863.stock.windows import open_windows

Stage = Literal["president", "order", "shares", "pool", "shorts", "end"]


@dataclass(frozen=True, slots=True)
class Halves(Frame):
    """The settlement of half shares of ``company``, after a merger if ``merged``, otherwise after a refinancing.
    ``odd``: holders of a half share who have not answered, the next first. ``own``: holders whose half was a share of
    the company before a merger. ``given``: the number of shares for the pool. ``shorts``: players with half a short."""

    company: CompanyId
    merged: bool
    stage: Stage
    odd: tuple[Actor, ...]
    own: tuple[Actor, ...]
    given: int
    shorts: tuple[PlayerId, ...]


def settle_halves(play: Play, company: CompanyId, new: NewShares, merged: bool) -> None:
    """Put the settlement of halves on the agenda. After a merger the president may buy shares first, and finally every
    player may buy or sell. Call this last."""  # rule 8.3, 13.4, 8.22
    stage: Stage = "president" if merged else "order"
    play.push(Halves(company, merged, stage, new.odd, new.own, new.pool_half if merged else 0, new.odd_shorts))


def half_price(title: Title, state: State, company: CompanyId) -> int:
    """The price of half a share, rounded down."""  # rule 8.3, 8.24
    return title.price(state, company) // HALF


class HalvesStep:
    """Asks the holders of halves one by one, skipping holders without a choice. If the president has meanwhile gone
    bankrupt without a successor, the company awaits its liquidation and nothing more is settled."""  # rule 8.21

    def asked(self, title: Title, state: State, frame: Halves) -> tuple[Ask, ...]:
        if owner_of(title, state, frame.company) is None:
            return ()
        half = str(half_price(title, state, frame.company))
        if frame.stage == "shares" and frame.odd:
            holder = frame.odd[0]
            player = decider_of(title, state, holder)
            if player is not None and self._may_fill(title, state, frame, holder):
                silence = Exchange(holder, "cash")
                return (Ask(player, holder, "halves.share", (frame.company, half), silence),)
        if frame.stage == "shorts" and frame.shorts:
            player = frame.shorts[0]
            if self._keeps(title, state, frame, player) and self._closes(title, state, frame, player):
                return (Ask(player, player, "halves.short", (frame.company, half), HalfShort(player, True)),)
        return ()

    def menu(self, title: Title, state: State, frame: Halves, ask: Ask) -> Menu:
        return tuple(self._choices(title, state, frame, ask))

    def _choices(self, title: Title, state: State, frame: Halves, ask: Ask) -> Iterator[Choice]:
        if frame.stage == "shorts":
            yield Exact(HalfShort(ask.player, True))
            yield Exact(HalfShort(ask.player, False))
            return
        if state.money(ask.actor) >= half_price(title, state, frame.company):
            yield Exact(Exchange(ask.actor, "share"))
        yield Exact(Exchange(ask.actor, "cash"))
        if room := self._loans(title, state, ask.actor):
            yield Range(Borrow(CompanyId(ask.actor), 1), "count", 1, room)

    def cost(self, title: Title, state: State, frame: Halves, order: Order) -> int | None:
        """The price of the half share that the actor buys, or of the half short that he buys out."""
        half = half_price(title, state, frame.company)
        if isinstance(order, Exchange):
            return half if order.into == "share" else None
        return half if isinstance(order, HalfShort) and not order.keep else None

    # ---- what a holder may do -------------------------------------------------------------------------------------

    def _loans(self, title: Title, state: State, holder: Actor) -> int:
        """The loans that a company may take to pay for its half; 0 for a player."""
        return 0 if player_of(state, holder) is not None else loan_room(title, state, CompanyId(holder))

    def _check_fill(self, title: Title, state: State, frame: Halves, holder: Actor) -> Iterator[Failure]:
        """Every reason except money why the holder may not make his half whole: no share is left, or a limit."""
        if not count(state, TREASURY, frame.company, ORDINARY):
            yield Failure("halves.none_left", {"company": frame.company})
        elif not room_for(title, state, holder, frame.company):
            yield Failure("halves.limit", {"company": frame.company, "holder": holder})

    def _may_fill(self, title: Title, state: State, frame: Halves, holder: Actor) -> bool:
        able = state.money(holder) >= half_price(title, state, frame.company)
        return (able or bool(self._loans(title, state, holder))) and not any(
            self._check_fill(title, state, frame, holder)
        )

    def _keeps(self, title: Title, state: State, frame: Halves, player: PlayerId) -> bool:
        """True if a pair is left for a whole short and the player may have the short. If he has the president's
        certificate, he may have it only if one of his single shares is left to match it; others may have more shorts
        than shares."""  # rule 4.7, 8.3
        company = frame.company
        held = count(state, player, company, ORDINARY)
        single = held > shorts_of(state, player, company)
        return open_pairs(state, company) > 0 and (single or shares(title, state, player, company) == held)

    def _closes(self, title: Title, state: State, frame: Halves, player: PlayerId) -> bool:
        return state.money(player) >= half_price(title, state, frame.company)

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: Halves, ask: Ask, order: Order) -> None:
        title, state = play.title, play.state
        if isinstance(order, HalfShort) and frame.stage == "shorts":
            self._short(play, frame, order.keep)
        elif isinstance(order, Borrow) and frame.stage == "shares" and order.actor == frame.odd[0]:
            play.note(check_loans(title, state, order.actor, order.count))
            if not play.failures:
                take_loans(play, order.actor, order.count)
        elif isinstance(order, Exchange) and frame.stage == "shares" and order.into in ("share", "cash"):
            if order.into == "share":
                play.note(self._check_fill(title, state, frame, ask.actor))
                half, cash = half_price(title, state, frame.company), state.money(ask.actor)
                play.require(cash >= half, "halves.money", company=frame.company, cost=half, cash=cash)
            if not play.failures:
                self._share(play, frame, order.into == "share")
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _share(self, play: Play, frame: Halves, fills: bool) -> None:
        """Make a half share whole from the charter, or give it up for cash. After a merger the bank pays, and the share
        goes to the pool if it was one of the survivor; after a refinancing the company pays."""  # rule 8.24, 13.4
        company, holder = frame.company, frame.odd[0]
        half = half_price(play.title, play.state, company)
        given = frame.given + (frame.merged and not fills and holder in frame.own)
        play.become(replace(frame, odd=frame.odd[1:], given=given))
        if fills:
            play.pay(holder, company, half, "exchange", company)
            move_shares(play, company, 1, TREASURY, holder)
        else:
            play.pay(BANK if frame.merged else company, holder, half, "exchange", company)
        play.emit(Exchanged(holder, company, int(fills), False, -half if fills else half))

    def _short(self, play: Play, frame: Halves, keep: bool) -> None:
        """Make a half short whole, put its regular share into the pool and pay the player, or let him buy it out."""
        # rule 8.3, 8.25, 4.7
        company, player = frame.company, frame.shorts[0]
        half = half_price(play.title, play.state, company)
        play.become(replace(frame, shorts=frame.shorts[1:]))
        if not keep:
            owe(play, player, half, BANK, "short", company)
            return
        play.pay(BANK, player, half, "short", company)
        shorts = {p: shorts_of(play.state, p, company) for p in shorters(play.state, company)}
        count_anew(play, company, {**shorts, player: shorts.get(player, 0) + 1})
        _to_pool(play, company, 1)
        match_shorts_of(play, player, company)

    def advance(self, play: Play, frame: Halves) -> None:
        title, state, company = play.title, play.state, frame.company
        if owner_of(title, state, company) is None:
            play.pop()
            return
        match frame.stage:
            case "president":
                play.become(replace(frame, stage="order"))
                open_windows(play, company, owner_of(title, state, company), "none")
            case "order":
                play.become(replace(frame, stage="shares", odd=_in_order(title, state, frame)))
            case "shares" if frame.odd:
                self._share(play, frame, False)
            case "shares":
                play.become(replace(frame, stage="pool"))
            case "pool":
                play.become(replace(frame, stage="shorts", shorts=_from_president(title, state, frame)))
                _to_pool(play, company, frame.given)
            case "shorts" if frame.shorts:
                player = frame.shorts[0]
                self._short(play, frame, self._keeps(title, state, frame, player))
            case "shorts":
                play.become(replace(frame, stage="end"))
            case _:
                self._end(play, frame)

    def _end(self, play: Play, frame: Halves) -> None:
        company = frame.company
        play.pop()
        match_shorts(play, company)
        settle_president(play, company)
        if frame.merged:
            open_windows(play, company, None, "buy_or_sell")
        _buy_out(play, company)


def _to_pool(play: Play, company: CompanyId, most: int) -> None:
    """Move up to ``most`` shares from the charter to the pool, as far as there are any."""  # rule 12.43
    if number := min(most, count(play.state, TREASURY, company, ORDINARY)):
        play.emit(CertificatesMoved(company, ORDINARY, number, TREASURY, POOL))


def _buy_out(play: Play, company: CompanyId) -> None:
    """Charge a holder who has shares but no single share to match his shorts the price of a share for each short, and
    remove the shorts. Call this last."""  # rule 4.7, 12.43
    title, state = play.title, play.state
    for player in (p for p in shorters(state, company) if shares(title, state, p, company)):
        number = shorts_of(state, player, company)
        count_anew(play, company, {p: shorts_of(state, p, company) for p in shorters(state, company) if p != player})
        owe(play, player, number * title.price(state, company), BANK, "short", company)


def _in_order(title: Title, state: State, frame: Halves) -> tuple[Actor, ...]:
    """The holders of halves in the order in which they answer: most shares first, then from the left of the
    president."""  # rule 8.3, 8.23
    seat = controller_of(title, state, frame.company)
    order = list(from_left(title, state, seat)) if seat is not None else list(frame.odd)
    known = [holder for holder in order if holder in frame.odd]
    left = [holder for holder in frame.odd if holder not in known]
    return tuple(sorted((*known, *left), key=lambda holder: -shares(title, state, holder, frame.company)))


def _from_president(title: Title, state: State, frame: Halves) -> tuple[PlayerId, ...]:
    """The players with half a short, the president first, then from his left."""
    seat = controller_of(title, state, frame.company)
    order = players_in(state) if seat is None else seats_from(state, seat)
    return tuple(player for player in order if player in frame.shorts)
