"""The facts that a mail about a game needs besides the position: the game's name, its seats, the answer address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from moderator.domain.pictures import Wish
from moderator.domain.sealing import Seals
from moderator.domain.transcript import Notes

Notify: TypeAlias = Literal["turn", "round", "daily", "all"]
"""How much a seat is told while it is not on turn: nothing, each new round, once a day, everything."""

REPLY_MARK: Final = "##- reply above this line -##"
"""First line of the body of every mail that may be answered. What stands below it in an answer is not read. Words in
another language may stand between ``##-`` and ``-##``; the intake looks for these two only."""


@dataclass(frozen=True, slots=True)
class RulesNews:
    """A change of the rules since the reader was last told: version ``version``, with a line after "From now on" for
    each change in force. ``back``: the version is an older one again."""

    version: int
    lines: tuple[str, ...] = ()
    back: bool = False


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game as one seat sees it. Made anew for each mail and seat."""

    id: str
    """``1861-7``."""
    title: str
    edition: str
    options: Mapping[str, str]
    seat: str
    """The player to whom this is told."""
    seats: Mapping[str, str | None]
    """Player -> address of record, in seating order; the address is given for ``seat`` alone, None for the others."""
    commitment: str
    """SHA-256 of the seed of all lots, in hexadecimal, published before the first order."""
    at: int
    """Number of the decision that is open now; it never repeats. ``BEGIN 1861-7 at 143`` names it."""
    reply_to: str = ""
    """The seat's secret address for this decision."""
    token: str = ""
    """Its last part; a fenced block sent to another address must carry it: ``BEGIN 1861-7 at 143 token x``."""
    deadline: datetime | None = None
    """When the seat's answer is due, in UTC; None while nothing is asked of it or the game has no clock."""
    zone: str = "UTC"
    """IANA name of the reader's zone."""
    notify: Notify = "turn"
    pictures: Wish = "on"
    seed: str | None = None
    """The seed itself, once the game is over."""
    ended: str | None = None
    """Why the game master has ended the game; None where the rules did, or it goes on."""
    asked: tuple[str, ...] = ()
    """Players who owe an answer now."""
    held: tuple[str, ...] = field(default=())
    """Canonical texts of what this seat has held or standing."""
    sealed: Seals | None = None
    """The sealed orders of a question that is open; None while there is none."""
    ahead: Notes = ()
    """News of orders that the seat had given ahead."""
    rules: RulesNews | None = None
    """News of the rules for the seat; None if there is none."""
