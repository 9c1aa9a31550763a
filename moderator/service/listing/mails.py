"""Mails that came, and the consequences of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, func, or_, select

from moderator.adapters.tables import (
    DeadlineRow,
    EntryRow,
    HeldRow,
    MailRow,
    OutboxRow,
    PendingRow,
    SealedRow,
    SeatRow,
    SeatToken,
)  # fmt: skip
from moderator.domain.list_rows import Carried, Claimed, FullMail, ListedMail, Questioned, Waiting
from moderator.service.listing.outbox import own_mail

_SECRET: Final = re.compile(r"\+[0-9a-z]+-\d+\.\d+\.([a-z2-7]+)@", re.IGNORECASE)
_HEAD: Final = 400_000
"""The number of characters of a message in which its secret addresses are looked for."""


@dataclass(frozen=True, slots=True)
class MailsWanted:
    """The mails to list: the ``last`` ones of those that fit all other fields. ``outcome`` may be ``waiting``;
    ``sender`` is part of the address that a mail says it is from, or of its return path."""

    last: int
    outcome: str | None = None
    game: str | None = None
    sender: str | None = None
    since: datetime | None = None


def list_mails(session: Session, wanted: MailsWanted) -> list[ListedMail]:
    """The ``wanted`` mails, in the order in which they came."""
    query = select(MailRow).order_by(col(MailRow.id).desc()).limit(wanted.last)
    if wanted.outcome is not None:
        query = query.where(MailRow.outcome == (None if wanted.outcome == "waiting" else wanted.outcome))
    if wanted.since is not None:
        query = query.where(MailRow.received_at >= wanted.since)
    if wanted.game is not None:
        query = query.where(MailRow.game == wanted.game)
    if wanted.sender is not None:
        part = wanted.sender.lower()
        said = (func.lower(col(MailRow.sender)), func.lower(func.coalesce(col(MailRow.envelope_from), "")))
        query = query.where(or_(*(one.contains(part, autoescape=True) for one in said)))
    return [_listed(row) for row in reversed(session.exec(query).all())]


def mail_of(session: Session, number: int) -> FullMail | None:
    """The mail with this number; None if there is none."""
    row = session.get(MailRow, number)
    if row is None:
        return None
    entries = session.exec(select(EntryRow).where(EntryRow.mail == row.id).order_by(col(EntryRow.id))).all()
    held = session.exec(select(HeldRow).where(HeldRow.mail == row.id).order_by(col(HeldRow.id))).all()
    sealed = session.exec(select(SealedRow).where(SealedRow.mail == row.id).order_by(col(SealedRow.id))).all()
    answers = session.exec(select(OutboxRow).where(OutboxRow.answers == row.id)).all()
    return FullMail(
        mail=_listed(row),
        size=row.size,
        content=row.content,
        emptied_at=row.emptied_at,
        digest=row.digest,
        decided_at=row.decided_at,
        verdict=row.verdict,
        about=row.about,
        questions=_questions(session, row),
        orders=tuple(Carried(entry.game, entry.orders, entry.origin, entry.text) for entry in entries),
        ahead=tuple(Waiting(one.text, one.status) for one in held),
        sealed=tuple(Waiting(one.digest, one.status) for one in sealed),
        answers=tuple(own_mail(answer) for answer in answers),
    )


def claims_of(session: Session, message: str) -> list[Claimed]:
    """The decisions that a message answers, by the secret addresses in it."""
    found = []
    words = dict.fromkeys(word.lower() for word in _SECRET.findall(message[:_HEAD]))
    for token in (session.get(SeatToken, word) for word in words):
        if token is None:
            continue
        seat = session.get_one(SeatRow, token.seat)
        due = session.exec(
            select(DeadlineRow.due_at)
            .where(DeadlineRow.game == seat.game, DeadlineRow.player == seat.player, DeadlineRow.at <= token.at)
            .order_by(col(DeadlineRow.id).desc())
        ).first()
        found.append(Claimed(seat.game, seat.player, token.at, token.created_at, due))
    return found


def _listed(row: MailRow) -> ListedMail:
    assert row.id is not None
    return ListedMail(
        row.id, row.received_at, row.sender, row.envelope_from or "", row.game, row.player, row.outcome, row.detail
    )


def _questions(session: Session, row: MailRow) -> tuple[Questioned, ...]:
    """The questions to the address of record about the mail, and its answers."""
    found = []
    for asked in session.exec(select(PendingRow).where(PendingRow.mail == row.id, PendingRow.kind == "orders")).all():
        by = session.exec(
            select(MailRow.id).where(MailRow.game == row.game, MailRow.detail == f"mail {row.id} confirmed")
        ).first()
        found.append(Questioned(asked.created_at, asked.state, by))
    return tuple(found)
