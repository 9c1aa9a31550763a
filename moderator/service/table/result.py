"""The result of a text: its outcome, its transcript, and the game after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from moderator.adapters.tables import SeatRow
from moderator.domain.fork import Fork
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Notes, Transcript
from moderator.service.table.table import Table


@dataclass(slots=True)
class Result:
    """The result of a text. ``table`` has the game after it, which counts once the transaction is committed."""

    outcome: Outcome
    transcript: Transcript
    table: Table
    seat: SeatRow
    fork: Fork | None = None
    ahead: Mapping[str, Notes] = field(default_factory=dict)
    """News of orders that earlier mails gave ahead, by player."""
    returned: bool = False
    relieved: bool = False
    """A robot moved for the seat until it wrote this, and the seat got no turn mails."""
    """The seat could not be reached until it wrote this."""
    short_until: datetime | None = None
    """The answer is a short one, as are all to refused or kept orders of the seat until this moment."""
    asked: bool = False
    """The outcome is ``unconfirmed``, and a mail of its own has already asked the address of record."""
