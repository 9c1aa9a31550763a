"""Finds the mail of ours that a returned mail is about, and so the seat.

Each mail has a return path of its own, and a copied answer does not show it: a report that comes to it is from somebody
who has had the mail. A Message-ID is known to everyone who ever got an answer or a forwarded mail. The mail itself,
with the secret address in its ``Reply-To``, is known to everyone to whom it was forwarded. They say which mail is
meant, and prove nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message

from sqlmodel import Session, select

from moderator.adapters.tables import OutboxRow, SeatRow
from moderator.domain.evidence import Evidence
from moderator.domain.senders import same_address
from moderator.service.desk import Desk, Sitting
from moderator.service.reading.message import body_of, head_of, values

_LATEST = 20
_REFERRING = ("Original-Message-ID", "Message-ID", "In-Reply-To", "References")


@dataclass(frozen=True, slots=True)
class Trace:
    """The ``mail`` of ours that another mail is about, and the evidence for that."""

    mail: OutboxRow
    evidence: Evidence


def trace(sitting: Sitting, name: str, content: bytes) -> Trace | None:
    """The mail of ours that ``content`` is about: found by the ``name`` in its return path, or by a Message-ID of ours
    in its header, in the message that it returns, or in its text. None if there is none."""
    if name:
        path = f"{sitting.settings.mailbox}-bounces+{name.lower()}@{sitting.settings.domain}"
        row = sitting.session.exec(select(OutboxRow).where(OutboxRow.return_path == path)).first()
        return None if row is None else Trace(row, "return path")
    for number in _numbers(sitting.desk, body_of(content)):
        row = sitting.session.exec(select(OutboxRow).where(OutboxRow.message_id == number)).first()
        if row is not None:
            return Trace(row, "mention")
    return None


def seat_of(session: Session, mail: OutboxRow) -> SeatRow | None:
    """The seat to which ``mail`` was sent; None if the seat has another player or address now."""
    wanted = select(SeatRow).where(SeatRow.game == mail.game, SeatRow.player == mail.player)
    seat = None if mail.game is None or mail.player is None else session.exec(wanted).first()
    return seat if seat is not None and same_address(seat.address, mail.recipient) else None


def _numbers(desk: Desk, message: Message) -> list[str]:
    """The Message-IDs in ``message`` that have the form of ours."""
    pattern = re.compile(rf"<[0-9a-f]{{24}}@{re.escape(desk.settings.domain)}>", re.IGNORECASE)
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
    return list(dict.fromkeys(number.lower() for number in found))[:_LATEST]


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
