"""Tables over years: clocks in many zones, absences, pauses, robots, hand-overs, outages and restarts, in random order.

No deadline is lost, doubled, early or on a day that does not count; nothing that a player gave is lost; and the log
replays to what the players were told. ``PROOF_DAYS`` in the environment is the number of days.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import col, select

from engine.robots import sensible
from grammar import write_block
from moderator.adapters.tables import AbsenceRow, DeadlineRow, EntryRow, GameRow, OutboxRow, SeatRow
from moderator.domain.clocks.timetable import Days
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import orders_of_turn
from moderator.service.decision.resumption import keep_calendar, resume
from moderator.service.operation import outages
from moderator.service.operation.verification import replay_all
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.masters import master, pauses
from moderator.service.table.clocks import timetable_of
from moderator.service.table.digests import daily_news
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service, mail

pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("each_database")]
ZONES = (
    "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/St_Johns", "Pacific/Auckland",
    "Africa/Cairo",
)  # fmt: skip
TERMS = (
    [("rest", "Sat,Sun")],
    [("time", "20:00 America/New_York"), ("rest", "Sun")],
    [("between", "08:00-22:00"), ("warnings", "48,12,3")],
    [("bank", "400"), ("increment", "20")],
    [("late", "robot"), ("grace", "30"), ("rest", "Fri")],
    [("late", "open"), ("auction", "24"), ("answer", "30")],
    [("late", "default"), ("holidays", "2026-12-20 to 2027-01-05")],
)
PLAYERS = ("Ann", "Bob", "Cat")
STEP = timedelta(hours=3)
DAYS = int(os.environ.get("PROOF_DAYS", "730"))


def say(service: Service, game: str, player: str, text: str) -> None:
    """The person who plays ``player`` answers his newest mail."""
    with service.desk.database.reading() as session:
        seat = session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
        newest = select(OutboxRow.reply_to).where(OutboxRow.recipient == seat.address, OutboxRow.game == game)
        to = session.exec(newest.order_by(col(OutboxRow.id).desc())).first()
    if to is not None:
        service.send(mail(text, sender=seat.address, to=to), to)
        service.run()


def answer(service: Service, game: str, player: str, players: Sequence[str] = PLAYERS) -> None:
    """``player`` answers all that he is asked, as a sensible robot would."""
    live = service.position(game)
    given = orders_of_turn(live, player, sensible)
    if given:
        say(service, game, player, write_block(given, vocabulary(live.title, players)))


def off(row: DeadlineRow, game: GameRow, absences: list[AbsenceRow], seat: SeatRow) -> bool:
    """True if the deadline lies on a day that does not count, by the words of the game's terms alone."""
    terms = timetable_of(game)
    day = row.due_at.astimezone(ZoneInfo(terms.here)).date()
    if day.weekday() in terms.rest or any(days.first <= day <= days.last for days in terms.holidays):
        return True
    for one in absences:
        there = row.due_at.astimezone(ZoneInfo(one.zone)).date().isoformat()
        if one.seat == seat.id and one.ended_at is None and one.first <= there <= one.last:
            return True
    return False


