"""The current charter of a company. No other module reads it from the state."""

from __future__ import annotations

from engine.core.charter import Charter
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title


def charter_of(title: Title, state: State, company: CompanyId) -> Charter:
    """The charter of a company: the one that it got during the game, or else the title's."""
    changed = state.charters.get(company)
    return title.companies[company].charter if changed is None else changed


def all_shares(title: Title, state: State, company: CompanyId) -> int:
    """The total number of shares of ``company``."""
    return sum(kind.shares * n for kind, n in charter_of(title, state, company).certificates.values())


def director_kind(title: Title, state: State, company: CompanyId) -> str:
    """The name of the kind of certificate whose owner is director. Raises ValueError if the company has none."""
    for name, (kind, _) in charter_of(title, state, company).certificates.items():  # called very often: no next()
        if kind.director:
            return name
    raise ValueError(f"{company} has no director's certificate")


def directors_worth(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares that the director's certificate counts for."""
    return charter_of(title, state, company).certificates[director_kind(title, state, company)][0].shares


def ordinary_kind(title: Title, state: State, company: CompanyId) -> str:
    """The name of the kind of certificate that counts as one share."""
    kinds = charter_of(title, state, company).certificates.items()
    return next(name for name, (kind, _) in kinds if not kind.director and kind.shares == 1)


def double_kind(title: Title, state: State, company: CompanyId) -> str | None:
    """The name of the kind of certificate, other than the director's, that counts as several shares; None if there is
    none."""
    kinds = charter_of(title, state, company).certificates.items()
    return next((name for name, (kind, _) in kinds if not kind.director and kind.shares > 1), None)


def of_kind(title: Title, state: State, kind: str) -> tuple[CompanyId, ...]:
    """The companies of a kind, in the title's order."""
    return tuple(c for c in title.companies if charter_of(title, state, c).kind == kind)
