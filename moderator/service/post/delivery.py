"""Sends the mails of the outbox that are due: claims them, sends them, and tries again until they go."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import BindParameter, ColumnElement, Row, bindparam, exists, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from moderator.adapters.database import run_plain
from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import Away, Doubtful, Never, NotNow, Outgoing, Outlet
from moderator.service.desk import Desk
from moderator.service.locks import one_by_one
from moderator.service.post import quota
from moderator.service.post.first_sent import note_sent
from moderator.service.post.outbox import PAUSED, queue_operator
from moderator.service.post.pictures import Album
from moderator.service.service_facts import FROZEN, recall

log = logging.getLogger("railpost")

_PATIENCE = timedelta(days=5)
"""The time for which a mail is tried before it is given up."""
_PATIENT_ATTEMPTS = 6
"""The number of failed attempts, in about two hours, before later mails to the same recipient overtake a mail."""

_READ: Final = frozenset(
    {"id", "message_id", "game", "recipient", "return_path", "reply_to", "subject", "text", "html", "pictures",
     "calendar", "headers", "created_at"}
)  # fmt: skip

_LEASED = select(OutboxRow.lease_owner, OutboxRow.lease_until, OutboxRow.state).where(
    col(OutboxRow.id) == bindparam("number")
)
_CLAIMED = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(bindparam("numbers", expanding=True)))
    .values(lease_owner=bindparam("owner"), lease_until=bindparam("until"))
    .returning(*(column for column in OutboxRow.__table__.columns if column.key in _READ))  # type: ignore[attr-defined]
)
_LONGER = (
    update(OutboxRow)
    .where(
        col(OutboxRow.id) == bindparam("number"), col(OutboxRow.lease_owner) == bindparam("owner"),
        col(OutboxRow.state) == "queued",
    )
    .values(lease_until=bindparam("until"))
    .execution_options(synchronize_session=False)
)  # fmt: skip
_SENT = (
    update(OutboxRow)
    .where(col(OutboxRow.id) == bindparam("number"))
    .values(
        attempts=OutboxRow.attempts + 1, state="sent", error="", sent_at=bindparam("now"),
        lease_owner=None, lease_until=None,
    )
)  # fmt: skip
"""Built once, because building them takes longer than running them."""


def send_due(
    desk: Desk, outlet: Outlet, complain: Callable[[str], None], most: int = 100,
    go_on: Callable[[], bool] = lambda: True, album: Album | None = None, *, operator_only: bool = False,
) -> int:  # fmt: skip
    """Send at most ``most`` due mails while ``go_on`` returns True, those that games wait for first, or those to the
    operator alone. Returns the number sent. If the service is killed after it has sent a mail and before it has stored
    that, the mail goes again with the same Message-ID: each mail goes at least once, and none is lost."""
    day = quota.today(desk)
    claimed = _claim(desk, most, day, operator_only=operator_only)
    left = list(claimed.mails)
    try:
        return _send(desk, outlet, complain, left, claimed, go_on, album or Album(desk))
    except SQLAlchemyError:
        with suppress(SQLAlchemyError):  # if this works, they need not wait for their lease to run out
            _give_back(desk, left, "", day)
        raise


def _send(
    desk: Desk, outlet: Outlet, complain: Callable[[str], None], left: list[int], claimed: _Claimed,
    go_on: Callable[[], bool], album: Album,
) -> int:  # fmt: skip
    """Send the mails of ``left``, and remove each from it when it is dealt with. Returns the number sent. A doubtful
    mail counts as tried once the server has served somebody else, or nobody else is to be served, and at once if its
    text had begun: texts that end the connection must not stay in front of all others."""
    sent, day = 0, claimed.day
    delayed: set[str] = set()
    doubtful: list[_Tried] = []
    lease: _Lease | None = None
    while left and go_on():
        first = len(left) == len(claimed.mails)  # it was claimed just now
        ours = first or _still_ours(desk, left[0], lease)
        number, lease = left.pop(0), None
        found = claimed.mails[number]
        if not ours:
            _uncount(desk, 1, day)
            continue
        mail = found.mail
        if mail.recipient in delayed:  # a later mail to somebody must not overtake an earlier one
            _give_back(desk, [number], "", day)
            continue
        try:
            outlet.send(album.complete(mail, found.game, found.pictures) if found.pictures else mail)
            tried = _Tried(number, _answer_addresses(mail), "sent")
            sent += 1
        except Away as reason:  # nobody can be served: the rest of the batch waits untouched
            complain(f"no mail can be sent: {reason}")
            failed = [*doubtful, _Tried(number, _answer_addresses(mail), "queued", str(reason), begun=reason.begun)]
            _settle(desk, [each for each in failed if each.begun], complain)
            untouched = [each.number for each in failed if not each.begun]
            _give_back(desk, [*untouched, *left], str(reason), day)
            return sent
        except NotNow as reason:
            tried = _Tried(number, _answer_addresses(mail), "queued", str(reason), reason.after, reason.begun)
            delayed.add(mail.recipient)
            if isinstance(reason, Doubtful):
                doubtful.append(tried)
                continue
        except Never as reason:
            tried = _Tried(number, _answer_addresses(mail), "failed", str(reason))
        except Exception as reason:  # whatever the outlet did not foresee must not stop the other mails
            tried = _Tried(number, _answer_addresses(mail), "queued", f"{type(reason).__name__}: {reason}")
        lease = _settle(desk, [*doubtful, tried], complain, following=left[0] if left else None)
        doubtful = []
    _settle(desk, doubtful, complain)
    _give_back(desk, left, "", day)
    return sent


_Lease: TypeAlias = tuple[str | None, datetime | None, str]
"""Owner and end of the lease of a mail, and the state of the mail."""


@dataclass(frozen=True, slots=True)
class _Claimed:
    """The mails that were claimed on ``day``, in the order in which they go."""

    day: str
    mails: dict[int, _Found]


@dataclass(frozen=True, slots=True)
class _Tried:
    """The result of an attempt to send mail ``number``: the text with its answer addresses, its new state, the error,
    the time after which to try again, if the server gave one, and whether its text had begun when the attempt
    failed."""

    number: int
    answers_at: str
    state: str
    error: str = ""
    after: timedelta | None = None
    begun: bool = False


def _answer_addresses(mail: Outgoing) -> str:
    """The text that has the answer addresses of ``mail``: a digest has one for each game."""
    return mail.text if mail.headers.get("X-Railpost") == "digest" else mail.reply_to


def _settle(
    desk: Desk, attempts: list[_Tried], complain: Callable[[str], None], following: int | None = None
) -> _Lease | None:
    """Note the attempts. Returns the lease of the mail ``following``, as the last of their transactions has seen it."""
    lease = None
    for tried in attempts:
        number, state = tried.number, tried.state
        if tried.error:
            complain(f"mail {number} was not sent: {tried.error}")
        with desk.database.transaction() as session:
            _note(session, tried, desk.clock.now())
            lease = None if following is None else _lease_of(session, following)
        log.info("outbox %s: %s", number, state, extra={"outbox": number, "state": state})
    return lease


@dataclass(frozen=True, slots=True)
class _Found:
    """A mail to send, its game, and its pictures, which are not drawn yet."""

    mail: Outgoing
    game: str | None
    pictures: list[dict[str, Any]]


def _lease_of(session: Session, number: int) -> _Lease:
    found = run_plain(session, _LEASED, {"number": number}).first()
    return (None, None, "") if found is None else (found[0], found[1], found[2])  # nobody's, if it is gone


def _still_ours(desk: Desk, number: int, lease: _Lease | None) -> bool:
    """True while the mail is ours to send. ``lease``: of the mail, if it has just been looked at. If servers are slow,
    it is extended on the way. Once it has run out, another service may be sending the mail, or somebody may have kept
    it back."""
    now, span = desk.lease_time(), timedelta(seconds=desk.settings.lease_seconds)
    if lease is None:
        with desk.database.reading() as session:
            lease = _lease_of(session, number)
    owner, until, state = lease
    if owner != desk.owner or until is None or state != "queued":
        return False
    if until > now + span / 2:
        return True
    with desk.database.transaction() as session:
        asked = {"number": number, "owner": desk.owner, "until": now + span}
        return bool(session.exec(_LONGER, params=asked).rowcount)


def _claim(desk: Desk, most: int, day: str, *, operator_only: bool) -> _Claimed:
    now, leased, due = desk.clock.now(), desk.lease_time(), _due()
    with desk.sitting() as sitting:
        one_by_one(sitting.session, "outbox")  # mails another service takes now would look free, and could be overtaken
        if operator_only or recall(sitting.session, PAUSED) is not None:  # he has not looked at what was restored
            due = due.where(OutboxRow.kind == "operator")
        room = quota.room(sitting, day)
        if room is not None:
            due, most = due.where(col(OutboxRow.priority) <= room.priority), min(most, room.left)
            if problem := quota.to_tell(sitting, room, day):
                queue_operator(sitting, problem)
        asked = {"now": now, "leased": leased, "most": most}
        numbers = [n for n in sitting.session.exec(due, params=asked).all() if n is not None] if most else []
        quota.take(sitting, len(numbers), day)
        lease = {"owner": desk.owner, "until": leased + timedelta(seconds=desk.settings.lease_seconds)}
        rows = run_plain(sitting.session, _CLAIMED, {"numbers": numbers, **lease}).all() if numbers else ()
        found = {row.id: _outgoing(desk, row) for row in rows}
        return _Claimed(day, {number: found[number] for number in numbers})


@cache
def _due() -> SelectOfScalar[Any]:
    """The query for at most ``most`` mails that are due ``now``, and not leased by the time ``leased``. It is built
    once, because building it takes longer than running it."""
    now: BindParameter[datetime] = bindparam("now")
    leased: BindParameter[datetime] = bindparam("leased")
    free = or_(col(OutboxRow.lease_until).is_(None), col(OutboxRow.lease_until) < leased)
    return (
        select(OutboxRow.id)
        .where(OutboxRow.state == "queued", col(OutboxRow.next_attempt) <= now, free, ~_must_wait(now, leased))
        .order_by(col(OutboxRow.priority), col(OutboxRow.id))
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )


def _must_wait(now: ColumnElement[datetime], leased: ColumnElement[datetime]) -> ColumnElement[bool]:
    """The condition that an earlier mail to the same recipient is being sent or tried again, and would be overtaken. It
    does not block later mails for ever, because the fault may be in that mail itself."""
    earlier = aliased(OutboxRow)
    under_way = or_(
        col(earlier.lease_until) >= leased,
        and_(col(earlier.next_attempt) > now, col(earlier.attempts).between(1, _PATIENT_ATTEMPTS)),
    )
    return exists().where(
        col(earlier.recipient) == col(OutboxRow.recipient), col(earlier.state) == "queued",
        col(earlier.id) < col(OutboxRow.id), col(earlier.priority) <= col(OutboxRow.priority), under_way,
    )  # fmt: skip


def _outgoing(desk: Desk, row: OutboxRow | Row[Any]) -> _Found:
    mail = Outgoing(
        message_id=row.message_id, recipient=row.recipient, return_path=row.return_path,
        sender=desk.settings.address, reply_to=row.reply_to, subject=row.subject, text=row.text, html=row.html,
        created_at=row.created_at, headers=row.headers, calendar=row.calendar,
    )  # fmt: skip
    return _Found(mail, row.game, row.pictures)


def _uncount(desk: Desk, number: int, day: str) -> None:
    """Uncount ``number`` mails that were claimed on ``day`` and are no longer ours to send."""
    if desk.settings.mails_per_day:
        with desk.sitting() as sitting:
            quota.give_back(sitting, number, day)


def _give_back(desk: Desk, numbers: list[int], error: str, day: str) -> None:
    """Release mails that were not tried. That counts against none of them, however long the server is away."""
    if not numbers:
        return
    with desk.sitting() as sitting:
        quota.give_back(sitting, len(numbers), day)
        ours = select(OutboxRow).where(col(OutboxRow.id).in_(numbers), OutboxRow.lease_owner == desk.owner)
        for row in sitting.session.exec(ours.order_by(col(OutboxRow.id)).with_for_update()).all():
            row.lease_owner = row.lease_until = None
            if row.state == "queued":  # the reason why it is kept must stay: it is found by that when it may go
                row.error = error or row.error


def _tried_enough(session: Session, row: OutboxRow) -> bool:
    """True if the mail has been tried long and often enough. Its age when this attempt became due counts: by the
    present clock, which may just have jumped, a mail of today can be ten years old."""
    old = row.next_attempt - row.created_at > _PATIENCE and row.attempts > _PATIENT_ATTEMPTS
    return old and recall(session, FROZEN + "clock") is None


def _note(session: Session, tried: _Tried, now: datetime) -> None:
    if tried.state == "sent":  # even if it was kept back meanwhile
        run_plain(session, _SENT, {"number": tried.number, "now": now})
        note_sent(session, tried.answers_at, now)
        return
    row = session.get(OutboxRow, tried.number, with_for_update=True)
    assert row is not None
    row.attempts += 1
    row.lease_owner = row.lease_until = None
    if row.state == "queued":  # it may have been kept back meanwhile, for a reason that stays
        row.error = tried.error
        row.state = "failed" if tried.state == "queued" and _tried_enough(session, row) else tried.state
    row.next_attempt = now + (tried.after or timedelta(minutes=min(2 ** min(row.attempts, 9), 240)))
