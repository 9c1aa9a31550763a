"""Mails to send: written into the outbox together with the change that they report. ``sending.py`` sends them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, bindparam, text, update
from sqlmodel import Session, col, select

from moderator.adapters.database import run_plain
from moderator.adapters.tables import QUEUED, KeptRow, MailRow, OutboxRow, SeatRow
from moderator.domain.info import GameInfo
from moderator.domain.ports import Rendered
from moderator.domain.redaction import redact
from moderator.service.desk import Desk, Sitting
from moderator.service.post import problem_groups as gathering
from moderator.service.post.calendar_entries import entries_for
from moderator.service.post.list_headers import digest_headers, list_headers
from moderator.service.post.pictures import without

PAUSED = "outbox paused"
"""Key that is set while the outbox is paused: until the operator agrees, only mails to him are sent."""
ALARM = "alarm "
"""Prefix of the keys of the texts with which the operator's command is to be run."""
DIGEST: Final = "digest"
"""The kind of a mail about all games of a person. It belongs to no game."""
_PRIORITY = {"turn": 0, "transcript": 0, "help": 0, "over": 0, "welcome": 0, "reminder": 0, "news": 2, "press": 2,
             "stranger": 2, "observer": 2, DIGEST: 2}  # fmt: skip
"""Mails that a game waits for have 0 and go first; mails that can wait for tomorrow have 2 and go last; all others have
1."""
_LAST: Final = 2
_NEW: Final = "mails that this transaction has queued"
_OLDER = (
    select(OutboxRow.id, OutboxRow.recipient, OutboxRow.player, OutboxRow.priority)
    .add_columns(col(OutboxRow.reply_to))
    .where(text(QUEUED), col(OutboxRow.game) == bindparam("game"), col(OutboxRow.priority) > 0)
)
_SOONER = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(bindparam("numbers", expanding=True)), col(OutboxRow.state) == "queued")
    .where(col(OutboxRow.priority) > bindparam("wanted"))
    .values(priority=bindparam("wanted"))
)
_CALENDARS = frozenset(("turn", "reminder", "transcript", "notice", "news", "over"))
"""Kinds of mails that carry calendar entries."""
_TELLS_RULES = frozenset(("turn", "transcript", "over", "reminder", "news", "notice"))
"""Kinds of mails that tell the news of the rules (``rules.txt.j2``)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The mail that is answered, and its Message-ID if that can stand in a header."""

    mail: MailRow
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class _Envelope:
    """The destination of a mail, and the game, player and mail that it belongs to."""

    kind: str
    recipient: str
    reply_to: str
    headers: dict[str, str]
    game: str | None = None
    player: str | None = None
    answers: int | None = None
    kept: str = ""
    calendar: str = ""


def queue(
    sitting: Sitting, seat: SeatRow, info: GameInfo, kind: str, rendered: Rendered, reply: Reply | None = None
) -> OutboxRow:
    """Queue a mail to a seat's address of record. If the seat cannot be reached or wants no mail, the mail is kept,
    unless it answers a mail of the seat, or tells it that mail has stopped."""
    headers = list_headers(
        sitting, seat, kind, reply.reference if reply is not None else None, answer=reply is not None
    )
    kept = "" if reply is not None or kind == "stopped" else silence_of(seat)
    if info.rules is not None and kind in _TELLS_RULES and not kept:
        seat.rules = info.rules.version
    answers = reply.mail.id if reply is not None else None
    calendar = ""
    if kind in _CALENDARS and not kept:
        calendar = sitting.words.calendar(info, entries_for(sitting, seat, info), sitting.now())
    envelope = _Envelope(kind, seat.address, info.reply_to, headers, seat.game, seat.player, answers, kept, calendar)
    _send_older_first(sitting, envelope)
    return _add(sitting, rendered, envelope)


def _send_older_first(sitting: Sitting, envelope: _Envelope) -> None:
    """Let a notice arrive before the mail that follows from it, and no mail whose answer address is replaced after the
    one that replaces it: the player would answer the mail that came last, in vain. An answer comes before notices about
    what the answered mail did."""
    priority, session = _PRIORITY.get(envelope.kind, 1), sitting.session
    if priority == _LAST or envelope.game is None:
        return
    before: list[OutboxRow] = session.info.get(_NEW, [])
    for row in before:
        if row.game == envelope.game and row.state == "queued" and _goes_first(row, envelope, priority):
            row.priority = priority
    older = [row.id for row in _waiting(session, envelope.game) if _goes_first(row, envelope, priority)]
    if older:
        run_plain(session, _SOONER, {"numbers": older, "wanted": priority})


def _goes_first(row: OutboxRow | Row[Any], envelope: _Envelope, priority: int) -> bool:
    replaced = row.reply_to != envelope.reply_to
    return (
        (row.recipient, row.player) == (envelope.recipient, envelope.player)
        and row.priority > priority
        and (replaced or (envelope.answers is None and row.priority == 1))
        and f"+{envelope.game}.".lower() in row.reply_to.lower()  # not a confirmation's
    )


