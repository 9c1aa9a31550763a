"""The order in which holders decide about their old certificates after mergers, transformations and the Secession."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.ids import POOL, Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.control import controlled_by, controller_of
from engine.holders.succession import from_player
from engine.titles.t1841.names import RESIGNED
from engine.titles.t1841.rulings import rulings_of

Decider: TypeAlias = tuple[Place, PlayerId | None]
"""A holder and the player who decides for it. The player is None for the pool and for a frozen company, for which the
rules decide."""


def deciders(title: Title, state: State, first: PlayerId) -> tuple[Decider, ...]:
    """All who may hold certificates, in decision order: the players clockwise from ``first``, each followed by the
    companies that he controls in running order; then the pool; then the frozen companies in running order. Under a
    ruling, companies come in the title's order instead."""  # rule 9.22, clarification 1.18, 2.13, 2.27
    gone = state.marks.get(RESIGNED, frozenset())
    companies = _companies(title, state)
    found: list[Decider] = []
    for player in from_player(state, first):
        if player in gone:
            continue
        controlled = controlled_by(title, state, player)
        found += [(player, player), *((c, player) for c in companies if c in controlled)]
    found.append((POOL, None))
    found += [(c, None) for c in companies if controller_of(title, state, c) is None]
    return tuple(found)


def decision_order(title: Title, state: State, first: PlayerId) -> tuple[Place, ...]:
    """The holders of ``deciders``, without the players who decide for them."""
    return tuple(holder for holder, _ in deciders(title, state, first))


def as_actor(state: State, holder: Place) -> Actor:
    """The holder of certificates as an actor: a player or a company."""
    return next((p for p in state.players if p == holder), None) or CompanyId(holder)


def _companies(title: Title, state: State) -> tuple[CompanyId, ...]:
    if rulings_of(title).decision_order == "price":
        return title.policies.operating_order(title, state)
    return tuple(c for c in title.companies if state.companies[c].status == "open")
