"""Decides the waiting mails one by one: each is taken by a lease, decided in one transaction, and given one outcome.

No mail can stop the next: an unexpected failure becomes the outcome ``error``, and the mail is kept to be tried again.
A mail that was begun too often without coming to an end may have ended the service each time, or may have been there
when somebody else did. A process of its own finds out.
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

from sqlalchemy import bindparam, case, exists, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased
from sqlmodel import col, or_, select

from moderator.adapters.database import run_plain
from moderator.adapters.tables import GameRow, MailRow
from moderator.domain.ports import NotNow
from moderator.service.decision.plain import apologise
from moderator.service.decision.stages import decide
from moderator.service.desk import Desk
from moderator.service.fairness import Rank
from moderator.service.locks import lost_a_race
from moderator.service.post.outbox import queue_operator

log = logging.getLogger("railpost")

Complain = Callable[[str], None]
_RACES: Final = 5
"""The number of attempts at a mail that meets another service at the same rows."""
_FRONT: Final = 64
"""The number of mails at the front of the queue among which a service looks for those that it prefers."""
_WHOEVER: Final = 10
"""One mail in this many is taken in turn, whichever service has its game in memory, so that no mail waits for a service
that has ended or is slow."""


def work_off(desk: Desk, complain: Complain, most: int = 1_000, others_until: float = math.inf) -> int:
    """Decide at most ``most`` of the waiting mails, in turn. Returns their number. After ``others_until``
    (``time.monotonic``) it stops at the first mail that is not a player's."""
    for count in range(most):
        number = claim(desk, whoever=count % _WHOEVER == 0)
        if number is None:
            return count
        if not process(desk, number, complain) and time.monotonic() > others_until:
            return count + 1
    return most


def process(desk: Desk, number: int, complain: Complain) -> bool:
    """Decide mail ``number``: its outcome, its changes and the answers are committed together. True if it ranked as a
    player's mail when it came, or if it failed."""
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
            complain(f"mail {number} could not be dealt with: {type(error).__name__}")  # the error may quote the mail
            _end_in_error(desk, number, f"{type(error).__name__}: {error}")
        return True
    return True


def _process(desk: Desk, number: int) -> bool:
    with desk.sitting() as sitting:
        # A worker whose lease ran out finds the mail decided: only the holder of the row works on it.
        row = sitting.session.exec(_MAIL, params={"number": number}).one()
        players = row.rank == Rank.PLAYER
        if row.outcome is not None:
            return players
        ended = decide(sitting, row)
        said = f"{row.outcome} {row.game or ''}".strip()
        about = {"mail": number, "outcome": row.outcome, "game": row.game, "player": row.player}
    desk.games.settle()
    for live in ended.moved:
        desk.games.put(live)
    log.info("mail %s: %s", number, said, extra=about)
    return players


def _not_tried(desk: Desk, number: int) -> None:
    """Uncount the attempt: the mail was not the cause of the failure."""
    with suppress(OperationalError), desk.database.transaction() as session:
        row = session.get(MailRow, number, with_for_update={"key_share": True})
        if row is not None and row.lease_owner == desk.owner:
            row.attempts -= 1


def claim(desk: Desk, *, whoever: bool = True) -> int | None:
    """Take the lease of the next mail in turn. Returns its number; None if there is none. Mails that somebody works on,
    or that wait for an earlier mail of their lane, are passed over. The attempt is counted before anything is read; a
    mail with too many attempts is rehearsed first, and ends in ``error`` if that is deadly. Unless ``whoever`` is set,
    mails for games that another service moved last come after others of the same turn, because that service has them in
    memory. This is only a preference, and no mail waits for it."""
    while True:
        now = desk.lease_time()
        until = now + timedelta(seconds=desk.settings.lease_seconds)
        wanted = {"now": now, "owner": desk.owner, "until": until, "later": 0 if whoever else 1}
        with desk.database.transaction() as session:
            found = run_plain(session, _taken(), wanted).first()
        if found is None:
            return None
        number, attempts = found
        if attempts <= desk.settings.most_attempts or _survived(desk, number, attempts - 1):
            return int(number)


