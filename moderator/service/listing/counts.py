"""The numbers of mails and games."""

from __future__ import annotations

from sqlmodel import Session, col, func, select

from moderator.adapters.tables import GameRow, MailRow, OutboxRow
from moderator.domain.list_rows import Counts


def count(session: Session) -> Counts:
    """The present numbers of mails and games, by outcome and state."""
    return Counts(
        mails=dict(session.exec(select(MailRow.outcome, func.count()).group_by(col(MailRow.outcome))).all()),
        outbox=dict(session.exec(select(OutboxRow.state, func.count()).group_by(OutboxRow.state)).all()),
        games=dict(session.exec(select(GameRow.status, func.count()).group_by(GameRow.status)).all()),
        undecided_since=session.exec(select(func.min(MailRow.received_at)).where(col(MailRow.outcome).is_(None))).one(),
        unsent_since=session.exec(select(func.min(OutboxRow.created_at)).where(OutboxRow.state == "queued")).one(),
    )
