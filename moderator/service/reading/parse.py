"""Parses a raw message into the values that the service uses. Whatever a message contains, only ``Malformed`` is
raised, and a fault in its text does not hide its recipients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import getaddresses
from typing import Final, Literal

from grammar import CUT
from moderator.service.reading.charsets import decoded
from moderator.service.reading.html_text import html_to_text
from moderator.service.reading.message import (
    DEEPEST,
    MOST_PARTS,
    ODD,
    Malformed,
    bytes_of,
    head_of,
    message_of,
    pieces,
    values,
)
from moderator.service.reading.pieces import Text, one_of, unlike, whole
from moderator.service.reading.recipients import ADDRESSED, spelled_out
from moderator.service.reading.tnef import tnef_text

_LONGEST_TEXT: Final = 200_000
_LONGEST_ATTACHED: Final = 20_000
_MOST_WINMAILS: Final = 2
Kind = Literal["plain", "html", "attached"]
_CUT: Final = f"{CUT} and more than is read]"
"""Marks the place where a text was cut. It is not an order, so nothing is carried out of a block that goes on after
it."""
_LONGEST_FROM: Final = 2_000
_TEXT_NAME: Final = re.compile(r".*\.(?:txt|text|asc)", re.IGNORECASE | re.DOTALL)
_UNREAD: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (kind, re.compile(shape, re.IGNORECASE))
    for kind, shape in {
        "picture": r"image/.*|.*\.(?:png|jpe?g|gif|heic|webp|svg|tiff?|bmp)",
        "pdf": r"application/(?:x-)?pdf|.*\.pdf",
        "appointment": r"text/(?:x-v?)?calendar|.*\.(?:ics|vcs)",
        "archive": r"application/(?:x-)?(?:zip|gzip|7z|tar|rar|bzip2?|xz).*|.*\.(?:zip|gz|7z|tgz|tar|rar|bz2|xz)",
        "document": r"application/(?:msword|rtf|vnd\..*)|text/rtf|.*\.(?:docx?|xlsx?|odt|ods|rtf|csv|pages)",
        "sound": r"(?:audio|video)/.*",
    }.items()
)
"""Words of the templates for parts that hold no text, by their type or name."""
_SIGNATURES: Final = re.compile(r"application/(?:x-)?(?:pgp-signature|pkcs7-signature|pgp-keys)", re.IGNORECASE)
_REACTION: Final = "text/vnd.google.email-reaction+json"
_OPAQUE: Final = re.compile(r"application/(?:x-)?(?:pkcs7-mime|pgp-encrypted)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message, read once. ``plain`` and ``html`` are the texts of its parts, None if it has no such part."""

    message_id: str | None
    date: str
    senders: tuple[str, ...]
    """Addresses in From, in small letters; no authority comes from them."""
    addressed: tuple[str, ...]
    """The contents of To, Cc and the delivery headers, with odd forms of addresses spelled out: our secret addresses
    are looked for in them."""
    subject: str
    plain: str | None = None
    html: str | None = None
    attached: str | None = None
    """A text that is attached as a file."""
    rich: str | None = None
    """The text in a ``winmail.dat``: another form of the mail's text, made by Outlook."""
    forwarded: bool = False
    """Another message is attached; it is not read."""
    encrypted: bool = False
    reaction: bool = False
    """It is an emoji reaction to one of our mails, as Gmail sends it."""
    winmail: bool = False
    """It has a ``winmail.dat`` without a text that can be read."""
    unread: tuple[str, ...] = ()
    """Contents that are not read: ``picture``, ``pdf``, ``appointment``, ``archive``, ``document``, ``sound``,
    ``file``."""
    charset_wrong: bool = False
    damaged: frozenset[Kind] = frozenset()
    """Texts that may have been cut off, or of which something is lost."""
    fault: Malformed | None = None
    """The reason why its texts cannot be read; None if they can."""


