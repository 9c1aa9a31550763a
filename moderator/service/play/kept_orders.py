"""Orders that come while their game is paused. They are kept, and carried out when it goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlmodel import select

from moderator.adapters.tables import MailRow, PendingRow, SeatRow
from moderator.domain.transcript import Note
from moderator.service.desk import Sitting
from moderator.service.play.masters.pauses import pause_facts
from moderator.service.table.table import Table

KEPT: Final = "paused"
"""The kind of a ``PendingRow`` for orders that wait until their game goes on."""
_NEVER: Final = datetime(9000, 1, 1, tzinfo=UTC)
"""They lapse at no moment: the end of the pause closes them."""


def keep_orders(table: Table, seat: SeatRow, mail: MailRow) -> Note:
    """Keep the orders in ``mail`` until the game goes on. They replace those that the seat gave before in this pause.
    Returns the note about it."""
    sitting = table.sitting
    before = kept_rows(sitting, seat)
    for row in before:
        row.state = "refused"
    token = sitting.desk.secret_word()
    sitting.session.add(
        PendingRow(token=token, kind=KEPT, seat=seat.id or 0, mail=mail.id, created_at=sitting.now(), due_at=_NEVER)
    )
    return "kept", {**pause_facts(table.row, table.row.reason), "replaced": bool(before)}


def kept_rows(sitting: Sitting, seat: SeatRow) -> list[PendingRow]:
    """The orders of ``seat`` that wait until its game goes on."""
    wanted = select(PendingRow).where(PendingRow.seat == seat.id, PendingRow.kind == KEPT, PendingRow.state == "open")
    return list(sitting.session.exec(wanted).all())
