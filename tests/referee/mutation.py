"""A fault that is put into the rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
POOR = "poor bank"
"""The course of games of 1867 that a bank with little money ends."""
CHEAP = "cheap 5+5E"
"""That of games of 1867 in which companies can pay for a 5+5E."""


@dataclass(frozen=True)
class Mutation:
    """In ``file`` (below ``engine``) the text ``old`` becomes ``new``. ``title``: whose games may show it; "" for 1861
    and 1844. ``course``: the course of these games, if only players who agree on one come to it."""

    name: str
    title: str
    file: str
    old: str
    new: str
    course: str = ""

    def applies(self, root: Path = ROOT) -> bool:
        """True if the text is there, exactly once."""
        return (root / "engine" / self.file).read_text("utf-8").count(self.old) == 1

    def apply(self, root: Path) -> None:
        path = root / "engine" / self.file
        path.write_text(path.read_text("utf-8").replace(self.old, self.new), "utf-8")


def of_title(title: str, file: str, *rows: tuple[str, str, str], course: str = "") -> tuple[Mutation, ...]:
    return tuple(Mutation(name, title, file, old, new, course) for name, old, new in rows)
