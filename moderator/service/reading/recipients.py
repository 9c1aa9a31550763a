"""The header fields that name recipients, and the odd forms in which mail programs write an address there.

An odd form is read only where a mail goes to: a name beside another address is left as it stands. The person who wrote
an address is looked for elsewhere (``moderator.domain.senders``), and nothing is decoded there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email.header import decode_header
from typing import Final
from urllib.parse import unquote

from moderator.service.reading.message import ODD

ADDRESSED: Final = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
"""The fields that name recipients: the writer's own, then those that mail servers add."""
_LONGEST: Final = 10_000
_ENTRY: Final = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,;"])+')
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"@')


def spelled_out(values: Iterable[str]) -> tuple[str, ...]:
    """The values of recipients' fields, and after them the plain form of each address in them that has an odd one:
    broken by a fold, with blanks round its ``@``, with a quoted local part (RFC 5321 4.1.2), with ``%2B`` for ``+``, or
    as a whole in an encoded word (which RFC 2047 5 forbids)."""
    written = tuple(values)
    found = (plain for value in written if len(value) <= _LONGEST for plain in _odd_forms(value))
    return (*written, *dict.fromkeys(found))


def decoded_words(text: str) -> str:
    """A header with its encoded words decoded (RFC 2047), as far as possible."""
    try:
        pieces = decode_header(text)
    except ODD:
        return text
    said = ""
    for piece, charset in pieces:
        if isinstance(piece, str):
            said += piece
            continue
        try:
            said += piece.decode(charset or "utf-8", "replace")
        except ODD:
            said += piece.decode("utf-8", "replace")
    return " ".join(said.split())


def _odd_forms(value: str) -> Iterator[str]:
    if value.replace('\\"', "").count('"') % 2:
        return  # nobody knows where its names end
    for entry in _ENTRY.findall(value):
        inside = _address_of(entry)
        if "@" not in inside and "=?" in inside and "@" not in entry:
            inside = _address_of(decoded_words(inside))
        plain = "".join(inside.split())
        plain = unquote(_QUOTED.sub(lambda found: re.sub(r"\\(.)", r"\1", found[1]) + "@", plain))
        if "@" in plain and plain not in entry and not re.search(r"[\s,;<>\"]", plain):
            yield plain


def _address_of(entry: str) -> str:
    """The address of a mailbox: the text between angle brackets, or all of it if there are none."""
    outside = re.sub(r'"(?:[^"\\]|\\.)*"(?!@)', "", entry)
    return outside.partition("<")[2].rpartition(">")[0] if "<" in outside else outside