def _survived(desk: Desk, number: int, attempts: int) -> bool:
    """True if a process of its own has survived mail ``number``, which was begun so many times. If it has not, the mail
    ends in ``error``. If that cannot be told, the mail waits until its lease runs out; the others do not."""
    try:
        died = desk.rehearse(number) if desk.rehearse else "nothing can try it but the service itself"
    except NotNow as reason:
        log.warning("mail %s, begun %s times, could not be tried apart: %s", number, attempts, reason)
        return False
    if died:
        _end_in_error(desk, number, f"begun {attempts} times without coming to an end; tried apart, {died}")
    return not died


def rehearse(desk: Desk, number: int) -> None:
    """Decide mail ``number`` and undo what came of it. A failure is none here: the service meets it, and tells it."""
    with suppress(Exception), desk.sitting() as sitting:
        decide(sitting, sitting.session.exec(_MAIL, params={"number": number}).one())
        raise _Undone


class _Undone(Exception):
    """Rolls a transaction back."""


_MAIL = select(MailRow).where(col(MailRow.id) == bindparam("number")).with_for_update(key_share=True)


@cache
def _taken() -> Any:
    """The statement that takes the lease, and returns the number of the mail and of its attempts including this one. It
    is built once, because building it takes longer than running it."""
    earlier, mail = aliased(MailRow), aliased(MailRow)
    in_turn = col(MailRow.turn), col(MailRow.rank)
    before = exists().where(
        col(earlier.lane) == MailRow.lane, col(earlier.lane) != "", col(earlier.outcome).is_(None),
        col(earlier.id) < MailRow.id,
    )  # fmt: skip
    service = col(GameRow.service)
    elsewhere = case((or_(service.is_(None), service.in_(("", bindparam("owner")))), 0), else_=bindparam("later"))
    front = (
        select(MailRow.id, *in_turn, elsewhere.label("elsewhere"))
        .outerjoin(GameRow, col(GameRow.id) == MailRow.about)
        .where(*_free(MailRow), ~before)
        .order_by(*in_turn, col(MailRow.id))
        .limit(_FRONT)
        .subquery()
    )
    first = (
        select(mail.id)
        .join(front, front.c.id == col(mail.id))
        .where(*_free(mail))  # checked again, because another service may have taken the mail meanwhile
        .order_by(front.c.turn, front.c.rank, front.c.elsewhere, front.c.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=mail)
    )
    lease: dict[str, Any] = {"lease_owner": bindparam("owner"), "lease_until": bindparam("until")}
    taken = update(MailRow).where(col(MailRow.id) == first.scalar_subquery())
    return taken.values(attempts=MailRow.attempts + 1, **lease).returning(col(MailRow.id), col(MailRow.attempts))


def _free(mail: type[MailRow]) -> tuple[Any, Any]:
    """The conditions that the mail is not decided and nobody works on it."""
    lease = col(mail.lease_until)
    return col(mail.outcome).is_(None), or_(lease.is_(None), lease < bindparam("now"))


def _end_in_error(desk: Desk, number: int, reason: str) -> None:
    """End mail ``number`` in ``error``, and tell the operator and a known player. The error is stored first, so that
    the mail is not tried again even if telling about it fails."""
    with desk.sitting() as sitting:
        row = sitting.session.exec(_MAIL, params={"number": number}).one()
        if row.outcome is not None:  # a worker whose lease had run out has decided it after all
            return
        row.outcome, row.detail = "error", reason
        row.decided_at, row.lease_until = desk.clock.now(), None
        queue_operator(sitting, f"mail {number}: {reason}", kind="error")
    try:  # a known player is told, if that at least can be done
        with desk.sitting() as sitting:
            apologise(sitting, sitting.session.exec(_MAIL, params={"number": number}).one())
    except Exception:
        log.exception("mail %s: not even that could be told", number)
