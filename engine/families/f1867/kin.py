"""The policies in which cousins differ from each other, beside those in which all titles do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Play, Policies, Title
from engine.holders.charters import charter_of

Place = tuple[HexId, int]
"""A hex and the number of a city in it."""


def _nothing_more(play: Play, company: CompanyId) -> None:
    pass


def _any_first(title: Title, state: State) -> None:
    return None


def _printed_home(title: Title, state: State, company: CompanyId) -> Place:
    home = charter_of(title, state, company).home
    assert home is not None
    return home[0], state.board.home_city(*home)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin(Policies):
    """The policies of a title of this family. Names of the box are here because the family's code spells none."""

    state: CompanyId
    """The state railway."""
    metropolis: HexId
    """The hex whose gray tile brings a marker of the state railway as soon as it is laid."""
    capitals: frozenset[HexId]
    """Hexes in which a marker of the state railway is not one of the six that it may have elsewhere."""
    take_over: Callable[[Play, CompanyId], None]
    """Disposes of the money, trains and privates of a nationalised company."""
    steps_per_loan: int = 1
    """How far the price of a nationalised company falls for each loan that it could not repay."""
    interest_unpaid: Callable[[Play, CompanyId], None] = _nothing_more
    """Called before a company is nationalised because it cannot pay its interest."""
    first_minor: Callable[[Title, State], CompanyId | None] = _any_first
    """The minor that must be sold before the others; None if any may be sold now."""
    home: Callable[[Title, State, CompanyId], Place] = _printed_home
    """The place of the first marker of a minor that starts now."""
    minor_started: Callable[[Play, CompanyId], None] = _nothing_more
    """Called when a minor has started."""
    last_rounds_at_once: bool = True
    """True if the first 8-train in the first operating round of a set gives that set its third round."""


def kin(title: Title) -> Kin:
    """The policies of a title of the family."""
    assert isinstance(title.policies, Kin), title
    return title.policies
