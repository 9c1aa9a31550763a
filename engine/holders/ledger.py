"""Holdings: certificates and shares by holder, also summed over the companies that a player controls.

Each share has a place: a player, a company (for shares of others), the pool, the treasury, the IPO, or a place that the
title adds. Every sum uses the kinds of certificate in the company's charter, so a title may add a kind.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.core.ids import Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controlled_by, controller_of, count


def shares(title: Title, state: State, place: Place, company: CompanyId) -> int:
    """The number of shares of ``company`` in ``place``. A director's certificate counts for all its shares."""
    held, total = state.holdings, 0
    for name, (kind, _) in charter_of(title, state, company).certificates.items():  # called very often: no sum()
        total += kind.shares * held.get((place, company, name), 0)
    return total


def dividend_shares(title: Title, state: State, place: Place, company: CompanyId) -> int:
    """The number of shares of ``company`` in ``place`` on which a dividend is paid; negative if the holder has to pay
    it."""
    held, total = state.holdings, 0
    for name, (kind, _) in charter_of(title, state, company).certificates.items():
        total += kind.paid_for * held.get((place, company, name), 0)
    return total


def holders(state: State, company: CompanyId) -> tuple[Actor, ...]:
    """The players, in order of play, and then the other companies that have any certificate of ``company``."""
    places = {place for (place, of, _), n in state.holdings.items() if of == company and n}
    return (*(p for p in state.players if p in places), *(c for c in state.companies if c in places and c != company))


def shares_over_chain(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    """The number of shares of ``company`` that ``player`` has himself or through companies that he controls, not
    counting shares that the company holds in itself."""
    return all_shares_in(title, state, (player, *controlled_by(title, state, player))).get(company, 0)


def all_shares_in(title: Title, state: State, places: Collection[Place]) -> dict[CompanyId, int]:
    """The number of shares of each company in all the ``places`` together, not counting shares that a company holds in
    itself. Companies without any may be missing."""
    found: dict[CompanyId, int] = {}
    for (place, company, kind), n in state.holdings.items():
        if n and place in places and place != company:
            more = n * charter_of(title, state, company).certificates[kind][0].shares
            found[company] = found.get(company, 0) + more
    return found


def held_together(title: Title, state: State, holder: Actor, company: CompanyId) -> int:
    """The number of shares of ``company`` that count together for a limit: all those of the player who is ``holder`` or
    controls it, and of the companies that he controls. For a company that nobody controls, only its
    own shares count."""
    player = next((p for p in state.players if p == holder), None) or controller_of(title, state, CompanyId(holder))
    if player is None:
        return shares(title, state, holder, company)
    return shares_over_chain(title, state, player, company)


def counted(title: Title, state: State, player: PlayerId) -> int:
    """The number of certificates that count toward a player's limit: all except those marked as not counting."""
    shares_ = sum(
        n * charter_of(title, state, company).certificates[kind][0].counts
        for (place, company, kind), n in state.holdings.items()
        if place == player and n
    )
    return shares_ + sum(1 for p, owner in state.privates.items() if owner == player and title.privates[p].counts)


__all__ = [
    "all_shares_in", "count", "counted", "dividend_shares", "held_together", "holders", "shares",
    "shares_over_chain",
]  # fmt: skip
