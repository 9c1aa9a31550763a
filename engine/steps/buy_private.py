"""A company buys a private company from a player."""

from __future__ import annotations

from engine.core.checks import Failure
from engine.core.events import PrivateMoved
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.orders import BuyPrivate
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title


def owner_of(state: State, private: PrivateId) -> PlayerId | None:
    """The player who owns the private; None where no player does."""
    owner = state.privates.get(private)
    return next((p for p in state.players if p == owner), None)


def check_private(title: Title, state: State, order: BuyPrivate, phases: tuple[str, ...]) -> list[Failure]:
    """Every reason against a purchase, consent aside. ``phases``: those in which companies may buy privates."""
    failures = list[Failure]()
    if order.private not in title.privates:
        return [Failure("private.unknown", {"private": order.private})]
    if state.phase not in phases:
        failures.append(Failure("private.phase", {"phase": state.phase, "from": phases[0], "to": phases[-1]}))
    if owner_of(state, order.private) is None:
        failures.append(
            Failure("private.not_with_player", {"private": order.private, "owner": state.privates.get(order.private)})
        )
    face, cash = title.privates[order.private].face, state.money(order.actor)
    if not 1 <= order.price <= face:
        failures.append(Failure("private.price", {"private": order.private, "price": order.price, "face": face}))
    if order.price > cash:
        failures.append(Failure("private.money", {"price": order.price, "cash": cash}))
    return failures


def buy_private(play: Play, order: BuyPrivate) -> None:
    """A checked and agreed purchase."""
    owner = owner_of(play.state, order.private)
    assert owner is not None
    company: CompanyId = order.actor
    play.pay(company, owner, order.price, "private", order.private)
    play.emit(PrivateMoved(order.private, company))
