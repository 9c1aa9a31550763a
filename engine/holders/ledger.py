"""The holdings: certificates and shares by holder, and over a chain of companies too.

Each share has a holder: a player, a company (for shares of others), the pool, the treasury, the IPO, or a place that
the title adds. Every sum uses the kinds of certificates in the company's charter, so a title may add a kind.
"""

from __future__ import annotations

from engine.core.ids import Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of, count


def shares(title: Title, state: State, place: Place, company: CompanyId) -> int:
    """Shares of ``company`` in ``place``; a director's certificate counts for all its shares."""
    held, total = state.holdings, 0
    for name, (kind, _) in charter_of(title, state, company).certificates.items():  # asked so often: no sum() here
        total += kind.shares * held.get((place, company, name), 0)
    return total


def dividend_shares(title: Title, state: State, place: Place, company: CompanyId) -> int:
    """Shares of ``company`` in ``place`` that a dividend is paid for; below 0 where the holder pays."""
    held, total = state.holdings, 0
    for name, (kind, _) in charter_of(title, state, company).certificates.items():
        total += kind.paid_for * held.get((place, company, name), 0)
    return total


def holders(state: State, company: CompanyId) -> tuple[Actor, ...]:
    """Players in order of play, then companies, that have any certificate of ``company``."""
    places = {place for (place, of, _), n in state.holdings.items() if of == company and n}
    return (*(p for p in state.players if p in places), *(c for c in state.companies if c in places and c != company))


def shares_over_chain(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    """Shares of ``company`` that ``player`` has himself or through companies that he controls, without those that the
    company holds of itself."""
    kinds, total = charter_of(title, state, company).certificates, 0
    for (place, of, kind), n in state.holdings.items():  # asked so often: one look at what there is
        if of != company or not n or place == company:
            continue
        if place == player or (place in state.companies and controller_of(title, state, CompanyId(place)) == player):
            total += kinds[kind][0].shares * n
    return total


def held_together(title: Title, state: State, holder: Actor, company: CompanyId) -> int:
    """Shares of ``company`` that count together for a limit: all those of the player who acts, or who controls the
    acting company, and of his companies; for a company that nobody controls, only its own."""
    player = next((p for p in state.players if p == holder), None) or controller_of(title, state, CompanyId(holder))
    if player is None:
        return shares(title, state, holder, company)
    return shares_over_chain(title, state, player, company)


def certificates(state: State, player: PlayerId) -> int:
    """Certificates that a player has: every share certificate and every private."""
    return sum(n for (place, _, _), n in state.holdings.items() if place == player) + sum(
        1 for owner in state.privates.values() if owner == player
    )


def counted(title: Title, state: State, player: PlayerId) -> int:
    """Certificates that count toward a player's limit: all except those that are marked as not counting."""
    shares_ = sum(
        n * charter_of(title, state, company).certificates[kind][0].counts
        for (place, company, kind), n in state.holdings.items()
        if place == player and n
    )
    return shares_ + sum(1 for p, owner in state.privates.items() if owner == player and title.privates[p].counts)


__all__ = [
    "certificates", "count", "counted", "dividend_shares", "held_together", "holders", "shares", "shares_over_chain",
]  # fmt: skip
