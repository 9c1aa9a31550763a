"""Cut a text into pieces, each an order or the head of a section, and keep the line and column of every character.

A new line or ``;`` ends a piece. ``//`` begins a comment that runs to the end of the line. A line that begins with a
space continues the line above it if that one ends in ``-`` or ``,``: mail programs break long orders there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

LONGEST_PIECE: Final = 2_000
"""The maximum number of characters of one order; the longest possible run has about 500."""
_BULLET: Final = re.compile(r"(?:[-*+•·‣▪●◦]|\(?(?:\d{1,2}|[a-z])[.)])\s+(?=\S)", re.IGNORECASE)
_AROUND: Final = "\"'*_ "
_AFTER: Final = re.compile(r"[.!\s\u2600-\u27bf\U0001f000-\U0001faff]+$")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a text. ``text`` has no comment and no outer spaces. ``marks`` give the origin of its parts as
    (offset, line, column), the first at offset 0. ``opens`` is True for the first piece of a line, ``closes`` for the
    last if no semicolon follows it."""

    text: str
    marks: tuple[tuple[int, int, int], ...]
    opens: bool = True
    closes: bool = True

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column, both from 1, of the character at ``offset``, or of the end of the piece."""
        start, line, column = self.marks[max(0, bisect_right(self.marks, (offset, 10**9, 0)) - 1)]
        return line, column + offset - start

    @property
    def line(self) -> int:
        return self.marks[0][1]

    @property
    def last_line(self) -> int:
        return self.marks[-1][1]

    def part(self, start: int, end: int) -> Piece:
        """The piece from ``start`` to ``end``, without outer spaces."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        inside = tuple((at - start, line, col) for at, line, col in self.marks if start < at < start + len(text))
        return Piece(text, ((0, *self.place(start)), *inside), self.opens and start == 0, self.closes)


def joined(pieces: tuple[Piece, ...]) -> Piece:
    """Join the pieces of successive lines into one, with a space between them except before or after a hyphen."""
    text, marks = pieces[0].text, list(pieces[0].marks)
    for piece in pieces[1:]:
        text += "" if text.endswith("-") or piece.text.startswith("-") else " "
        marks.extend((at + len(text), line, column) for at, line, column in piece.marks)
        text += piece.text
    return Piece(text, tuple(marks), pieces[0].opens, pieces[-1].closes)


def cut(text: str) -> tuple[Piece, ...]:
    """All pieces of a normalised text, without empty ones."""
    lines: list[list[Piece]] = []
    """Each piece with the pieces that continue it. They are joined only at the end, so that a text of nothing but
    continuations is not copied again and again."""
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
    ended = line.text.endswith(";")
    return [Piece(p.text, p.marks, opens=n == 0, closes=n == last and not ended) for n, p in enumerate(pieces)]


def bare(text: str) -> str:
    """``text`` without the marks that people put around an order: a list bullet or number, quotation marks, asterisks,
    a full stop, an exclamation mark, an emoji."""
    text = text.strip()
    bullet = _BULLET.match(text)
    return _AFTER.sub("", text[bullet.end() if bullet else 0 :].strip(_AROUND)).strip(_AROUND)
