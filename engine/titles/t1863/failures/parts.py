"""The lots of a company in liquidation: its markers, its trains, its privates, and its subsidiaries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.acts.buy_train import train_room
from engine.core.checks import Failure
from engine.core.events import PrivateMoved, TrainMoved
from engine.core.ids import Actor, CompanyId, Owner
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, controller_of
from engine.holders.ledger import shares
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.failures.failure import COMPANIES, MARKERS, PRIVATES, TRAINS
from engine.titles.t1863.failures.liquidation import give_up
from engine.titles.t1863.failures.lots import LotAuction, LotRules, all_means, pay_with_loans
from engine.titles.t1863.mergers.markers import join_markers
from engine.titles.t1863.names import CLINK
from engine.titles.t1863.phases import ask_for_discards
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.circles import circle_refused, closed_by
from engine.titles.t1863.stock.limits import check_limits
from engine.titles.t1863.stock.presidency import move_shares
from engine.titles.t1863.stock.shares import shorts_of


def _means(title: Title, state: State, frame: LotAuction, entity: Actor) -> int:
    return all_means(title, state, entity)


def _no_entity(frame: LotAuction, entity: Actor) -> Failure:
    return Failure("lot.entity", {"entity": entity, "kind": frame.kind, "company": frame.seller})


# ---- may bid ---------------------------------------------------------------------------------------------------------


def _company(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """Only companies may bid for markers and trains."""  # rule 8.5, 12.45
    return None if player_of(state, entity) is None else _no_entity(frame, entity)


def _with_room(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """Only a company with room for all the trains may bid for them, or by a ruling any."""  # rule 8.5, 12.76
    if (failure := _company(title, state, frame, entity)) is not None:
        return failure
    if rulings_of(title).train_lots == "excess":
        return None
    number = len(state.companies[CompanyId(frame.seller)].trains)
    room = max(0, train_room(title, state, CompanyId(entity)))
    return Failure("lot.trains", {"entity": entity, "count": number, "room": room}) if number > room else None


def _owner(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """Refuse bids for privates by the owner of the Clink Club for himself."""
    # rule 8.5, 9.13, 12.45
    if player_of(state, entity) is None:
        return None
    return _no_entity(frame, entity) if state.privates.get(CLINK) == entity else None


def _parent(title: Title, state: State, frame: LotAuction, entity: Actor) -> Failure | None:
    """Any entity may bid for a subsidiary within the limits, except the subsidiary itself, a company below it, and a
    company for which the purchase would close a circle. A player with shorts of it may not bid either: matching them
    would cost him the president's certificate."""
    # rule 4.1, 8.5, 12.65
    company, player = CompanyId(frame.item), player_of(state, entity)
    if entity == company or (player is None and company in chain_of(title, state, CompanyId(entity))):
        return _no_entity(frame, entity)
    if player is not None and (number := shorts_of(state, player, company)):
        return Failure("lot.shorts", {"company": company, "count": number})
    more = shares(title, state, frame.seller, company)
    if player is None:
        deed = partial(move_shares, company=company, number=more, source=CompanyId(frame.seller), target=entity)
        if circles := closed_by(title, state, deed):
            return circle_refused(title, company, circles)
    mine = decider_of(title, state, entity)
    own = more if mine is not None and mine == controller_of(title, state, CompanyId(frame.seller)) else 0
    return next(iter(check_limits(title, state, entity, company, more, own)), None)


# ---- sold and unsold -------------------------------------------------------------------------------------------------


def _pay(play: Play, frame: LotAuction) -> tuple[CompanyId, Actor]:
    """Let the buyer pay the company in liquidation. Return seller and buyer."""
    assert frame.holder is not None, frame
    pay_with_loans(play, frame.holder, frame.seller, frame.amount, frame.item)
    return CompanyId(frame.seller), frame.holder


def _markers_sold(play: Play, frame: LotAuction) -> None:
    seller, buyer = _pay(play, frame)
    join_markers(play, seller, CompanyId(buyer))


def _trains_sold(play: Play, frame: LotAuction) -> None:
    seller, buyer = _pay(play, frame)
    play.emit(*(TrainMoved(train, seller, buyer) for train in play.state.companies[seller].trains))
    ask_for_discards(play, (CompanyId(buyer),))


def _privates_sold(play: Play, frame: LotAuction) -> None:
    seller, buyer = _pay(play, frame)
    owner: Owner = buyer
    play.emit(*(PrivateMoved(private, owner) for private, of in play.state.privates.items() if of == seller))


def _company_sold(play: Play, frame: LotAuction) -> None:
    seller, buyer = _pay(play, frame)
    company = CompanyId(frame.item)
    move_shares(play, company, shares(play.title, play.state, seller, company), seller, buyer)


def _unsold(play: Play, frame: LotAuction) -> None:
    give_up(play, CompanyId(frame.seller), frame.kind)


def _kept(play: Play, frame: LotAuction) -> None:
    """Do nothing: the liquidation then breaks up the subsidiary too."""


def _markers(title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
    return tuple(hex for hex, _ in state.board.places_of(CompanyId(frame.seller)))


def _trains(title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
    return state.companies[CompanyId(frame.seller)].trains


def _privates(title: Title, state: State, frame: LotAuction) -> tuple[str, ...]:
    return tuple(private for private, owner in state.privates.items() if owner == frame.seller)


PART_LOTS: Final[Mapping[str, LotRules]] = {
    MARKERS: LotRules(_company, _means, _markers_sold, _unsold, _markers),
    TRAINS: LotRules(_with_room, _means, _trains_sold, _unsold, _trains),
    PRIVATES: LotRules(_owner, _means, _privates_sold, _unsold, _privates),
    COMPANIES: LotRules(_parent, _means, _company_sold, _kept),
}
"""The kinds of lots with their rules."""  # rule 8.5
