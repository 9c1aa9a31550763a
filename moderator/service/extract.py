"""What a person wrote in a mail, without what the mail quotes, forwards, or is signed with.

The new text is read; a block between ``BEGIN`` and ``END`` is read instead where there is one. Lines that are not read
are left empty, so that the numbers of those that are read stay those of the mail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

from grammar import normalise

_MARK: Final = re.compile(r"##-.{0,200}-##")
_FENCE: Final = re.compile(
    r"begin(?:\s+([0-9a-z]{1,40}-\d{1,9}))?(?:\s+at\s+(\d+))?(?:\s+token\s+([a-z2-7]+))?\s*(?://.*)?", re.IGNORECASE
)
_END: Final = re.compile(r"end\.?(?:\s+//.*)?", re.IGNORECASE)
_FORWARD: Final = re.compile(r"-{5,}\s*[^\W_].*[^\W_]\s*-{5,}|begin forwarded message:", re.IGNORECASE)
"""What mail programs of any language put above a mail that is forwarded or quoted whole. No order looks like it."""
_QUOTED: Final = re.compile(r"\s*>")
_RULE: Final = re.compile(r"[_=*~-]{5,}")
"""A line that only divides."""
_PGP: Final = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{1,30})-----\s*")
_YEAR_OR_ADDRESS: Final = re.compile(r"\b(?:19|20)\d\d\b|@")
_WIDEST: Final = 400
"""Characters of a line that are looked at for the heads of quotations; they are short, and the patterns are slow."""
_MOST_LOOKED_AT: Final = 20_000
"""Characters of a mail that are looked at for them."""
_MOST_LINES: Final = 3_000
_CUT: Final = "[... and more lines than are read]"


@dataclass(frozen=True, slots=True)
class Fence:
    """A block between ``BEGIN`` and ``END``. ``game`` is empty where it names none. ``text`` has empty lines where the
    mail has other ones. ``closed`` is False where ``END`` is missing: perhaps the mail was cut off."""

    game: str
    at: int | None
    token: str | None
    text: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Extracted:
    """``text`` is what to read where there are no fences. ``ignored`` counts lines with something in them that were
    not read; ``quoted`` are lines behind one ``>``, which are never read either; ``ended`` tells that ``END`` stopped
    the reading; ``encrypted`` that there is a text which only its reader can read; ``damaged``, set by who knows it,
    that the text has perhaps been cut off."""

    text: str
    fences: tuple[Fence, ...]
    ignored: int
    quoted: tuple[str, ...]
    ended: bool = False
    encrypted: bool = False
    damaged: bool = False

    @property
    def empty(self) -> bool:
        return not self.fences and not self.text.strip()


def extract(text: str) -> Extracted:
    """The part of a mail's plain text that its writer wrote now."""
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:  # the line that is no order refuses what is read up to it
        lines = [*lines[:_MOST_LINES], _CUT]
    lines, encrypted = _without_armour(lines)
    quoted = tuple(line.lstrip()[1:].strip() for line in lines if re.match(r"\s*>(?!\s*>)", line))
    kept = ["" if _QUOTED.match(line) or _RULE.fullmatch(line.strip()) else line for line in _above_quotation(lines)]
    fences = _fences(kept)
    ended = False
    if not fences:
        kept, ended = _without_signature(kept)
    read = "\n".join(kept).rstrip()
    total = sum(1 for line in lines if line.strip())
    bodies = [fence.text for fence in fences] or [read]
    used = sum(1 for body in bodies for line in body.split("\n") if line.strip())
    return Extracted("" if fences else read, fences, total - used, quoted, ended, encrypted)


def _without_armour(lines: list[str]) -> tuple[list[str], bool]:
    """The text that PGP signed, without what stands round it (RFC 9580 7); and whether there is an encrypted one."""
    if not any(_PGP.fullmatch(line) for line in lines):
        return lines, False
    kept = list(lines)
    inside, encrypted = "", False
    for number, line in enumerate(lines):
        mark = _PGP.fullmatch(line)
        if mark is not None:
            begins, what = mark.group(1) == "BEGIN", mark.group(2)
            encrypted |= begins and what == "MESSAGE"
            inside = {"SIGNED MESSAGE": "head"}.get(what, "armour") if begins else ""
            kept[number] = ""
        elif inside == "head":
            kept[number] = ""
            if not line.strip():
                inside = "signed"
        elif inside == "signed":
            kept[number] = line.removeprefix("- ")
        elif inside == "armour":
            kept[number] = ""
    return kept, encrypted


# ---- quotations


