"""Mails to send: written into the outbox with the change they tell of, sent afterwards, tried again until they go."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, exists, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased
from sqlmodel import and_, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from moderator.adapters.tables import KeptRow, MailRow, OutboxRow, SeatRow
from moderator.domain.info import GameInfo
from moderator.domain.ports import Away, Never, NotNow, Outgoing, Outlet, Rendered
from moderator.domain.redact import redact
from moderator.service.desk import Desk, Sitting
from moderator.service.kept import recall
from moderator.service.locks import one_by_one
from moderator.service.post import gathering, quota
from moderator.service.post.first_sent import note_sent
from moderator.service.post.list_headers import list_headers

log = logging.getLogger("railpost")

PAUSED = "outbox paused"
"""Nothing is sent, until the operator agrees, but what he is told himself."""
ALARM = "alarm "
"""Keys of what the operator's command is to be run with."""
_PRIORITY = {"turn": 0, "transcript": 0, "help": 0, "over": 0, "welcome": 0, "reminder": 0, "news": 2, "press": 2,
             "stranger": 2}  # fmt: skip
"""Mails that a game waits for go first, and those that can wait for tomorrow last; 1 is everything else."""
_TELLS_RULES = frozenset(("turn", "transcript", "over", "reminder", "news", "notice"))
"""Mails that say what is new in the rules (``rules.txt.j2``)."""
_PATIENCE = timedelta(days=5)
"""How long a mail is tried before it is given up."""
_PATIENT_ATTEMPTS = 6
"""So often a mail fails, in about two hours, before later ones to the same recipient overtake it."""

_MAIL = select(OutboxRow).where(col(OutboxRow.id) == bindparam("number"))
_CLAIMED = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(bindparam("numbers", expanding=True)))
    .values(lease_owner=bindparam("owner"), lease_until=bindparam("until"))
    .execution_options(synchronize_session=False)
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
    .execution_options(synchronize_session=False)
)  # fmt: skip
"""Put together once: that takes longer than having them carried out."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The mail that is answered, and its Message-ID if that can stand in a header."""

    mail: MailRow
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class _Envelope:
    """Where a mail goes, and what it belongs to."""

    kind: str
    recipient: str
    reply_to: str
    headers: dict[str, str]
    game: str | None = None
    player: str | None = None
    answers: int | None = None
    kept: str = ""


def queue(
    sitting: Sitting, seat: SeatRow, info: GameInfo, kind: str, rendered: Rendered, reply: Reply | None = None
) -> OutboxRow:
    """Write a mail to a seat's address of record. To one that cannot be reached, or wants no mail, it is kept unless it
    answers a mail of its own."""
    headers = list_headers(
        sitting, seat, kind, reply.reference if reply is not None else None, answer=reply is not None
    )
    kept = "" if reply is not None or kind == "stopped" else silence_of(seat)
    if info.rules is not None and kind in _TELLS_RULES and not kept:
        seat.rules = info.rules.version
    answers = reply.mail.id if reply is not None else None
    envelope = _Envelope(kind, seat.address, info.reply_to, headers, seat.game, seat.player, answers, kept)
    return _add(sitting, rendered, envelope)


def queue_to(
    sitting: Sitting, recipient: str, reply_to: str, seat: SeatRow, rendered: Rendered, answers: MailRow | None = None
) -> OutboxRow:
    """Write a notice about ``seat`` to another address than the one of record. It belongs to no list and no thread."""
    headers = {"Auto-Submitted": "auto-generated", "X-Railpost": f"{seat.game} notice"}
    answered = answers.id if answers is not None else None
    return _add(sitting, rendered, _Envelope("notice", recipient, reply_to, headers, seat.game, answers=answered))


def silence_of(seat: SeatRow) -> str:
    """The reason why ``seat`` is sent only what it asked for; empty if there is none."""
    return "unreachable" if seat.unreachable_at is not None else "stopped" if seat.stopped_at is not None else ""


def queue_stranger(sitting: Sitting, recipient: str, answers: MailRow) -> OutboxRow:
    """The fixed text for somebody who is not known: there is nothing of his mail in it."""
    headers = {"Auto-Submitted": "auto-replied", "X-Railpost": "stranger"}
    rendered = sitting.words.stranger_mail()
    envelope = _Envelope("stranger", recipient, sitting.settings.address, headers, answers=answers.id)
    return _add(sitting, rendered, envelope)


def queue_operator(sitting: Sitting, problem: str, *, kind: str = "", at_once: bool = False) -> None:
    """Tell whoever runs the service, by mail if there is an address for that, and through the command if there is one:
    what it is told lies in a row until it is run. The first problem of a ``kind`` is told at once; those that follow
    within ``alarm_again_hours`` are told together, unless each is to be told ``at_once``. Without a ``kind`` those are
    of one kind that differ in numbers only. An error's words may hold a piece of a mail: no secret is passed on."""
    problem = redact(problem)
    if at_once or gathering.is_first(sitting, problem, kind):
        _to_operator(sitting, problem)


