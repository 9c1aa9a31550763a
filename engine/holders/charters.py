"""The present charter of a company. No other module reads it from the position."""

from __future__ import annotations

from engine.core.charter import Charter
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title


def charter_of(title: Title, state: State, company: CompanyId) -> Charter:
    """The charter of a company: the one that it got in play, or the title's."""
    changed = state.charters.get(company)
    return title.companies[company].charter if changed is None else changed


def all_shares(title: Title, state: State, company: CompanyId) -> int:
    """Shares that ``company`` has in all."""
    return sum(kind.shares * n for kind, n in charter_of(title, state, company).certificates.values())


def director_kind(title: Title, state: State, company: CompanyId) -> str:
    """Name of the kind of certificate that makes its owner director."""
    for name, (kind, _) in charter_of(title, state, company).certificates.items():  # asked so often: no next() here
        if kind.director:
            return name
    raise ValueError(f"{company} has no director's certificate")


def directors_worth(title: Title, state: State, company: CompanyId) -> int:
    """Shares that the director's certificate counts for."""
    return charter_of(title, state, company).certificates[director_kind(title, state, company)][0].shares


def ordinary_kind(title: Title, state: State, company: CompanyId) -> str:
    """Name of the kind that counts one share."""
    kinds = charter_of(title, state, company).certificates.items()
    return next(name for name, (kind, _) in kinds if not kind.director and kind.shares == 1)


def double_kind(title: Title, state: State, company: CompanyId) -> str | None:
    """Name of the kind that counts as many shares as the director's without being it; None if there is none."""
    kinds = charter_of(title, state, company).certificates.items()
    return next((name for name, (kind, _) in kinds if not kind.director and kind.shares > 1), None)


def of_kind(title: Title, state: State, kind: str) -> tuple[CompanyId, ...]:
    """The companies of a kind, in the order in which the title lists them."""
    return tuple(c for c in title.companies if charter_of(title, state, c).kind == kind)
