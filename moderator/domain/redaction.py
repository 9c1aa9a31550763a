"""Remove secrets from a text: the secret words of addresses, and anything that looks like one.

A person who reads logs, receives alerts on a telephone or is shown a mail must not be able to play for somebody else. A
secret is found by its form and, if the service's own secrets are given, by comparing letters and digits alone, so that
line ends, quotation marks, spaces and invisible characters hide nothing. Both methods search the text as it stands and
with percent-encoding, entities and quoted-printable decoded. Base64 that contains a secret is hidden as a whole.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from moderator.domain.escape import shown

HIDDEN: Final = "***"
Span = tuple[int, int]
"""Start and end of a passage in the text; the end is exclusive."""

_BEFORE: Final = (
    r"(?:[+.](?:[0-9a-z]{1,12}-\d{1,9}\.\d{1,4}|stop\.\d{1,9}|confirm|join|motion|master|ok)\.|-bounces[+.])"
)
_PLACED: Final = re.compile(rf"(?P<kept>{_BEFORE})[0-9a-z.]{{6,}}", re.IGNORECASE)
_FENCED: Final = re.compile(r"(?P<kept>\btoken[ \t]+)[0-9a-z]{6,}", re.IGNORECASE)
_TOKEN: Final = re.compile(r"(?<![0-9A-Za-z])(?=[2-7A-Za-z]*[2-7])[2-7A-Za-z]{20,}(?![0-9A-Za-z])")
"""Base32, in which all our secrets are written. Words of natural languages have no digits among their letters."""
_LETTERS: Final = re.compile(r"(?<![0-9A-Za-z])(?:[a-z]{26}|[A-Z]{26})(?![0-9A-Za-z])")
"""A secret in base32 without a digit, recognised by its length."""
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{24,}(?![0-9A-Za-z])")
"""Names of our mails in their return paths, seeds, and digests of seeds."""
_PASSWORD: Final = re.compile(r"(?P<kept>\b(?:password|passwd|secret|seed)\b\s*[=:]\s*)\S+", re.IGNORECASE)
_URL: Final = re.compile(r"(?P<kept>\b[a-z][a-z0-9+.-]{0,30}://[^\s:/@]{0,200}:)[^\s@/]{1,200}(?=@)", re.IGNORECASE)
_SHAPES: Final = (_PLACED, _FENCED, _PASSWORD, _URL, _TOKEN, _LETTERS, _HEX)

_JOINED: Final = (
    re.compile(rf"(?P<kept>{_BEFORE}|/unsubscribe/\d{{1,9}}\.)[0-9a-z]{{6,26}}", re.IGNORECASE),
    re.compile(r"(?P<kept>\btoken[ \t]*)[2-7a-z]{26}", re.IGNORECASE),
)
"""Forms of secrets in a text whose line ends were removed. Two words may run together there, so these patterns limit
the length."""
_IN_LINES: Final = tuple(
    re.compile(rf"(?<![0-9a-z]){looks}(?:{char}\n?){{{length - 1}}}{char}(?![0-9a-z])", re.IGNORECASE)
    for looks, char, length in (
        (r"(?=(?:[a-z\n]{0,50}[2-7]){2})(?=[2-7\n]{0,50}[a-z])", "[2-7a-z]", 26),
        (r"(?=(?:[0-9\n]{0,50}[a-f]){3})(?=(?:[a-f\n]{0,50}[0-9]){3})", "[0-9a-f]", 24),
    )
)
"""A bare secret, or the name of one of our mails, broken over several lines."""

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
"""Text that may be base64 (RFC 4648, also with its URL-safe alphabet), broken over lines and quoted."""
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"'|]{1,100}@[\w.-]{1,200}\w")
_DEEPEST: Final = 2
"""The maximum number of layers of base64 that are decoded."""
_WORTH_IT: Final = re.compile(r"[%&=]|[^\x20-\x7e]|[A-Za-z0-9+/_-]{32}")
"""A sign that something in a text may be encoded; a text without one is searched only as it stands."""


def redact(text: str, secrets: Collection[str] = ()) -> str:
    """``text`` with ``***`` in place of secrets, and with invisible characters spelt out (``shown``). ``secrets``: the
    known secrets, in lower-case letters and digits."""
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
    """A decoded text: its characters, and the span of each in the original text."""

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
    """``text`` without quote marks (``>``) before lines and without invisible characters, decoded from percent-encoding
    and entities and, if ``quoted``, from quoted-printable."""
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
    """The decoded text of a match; None if it stands for itself."""
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
    """The spans that contain a secret, whatever other characters stand between its letters and digits."""
    if not secrets:
        return
    places = [place for place, char in enumerate(view.chars) if char.isascii() and char.isalnum()]
    said = "".join(view.chars[place] for place in places).lower()
    for length in {len(word) for word in secrets}:
        for at in range(len(said) - length + 1):
            if said[at : at + length] in secrets:
                yield view.span(places[at], places[at + length - 1] + 1)


def _holds_secret(run: str, secrets: Collection[str], depth: int) -> bool:
    """True if ``run``, read as base64 from any offset, decodes to a text that contains a secret."""
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
