"""The outcome of a game master's mail, for the answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from moderator.domain.transcript import Shown, TranscriptLine

Verdict: TypeAlias = Literal["done", "would", "waits", "refused", "unreadable", "left"]
"""``would``: it was only tried. ``waits``: it waits for consent. ``left``: nothing was done with it, because of another
line."""


@dataclass(frozen=True, slots=True)
class MasterLine:
    """A word of the mail, or a line that is none. ``number`` counts from 1. ``why``: why it was refused, as a sentence,
    or the reason of a fault (``grammar.master.reading.Fault``). ``near``: how such a line would look. ``given``: the
    orders that were entered with it, with what became of each."""

    number: int
    text: str
    verdict: Verdict
    why: str = ""
    near: str = ""
    given: tuple[TranscriptLine, ...] = ()


@dataclass(frozen=True, slots=True)
class MasterReport:
    """The answer to a mail. ``waits_for``: the persons whose consent is asked for, empty for the master himself;
    ``until``: when that lapses, None if nothing waits. ``needs``: as in ``MotionRow``."""

    lines: tuple[MasterLine, ...] = ()
    shown: tuple[Shown, ...] = ()
    needs: str = ""
    waits_for: tuple[str, ...] = ()
    until: datetime | None = None
    helped: bool = False
