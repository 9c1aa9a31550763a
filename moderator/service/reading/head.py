"""Reads the header of a mail, before anything else of it, and as much of the whole as a report needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses
from itertools import islice
from typing import Final

ODD: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError, MessageError)
"""Errors that libraries raise for bytes that are no message."""
_HEAD: Final = 131_072
_END: Final = re.compile(rb"\n\r?\n|\r\r")
BODY: Final = 400_000
"""The most octets of a message that are looked through."""
_BODY_LINES: Final = 5_000
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n?|\n|\Z)")
_MOST_PARTS: Final = 100
_MOST_BORDERS: Final = 2_000
"""The most lines that may be borders between parts, or quoted signatures."""
_MOST_GROUPS: Final = 200
"""The most parts, with the groups of fields in a delivery report, which has one for each recipient (RFC 3464 2.1), each
ended by an empty line. The search for failures goes through all of them hundreds of times."""
_LONGEST: Final = 2_000


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
    if cut.lower().count(b"\ncontent-type:") > _MOST_PARTS or cut.count(b"\n--") > _MOST_BORDERS:
        return head_of(content)
    message = message_from_bytes(cut, policy=compat32)
    groups = sum(1 for _ in islice(message.walk(), _MOST_GROUPS + 1))
    return message if groups <= _MOST_GROUPS else head_of(content)


def values(message: Message, name: str) -> list[str]:
    """The values of the headers called ``name``, each in one line."""
    wanted = name.lower()
    found = [written for key, written in message.raw_items() if key.lower() == wanted]
    return [" ".join(_eight_bit(str(written)[:_LONGEST]).split()) for written in found[:50]]


def value(message: Message, name: str) -> str:
    return next(iter(values(message, name)), "")


def addresses(message: Message, names: Iterable[str]) -> list[str]:
    """The addresses in the headers called ``names``, in small letters. No decision may depend on them."""
    written = [one for name in names for one in values(message, name)]
    try:
        return [address.strip().lower() for _, address in getaddresses(written) if "@" in address]
    except ODD:
        return []


def _eight_bit(text: str) -> str:
    """The text of a header that has bytes above ASCII and no encoded words for them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
