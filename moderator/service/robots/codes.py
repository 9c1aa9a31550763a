"""Status codes (RFC 3463) and SMTP replies (RFC 5321 4.2) in the text of returned mail that has no form.

Digits of an address of the network, a version or a date are no code. The mail of ours that comes back below the report
is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Final

from moderator.service.reading.message import ODD

CODE: Final = re.compile(
    r"(?<![\w.])(?<!version )(?<!release )([245])\.([0-7])\.(\d{1,3})(?![\w@]|\.\d)", re.IGNORECASE
)
"""A status code; its first group is the class."""
_REPLY: Final = re.compile(
    r"(?:^[ \t>]*|\b(?:said|says|returned|error|reply|replied|response|responded|reason|code|status|result|smtp)\b"
    r"[^\n\d]{0,30}|[:;<(\[{'\"#][ \t]*)([45])[0-5]\d(?=[ \t:;,)\]-]+\D)",
    re.IGNORECASE | re.MULTILINE,
)
"""A reply without a status code, where reports quote one; its first group is the class."""
_SURE: Final = re.compile(
    r"(?<![\w.])5[0-5]\d[ \t:#(\[-]{1,4}5\.[0-7]\.\d{1,3}(?![\w@]|\.\d)"
    r"|#[ \t<]*5\.[0-7]\.\d{1,3}(?![\w@]|\.\d)"
    r"|\b(?:said|returned|replied|responded|response|error)\b[^\n\d]{0,30}(?<![\w.])55\d[ \t:-]"
)
"""A permanent failure as only mail servers write it: a reply together with its status code, or quoted as one."""
_COPY: Final = re.compile(
    r"^[ \t>]*(?:-{2,}.*\b(?:copy|original|returned|headers|message)\b|(?:the )?(?:original |your )?(?:message|mail)"
    r"(?: headers?)? follows?\b|(?:return-path|received|delivered-to|dkim-signature|message-id):)",
    re.IGNORECASE | re.MULTILINE,
)
"""The first line of the mail that comes back."""
_LONGEST: Final = 20_000
_TAG: Final = re.compile(r"<[^<>@]{0,500}>")


def text_of(message: Message) -> str:
    """The words of a report: its text parts, without the mail that it returns."""
    text = "\n".join(_texts(message))[:_LONGEST]
    copy = _COPY.search(text)
    return text[: copy.start()] if copy is not None else text


def codes_in(text: str) -> tuple[str, ...]:
    """The codes in the words of a report, status codes before bare classes such as ``5``: each begins with its
    class."""
    codes = tuple(dict.fromkeys(found.group() for found in CODE.finditer(text)))
    return codes or tuple(dict.fromkeys(_REPLY.findall(text)))


def surely_failed(text: str) -> bool:
    """True if the words can only be those of a server that returns a mail."""
    return _SURE.search(text) is not None


def _texts(part: Message) -> Iterator[str]:
    kind = part.get_content_type()
    if kind.startswith("multipart/"):
        inside = part.get_payload()
        for one in inside if isinstance(inside, list) else ():
            if isinstance(one, Message):
                yield from _texts(one)
    elif kind.startswith("text/") and kind != "text/rfc822-headers":
        try:
            payload = part.get_payload(decode=True)
        except ODD:
            return
        text = payload[:_LONGEST].decode("latin-1") if isinstance(payload, bytes) else ""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        yield _TAG.sub(" ", text) if kind == "text/html" else text
