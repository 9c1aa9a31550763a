"""Press: messages from a player to other players. It is prose, so it is taken out of a text before orders are read.

``press Bob, Cat`` begins a text that ends with a line ``end press``; ``press Bob: ...`` may be one line without it.
Without names, or with ``all``, it is for everyone. Press cannot be taken back. If the end of a text is not certain,
none of it is press, and the fault says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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
_AND: Final = re.compile(r"&|\band\b", re.IGNORECASE)
_WRAPPED: Final = 60
"""Characters: mail programs break lines that would be longer than this, or more."""
_HEAD: Final = 20
"""Characters of a line in which its first letter must stand."""
_EXPLAINED: Final = 50
"""The number of wrong names that get a suggestion."""


@dataclass(frozen=True, slots=True)
class Press:
    """``text`` as it was written, for the players ``to``, all others if that is empty; ``line`` counts from 1."""

    to: tuple[str, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines ``first`` to ``last`` (from 0) of a text, with the recipients as they were written. Nothing in it means
    anything to the moderator, be it a greeting, a signature or an order. ``fault`` is why it is not known where it
    ends, a reason of ``Unreadable``; then it is its first line alone."""

    first: int
    last: int
    to: str
    text: str = ""
    colon: bool = False
    fault: str = ""


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
    is_name = _WORD in lexicon(vocabulary).actors
    for passage in passages(lines):
        if is_name and passage.colon and not passage.to and passage.first == passage.last:
            continue  # the head of a player who is called so
        found = _judged(passage, vocabulary, suggest=len(taken.errors) < _EXPLAINED)
        if isinstance(found, Press):
            taken.press.append(found)
        else:
            taken.errors.append(found)
        lines[passage.first : passage.last + 1] = [""] * (passage.last + 1 - passage.first)
    taken.rest = "\n".join(lines)
    return taken


def passages(lines: Sequence[str]) -> Iterator[Passage]:
    """All press in a text of these lines, in its order. The next line with a word of press says whether one ends there
    or another begins: there is none inside another."""
    said = [_plain(line) for line in lines]
    marks = [n for n, line in enumerate(said) if _END.fullmatch(line) or _begins(line)] + [len(lines)]
    for number, after in pairwise(marks):
        if not _begins(said[number]):
            continue
        to, colon, text = _parted(said[number], lines[number])
        if after < len(lines) and not _begins(said[after]):
            whole = "\n".join([text, *lines[number + 1 : after]]).strip("\n")
            yield Passage(number, after, to, whole, colon)
        elif not text:
            yield Passage(number, number, to, colon=colon, fault="press_end")
        else:
            fault = "press_wrapped" if _goes_on(lines, number) else ""
            yield Passage(number, number, to, text, colon, fault)


def _goes_on(lines: Sequence[str], number: int) -> bool:
    """True if a mail program may have broken the line there: the next word would have made it long."""
    below = lines[number + 1].split() if number + 1 < len(lines) else []
    return bool(below) and not _begins(_plain(lines[number + 1])) and len(lines[number] + below[0]) >= _WRAPPED


def _plain(line: str) -> str:
    """A line that may begin or end press, normalised; empty for all others."""
    first = line.lstrip()[:_HEAD]
    if "!" <= first[:1] <= "~" and first[0] not in "PpEe":
        return ""
    head = normalise(first).lstrip()[:1].casefold()  # the whole line is long to look at
    return " ".join(normalise(line).split()) if head in ("p", "e") else ""


def _begins(plain: str) -> bool:
    return plain[: len(_WORD)].casefold() == _WORD and plain[len(_WORD) :][:1] in ("", " ", ":")


def _parted(plain: str, raw: str) -> tuple[str, bool, str]:
    """Recipients of a line that begins press, whether there is a colon, and the text after it."""
    to, colon, _ = plain[len(_WORD) :].partition(":")
    if "//" in to:
        return to.split("//")[0].strip(), False, ""
    return to.strip(" ."), bool(colon), _COLON.split(raw, maxsplit=1)[1].strip() if colon else ""


def _judged(passage: Passage, vocabulary: Vocabulary, *, suggest: bool) -> Press | Unreadable:
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
            near = nearest(key(said), names, lambda _: False) if suggest else None
            return Unreadable(line, 1, said, (wanted,), near, reason="press")
    if passage.fault:
        return Unreadable(line, 1, "", ("a line `end press` after the text",), None, reason=passage.fault)
    if not normalise(passage.text).strip():
        return Unreadable(line, 1, "", ("the text that is to be passed on",), None, reason="incomplete")
    return Press(() if everyone else tuple(dict.fromkeys(to)), passage.text, line)


def _recipients(said: str, names: Collection[str]) -> list[str]:
    """Names may have `and` in them, alone or in a list with commas."""
    bare = said if key(said) in names else _TO.sub("", said)
    listed = [bare] if key(bare) in names else bare.split(",")
    parts = [[one] if key(one) in names else _AND.split(one) for one in listed]
    return [part.strip() for one in parts for part in one if part.strip()]
