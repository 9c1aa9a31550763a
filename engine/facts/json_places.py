"""JSON with the line of every value: what files of facts are read with, so that each mistake in them has its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from json import decoder
from typing import Any, Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and places in lists, from the outermost to the innermost."""

DEEPEST: Final = 32
"""Objects and lists within each other; a file of facts has 8."""
LARGEST_NUMBER: Final = 10**9
_text_at: Callable[[str, int, bool], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]
"""Of the standard library: a text in quotation marks from behind its first, and the place behind its last."""
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None}


class NotJson(ValueError):
    """A text that is no JSON, or more than a file of facts can be: ``line`` and reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


@dataclass(frozen=True, slots=True)
class Placed:
    """A JSON value and the line, from 1, on which each part of it begins; an entry of an object begins at its key."""

    data: Any
    lines: Mapping[Path, int] = field(repr=False)


def parse(text: str) -> Placed:
    """The value of a JSON text. ``NotJson`` for what is no JSON, for a key given twice in one object, and for nesting
    and numbers beyond all reason."""
    reader = _Reader(text)
    data = reader.value(reader.blank(0), ())
    end = reader.blank(reader.at)
    if end != len(text):
        raise reader.wrong(end, "nothing may follow the end of the object")
    return Placed(data, reader.lines)


class _Reader:
    """Reads from left to right; ``at`` is the place behind the last value."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self._counted, self._line = 0, 1

    def blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        assert match is not None
        return match.end()

    def line(self, at: int) -> int:
        if at < self._counted:
            return self.text.count("\n", 0, at) + 1
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def wrong(self, at: int, reason: str) -> NotJson:
        return NotJson(self.text.count("\n", 0, at) + 1, reason)

    def value(self, at: int, path: Path) -> Any:
        self.lines.setdefault(path, self.line(at))
        if len(path) > DEEPEST:
            raise self.wrong(at, f"more than {DEEPEST} lists and objects within each other")
        char = self.text[at : at + 1]
        if char == "{":
            return self._object(at + 1, path)
        if char == "[":
            return self._list(at + 1, path)
        if char == '"':
            return self._string(at)
        for word, meant in _WORDS.items():
            if self.text.startswith(word, at):
                self.at = at + len(word)
                return meant
        return self._number(at)

    def _string(self, at: int) -> str:
        if self.text[at : at + 1] != '"':
            raise self.wrong(at, 'a text in "..." is expected here')
        try:
            found, self.at = _text_at(self.text, at + 1, True)
        except ValueError as error:
            raise self.wrong(at, "a text does not end, or has a character that it cannot have") from error
        if any("\ud800" <= char <= "\udfff" for char in found):
            raise self.wrong(at, "half of a character (a surrogate), which is no text")
        return found

    def _number(self, at: int) -> int | float:
        match = _NUMBER.match(self.text, at)
        if match is None:
            raise self.wrong(at, "a value is expected here")
        self.at, said = match.end(), match[0]
        number = float(said) if len(said) <= 40 else LARGEST_NUMBER
        if not abs(number) < LARGEST_NUMBER:
            raise self.wrong(at, f"the number {said[:40]} is too large: numbers are below {LARGEST_NUMBER}")
        return int(said) if said.lstrip("-").isdigit() else number

    def _object(self, at: int, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        at = self.blank(at)
        if self.text[at : at + 1] == "}":
            self.at = at + 1
            return found
        while True:
            key = self._string(at)
            if key in found:
                raise self.wrong(at, f"{key!r} is given twice in one object")
            self.lines[*path, key] = self.line(at)
            at = self.blank(self.at)
            if self.text[at : at + 1] != ":":
                raise self.wrong(at, f"a colon is expected after {key!r}")
            found[key] = self.value(self.blank(at + 1), (*path, key))
            at = self._next("}")
            if at < 0:
                return found

    def _list(self, at: int, path: Path) -> list[Any]:
        found: list[Any] = []
        at = self.blank(at)
        if self.text[at : at + 1] == "]":
            self.at = at + 1
            return found
        while True:
            found.append(self.value(at, (*path, len(found))))
            at = self._next("]")
            if at < 0:
                return found

    def _next(self, end: str) -> int:
        """The place of the next entry; -1 behind the last."""
        at = self.blank(self.at)
        char = self.text[at : at + 1]
        self.at = at + 1
        if char == end:
            return -1
        if char != ",":
            raise self.wrong(at, f"a comma or {end} is expected here")
        return self.blank(at + 1)
