"""The initial auction: the privates are sold in order. The auctioneer of each bids or passes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Lot, Menu, Range
from engine.core.checks import Failure
from engine.core.events import (
    BidMade,
    CertificatesMoved,
    Dropped,
    MinimumReduced,
    OrderOfPlay,
    PriorityMoved,
    PrivateMoved,
    Won,
)
from engine.core.ids import BANK, IPO, CompanyId, PlayerId, PrivateId
from engine.core.orders import Bid, Drop, Order, Pass, Start
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import ordinary_kind
from engine.holders.succession import from_player
from engine.titles.t1844.names import BRIENZ, FERROVIE, FIRST_TUNNEL, FNM, GOTTHARD_MAIL, MOB, MONTREUX, PRIVATE
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import PAR_MARK, launch_if_due, set_par

STEP = 5
"""The least raise of a bid, and the amount by which the least bid for the first private falls."""


@dataclass(frozen=True, slots=True)
class OpeningAuction(Frame):
    """The auction of ``item``. ``least``: the least first bid. ``holder``: the high bidder, with a bid of ``amount``.
    ``waiting``: players other than the holder who may still bid, the next to answer first. ``skipped``: how often a
    player has been passed over as auctioneer."""

    item: PrivateId
    least: int
    waiting: tuple[PlayerId, ...]
    holder: PlayerId | None = None
    amount: int = 0
    skipped: int = 0

    @property
    def low(self) -> int:
        """The least bid that is legal now."""
        return self.least if self.holder is None else self.amount + STEP


def opened(title: Title, state: State, item: PrivateId, skipped: int = 0, again: bool = False) -> OpeningAuction:
    """Return the new auction of a private. ``skipped``: how often a player has been passed over as auctioneer before.
    ``again``: all players have already passed on this private."""  # rule 2.1, 2.2, 2.8
    for_sale = [p for p in title.privates if title.privates[p].kind == PRIVATE]
    left = for_sale[for_sale.index(item) :]
    least, turn, players = min(title.privates[p].minimum for p in left), for_sale.index(item), state.players
    ruling = rulings_of(title).poor_auctioneer
    if ruling == "skipped" or (ruling == "asked" and not again):
        poor = (state.money(players[(turn + skipped + n) % len(players)]) < least for n in range(len(players)))
        nobody = 0 if ruling == "skipped" else len(players) - 1  # the previous auctioneer stays
        skipped += next((n for n, too_poor in enumerate(poor) if not too_poor), nobody)
    auctioneer = players[(turn + skipped) % len(players)]
    return OpeningAuction(item, title.privates[item].minimum, from_player(state, auctioneer), skipped=skipped)


def _speaks_first(title: Title, state: State, frame: OpeningAuction) -> bool:
    """True if the auctioneer has yet to answer and the ruling asks him even if he can only pass."""  # rule 2.1, 2.4
    silent = frame.holder is None and len(frame.waiting) == len(state.players)
    return silent and rulings_of(title).poor_auctioneer == "asked"


def first_auction(title: Title, state: State) -> OpeningAuction:
    """Return the auction with which a game begins."""
    return opened(title, state, BRIENZ)


def lot(title: Title, state: State) -> Lot | None:
    """The private under auction; None while a player chooses the par that the private before it brought."""
    frame = state.agenda[-1] if state.agenda else None
    if not isinstance(frame, OpeningAuction):
        return None
    if frame.holder is None:
        return Lot(frame.item, frame.waiting)  # rule 2.6, 2.8
    return Lot(frame.item, frame.waiting, frame.holder, frame.amount, frame.low)


def lots_to_come(title: Title, state: State) -> tuple[str, ...]:
    """The unsold privates."""
    return tuple(
        p for p, data in title.privates.items() if data.kind == PRIVATE and state.privates.get(p, BANK) is None
    )


class OpeningAuctionStep:
    """Auctions one private after the other, until all are sold."""

    def asked(self, title: Title, state: State, frame: OpeningAuction) -> tuple[Ask, ...]:
        if not frame.waiting or frame.low == 0:
            return ()
        player = frame.waiting[0]
        if state.money(player) < frame.low and not _speaks_first(title, state, frame):
            return ()
        if frame.holder is None:
            return (Ask(player, player, "auction.first", (frame.item, str(frame.low))),)
        return (Ask(player, player, "auction.bid", (frame.item, str(frame.amount), frame.holder)),)

    def menu(self, title: Title, state: State, frame: OpeningAuction, ask: Ask) -> Menu:
        drop, cash = Exact(Drop(ask.player, frame.item)), state.money(ask.player)
        if cash < frame.low:
            return (drop,)
        return (Range(Bid(ask.player, frame.low, frame.item), "amount", frame.low, cash), drop)

    def decide(self, play: Play, frame: OpeningAuction, ask: Ask, order: Order) -> None:
        player = ask.player
        if isinstance(order, Pass):  # only the bidding can be passed here
            order = Drop(player, frame.item)
        if not isinstance(order, Bid | Drop):
            play.refuse("open.privates_first", private=frame.item)  # rule 2.9
            return
        play.require(order.item in (None, frame.item), "bid.item", item=order.item, running=frame.item)
        if isinstance(order, Bid):  # rule 2.3
            cash = play.state.money(player)
            play.require(order.amount >= frame.low, "bid.too_low", amount=order.amount, least=frame.low)
            play.require(order.amount <= cash, "bid.money", amount=order.amount, cash=cash)
        if play.failures:
            return
        rest = frame.waiting[1:]
        if isinstance(order, Drop):  # rule 2.4
            play.emit(Dropped(player, frame.item, False))
            play.become(replace(frame, waiting=rest))
            return
        play.emit(BidMade(player, frame.item, order.amount))
        if frame.holder is not None:
            rest = (*rest, frame.holder)
        play.become(replace(frame, waiting=rest, holder=player, amount=order.amount))

    def advance(self, play: Play, frame: OpeningAuction) -> None:
        if frame.waiting and frame.holder is None and frame.low == 0:  # rule 2.7
            self._won(play, frame, frame.waiting[0], 0)
        elif frame.waiting:  # rule 2.4
            play.emit(Dropped(frame.waiting[0], frame.item, True))
            play.become(replace(frame, waiting=frame.waiting[1:]))
        elif frame.holder is not None:
            self._won(play, frame, frame.holder, frame.amount)
        else:
            self._nobody(play, frame)

    def _nobody(self, play: Play, frame: OpeningAuction) -> None:
        """Auction the private again after all have passed. The least bid for the first private falls; for any other,
        the sold privates pay income first."""
        # rule 2.6, 2.8
        offered = opened(play.title, play.state, frame.item, frame.skipped, again=True)
        if frame.item == BRIENZ:
            offered = replace(offered, least=frame.least - STEP)
            play.emit(MinimumReduced(frame.item, offered.least))
        else:
            for private, owner in play.state.privates.items():
                if owner is not None:
                    play.pay(BANK, owner, play.title.privates[private].income, "income", private)
        play.become(offered)

    def _won(self, play: Play, frame: OpeningAuction, player: PlayerId, amount: int) -> None:
        title, item = play.title, frame.item
        play.emit(Won(player, item, amount))
        play.pay(player, BANK, amount, "bid", item)  # rule 2.5
        play.emit(PrivateMoved(item, player))
        left = [p for p in title.privates if title.privates[p].kind == PRIVATE and play.state.privates[p] is None]
        if left:
            play.become(opened(title, play.state, left[0], frame.skipped))
        else:
            play.pop()
            seat_anew(play, richest_first=False)  # rule 2.13
        if item == GOTTHARD_MAIL:  # rule 2.10
            play.emit(PrivateMoved(FIRST_TUNNEL, player))
        elif item == MONTREUX:  # rule 2.11
            play.emit(CertificatesMoved(MOB, ordinary_kind(title, play.state, MOB), 1, IPO, player))
        elif item == FERROVIE:  # rule 2.12
            play.push(ParChoice(player, FNM))


def seat_anew(play: Play, richest_first: bool) -> None:
    """Order the players by cash. Players with equal cash keep their order."""  # rule 2.13, 4.26
    sign = -1 if richest_first else 1
    players = tuple(sorted(play.state.players, key=lambda p: sign * play.state.money(p)))
    play.emit(OrderOfPlay(players), PriorityMoved(players[0]))


@dataclass(frozen=True, slots=True)
class ParChoice(Frame):
    """The player has won the director's certificate of ``company`` and chooses its par."""

    player: PlayerId
    company: CompanyId


