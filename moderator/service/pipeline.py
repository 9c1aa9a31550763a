"""The mails that wait, one after another: taken by a lease, decided in one transaction, one outcome each.

Nothing that one mail does stops the next: an unexpected failure is the outcome ``error``, kept to be tried again.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import bindparam, exists, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased
from sqlmodel import col, or_, select

from moderator.adapters.tables import MailRow
from moderator.service.decision import Decision
from moderator.service.desk import Desk
from moderator.service.fairness import Rank
from moderator.service.locks import lost_a_race
from moderator.service.post.outbox import queue_operator

log = logging.getLogger("railpost")

Complain = Callable[[str], None]
_RACES: Final = 5
"""So often a mail is tried that meets another service at the same rows."""


def work_off(desk: Desk, complain: Complain, most: int = 1_000, others_until: float = math.inf) -> int:
    """Decide mails that wait, in turn, so many at ``most``; how many. After ``others_until`` (``time.monotonic``) it
    ends with the first that is not a player's."""
    for count in range(most):
        number = claim(desk)
        if number is None:
            return count
        if not process(desk, number, complain) and time.monotonic() > others_until:
            return count + 1
    return most


def process(desk: Desk, number: int, complain: Complain) -> bool:
    """Decide mail ``number``: its outcome, what it changes and the answers are written together. Whether it was a
    player's, as far as that was seen when it came."""
    for left in reversed(range(_RACES)):
        try:
            return _process(desk, number)
        except Exception as error:
            desk.games.forget_recent()
            if left and lost_a_race(error):
                continue
            if isinstance(error, OperationalError):  # the database is busy or full: the mail stays
                complain(f"mail {number}: {error.orig}")
                _not_tried(desk, number)
                return True
            log.exception("mail %s", number)  # a fault of ours: it must be seen, and must not stop the next mail
            complain(f"mail {number} could not be dealt with: {type(error).__name__}")  # its words may be the mail's
            _end_in_error(desk, number, f"{type(error).__name__}: {error}")
        return True
    return True


def _process(desk: Desk, number: int) -> bool:
    with desk.database.transaction() as session:
        # Whoever's lease ran out finds it decided: the row is his who holds it.
        row = session.exec(_MAIL, params={"number": number}).one()
        players = row.rank == Rank.PLAYER
        if row.outcome is not None:
            return players
        moved = Decision(desk, session, row).run()
        said = f"{row.outcome} {row.game or ''}".strip()
        about = {"mail": number, "outcome": row.outcome, "game": row.game, "player": row.player}
    desk.games.settle()
    for live in moved:
        desk.games.put(live)
    log.info("mail %s: %s", number, said, extra=about)
    return players


def _not_tried(desk: Desk, number: int) -> None:
    """It was not the mail that failed: that counts against it no more than it must."""
    with suppress(OperationalError), desk.database.transaction() as session:
        row = session.get(MailRow, number, with_for_update={"key_share": True})
        if row is not None and row.lease_owner == desk.owner:
            row.attempts -= 1


def claim(desk: Desk) -> int | None:
    """Take the lease of the mail whose turn it is among those that nobody works on and that wait for no earlier one of
    their lane. The attempt is counted before anything is read; a mail that has stopped the service so often that it
    will again is put aside."""
    while True:
        now = desk.clock.now()
        with desk.database.transaction() as session:
            found = session.exec(_next(), params={"now": now}).first()
            if found is None:
                return None
            number, attempts = found
            if attempts < desk.settings.most_attempts:
                until = now + timedelta(seconds=desk.settings.lease_seconds)
                session.exec(_TAKEN, params={"number": number, "owner": desk.owner, "until": until})
                return int(number)
        _end_in_error(desk, number, "given up after too many attempts")


_MAIL = select(MailRow).where(col(MailRow.id) == bindparam("number")).with_for_update(key_share=True)
_TAKEN = (
    update(MailRow)
    .where(col(MailRow.id) == bindparam("number"))
    .values(attempts=MailRow.attempts + 1, lease_owner=bindparam("owner"), lease_until=bindparam("until"))
    .execution_options(synchronize_session=False)
)


@cache
def _next() -> Any:
    """Number of the mail, and how often it was tried. Made once: putting it together takes longer than asking it."""
    earlier = aliased(MailRow)
    before = exists().where(
        col(earlier.lane) == MailRow.lane, col(earlier.lane) != "", col(earlier.outcome).is_(None),
        col(earlier.id) < MailRow.id,
    )  # fmt: skip
    lease = col(MailRow.lease_until)
    free = or_(lease.is_(None), lease < bindparam("now"))
    waiting = select(MailRow.id, MailRow.attempts).where(col(MailRow.outcome).is_(None), free, ~before)
    in_turn = waiting.order_by(col(MailRow.turn), col(MailRow.rank), col(MailRow.id))
    return in_turn.limit(1).with_for_update(skip_locked=True)


def _end_in_error(desk: Desk, number: int, reason: str) -> None:
    """Write that down first: whatever telling it does, the mail is not tried again."""
    with desk.database.transaction() as session:
        row = session.exec(_MAIL, params={"number": number}).one()
        if row.outcome is not None:  # who had it longer than his lease came to an end after all
            return
        row.outcome, row.detail = "error", reason
        row.decided_at, row.lease_until = desk.clock.now(), None
        queue_operator(desk, session, f"mail {number}: {reason}", kind="error")
    try:  # a known player is told, if that at least can be done
        with desk.database.transaction() as session:
            Decision(desk, session, session.exec(_MAIL, params={"number": number}).one()).apologise()
    except Exception:
        log.exception("mail %s: not even that could be told", number)
