"""The text that arrived for one seat, on its way from the mail to the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from moderator.adapters.tables import SeatRow
from moderator.domain.transcript import Note
from moderator.service.table.trust import Origin

Writer: TypeAlias = Literal["own", "old", "unproved", "foreign"]
"""The budget that a mail to a seat's secret address uses. ``own``: the mail comes from an address of the player, with
the current secret address; ``old``: with a superseded one; ``unproved``: it claims an address of the player, without
the required proof; ``foreign``: from any other address."""
Shows: TypeAlias = Literal["all", "cheap", "nothing"]
"""The shows that a mail may ask for. A ``cheap`` show takes a few milliseconds to work out at any point of a game."""


def writer_of(origin: Origin) -> Writer:
    """The writer whose budget a mail of this origin uses."""
    if origin.evidence == "old":
        return "old"
    if origin.acts:
        return "own"
    return "unproved" if origin.standing == "unproved" else "foreign"


@dataclass(frozen=True, slots=True)
class Said:
    """The text for one seat. ``at`` is the decision for which its secret word was made; ``superseded`` means that a
    newer word had been sent. ``notes`` are about the mail itself."""

    seat: SeatRow
    at: int
    text: str
    ignored: int = 0
    quoted: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    above: str = ""
    """The mail's own text if this is the text of a file in it: it is not read, but may forbid to carry it out."""
    fenced: bool = False
    """It stood between ``BEGIN`` and ``END``, where nothing is prose."""
    truncated: bool = False
    superseded: bool = False
    named: int | None = None
    """The decision that the text itself names (``BEGIN 1861-7 AT 26``)."""
    replaced: bool = False
    """It came to an address from before a restore: it is answered, and changes nothing."""
    origin: Origin = field(default_factory=Origin)
    writer: Writer = "own"
    shows: Shows = "all"
    asks: bool = True
    """The address of record may be asked to confirm it, if that is needed."""

    @property
    def answers(self) -> int:
        """The decision that the text answers: the named one, but never a later one than that of the secret word."""
        return self.at if self.named is None else min(self.at, self.named)
