"""Games in which something that is due cannot be done: the operator is told once, and other games go on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal, Self, TypeVar

from sqlalchemy.exc import OperationalError

from moderator.service.desk import Desk, Sitting
from moderator.service.post.outbox import queue_operator
from moderator.service.service_facts import all_kept, forget, recall, remember

log = logging.getLogger("railpost")

STUCK: Final = "stuck "
"""Prefix of the keys of games with which something could not be done."""
What = Literal["deadline", "log", "sweep"]
"""The work that could not be done: handling a ``deadline`` that has ended, replaying the ``log``, or any other part of
a ``sweep``."""
_OVER: Final = timedelta(hours=1)
"""A game is no longer stuck once no sweep has failed in it for this long. Due work is tried every minute."""


@dataclass
class Apart:
    """Confines a failure to one game: ``with Apart(desk, game), desk.sitting() as sitting``. The operator is told about
    the failure, and it goes no further. An ``OperationalError`` is raised: an unavailable database is not the game's
    fault."""

    desk: Desk
    game: str
    what: What = "sweep"
    failed: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, Exception) or isinstance(error, OperationalError):
            return False
        self.failed = True
        self.desk.games.forget_all()
        log.error("game %s: what is due cannot be done (%s)", self.game, self.what, exc_info=error)
        note_stuck(self.desk, self.game, error, self.what)
        return True


T = TypeVar("T")


def told_if_possible(desk: Desk, game: str, work: Callable[[Sitting, bool], T]) -> T:
    """Do ``work`` for a game in a sitting of its own, with mails to its players (True), and return its result. If that
    fails, the operator is told, and the work is done again without the mails (False), so that nobody loses time because
    this program cannot read a game."""
    with Apart(desk, game), desk.sitting() as sitting:
        return work(sitting, True)
    with desk.sitting() as sitting:
        return work(sitting, False)


def note_stuck(desk: Desk, game: str, error: Exception, what: What) -> None:
    """Tell the operator, once, that something cannot be done with a game."""
    with desk.sitting() as sitting:
        before = recall(sitting.session, STUCK + game)
        if before is None:
            queue_operator(sitting, desk.words.operator_words("stuck", {"game": game, "why": str(error), "at": what}))
        known = what if before is None or what != "sweep" else before["at"]  # code that noted it looks for this value
        remember(sitting, STUCK + game, {"why": f"{type(error).__name__}: {error}"[:500], "at": known})


def forget_stuck(desk: Desk) -> None:
    """Forget the games in which sweeps no longer fail."""
    before = desk.clock.now() - _OVER
    with desk.database.reading() as session:
        kept = all_kept(session, STUCK)
    for game, row in kept.items():
        if row.value.get("at") == "sweep" and row.changed_at <= before:
            with desk.database.transaction() as session:
                forget(session, STUCK + game)
