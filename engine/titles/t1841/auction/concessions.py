"""The concessions round: sealed bids that are opened together, with contests of equal bids; or, by agreement, open
auctions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine.core.agenda import Ask, Exact, Lot, Menu, Range
from engine.core.events import BidsSealed, BidsUnsealed, Opened, OrderOfPlay, Passed, PriorityMoved, PrivateMoved, Won
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.orders import Open, Order, Pass, SealedBids
from engine.core.secret import SealedOrder
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.succession import from_left_of
from engine.steps.auction import Auction, AuctionStep, running_lot
from engine.steps.automatic import NobodyAsked
from engine.titles.t1841.rulings import rulings_of

CONCESSIONS_ROUND: Final = "ISR"
RAISE: Final = 5
"""The smallest raise in a contest of equal bids."""

Bids: TypeAlias = Mapping[PrivateId, int]
"""The bids of one player, none of them 0."""


@dataclass(frozen=True, slots=True)
class SealedBidding(Frame):
    """``sealed``: the bids received so far. They are opened when everybody has bid."""

    sealed: tuple[SealedOrder, ...] = ()

    def has_bid(self, player: PlayerId) -> bool:
        return any(each.actor == player for each in self.sealed)


@dataclass(frozen=True, slots=True)
class Tie:
    """Several players have made the highest bid, ``amount``, for ``item``. ``players``: those players, nearest to
    priority first."""

    item: PrivateId
    amount: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class TieContests(Frame):
    """``ties``: the concessions still to be contested, by number. The contest under way is an auction on top of this
    frame."""

    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class OpenAuctions(Frame):
    """``turn``: the player who may open an auction. ``declined``: the number of players who have declined in a row."""

    turn: PlayerId
    declined: int = 0


def concessions_round(title: Title, state: State) -> Frame:
    """The frame that the round begins with."""  # rule 2.1
    return SealedBidding() if rulings_of(title).concessions == "sealed" else OpenAuctions(state.players[0])


def unsold(state: State) -> tuple[PrivateId, ...]:
    """The concessions that nobody has, by number."""
    return tuple(item for item, owner in state.privates.items() if owner is None)


def lots_to_come(title: Title, state: State) -> tuple[str, ...]:
    """The concessions that this round may still sell; empty afterwards, when the bank sells them."""
    return unsold(state) if state.round.kind == CONCESSIONS_ROUND else ()


def lot(title: Title, state: State) -> Lot | None:
    """The concession that is being bid on in turns."""
    return running_lot(state)


# ---- sealed bids -----------------------------------------------------------------------------------------------------


class SealedBiddingStep:
    """Every player bids once, in any order. A player who has bid may change his bids until the last player has bid."""

    def asked(self, title: Title, state: State, frame: SealedBidding) -> tuple[Ask, ...]:
        waiting = (player for player in state.players if not frame.has_bid(player))
        items = unsold(state)
        return tuple(Ask(p, p, "concessions.bids", items, SealedBids(p, ()), sealed=True) for p in waiting)

    def menu(self, title: Title, state: State, frame: SealedBidding, ask: Ask) -> Menu:
        """No bids; a minimum bid on a single concession, for each; and minimum bids on as many as the player can pay
        for."""
        items, cash = unsold(state), state.money(ask.player)
        affordable: list[tuple[PrivateId, int]] = []
        for item in items:
            least = title.privates[item].minimum
            if sum(amount for _, amount in affordable) + least <= cash:
                affordable.append((item, least))
        single = [((item, title.privates[item].minimum),) for item in items if title.privates[item].minimum <= cash]
        offers = dict.fromkeys([(), *single, tuple(affordable)])
        return tuple(Exact(SealedBids(ask.player, bids)) for bids in offers)

    def decide(self, play: Play, frame: SealedBidding, ask: Ask, order: Order) -> None:
        if not isinstance(order, SealedBids):
            play.refuse("bids.sealed")  # rule 2.3
            return
        _seal(play, frame, order)

    def advance(self, play: Play, frame: SealedBidding) -> None:
        """Open all bids."""  # rule 2.3, 2.5, 2.9
        bids = {sealed.actor: _bids(sealed.opened()) for sealed in frame.sealed}
        items = unsold(play.state)
        for player in play.state.players:
            shown = tuple((item, bids[player][item]) for item in items if item in bids[player])
            play.emit(BidsUnsealed(player, shown))
        _seat(play, _by_bids(play, bids))  # rule 2.4
        tops = {item: _top(play.state.players, bids, item) for item in items}
        play.become(TieContests(tuple(top for top in tops.values() if top is not None and len(top.players) > 1)))
        for top in tops.values():
            if top is not None and len(top.players) == 1:
                play.emit(Won(top.players[0], top.item, top.amount))
                _take(play, top.item, top.players[0], top.amount)


def decide_anew(play: Play, order: Order) -> bool:
    """Replace the bids of a player who has bid, while others have not. Return False for any other order."""  # rule 2.3
    frame = play.state.top
    if not isinstance(order, SealedBids) or not isinstance(frame, SealedBidding) or not frame.has_bid(order.actor):
        return False
    _seal(play, frame, order)
    return True


def _seal(play: Play, frame: SealedBidding, order: SealedBids) -> None:
    """Check bids and store them in place of the player's older ones."""  # rule 2.2
    title, player = play.title, order.actor
    items, cash = unsold(play.state), play.state.money(player)
    named = [item for item, _ in order.bids]
    for item in dict.fromkeys(named):
        play.require(item in items, "bids.item", item=item, items=items)
        play.require(named.count(item) == 1, "bids.twice", item=item)
    for item, amount in order.bids:
        least = title.privates[item].minimum if item in title.privates else 0
        play.require(amount == 0 or amount >= least, "bids.least", item=item, amount=amount, least=least)
    total = sum(amount for _, amount in order.bids)
    play.require(total <= cash, "bids.money", total=total, cash=cash)
    if play.failures:
        return
    others = tuple(each for each in frame.sealed if each.actor != player)
    play.emit(BidsSealed(player))
    play.become(replace(frame, sealed=(*others, SealedOrder(player, SealedBids(player, ()), order))))


