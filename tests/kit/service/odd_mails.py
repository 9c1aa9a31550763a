"""Mails as programs make them and as ways spoil them, byte by byte."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Sequence

TNEF_TEXT, TNEF_HTML, TNEF_RTF = 0x1000, 0x1013, 0x1009
_BINARY, _STRING8, _UNICODE = 0x0102, 0x001E, 0x001F
_RTF_BEGIN = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


def raw(
    body: bytes, *, to: str, sender: str = "ann@players.example", kind: str = "text/plain", head: Sequence[str] = (),
    message_id: str = "<odd@players.example>",
) -> bytes:  # fmt: skip
    """A message with ``body`` as it is. ``head``: further lines of its header, ``kind`` its Content-Type."""
    lines = [f"From: {sender}", f"To: {to}", "Subject: Re: your turn", "Date: Sun, 01 Mar 2026 11:59:00 +0000"]
    lines += [f"Message-ID: {message_id}", "MIME-Version: 1.0", f"Content-Type: {kind}", *head, "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + body


def part(body: bytes | str, kind: str = "text/plain", *head: str) -> bytes:
    """One part of a message in parts."""
    said = body.encode() if isinstance(body, str) else body
    return "\r\n".join([f"Content-Type: {kind}", *head, "", ""]).encode() + said


def file(body: bytes, kind: str, name: str) -> bytes:
    """A part that is a file, in base64."""
    head = f'Content-Disposition: attachment; filename="{name}"', "Content-Transfer-Encoding: base64"
    return part(b64encode(body), f'{kind}; name="{name}"', *head)


def parts(*pieces: bytes, border: str = "=_b", end: bool = True) -> bytes:
    """The body of a message in parts; its Content-Type needs ``boundary="=_b"``."""
    between = f"\r\n--{border}\r\n".encode()
    last = f"\r\n--{border}--\r\n".encode() if end else b""
    return b"".join(between + piece for piece in pieces) + last


def winmail(*, body: bytes = b"", properties: Sequence[tuple[int, int, bytes]] = (), page: int = 1252) -> bytes:
    """A ``winmail.dat``. ``body`` is the text as old Outlook sends it, ``properties`` are (type, name, value)."""
    found = struct.pack("<IH", 0x223E9F78, 1)
    found += _object(0x00069007, struct.pack("<II", page, 0))
    if body:
        found += _object(0x0002800C, body + b"\0")
    if properties:
        packed = struct.pack("<I", len(properties))
        for kind, name, value in properties:
            packed += struct.pack("<HHII", kind, name, 1, len(value)) + value + bytes(-len(value) % 4)
        found += _object(0x00069003, packed)
    return found + struct.pack("<BII", 2, 0x0006900F, 4) + b"file" + b"\0\0"


def text_property(text: str) -> tuple[int, int, bytes]:
    return _UNICODE, TNEF_TEXT, text.encode("utf-16-le") + b"\0\0"


def html_property(page: bytes) -> tuple[int, int, bytes]:
    return _BINARY, TNEF_HTML, page


def rtf_property(packed: bytes) -> tuple[int, int, bytes]:
    return _BINARY, TNEF_RTF, packed


def _object(name: int, data: bytes) -> bytes:
    return struct.pack("<BII", 1, name, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def packed_rtf(text: bytes) -> bytes:
    """Rich text as Outlook packs it, with as many references to what was said before as there can be."""
    said, out, at = bytearray(_RTF_BEGIN), bytearray(), 0
    tokens: list[bytes] = []
    while at < len(text):
        length = next((n for n in range(min(17, len(text) - at), 1, -1) if text[at : at + n] in said), 0)
        if length:
            start = said.rfind(text[at : at + length])
            tokens.append((start << 4 | length - 2).to_bytes(2, "big"))
        else:
            length = 1
            tokens.append(text[at : at + 1])
        said += text[at : at + length]
        at += length
    tokens.append((len(said) % 4096 << 4).to_bytes(2, "big"))
    for first in range(0, len(tokens), 8):
        group = tokens[first : first + 8]
        out.append(sum(1 << bit for bit, token in enumerate(group) if len(token) == 2))
        out += b"".join(group)
    return struct.pack("<IIII", len(out) + 12, len(text), 0x75465A4C, 0) + bytes(out)


def swollen_rtf(size: int) -> bytes:
    """Rich text of about ``size`` bytes in an eighth of them: one letter, and references to the bytes before it."""
    out, at, length = bytearray(b"\0aaaaaaaa"), len(_RTF_BEGIN) + 8, 8
    while length < size:
        out.append(0xFF)
        for _ in range(8):
            out += ((at - 1) % 4096 << 4 | 15).to_bytes(2, "big")
            at, length = at + 17, length + 17
    return struct.pack("<IIII", len(out) + 12, length, 0x75465A4C, 0) + bytes(out)
