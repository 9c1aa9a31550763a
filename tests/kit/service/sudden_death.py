"""A service that is killed at a commit: just before it, when all since the last one is lost, or just after it, when
what it would have done next is not done."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import event
from sqlalchemy.orm import Session

PLACES: Counter[str] = Counter()
"""Where services were killed: the nearest function of the service, and on which side of the commit."""


class Killed(BaseException):
    """No code of the service catches it."""


_USUAL: Final = (
    "operation/supervision.py", "pipeline.py:claim", "post/delivery.py:_claim", "operation/alarms.py", "locks.py",
    "robots/budgets.py", "operation/retention.py", "post/outbox.py:tell_gathered", "elsewhere",
)  # fmt: skip
"""Commits of every round, which have nothing to do with games."""


@contextmanager
def death_at(number: int, side: str, *, usual: bool = False) -> Iterator[None]:
    """Be killed ``before`` or ``after`` the commit with this number, counted from 1. Fewer commits kill nobody.
    ``usual``: those of every round count too."""
    count = 0

    def commit(_: Session) -> None:
        nonlocal count
        place = _place()
        count += usual or not place.startswith(_USUAL)
        if count == number:
            PLACES[f"{side} {place}"] += 1
            raise Killed

    event.listen(Session, f"{side}_commit", commit)
    try:
        yield
    finally:
        event.remove(Session, f"{side}_commit", commit)


def _place() -> str:
    frames = [frame for frame in traceback.extract_stack() if "/moderator/service/" in frame.filename]
    frames = [frame for frame in frames if not frame.filename.endswith(("desk.py", "database.py"))]
    if not frames:
        return "elsewhere"
    return f"{frames[-1].filename.rpartition('/moderator/service/')[2]}:{frames[-1].name}"
