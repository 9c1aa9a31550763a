"""Reads the text in a ``winmail.dat``, the form in which Outlook sends rich text (MS-OXTNEF).

It is read here and not by a library because every count in it is the sender's: the existing libraries believe it, for
hours. Only the text is looked for; files in it stay closed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from moderator.service.reading.charsets import decoded
from moderator.service.reading.html_text import html_to_text
from moderator.service.reading.message import Malformed
from moderator.service.reading.rtf import decompress, rtf_to_text

_SIGNATURE: Final = 0x223E9F78
_LARGEST: Final = 1_000_000
_MOST_OBJECTS: Final = 200
_MOST_PROPERTIES: Final = 1_000
_OF_THE_MESSAGE: Final = 1
_BODY, _PROPERTIES, _CODE_PAGE = 0x800C, 0x9003, 0x9007
_P_BODY, _P_RTF, _P_HTML, _P_CODE_PAGE = 0x1000, 0x1009, 0x1013, 0x3FDE
_SEVERAL: Final = 0x1000
_NAMED: Final = 0x8000
_INTEGER, _UNICODE = 0x0003, 0x001F
_SIZES: Final = {2: 2, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 0xA: 4, 0xB: 2, 0x14: 8, 0x40: 8, 0x48: 16}
"""Sizes in bytes of properties of fixed size, by their type; the others state their length."""
_CODE_PAGES: Final = {20127: "ascii", 20866: "koi8_r", 28591: "latin_1", 65001: "utf-8"}


def tnef_text(content: bytes) -> str:
    """The text in ``content``; empty if there is none that can be read."""
    found = _Found()
    try:
        for name, data in _objects(content[:_LARGEST]):
            found.take(name, data)
    except (struct.error, Malformed):
        pass  # cut off: what came before it counts
    return found.text()


class _Found:
    """The texts of a file. ``code_page`` is that of the text, ``own`` that of the program that made the file."""

    def __init__(self) -> None:
        self.plain, self.html, self.rtf = "", b"", b""
        self.body = b""
        self.own, self.code_page = "cp1252", ""

    def take(self, name: int, data: bytes) -> None:
        if name == _CODE_PAGE:
            self.own = _code_page(struct.unpack_from("<I", data)[0])
        elif name == _BODY:
            self.body = data
        elif name == _PROPERTIES:
            for kind, what, value in _properties(data):
                self._property(kind, what, value)

    def _property(self, kind: int, what: int, value: bytes) -> None:
        if what == _P_BODY and kind == _UNICODE:
            self.plain = value.decode("utf-16-le", "replace")
        elif what == _P_BODY:
            self.body = value
        elif what == _P_HTML:
            self.html = value.decode("utf-16-le", "replace").encode() if kind == _UNICODE else value
        elif what == _P_RTF:
            self.rtf = value
        elif what == _P_CODE_PAGE and kind == _INTEGER:
            self.code_page = _code_page(struct.unpack("<I", value)[0])

    def text(self) -> str:
        page = self.code_page or self.own
        plain = self.plain or decoded(self.body, page)[0]
        text = plain.replace("\0", "")
        if not text.strip() and self.html:
            try:
                text = html_to_text(decoded(self.html, self.code_page or None)[0].replace("\0", ""))
            except Malformed:
                text = ""
        if not text.strip() and self.rtf:
            text = rtf_to_text(decompress(self.rtf))
        return text.replace("\0", "") if text.strip() else ""


def _code_page(number: int) -> str:
    return _CODE_PAGES.get(number, f"cp{number}")


def _objects(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The name and bytes of each object that belongs to the message itself; attachments come after these."""
    if struct.unpack_from("<I", content)[0] != _SIGNATURE:
        raise Malformed("no TNEF")
    at = 6
    for _ in range(_MOST_OBJECTS):
        if at + 9 > len(content):
            return
        level, name, _, size = struct.unpack_from("<BHHI", content, at)
        if level != _OF_THE_MESSAGE:
            return
        yield name, _all(content, at + 9, size)
        at += 9 + size + 2


def _properties(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The type, name and value of each property; of several values the first."""
    (count,) = struct.unpack_from("<I", data)
    at = 4
    for _ in range(min(count, _MOST_PROPERTIES)):
        if at >= len(data):
            return
        kind, what = struct.unpack_from("<HH", data, at)
        at += 4
        if what >= _NAMED:
            (by_text,) = struct.unpack_from("<I", data, at + 16)
            at += 20
            (said,) = struct.unpack_from("<I", data, at)
            at += 4 + (_padded(said) if by_text else 0)
        size = _SIZES.get(kind & ~_SEVERAL)
        several = 1
        if kind & _SEVERAL or size is None:
            (several,) = struct.unpack_from("<I", data, at)
            at += 4
        if size is not None:
            yield kind, what, _all(data, at, size)
            at += _padded(size * several)
            continue
        for number in range(min(several, _MOST_PROPERTIES)):
            (length,) = struct.unpack_from("<I", data, at)
            if number == 0:
                yield kind, what, _all(data, at + 4, length)
            at += 4 + _padded(length)


def _all(data: bytes, at: int, size: int) -> bytes:
    """The ``size`` bytes from ``at`` on. ``Malformed`` if the end is missing: the last order of such a text may be
    another one."""
    if at + size > len(data):
        raise Malformed("cut off")
    return data[at : at + size]


def _padded(size: int) -> int:
    return size + (-size % 4)