def tell_gathered(desk: Desk) -> int:
    """Tell the operator what was gathered for long enough; how many mails that made."""
    with desk.sitting() as sitting:
        problems = gathering.due(sitting)
        for problem in problems:
            _to_operator(sitting, problem)
    return len(problems)


def _to_operator(sitting: Sitting, problem: str) -> None:
    if sitting.settings.alarm_command:
        now = sitting.now()
        value = {"text": problem, "at": now.isoformat()}
        sitting.session.add(KeptRow(key=ALARM + secrets.token_hex(8), value=value, changed_at=now))
    if sitting.settings.operator:
        headers = {"Auto-Submitted": "auto-generated", "X-Railpost": "operator"}
        rendered = sitting.words.operator_mail(problem)
        envelope = _Envelope("operator", sitting.settings.operator, sitting.settings.address, headers)
        _add(sitting, rendered, envelope)


def _add(sitting: Sitting, rendered: Rendered, envelope: _Envelope) -> OutboxRow:
    now = sitting.now()
    name = sitting.desk.random_bytes(12).hex()
    text, html = _fitting(rendered, sitting.settings.largest_answer)
    mail = OutboxRow(
        message_id=f"<{name}@{sitting.settings.domain}>",
        game=envelope.game,
        player=envelope.player,
        kind=envelope.kind,
        recipient=envelope.recipient,
        return_path=f"{sitting.settings.mailbox}-bounces+{sitting.desk.random_bytes(12).hex()}@{sitting.settings.domain}",
        reply_to=envelope.reply_to,
        subject=rendered.subject,
        text=text,
        html=html,
        size=len(text.encode("utf-8", "replace")) + len(html.encode("utf-8", "replace")),
        headers=envelope.headers,
        answers=envelope.answers,
        state="kept" if envelope.kept else "queued",
        error=envelope.kept,
        priority=_PRIORITY.get(envelope.kind, 1),
        created_at=now,
        next_attempt=now,
    )
    sitting.session.add(mail)
    return mail


def _fitting(rendered: Rendered, most: int) -> tuple[str, str]:
    """Text and HTML of at most so many bytes. The text alone is always enough to play, so the HTML goes first."""
    text, html = rendered.text, rendered.html
    size = len(text.encode("utf-8", "replace"))
    if size > most:
        return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").rpartition("\n")[0] + "\n[...]\n", ""
    return text, html if size + len(html.encode("utf-8", "replace")) <= most else ""


def send_due(
    desk: Desk, outlet: Outlet, complain: Callable[[str], None], most: int = 100,
    go_on: Callable[[], bool] = lambda: True,
) -> int:  # fmt: skip
    """Send what is due, what games wait for first, as long as ``go_on`` says so; how many went. A mail may go twice if
    the service is killed between sending and writing that down, with the same Message-ID: at least once, never lost."""
    day = quota.today(desk)
    left = _claim(desk, most, day)
    try:
        return _send(desk, outlet, complain, left, day, go_on)
    except SQLAlchemyError:
        with suppress(SQLAlchemyError):  # if it can be, they need not wait for their lease to run out
            _give_back(desk, left, "", day)
        raise


def _send(
    desk: Desk, outlet: Outlet, complain: Callable[[str], None], left: list[int], day: str, go_on: Callable[[], bool]
) -> int:
    """Those of ``left``, each of which is taken out of it when it is dealt with."""
    sent = 0
    delayed: set[str] = set()
    while left and go_on():
        mail = _ours(desk, left[0])
        number = left.pop(0)
        if mail is None:
            _uncount(desk, 1, day)
            continue
        if mail.recipient in delayed:  # what comes later to somebody must not overtake
            _give_back(desk, [number], "", day)
            continue
        after: timedelta | None = None
        try:
            outlet.send(mail)
            state, error = "sent", ""
            sent += 1
        except Away as reason:  # nobody can be served: the rest of the batch waits untouched
            complain(f"no mail can be sent: {reason}")
            _give_back(desk, [number, *left], str(reason), day)
            return sent
        except NotNow as reason:
            state, error, after = "queued", str(reason), reason.after
            delayed.add(mail.recipient)
        except Never as reason:
            state, error = "failed", str(reason)
        except Exception as reason:  # whatever the outlet did not foresee must not stop the other mails
            state, error = "queued", f"{type(reason).__name__}: {reason}"
        if error:
            complain(f"mail {number} was not sent: {error}")
        _note(desk, number, mail.reply_to, state, error, after)
        log.info("outbox %s: %s", number, state, extra={"outbox": number, "state": state})
    _give_back(desk, left, "", day)
    return sent


