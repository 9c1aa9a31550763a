"""A file of facts as read: JSON whose every mistake is reported with file, line and reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.core.ids import CompanyId
from engine.core.title import Title
from engine.facts.json_places import NotJson, Placed, parse

NAMED_BY = ("coord", "sym", "name")
"""Keys by which an entry of a list calls itself, the first that it has."""


class FactsError(ValueError):
    """A file of facts that does not hold: file, line (1 is the first; 0 where there is none) and reason."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.file, self.line, self.reason = file, line, reason


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """``data`` is the parsed file, ``text`` what stands in it, ``name`` its path as shown to people."""

    name: str
    text: str
    data: Mapping[str, Any]

    def error(self, reason: str, *place: str | int) -> FactsError:
        """An error at ``place``: a section of the file, then names or numbers in it, one within the other. An entry of
        a list is found by its number, or by what it calls itself."""
        shown = f"{': '.join(map(str, place))}: {reason}" if place else reason
        return FactsError(self.name, self.line(*place), shown)

    def line(self, *place: str | int) -> int:
        """The line at which ``place`` begins, as far as the text has it."""
        try:
            placed = _placed(self.text)
        except NotJson as error:
            return error.line
        path, at = list[str | int](), placed.data
        for word in place:
            found = step_to(at, word)
            if found is None:
                continue  # a name that the file has by another way, such as the chart within "charts"
            path.append(found)
            at = at[found]
        return placed.lines[tuple(path)]

    def need(self, holds: object, reason: str, *place: str | int) -> None:
        if not holds:
            raise self.error(reason, *place)

    def section(self, name: str, kind: type) -> Any:
        """A part of the file that must be there and of the right JSON kind."""
        found = self.data.get(name)
        if not isinstance(found, kind):
            raise self.error(f"must be {'a list' if kind is list else 'an object'}", name)
        return found

    def get(self, entry: Any, key: str, kind: type | tuple[type, ...], *place: str | int) -> Any:
        """A value of one entry that must be there and of the right JSON kind."""
        self.need(isinstance(entry, dict), "must be an object", *place)
        self.need(key in entry, f"{key!r} is missing", *place)
        found = entry[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wrong = not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds)
        self.need(not wrong, f"{key!r} must be {' or '.join(k.__name__ for k in kinds)}, not {found!r}", *place)
        return found

    def number(self, value: Any, what: str, *place: str | int) -> int:
        """A whole number, given as one or as text."""
        try:
            if isinstance(value, (int, str)) and not isinstance(value, bool):
                return int(value)
        except ValueError:
            pass
        raise self.error(f"{what} must be a whole number, not {value!r}", *place)

    def names(self) -> Mapping[str, CompanyId]:
        """Spelling of the file -> name as printed in the rulebook, where the file gives one."""
        entries: Sequence[Mapping[str, str]] = self.data.get("rulebook_2012_names", ())
        return _printed(tuple((str(e["sym"]), str(e["rulebook_2012"])) for e in entries))


def step_to(at: Any, word: str | int) -> str | int | None:
    """Where in an object or list the entry ``word`` is."""
    if isinstance(at, dict):
        return str(word) if str(word) in at else None
    if isinstance(at, list) and isinstance(word, int):
        return word if word < len(at) else None
    if isinstance(at, list):
        named = (i for i, e in enumerate(at) if isinstance(e, dict) and word in (e.get(k) for k in NAMED_BY))
        return next(named, None)
    return None


@lru_cache(maxsize=4)
def _placed(text: str) -> Placed:
    return parse(text)


@lru_cache(maxsize=8)
def _printed(pairs: tuple[tuple[str, str], ...]) -> Mapping[str, CompanyId]:
    return {sym: CompanyId(printed) for sym, printed in pairs}


def facts_of(title: Title) -> Facts:
    """The facts that a game is played with."""
    assert isinstance(title.facts, Facts), title
    return title.facts


@lru_cache(maxsize=16)
def read_facts(path: Path) -> Facts:
    """Read a file of facts; the same path gives the same value."""
    return parse_facts(path.read_text(encoding="utf-8"), path.name)


def changed(facts: Facts, changes: Facts) -> Facts:
    """The facts with those of another file laid over them, entry by entry: null takes an entry away. A list whose
    entries have names (``coord``, ``sym``, ``name``) is changed by an object of names; an entry that is given another
    name keeps its place. Errors show the lines of the first file."""
    data = _over(facts.data, changes.data)
    return Facts(f"{facts.name}, changed by {changes.name}", facts.text, data)


def _over(old: Any, new: Any) -> Any:
    if not isinstance(new, dict):
        return new
    if isinstance(old, list) and old and isinstance(old[0], dict):
        key = next(name for name in NAMED_BY if name in old[0])
        found = _over({entry[key]: entry for entry in old}, new)
        return [{key: name, **entry} for name, entry in found.items()]
    if not isinstance(old, dict):
        return new
    kept = {key: _over(value, new[key]) if key in new else value for key, value in old.items()}
    added = {key: value for key, value in new.items() if key not in old}
    return {key: value for key, value in {**kept, **added}.items() if value is not None or key not in new}


def parse_facts(text: str, name: str) -> Facts:
    """Facts from their text, called ``name`` in errors."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise FactsError(name, error.lineno, error.msg) from error
    if not isinstance(data, dict):
        raise FactsError(name, 1, "must be a JSON object")
    return Facts(name, text, data)
