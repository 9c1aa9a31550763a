"""The transformation of a minor into a major: its certificates, the offers of further ones, and tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.acts.act import Act, Turn
from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import Merged
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Convert, Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.mergers.assets import (
    end_company,
    form_company,
    free_majors,
    give_up_all,
    is_free_major,
    leave_without_president,
    major_charter,
    move_assets,
    receive,
)
from engine.titles.t1841.mergers.decision_order import decision_order
from engine.titles.t1841.mergers.exchange import tell_exchange
from engine.titles.t1841.mergers.partners import check_controlled, too_early
from engine.titles.t1841.mergers.share_offers import begin_offers
from engine.titles.t1841.mergers.token_orders import TokenPurchase
from engine.titles.t1841.mergers.tokens import replace_tokens
from engine.titles.t1841.names import MINOR, NO_CONCESSIONS_PHASE
from engine.titles.t1841.stock.presidency import frozen, tell_frozen

SECOND_TOKEN: Final = 50
FURTHER_TOKEN: Final = 100
"""The price of the second token, which is compulsory."""


@dataclass(frozen=True, slots=True)
class TransformCompany(Act):
    """Transform a minor into a major. This ends the turn."""  # rule 10.22

    takes = (Convert,)
    ends = True

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        kind = charter_of(title, state, company).kind
        return None if kind == MINOR else Failure("transform.class", {"company": company, "kind": kind})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for into in free_majors(title, state):
            order = Convert(turn.company, into)
            if not check_transformation(title, state, order):
                yield Exact(order)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Convert)
        play.note(check_transformation(play.title, play.state, order))
        if not play.failures:
            begin_transformation(play, CompanyId(order.actor), order.into, player)


def check_transformation(title: Title, state: State, order: Convert) -> list[Failure]:
    """Every reason why the minor may not become the major."""  # rule 10.22
    company, failures = CompanyId(order.actor), list[Failure]()
    if not is_free_major(title, state, order.into):
        failures.append(Failure("merge.charter", {"company": order.into, "free": free_majors(title, state)}))
    failures += check_controlled(title, state, company)
    if too_early(title, state, company):
        facts = {"company": company, "phase": state.phase, "from": NO_CONCESSIONS_PHASE}
        failures.append(Failure("transform.historical", facts))
    return failures


def begin_transformation(play: Play, minor: CompanyId, into: CompanyId, first: PlayerId, between: bool = False) -> None:
    """Carry out a checked transformation up to the first question. ``into`` may be the minor itself, which then keeps
    its name. ``first``: the player who decides what nobody else can. ``between``: the transformation belongs to the
    Tuscan merge, and no token is bought."""  # rule 10.22, 10.23, 10.24
    title, before = play.title, play.state
    was_frozen, charter = frozen(title, before), charter_of(title, before, minor)
    owner = owner_of(title, before, minor)
    order = decision_order(title, before, controller_of(title, before, minor) or first)
    held = {h: n for h in (owner, *order) if h is not None and (n := shares(title, before, h, minor)) and h != minor}
    places = tuple((hex, city, minor) for hex, city in before.board.places_of(minor))
    cell = title.cell(before, minor)
    if into != minor:
        give_up_all(play, minor)
    form_company(play, into, major_charter(title, into, charter.markers), cell, "transformed")
    move_assets(play, minor, into)
    replace_tokens(play, into, places, places)
    play.emit(Merged((minor,), into, title.chart.price(cell)))
    for holder, number in held.items():
        receive(play, into, number, holder)
        tell_exchange(play, holder, into, number)
    leave_without_president(play, into)
    if into != minor:
        end_company(play, minor, "converted")
    tell_frozen(play, was_frozen)
    if not between:
        have = charter.markers
        play.push(TokenPurchase(into, first, SECOND_TOKEN if have < 2 else FURTHER_TOKEN, FURTHER_TOKEN, due=have < 2))
    begin_offers(play, into, first, all_players=True)
