"""The secrets that the service has given out, so that they can be left out of texts that an operator is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlmodel import Session, select

from moderator.adapters.tables import InquiryRow, PendingRow, SeatToken
from moderator.domain.redaction import redact
from moderator.service.post.list_headers import stop_words


def hiding(session: Session) -> Callable[[str], str]:
    """``redact`` with the secrets of seats, of confirmations and of questions to people without a seat, including those
    that are no longer valid, and of unsubscribe addresses."""
    tokens = (SeatToken.token, PendingRow.token, InquiryRow.token)
    words = {word for column in tokens for word in session.exec(select(column)).all()}
    return partial(redact, secrets=frozenset(word.lower() for word in (*words, *stop_words(session))))