def _ours(desk: Desk, number: int) -> Outgoing | None:
    """The mail, as long as it is ours to send: where servers are slow the lease is made longer on the way, and where it
    has run out another service may be sending it, or somebody may have kept it back."""
    now, span = desk.clock.now(), timedelta(seconds=desk.settings.lease_seconds)
    with desk.database.reading() as session:
        row = session.exec(_MAIL, params={"number": number}).one()
        if row.lease_owner != desk.owner or row.lease_until is None or row.state != "queued":
            return None
        if row.lease_until > now + span / 2:
            return _outgoing(desk, row)
    with desk.database.transaction() as session:
        asked = {"number": number, "owner": desk.owner, "until": now + span}
        return _outgoing(desk, row) if session.exec(_LONGER, params=asked).rowcount else None


def _claim(desk: Desk, most: int, day: str) -> list[int]:
    now, due = desk.clock.now(), _due()
    with desk.sitting() as sitting:
        one_by_one(sitting.session, "outbox")  # what another service takes now would look free, and could be overtaken
        if recall(sitting.session, PAUSED) is not None:  # the operator has not looked at what was restored
            due = due.where(OutboxRow.kind == "operator")
        room = quota.room(sitting, day)
        if room is not None:
            due, most = due.where(col(OutboxRow.priority) <= room.priority), min(most, room.left)
            if problem := quota.to_tell(sitting, room, day):
                queue_operator(sitting, problem)
        asked = {"now": now, "most": most}
        numbers = [n for n in sitting.session.exec(due, params=asked).all() if n is not None] if most else []
        quota.take(sitting, len(numbers), day)
        lease = {"owner": desk.owner, "until": now + timedelta(seconds=desk.settings.lease_seconds)}
        if numbers:
            sitting.session.exec(_CLAIMED, params={"numbers": numbers, **lease})
        return numbers


@cache
def _due() -> SelectOfScalar[Any]:
    """The query for at most ``most`` mails that are due ``now``. It is built once, because building it takes longer
    than running it."""
    now: BindParameter[datetime] = bindparam("now")
    free = or_(col(OutboxRow.lease_until).is_(None), col(OutboxRow.lease_until) < now)
    return (
        select(OutboxRow.id)
        .where(OutboxRow.state == "queued", col(OutboxRow.next_attempt) <= now, free, ~_must_wait(now))
        .order_by(col(OutboxRow.priority), col(OutboxRow.id))
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )


def _must_wait(now: ColumnElement[datetime]) -> ColumnElement[bool]:
    """An earlier mail to the same recipient is being sent or tried again, and would be overtaken. It is not waited for
    for ever: it may be the mail itself that is not liked."""
    earlier = aliased(OutboxRow)
    under_way = or_(
        col(earlier.lease_until) >= now,
        and_(col(earlier.next_attempt) > now, col(earlier.attempts).between(1, _PATIENT_ATTEMPTS)),
    )
    return exists().where(
        col(earlier.recipient) == col(OutboxRow.recipient), col(earlier.state) == "queued",
        col(earlier.id) < col(OutboxRow.id), col(earlier.priority) <= col(OutboxRow.priority), under_way,
    )  # fmt: skip


def _outgoing(desk: Desk, row: OutboxRow) -> Outgoing:
    return Outgoing(
        message_id=row.message_id, recipient=row.recipient, return_path=row.return_path,
        sender=desk.settings.address, reply_to=row.reply_to, subject=row.subject, text=row.text, html=row.html,
        created_at=row.created_at, headers=row.headers,
    )  # fmt: skip


def _uncount(desk: Desk, number: int, day: str) -> None:
    """So many that were claimed on ``day`` were not ours to send any more."""
    if desk.settings.mails_per_day:
        with desk.sitting() as sitting:
            quota.give_back(sitting, number, day)


def _give_back(desk: Desk, numbers: list[int], error: str, day: str) -> None:
    """These were not tried: it counts against none of them, however long the server is away."""
    if not numbers:
        return
    with desk.sitting() as sitting:
        quota.give_back(sitting, len(numbers), day)
        ours = select(OutboxRow).where(col(OutboxRow.id).in_(numbers), OutboxRow.lease_owner == desk.owner)
        for row in sitting.session.exec(ours.order_by(col(OutboxRow.id)).with_for_update()).all():
            row.lease_owner = row.lease_until = None
            if row.state == "queued":  # why it is kept must stay: by that it is found when it may go
                row.error = error or row.error


def _note(desk: Desk, number: int, reply_to: str, state: str, error: str, after: timedelta | None) -> None:
    now = desk.clock.now()
    with desk.database.transaction() as session:
        if state == "sent":  # whatever was thought of it meanwhile
            session.exec(_SENT, params={"number": number, "now": now})
            note_sent(session, reply_to, now)
            return
        row = session.get(OutboxRow, number, with_for_update=True)
        assert row is not None
        row.attempts += 1
        row.lease_owner = row.lease_until = None
        if row.state == "queued":  # it may have been kept back meanwhile, for a reason that stays
            row.error = error
            row.state = "failed" if state == "queued" and now - row.created_at > _PATIENCE else state
        row.next_attempt = now + (after or timedelta(minutes=min(2 ** min(row.attempts, 9), 240)))
