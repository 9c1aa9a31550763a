"""A message as the library parses it: its header alone, as much as a report needs, or the whole; always within limits,
so that no part, header or line can make that take long.

The library keeps a stack of boundaries that it tries on every line, and parses headers with parameters in time that
grows with the square of their length. So lines are counted first, and parts, depth and headers while the library reads.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, compat32
from email.utils import getaddresses
from itertools import islice
from typing import Any, Final

MOST_PARTS: Final = 100
DEEPEST: Final = 10
MOST_LINES: Final = 60_000
MOST_HEADERS: Final = 1_000
LONGEST_HEADER: Final = 20_000
"""The number of characters of a header that are kept, enough for a few hundred addresses."""
_LONGEST_PARAMETERS: Final = 1_500
"""The same for headers that describe content."""
_HEAD: Final = 131_072
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")

_END: Final = re.compile(rb"\n\r?\n|\r\r")
BODY: Final = 400_000
"""The most octets of a message that are looked through for a report."""
_BODY_LINES: Final = 5_000
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n?|\n|\Z)")
_MOST_BORDERS: Final = 2_000
"""The most lines that may be borders between parts, or quoted signatures."""
_MOST_GROUPS: Final = 200
"""The most parts, with the groups of fields in a delivery report, which has one for each recipient (RFC 3464 2.1), each
ended by an empty line. The search for failures goes through all of them hundreds of times."""

ODD: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError, MessageError)
"""Errors that the library raises for bytes that are no message."""


class Malformed(Exception):
    """The bytes are no message that can be read. The text of the error says why to the operator; ``why`` is the word of
    the templates for it: ``parts``, ``depth``, ``lines``, ``border``, ``html``, ``html_deep`` or ``form``."""

    def __init__(self, detail: str, why: str = "form") -> None:
        super().__init__(detail)
        self.why = why


class _Part(Message):
    """A part with its depth, which is limited, as is the number of its headers."""

    depth = 0
    _payload: Any  # the library's own, which its types leave out

    def attach(self, payload: Any) -> None:
        payload.depth = self.depth + 1
        if payload.depth > DEEPEST:
            raise Malformed(f"parts within parts, more than {DEEPEST} deep", "depth")
        super().attach(payload)

    def set_raw(self, name: str, value: str) -> None:
        if len(self) < MOST_HEADERS:
            longest = _LONGEST_PARAMETERS if name.lower().startswith("content-") else LONGEST_HEADER
            super().set_raw(name, str(value)[:longest])

    def held(self) -> bytes:
        """The contents of the part as it was sent. The library would decode them with whatever codec the part names."""
        payload = self._payload
        return payload.encode("ascii", "surrogateescape") if isinstance(payload, str) else b""


def message_of(content: bytes) -> Message:
    """The whole message in ``content``. ``Malformed`` says which limit it exceeds."""
    lines = sum(1 for _ in _LINE_END.finditer(content))
    if lines > MOST_LINES:
        raise Malformed(f"more than {MOST_LINES} lines", "lines")
    count = 0

    def part(policy: Any = None) -> _Part:
        nonlocal count
        count += 1
        if count > MOST_PARTS:
            raise Malformed(f"more than {MOST_PARTS} parts", "parts")
        return _Part(policy)

    try:
        message: Message = BytesParser(policy=Compat32(message_factory=part)).parsebytes(content.replace(b"\0", b""))
    except ODD as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    return message


def pieces(message: Message) -> list[Message] | None:
    """The parts of a multipart message; None for any other."""
    if not message.is_multipart():
        return None
    payload = message.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else None


def bytes_of(part: Message) -> tuple[bytes, bool]:
    """The contents of ``part`` without their transfer encoding, and True if some of them are lost."""
    raw = part.held() if isinstance(part, _Part) else b""
    encoding = next(iter(values(part, "Content-Transfer-Encoding")), "").split(";")[0].strip().lower()
    if encoding == "quoted-printable":
        return binascii.a2b_qp(raw), raw.endswith(b"=")  # the line goes on, and nothing follows
    return _from_base64(raw) if encoding == "base64" else (raw, False)


def _from_base64(raw: bytes) -> tuple[bytes, bool]:
    """The decoded bytes, as far as possible, and True if some are lost. None are lost if there are no foreign
    characters, the length is a multiple of four, and the padding is at the end."""
    said, padding, after = b"".join(raw.split()).partition(b"=")
    known = _NOT_BASE64.sub(b"", said)
    left = len(known) % 4
    whole = len(known) == len(said) and left != 1 and len(padding + after) == -left % 4 and not after.strip(b"=")
    if left == 1:
        known = known[:-1]
    return binascii.a2b_base64(known + b"=" * (-len(known) % 4)), not whole


def head_of(content: bytes) -> Message:
    """Only the header, or its beginning if it is too long."""
    return BytesHeaderParser(policy=compat32).parsebytes(content[:_HEAD])


def is_cut(content: bytes) -> bool:
    """True if the header is longer than what ``head_of`` reads of it."""
    return len(content) > _HEAD and _END.search(content, 0, _HEAD) is None


def body_of(content: bytes) -> Message:
    """The message, as far as it must be read for a report: within limits, so that no mail takes long. The report comes
    before the returned mail (RFC 3462). Only the header if the message has too many parts."""
    lines = islice(_LINE.finditer(content, 0, BODY), _BODY_LINES)
    cut = content[: max((line.end() for line in lines), default=0)]
    if cut.lower().count(b"\ncontent-type:") > MOST_PARTS or cut.count(b"\n--") > _MOST_BORDERS:
        return head_of(content)
    message = message_from_bytes(cut, policy=compat32)
    groups = sum(1 for _ in islice(message.walk(), _MOST_GROUPS + 1))
    return message if groups <= _MOST_GROUPS else head_of(content)


def values(message: Message, name: str) -> list[str]:
    """The values of the headers called ``name``, each in one line, without characters that no database accepts. Encoded
    words (RFC 2047) stay as they are, so that they cannot hide a line break or an address."""
    found = [written for key, written in message.raw_items() if key.lower() == name.lower()]
    return [" ".join(eight_bit(str(written)[:LONGEST_HEADER]).replace("\0", "").split()) for written in found[:50]]


def eight_bit(text: str) -> str:
    """The text of a header that has bytes above ASCII and no encoded words for them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def value(message: Message, name: str) -> str:
    return next(iter(values(message, name)), "")


def addresses(message: Message, names: Iterable[str]) -> list[str]:
    """The addresses in the headers called ``names``, in small letters. No decision may depend on them."""
    written = [one for name in names for one in values(message, name)]
    try:
        return [address.strip().lower() for _, address in getaddresses(written) if "@" in address]
    except ODD:
        return []