def _above_quotation(lines: list[str]) -> list[str]:
    """The lines with quoted mails left empty: what follows our mark or a quoted mail's head. After one that says who
    wrote (``On … wrote:``) and that lines with ``>`` follow, unquoted lines go on being the writer's. Under a head as
    Outlook makes it (``From: … Sent: …``) all is quoted, and a ``>`` there is another one's."""
    kept = list(lines)
    mark = next((n for n, line in enumerate(lines) if _MARK.search(line) and not _QUOTED.match(line)), None)
    forward = next((n for n, line in enumerate(lines) if _FORWARD.fullmatch(line.strip()[:_WIDEST])), None)
    end = min(n for n in (mark, forward, len(lines)) if n is not None)
    looked_at, cut = _looked_at(kept[:end])
    for first, last in _heads(looked_at):
        after = next((line for line in lines[last + 1 :] if line.strip()), "")
        if _QUOTED.match(after) and lines[last].rstrip().endswith(":"):
            kept[first : last + 1] = [""] * (last + 1 - first)
        else:
            end = min(end, first)
    if cut is not None and cut < end:
        kept[cut], end = _CUT, cut + 1
    kept[end:] = [""] * (len(kept) - end)
    quotation = next((n for n, line in enumerate(kept) if _QUOTED.match(line)), end)
    if quotation < len(lines):
        _drop_attribution(kept, quotation)
    return kept


def _drop_attribution(lines: list[str], end: int) -> None:
    """The line above a quotation that says who wrote it, in a language that is not known to us."""
    above = [n for n in range(end) if lines[n].strip()][-2:]
    if above and lines[above[-1]].rstrip().endswith(":"):
        for n in reversed(above):
            if "@" in lines[n]:
                for drop in range(n, above[-1] + 1):
                    lines[drop] = ""
                return


def _looked_at(lines: list[str]) -> tuple[list[str], int | None]:
    """The lines with those left empty that cannot belong to the head of a quotation, because it takes long to look at
    lines; and the first one that is too much."""
    likely: set[int] = set()
    for number, line in enumerate(lines):
        said = line.strip()[:_WIDEST]
        if said.endswith((":", "：")):
            likely.update((number - 2, number - 1, number))
        elif ":" in said[:60] or "：" in said[:60] or said.startswith("-----"):
            likely.add(number)
    looked_at, left = [""] * len(lines), _MOST_LOOKED_AT
    for number in sorted(n for n in likely if n >= 0):
        said = lines[number].strip()[:_WIDEST]
        left -= len(said)
        if left < 0:
            return looked_at, number
        looked_at[number] = said
    return looked_at, None


def _heads(lines: list[str]) -> list[tuple[int, int]]:
    """First and last line of every head of a quotation ("On … wrote:", "From: … Sent: …") in about a dozen languages.

    The head of a section of orders (``A: pass``) looks like one too: a head has an address or a year in it.
    """
    text = "\n".join(lines)
    found = []
    for match in _header_pattern().finditer(text):
        said = match.group()
        if not _YEAR_OR_ADDRESS.search(said) and "--" not in said:
            continue
        start = match.start() + len(said) - len(said.lstrip())
        first = text.count("\n", 0, start)
        found.append((first, first + said.strip().count("\n")))
    return found


@cache
def _header_pattern() -> re.Pattern[str]:
    pattern: re.Pattern[str] = EmailMessage(text="", languages=list(MAIL_LANGUAGES)).HEADER_REGEX
    return pattern


# ---- fences and signatures


def _fences(lines: list[str]) -> tuple[Fence, ...]:
    fences: list[Fence] = []
    begun: tuple[int, re.Match[str]] | None = None
    for number, line in enumerate(lines):
        said = normalise(line).strip() if line else ""
        begin = _FENCE.fullmatch(said)
        if begin is not None:
            if begun is not None:
                fences.append(_fence(lines, *begun, number, closed=False))
            begun = (number, begin)
        elif begun is not None and _END.fullmatch(said):
            fences.append(_fence(lines, *begun, number, closed=True))
            begun = None
    if begun is not None:
        fences.append(_fence(lines, *begun, len(lines), closed=False))
    return tuple(fences)


def _fence(lines: list[str], start: int, begin: re.Match[str], end: int, *, closed: bool) -> Fence:
    text = "\n" * (start + 1) + "\n".join(lines[start + 1 : end])
    at, token = begin.group(2), begin.group(3)
    return Fence(
        (begin.group(1) or "").lower(), int(at[:9]) if at else None, token.lower() if token else None, text, closed
    )


def _without_signature(lines: list[str]) -> tuple[list[str], bool]:
    """Everything up to a signature, a closing line as letters have it, or ``END``."""
    seen = False
    for number, line in enumerate(lines):
        said = line.strip()
        if _END.fullmatch(normalise(said)):
            return lines[:number], True
        if line in ("-- ", "--") or _footer_pattern().fullmatch(said[:_WIDEST]):
            return lines[:number], False
        if seen and _closing_pattern().fullmatch(said[:_WIDEST]):
            return lines[:number], False
        seen = seen or bool(said)
    return lines, False


@cache
def _closing_pattern() -> re.Pattern[str]:
    """A closing ("Best regards") that is a line by itself: ``take 1`` is an order, though ``tak`` is a closing."""
    closings = [
        c for language in MAIL_LANGUAGES.values() for c in language.get("signatures", []) if not c.startswith("/")
    ]
    return re.compile(rf"(?:{'|'.join(closings)})[\s,.!]*", re.IGNORECASE)


@cache
def _footer_pattern() -> re.Pattern[str]:
    """What telephones put under a mail ("Sent from my …")."""
    footers = [language["sent_from"] for language in MAIL_LANGUAGES.values() if language.get("sent_from")]
    return re.compile(rf"(?:{'|'.join(footers)})\b.*", re.IGNORECASE)
