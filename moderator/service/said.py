"""What arrived for one seat, on its way from the mail that held it to the game that it is for."""

from __future__ import annotations

from dataclasses import dataclass, field

from moderator.adapters.tables import SeatRow
from moderator.domain.transcript import Facts
from moderator.service.people.trust import Origin

Note = tuple[str, Facts]


@dataclass(slots=True)
class Said:
    """What arrived for one game: ``at`` is the decision that it answers. ``notes`` are about the mail itself."""

    seat: SeatRow
    at: int
    text: str
    ignored: int = 0
    quoted: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    truncated: bool = False
    origin: Origin = field(default_factory=Origin)
