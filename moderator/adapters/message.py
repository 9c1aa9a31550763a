"""The form of our mails on the wire (RFC 5322), with nothing in a header that a player's text could break."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from moderator.domain.ports import Outgoing

_LONGEST_HEADER = 200


def one_line(text: str) -> str:
    """``text`` fit for a header: without line breaks and other controls, and not endless."""
    return re.sub(r"[\x00-\x1f\x7f\u2028\u2029]+", " ", text).strip()[:_LONGEST_HEADER]


def build(mail: Outgoing) -> bytes:
    """``mail`` as bytes with CR LF line ends: plain text, and HTML beside it if there is any."""
    message = EmailMessage(policy=SMTP)
    message["Message-ID"] = mail.message_id
    message["Date"] = format_datetime(mail.created_at)
    message["From"] = Address("Railpost", addr_spec=mail.sender)
    message["To"] = Address(addr_spec=mail.recipient)
    message["Reply-To"] = Address("Railpost", addr_spec=mail.reply_to)
    message["Subject"] = one_line(mail.subject)
    for name, value in mail.headers.items():
        message[name] = one_line(value)
    message.set_content(mail.text, cte="8bit" if mail.text.isascii() else "quoted-printable")
    if mail.html:
        message.add_alternative(mail.html, subtype="html")
    return message.as_bytes()
