"""The Secession of the Ferdinandea: the IRSFF is divided, and its certificates become those of its two parts.

First the holders of pairs get the presidencies. Then each further pair becomes one certificate of each part, in
decision order. Finally, a single certificate becomes one of the part that its holder prefers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.board.network import bases, reach
from engine.board.ways import Base, Ways
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import CertificatesMoved, DirectorChanged
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, HexId, Place, PlayerId
from engine.core.orders import Order, Prefer
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, ordinary_kind
from engine.holders.control import controller_of, count, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.mergers.assets import close_unused, end_company, give_up
from engine.titles.t1841.mergers.decision_order import Decider, as_actor, deciders
from engine.titles.t1841.mergers.exchange import PAIR, tell_exchange
from engine.titles.t1841.mergers.fragment_offers import FragmentOffers
from engine.titles.t1841.mergers.fragments import divide, parts_of
from engine.titles.t1841.names import IRSFF, MILANO, VENEZIA
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.presidency import frozen, tell_frozen, transfer
from engine.titles.t1841.turn.queue import replace_in_round


@dataclass(frozen=True, slots=True)
class Secession(Frame):
    """``first``: the player with whom decision order begins; ``order``: the whole order before the division. ``stage``:
    the choice of the IRSFF's president, the pairs, the single certificates, or the end. ``waiting``: those who still
    have a single certificate."""

    first: PlayerId
    order: tuple[Decider, ...]
    stage: Literal["president", "pairs", "singles", "end"] = "president"
    waiting: tuple[Decider, ...] = ()
    price: int | None = None
    """The price of the IRSFF when it was divided; None in a game that reached its Secession before this was kept."""
    was_frozen: frozenset[CompanyId] = frozenset()


def begin_secession(play: Play, active: PlayerId) -> None:
    """Divide the IRSFF, if it is in play and no route joins Milano with Venezia; otherwise remove its unused parts.
    ``active``: the player whose company bought the first 4-train."""  # rule 9.4
    title, state = play.title, play.state
    if state.companies[IRSFF].status != "open" or joined(title, state):
        for part in parts_of(title):
            close_unused(play, part)
        return
    first = controller_of(title, state, IRSFF) or active
    order, price = deciders(title, state, first), title.price(state, IRSFF)
    play.push(Secession(first, order, price=price, was_frozen=frozen(title, state)))
    divide(play)


def joined(title: Title, state: State) -> bool:
    """True if some company could run between the cities of Milano and Venezia: one of its city tokens reaches both."""
    # rule 9.4
    board = state.board
    ends = [("c", *_city(state, hex)) for hex in (MILANO, VENEZIA)]
    for company, now in state.companies.items():
        if now.status != "open":
            continue
        ways = title.policies.ways(title, state, company, "run")
        for base in bases(board, company, Ways(kinds=frozenset({"city"}))):
            found = reach(board, company, replace(ways, kinds=frozenset({"city"}), base=base))
            if all(end in found for end in ends):
                return True
    return False


def _city(state: State, hex: HexId) -> Base:
    """The city of the hex in which the IRSFF has its token; the first city if it has none."""
    return next((place for place in state.board.places_of(IRSFF) if place[0] == hex), (hex, 0))


class SecessionStep:
    """Exchange the certificates of the holders of the IRSFF. A holder who has no choice is not asked."""

    def asked(self, title: Title, state: State, frame: Secession) -> tuple[Ask, ...]:
        match frame.stage:
            case "president":
                holder, player = self._first_pair(title, state, frame)
                if player is None or self._gets_both(title, state, frame, holder):
                    return ()
                actor = as_actor(state, holder)
                about = ("president", holder, *parts_of(title))
                return (Ask(player, actor, "secession.part", about, Prefer(actor, parts_of(title)[0])),)
            case "singles" if frame.waiting and len(self._left(title, state)) == len(parts_of(title)):
                holder, controller = frame.waiting[0]
                single = frame.first if holder == POOL else controller
                if single is None:
                    return ()
                actor = single if holder == POOL else as_actor(state, holder)
                one = ("single", holder, *parts_of(title))
                return (Ask(single, actor, "secession.part", one, Prefer(actor, parts_of(title)[0])),)
        return ()

    def menu(self, title: Title, state: State, frame: Secession, ask: Ask) -> Menu:
        return tuple(Exact(Prefer(ask.actor, part)) for part in parts_of(title))

    def decide(self, play: Play, frame: Secession, ask: Ask, order: Order) -> None:
        if not isinstance(order, Prefer):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        parts = parts_of(play.title)
        if play.require(order.company in parts, "prefer.company", company=order.company, parts=parts):
            if frame.stage == "president":
                self._president(play, frame, order.company)
            else:
                self._single(play, frame, order.company)

    def advance(self, play: Play, frame: Secession) -> None:
        match frame.stage:
            case "president":
                self._president(play, frame, parts_of(play.title)[0])
            case "pairs":
                self._pairs(play, frame)
            case "singles" if frame.waiting:
                self._single(play, frame, next(iter(self._left(play.title, play.state)), None))
            case "singles":
                play.become(replace(frame, stage="end"))
                if rulings_of(play.title).fragment_offers or rulings_of(play.title).fragment_tokens:
                    play.push(FragmentOffers(parts_of(play.title), frame.first))
            case "end":
                play.pop()
                replace_in_round(play, IRSFF, *parts_of(play.title))
                end_company(play, IRSFF, "divided")
                tell_frozen(play, frame.was_frozen)

    # ---- presidencies and pairs -----------------------------------------------------------------------------------

    def _first_pair(self, title: Title, state: State, frame: Secession) -> Decider:
        """The holder who gets the first presidency: the president of the IRSFF. A frozen company waits until the others
        have exchanged their pairs (under the site's ruling, ``first`` decides for it). It is the pool if nobody is
        president."""
        # rule 9.9, clarification 2.27, 3.3
        owner = owner_of(title, state, IRSFF)
        if owner is None:
            return POOL, None
        player = controller_of(title, state, IRSFF)
        if player is None and rulings_of(title).second_presidency == "owner":
            player = frame.first
        if player is not None:
            return owner, player
        return next(d for d in _order(title, state, frame) if shares(title, state, d[0], IRSFF) >= PAIR)

    def _gets_both(self, title: Title, state: State, frame: Secession, holder: Place) -> bool:
        """True if the holder of the first pair gets both presidencies anyway: he has two pairs, and the second is the
        next in decision order (under the site's ruling, in any order)."""  # rule 9.9
        if shares(title, state, holder, IRSFF) < 2 * PAIR:
            return False
        if rulings_of(title).second_presidency == "owner":
            return True
        pairs = [h for h, _ in _order(title, state, frame) if shares(title, state, h, IRSFF) >= PAIR]
        return pairs[0] == holder

    def _president(self, play: Play, frame: Secession, part: CompanyId) -> None:
        """Give the presidency of ``part`` for the first pair. It goes to the pool if the president's certificate of the
        IRSFF lies there."""  # rule 9.9, clarification 3.3
        title, state = play.title, play.state
        holder, _ = self._first_pair(title, state, frame)
        if holder == POOL and rulings_of(title).pooled_presidency == "one_each":
            _preside(play, part, POOL)
            every = tuple(d for d in _order(title, play.state, frame) if shares(title, state, d[0], IRSFF))
            play.become(replace(frame, stage="singles", waiting=every))
            return
        both = holder != POOL and self._gets_both(title, state, frame, holder)
        play.become(replace(frame, stage="pairs"))
        give_up(play, holder, (IRSFF,), PAIR)
        _preside(play, part, holder)
        if both and rulings_of(title).second_presidency == "owner":
            give_up(play, holder, (IRSFF,), PAIR)
            _preside(play, next(p for p in parts_of(title) if p != part), holder)

    def _pairs(self, play: Play, frame: Secession) -> None:
        """Exchange every pair, in decision order. The first brings the other presidency, each later one a certificate
        of both parts. A presidency for which nobody has a pair goes to the pool."""
        # rule 9.9, 9.10, clarification 3.3
        title = play.title
        for holder, _ in _order(title, play.state, frame):
            while shares(title, play.state, holder, IRSFF) >= PAIR:
                give_up(play, holder, (IRSFF,), PAIR)
                free = _without_president(title, play.state)
                if free is not None:
                    _preside(play, free, holder)
                else:
                    for part in parts_of(title):
                        transfer(play, part, 1, TREASURY, holder)
                        tell_exchange(play, holder, part, 1)
        if (free := _without_president(title, play.state)) is not None:
            _preside(play, free, POOL)
        order = _order(title, play.state, frame)
        waiting = tuple(d for d in order if shares(title, play.state, d[0], IRSFF))
        play.become(replace(frame, stage="singles", waiting=waiting))

    # ---- single certificates --------------------------------------------------------------------------------------

    def _left(self, title: Title, state: State) -> tuple[CompanyId, ...]:
        """The parts of which certificates are left. A frozen company takes the first."""  # clarification 2.27
        free = () if rulings_of(title).pooled_presidency == "pairs" else (_without_president(title, state),)
        return tuple(
            p for p in parts_of(title) if p in free or count(state, TREASURY, p, ordinary_kind(title, state, p))
        )

    def _single(self, play: Play, frame: Secession, part: CompanyId | None) -> None:
        """Exchange the next single certificate of the IRSFF for one of ``part``. If none is left, the bank pays the
        holder, unless it is the pool, the price that the IRSFF had."""  # rule 9.11, 9.12, clarification 3.3
        title, (holder, _) = play.title, frame.waiting[0]
        play.become(replace(frame, waiting=frame.waiting[1:]))
        give_up(play, holder, (IRSFF,), shares(title, play.state, holder, IRSFF))
        if part is not None and part == _without_president(title, play.state):
            _preside(play, part, holder)  # by the site's ruling alone one is free now
        elif part is not None:
            transfer(play, part, 1, TREASURY, holder)
            tell_exchange(play, holder, part, 1)
        elif holder != POOL and rulings_of(title).secession_leftovers == "paid":
            price = title.price(play.state, parts_of(title)[0]) if frame.price is None else frame.price
            play.pay(BANK, holder, price, "exchange", IRSFF)
            tell_exchange(play, holder, IRSFF, 0, price)


def _order(title: Title, state: State, frame: Secession) -> tuple[Decider, ...]:
    """The decision order before the division; under the site's ruling, the present one."""
    return frame.order if rulings_of(title).merger_control == "before" else deciders(title, state, frame.first)


def _without_president(title: Title, state: State) -> CompanyId | None:
    """The first part whose president's certificate nobody has yet; None if there is none."""
    return next((p for p in parts_of(title) if count(state, TREASURY, p, director_kind(title, state, p))), None)


def _preside(play: Play, part: CompanyId, holder: Place) -> None:
    play.emit(CertificatesMoved(part, director_kind(play.title, play.state, part), 1, TREASURY, holder))
    if holder != POOL:
        play.emit(DirectorChanged(part, as_actor(play.state, holder)))
        tell_exchange(play, holder, part, PAIR)
