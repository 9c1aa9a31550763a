"""Notes the moment when a secret address of a seat is first sent: from then on older ones are superseded."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import bindparam, update
from sqlmodel import Session, col

from moderator.adapters.database import run_plain
from moderator.adapters.tables import SeatToken

_WORD = re.compile(r"\.([a-z2-7]{26})@")
_FIRST_SENT = (
    update(SeatToken)
    .where(col(SeatToken.token) == bindparam("word"), col(SeatToken.sent_at).is_(None))
    .values(sent_at=bindparam("now"))
)


def note_sent(session: Session, addresses: str, now: datetime) -> None:
    """Note that a mail was sent with the answer addresses that stand in ``addresses``: where that is a seat's secret
    address, older ones of the seat are superseded."""
    for word in dict.fromkeys(_WORD.findall(addresses)):
        run_plain(session, _FIRST_SENT, {"word": word, "now": now})
