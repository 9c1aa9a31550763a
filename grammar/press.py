"""Press: messages from a player to other players. They are prose and are taken out before orders are read.

``press Bob, Cat`` begins a message that ends with a line ``end press``. ``press Bob: ...`` may be a single line without
it. Press without names, or for ``all``, goes to everyone. Press cannot be taken back. If the end of a message is not
certain, nothing is passed on and a fault is reported.

``master: ...`` is a line to the game master. It follows the same rules, ends with ``end master``, and goes to nobody
else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from grammar.faults import Unreadable, any_of
from grammar.lexer import lexicon
from grammar.nearest import nearest
from grammar.normalise import key, normalise
from grammar.vocabulary import Vocabulary

EVERYONE: Final = "all"
MASTER: Final = "master"
"""The game master among the recipients of press. No player can have this name."""
_WORD: Final = "press"
_END: Final = re.compile(r"end ?(press|master)\.?(?: ?//.*)?", re.IGNORECASE)
_TO_MASTER: Final = re.compile(r"master ?(?::|//|$)", re.IGNORECASE)
_COLON: Final = re.compile("[:\u2a74\ufe13\ufe55\uff1a]")
"""Every character that contains a plain colon once it is normalised."""
_TO: Final = re.compile(r"^to\b ?", re.IGNORECASE)
_AND: Final = re.compile(r"&|\band\b", re.IGNORECASE)
_WRAPPED: Final = 60
"""The shortest length, in characters, at which a mail program may break a line."""
_HEAD: Final = 20
"""The number of characters at the start of a line that are searched for its first letter."""
_EXPLAINED: Final = 50
"""The maximum number of faults of one text for which a suggestion is looked for."""


@dataclass(frozen=True, slots=True)
class Press:
    """A message. ``to``: its recipients; empty for all other players, ``MASTER`` alone for the game master. ``text``:
    the message as it was written. ``line``: the line at which it begins, from 1."""

    to: tuple[str, ...]
    text: str
    line: int

    @property
    def is_for_master(self) -> bool:
        return self.to == (MASTER,)


@dataclass(frozen=True, slots=True)
class Passage:
    """Press as found in a text: lines ``first`` to ``last``, from 0. ``to`` has the recipients as written. ``word``:
    ``press``, or ``master`` for a line to the game master. Nothing in the passage is read as an order. If its end is
    not known, ``fault`` is the reason, a key of ``Unreadable.reason``, and the passage is its first line alone."""

    first: int
    last: int
    to: str
    text: str = ""
    colon: bool = False
    fault: str = ""
    word: str = _WORD


@dataclass(slots=True)
class Taken:
    """The result of ``take_press``. ``rest`` is the text with empty lines in place of press, so that line numbers stay
    the same."""

    rest: str
    press: list[Press] = field(default_factory=list)
    errors: list[Unreadable] = field(default_factory=list)


def take_press(text: str, vocabulary: Vocabulary) -> Taken:
    """Take all press out of ``text``, whose line endings are ``\\n``."""
    lines = text.split("\n")
    taken = Taken(text)
    actors = lexicon(vocabulary).actors
    for passage in passages(lines):
        bare = passage.colon and not passage.to and passage.first == passage.last
        if bare and passage.word in actors:
            continue  # the head of a player or company named `press`
        found = _judged(passage, vocabulary, suggest=len(taken.errors) < _EXPLAINED)
        if isinstance(found, Press):
            taken.press.append(found)
        else:
            taken.errors.append(found)
        lines[passage.first : passage.last + 1] = [""] * (passage.last + 1 - passage.first)
    taken.rest = "\n".join(lines)
    return taken


def passages(lines: Sequence[str]) -> Iterator[Passage]:
    """All press in ``lines``, in order. Passages do not nest: the next line with a word of press ends a passage or
    begins another."""
    said = [_plain(line) for line in lines]
    marks = _marks(said)
    for number, after in pairwise((*marks, len(lines))):
        word = _begins(said[number])
        if not word:
            continue
        to, colon, text = _parted(said[number], lines[number], word)
        if after < len(lines) and _ends(said[after]) == word:
            whole = "\n".join([text, *lines[number + 1 : after]]).strip("\n")
            yield Passage(number, after, to, whole, colon, word=word)
        elif not text:
            yield Passage(number, number, to, colon=colon, fault="press_end", word=word)
        else:
            fault = "press_wrapped" if _goes_on(lines, number) else ""
            yield Passage(number, number, to, text, colon, fault, word)


def without_lines_to_master(lines: list[str], plain: list[str], is_order: Callable[[str], bool]) -> None:
    """Empty the lines to the game master in ``plain``: they are neither orders nor prose. The last one has all that is
    below it, as people write on a phone, unless it has its own end or something below it looks like an order; its end
    is then added to ``lines``."""
    found = list(passages(lines))
    for passage in found:
        if passage.word != MASTER:
            continue
        last = passage.last
        if passage is found[-1] and last == passage.first:
            below = plain[last + 1 :]
            if any(below) and not any(map(is_order, below)):
                last = len(plain) - 1
                lines.append(f"end {MASTER}")
        plain[passage.first : last + 1] = [""] * (last + 1 - passage.first)


def _marks(said: Sequence[str]) -> list[int]:
    """The lines that begin or end a passage. The word ``master`` alone is one only if the next mark is ``end master``,
    because prose may have such a line."""
    marks = [n for n, line in enumerate(said) if _ends(line) or _begins(line)]
    after = dict(pairwise(marks))
    return [
        n for n in marks
        if said[n].casefold() != MASTER or _ends(said[after[n]] if n in after else "") == MASTER
    ]  # fmt: skip


def _goes_on(lines: Sequence[str], number: int) -> bool:
    """True if a mail program may have broken line ``number``: with the next word it would be too long."""
    below = lines[number + 1].split() if number + 1 < len(lines) else []
    return bool(below) and not _begins(_plain(lines[number + 1])) and len(lines[number] + below[0]) >= _WRAPPED


def _plain(line: str) -> str:
    """The normalised line if it may begin or end press; empty otherwise."""
    first = line.lstrip()[:_HEAD]
    if "!" <= first[:1] <= "~" and first[0] not in "PpEeMm":
        return ""
    head = normalise(first).lstrip()[:1].casefold()  # to normalise the whole line takes longer
    return " ".join(normalise(line).split()) if head in ("p", "e", "m") else ""


def _begins(plain: str) -> str:
    """The word with which the line begins a passage; empty if it begins none."""
    if _TO_MASTER.match(plain):
        return MASTER
    begins = plain[: len(_WORD)].casefold() == _WORD and plain[len(_WORD) :][:1] in ("", " ", ":")
    return _WORD if begins else ""


def _ends(plain: str) -> str:
    """The word of the passages that the line ends; empty if it ends none."""
    found = _END.fullmatch(plain)
    return found[1].casefold() if found else ""


def _parted(plain: str, raw: str, word: str) -> tuple[str, bool, str]:
    """Split a line that begins press with ``word`` into its recipients, True if there is a colon, and the text after
    the colon."""
    to, colon, _ = plain[len(word) :].partition(":")
    if "//" in to:
        return to.split("//")[0].strip(), False, ""
    return to.strip(" ."), bool(colon), _COLON.split(raw, maxsplit=1)[1].strip() if colon else ""


def _judged(passage: Passage, vocabulary: Vocabulary, *, suggest: bool) -> Press | Unreadable:
    names = {key(player): player for player in vocabulary.players}
    line, everyone = passage.first + 1, False
    end = (f"a line `end {passage.word}` after the text",)
    to: list[str] = [MASTER] if passage.word == MASTER or key(_TO.sub("", passage.to)) == MASTER else []
    for said in _recipients(passage.to, names) if not to else ():
        if key(said) in names:
            to.append(names[key(said)])
        elif key(said) == EVERYONE:
            everyone = True
        else:
            wanted = f"`{EVERYONE}`, {any_of(list(vocabulary.players))}"
            near = nearest(key(said), names, lambda _: False) if suggest else None
            return Unreadable(line, 1, said, (wanted,), near, reason="press")
    if passage.fault:
        return Unreadable(line, 1, "", end, None, reason=passage.fault)
    if not normalise(passage.text).strip():
        return Unreadable(line, 1, "", ("the text that is to be passed on",), None, reason="incomplete")
    return Press(() if everyone else tuple(dict.fromkeys(to)), passage.text, line)


def _recipients(said: str, names: Collection[str]) -> list[str]:
    """Split a list of recipients at commas, ``&`` and ``and``, except inside a player's name."""
    bare = said if key(said) in names else _TO.sub("", said)
    listed = [bare] if key(bare) in names else bare.split(",")
    parts = [[one] if key(one) in names else _AND.split(one) for one in listed]
    return [part.strip() for one in parts for part in one if part.strip()]
