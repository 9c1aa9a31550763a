"""Limits on the shares and certificates of a player."""

from __future__ import annotations

from engine.core.checks import Failure
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares
from engine.holders.ledger import counted


def limit_of(title: Title, state: State) -> int:
    """The certificate limit for this number of players."""
    return title.table[len(state.players)].certificate_limit


def over_limit(title: Title, state: State, player: PlayerId) -> int:
    """The number of certificates that the player has beyond the limit; negative if he may take more."""
    return counted(title, state, player) - limit_of(title, state)


def most_shares(title: Title, state: State, company: CompanyId) -> int:
    """The most shares of the company that one player may have, including those of companies that he controls."""
    percent = title.companies[company].holding_percent or title.table[len(state.players)].holding_percent
    return all_shares(title, state, company) * percent // 100


def check_certificates(title: Title, state: State, buyer: Actor) -> list[Failure]:
    """Return every reason why ``buyer`` may not take one more certificate. A player has a limit, a company has none."""
    if buyer not in state.players:
        return []
    held, limit = counted(title, state, PlayerId(buyer)), limit_of(title, state)
    return [] if held < limit else [Failure("buy.certificate_limit", {"held": held, "limit": limit})]