class Table:
    """One game of a service over a long time, and what must hold at every step."""

    def __init__(self, service: Service, game: str, chance: random.Random) -> None:
        self.service, self.game, self.chance = service, game, chance
        self.moved: dict[int, datetime] = {}
        """Deadline -> its moment when it was last looked at."""
        self.seen: Counter[str] = Counter()

    def look(self) -> None:
        now = self.service.clock.now()
        with self.service.desk.database.reading() as session:
            game = session.get_one(GameRow, self.game)
            seats = session.exec(select(SeatRow).where(SeatRow.game == self.game)).all()
            rows = session.exec(select(DeadlineRow).where(DeadlineRow.game == self.game)).all()
            absences = list(session.exec(select(AbsenceRow)).all())
        if game.over:
            return
        for seat in seats:
            own = [row for row in rows if row.player == seat.player and row.state != "met"]
            asked = bool(seat.question)
            assert len(own) == (1 if asked else 0), (self.game, seat.player, seat.question, own)
            for row in own:
                if row.state == "overdue":
                    assert row.due_at <= now, "it became late before its time"
                elif not game.waits:
                    assert row.due_at > now, f"nobody noticed that it is past: {row}"
                    assert not off(row, game, absences, seat), f"on a day that does not count: {row}"
                self.seen[row.state] += 1

    def act(self) -> None:
        """Do something that happens at a table, or nothing."""
        desk, name, chance = self.service.desk, self.game, self.chance
        player = chance.choice(PLAYERS)
        day = self.service.clock.now().date()
        what = chance.choices(
            ("answer", "away", "back", "pause", "announce", "resume", "terms", "robot", "give", "show"),
            (60, 2, 2, 1, 1, 4, 2, 1, 0.5, 2),
        )[0]
        self.seen[what] += 1
        try:
            match what:
                case "answer":
                    answer(self.service, name, player)
                case "away":
                    first = day + timedelta(days=chance.randrange(0, 20))
                    last = first + timedelta(days=chance.randrange(0, 12))
                    say(self.service, name, player, f"away {first} to {last}")
                case "back" | "show":
                    say(self.service, name, player, "back" if what == "back" else "show clock")
                case "pause":
                    until = datetime.combine(day + timedelta(days=chance.randrange(1, 9)), datetime.min.time())
                    pauses.pause(desk, name, "a pause", until=(until, "UTC") if chance.random() < 0.7 else None)
                case "announce":
                    begin = datetime.combine(day + timedelta(days=2), datetime.min.time())
                    pauses.pause(desk, name, "soon", begin=(begin, "UTC"), until=(begin + timedelta(days=4), "UTC"))
                case "resume":
                    resume(desk, name)
                case "terms":
                    days = Days(first=day + timedelta(days=3), last=day + timedelta(days=chance.randrange(3, 9)))
                    wishes = [("holidays", f"+{days}"), ("holidays", "none"), ("rest", "Sun,Wed"), ("rest", "none")]
                    wish = chance.choice(wishes)
                    master.set_terms(desk, name, [wish])
                case "robot":
                    with desk.sitting() as sitting:
                        table = lock_table(sitting, name)
                        if not table.row.over:
                            set_caretaker(table, table.seats[PLAYERS.index(player)], "robot")
                case "give":
                    with desk.sitting() as sitting:
                        table = lock_table(sitting, name)
                        seat = table.seats[PLAYERS.index(player)]
                        hand_over(sitting, seat, f"{player} {day}", seat.address.replace("@", f"{day:%j}@"))
        except ValueError as refused:  # what cannot be done now says so, and changes nothing
            self.seen[f"refused: {str(refused).partition(':')[0][:30]}"] += 1
        self.service.run()


def pass_time(service: Service, span: timedelta) -> None:
    service.clock.moment += span
    keep_calendar(service.desk)
    outages.follow_zones(service.desk)
    outages.settle(service.desk)
    sweep_deadlines(service.desk)
    daily_news(service.desk)
    service.run()


@pytest.mark.parametrize("seed", range(len(ZONES)))
def test_two_years_of_a_table(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Each table has its zone and its terms, and lives through changes of the clocks, outages and restarts."""
    chance = random.Random(seed)
    service = Service.open(tmp_path / "var")
    zone, terms = ZONES[seed], TERMS[seed % len(TERMS)]
    begun = service.clock.now()
    count, games = 0, 0
    seen: Counter[str] = Counter()
    while service.clock.now() - begun < timedelta(days=DAYS):
        game = service.game(deadline_hours=72, clock=[("zone", zone), *terms])
        games += 1
        table = Table(service, game, chance)
        while service.clock.now() - begun < timedelta(days=DAYS):
            pass_time(service, STEP * chance.randrange(1, 5))
            if chance.random() < 0.01:  # an outage of hours or days, over deadlines
                since = service.clock.now()
                service.clock.moment += timedelta(hours=chance.randrange(3, 60))
                with service.desk.sitting() as sitting:
                    outages.note(sitting, since, sitting.now())
                pass_time(service, timedelta())
            if chance.random() < 0.005:
                service = service.again()
                table.service = service
            table.look()
            if chance.random() < 0.25:
                table.act()
                pass_time(service, timedelta())
                table.look()
            count += 1
            with service.desk.database.reading() as session:
                if session.get_one(GameRow, game).over:
                    break
        seen += table.seen
    for replayed in replay_all(service.desk.database, service.desk.games):
        assert not replayed.fault, replayed
    with capsys.disabled():
        print(f"\n{zone}, {terms}: {games} games, {count} steps, {dict(seen)}")  # noqa: T201
    with service.desk.database.reading() as session:
        seen.update(session.exec(select(EntryRow.origin).where(EntryRow.kind == "order")).all())
    assert seen["open"] and seen["mail"]
    assert seen["overdue"] or seen["default"] or DAYS < 730  # without a grace the default comes at once
