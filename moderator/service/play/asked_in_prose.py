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
_GREETING: Final = 3
"""The maximum number of words of a line that is a greeting or a name."""
_PART: Final = 5
"""The fewest letters of a part of a name."""
_OPENING: Final = r"\W*(?:(?:hi|hello|so|and|ok|please|sorry|but)\W+)*"
_QUESTION: Final = re.compile(
    rf"{_OPENING}"
    r"(?:what(?:['\u2019]?s| is| are| does| do| about)|who is|explain|meaning of)\s+"
    r"(?:(?:an?|the|my|this)\s+)?(?P<about>[^\s?.!,;:](?:[^?.!,;:]|\.(?=\S))*?)"
    r"(?:\s+(?:do|does|mean|means|stand for|good for|give me|actually|exactly|again|here|please))*\s*[?.!]*",
    re.IGNORECASE,
)  # fmt: skip
_RULES: Final = re.compile(
    rf"{_OPENING}(?:what are the rules|what is (?:this|the) game(?: about)?|how does (?:this|the) game (?:work|end)"
    r"|(?:where|how) (?:do|can) i (?:find|get|read) the rules)\W*",
    re.IGNORECASE,
)
_HOW: Final = re.compile(
    rf"{_OPENING}(?:how (?:do|can|should|must) i (?:play|answer|order|write(?: (?:an )?orders?)?)"
    r"|how does (?:this|it) work|what (?:do|can|should|must) i (?:do|write|answer)(?: now| here)?"
    r"|i (?:do not|don['\u2019]?t) understand(?: this| it)?)\W*",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"\s*\?+\s*")


@dataclass(frozen=True, slots=True)
class Answered:
    """The texts for the questions in a mail, and their lines, from 1. A line that ``help`` answers has no text.
    ``whole``: nothing else is said in the mail, greetings and names aside."""

    shown: tuple[Shown, ...]
    lines: frozenset[int]
    whole: bool


def answered(
    words: Words, game: Game, transcript: Transcript, outcome: Outcome, text: str
) -> tuple[Transcript, Outcome]:
    """``transcript`` and its outcome with the answers to the questions in ``text``. If the text has nothing but
    questions, it is no fault any more that it has no order."""
    found = answer(words, game, text)
    if not found.lines:
        return transcript, outcome
    shown = replace(transcript, shown=(*transcript.shown, *found.shown))
    if not found.whole or not all(line.line in found.lines for line in transcript.lines):
        return shown, outcome
    outcome = "shown" if found.shown else "helped"
    notes = tuple(note for note in transcript.notes if note[0] not in ("prose", "heads_alone"))
    return replace(shown, lines=(), notes=notes, outcome=outcome), outcome


def answer(words: Words, game: Game, text: str) -> Answered:
    """The answers to the questions in ``text`` about a term, a company or a private."""
    found: dict[str, Shown] = {}
    lines: set[int] = set()
    for number, line in enumerate(text.splitlines()[:_LINES], start=1):
        if len(line) > _LONGEST:
            continue
        if _MARKS.fullmatch(line) or _HOW.fullmatch(line):
            lines.add(number)
            continue
        if _RULES.fullmatch(line):
            shown: Shown | None = Shown("rules", "", words.text_rules(game))
        else:
            asked = _QUESTION.fullmatch(line)
            shown = _about(words, game, asked["about"]) if asked is not None and len(found) < _MOST else None
        if shown is not None:
            found.setdefault(shown.text, shown)
            lines.add(number)
    rest = (line for number, line in enumerate(text.splitlines(), start=1) if number not in lines)
    whole = all(len(line.split()) <= _GREETING for line in rest)
    return Answered(tuple(found.values()), frozenset(lines), whole)


def _about(words: Words, game: Game, said: str) -> Shown | None:
    """The text about a company or private, or else about a term; None if ``said`` is none of these."""
    if text := words.text_word(game, said):
        return Shown("word", said, text)
    if _is_named(game, said) and (text := words.text_private(game, said)):
        return Shown("private", said, text)
    return None


def _is_named(game: Game, said: str) -> bool:
    """True if ``said`` is a name of a company or private, or a longer part of one. In a sentence nothing is guessed:
    `what is that` does not ask about THT."""
    privates = [(one.id, *one.synonyms, one.name) for one in game.title.privates.values()]
    companies = [(one.id, *one.synonyms, one.name) for one in game.title.companies.values()]
    names = [name.casefold() for item in (*privates, *companies) for name in item]
    wanted = " ".join(said.casefold().split())
    return wanted in names or (len(wanted) >= _PART and any(wanted in name for name in names))
