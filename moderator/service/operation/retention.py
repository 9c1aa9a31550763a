"""Deletes the bodies of mails after a time; what was decided stays.

A mail keeps its row: its sender, the moment when it came, its outcome, and a digest of the message. The data by which
it is recognised if it comes again (``ContentKey``, ``Date``) stays as well, and so does everything that games consist
of.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any, Final, get_args

from sqlalchemy import ColumnElement, exists, false
from sqlmodel import Session, SQLModel, and_, col, func, or_, select

from moderator.adapters.room import room_of, rows_in
from moderator.adapters.tables import OVER, EntryRow, GameRow, MailRow, OutboxRow, PendingRow, PressRow, SeatToken
from moderator.domain.outcome import Outcome
from moderator.service.desk import Desk
from moderator.service.people.identity import date_of
from moderator.service.post.outbox import DIGEST
from moderator.service.service_facts import recall, recall_to_change, remember

PROGRAMS: Final[tuple[Outcome, ...]] = (
    "robot", "auto_reply", "bounce", "receipt", "calendar", "report", "complaint", "challenge", "unsubscribe",
    "quarantine",
)  # fmt: skip
"""Outcomes of mail that no person wrote, even if its game is known."""
assert set(PROGRAMS) <= set(get_args(Outcome))

_LOOKED: Final = "bodies"
SUMS: Final = "bytes of mails"
"""The bytes of the mails up to some number, from the last search for old bodies. Health and metrics add those that
came after it: to add up all mails at each call took longer with each mail."""
_NOTHING: Final = {"mail": 0, "outbox": 0, "last_mail": 0, "last_outbox": 0}
_KEPT: Final = col(MailRow.emptied_at).is_(None) & col(MailRow.outcome).is_distinct_from("too_large")
_EVERY: Final = timedelta(hours=1)
"""The time between two searches for old bodies; while there are more, every sweep searches."""
_BATCH: Final = 100
"""The number of mails, and of mails of ours, that are emptied in one transaction."""
_PAGES: Final = 1_000
"""The number of pages of an SQLite file that are given back in one sweep."""
_RESERVE: Final = 10
"""One part in this many of the file may be free, because it is used again soon."""


def sweep_bodies(desk: Desk) -> int:
    """Empty a batch of old mails and press, and give room back. Returns the number emptied. Other services that do the
    same wait for it."""
    count = _empty(desk)
    with desk.database.reading() as session:
        room = room_of(session)
    if room.gives_back and room.free * _RESERVE > room.total:
        desk.database.give_back(_PAGES)
    return count


def _empty(desk: Desk) -> int:
    now = desk.clock.now()
    with desk.sitting() as sitting:
        before = recall_to_change(sitting.session, _LOOKED)
        if before is not None and not before["more"] and abs(now - datetime.fromisoformat(before["at"])) < _EVERY:
            return 0
        mails = [_emptied(row, now) for row in sitting.session.exec(_old_mails(desk, now)).all()]
        ours = sitting.session.exec(_old_outbox(desk, now)).all()
        for row in ours:
            row.text, row.html, row.pictures, row.emptied_at = "", "", [], now
        press = sitting.session.exec(_old_press(desk, now)).all()
        for letter in press:
            letter.text, letter.emptied_at = "", now
        counts = (len(mails), len(ours), len(press))
        remember(sitting, _LOOKED, {"at": now.isoformat(), "more": _BATCH in counts})
        sitting.session.flush()
        if _BATCH not in counts or recall(sitting.session, SUMS) is None:
            remember(sitting, SUMS, _all_sums(sitting.session))
    return sum(counts)


def _emptied(row: MailRow, now: datetime) -> MailRow:
    row.digest, row.dated = hashlib.sha256(row.content).hexdigest(), date_of(row.content)
    row.content, row.emptied_at = b"", now
    return row


def _old_mails(desk: Desk, now: datetime) -> Any:
    """The query for old mails. Mails on which the service failed, and those that wait for a confirmation, are kept
    however old they are."""
    days = desk.settings.stranger_mail_days
    strangers = and_(
        or_(col(MailRow.game).is_(None), col(MailRow.outcome).in_(PROGRAMS)),
        col(MailRow.decided_at) < now - timedelta(days=days),
    )
    asked = exists().where(col(PendingRow.mail) == col(MailRow.id), col(PendingRow.state) == "open")
    finished = col(MailRow.game).in_(_finished(desk, now)) if desk.settings.finished_mail_days else None
    old = [one for one in (strangers if days else None, finished) if one is not None]
    wanted = select(MailRow).where(
        col(MailRow.emptied_at).is_(None), col(MailRow.decided_at).is_not(None), col(MailRow.outcome).is_not(None),
        col(MailRow.outcome) != "error", ~asked, or_(False, *old),
    )  # fmt: skip
    return wanted.order_by(col(MailRow.id)).limit(_BATCH)


def _old_outbox(desk: Desk, now: datetime) -> Any:
    """The query for old mails of ours. Mail that may still be sent is kept."""
    days = desk.settings.stranger_mail_days
    old: list[ColumnElement[bool]] = []
    if days:
        old.append(
            and_(
                col(OutboxRow.game).is_(None), col(OutboxRow.kind).in_(("stranger", "guest", DIGEST)),
                col(OutboxRow.created_at) < now - timedelta(days=days),
            )
        )  # fmt: skip
    if desk.settings.finished_mail_days:
        old.append(col(OutboxRow.game).in_(_finished(desk, now)))
    wanted = select(OutboxRow).where(
        col(OutboxRow.emptied_at).is_(None), col(OutboxRow.state).in_(("sent", "failed")), or_(False, *old)
    )
    return wanted.order_by(col(OutboxRow.id)).limit(_BATCH)


def _old_press(desk: Desk, now: datetime) -> Any:
    """The query for old press. Press between some players is deleted when their mails are. Press for all players
    belongs to the game, and stays."""
    old = col(PressRow.game).in_(_finished(desk, now)) if desk.settings.finished_mail_days else false()
    private = func.json_array_length(PressRow.to) > 0
    wanted = select(PressRow).where(col(PressRow.emptied_at).is_(None), old, private)
    return wanted.order_by(col(PressRow.id)).limit(_BATCH)


def _finished(desk: Desk, now: datetime) -> Any:
    """The query for games that ended long ago."""
    before = now - timedelta(days=desk.settings.finished_mail_days)
    return select(GameRow.id).where(col(GameRow.status).in_(OVER), col(GameRow.finished_at) < before)


def sizes(session: Session) -> dict[str, Any]:
    """Bytes and rows, for health and metrics: of the database, of the mails that came, and of those that were sent. The
    sums are exact after each search for old bodies; until the next one they may count a mail that is gone."""
    room, known = room_of(session), recall(session, SUMS) or _NOTHING
    mail, outbox = _sums(session, known["last_mail"], known["last_outbox"])
    counted: dict[str, type[SQLModel]] = {"mail": MailRow, "outbox": OutboxRow, "entry": EntryRow, "token": SeatToken}
    rows = {name: rows_in(session, table) for name, table in counted.items()}
    return {
        "total": room.total, "free": room.free, "gives_back": room.gives_back,
        "mail": known["mail"] + mail, "outbox": known["outbox"] + outbox, "rows": rows,
    }  # fmt: skip


def _sums(session: Session, last_mail: int = 0, last_outbox: int = 0) -> tuple[int, int]:
    """The bytes of the mails that came, and of those that were sent, with higher numbers than these."""
    came = select(func.coalesce(func.sum(MailRow.size), 0)).where(_KEPT)
    sent = select(func.coalesce(func.sum(OutboxRow.size), 0)).where(col(OutboxRow.emptied_at).is_(None))
    came = came.where(col(MailRow.id) > last_mail) if last_mail else came
    sent = sent.where(col(OutboxRow.id) > last_outbox) if last_outbox else sent
    return int(session.exec(came).one()), int(session.exec(sent).one())


def _all_sums(session: Session) -> dict[str, Any]:
    """The bytes of all mails, and the highest numbers."""
    mail, outbox = _sums(session)
    lasts = {"last_mail": MailRow.id, "last_outbox": OutboxRow.id}
    return {
        "mail": mail,
        "outbox": outbox,
        **{name: session.exec(select(func.max(id))).one() or 0 for name, id in lasts.items()},
    }
