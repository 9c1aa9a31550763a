"""Circles of companies that own each other: which exist, which a deed would close, and which shares must be sold to
undo one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.ids import Actor, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, circle_of, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.rulings import rulings_of

Circle = tuple[CompanyId, ...]
"""The companies of a circle. Each is owned by the next, and the last by the first. The company that the title lists
first comes first."""


def circles(title: Title, state: State) -> frozenset[Circle]:
    """Every circle of a position, each once."""
    found: set[Circle] = set()
    for company, now in state.companies.items():
        if now.status == "open" and (circle := circle_of(title, state, company)):
            found.add(_from_first(state, circle))
    return frozenset(found)


def _from_first(state: State, circle: Circle) -> Circle:
    first = next(i for c in state.companies for i, member in enumerate(circle) if member == c)
    return circle[first:] + circle[:first]


def new_circle(title: Title, before: State, after: State) -> Circle:
    """A circle that exists ``after`` and did not exist ``before``; empty if there is none."""
    fresh = circles(title, after) - circles(title, before)
    return min(fresh) if fresh else ()


def would_circle(title: Title, state: State, deed: Callable[[Play], object]) -> Circle:
    """The circle that ``deed`` would close if it were done now; empty if it would close none."""
    play = Play(title, state)
    deed(play)
    return new_circle(title, state, play.state)


def forbidden_circle(title: Title, state: State, deed: Callable[[Play], object]) -> Circle:
    """The circle that forbids a deed which is otherwise legal. Empty if the deed closes none, or if the site's ruling
    allows circles."""  # rule 11.1
    return would_circle(title, state, deed) if rulings_of(title).circles == "refused" else ()


def may_leave(title: Title, state: State, seller: Actor, companies: Iterable[CompanyId]) -> bool:
    """True if one of ``companies`` may get another president when ``seller`` gives shares of them away: he is
    president, or nobody is. Otherwise no circle can arise, and none need be looked for."""
    return any(owner_of(title, state, company) in (seller, None) for company in companies)


def forced_circle_sales(title: Title, state: State, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """The shares that a company frozen by a circle must sell in its financial step: all its shares of the companies
    that own it, directly or through others, as (company, shares) in the order of ownership."""  # rule 11.5
    if not circle_of(title, state, company):
        return ()
    owners = (CompanyId(owner) for owner in dict.fromkeys(chain_of(title, state, company)) if owner != company)
    return tuple((owner, held) for owner in owners if (held := shares(title, state, company, owner)))
