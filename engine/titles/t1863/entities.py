"""Entities: players, and companies that act through their controllers."""

from __future__ import annotations

from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.control import controlled_by, controller_of
from engine.titles.t1863.stock.market import in_red


def player_of(state: State, holder: Actor) -> PlayerId | None:
    """The holder if it is a player; None otherwise."""
    return next((p for p in state.players if p == holder), None)


def decider_of(title: Title, state: State, holder: Actor) -> PlayerId | None:
    """The player who acts for the holder: the player himself, or the controller of the company."""
    return player_of(state, holder) or controller_of(title, state, CompanyId(holder))


def companies_of(title: Title, state: State, player: PlayerId) -> tuple[CompanyId, ...]:
    """The companies that the player controls and that can act. Companies in liquidation cannot."""  # rule 12.64
    mine = controlled_by(title, state, player)
    return tuple(c for c in mine if state.companies[c].status == "open" and not in_red(title, state, c))


def founders_of(title: Title, state: State, player: PlayerId) -> tuple[Actor, ...]:
    """The entities with which the player may found a company: himself, and his companies that have operated."""
    # rule 4.2
    return (player, *(c for c in companies_of(title, state, player) if state.companies[c].operated))


def entities_of(title: Title, state: State, player: PlayerId) -> tuple[Actor, ...]:
    """The player himself and the companies for which he can act."""
    return (player, *companies_of(title, state, player))
