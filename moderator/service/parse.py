"""A raw message to what the service looks at. Whatever a message contains, it raises nothing but ``Malformed``, and
what is wrong with its text does not hide whom it is addressed to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from email.utils import getaddresses
from typing import Final

from inscriptis import get_text
from inscriptis.css_profiles import RELAXED_CSS_PROFILE
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement

_MOST_PARTS: Final = 100
_DEEPEST: Final = 10
_LONGEST_TEXT: Final = 200_000
_CUT: Final = "[... and more than is read]"
"""Stands where a text was cut: no order, so that nothing is carried out of a block that goes on after it."""
_LONGEST_HEADER: Final = 10_000
_HTML: Final = ParserConfig(css={**RELAXED_CSS_PROFILE, "blockquote": HtmlElement(display=Display.none)})
"""Quotations in HTML stand in ``blockquote``: they are not read at all."""

_ODD: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError)
"""What the library raises for messages that are none."""


class Malformed(Exception):
    """No message that can be read: why."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message, read once. ``plain`` and ``html`` are the texts of its parts, None where it has no such part."""

    message_id: str | None
    date: str
    senders: tuple[str, ...]
    """Addresses in From, in small letters; no authority comes from them."""
    addressed: tuple[str, ...]
    """What To, Cc and the delivery headers say, as written: our secret addresses are looked for in them."""
    subject: str
    plain: str | None
    html: str | None
    forwarded: bool
    """Another message is attached; it is not read."""
    fault: str = ""
    """Why its texts cannot be read; empty if they can."""


def parse(content: bytes) -> Parsed:
    """Read ``content``."""
    try:
        message = message_from_bytes(content, policy=compat32)
        plain, html, forwarded, fault = _texts_or_fault(message)
        senders = _addresses(message, "From")
        return Parsed(
            message_id=_header(message, "Message-ID") or None,
            date=_header(message, "Date"),
            senders=senders,
            addressed=tuple(
                value for name in ("To", "Cc", "Delivered-To", "X-Original-To") for value in _headers(message, name)
            ),
            subject=_header(message, "Subject"),
            plain=plain,
            html=html,
            forwarded=forwarded,
            fault=fault,
        )
    except _ODD as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error


def html_to_text(html: str) -> str:
    """HTML as plain text with its line breaks, without what it quotes."""
    if not html.strip():
        return ""
    try:
        return str(get_text(html, _HTML))
    except _ODD as error:
        raise Malformed(f"HTML: {error}") from error


def _headers(message: Message, name: str) -> list[str]:
    found = message.get_all(name) or []
    return [re.sub(r"\s+", " ", str(value)[:_LONGEST_HEADER]).strip() for value in found[:50]]


def _header(message: Message, name: str) -> str:
    return next(iter(_headers(message, name)), "")


def _addresses(message: Message, name: str) -> tuple[str, ...]:
    try:
        pairs = getaddresses(_headers(message, name))
    except _ODD:  # no address then: nothing is decided by it
        return ()
    return tuple(address.strip().lower() for _, address in pairs if "@" in address)


def _texts_or_fault(message: Message) -> tuple[str | None, str | None, bool, str]:
    try:
        return *_texts(message), ""
    except Malformed as fault:
        return None, None, False, str(fault)
    except _ODD as error:
        return None, None, False, f"{type(error).__name__}: {error}"


def _texts(message: Message) -> tuple[str | None, str | None, bool]:
    """Plain text, HTML, and whether a message is attached. Mail programs cut a text in pieces around a picture: all of
    them are read."""
    plain: list[str] = []
    html: list[str] = []
    forwarded = False
    for part in _leaves(message, 0, [0]):
        kind = part.get_content_type()
        if kind.startswith("message/"):
            forwarded = True
        elif part.get_content_disposition() == "attachment" or part.get_filename():
            continue
        elif kind == "text/plain":
            plain.append(_text(part))
        elif kind == "text/html":
            html.append(_text(part))
    return _joined(plain, "\n"), _joined(html, "<br>"), forwarded


def _joined(texts: list[str], between: str) -> str | None:
    return between.join(text for text in texts if text.strip() or len(texts) == 1) if texts else None


def _leaves(message: Message, depth: int, count: list[int]) -> Iterator[Message]:
    """Parts that hold no other parts; of an attached message only that it is there."""
    count[0] += 1
    if depth > _DEEPEST or count[0] > _MOST_PARTS:
        raise Malformed("too many parts")
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        payload = message.get_payload()
        assert isinstance(payload, list)
        for part in payload:
            if isinstance(part, Message):
                yield from _leaves(part, depth + 1, count)
    else:
        yield message


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    try:
        text = raw.decode(part.get_content_charset() or "utf-8", "replace")
    except _ODD:  # no such encoding, or one that is not for texts: orders are ASCII
        text = raw.decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if len(text) > _LONGEST_TEXT:
        end = ">" if part.get_content_subtype() == "html" else "\n"
        before, found, _ = text[:_LONGEST_TEXT].rpartition(end)
        text = f"{before}{found}{_CUT}\n"
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unflow(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _unflow(text: str, delete_space: bool) -> str:
    """RFC 3676: a line that ends in a space goes on in the next one of the same quotation depth."""
    lines: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")
        flows = body.endswith(" ") and body != "-- "
        said = body[:-1] if flows and delete_space else body
        if open_depth == depth and body != "-- ":
            lines[-1] += said
        else:
            lines.append(f"{'>' * depth} {said}" if depth else said)
        open_depth = depth if flows else None
    return "\n".join(lines)
