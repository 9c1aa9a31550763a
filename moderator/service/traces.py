"""Which mail of ours something that came back is about, and so which seat.

The return path of each mail names it and is known to its recipient's server alone. A Message-ID is known to everyone to
whom the mail was forwarded: what it proves is less, and ``Trace.sure`` says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message

from sqlmodel import Session, select

from moderator.adapters.tables import OutboxRow, SeatRow
from moderator.service.desk import Desk
from moderator.service.robots import head_of, values

_LATEST = 20
_REFERRING = ("Original-Message-ID", "Message-ID", "In-Reply-To", "References")


@dataclass(frozen=True, slots=True)
class Trace:
    """``mail`` is the mail of ours."""

    mail: OutboxRow
    sure: bool


def trace(desk: Desk, session: Session, name: str, message: Message) -> Trace | None:
    """The mail of ours that ``message`` is about: by the ``name`` in its return path, or by a Message-ID of ours in its
    header, in the message that it returns, or in its text."""
    if name:
        row = _named(desk, session, name)
        return None if row is None else Trace(row, True)
    for number in _numbers(desk, message):
        row = _named(desk, session, number)
        if row is not None:
            return Trace(row, False)
    return None


def seat_of(session: Session, mail: OutboxRow) -> SeatRow | None:
    """The seat to which it was sent."""
    wanted = select(SeatRow).where(SeatRow.game == mail.game, SeatRow.player == mail.player)
    return None if mail.game is None or mail.player is None else session.exec(wanted).first()


def _named(desk: Desk, session: Session, name: str) -> OutboxRow | None:
    wanted = select(OutboxRow).where(OutboxRow.message_id == f"<{name.lower()}@{desk.settings.domain}>")
    return session.exec(wanted).first()


def _numbers(desk: Desk, message: Message) -> list[str]:
    """Names in Message-IDs of ours, those of the returned message first."""
    pattern = re.compile(rf"<([0-9a-f]{{24}})@{re.escape(desk.settings.domain)}>", re.IGNORECASE)
    found: list[str] = []
    for part in message.walk():
        inside = part is not message
        kind = part.get_content_type()
        if inside and kind == "text/rfc822-headers":
            part = head_of(_bytes(part))
        elif inside and kind.startswith("text/"):
            found.extend(pattern.findall(_bytes(part).decode("latin-1")))
        for header in _REFERRING:
            for written in values(part, header):
                found.extend(pattern.findall(written))
    if not message.is_multipart():
        found.extend(pattern.findall(_bytes(message).decode("latin-1")))
    return list(dict.fromkeys(found))[:_LATEST]


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