def parse(content: bytes) -> Parsed:
    """Read ``content``. ``Malformed`` if not even its header can be read."""
    try:
        head = head_of(content)
        found = _Texts()
        fault = _read(content, found)
        return Parsed(
            message_id=_header(head, "Message-ID") or None,
            date=_header(head, "Date"),
            senders=_senders(head),
            addressed=spelled_out(value for name in ADDRESSED for value in values(head, name)),
            subject=_header(head, "Subject"),
            plain=_limited(found.text.plain, "plain"),
            html=_limited(found.text.html, "html"),
            attached=_joined(found.attached),
            rich=next(iter(unlike(found.rich)), None),
            forwarded=found.forwarded,
            encrypted=found.encrypted,
            reaction=found.reaction,
            winmail=found.winmail,
            unread=tuple(dict.fromkeys(found.unread)),
            charset_wrong=found.charset_wrong,
            damaged=frozenset(found.damaged),
            fault=fault,
        )
    except ODD as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error


def _header(head: Message, name: str) -> str:
    return next(iter(values(head, name)), "")


def _senders(head: Message) -> tuple[str, ...]:
    try:
        pairs = getaddresses([one[:_LONGEST_FROM] for one in values(head, "From")[:5]])
    except ODD:  # no address then: nothing is decided by it
        return ()
    return tuple(address.strip().lower() for _, address in pairs if "@" in address)


def _read(content: bytes, found: _Texts) -> Malformed | None:
    """Fill ``found``. Returns the reason if that cannot be done."""
    try:
        message = message_of(content)
        leaves = list(_leaves(message, 0, [0]))
        cut = leaves[-1] if leaves and _without_end(message) else None
        texts = _texts(message, found, cut)
        found.text = whole(texts)
        if found.damaged and len(texts) > 1:  # pieces of both kinds may be in either form of the whole
            found.damaged |= {"plain", "html"}
    except Malformed as fault:
        found.forget()
        return fault
    except ODD as error:
        found.forget()
        return Malformed(f"{type(error).__name__}: {error}")
    return None


def _texts(message: Message, found: _Texts, cut: Message | None) -> list[Text]:
    """The pieces of text in ``message``; ``found`` takes everything else. ``cut``: the part whose end is missing."""
    inside = pieces(message)
    if message.get_content_maintype() != "multipart" or inside is None:
        text = found.take(message, last=message is cut)
        return [] if text is None else [text]
    parts = [_texts(part, found, cut) for part in inside]
    if message.get_content_subtype() == "alternative":
        return one_of(parts)
    return [text for part in parts for text in part]


def _without_end(message: Message) -> bool:
    """True if the last boundary is missing, in the message or in its last part: something was cut off."""
    while True:
        if any(type(one).__name__ == "CloseBoundaryNotFoundDefect" for one in message.defects):
            return True
        inside = pieces(message)
        if not inside:
            return False
        message = inside[-1]


def _leaves(message: Message, depth: int, count: list[int]) -> Iterator[Message]:
    """The parts that hold no other parts. An attached message is one part, and is not opened."""
    count[0] += 1
    if depth > DEEPEST or count[0] > MOST_PARTS:
        raise Malformed("too many parts", "parts")
    inside = pieces(message)
    if message.get_content_maintype() == "multipart" and inside is not None:
        for part in inside:
            yield from _leaves(part, depth + 1, count)
    else:
        yield message


