"""The tables. Rows of ``mail``, ``entry`` and ``outbox`` are never deleted: they are the memory of the service. The
contents of mails are emptied after a time (``operation/retention.py``). Rows of ``snapshot`` can all be deleted: they
only save time, and follow from those of ``entry``.

Moments are UTC. A worker claims work by writing a lease into its row, so that two services on one database share the
work.
"""

from __future__ import annotations

from moderator.adapters.tables.games import (
    ACTS,
    OVER,
    STANDING,
    UNDER_WAY,
    WAITING,
    DeadlineRow,
    EntryRow,
    FactsRow,
    GameRow,
    HeldRow,
    PressRow,
    SealedRow,
    SnapshotRow,
)
from moderator.adapters.tables.guests import FormingRow, GuestRow, InquiryRow
from moderator.adapters.tables.mails import QUEUED, BounceRow, ContentKey, MailRow, OutboxRow, StrangerRow
from moderator.adapters.tables.motions import MotionRow, VoiceRow
from moderator.adapters.tables.seats import (
    ASKED,
    CARED,
    DAILY,
    AbsenceRow,
    AliasRow,
    PendingRow,
    PersonRow,
    SeatRow,
    SeatToken,
    TenureRow,
)
from moderator.adapters.tables.service_facts import BudgetRow, KeptRow

__all__ = [
    "ACTS", "ASKED", "CARED", "DAILY", "OVER", "QUEUED", "STANDING", "UNDER_WAY", "WAITING", "AbsenceRow", "AliasRow",
    "BounceRow", "BudgetRow", "ContentKey",
    "DeadlineRow", "EntryRow", "FactsRow", "FormingRow", "GameRow", "GuestRow", "HeldRow", "InquiryRow",
    "KeptRow", "MailRow", "MotionRow", "OutboxRow", "PendingRow", "PersonRow", "PressRow", "SealedRow",
    "SeatRow", "SeatToken", "SnapshotRow", "StrangerRow", "TenureRow", "VoiceRow",
]  # fmt: skip
