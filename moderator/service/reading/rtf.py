"""Turns rich text into plain text, as far as a mail needs it, and unpacks it from the form of Outlook (MS-OXRTFCP)."""

from __future__ import annotations

import re
import struct
from typing import Final

from moderator.service.reading.charsets import decoded

_LONGEST: Final = 400_000
_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_BEGIN: Final = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20"
    b"\\b\\i\\u\\tab\\tx"
)
"""The text that every packed text may refer to without containing it."""
_WINDOW: Final = 4096
_TOKEN: Final = re.compile(
    r"\\([a-z]{1,32})(-?[0-9]{1,9})? ?|\\'([0-9a-f]{2})|\\(.)|([{}])|([\r\n]+)|([^\\{}\r\n])", re.I | re.S
)
_ASIDE: Final = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "footnote", "generator"}
)
"""Groups that are not part of the text."""
_SAID: Final = {
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": " ", "emdash": "-",
    "endash": "-", "lquote": "'", "rquote": "'", "ldblquote": '"', "rdblquote": '"', "bullet": "*",
}  # fmt: skip


def decompress(data: bytes) -> bytes:
    """The bytes of the rich text; empty if they are cut off or damaged."""
    if len(data) < 16:
        return b""
    _, size, form, _ = struct.unpack_from("<IIII", data)
    if form == _PLAIN:
        return data[16 : 16 + size] if 16 + size <= len(data) else b""
    if form != _PACKED:
        return b""
    window = bytearray(_BEGIN.ljust(_WINDOW, b" "))
    write, at, out = len(_BEGIN), 16, bytearray()
    while at < len(data) and len(out) < _LONGEST:
        control = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data):
                break
            if not control >> bit & 1:
                said, at = data[at : at + 1], at + 1
            else:
                pair = int.from_bytes(data[at : at + 2].ljust(2, b"\0"), "big")
                at += 2
                start, length = pair >> 4, (pair & 15) + 2
                if start == write:
                    return bytes(out) if len(out) == size else b""
                said = b""
                for step in range(length):
                    byte = window[(start + step) % _WINDOW]
                    window[(write + step) % _WINDOW] = byte
                    said += bytes((byte,))
            for byte in said:
                window[write] = byte
                write = (write + 1) % _WINDOW
            out += said
    return bytes(out) if len(out) == size else b""


def rtf_to_text(data: bytes) -> str:
    """The text of ``data``, one paragraph to a line."""
    reader = _Reader()
    for match in _TOKEN.finditer(data[:_LONGEST].decode("latin-1")):
        reader.take(match)
    return reader.text()


class _Reader:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.groups: list[tuple[bool, int]] = []
        self.aside, self.after = False, 1
        """True in a group that is no text; the number of characters after ``\\u`` for programs that cannot read it."""
        self.left = 0
        self.page = "cp1252"
        self.begins = False

    def take(self, match: re.Match[str]) -> None:
        word, number, byte, sign, brace, _, char = match.groups()
        begins, self.begins = self.begins, brace == "{"
        if brace == "{" and len(self.groups) < 1_000:
            self.groups.append((self.aside, self.after))
        elif brace == "}" and self.groups:
            self.aside, self.after = self.groups.pop()
            self.left = 0
        elif word:
            self._word(word.lower(), int(number) if number else None)
        elif sign == "*" and begins:
            self.aside = True
        elif byte or sign or char:
            self._said(decoded(bytes((int(byte, 16),)), self.page)[0] if byte else {"~": " "}.get(sign, sign) or char)

    def _word(self, word: str, number: int | None) -> None:
        if word in _ASIDE:
            self.aside = True
        elif word == "ansicpg" and number:
            self.page = f"cp{number}"
        elif word == "uc":
            self.after = min(max(number or 0, 0), 9)
        elif word == "u" and number is not None:
            code = number % 65_536
            self._said(chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd")
            self.left = self.after
        elif word in _SAID:
            self.left = 0
            self._said(_SAID[word])

    def _said(self, text: str) -> None:
        if self.left:
            self.left -= 1
        elif not self.aside:
            self.pieces.append(text)

    def text(self) -> str:
        return "".join(self.pieces)
