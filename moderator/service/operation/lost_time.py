"""Gives time back that a person was asked to answer in, and that was lost to him: the service was off, a server was
away, or the machine's clock was set forward.

Deadlines of games are moved game by game (``outages``, ``leaps``), because their players are told.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from moderator.adapters.tables import FormingRow, InquiryRow, MotionRow, PendingRow
from moderator.service.people.journal import is_open
from moderator.service.play.kept_orders import KEPT


def prolong(session: Session, since: datetime, until: datetime) -> None:
    """Let votes, consents, questions to persons and requests that were asked before ``until`` and had not lapsed at
    ``since`` wait longer by the time between the two."""
    asked: Any = (
        select(MotionRow).where(MotionRow.state == "open", MotionRow.created_at < until).order_by(col(MotionRow.id)),
        select(InquiryRow)
        .where(InquiryRow.state == "open", InquiryRow.created_at < until)
        .order_by(col(InquiryRow.token)),
        select(PendingRow)
        .where(is_open(), PendingRow.created_at < until, PendingRow.kind != KEPT)  # orders that are kept never lapse
        .order_by(col(PendingRow.token)),
        select(FormingRow)
        .where(FormingRow.state == "confirming", col(FormingRow.due_at).is_not(None))
        .order_by(col(FormingRow.name)),
    )
    for wanted in asked:
        for row in session.exec(wanted).all():
            if row.due_at >= since:
                row.due_at += until - since


def given_back(asked: datetime | None, since: datetime, until: datetime, now: datetime) -> datetime | None:
    """The moment from which the time of an answer counts, that was ``asked`` for at some moment, if none of the time
    from ``since`` to ``until`` does: it is taken from nobody's bank."""
    if asked is None or asked >= until:
        return asked
    return min(asked + (until - max(asked, since)), now)
