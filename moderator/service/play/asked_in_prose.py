"""Questions that players ask in their own words: `?`, "what does TSR do", "what is a par"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from engine.core.game import Game
from moderator.domain.outcome import Outcome
from moderator.domain.ports import Words
from moderator.domain.transcript import Shown, Transcript

_LINES: Final = 40
"""The maximum number of lines of a mail in which questions are looked for."""
_LONGEST: Final = 120
_MOST: Final = 4
"""The maximum number of questions that are answered."""
_QUESTION: Final = re.compile(
    r"\W*(?:(?:hi|hello|so|and|ok|please|sorry)\W+)*"
    r"(?:what(?:['’]?s| is| are| does| do| about)|who is|explain|meaning of)\s+"
    r"(?:(?:an?|the|my|this)\s+)?(?P<about>[^\s?.!,;:](?:[^?.!,;:]|\.(?=\S))*?)"
    r"(?:\s+(?:do|does|mean|means|stand for|good for|give me|actually|exactly|again|here|please))*\s*[?.!]*",
    re.IGNORECASE,
)  # fmt: skip
_MARKS: Final = re.compile(r"\s*\?+\s*")


@dataclass(frozen=True, slots=True)
class Answered:
    """The texts for the questions in a mail, and their lines, from 1. ``bare``: a line has nothing but a question
    mark."""

    shown: tuple[Shown, ...]
    lines: frozenset[int]
    bare: bool


def answered(
    words: Words, game: Game, transcript: Transcript, outcome: Outcome, text: str
) -> tuple[Transcript, Outcome]:
    """``transcript`` and its outcome with the answers to the questions in ``text``. If the text has nothing but
    questions, it is no fault any more that it has no order."""
    found = answer(words, game, text)
    if not found.lines:
        return transcript, outcome
    shown = replace(transcript, shown=(*transcript.shown, *found.shown))
    if not all(line.line in found.lines for line in transcript.lines):
        return shown, outcome
    outcome = "shown" if found.shown else "helped"
    notes = tuple(note for note in transcript.notes if note[0] not in ("prose", "heads_alone"))
    return replace(shown, lines=(), notes=notes, outcome=outcome), outcome


def answer(words: Words, game: Game, text: str) -> Answered:
    """The answers to the questions in ``text`` about a term, a company or a private."""
    found: dict[str, Shown] = {}
    lines: set[int] = set()
    bare = False
    for number, line in enumerate(text.splitlines()[:_LINES], start=1):
        if _MARKS.fullmatch(line):
            bare = True
            lines.add(number)
            continue
        asked = _QUESTION.fullmatch(line) if len(line) <= _LONGEST else None
        shown = _about(words, game, asked["about"]) if asked is not None and len(found) < _MOST else None
        if shown is not None:
            found.setdefault(shown.text, shown)
            lines.add(number)
    return Answered(tuple(found.values()), frozenset(lines), bare)


def _about(words: Words, game: Game, said: str) -> Shown | None:
    """The text about a company or private, or else about a term; None if ``said`` is none of these."""
    if text := words.text_word(game, said):
        return Shown("word", said, text)
    if text := words.text_private(game, said):
        return Shown("private", said, text)
    return None
