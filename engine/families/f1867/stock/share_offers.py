"""Offers of a new company's shares: any number to each of its holders, then one to every player."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu, Range
from engine.core.events import Bought, CertificatesMoved, DirectorChanged, Marked, Passed, Restored
from engine.core.ids import TREASURY, CompanyId, PlayerId
from engine.core.orders import Order, Take
from engine.core.secret import HIDDEN
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.families.f1867.names import FAILED_MERGER
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of, director_kind, ordinary_kind
from engine.holders.control import controller_of
from engine.holders.ledger import counted, shares
from engine.holders.succession import becomes_director, from_player
from engine.shares.limits import limit_of, most_shares
from engine.shares.purchase import take_shares


@dataclass(frozen=True, slots=True)
class ShareOffers(Frame):
    """``before``: the position to restore if nobody comes to two shares, with ``again`` on top of its agenda. Its seed
    of lots is hidden, because agendas are shown to players. ``holders``: True in the first stage, in which holders may
    take any number. ``waiting``: players still to answer. ``last``: the last player to answer in the first stage."""

    company: CompanyId
    before: State
    again: Frame
    holders: bool
    waiting: tuple[PlayerId, ...]
    last: PlayerId | None = None


def begin_offers(play: Play, company: CompanyId, before: State, again: Frame, earliest: PlayerId) -> None:
    """Offer shares to the holders, beginning with the director and going to the left. By a ruling begin with
    ``earliest``, the owner of the minor that operated first."""  # rule 14.15
    title, state = play.title, play.state
    director = title.policies.director(title, state, company)
    assert director is not None
    if FAILED_MERGER in state.marks:
        play.push(OpenOffers(company))
        return
    begins = earliest if rulings_of(title).merger_offers == "earliest" else director
    holders = tuple(p for p in from_player(state, begins) if shares(title, state, p, company))
    play.push(ShareOffers(company, replace(before, seed=HIDDEN), again, True, holders))


@dataclass(frozen=True, slots=True)
class OpenOffers(Frame):
    """Offers of a new company's shares, in a merger round in which a failed merger was not undone (as on 18xx.games).
    They go on until the holder of the Priority Deal can take no more."""

    company: CompanyId


def share_room(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    """Number of shares of the new company that ``player`` may still take by the holding and certificate limits. Two
    shares exchanged for the director's certificate are one certificate. The rulebooks apply the limit after the
    purchase, a ruling before each share of it."""  # rule 14.15
    holding = most_shares(title, state, company) - shares(title, state, player, company)
    spare = limit_of(title, state) - counted(title, state, player)
    if rulings_of(title).offer_limit == "after":
        saved = spare >= 0 and becomes_director(title, state, company, player, spare + 1)
    else:
        saved = spare > 0 and becomes_director(title, state, company, player, spare)
    return max(0, min(holding, spare + saved))


def _take_the_lead(play: Play, player: PlayerId, company: CompanyId, number: int) -> None:
    """Let a holder of one share buy ``number`` more while the company has no director. He becomes director: the
    treasury has the director's certificate, and he ends with it among his shares."""  # rule 14.11, 14.15
    title = play.title
    director, ordinary = director_kind(title, play.state, company), ordinary_kind(title, play.state, company)
    beside = number - charter_of(title, play.state, company).certificates[director][0].shares
    price = title.price(play.state, company) * number
    play.pay(player, company, price, "share", company)
    play.emit(CertificatesMoved(company, director, 1, TREASURY, player))
    if beside > 0:
        play.emit(CertificatesMoved(company, ordinary, beside, TREASURY, player))
    elif beside < 0:
        play.emit(CertificatesMoved(company, ordinary, -beside, player, TREASURY))
    play.emit(Bought(player, company, number, price, "treasury"), DirectorChanged(company, player))


