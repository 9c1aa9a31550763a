"""Seats that have a question and give no sign of life. Their mail may lie among spam, and no server reports that.

After ``silent_hours`` the seat gets a reminder, and the operator is told. The next step is the operator's, by other
means than mail. He can ask at any time for the list of silent seats, with all that is known about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import text
from sqlmodel import Session, col, or_, select

from moderator.adapters.tables import ASKED, GameRow, KeptRow, SeatRow
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game
from moderator.service.post.outbox import queue_operator, silence_of
from moderator.service.service_facts import all_kept
from moderator.service.table.notices import turn_mail
from moderator.service.table.seats import is_late
from moderator.service.table.stuck import Apart
from moderator.service.table.table import lock_table

_KEY: Final = "silent "


@dataclass(frozen=True, slots=True)
class Silent:
    """A seat with a question that has been silent. It was asked at ``asked_at``. ``state`` is ``asked``,
    ``away`` (an automatic reply said so), ``unreachable`` or ``stopped``; ``reminded`` is True once the first step has
    been taken for this question."""

    game: str
    player: str
    address: str
    question: str
    asked_at: datetime
    heard_at: datetime | None
    state: str
    reminded: bool


def silent_seats(desk: Desk, hours: int) -> list[Silent]:
    """Seats that were asked at least ``hours`` ago and have given no sign of life for as long; the longest first."""
    with desk.looking() as sitting:
        seats, known = _silent(sitting, hours), _reminded(sitting.session)
        return [_told(seat, known) for seat in seats]


def remind_silent(desk: Desk) -> int:
    """Take the first step, once for each question: remind the silent seats and tell the operator. Returns the number of
    reminders."""
    reminded = 0
    with desk.looking() as sitting:
        silent = _silent(sitting, desk.settings.silent_hours)
        known = _reminded(sitting.session) if silent else {}
        found = [(seat.id, seat.game) for seat in silent if known.get(_key(seat)) != seat.since]
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            seat = sitting.session.get(SeatRow, number)
            if seat is not None:
                lock_game(sitting.session, seat.game)
            if seat is not None and not _known(sitting.session, seat):
                reminded += _remind(sitting, seat)
    return reminded


def _remind(sitting: Sitting, seat: SeatRow) -> bool:
    kept = KeptRow(key=_key(seat), value={"since": seat.since}, changed_at=sitting.now())
    sitting.session.merge(kept)
    if silence_of(seat) or seat.told_at is None:
        return False  # the operator has been told already, and nothing is sent
    hours = int((sitting.now() - seat.told_at).total_seconds() // 3600)
    facts: Facts = {"game": seat.game, "player": seat.player, "hours": hours, "away": seat.away_at is not None}
    queue_operator(sitting, sitting.words.operator_words("silent", facts))
    if not is_late(sitting.session, seat):  # he has been reminded when his answer became late
        turn_mail(lock_table(sitting, seat.game), seat, "reminder")
    return True


def _silent(sitting: Sitting, hours: int) -> Sequence[SeatRow]:
    before = sitting.now() - timedelta(hours=hours)
    wanted = (
        select(SeatRow)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(
            GameRow.status == "running",
            text(ASKED),
            col(SeatRow.told_at) <= before,
            or_(col(SeatRow.heard_at).is_(None), col(SeatRow.heard_at) <= before),
        )
        .order_by(col(SeatRow.told_at), col(SeatRow.id))
    )
    return sitting.session.exec(wanted).all()


def _told(seat: SeatRow, known: dict[str, int]) -> Silent:
    assert seat.told_at is not None
    state = silence_of(seat) or ("away" if seat.away_at is not None else "asked")
    return Silent(
        seat.game, seat.player, seat.address, seat.question, seat.told_at, seat.heard_at, state,
        known.get(_key(seat)) == seat.since,
    )  # fmt: skip


def _reminded(session: Session) -> dict[str, int]:
    """The decisions about which silent seats were reminded, by the keys of the seats."""
    return {_KEY + seat: int(row.value["since"]) for seat, row in all_kept(session, _KEY).items()}


def _known(session: Session, seat: SeatRow) -> bool:
    kept = session.get(KeptRow, _key(seat))
    return kept is not None and kept.value.get("since") == seat.since


def _key(seat: SeatRow) -> str:
    return f"{_KEY}{seat.id}"
