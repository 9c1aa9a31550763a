"""Subjects of mails, short enough for the lists that mail programs show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from moderator.domain.info import LONGEST_SUBJECT
from moderator.words.texts import Words


def subject_of(own: Words, key: str, names: Sequence[str], /, **facts: Any) -> str:
    """The subject ``subject.KEY``, which lists ``names``. If it gets too long, it lists only as many of them as fit, at
    least one, and the number of the others."""
    for shown in range(len(names), 1, -1):
        found = _listing(own, key, names, shown, facts)
        if len(found) <= LONGEST_SUBJECT:
            return found
    return _listing(own, key, names, 1, facts)


def _listing(own: Words, key: str, names: Sequence[str], shown: int, facts: dict[str, Any]) -> str:
    left = max(0, len(names) - shown)
    return own.say("words", f"subject.{key}", names=tuple(names[:shown]), left=left, **facts)


def cut(subject: str) -> str:
    """``subject`` cut if it is too long, between two words unless one of them is very long, with three dots."""
    if len(subject) <= LONGEST_SUBJECT:
        return subject
    part = subject[: LONGEST_SUBJECT - 1]
    whole = part.rpartition(" ")[0]
    return f"{whole if len(whole) > len(part) // 2 else part}\N{HORIZONTAL ELLIPSIS}"
