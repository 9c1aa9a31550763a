"""Circles: a company may not hold shares of a company above it in its chain of presidents."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.answer_cache import lately
from engine.core.checks import Failure
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, owner_of
from engine.holders.ledger import shares
from engine.titles.t1863.rulings import rulings_of

Circle = tuple[CompanyId, CompanyId]
"""A company that holds shares of a company above it, and the company above."""


@lately(8)  # each deed that might close one is compared with the position before it
def circles_now(title: Title, state: State) -> frozenset[Circle]:
    """Every circle of a position. By a ruling, only circles in which the lower company is president of the upper one,
    or holds more shares than its president and should replace him."""  # rule 4.1, 12.13, 4.16
    return frozenset(
        (company, CompanyId(above))
        for company, now in state.companies.items()
        if now.status == "open"
        for above in chain_of(title, state, company)
        if above in state.companies and _bars(title, state, company, CompanyId(above))
    )


def over_circle(title: Title, state: State, circle: Circle) -> int:
    """The number of shares that the lower company must sell to break a circle that exists: all that it holds of the
    upper one or, by the ruling, those that it has more than the president. Circles that nobody chose exist after a
    bankruptcy, for example."""  # rule 4.1, 12.13
    lower, above = circle
    held, owner = shares(title, state, lower, above), owner_of(title, state, above)
    if rulings_of(title).circles == "shares" or owner in (None, lower):
        return held
    return held - shares(title, state, owner, above)


def circle_refused(title: Title, company: CompanyId, circles: tuple[Circle, ...]) -> Failure:
    """The refusal of a deed about ``company`` that would close ``circles``."""
    return Failure("limit.circle", {"company": company, "circles": circles, "ruling": rulings_of(title).circles})


def companies_hold(state: State) -> bool:
    """True if any company has shares of another, without which there is no circle."""
    return any(n and place in state.companies and place != company for (place, company, _), n in state.holdings.items())


def _bars(title: Title, state: State, company: CompanyId, above: CompanyId) -> bool:
    held, owner = shares(title, state, company, above), owner_of(title, state, above)
    if rulings_of(title).circles == "shares" or owner is None:
        return held > 0
    return owner == company or held > shares(title, state, owner, above)


def closed_by(title: Title, state: State, deed: Callable[[Play], object]) -> tuple[Circle, ...]:
    """The circles that ``deed`` would close now."""
    play = Play(title, state)
    deed(play)
    return new_circles(title, state, play.state)


def new_circles(title: Title, before: State, after: State) -> tuple[Circle, ...]:
    """The circles of the position ``after`` that did not exist ``before``."""
    found = circles_now(title, after)
    return tuple(sorted(found - circles_now(title, before))) if found else ()


def would_circle(title: Title, state: State, holder: str, company: CompanyId) -> bool:
    """True if ``holder`` is a company below ``company``, and so may not get any share of it."""  # rule 4.1
    if holder not in state.companies or rulings_of(title).circles != "shares":
        return False
    return company in chain_of(title, state, CompanyId(holder))
