"""Decodes the bytes of a text, whatever their label says. Orders are ASCII and survive every guess."""

from __future__ import annotations

import codecs
from encodings import normalize_encoding
from encodings.aliases import aliases
from typing import Final

_OURS: Final = ("utf-8", "cp1252")
_NOT_FOR_TEXTS: Final = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem"}
)
"""Codecs that are not for texts; some take time that grows with the square of the length."""
_KNOWN: Final = frozenset({*aliases, *aliases.values(), "koi8_u", "cp874", "cp1006", "utf_8_sig"}) - _NOT_FOR_TEXTS
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks and their charsets (Unicode 23.8); the mark of UTF-32 begins with one of UTF-16."""
_LONGEST_NAME: Final = 40
_SEVEN_BITS: Final = frozenset({"ascii", "us_ascii"})


def decoded(raw: bytes, label: str | None) -> tuple[str, bool]:
    """The text, and True if its label was wrong: it names no charset, or not the one in which the text was written. In
    that case UTF-8 is tried, then Windows-1252, and then Latin-1, which accepts everything. A byte order mark at the
    beginning says more than the label."""
    marked, rest = _by_mark(raw)
    if marked is not None:
        return _whole(marked), False
    raw, label = rest, label if len(rest) == len(raw) else None
    name = _known(label) if label else "utf-8"
    for tried in (name, *_OURS):
        if tried is None:
            continue
        try:
            text = raw.decode(tried)
        except (ValueError, LookupError):
            continue
        return _whole(text), tried != name
    return _whole(raw.decode("latin-1")), True


def _by_mark(raw: bytes) -> tuple[str | None, bytes]:
    """The text in the charset that its byte order mark names, None if it has no such mark; and the bytes without a mark
    that says nothing any more: the zeros of two-byte characters were lost on the way."""
    for mark, name in _MARKS:
        if not raw.startswith(mark):
            continue
        if name != "utf-8-sig" and b"\0" not in raw[len(mark) :]:
            return None, raw[len(mark) :]
        try:
            return raw.decode(name), raw
        except ValueError:
            continue
    return None, raw


def _known(label: str) -> str | None:
    """The name of a codec for texts; None if ``label`` names none. Unknown names are not looked up, because the library
    remembers each of them."""
    name = normalize_encoding(label[:_LONGEST_NAME].strip().lower())
    for written in (name, name.replace("_", "")):
        if written in _KNOWN:
            try:
                return written if codecs.lookup(written)._is_text_encoding else None
            except LookupError:
                return None
    return None


def _whole(text: str) -> str:
    """``text`` without halves of characters, which some codecs let through and no database accepts."""
    return text.encode("utf-8", "replace").decode("utf-8")