class ShareOffersStep:
    """Asks the players for their purchases. A player who cannot take a share is not asked."""

    def _most(self, title: Title, state: State, frame: ShareOffers, player: PlayerId) -> int:
        company = frame.company
        left, room = shares(title, state, TREASURY, company), share_room(title, state, player, company)
        most = min(left, room, state.money(player) // title.price(state, company))
        return most if frame.holders else min(1, most)

    def _least(self, title: Title, state: State, frame: ShareOffers) -> int:
        """Least number to take: 1 for a player whom the ruling obliges to come to two shares, otherwise 0."""
        # rule 14.12
        if rulings_of(title).merger_two_shares != "obliged" or not frame.holders:
            return 0
        alone = controller_of(title, state, frame.company) is None
        first = title.policies.director(title, state, frame.company) == frame.waiting[0]
        return 1 if alone and first else 0

    def asked(self, title: Title, state: State, frame: ShareOffers) -> tuple[Ask, ...]:
        if not frame.waiting or not self._most(title, state, frame, frame.waiting[0]):
            return ()
        player = frame.waiting[0]
        about = (frame.company, str(title.price(state, frame.company)))
        least = self._least(title, state, frame)
        return (Ask(player, player, "offer.shares", about, Take(player, least)),)

    def menu(self, title: Title, state: State, frame: ShareOffers, ask: Ask) -> Menu:
        low, high = self._least(title, state, frame), self._most(title, state, frame, ask.player)
        order = Take(ask.player, low)
        return (Range(order, "count", low, high),) if high > low else (Exact(order),)

    def decide(self, play: Play, frame: ShareOffers, ask: Ask, order: Order) -> None:
        title, state, player, company = play.title, play.state, ask.player, frame.company
        if not isinstance(order, Take):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        play.require(order.company in (None, company), "offer.company", company=order.company, offered=company)
        left = shares(title, state, TREASURY, company)
        price, cash = title.price(state, company), state.money(player)
        play.require(order.count >= self._least(title, state, frame), "offer.obliged", company=company)
        play.require(order.count <= left, "offer.none_left", count=order.count, left=left)
        play.require(order.count * price <= cash, "offer.money", cost=order.count * price, cash=cash)
        room = share_room(title, state, player, company)
        play.require(order.count <= room, "offer.limit", count=order.count, room=room)
        play.require(frame.holders or order.count <= 1, "offer.one_each", count=order.count)
        if play.failures:
            return
        play.become(replace(frame, waiting=frame.waiting[1:], last=player))
        if order.count and controller_of(title, state, company) is None:
            _take_the_lead(play, player, company, order.count)
        elif order.count:
            take_shares(play, player, company, order.count, TREASURY, company, "treasury")
        else:
            play.emit(Passed(player))

    def advance(self, play: Play, frame: ShareOffers) -> None:
        if frame.waiting:
            play.emit(Passed(frame.waiting[0], True))
            play.become(replace(frame, waiting=frame.waiting[1:]))
        elif frame.holders:
            self._second_stage(play, frame)
        else:
            play.emit(Marked(f"acting {frame.company}", None))
            play.pop()

    def _second_stage(self, play: Play, frame: ShareOffers) -> None:
        """Offer one share to every player, beginning with the director. Without a director undo the merger, or by a
        ruling open the offers of ``OpenOffers``. By a ruling the last player to answer in the first stage is not asked
        again at once."""
        # rule 14.12, 14.16, 14.17, 14.18
        title, state = play.title, play.state
        director = controller_of(title, state, frame.company)
        if director is None and rulings_of(title).merger_fails == "stays":
            play.emit(Marked(FAILED_MERGER, True))
            play.become(OpenOffers(frame.company))
            return
        if director is not None:
            waiting, offers = from_player(state, director), replace(frame, holders=False)
            if rulings_of(title).merger_offers == "earliest":
                first = next((p for p in waiting if self._most(title, state, offers, p)), None)
                waiting = tuple(p for p in waiting if p != first or p != frame.last)
            play.become(replace(offers, waiting=waiting))
            return
        play.emit(Restored(frame.before, "nobody_has_two_shares"))
        play.become(frame.again)


class OpenOffersStep:
    """Asks for one share at a time. The holder of the Priority Deal cannot decline; until he has finished, the others
    may take shares too."""  # rule 14.12

    def _can_take(self, title: Title, state: State, company: CompanyId, player: PlayerId) -> bool:
        left, room = shares(title, state, TREASURY, company), share_room(title, state, player, company)
        return min(left, room) > 0 and state.money(player) >= title.price(state, company)

    def asked(self, title: Title, state: State, frame: OpenOffers) -> tuple[Ask, ...]:
        able = [p for p in from_player(state, state.priority) if self._can_take(title, state, frame.company, p)]
        if not able or able[0] != state.priority:
            return ()
        about = (frame.company, str(title.price(state, frame.company)))
        return tuple(Ask(p, p, "offer.shares", about, Take(p, 1)) for p in able)

    def menu(self, title: Title, state: State, frame: OpenOffers, ask: Ask) -> Menu:
        return (Exact(Take(ask.player, 1)),)

    def decide(self, play: Play, frame: OpenOffers, ask: Ask, order: Order) -> None:
        player, company = ask.player, frame.company
        if not isinstance(order, Take):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        play.require(order.company in (None, company), "offer.company", company=order.company, offered=company)
        play.require(order.count > 0, "offer.obliged", company=company)
        play.require(order.count <= 1, "offer.one_each", count=order.count)
        if play.failures:
            return
        if controller_of(play.title, play.state, company) is None and shares(play.title, play.state, player, company):
            _take_the_lead(play, player, company, 1)
        else:
            take_shares(play, player, company, 1, TREASURY, company, "treasury")

    def advance(self, play: Play, frame: OpenOffers) -> None:
        if controller_of(play.title, play.state, frame.company) is not None:
            play.emit(Marked(f"acting {frame.company}", None))
        play.pop()
