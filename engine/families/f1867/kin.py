"""The policies in which cousins differ from each other, beside those in which all titles do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Open
from engine.core.state import State
from engine.core.title import Play, Policies, Title
from engine.holders.charters import charter_of

Place = tuple[HexId, int]
"""A hex and the number of a city in it."""


def _nothing_more(play: Play, company: CompanyId) -> None:
    pass


def _any_first(title: Title, state: State) -> None:
    return None


def _one_opening(title: Title, state: State, minor: CompanyId) -> tuple[Open, ...]:
    return (Open(PlayerId(""), minor),)


def _printed_home_only(title: Title, state: State, order: Open) -> Iterator[Failure]:
    if order.space is not None:
        yield Failure("open.home_printed", {"item": order.item})


def _nothing_opened(play: Play, order: Open) -> None:
    pass


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
    openings: Callable[[Title, State, CompanyId], Iterable[Open]] = _one_opening
    """The ways to open the auction of a minor; their players and amounts do not count."""
    check_opening: Callable[[Title, State, Open], Iterable[Failure]] = _printed_home_only
    """The reasons against the home that an opening bid names."""
    opened: Callable[[Play, Open], None] = _nothing_opened
    """Called when the auction of a minor has been opened."""
    minor_started: Callable[[Play, CompanyId], None] = _nothing_more
    """Called when a minor has started."""
    last_rounds_at_once: bool = True
    """True if the first 8-train in the first operating round of a set gives that set its third round."""


def kin(title: Title) -> Kin:
    """The policies of a title of the family."""
    assert isinstance(title.policies, Kin), title
    return title.policies