def _bids(order: Order) -> Bids:
    assert isinstance(order, SealedBids)
    return {item: amount for item, amount in order.bids if amount}


def _by_bids(play: Play, bids: Mapping[PlayerId, Bids]) -> list[PlayerId]:
    """The new seats: the player with the highest total of bids first. Of equal totals the one with the
    higher bid on the first concession on which they differ, then the later seat."""  # rule 2.4
    items, seats = unsold(play.state), play.state.players

    def rank(player: PlayerId) -> tuple[int, ...]:
        amounts = [bids[player].get(item, 0) for item in items]
        return (sum(amounts), *amounts, seats.index(player))

    return sorted(seats, key=rank, reverse=True)


def _with_lots(play: Play, rank: Mapping[PlayerId, int]) -> list[PlayerId]:
    """The players by rank, the lowest first; equal ranks in the order of the draw."""
    order: list[PlayerId] = []
    for level in sorted(set(rank.values())):
        equals = [player for player in play.state.players if rank.get(player) == level]
        while equals:
            order.append(play.draw("order of play", equals))
            equals.remove(order[-1])
    return order


def _seat(play: Play, order: Sequence[PlayerId]) -> None:
    if tuple(order) != play.state.players:
        play.emit(OrderOfPlay(tuple(order)))
    if order[0] != play.state.priority:
        play.emit(PriorityMoved(order[0]))


def _top(players: tuple[PlayerId, ...], bids: Mapping[PlayerId, Bids], item: PrivateId) -> Tie | None:
    """The highest bid on a concession, and the players who made it; None if nobody has bid."""
    amount = max(bids[player].get(item, 0) for player in players)
    return Tie(item, amount, tuple(p for p in players if bids[p].get(item) == amount)) if amount else None


def _take(play: Play, item: PrivateId, player: PlayerId, amount: int) -> None:
    play.pay(player, BANK, amount, "bid", item)
    play.emit(PrivateMoved(item, player))


# ---- contests of those who have bid alike ----------------------------------------------------------------------------


class TieContestsStep(NobodyAsked):
    """Contests run one after the other. The player furthest from priority holds the bid; the others raise it or
    withdraw."""

    def advance(self, play: Play, frame: TieContests) -> None:
        if not frame.ties:
            play.pop()
            return
        tie, *others = frame.ties
        play.become(TieContests(tuple(others)))
        *nearer, last = tie.players
        play.push(Auction(tie.item, last, last, tie.amount, tuple(nearer), RAISE))  # rule 2.6, 2.7