@dataclass(slots=True)
class _Texts:
    """The contents of the parts of a message. ``text``: the mail's own text, in its forms; ``rich``: texts of
    ``winmail.dat``."""

    text: Text = field(default_factory=Text)
    attached: list[str] = field(default_factory=list)
    rich: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    forwarded: bool = False
    encrypted: bool = False
    reaction: bool = False
    winmail: bool = False
    winmails: int = 0
    charset_wrong: bool = False
    damaged: set[Kind] = field(default_factory=set)

    def take(self, part: Message, *, last: bool) -> Text | None:
        """Add a part; returns it if it is a piece of the mail's own text. ``last``: nothing of the message comes after
        this part, and its end is missing."""
        kind, name = part.get_content_type(), _name(part)
        attached = part.get_content_disposition() == "attachment" or bool(name)
        if kind.startswith("message/"):
            self.forwarded = True
        elif kind == _REACTION:
            self.reaction = True
        elif _OPAQUE.fullmatch(kind) or name.endswith(".p7m"):
            self.encrypted = True
        elif kind in ("application/ms-tnef", "application/vnd.ms-tnef") or name == "winmail.dat":
            self._winmail(part)
        elif kind == "text/plain" and not attached:
            return Text(plain=self._text(part, "plain", last=last))
        elif kind == "text/plain" and _TEXT_NAME.fullmatch(name):
            self.attached.append(self._text(part, "attached", last=last))
        elif kind == "text/html" and not attached:
            return Text(html=self._text(part, "html", last=last))
        elif kind.startswith("multipart/"):
            raise Malformed("parts without a boundary", "border")
        elif not _SIGNATURES.fullmatch(kind):
            self.unread.append(_kind_of(kind, name))
        return None

    def forget(self) -> None:
        """Drop all texts: nothing counts of a message that is not read to its end."""
        self.text, self.attached, self.rich, self.unread = Text(), [], [], []

    def _text(self, part: Message, kind: Kind, *, last: bool) -> str:
        raw, damaged = bytes_of(part)
        text, wrong = decoded(raw, part.get_content_charset())
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
        text = _cut(text, kind)
        if str(part.get_param("format", "")).lower() == "flowed":
            text = unflowed(text, delete_space=str(part.get_param("delsp", "")).lower() == "yes")
        if text.strip():
            self.charset_wrong |= wrong
            if damaged or last:
                self.damaged.add(kind)
        return text

    def _winmail(self, part: Message) -> None:
        """Add the text of a ``winmail.dat``. Outlook puts one into a mail; only ``_MOST_WINMAILS`` are opened, because
        each takes long."""
        self.winmails += 1
        if self.winmails > _MOST_WINMAILS:
            self.winmail = True
            return
        raw, damaged = bytes_of(part)
        text = tnef_text(raw)
        if text and len(text) <= _LONGEST_TEXT and not damaged:
            self.rich.append(text.replace("\r\n", "\n").replace("\r", "\n"))
        else:
            self.winmail = True


def _name(part: Message) -> str:
    try:
        return str(part.get_filename() or "").strip().lower()[-200:]
    except ODD:
        return ""


def _kind_of(kind: str, name: str) -> str:
    return next((word for word, shape in _UNREAD if shape.fullmatch(kind) or shape.fullmatch(name)), "file")


def _joined(texts: list[str]) -> str | None:
    """The attached texts, one after the other; None if there are none."""
    if not texts:
        return None
    return _cut("\n".join(text for text in unlike(texts) if text.strip() or len(texts) == 1), "attached")


def _limited(text: str | None, kind: Kind) -> str | None:
    return None if text is None else _cut(text, kind)


def _cut(text: str, kind: Kind) -> str:
    """``text``, or as much of it as is read, up to the end of a line or tag."""
    longest = _LONGEST_ATTACHED if kind == "attached" else _LONGEST_TEXT
    if len(text) <= longest:
        return text
    before, found, _ = text[: longest - len(_CUT) - 1].rpartition(">" if kind == "html" else "\n")
    return f"{before}{found}{_CUT}\n"


def unflowed(text: str, *, delete_space: bool) -> str:
    """``text`` with its flowed lines joined (RFC 3676): a line that ends in a space goes on in the next one of the same
    quotation depth."""
    lines: list[list[str]] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")
        flows = body.endswith(" ") and body != "-- "
        said = body[:-1] if flows and delete_space else body
        if open_depth == depth and body != "-- ":
            lines[-1].append(said)
        else:
            lines.append([f"{'>' * depth} {said}" if depth else said])
        open_depth = depth if flows else None
    return "\n".join("".join(pieces) for pieces in lines)


__all__ = ["Malformed", "Parsed", "html_to_text", "parse", "unflowed"]
