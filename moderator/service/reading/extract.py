"""Extracts the text that a person wrote in a mail, without quotations, forwarded mails and signatures.

The new text is read; if there is a block between ``BEGIN`` and ``END``, it is read instead. Lines that are not read are
left empty, so that the others keep the numbers that they have in the mail.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from grammar import CUT, normalise, one_break, passages
from moderator.service.reading.quotations import QUOTED, above_quotation

_FENCE: Final = re.compile(
    r"begin(?:\s+([0-9a-z]{1,40}-\d{1,9}))?(?:\s+at\s+(\d+))?(?:\s+token\s+([a-z2-7]+))?\s*(?://.*)?", re.IGNORECASE
)
_END: Final = re.compile(r"end\.?(?:\s+//.*)?", re.IGNORECASE)
_RULE: Final = re.compile(r"[_=*~-]{5,}")
"""A line that is only a divider."""
_PGP: Final = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{1,30})-----\s*")
_MOST_LINES: Final = 3_000
_CUT: Final = f"{CUT} and more lines than are read]"
_BROKEN: Final = f"{CUT} press with a quotation in it, or a line BEGIN or END]"
"""Replaces press if it is not certain that its writer wrote all of it. It is not an order, so the mail is refused."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A block between ``BEGIN`` and ``END``. ``game`` is empty if it names none. ``text`` has empty lines in place of
    the mail's other ones; its own begin with line ``first`` of the mail, counted from 0. ``closed`` is False if ``END``
    is missing: perhaps the mail was cut off."""

    game: str
    at: int | None
    token: str | None
    text: str
    closed: bool
    first: int = 0

    def __contains__(self, number: int) -> bool:
        """True if this line of the mail, counted from 0, belongs to the block."""
        return self.first <= number < self.text.count("\n") + 1


@dataclass(frozen=True, slots=True)
class Extracted:
    """The result of an extraction. ``text`` is the text to read if there are no fences. ``ignored`` is the number of
    lines that are not empty and were not read; ``quoted`` are lines behind one ``>``, which are never read either.
    ``ended``: ``END`` stopped the reading; ``encrypted``: there is a text that only its recipient can read;
    ``damaged``, which the caller sets: the text may have been cut off."""

    text: str
    fences: tuple[Fence, ...]
    ignored: int
    quoted: tuple[str, ...]
    ended: bool = False
    encrypted: bool = False
    damaged: bool = False
    stray_press: bool = False
    """Press stands outside all fences."""
    above: str = ""
    """The mail's own text if this is the text of a file in it: it has no orders, but may forbid or ask."""

    @property
    def empty(self) -> bool:
        return not self.fences and not self.text.strip()


def extract(text: str) -> Extracted:
    """Extract the part of a mail's plain text that its writer has written now."""
    lines = one_break(text).split("\n")  # as the reader of orders does, so that a quotation ends there too
    most = next((n for n, so_far in enumerate(accumulate(map(_pieces, lines))) if so_far > _MOST_LINES), None)
    if most is not None:  # the added line is no order, so all that is read is refused
        lines = [*lines[:most], _CUT]
    lines, encrypted = _without_armour(lines)
    quoted = tuple(line.lstrip()[1:].strip() for line in lines if re.match(r"\s*>(?!\s*>)", line))
    above = _whole_press(lines, above_quotation(lines))
    press = list(passages(above))
    prose = {number for one in press for number in range(one.first, one.last + 1)}
    kept = [
        "" if number not in prose and (QUOTED.match(line) or _RULE.fullmatch(line.strip())) else line
        for number, line in enumerate(above)
    ]
    fences = _fences(kept, prose)
    ended = False
    if not fences:
        kept, ended = _without_signature(kept, prose)
    read = "\n".join(kept).rstrip()
    total = sum(1 for line in lines if line.strip())
    bodies = [fence.text for fence in fences] or [read]
    used = sum(1 for body in bodies for line in body.lstrip("\n").split("\n") if line.strip())
    stray = bool(fences) and any(not any(one.first in fence for fence in fences) for one in press)
    return Extracted("" if fences else read, fences, total - used, quoted, ended, encrypted, stray_press=stray)


def _whole_press(lines: list[str], above: list[str]) -> list[str]:
    """``above``, the part of ``lines`` above a quotation, with a mark in place of all press that is not whole."""
    kept = list(above)
    for press in passages(lines):
        span = slice(press.first, press.last + 1)
        fenced = any(_FENCE.fullmatch(said) or _END.fullmatch(said) for said in map(_said, lines[span]))
        if above[press.first] and press.last > press.first and (fenced or above[span] != lines[span]):
            kept[span] = [_BROKEN, *[""] * (press.last - press.first)]
    return kept


def _said(line: str) -> str:
    return normalise(line).strip() if line else ""


def _pieces(line: str) -> int:
    """The most orders that can be in a line."""
    return 1 + sum(map(line.count, ";\u037e\ufe14\ufe54\uff1b"))


def _without_armour(lines: list[str]) -> tuple[list[str], bool]:
    """The lines without the armour of PGP around a signed text (RFC 9580 7), and True if there is an encrypted text."""
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


# ---- fences and signatures


def _fences(lines: list[str], prose: Container[int]) -> tuple[Fence, ...]:
    fences: list[Fence] = []
    begun: tuple[int, re.Match[str]] | None = None
    for number, line in enumerate(lines):
        said = _said(line) if number not in prose else ""
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
    game, secret = (begin.group(1) or "").lower(), token.lower() if token else None
    return Fence(game, int(at[:9]) if at else None, secret, text, closed, start + 1)


def _without_signature(lines: list[str], prose: Container[int]) -> tuple[list[str], bool]:
    """The lines before a signature (RFC 3676 4.3) or ``END``, and True if it was ``END``. An ``END`` with nothing above
    it ends nothing, and is left empty. Lines in ``prose``, press that is passed on as it stands, are neither."""
    kept = list(lines)
    begun = False
    for number, line in enumerate(lines):
        if number in prose:
            begun = True
        elif _END.fullmatch(_said(line)):
            if begun:
                return kept[:number], True
            kept[number] = ""
        elif line in ("-- ", "--"):
            return kept[:number], False
        else:
            begun |= bool(line.strip())
    return kept, False
