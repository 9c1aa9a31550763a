"""The mails sent after a game has moved: the new questions, the news, the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import col, or_, select

from engine.core.events import RoundBegan
from engine.core.ids import PlayerId
from moderator.adapters.tables import DeadlineRow, GameRow, SeatRow
from moderator.domain import wall
from moderator.domain.asks import question
from moderator.domain.fork import Move
from moderator.domain.transcript import Notes, Transcript
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.post.outbox import queue, silence_of
from moderator.service.table.seats import info_for


def note_questions(sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow], renewed: set[str]) -> None:
    """Write down the question of each seat, and the decision from which it is asked: earlier mails to the seat are
    stale then."""
    for seat in seats:
        asked = question(live.game, seat.player)
        if seat.player in renewed or bool(asked) != bool(seat.question):
            seat.since = row.at
            new_deadline(sitting, row, seat, asked)
        seat.question = asked


def tell(
    sitting: Sitting,
    row: GameRow,
    live: Live,
    seats: list[SeatRow],
    renewed: set[str],
    moves: Iterable[Move],
    ahead: Mapping[str, Notes],
) -> None:
    """Turn mails to those who are asked something new, news to those who want them, the end to all. What became of
    orders that were given ``ahead``, by player, stands in that mail, or comes in one of its own."""
    moves = tuple(moves)
    round_began = any(isinstance(event, RoundBegan) for move in moves for event in move.events)
    for seat in seats:
        notes = ahead.get(seat.player, ())
        if live.game.finished:
            over_mail(sitting, row, live, seats, seat, notes)
        elif seat.player in renewed:
            turn_mail(sitting, row, live, seats, seat, ahead=notes)
        elif moves and (seat.notify == "all" or (seat.notify == "round" and round_began)):
            news_mail(sitting, row, live, seats, seat, notes)
        elif notes:
            held_mail(sitting, row, live, seats, seat, notes)


def held_mail(sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow], seat: SeatRow, notes: Notes) -> None:
    """Write to the seat about the orders that it had given ahead, with their results."""
    outcome = "used" if all(key == "held.used" for key, _ in notes) else "lapsed"
    info = info_for(sitting, row, live, seats, seat)
    transcript = Transcript(row.id, seat.player, (), (), 0, outcome, notes, row.at)
    queue(sitting, "transcript", sitting.words.held_mail(live.game, info, transcript), row, seat, info)


def turn_mail(
    sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow], seat: SeatRow, kind: str = "turn",
    ahead: Notes = (),
) -> None:  # fmt: skip
    """Write to the seat what it is asked, with all it needs to answer. No mail goes to a seat that cannot be reached or
    wants no mail: it is told everything when it is back. None goes out in a game that waits: the seat is asked when the
    game goes on."""
    if silence_of(seat) or row.waits:
        return
    info = replace(info_for(sitting, row, live, seats, seat), ahead=ahead)
    rendered = sitting.words.turn_mail(live.game, info, PlayerId(seat.player), seat.told)
    queue(sitting, kind, rendered, row, seat, info)
    _told(sitting.desk, row, seat)


def news_mail(
    sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow], seat: SeatRow, ahead: Notes = ()
) -> None:
    if silence_of(seat):
        return
    info = replace(info_for(sitting, row, live, seats, seat), ahead=ahead)
    rendered = sitting.words.news_mail(live.game, info, PlayerId(seat.player), seat.told)
    queue(sitting, "news", rendered, row, seat, info)
    _told(sitting.desk, row, seat)


def over_mail(
    sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow], seat: SeatRow, ahead: Notes = ()
) -> None:
    if silence_of(seat):
        return
    info = replace(info_for(sitting, row, live, seats, seat), ahead=ahead)
    rendered = sitting.words.game_over_mail(live.game, info, PlayerId(seat.player), since=seat.told)
    queue(sitting, "over", rendered, row, seat, info)
    _told(sitting.desk, row, seat)


def welcome(sitting: Sitting, row: GameRow, live: Live, seats: list[SeatRow]) -> None:
    """The first mail to everyone, with the commitment of all lots; a turn mail to those who are asked something."""
    for seat in seats:
        info = info_for(sitting, row, live, seats, seat)
        rendered = sitting.words.welcome_mail(live.game, info, PlayerId(seat.player))
        queue(sitting, "welcome", rendered, row, seat, info)
        _told(sitting.desk, row, seat)
        if seat.question:
            turn_mail(sitting, row, live, seats, seat)


def daily_news(desk: Desk) -> int:
    """A digest to each seat that wants one a day and has not been told everything; how many were written."""
    before = desk.clock.now() - timedelta(days=1)
    behind = (
        select(SeatRow.id, SeatRow.game)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(
            SeatRow.notify == "daily",
            SeatRow.question == "",
            GameRow.status == "running",
            SeatRow.told < GameRow.orders,
            or_(col(SeatRow.told_at).is_(None), col(SeatRow.told_at) <= before),
        )
        .order_by(col(SeatRow.id))
    )
    with desk.database.reading() as session:
        wanted = session.exec(behind).all()
    written = 0
    for number, game in wanted:
        with desk.sitting() as sitting:
            row = lock_game(sitting.session, game)
            if sitting.session.exec(behind.where(SeatRow.id == number)).first() is None:
                continue  # it has been told meanwhile
            seats = list(sitting.session.exec(select(SeatRow).where(SeatRow.game == row.id)).all())
            seat = next(seat for seat in seats if seat.id == number)
            news_mail(sitting, row, desk.games.get(sitting.session, row), seats, seat)
            written += 1
    return written


def _told(desk: Desk, row: GameRow, seat: SeatRow) -> None:
    seat.told, seat.told_at = row.orders, desk.clock.now()


def new_deadline(sitting: Sitting, row: GameRow, seat: SeatRow, asked: str) -> None:
    """Stop the clock of the old question, and start that of the new one."""
    if row.deadline_hours is None:
        return
    before = select(DeadlineRow).where(
        DeadlineRow.game == row.id, DeadlineRow.player == seat.player, DeadlineRow.state != "met"
    )
    for old in sitting.session.exec(before).all():
        old.state = "met"
    if asked:
        due, shown = due_after(row, sitting.now())
        sitting.session.add(DeadlineRow(game=row.id, player=seat.player, at=row.at, due_at=due, wall=shown))


def due_after(row: GameRow, begin: datetime) -> tuple[datetime, str]:
    """The moment when an answer to a question asked at ``begin`` is due, and the wall time then if the deadlines of the
    game end at a time of day: the first such time that leaves all the hours."""
    assert row.deadline_hours is not None
    due = begin + timedelta(hours=row.deadline_hours)
    if not row.deadline_time:
        return due, ""
    time = wall.WallTime.parse(row.deadline_time)
    shown = time.next_after(due)
    return wall.instant(shown, time.zone), wall.write(shown, time.zone)
