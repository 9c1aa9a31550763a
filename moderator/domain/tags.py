"""The head of a game record: lines like ``[Title "1861"]``, in the manner of PGN."""

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
    """One thing that is wrong with a record: line and column from 1, and the reason in words."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class Head:
    """Tags with the line of each, and the number of lines that they take."""

    tags: Mapping[str, str]
    lines: Mapping[str, int]
    length: int
    faults: tuple[Fault, ...]


def write_tags(tags: Mapping[str, str]) -> str:
    """The tags in their order, one in each line."""
    return "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())


def read_tags(text: str) -> Head:
    """The tags before the first line that is neither a tag nor empty nor a remark."""
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
