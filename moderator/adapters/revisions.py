"""The revisions of the tables that this version of the program knows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

MIGRATIONS: Final = Path(__file__).with_name("migrations")


@cache
def known_revisions() -> tuple[str, ...]:
    """The revisions of the tables that this version of the program knows, oldest first. The first makes what the
    migrations before it had made, and has the revision of the last of them. The name of a migration's file begins with
    its own. Alembic finds the same, but to load it takes a tenth of the time that a command takes."""
    return tuple(sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")))
