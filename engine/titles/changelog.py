"""The versions of a title's rules: what changed with each, in a sentence for players.

A title keeps them beside its rules (``changes.toml``), oldest first. Version 1 is the title as first published.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_KINDS: Final = {"version": int, "date": str, "line": str, "plain": bool}
_EDITIONS: Final = "editions"
"""The key that an entry may have besides: a list of the names of editions."""


@dataclass(frozen=True, slots=True)
class Change:
    """One version. ``line`` goes on after "From now on", without a full stop at its end. ``plain``: a plain mistake was
    corrected, and no ruling brings it back. ``editions``: the editions that it concerns; empty for all."""

    version: int
    date: str
    """As ISO 8601 has it."""
    line: str
    plain: bool
    editions: tuple[str, ...] = ()

    def concerns(self, edition: str) -> bool:
        """True if players of ``edition`` may notice the change."""
        return not self.editions or edition in self.editions


@lru_cache(maxsize=16)
def load_changes(path: Path) -> tuple[Change, ...]:
    """Read and validate a file of changes. ``ValueError`` says file, entry and reason."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _changes(data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _changes(data: dict[str, Any]) -> tuple[Change, ...]:
    entries = data.get("change")
    if set(data) != {"change"} or not isinstance(entries, list) or not entries:
        raise ValueError("must be a list of [[change]], version 1 first")
    return tuple(_change(entry, number) for number, entry in enumerate(entries, start=1))


def _change(entry: Any, number: int) -> Change:
    where = f"change number {number}"
    if not isinstance(entry, dict) or set(entry) - {_EDITIONS} != set(_KINDS):
        raise ValueError(f"{where} must have {', '.join(_KINDS)}, perhaps {_EDITIONS}, and nothing else")
    editions = entry.get(_EDITIONS, [])
    if not isinstance(editions, list) or not all(isinstance(name, str) for name in editions):
        raise ValueError(f"{where}: {_EDITIONS} must be a list of names, not {editions!r}")
    for name, kind in _KINDS.items():
        if type(entry[name]) is not kind:
            raise ValueError(f"{where}: {name} must be {kind.__name__}, not {entry[name]!r}")
    found = Change(**{**entry, _EDITIONS: tuple(editions)})
    if found.version != number:
        raise ValueError(f"{where} must be version {number}, not {found.version}: versions rise by one")
    if not _DATE.fullmatch(found.date):
        raise ValueError(f"{where}: date must be like 2026-01-31, not {found.date!r}")
    if not found.line.strip() or "\n" in found.line or found.line.endswith("."):
        raise ValueError(f"{where}: line must be one line of text without a full stop at its end")
    return found
