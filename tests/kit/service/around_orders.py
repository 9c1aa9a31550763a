"""What mail programs and people write around orders: openings, attributions, closings, signatures and footers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Around:
    """``kind``: ``opening``, ``attribution``, ``head`` (of a mail that is quoted without marks), ``closing``,
    ``signature`` or ``footer``."""

    kind: str
    language: str
    source: str
    text: str


def _all() -> tuple[Around, ...]:
    found, kind = [], ""
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("# "):
            kind = line[2:]
        elif kind and line:
            language, source, said = line.split(" | ", 2)
            found.append(Around(kind, language, source, said.replace(" / ", "\n")))
    return tuple(found)


ALL: Final = _all()
