"""The owner and the controller of a company. The owner is the holder of the director's certificate; the controller is
the player, if any, at the top of the chain of companies above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.checks import Fact
from engine.core.ids import Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of

_MOST_KNOWN = 64


@dataclass(frozen=True, slots=True)
class _Chains:
    """The owner of each company that has one, the player at the top of each chain that leads to one, and cached answers
    about control, together with the objects that they were computed from. While these objects are kept here, no other
    object can have their ``id``."""

    title: Title
    holdings: Mapping[Any, int]
    charters: Mapping[Any, Any]
    owners: Mapping[CompanyId, Actor]
    controllers: Mapping[CompanyId, PlayerId]
    controlled: dict[PlayerId, tuple[CompanyId, ...]] = field(default_factory=dict)


_known: dict[tuple[int, int, int], _Chains] = {}
"""Chains by the ``id`` of title, holdings and charters. Every question about a chain needs the owners, and most events
do not change them."""


def count(state: State, place: Place, company: CompanyId, kind: str) -> int:
    """The number of certificates of one kind in a place."""
    return state.holdings.get((place, company, kind), 0)


def owner_of(title: Title, state: State, company: CompanyId) -> Actor | None:
    """The holder of the director's certificate: a player or another company; None if it is anywhere else."""
    return _chains(title, state).owners.get(company)


def _chains(title: Title, state: State) -> _Chains:
    name = id(title), id(state.holdings), id(state.charters)
    if (known := _known.get(name)) is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        actors: dict[str, Actor] = {**{p: p for p in state.players}, **{c: c for c in state.companies}}
        owners = {
            company: actors[place]
            for (place, company, kind), n in state.holdings.items()
            if n and place in actors and place != company and _directs(title, state, company, kind)
        }
        controllers = _controllers(owners, frozenset(state.players))
        known = _known[name] = _Chains(title, state.holdings, state.charters, owners, controllers)
    return known


def _controllers(owners: Mapping[CompanyId, Actor], players: frozenset[PlayerId]) -> dict[CompanyId, PlayerId]:
    found: dict[CompanyId, PlayerId] = {}
    for company, top in owners.items():
        above: Actor | None = top
        for _ in owners:  # a circle has no top
            if above is None or above in players:
                break
            above = owners.get(CompanyId(above))
        if above in players:
            found[company] = PlayerId(above)
    return found


def _directs(title: Title, state: State, company: CompanyId, kind: str) -> bool:
    return charter_of(title, state, company).certificates[kind][0].director


def chain_of(title: Title, state: State, company: CompanyId) -> tuple[Actor, ...]:
    """The owners above a company, nearest first. The chain ends with a player, with a company that has no owner, or
    with a company that is already in the chain, which makes it a circle."""
    owners, found = _chains(title, state).owners, list[Actor]()
    now = company
    while (owner := owners.get(now)) is not None:
        found.append(owner)
        if owner in state.players or owner == company or owner in found[:-1]:
            break
        now = CompanyId(owner)
    return tuple(found)


def controller_of(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player at the top of the chain, who acts for the company. None if the company is frozen: the chain ends with
    a company that nobody owns, or is a circle."""
    return _chains(title, state).controllers.get(company)


def circle_of(title: Title, state: State, company: CompanyId) -> tuple[CompanyId, ...]:
    """The companies of the circle that the chain above ``company`` leads to, in the order of ownership; empty if the
    chain ends with a player or with a company that nobody owns."""
    chain = (company, *chain_of(title, state, company))
    last = chain[-1]
    if last in state.players or chain.count(last) < 2:
        return ()
    return tuple(CompanyId(c) for c in chain[chain.index(last) : -1])


def control_facts(title: Title, state: State, company: CompanyId) -> dict[str, Fact]:
    """Facts that explain to a person which player acts for a company: ``chain``, the owners above it, nearest first;
    ``circle``, the companies of the circle that the chain leads to; ``frozen``, True if nobody controls it."""
    return {
        "chain": chain_of(title, state, company),
        "circle": circle_of(title, state, company),
        "frozen": controller_of(title, state, company) is None,
    }


def controlled_by(title: Title, state: State, player: PlayerId) -> tuple[CompanyId, ...]:
    """The companies that a player controls, directly or through other companies."""
    known = _chains(title, state)
    if player not in known.controlled:
        known.controlled[player] = tuple(c for c in state.companies if known.controllers.get(c) == player)
    return known.controlled[player]
