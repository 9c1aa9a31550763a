"""Mails that the operator releases: those that failed, those that were put aside, and our own that are kept back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from moderator.adapters.tables import MailRow, OutboxRow, PendingRow
from moderator.service.desk import Desk
from moderator.service.operation import outages
from moderator.service.people.journal import is_open
from moderator.service.post.outbox import PAUSED
from moderator.service.service_facts import FROZEN, forget, recall, remember
from moderator.service.table.seats import WENT_BACK

RELEASED: Final = "released "
"""Prefix of the keys of mails that a person wrote, as the operator says."""
_PUT_ASIDE: Final = ("quarantine", "robot", "auto_reply", "challenge", "calendar", "report", "loop", "receipt")
RESTORED: Final = "restored"
"""The reason why mails are kept that were queued when the backup was made: they may have been sent since."""


class CannotBe(Exception):
    """The request cannot be carried out; the message says why in one sentence."""


def retry(desk: Desk, number: int) -> None:
    """Let a mail that ended in ``error`` be tried again. ``CannotBe`` if it ended otherwise or its text was deleted."""
    with desk.database.transaction() as session:
        row = _mail(session, number)
        if row.outcome != "error":
            raise CannotBe(f"mail {number} did not end in an error, but as {row.outcome or 'waiting'}")
        _again(row)


def release(desk: Desk, number: int) -> None:
    """Let a mail be read that was taken for a program's, or for spam, and is a person's. ``CannotBe`` if it was not put
    aside, or its text was deleted."""
    with desk.sitting() as sitting:
        row = _mail(sitting.session, number)
        if row.outcome not in _PUT_ASIDE:
            raise CannotBe(f"mail {number} was not put aside, but ended as {row.outcome or 'waiting'}")
        was = row.outcome
        _again(row)
        remember(sitting, f"{RELEASED}{number}", {"was": was})


def drop(desk: Desk, number: int) -> None:
    """Give up a mail that ended in ``error``. ``CannotBe`` if it ended otherwise."""
    with desk.database.transaction() as session:
        row = _mail(session, number)
        if row.outcome != "error":
            raise CannotBe(f"mail {number} did not end in an error, but as {row.outcome or 'waiting'}")
        row.outcome, row.detail = "malformed", f"given up by the operator; {row.detail}"[:2_000]


def is_released(session: Session, number: int | None) -> bool:
    return recall(session, f"{RELEASED}{number}") is not None


def _mail(session: Session, number: int) -> MailRow:
    row = session.get(MailRow, number, with_for_update=True)
    if row is None:
        raise CannotBe(f"there is no mail {number}")
    return row


def _again(row: MailRow) -> None:
    if row.emptied_at is not None:
        raise CannotBe(f"the text of mail {row.id} was deleted on {row.emptied_at:%Y-%m-%d}: it cannot be read again")
    row.outcome, row.attempts, row.lease_until, row.decided_at, row.detail = None, 0, None, None, ""


# ---- our own mails


def send_again(desk: Desk, numbers: Iterable[int]) -> int:
    """Let outgoing mails that failed, or that are kept, be sent. Returns their number. ``CannotBe`` if one cannot be
    sent."""
    now = desk.clock.now()
    count = 0
    with desk.database.transaction() as session:
        for number in numbers:
            row = session.get(OutboxRow, number, with_for_update=True)
            if row is None:
                raise CannotBe(f"there is no outgoing mail {number}")
            if row.state not in ("failed", "kept"):
                raise CannotBe(f"outgoing mail {number} is neither failed nor kept, but {row.state}")
            if row.emptied_at is not None:
                raise CannotBe(
                    f"the text of outgoing mail {number} was deleted on {row.emptied_at:%Y-%m-%d}: it cannot be sent"
                )
            row.state, row.error, row.attempts, row.next_attempt = "queued", "", 0, now
            row.lease_owner = row.lease_until = None
            row.created_at = now if row.created_at < now else row.created_at  # it is tried for some days from now on
            count += 1
    return count


def open_outbox(desk: Desk) -> bool:
    """Open the outbox after a restore: mails written since then are sent, and deadlines go on. False if it was not
    paused."""
    now = desk.clock.now()
    with desk.sitting() as sitting:
        paused = forget(sitting.session, PAUSED)
        frozen = recall(sitting.session, FROZEN + "restore")
        if frozen is not None:
            forget(sitting.session, FROZEN + "restore")
            outages.note(sitting, datetime.fromisoformat(frozen["since"]), now)
        if paused:
            _whole_time(sitting.session, now)
    return paused


def _whole_time(session: Session, now: datetime) -> None:
    """Give the confirmations that a restore asks for again their whole time, because they are sent only now."""
    kept = recall(session, WENT_BACK)
    if kept is None:
        return
    since = datetime.fromisoformat(kept["at"])
    waiting = select(PendingRow).where(col(PendingRow.created_at) >= since, is_open())
    for row in session.exec(waiting).all():
        row.due_at += max(now - since, timedelta())


def restored(desk: Desk) -> list[int]:
    """The numbers of our mails that were queued when the backup was made, and are kept."""
    kept = (
        select(OutboxRow.id).where(OutboxRow.state == "kept", OutboxRow.error == RESTORED).order_by(col(OutboxRow.id))
    )
    with desk.database.reading() as session:
        return [number for number in session.exec(kept).all() if number is not None]
