"""Mails that the service has written."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from moderator.adapters.tables import OutboxRow
from moderator.domain.list_rows import OwnMail


def list_outbox(
    session: Session, last: int, state: str | None = None, game: str | None = None, since: datetime | None = None
) -> list[OwnMail]:
    """The ``last`` mails of ours that fit, in the order in which they were written."""
    query = select(OutboxRow).order_by(col(OutboxRow.id).desc()).limit(last)
    if state is not None:
        query = query.where(OutboxRow.state == state)
    if game is not None:
        query = query.where(OutboxRow.game == game)
    if since is not None:
        query = query.where(OutboxRow.created_at >= since)
    return [own_mail(row) for row in reversed(session.exec(query).all())]


def own_mail_of(session: Session, number: int) -> OwnMail | None:
    """The mail of ours with this number; None if there is none."""
    row = session.get(OutboxRow, number)
    return None if row is None else own_mail(row)


def transcripts_of(session: Session, game: str) -> list[OwnMail]:
    """Every transcript of a game, in the order in which they were written."""
    query = select(OutboxRow).where(OutboxRow.game == game, OutboxRow.kind == "transcript")
    return [own_mail(row) for row in session.exec(query.order_by(col(OutboxRow.id))).all()]


def own_mail(row: OutboxRow) -> OwnMail:
    assert row.id is not None
    return OwnMail(
        number=row.id, kind=row.kind, game=row.game, player=row.player, recipient=row.recipient,
        subject=row.subject, text=row.text, state=row.state, attempts=row.attempts, error=row.error,
        answers=row.answers, created_at=row.created_at, next_attempt=row.next_attempt,
        sent_at=row.sent_at, emptied_at=row.emptied_at,
    )  # fmt: skip
