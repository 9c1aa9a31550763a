"""Reads the mail of a game master: each line is one of his words, and a text of several lines has its end.

Nothing is guessed. A line that is none of his words is a fault, with what could stand there; a mail with a fault is not
carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from grammar.master import words as m
from grammar.nearest import nearest

_PASSAGE: Final = re.compile(r"\s*(say|answer|enter)\b([^:]*):(.*)", re.IGNORECASE | re.DOTALL)
_END: Final = re.compile(r"\s*end\s+(say|answer|enter)\s*\.?\s*", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s:]+")
FIRST_WORDS: Final = (
    "check", "help", "show", "reason", "pause", "resume", "extend", "until", "clock", "option", "undo", "redo", "give",
    "open", "robot", "correct", "end", "add", "remove", "say", "answer", "enter",
)  # fmt: skip
FORMS: Final = {
    "show": "show clock",
    "reason": "reason: why all this",
    "pause": "pause until 2026-12-24 20:00 Europe/Zurich",
    "extend": "extend 48 hours",
    "until": "until 2026-12-24 20:00 Europe/Zurich",
    "clock": "clock rest=Sat,Sun",
    "option": "option late default",
    "undo": "undo to 143",
    "give": "give Ann to Max <max@example.org>",
    "open": "open Ann",
    "robot": "robot Ann on",
    "correct": "correct pay 30 from bank to Ann",
    "end": "end game",
    "add": "add master Max <max@example.org>",
    "remove": "remove master max@example.org",
    "say": "say: a text for all players",
    "answer": "answer Ann: a text for Ann alone",
    "enter": "enter Ann: pass",
}
"""First word -> how a line with it looks. Words that are not here stand alone."""
LONGEST_TEXT: Final = 60_000
"""The number of characters of a mail up to which it is read."""
MOST_WORDS: Final = 40
"""The most words of one mail: each can be a mail to every player."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cannot be read. ``line`` counts from 1. ``reason``: ``unknown`` (its first word is none of a game
    master's), ``form`` (it goes on differently), ``seat`` (nobody of that name plays), ``end`` (a text without its
    end), ``long``, ``many`` (the mail has too many words). ``near``: what was probably meant, or how such a line looks;
    empty if nothing is near."""

    line: int
    text: str
    reason: str
    near: str = ""


@dataclass(frozen=True, slots=True)
class MasterReading:
    """The words of a mail with the lines at which they begin, and its faults."""

    words: tuple[tuple[int, m.MasterWord], ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def reason(self) -> str:
        return " ".join(word.text for _, word in self.words if isinstance(word, m.Reason))

    @property
    def tried(self) -> bool:
        return any(isinstance(word, m.Check) for _, word in self.words)


def read_master(text: str, seats: Sequence[str]) -> MasterReading:
    """Read the mail of a game master of a game with these ``seats``. Blank lines, and what follows ``//``, are left
    out."""
    if len(text) > LONGEST_TEXT:
        return MasterReading(faults=(Fault(1, text[:60], "long"),))
    found = _Reader(tuple(seats))
    found.read(text.replace("\r\n", "\n").split("\n"))
    if len(found.words) > MOST_WORDS:
        number, word = found.words[MOST_WORDS]
        return MasterReading(faults=(Fault(number, str(word).split("\n")[0], "many"),))
    return MasterReading(tuple(found.words), tuple(found.faults))


@dataclass(slots=True)
class _Reader:
    seats: tuple[str, ...]
    words: list[tuple[int, m.MasterWord]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def read(self, lines: list[str]) -> None:
        for number, line, text in _pieces(lines):
            if text is None:
                found = _PASSAGE.match(line)
                self.faults.append(Fault(number, line, "end", f"end {found[1].lower() if found else ''}"))
                return
            elif _PASSAGE.match(line) is not None:
                self._passage(number, line, text)
            else:
                self._line(number, line)

    def _passage(self, number: int, line: str, text: str) -> None:
        found = _PASSAGE.match(line)
        assert found is not None
        word, name = found[1].lower(), " ".join(found[2].split())
        seat = next((one for one in self.seats if one.casefold() == name.casefold()), None)
        if (word == "say") != (not name):
            self.faults.append(Fault(number, line, "form", FORMS[word]))
        elif word != "say" and seat is None:
            self.faults.append(Fault(number, line, "seat", self._near(name)))
        elif not text.strip():
            self.faults.append(Fault(number, line, "form", FORMS[word]))
        elif seat is None:
            self.words.append((number, m.Say(text)))
        else:
            self.words.append((number, m.Answer(seat, text) if word == "answer" else m.Enter(seat, text)))

    def _line(self, number: int, line: str) -> None:
        try:
            tree = _lark(self.seats).parse(line)
        except UnexpectedInput:
            self.faults.append(self._fault(number, line))
        else:
            self.words.append((number, _Builder(self.seats).transform(tree)))

    def _fault(self, number: int, line: str) -> Fault:
        first = _WORD.match(line)
        word = first[0].casefold() if first is not None else ""
        if word not in FIRST_WORDS:
            near = nearest(word, {one: one for one in FIRST_WORDS}, lambda _: False) or ""
            return Fault(number, line, "unknown", FORMS.get(near, near))
        if word in ("give", "open", "robot"):
            said = line.split(" to ", maxsplit=1)[0].split()[1:]
            name = " ".join(one for one in said if one.casefold() not in ("seat", "for", "on", "off"))
            if name and name.casefold() not in (one.casefold() for one in self.seats):
                return Fault(number, line, "seat", self._near(name))
        return Fault(number, line, "form", FORMS.get(word, word))

    def _near(self, name: str) -> str:
        return nearest(name, {one.casefold(): one for one in self.seats}, lambda _: False) or ""


def _pieces(lines: list[str]) -> Iterator[tuple[int, str, str | None]]:
    """Each line that says something, with its number; for a line that begins a text, also the text, which is None if it
    has no end."""
    place = 0
    while place < len(lines):
        number, line = place + 1, lines[place].split("//")[0].strip()
        place += 1
        begun = _PASSAGE.match(line)
        if begun is None:
            if line:
                yield number, line, ""
            continue
        whole = lines[place - 1].strip()
        end = next((n for n in range(place, len(lines)) if _is_end(lines[n], begun[1])), None)
        other = next((n for n in range(place, len(lines)) if _PASSAGE.match(lines[n])), len(lines))
        said = whole.split(":", 1)[1].strip()
        if end is not None and end < other:
            yield number, line, "\n".join([said, *lines[place:end]]).strip("\n")
            place = end + 1
        else:
            yield number, line, said or None


def _is_end(line: str, word: str) -> bool:
    found = _END.fullmatch(line)
    return found is not None and found[1].lower() == word.lower()


@lru_cache(maxsize=64)
def _lark(seats: tuple[str, ...]) -> Lark:
    names = "|".join(sorted((re.escape(seat).replace("/", "\\/") for seat in seats), key=len, reverse=True))
    own = f"\nA_SEAT.5: /(?:{names})(?![^\\s])/i\n"
    return Lark(
        files("grammar.master").joinpath("master.lark").read_text("utf-8") + own, parser="lalr", maybe_placeholders=True
    )


class _Builder(Transformer[Token, m.MasterWord]):
    """Makes the words out of what the parser found."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        super().__init__()
        self._seats = {seat.casefold(): seat for seat in seats}

    def check(self, _: list[Any]) -> m.Check:
        return m.Check()

    def help(self, _: list[Any]) -> m.Help:
        return m.Help()

    def show(self, parts: list[Any]) -> m.Show:
        return m.Show(str(parts[0]).lower())

    def reason(self, parts: list[Any]) -> m.Reason:
        return m.Reason(str(parts[0]).strip())

    def moment(self, parts: list[Any]) -> str:
        return " ".join(str(part) for part in parts if part)

    def begin(self, parts: list[Any]) -> tuple[str, str]:
        return "begin", parts[0]

    def pause(self, parts: list[Any]) -> m.Pause:
        begin = next((part[1] for part in parts if isinstance(part, tuple)), "")
        return m.Pause(begin, next((part for part in parts if isinstance(part, str)), ""))

    def resume(self, _: list[Any]) -> m.Resume:
        return m.Resume()

    def extend(self, parts: list[Any]) -> m.Extend:
        days = len(parts) > 1 and str(parts[1]).lower().startswith("d")
        return m.Extend(int(parts[0]) * (24 if days else 1))

    def until(self, parts: list[Any]) -> m.Until:
        return m.Until(parts[0])

    def clock(self, parts: list[Any]) -> m.Clock:
        pairs = (str(part).partition("=") for part in parts)
        return m.Clock(tuple((name.lower(), value) for name, _, value in pairs))

    def option(self, parts: list[Any]) -> m.Option:
        name, _, value = str(parts[0]).partition("=")
        return m.Option(name.lower(), value if len(parts) < 2 else " ".join(str(parts[1]).split()))

    def undo(self, parts: list[Any]) -> m.Undo:
        through = next((part for part in parts[1:] if isinstance(part, int)), None)
        whole = any(isinstance(part, Token) for part in parts[1:])
        return m.Undo(int(parts[0]), through, whole)

    def last(self, parts: list[Any]) -> int:
        return int(parts[0])

    def redo(self, _: list[Any]) -> m.Redo:
        return m.Redo()

    def give(self, parts: list[Any]) -> m.Give:
        return m.Give(self._seat(parts[0]), *_person(parts[1]))

    def open(self, parts: list[Any]) -> m.Open:
        return m.Open(self._seat(parts[0]))

    def robot(self, parts: list[Any]) -> m.Robot:
        return m.Robot(self._seat(parts[0]), len(parts) < 2 or str(parts[1]).lower() == "on")

    def end(self, _: list[Any]) -> m.End:
        return m.End()

    def correct_pay(self, parts: list[Any]) -> m.CorrectPay:
        amount, source, target = parts
        return m.CorrectPay(int(amount), self._owner(source), self._owner(target))

    def correct_move(self, parts: list[Any]) -> m.CorrectMove:
        number, company, source, target = parts
        return m.CorrectMove(int(number), str(company), self._owner(source), self._owner(target))

    def _owner(self, name: Token) -> str:
        return self._seats.get(str(name).casefold(), str(name))

    def add(self, parts: list[Any]) -> m.AddMaster:
        return m.AddMaster(*_person(parts[0]))

    def leave(self, parts: list[Any]) -> m.RemoveMaster:
        return m.RemoveMaster(str(parts[0]).strip("<>"))

    def _seat(self, name: Token) -> str:
        return self._seats[str(name).casefold()]


def _person(text: Token) -> tuple[str, str]:
    name, _, rest = str(text).partition("<")
    return " ".join(name.split()), rest.rstrip(">")