def pars_to_come(title: Title, state: State) -> tuple[CompanyId, ...]:
    """The company whose director's certificate comes with a private, until it has a par."""  # rule 2.12
    return () if state.companies[FNM].par is not None else (FNM,)


class ParChoiceStep:
    """Asks for the par of a company whose director's certificate came with a private."""  # rule 2.12

    def asked(self, title: Title, state: State, frame: ParChoice) -> tuple[Ask, ...]:
        if state.companies[frame.company].par is not None:
            return ()
        return (Ask(frame.player, frame.player, "par", (frame.company,)),)

    def menu(self, title: Title, state: State, frame: ParChoice, ask: Ask) -> Menu:
        return tuple(Exact(Start(frame.player, frame.company, price)) for price in pars(title))

    def decide(self, play: Play, frame: ParChoice, ask: Ask, order: Order) -> None:
        if not isinstance(order, Start):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        play.require(order.company == frame.company, "par.company", company=order.company, asked=frame.company)
        play.note(check_par(play.title, order))
        if not play.failures:
            set_par(play, frame.company, frame.player, order.price)

    def advance(self, play: Play, frame: ParChoice) -> None:
        play.pop()
        launch_if_due(play, frame.company)


def pars(title: Title) -> tuple[int, ...]:
    """All pars, lowest first."""  # rule 3.5
    return tuple(title.chart.price(c) for c in title.chart.cells_marked(PAR_MARK))


def check_par(title: Title, order: Start) -> Iterator[Failure]:
    """Require a legal par and refuse a choice of space."""  # rule 3.5
    if order.price not in pars(title):
        yield Failure("start.price", {"price": order.price, "prices": pars(title)})
    if order.space is not None:
        yield Failure("par.space", {"company": order.company})


__all__ = [
    "OpeningAuction", "OpeningAuctionStep", "ParChoice", "ParChoiceStep", "check_par", "first_auction", "pars",
    "seat_anew",
]  # fmt: skip