def _funds(title: Title, state: State, player: PlayerId) -> int:
    """The player's cash less his highest bids in contests still to come."""  # rule 2.8
    ties = next((frame.ties for frame in state.agenda if isinstance(frame, TieContests)), ())
    return state.money(player) - sum(tie.amount for tie in ties if player in tie.players)


def _may_bid(title: Title, state: State, player: PlayerId) -> bool:
    return True


def _won(play: Play, auction: Auction) -> None:
    _take(play, PrivateId(auction.item), auction.holder, auction.amount)


AUCTIONS: Final = AuctionStep(may_bid=_may_bid, won=_won, funds=_funds, any_amount=True)
"""Contests of ties, and open auctions."""  # rule 2.6, 2.11


# ---- open auctions ---------------------------------------------------------------------------------------------------


class OpenAuctionsStep:
    """The players in turn open an auction or decline."""  # rule 2.10

    def asked(self, title: Title, state: State, frame: OpenAuctions) -> tuple[Ask, ...]:
        if frame.declined >= len(state.players) or not _openings(title, state, frame.turn):
            return ()
        return (Ask(frame.turn, frame.turn, "concessions.open", unsold(state)),)

    def menu(self, title: Title, state: State, frame: OpenAuctions, ask: Ask) -> Menu:
        player, cash = ask.player, state.money(ask.player)
        openings = [
            Range(Open(player, item, low := title.privates[item].minimum), "amount", low, cash)
            for item in _openings(title, state, player)
        ]
        return (*openings, Exact(Pass(player)))

    def decide(self, play: Play, frame: OpenAuctions, ask: Ask, order: Order) -> None:
        if isinstance(order, Pass):
            play.emit(Passed(ask.player))
            self._decline(play, frame)
        elif isinstance(order, Open):
            self._open(play, ask.player, order)
        else:
            play.refuse("order.wrong_kind", asked=ask.what)

    def _open(self, play: Play, player: PlayerId, order: Open) -> None:
        title, items, cash = play.title, unsold(play.state), play.state.money(player)
        item = items[0] if order.item is None and len(items) == 1 else order.item
        if item not in items:
            play.refuse("open.item", item=item, items=items)
            return
        concession = PrivateId(item)
        least = title.privates[concession].minimum
        amount = least if order.amount is None else order.amount
        play.require(amount >= least, "open.too_low", item=item, amount=amount, least=least)
        play.require(amount <= cash, "bid.money", amount=amount, cash=cash)
        if play.failures:
            return
        play.emit(Opened(player, concession, amount))
        play.become(OpenAuctions(from_left_of(play.state, player)[0]))
        least_raise = int(rulings_of(title).open_raise)
        play.push(Auction(concession, player, player, amount, from_left_of(play.state, player), least_raise))

    def _decline(self, play: Play, frame: OpenAuctions) -> None:
        play.become(OpenAuctions(from_left_of(play.state, frame.turn)[0], frame.declined + 1))

    def advance(self, play: Play, frame: OpenAuctions) -> None:
        if unsold(play.state) and frame.declined < len(play.state.players):
            play.emit(Passed(frame.turn, forced=True))
            self._decline(play, frame)
            return
        play.pop()  # rule 2.12
        _seat(play, _by_spending(play))


def _openings(title: Title, state: State, player: PlayerId) -> tuple[PrivateId, ...]:
    """The unsold concessions whose minimum price the player can pay."""
    return tuple(item for item in unsold(state) if title.privates[item].minimum <= state.money(player))


def _by_spending(play: Play) -> list[PlayerId]:
    """The new seats: the player who has spent most first; ties and players without a concession by a ruling."""
    # rule 2.13
    state = play.state
    numbers = list(state.privates)
    lowest = {
        p: min((n for n, item in enumerate(numbers) if state.privates[item] == p), default=-1) for p in state.players
    }
    seats = sorted(state.players, key=lambda p: (state.money(p), lowest[p]))
    if rulings_of(play.title).open_seats == "cash":
        return seats
    owners = [player for player in seats if lowest[player] >= 0]
    return [*owners, *_with_lots(play, {p: 0 for p in seats if lowest[p] < 0})]
