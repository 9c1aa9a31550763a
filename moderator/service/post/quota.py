"""The number of mails that a provider lets us send in a day, with a reserve for mails that games wait for (fault 88).

News stops first, then all mails that are owed but hold nobody up; turn mails and answers may use up the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, func, select, update

from moderator.adapters.tables import BudgetRow, OutboxRow
from moderator.service.desk import Desk, Sitting

_SENT: Final = "sent"
_TOLD: Final = "told of the quota"
_SHARES: Final = ((2, 0.75), (1, 0.9), (0, 1.0))
"""Mails of a priority are sent until this share of the quota is used; the least urgent priority comes first."""


@dataclass(frozen=True, slots=True)
class Room:
    """The room in the quota: ``left`` mails of this ``priority``, or of more urgent ones, may go now."""

    left: int
    priority: int


def today(desk: Desk) -> str:
    """The day (UTC) whose quota counts."""
    return desk.clock.now().date().isoformat()


def room(sitting: Sitting, day: str) -> Room | None:
    """The rest of the day's quota; None if there is no quota. The count stays locked until the transaction ends, so
    that one caller at a time claims mails."""
    most = sitting.settings.mails_per_day
    if not most:
        return None
    used = _row(sitting.session, _SENT, day).count
    for priority, share in _SHARES:
        if used < most * share:
            return Room(max(1, int(most * share) - used), priority)
    return Room(0, -1)


def take(sitting: Sitting, number: int, day: str) -> None:
    """Count ``number`` mails that go now."""
    if sitting.settings.mails_per_day and number:
        _row(sitting.session, _SENT, day).count += number


def give_back(sitting: Sitting, number: int, day: str) -> None:
    """Uncount ``number`` mails that were to go on ``day`` and did not."""
    if sitting.settings.mails_per_day:
        here = (col(BudgetRow.scope) == _SENT, col(BudgetRow.day) == day)
        sitting.session.exec(update(BudgetRow).where(*here).values(count=BudgetRow.count - number))


def to_tell(sitting: Sitting, found: Room, day: str) -> str:
    """The text to tell the operator about the quota, once a day for each stage; empty if there is none."""
    if found.priority == 2:
        return ""
    queued = select(func.count()).where(OutboxRow.state == "queued", col(OutboxRow.priority) > found.priority)
    waiting = sitting.session.exec(queued.where(OutboxRow.next_attempt <= sitting.now())).one()
    told = _row(sitting.session, _TOLD, day)
    stage = 2 - found.priority if found.left == 0 else 1
    if not waiting or told.count >= stage:
        return ""
    told.count = stage
    most = sitting.settings.mails_per_day
    used = _row(sitting.session, _SENT, day).count
    key = "quota" if found.left == 0 else "quota_near"
    return sitting.words.operator_words(key, {"most": most, "used": used, "waiting": waiting})


def _row(session: Session, scope: str, day: str) -> BudgetRow:
    row = session.get(BudgetRow, (scope, day), with_for_update=True)
    if row is None:
        row = BudgetRow(scope=scope, day=day, count=0)
        session.add(row)
        session.flush()
    return row
