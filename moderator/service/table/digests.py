"""Daily news: a mail about a game or, to a person with several games, one digest of all of them.

A mail has one Reply-To, and a secret address names one seat and one question. So the address of a digest is that of the
service, which plays for no seat, and each game in it has its own address, in the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import exists, text, union_all
from sqlmodel import Session, col, func, or_, select

from engine.core.ids import PlayerId
from moderator.adapters.tables import DAILY, DeadlineRow, GameRow, PersonRow, SeatRow
from moderator.domain.ports import Section
from moderator.domain.senders import same_address
from moderator.service.clock_rows import person_at, persons_seen
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game, lock_games
from moderator.service.post.outbox import queue_digest, silence_of
from moderator.service.table.clocks import open_deadlines
from moderator.service.table.notices import news_mail
from moderator.service.table.persons import seats_at
from moderator.service.table.seats import info_for
from moderator.service.table.stuck import Apart
from moderator.service.table.table import open_table, seats_of

_EVERY: Final = timedelta(days=1)

_REACHED: Final = (
    GameRow.status == "running", col(SeatRow.unreachable_at).is_(None), col(SeatRow.stopped_at).is_(None),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a digest about one seat. ``at``: the decision, and ``orders``: the number of orders that it knows."""

    seat: int
    game: str
    section: Section
    at: int
    orders: int
    rules: int | None


def daily_news(desk: Desk) -> int:
    """Write the news to each person who wants them once a day, has not been told everything, and was told nothing for a
    day. Who wants them in several games gets one digest. Returns the number of mails."""
    before = desk.clock.now() - _EVERY
    with desk.database.reading() as session:
        rows = sorted(session.exec(_behind(before)).all())
        seats = _daily_seats(session, {address for *_, address, _ in rows})
    alone = [(number, game) for number, game, address, _ in rows if seats[address] == 1]
    several = {address for *_, address, last in rows if seats[address] > 1 and (last is None or last <= before)}
    written = sum(_news(desk, number, game, before) for number, game in alone)
    return written + sum(_digest(desk, address) for address in sorted(several))


def _behind(before: datetime) -> Any:
    """The query for the seats that have news to be told: seat, game, address of record, and the moment of that person's
    last digest."""
    address = func.lower(col(SeatRow.address))
    found: Any = select(SeatRow.id, SeatRow.game, address).add_columns(col(PersonRow.digest_at))
    found = (
        found.join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .outerjoin(PersonRow, col(PersonRow.address) == address)
        .where(text(DAILY), *_REACHED, or_(col(SeatRow.told) < col(GameRow.orders), _late(before)))
    )
    # two queries, because SQLite uses the index for neither of two conditions that are joined by OR
    return union_all(found.where(col(SeatRow.told_at) <= before), found.where(col(SeatRow.told_at).is_(None)))


def _daily_seats(session: Session, addresses: set[str]) -> dict[str, int]:
    """The number of seats in which each of the persons at ``addresses`` wants daily news."""
    if not addresses:
        return {}
    address = func.lower(col(SeatRow.address))
    counted = select(address, func.count()).join(GameRow, col(GameRow.id) == col(SeatRow.game))
    counted = counted.where(address.in_(addresses), or_(SeatRow.notify == "daily", SeatRow.caretaker == "robot"))
    return dict(session.exec(counted.where(*_REACHED).group_by(address)).all())


def _late(before: datetime) -> Any:
    """The condition that the game of a seat still waits for a late answer. Everybody was told at once; a day later
    comes the first digest."""
    return exists().where(
        col(DeadlineRow.game) == col(SeatRow.game), col(DeadlineRow.state) == "overdue",
        col(DeadlineRow.due_at) <= before,
    )  # fmt: skip


def _nothing_new(sitting: Sitting, row: GameRow, seat: SeatRow) -> bool:
    """True if a seat without a question has been told everything, and the game does not wait for a late answer."""
    before = sitting.now() - _EVERY
    late = any(one.state == "overdue" and one.due_at <= before for one in open_deadlines(sitting.session, row.id))
    return seat.told >= row.orders and not late


def _daily(seat: SeatRow) -> bool:
    return seat.notify == "daily" or seat.caretaker == "robot"


def _news(desk: Desk, number: int, game: str, before: datetime) -> bool:
    """Write the news of one game to one seat."""
    with Apart(desk, game), desk.sitting() as sitting:
        row = lock_game(sitting.session, game)
        seat = next(one for one in seats_of(sitting.session, game) if one.id == number)
        told = _nothing_new(sitting, row, seat) or (seat.told_at is not None and seat.told_at > before)
        if told or seat.question or not _daily(seat) or row.status != "running" or silence_of(seat):
            return False  # something has happened meanwhile
        news_mail(open_table(sitting, row), seat)
        return True
    return False


def _digest(desk: Desk, address: str) -> bool:
    """Write one digest to the person at ``address``. A game that cannot be read is left out, and told about as soon as
    it can."""
    with desk.looking() as sitting:
        games = [(seat.id, seat.game) for seat in seats_at(sitting.session, address)]
    parts = []
    for number, game in games:
        with Apart(desk, game), desk.sitting() as sitting:
            part = _part(sitting, number, game, address)
            parts += [part] if part is not None else []
    with desk.sitting() as sitting:
        return _write(sitting, address, parts)


def _part(sitting: Sitting, number: int | None, game: str, address: str) -> _Part | None:
    """The part of the digest about a seat; None if there is nothing to say, or somebody else plays it now."""
    row = lock_game(sitting.session, game)
    seat = sitting.session.get(SeatRow, number)
    if seat is None or seat.id is None or row.status != "running" or not _his(seat, address):
        return None
    if not seat.question and (not _daily(seat) or _nothing_new(sitting, row, seat)):
        return None
    table = open_table(sitting, row)
    info = info_for(table, seat)
    section = sitting.words.digest_section(table.game, info, PlayerId(seat.player), seat.told)
    return _Part(seat.id, game, section, row.at, row.orders, info.rules.version if info.rules is not None else None)


def _write(sitting: Sitting, address: str, found: Iterable[_Part]) -> bool:
    """Write the digest of these parts, and note what it tells. False if nothing is new any more, or another service has
    written it meanwhile."""
    parts = list(found)
    games, now = lock_games(sitting.session, (part.game for part in parts)), sitting.now()
    seats = {part.seat: sitting.session.get_one(SeatRow, part.seat) for part in parts}
    standing = [one for one in parts if games[one.game].at == one.at and _his(seats[one.seat], address)]
    news = [
        part
        for part in standing
        if not part.section.waits and not _nothing_new(sitting, games[part.game], seats[part.seat])
    ]
    person = person_at(sitting.session, address) or PersonRow(address=address)
    if not news or (person.digest_at is not None and person.digest_at > now - _EVERY):
        return False
    for part in news:
        seat = seats[part.seat]
        seat.told, seat.told_at = part.orders, now
        seat.rules = seat.rules if part.rules is None else part.rules
    person.digest_at = now
    sitting.session.add(person)
    persons_seen(sitting.session)[address] = person
    queue_digest(sitting, seats[news[0].seat], sitting.words.digest_mail([part.section for part in standing]))
    return True


def _his(seat: SeatRow, address: str) -> bool:
    """True if the person at ``address`` has the seat, and gets mail about it."""
    return same_address(seat.address, address) and not silence_of(seat)
