"""Powers of privates that can be used at any moment: the Furka-Oberalp track and the train EVA."""

from __future__ import annotations

from typing import Final

from engine.acts.act import turn_in
from engine.acts.buy_train import train_room
from engine.core.agenda import Exact, Menu
from engine.core.events import OverlayLaid, PrivateClosed
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.orders import Order, UsePrivate
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.discard import Discards
from engine.titles.t1844.names import EVA, EVA_PHASE, FIRST_POWERS_PHASE, FURKA, OERLIKON
from engine.titles.t1844.pieces import FURKA as FURKA_PIECES
from engine.titles.t1844.policies import director
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import look_at_destinations
from engine.titles.t1844.turn.emergency import HelpSales
from engine.titles.t1844.turn.trains import must_own, take_train

FURKA_PAYMENT: Final = 80


def unasked(title: Title, state: State, player: PlayerId) -> Menu:
    """Orders that the player may give at any moment for privates of his own or of his companies."""
    return tuple(Exact(order) for order in _orders(title, state, player) if _legal(title, state, order))


def _orders(title: Title, state: State, player: PlayerId) -> list[UsePrivate]:
    found = []
    owner = state.privates.get(FURKA)
    if owner == player:
        found.append(UsePrivate(player, FURKA))
    elif owner is not None and owner in state.companies and director(title, state, CompanyId(owner)) == player:
        found.append(UsePrivate(CompanyId(owner), FURKA))
    if state.privates.get(OERLIKON) == player:
        found += [UsePrivate(player, OERLIKON, c) for c in state.companies if director(title, state, c) == player]
    return found


def _legal(title: Title, state: State, order: UsePrivate) -> bool:
    play = Play(title, state)
    _check(play, order)
    return not play.failures


def decide_unasked(play: Play, order: Order) -> bool:
    """Carry out or refuse the use of a private. Returns False for any other order."""
    if not isinstance(order, UsePrivate):
        return False
    _check(play, order)
    if play.failures:
        return True
    if order.private == FURKA:
        lay_furka(play)
        return True
    assert order.company is not None
    take_train(play, order.company, EVA, "")  # rule 12.12, 12.13
    play.emit(PrivateClosed(OERLIKON))
    if train_room(play.title, play.state, order.company) < 0:
        play.push(Discards((order.company,)))
    return True


def _check(play: Play, order: UsePrivate) -> None:
    title, state = play.title, play.state
    if not play.require(order.private in (FURKA, OERLIKON), "use.no_power", private=order.private):
        return
    owner = state.privates.get(order.private)
    if order.private not in state.privates:
        play.refuse("use.closed", private=order.private)
        return
    facts = {"private": order.private, "owner": owner, "actor": order.actor, "company": order.company}
    mine = play.require(owner == order.actor, "use.not_owner", **facts)
    first = FIRST_POWERS_PHASE if order.private == FURKA else EVA_PHASE  # rule 6.21, 12.12
    play.require(title.reached(state, first), "use.too_early", private=order.private, phase=state.phase, first=first)
    if order.private == OERLIKON:
        if mine:
            _check_company(play, order)
    else:
        play.require(order.company is None, "order.no_such_part", part="company")


def _check_company(play: Play, order: UsePrivate) -> None:
    """Check the company that is to get the train. The owner must direct it; rulings require more."""  # rule 12.12
    title, state, company = play.title, play.state, order.company
    mine = tuple(c for c in state.companies if director(title, state, c) == order.actor)
    if not play.require(company is not None and company in mine, "use.company", company=company, companies=mine):
        return
    assert company is not None
    turn = turn_in(state)
    operating = None if turn is None else turn.company
    if rulings_of(title).eva_company == "operating":
        play.require(operating == company, "use.not_operating", company=company, operating=operating)
    if rulings_of(title).help_purpose == "short":  # rule 11.13
        sold = turn is not None and operating == company and turn.note(HelpSales).companies
        play.require(not (sold and must_own(title, state, company)), "use.sold_for_train", company=company)
    if rulings_of(title).eva_limit == "kept":
        limit = title.policies.train_limit(title, state, company)
        play.require(train_room(title, state, company) > 0, "use.limit", company=company, limit=limit)


def lay_furka(play: Play) -> None:
    """Lay all pieces of the Furka-Oberalp track for free, close its private and pay the owner."""
    # rule 6.21, 6.22
    owner = play.state.privates[FURKA]
    for hex, (piece, rotation) in FURKA_PIECES.items():
        play.emit(OverlayLaid(FURKA, hex, piece, rotation))
    play.emit(PrivateClosed(FURKA))
    if owner is not None:
        play.pay(BANK, owner, FURKA_PAYMENT, "furka", FURKA)
    look_at_destinations(play)
