"""``railpost`` with a wall clock that somebody sets: it is ahead by the seconds in the file ``WALL_CLOCK_AHEAD``.
The count of seconds that nobody can set stays the machine's own."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from moderator.domain.ports import SystemClock
from moderator.entrypoints.cli import main

_AHEAD = Path(os.environ["WALL_CLOCK_AHEAD"])


def _set(clock: SystemClock) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=float(_AHEAD.read_text()))


if __name__ == "__main__":
    SystemClock.now = _set  # type: ignore[method-assign, assignment]
    main()
