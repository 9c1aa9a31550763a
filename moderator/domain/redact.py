"""Takes secret words out of a text: those of addresses, and anything that looks like one.

A person who reads logs, gets alarms on a telephone or is shown a mail must not be able to play for somebody else. A
secret is found in two ways: by its shape, and, if the service's own secrets are given, by comparing letters and digits
alone, so that line ends, quotation marks, blanks and invisible characters hide nothing. Both ways read the text as it
stands, and with percent signs, entities and quoted-printable decoded. Base64 that contains a secret is hidden as a
whole.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from moderator.domain.shown import shown

HIDDEN: Final = "***"
Span = tuple[int, int]
"""From where to where in the text, the end not included."""

_BEFORE: Final = r"(?:[+.](?:[0-9a-z]{1,12}-\d{1,9}\.\d{1,4}|stop\.\d{1,9}|confirm|ok)\.|-bounces[+.])"
_PLACED: Final = re.compile(rf"(?P<kept>{_BEFORE})[0-9a-z.]{{6,}}", re.IGNORECASE)
_FENCED: Final = re.compile(r"(?P<kept>\btoken[ \t]+)[0-9a-z]{6,}", re.IGNORECASE)
_TOKEN: Final = re.compile(r"(?<![0-9A-Za-z])(?=[2-7A-Za-z]*[2-7])[2-7A-Za-z]{20,}(?![0-9A-Za-z])")
"""Base 32, as all our secret words are written. Words of a language have no digits among their letters."""
_LETTERS: Final = re.compile(r"(?<![0-9A-Za-z])(?:[a-z]{26}|[A-Z]{26})(?![0-9A-Za-z])")
"""The same with no digit in it: the length tells."""
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{24,}(?![0-9A-Za-z])")
"""Names of our mails in their return paths, seeds, and digests of them."""
_PASSWORD: Final = re.compile(r"(?P<kept>\b(?:password|passwd|secret|seed)\b\s*[=:]\s*)\S+", re.IGNORECASE)
_URL: Final = re.compile(r"(?P<kept>\b[a-z][a-z0-9+.-]{0,30}://[^\s:/@]{0,200}:)[^\s@/]{1,200}(?=@)", re.IGNORECASE)
_SHAPES: Final = (_PLACED, _FENCED, _PASSWORD, _URL, _TOKEN, _LETTERS, _HEX)

_JOINED: Final = (
    re.compile(rf"(?P<kept>{_BEFORE}|/unsubscribe/\d{{1,9}}\.)[0-9a-z]{{6,26}}", re.IGNORECASE),
    re.compile(r"(?P<kept>\btoken[ \t]*)[2-7a-z]{26}", re.IGNORECASE),
)
"""For a text without line ends. There two words can look like one, so these say how long a secret is."""
_IN_LINES: Final = tuple(
    re.compile(rf"(?<![0-9a-z]){looks}(?:{char}\n?){{{length - 1}}}{char}(?![0-9a-z])", re.IGNORECASE)
    for looks, char, length in (
        (r"(?=(?:[a-z\n]{0,50}[2-7]){2})(?=[2-7\n]{0,50}[a-z])", "[2-7a-z]", 26),
        (r"(?=(?:[0-9\n]{0,50}[a-f]){3})(?=(?:[a-f\n]{0,50}[0-9]){3})", "[0-9a-f]", 24),
    )
)
"""A secret alone, or the name of a mail of ours, that goes over several lines."""

_UNIT: Final = re.compile(
    r"(?P<break>(?<![ \t])[ \t]*\r?\n(?:[ \t]*[>|])*[ \t]*"
    r"|=[ \t]{0,20}\r?\n(?:[ \t]*[>|])*[ \t]*)"
    r"|%(?:25)*(?P<percent>[0-9A-F]{2})"
    r"|&(?:amp;)*#(?P<number>[0-9]{1,7}|x[0-9A-F]{1,6});?"
    r"|=(?P<quoted>[0-9A-F]{2})"
    r"|\x1b\[[0-?]*[ -/]*[@-~]"
    r"|(?P<foreign>[^\t\x20-\x7e])",
    re.IGNORECASE,
)
_RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}(?:[ \t]*\r?\n[> \t]*[A-Za-z0-9+/_-]+)*")
"""Text that may be base64 (RFC 4648, also of the kind for addresses), over lines and quoted."""
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"'|]{1,100}@[\w.-]{1,200}\w")
_DEEPEST: Final = 2
"""So often base64 is taken out of base64."""
_WORTH_IT: Final = re.compile(r"[%&=]|[^\x20-\x7e]|[A-Za-z0-9+/_-]{32}")
"""Without any of this a text reads as it stands."""


def redact(text: str, secrets: Collection[str] = ()) -> str:
    """``text`` with ``***`` in place of secrets, and with everything in it visible (``shown``). ``secrets`` are known
    words, in small letters and digits."""
    found = sorted(_spans(text, secrets, 0))
    if not found:
        return shown(text)
    pieces: list[str] = []
    at = 0
    for start, end in found:
        if start > at or not pieces:
            pieces += [text[at:start], HIDDEN]
        at = max(at, end)
    return shown("".join([*pieces, text[at:]]))


def without_addresses(text: str) -> str:
    """``text`` with ``***`` in place of mail addresses."""
    return _ADDRESS.sub(HIDDEN, text)


def _spans(text: str, secrets: Collection[str], depth: int) -> Iterator[Span]:
    yield from _shaped(text, _SHAPES)
    if not secrets and not _WORTH_IT.search(text):
        return
    for quoted in (False, True) if "=" in text else (False,):
        view = _view(text, quoted=quoted)
        yield from (view.span(*found) for found in _shaped(view.text(), _IN_LINES))
        joined = view.joined()
        yield from (joined.span(*found) for found in _shaped(joined.text(), _JOINED))
        yield from _known(joined, secrets)
    if depth < _DEEPEST:
        yield from (found.span() for found in _RUN.finditer(text) if _holds_secret(found.group(), secrets, depth))


def _shaped(text: str, shapes: Iterable[re.Pattern[str]]) -> Iterator[Span]:
    for shape in shapes:
        for found in shape.finditer(text):
            yield (found.end("kept") if "kept" in shape.groupindex else found.start()), found.end()


@dataclass(slots=True)
class _View:
    """A decoded text: its characters, and the place of each in the original."""

    chars: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def text(self) -> str:
        return "".join(self.chars)

    def span(self, start: int, end: int) -> Span:
        return self.starts[start], self.ends[end - 1]

    def joined(self) -> _View:
        """The same view without line ends."""
        kept = [place for place, char in enumerate(self.chars) if char != "\n"]
        return _View(
            [self.chars[place] for place in kept], [self.starts[place] for place in kept],
            [self.ends[place] for place in kept],
        )  # fmt: skip

    def plain(self, text: str, start: int, end: int) -> None:
        self.chars.extend(text[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def put(self, read: str, start: int, end: int) -> None:
        for char in read:
            self.chars.append(char)
            self.starts.append(start)
            self.ends.append(end)


def _view(text: str, *, quoted: bool) -> _View:
    """``text`` without quotation marks before lines and without characters that print nothing, and with everything
    encoded in it decoded; quoted-printable only if ``quoted``."""
    view, at = _View(), 0
    for found in _UNIT.finditer(text):
        read = _read(found, quoted=quoted)
        if read is None:
            continue
        view.plain(text, at, found.start())
        view.put(read, *found.span())
        at = found.end()
    view.plain(text, at, len(text))
    return view


def _read(found: re.Match[str], *, quoted: bool) -> str | None:
    """The decoded text of a match; None if it is not encoded."""
    match found.lastgroup:
        case "break":
            return "" if found["break"].startswith("=") else "\n"
        case "percent" | "quoted":
            if found.lastgroup == "quoted" and not quoted:
                return None
            return _ascii(int(found[found.lastgroup], 16))
        case "number":
            number = found["number"].lower()
            return _ascii(int(number[1:], 16) if number.startswith("x") else int(number))
        case "foreign":
            folded = unicodedata.normalize("NFKC", found["foreign"])
            return folded if folded.isascii() and folded.isprintable() else _nothing_or_itself(found["foreign"])
    return ""


def _ascii(number: int) -> str | None:
    return chr(number) if 0x20 < number < 0x7F else None


def _nothing_or_itself(char: str) -> str | None:
    return "" if unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co", "Mn", "Zl", "Zp") else None


def _known(view: _View, secrets: Collection[str]) -> Iterator[Span]:
    """The spans where the letters and digits of a secret follow each other, whatever stands between them."""
    if not secrets:
        return
    places = [place for place, char in enumerate(view.chars) if char.isascii() and char.isalnum()]
    said = "".join(view.chars[place] for place in places).lower()
    for length in {len(word) for word in secrets}:
        for at in range(len(said) - length + 1):
            if said[at : at + length] in secrets:
                yield view.span(places[at], places[at + length - 1] + 1)


def _holds_secret(run: str, secrets: Collection[str], depth: int) -> bool:
    """True if ``run`` is base64 of a text that contains a secret, starting anywhere in the run."""
    letters = "".join(re.split(r"[\s>]+", run)).replace("-", "+").replace("_", "/")
    for offset in range(4):
        body = letters[offset:]
        body = body[:-1] if len(body) % 4 == 1 else body
        try:
            decoded = base64.b64decode(body + "=" * (-len(body) % 4))
        except binascii.Error:
            continue
        inner = decoded.replace(b"\0", b"").decode("latin-1")
        if next(_spans(inner, secrets, depth + 1), None) is not None:
            return True
    return False
