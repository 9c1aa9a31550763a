"""Read and write the head of a game record: tags such as ``[Title "1861"]``, as in PGN."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_TAG: Final = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_.]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED: Final = re.compile(r"\\(.)")
_LONGEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a record: its line and column, both from 1, and the reason in words."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a record. ``lines``: tag -> its line, from 1. ``length``: the number of lines of the head."""

    tags: Mapping[str, str]
    lines: Mapping[str, int]
    length: int
    faults: tuple[Fault, ...]


def write_tags(tags: Mapping[str, str]) -> str:
    """The text of ``tags``, one on each line, in the given order."""
    return "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())


def read_tags(text: str) -> Head:
    """Read the tags before the first line that is neither a tag nor empty nor a remark."""
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    length = 0
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line and not line.startswith(("[", "//")):
            break
        length = number
        if not line.startswith("["):
            continue
        match = _TAG.fullmatch(line) if len(line) <= _LONGEST else None
        column = len(raw) - len(raw.lstrip()) + 1
        if match is None:
            faults.append(Fault(number, column, 'not a tag: a tag is written [Name "value"]'))
        elif match[1] in tags:
            faults.append(Fault(number, column, f"a second tag {match[1]}: the first is in line {lines[match[1]]}"))
        else:
            tags[match[1]], lines[match[1]] = _ESCAPED.sub(r"\1", match[2]), number
    return Head(tags, lines, length, tuple(faults))


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