def _waiting(session: Session, game: str) -> Sequence[Row[Any]]:
    """The mails about ``game`` that waited when this transaction first queued one, without the most urgent ones. They
    are read once, because hardly ever is there one."""
    key = f"mails that wait {game}"
    if key not in session.info:
        session.info[key] = tuple(run_plain(session, _OLDER, {"game": game}))
    found: tuple[Row[Any], ...] = session.info[key]
    return found


def queue_to(
    sitting: Sitting, recipient: str, reply_to: str, seat: SeatRow, rendered: Rendered, answers: MailRow | None = None,
    kind: str = "notice",
) -> OutboxRow:  # fmt: skip
    """Queue a notice about ``seat`` to an address other than that of record. It belongs to no list and no thread."""
    headers = {"Auto-Submitted": "auto-generated", "X-Railpost": f"{seat.game} {kind}"}
    answered = answers.id if answers is not None else None
    return _add(sitting, rendered, _Envelope(kind, recipient, reply_to, headers, seat.game, answers=answered))


def queue_digest(sitting: Sitting, seat: SeatRow, rendered: Rendered) -> OutboxRow:
    """Queue a digest of several games to the person who has ``seat``. It belongs to no game. An answer to it goes to
    the address of the service, which plays for no seat."""
    headers = digest_headers(sitting, seat)
    return _add(sitting, rendered, _Envelope(DIGEST, seat.address, sitting.settings.address, headers))


def silence_of(seat: SeatRow) -> str:
    """The reason why ``seat`` is sent only what it asked for; empty if there is none."""
    return "unreachable" if seat.unreachable_at is not None else "stopped" if seat.stopped_at is not None else ""


def queue_stranger(sitting: Sitting, recipient: str, answers: MailRow, *, known: bool = False) -> OutboxRow:
    """Queue the fixed text for a mail to no seat. It has nothing of that mail in it. ``known``: the recipient is a
    player."""
    headers = {"Auto-Submitted": "auto-replied", "X-Railpost": "stranger"}
    rendered = sitting.words.stranger_mail(known=known)
    envelope = _Envelope("stranger", recipient, sitting.settings.address, headers, answers=answers.id)
    return _add(sitting, rendered, envelope)


def queue_guest(
    sitting: Sitting, recipient: str, reply_to: str, rendered: Rendered, answers: MailRow | None = None, game: str = "",
    kind: str = "guest",
) -> OutboxRow:  # fmt: skip
    """Queue a mail to somebody without a seat; ``game``: the game that it tells about, if it shows something of it."""
    headers = {"Auto-Submitted": "auto-generated" if answers is None else "auto-replied", "X-Railpost": kind}
    answered = answers.id if answers is not None else None
    return _add(sitting, rendered, _Envelope(kind, recipient, reply_to, headers, game or None, answers=answered))


def queue_operator(sitting: Sitting, problem: str, *, kind: str = "", at_once: bool = False) -> None:
    """Tell the operator about a problem: by mail if there is an address for that, and through the command if there is
    one; the text waits in a row until the command is run. The first problem of a ``kind`` is told at once; those that
    follow within ``alarm_again_hours`` are told together, unless ``at_once`` is set. Without a ``kind``, problems that
    differ only in numbers are of one kind. The text of an error may quote a mail, so secrets are taken out of it."""
    problem = redact(problem)
    if at_once or gathering.is_first(sitting, problem, kind):
        _to_operator(sitting, problem)


def tell_gathered(desk: Desk) -> int:
    """Tell the operator the problems that were gathered for long enough. Returns the number of texts."""
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
    pictures = rendered.pictures if html else ()
    if not sitting.settings.pictures:
        html, pictures = without(html, *(picture.id for picture in pictures)), ()
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
        pictures=[picture.stored() for picture in pictures],
        size=len(text.encode("utf-8", "replace")) + len(html.encode("utf-8", "replace")),
        headers=envelope.headers,
        calendar=envelope.calendar,
        answers=envelope.answers,
        state="kept" if envelope.kept else "queued",
        error=envelope.kept,
        priority=_PRIORITY.get(envelope.kind, 1),
        created_at=now,
        next_attempt=now,
    )
    sitting.session.add(mail)
    sitting.session.info.setdefault(_NEW, []).append(mail)
    return mail


def _fitting(rendered: Rendered, most: int) -> tuple[str, str]:
    """Text and HTML of at most ``most`` bytes together. The text alone is always enough to play, so the HTML is dropped
    first."""
    text, html = rendered.text, rendered.html
    size = len(text.encode("utf-8", "replace"))
    if size > most:
        return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").rpartition("\n")[0] + "\n[...]\n", ""
    return text, html if size + len(html.encode("utf-8", "replace")) <= most else ""
