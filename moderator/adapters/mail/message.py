"""The bytes of our mails (RFC 5322), with headers that no player's text can break.

This module writes the header itself, line by line. The library would take text that looks like an encoded word for one,
and would encode a Message-ID or an address in ``List-Unsubscribe`` that is too long for its line. This module also
writes the MIME structure around the two bodies, because the library takes many times as long for two known texts.
"""

from __future__ import annotations

import base64
import hashlib
import quopri
import re
from collections.abc import Callable, Iterator
from email.header import Header
from email.utils import format_datetime
from typing import Final

from moderator.domain.ports import Attached, Never, Outgoing

Form = Callable[[Outgoing], bytes]
"""A function that makes the bytes of a mail: ``build``, or one that also signs them."""

_NAME: Final = "Railpost"
_LONGEST_SUBJECT: Final = 200
_LONGEST_HEADER: Final = 900
_LINE: Final = 78
_LONGEST_LINE: Final = 900
"""Longest line of the text in bytes. RFC 5321 ends lines at 998 octets; longer ones are sent in quoted-printable."""
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HEADER_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
_CONTENT_ID: Final = re.compile(r"[A-Za-z0-9.-]{1,100}@[A-Za-z0-9.-]{1,255}")
_ADDRESS: Final = re.compile(r"[!#-'*+\-/-9=?A-Z^-~.]{1,64}@[A-Za-z0-9.-]{1,255}")


def one_line(text: str, longest: int = _LONGEST_HEADER) -> str:
    """``text`` made fit for a header: one line of limited length, without control characters and direction marks, and
    with nothing that a mail program would decode (RFC 2047)."""
    plain = _CONTROLS.sub(" ", _encodable(text)).replace("=?", "= ?")
    return " ".join(plain.split())[:longest].strip()


def build(mail: Outgoing) -> bytes:
    """``mail`` as bytes with CR LF line ends: plain text, and HTML beside it if there is any. Equal mails give equal
    bytes. Raises ``Never`` if mail cannot be sent to the address."""
    lines = [f"{name}: {value}" for name, value in _headers(mail)]
    return ("\r\n".join(lines) + "\r\n").encode("ascii") + _body(mail)


def _headers(mail: Outgoing) -> Iterator[tuple[str, str]]:
    yield "Message-ID", _folded(one_line(mail.message_id))
    yield "Date", format_datetime(mail.created_at)
    yield "From", f"{_NAME} <{_address(mail.sender)}>"
    yield "To", f"<{_address(mail.recipient)}>"
    yield "Reply-To", f"{_NAME} <{_address(mail.reply_to)}>"
    yield "Subject", _written("Subject", one_line(mail.subject, _LONGEST_SUBJECT))
    for name, value in mail.headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"no name of a header: {name!r}")
        yield name, _written(name, one_line(value))


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise Never(f"no address that mail can be sent to: {text!r}")
    return text


def _written(name: str, text: str) -> str:
    if text.isascii():
        return _folded(text, len(name) + 2)
    return Header(text, "utf-8", maxlinelen=_LINE - 2, header_name=name).encode(linesep="\r\n")


def _folded(text: str, used: int = 12) -> str:
    """``text`` in lines of 78 characters, broken only at spaces; a longer word is not broken."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and used + len(line) + 1 + len(word) > _LINE:
            lines.append(line)
            line, used = word, 1
        else:
            line = f"{line} {word}" if line else word
    return "\r\n ".join([*lines, line])


def _body(mail: Outgoing) -> bytes:
    """The MIME headers and the body (RFC 2045, RFC 2046 5.1.3 and 5.1.4)."""
    texts = _texts(mail)
    if not mail.calendar:
        return b"MIME-Version: 1.0\r\n" + texts
    border = f"=_{hashlib.sha256(f'{mail.message_id} mixed'.encode()).hexdigest()[:40]}"
    head = f'MIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary="{border}"\r\n\r\n'
    between, end = f"--{border}\r\n".encode(), f"\r\n--{border}--\r\n".encode()
    return b"".join((head.encode(), between, texts, b"\r\n", between, _calendar(mail.calendar), end))


def _calendar(text: str) -> bytes:
    """A calendar as a file that mail programs offer to open (RFC 6047 2.4)."""
    return (
        b'Content-Type: text/calendar; charset="utf-8"; method=PUBLISH; name="deadline.ics"\r\n'
        b"Content-Transfer-Encoding: base64\r\n"
        b'Content-Disposition: attachment; filename="deadline.ics"\r\n\r\n'
    ) + base64.encodebytes(_encodable(text).encode()).replace(b"\n", b"\r\n")


def _texts(mail: Outgoing) -> bytes:
    """The plain text, and beside it the HTML if there is any."""
    plain = _part(mail.text, "plain")
    if not mail.html:
        return plain
    border = f"=_{hashlib.sha256(mail.message_id.encode()).hexdigest()[:40]}"  # nobody can know it before it is sent
    head = f'Content-Type: multipart/alternative;\r\n boundary="{border}"\r\n\r\n'
    between, end = f"--{border}\r\n".encode(), f"\r\n--{border}--\r\n".encode()
    page = _with_pictures(mail) if mail.parts else _part(mail.html, "html")
    return b"".join((head.encode(), between, plain, b"\r\n", between, page, end))


def _with_pictures(mail: Outgoing) -> bytes:
    """The HTML and the pictures in it as one unit (RFC 2387), so that mail programs do not list the pictures as
    attachments."""
    border = f"=_{hashlib.sha256(f'{mail.message_id} related'.encode()).hexdigest()[:40]}"
    head = f'Content-Type: multipart/related; type="text/html";\r\n boundary="{border}"\r\n\r\n'
    between = f"--{border}\r\n".encode()
    parts = [between + _part(mail.html, "html"), *(between + _picture(one) for one in mail.parts)]
    return head.encode() + b"\r\n".join(parts) + f"\r\n--{border}--\r\n".encode()


def _picture(one: Attached) -> bytes:
    if not _CONTENT_ID.fullmatch(one.content_id):
        raise ValueError(f"no Content-ID: {one.content_id!r}")
    return (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{one.content_id}>\r\nContent-Disposition: inline\r\n\r\n"
    ).encode() + base64.encodebytes(one.data).replace(b"\n", b"\r\n")


def _part(text: str, subtype: str) -> bytes:
    text = _NO_TEXT.sub("", _encodable(text).replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.removesuffix("\n").split("\n")
    as_it_is = text.isascii() and all(len(line) <= _LONGEST_LINE for line in lines)
    content = "".join(f"{line}\r\n" for line in lines).encode()
    return (
        f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
        f"Content-Transfer-Encoding: {'7bit' if as_it_is else 'quoted-printable'}\r\n\r\n"
    ).encode() + (content if as_it_is else quopri.encodestring(content))


def _encodable(text: str) -> str:
    """``text`` without surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()
