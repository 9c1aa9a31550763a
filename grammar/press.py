"""Press: what a player says to other players. It is prose, so it is taken out of a text before orders are read.

``press Bob, Cat: ...`` is one line, or the first of many that end with ``end press``; the text may begin below it, too.
Without names, or with ``all``, it is for everyone. Where there is neither a text after the colon
nor an end it is a fault: what follows was perhaps not meant for others.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grammar.faults import Unreadable, any_of
from grammar.lexer import lexicon
from grammar.nearest import nearest
from grammar.normalise import key, normalise
from grammar.vocabulary import Vocabulary

EVERYONE: Final = "all"
_WORD: Final = "press"
_END: Final = re.compile(r"end ?press\.?(?: ?//.*)?", re.IGNORECASE)
_COLON: Final = re.compile("[:\u2a74\ufe13\ufe55\uff1a]")
"""All that has a plain colon in it once it is normalised."""
_TO: Final = re.compile(r"^to\b ?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r",|&| and ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Press:
    """``text`` as it was written, for the players ``to``, all others if that is empty; ``line`` counts from 1."""

    to: tuple[str, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines ``first`` to ``last`` (from 0) of a text, with the recipients as they were written. Nothing in it means
    anything to the moderator, be it a greeting, a signature or an order. ``closed`` is False where its end is missing,
    and then it is its first line alone."""

    first: int
    last: int
    to: str
    text: str
    closed: bool = True


@dataclass(slots=True)
class Taken:
    """``rest`` is the text with empty lines where the press was, so that lines keep their numbers."""

    rest: str
    press: list[Press] = field(default_factory=list)
    errors: list[Unreadable] = field(default_factory=list)


def take_press(text: str, vocabulary: Vocabulary) -> Taken:
    """Take all press out of ``text``, whose lines end in ``\\n``."""
    lines = text.split("\n")
    taken = Taken(text)
    for passage in passages(lines):
        if not passage.to and passage.first == passage.last and passage.text and _WORD in lexicon(vocabulary).actors:
            continue  # the head of a player who is called so
        found = _judged(passage, vocabulary)
        if isinstance(found, Press):
            taken.press.append(found)
        else:
            taken.errors.append(found)
        lines[passage.first : passage.last + 1] = [""] * (passage.last + 1 - passage.first)
    taken.rest = "\n".join(lines)
    return taken


def passages(lines: Sequence[str]) -> Iterator[Passage]:
    """All press in a text of these lines, in its order."""
    said = [_plain(line) for line in lines]
    begins = {n: begin for n, line in enumerate(said) if (begin := _begin(line, lines[n])) is not None}
    ends = [n for n, line in enumerate(said) if _END.fullmatch(line)]
    marks = sorted([*begins, *ends])
    past = -1
    for number, (to, text) in begins.items():
        if number <= past:
            continue
        end = next(iter(ends[bisect(ends, number) :]), None)
        if text and (end is None or marks[bisect(marks, number)] != end):
            yield Passage(number, number, to, text)
        elif end is None:
            yield Passage(number, number, to, "", closed=False)
        else:
            past = end
            yield Passage(number, end, to, "\n".join([text, *lines[number + 1 : end]]).strip("\n"))


def _plain(line: str) -> str:
    """A line that may begin or end press, normalised; empty for all others."""
    if line.isascii() and _WORD not in line.casefold():
        return ""
    return " ".join(normalise(line).split())


def _begin(plain: str, raw: str) -> tuple[str, str] | None:
    """Recipients and text of a line that begins press."""
    if plain[: len(_WORD)].casefold() != _WORD or plain[len(_WORD) :][:1] not in ("", " ", ":"):
        return None
    to, colon, _ = plain[len(_WORD) :].partition(":")
    if "//" in to:
        return to.split("//")[0].strip(), ""
    return to.strip(" ."), _COLON.split(raw, maxsplit=1)[1].strip() if colon else ""


def _judged(passage: Passage, vocabulary: Vocabulary) -> Press | Unreadable:
    names = {key(player): player for player in vocabulary.players}
    line, everyone = passage.first + 1, False
    to: list[str] = []
    for said in _recipients(passage.to, names):
        if key(said) in names:
            to.append(names[key(said)])
        elif key(said) == EVERYONE:
            everyone = True
        else:
            wanted = f"`{EVERYONE}`, {any_of(list(vocabulary.players))}"
            return Unreadable(line, 1, said, (wanted,), nearest(key(said), names, lambda _: False), reason="press")
    if not passage.closed:
        return Unreadable(line, 1, "", ("a line `end press` after the text",), None, reason="press_end")
    if not passage.text.strip():
        return Unreadable(line, 1, "", ("the text that is to be passed on",), None, reason="incomplete")
    return Press(() if everyone else tuple(dict.fromkeys(to)), passage.text, line)


def _recipients(said: str, names: Mapping[str, str]) -> list[str]:
    bare = said if key(said) in names else _TO.sub("", said)
    return [bare] if key(bare) in names else [part.strip() for part in _BETWEEN.split(bare) if part.strip()]
