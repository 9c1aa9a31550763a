"""A text cut into pieces, each an order or the head of a section, with every character's line and column kept.

A new line or ``;`` ends a piece, ``//`` begins a comment that goes to the end of its line. A line that begins with a
space and follows a line ending in ``-`` or ``,`` goes on with it: mail programs break long orders there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

_BULLET: Final = re.compile(r"(?:[-*+•·‣▪●◦]|\(?(?:\d{1,2}|[a-z])[.)])\s+(?=\S)", re.IGNORECASE)
_AROUND: Final = "\"'*_ "
_AFTER: Final = re.compile(r"[.!\s\u2600-\u27bf\U0001f000-\U0001faff]+$")


@dataclass(frozen=True, slots=True)
class Piece:
    """``text`` without comment and outer spaces. ``marks`` say where it came from: (offset, line, column), the first
    at offset 0. ``opens`` and ``closes`` tell whether it is the first or last of its line."""

    text: str
    marks: tuple[tuple[int, int, int], ...]
    opens: bool = True
    closes: bool = True

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character of the piece (or of its end)."""
        start, line, column = self.marks[max(0, bisect_right(self.marks, (offset, 10**9, 0)) - 1)]
        return line, column + offset - start

    @property
    def line(self) -> int:
        return self.marks[0][1]

    @property
    def last_line(self) -> int:
        return self.marks[-1][1]

    def part(self, start: int, end: int) -> Piece:
        """The characters from ``start`` to ``end``, outer spaces left out."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        inside = tuple((at - start, line, col) for at, line, col in self.marks if start < at < start + len(text))
        return Piece(text, ((0, *self.place(start)), *inside), self.opens and start == 0, self.closes)


def joined(pieces: tuple[Piece, ...]) -> Piece:
    """Pieces of successive lines as the one they may have been: after a hyphen nothing comes between them."""
    text, marks = pieces[0].text, list(pieces[0].marks)
    for piece in pieces[1:]:
        text += "" if text.endswith("-") or piece.text.startswith("-") else " "
        marks.extend((at + len(text), line, column) for at, line, column in piece.marks)
        text += piece.text
    return Piece(text, tuple(marks), pieces[0].opens, pieces[-1].closes)


def cut(text: str) -> tuple[Piece, ...]:
    """All pieces of a normalised text, empty ones left out."""
    lines: list[list[Piece]] = []
    """Each piece joined with those that continue it. They are joined once, because a text may consist of nothing
    else."""
    for number, raw in enumerate(text.split("\n"), 1):
        said = raw.split("//", 1)[0].rstrip()
        bare = said.lstrip()
        if not bare:
            continue
        line = Piece(bare, ((0, number, len(said) - len(bare) + 1),))
        before = lines[-1][-1] if lines else None
        if said != bare and before is not None and before.line == number - 1 and before.text[-1] in "-,":
            lines[-1].append(line)
        else:
            lines.append([line])
    return tuple(piece for group in lines for piece in _orders(joined(tuple(group))))


def _orders(line: Piece) -> list[Piece]:
    """The pieces of one line between its semicolons."""
    spans, start = [], 0
    for said in line.text.split(";"):
        if said.strip():
            spans.append((start, start + len(said)))
        start += len(said) + 1
    pieces = [line.part(*span) for span in spans]
    last = len(pieces) - 1
    return [Piece(p.text, p.marks, opens=n == 0, closes=n == last) for n, p in enumerate(pieces)]


def bare(text: str) -> str:
    """``text`` without the marks that people put around an order: the bullet or number of a list, quotation marks,
    stars, a full stop, an exclamation mark, a smiley."""
    text = text.strip()
    bullet = _BULLET.match(text)
    return _AFTER.sub("", text[bullet.end() if bullet else 0 :].strip(_AROUND)).strip(_AROUND)
