"""Shows a stored message as a person would read it: completely decoded, so that secrets in it can be found.

Everything that holds text is shown, including what the service does not read: quotations, attached texts, forwarded
mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Final

from moderator.domain.counts import counted
from moderator.service.reading.charsets import decoded
from moderator.service.reading.html_text import html_to_text
from moderator.service.reading.message import ODD, Malformed, bytes_of, eight_bit, head_of, message_of, pieces
from moderator.service.reading.tnef import tnef_text

_LONGEST: Final = 200_000
"""The most characters of one text that are shown."""
_DEEPEST: Final = 10
_PLAIN_ENCODINGS: Final = ("", "7bit", "8bit", "binary", "quoted-printable", "base64")


def readable(content: bytes) -> str:
    """The header and every text of ``content``, decoded. Raises nothing, whatever is in it: a part that cannot be
    parsed is not shown, and a note says why."""
    try:
        message = message_of(content)
    except Malformed as fault:
        return "\n".join([*_fields(head_of(content)), "", _note(f"cannot be taken apart: {fault}")]) + "\n"
    return "\n".join([*_fields(message), "", *_body(message, 0)]).rstrip("\n") + "\n"


def _fields(message: Message) -> Iterator[str]:
    """The header, one field to a line. Fields about the content are shown with each part."""
    for name, value in message.raw_items():
        if not name.lower().startswith("content-"):
            yield f"{eight_bit(name)}: {_decoded(' '.join(eight_bit(str(value)).split()))}"


def _decoded(text: str) -> str:
    """``text`` with its encoded words decoded (RFC 2047)."""
    try:
        found = decode_header(text)
    except ODD:
        return text
    return "".join(piece if isinstance(piece, str) else decoded(piece, charset)[0] for piece, charset in found)


def _body(part: Message, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        yield _note(f"parts within parts, more than {_DEEPEST} deep: not shown")
        return
    inside, kind = pieces(part), part.get_content_type()
    if inside is None:
        yield from _leaf(part, kind)
        return
    for number, inner in enumerate(inside, 1):
        if kind.startswith("message/"):
            yield from _attached(part, inner, kind, depth)
            continue
        yield f"---- part {number} of {len(inside)}: {_said_of(inner)}"
        yield ""
        yield from _body(inner, depth + 1)
        yield ""


def _attached(part: Message, inner: Message, kind: str, depth: int) -> Iterator[str]:
    """A message in the message, or a group of fields in a report. Such parts should not be encoded (RFC 2046 5.2.1),
    and the library does not decode them."""
    if _encoding(part) == "base64" and not inner.keys():
        inner["Content-Transfer-Encoding"] = "base64"
        try:
            inner = message_of(bytes_of(inner)[0])
        except Malformed as fault:
            yield _note(f"cannot be taken apart: {fault}")
            return
    yield from _fields(inner)
    yield ""
    if inner.is_multipart() or inner.get_payload() or kind == "message/rfc822":
        yield from _body(inner, depth + 1)
        yield ""


def _leaf(part: Message, kind: str) -> Iterator[str]:
    if _encoding(part) not in _PLAIN_ENCODINGS:
        yield _note(f"{_said_of(part)}, in an unknown encoding: not shown")
        return
    raw, _ = bytes_of(part)
    if kind in ("application/ms-tnef", "application/vnd.ms-tnef") or _name(part).lower() == "winmail.dat":
        text = tnef_text(raw) or _note("no text that can be read")
    elif kind == "text/html":
        text = _of_html(_text(part, raw))
    elif kind.startswith(("text/", "message/", "multipart/")):
        text = _text(part, raw)
    else:
        yield _note(f"{_said_of(part)}, {len(raw)} bytes: not shown")
        return
    yield text[:_LONGEST]
    if len(text) > _LONGEST:
        yield _note(f"and {counted(len(text) - _LONGEST, 'more character')}")


def _text(part: Message, raw: bytes) -> str:
    return decoded(raw, part.get_content_charset())[0].replace("\r\n", "\n")


def _of_html(html: str) -> str:
    try:
        return html_to_text(html, whole=True)
    except Malformed as fault:
        return _note(f"cannot be read: {fault}")


def _said_of(part: Message) -> str:
    name = _name(part)
    return part.get_content_type() + (f", {name}" if name else "")


def _name(part: Message) -> str:
    """The file name of a part, decoded (RFC 2231, RFC 2047); empty if it has none."""
    try:
        return _decoded(collapse_rfc2231_value(part.get_filename() or "")[:200])
    except ODD:
        return ""


def _encoding(part: Message) -> str:
    return eight_bit(str(part.get("Content-Transfer-Encoding", ""))).split(";")[0].strip().lower()


def _note(said: str) -> str:
    return f"[{said}]"
