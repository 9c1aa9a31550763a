"""A player who is silent: who is told what, before his time ends and for as long as he is late."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import DeadlineRow
from moderator.service.operation.health import Finding, findings
from moderator.service.people.silence import remind_silent
from moderator.service.people.zone import set_zone
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.masters.master import name_master
from moderator.service.play.new_games import Person
from moderator.service.table.digests import daily_news
from moderator.service.table.notices import news_mail
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service
from tests.service.people.test_reach import operator
from tests.service.play.test_told_times import latest, plain

pytestmark = pytest.mark.usefixtures("each_database")
HOURS = 72


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def kinds(service: Service, player: str) -> list[str]:
    return [letter.kind for letter in service.letters(player) if letter.kind not in ("welcome", "transcript")]


def pass_hours(service: Service, hours: int) -> None:
    """Let time pass as the scheduler sees it: a sweep every hour."""
    for _ in range(hours):
        service.clock.pass_by(hours=1)
        sweep_deadlines(service.desk)
        remind_silent(service.desk)
        daily_news(service.desk)
        service.run()


def test_a_reminder_comes_before_the_time_ends(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    pass_hours(service, 53)
    assert kinds(service, "Ann") == ["turn"]
    pass_hours(service, 2)
    assert kinds(service, "Ann") == ["turn", "reminder"]
    told = plain(latest(service, "Ann", "reminder"))
    assert "it is still your turn" in told and "Please answer by" in told and "late" not in told


def test_everybody_is_told_once_who_is_late_each_in_his_own_time(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    with service.desk.sitting() as sitting:
        seat = next(seat for seat in lock_table(sitting, game).seats if seat.player == "Cat")
        set_zone(sitting, seat, "Asia/Tokyo")
    pass_hours(service, HOURS + 24)
    assert kinds(service, "Bob") == kinds(service, "Cat") == ["notice"]
    for player, zone in (("Bob", "UTC"), ("Cat", "Asia/Tokyo")):
        letter = latest(service, player, "notice")
        assert letter.subject == f"[{game}] Ann is late" and f"{zone}" in plain(letter)
        assert "Ann's answer was due by" in plain(letter)
    assert kinds(service, "Ann") == ["turn", "reminder", "reminder"]
    assert "your answer is late" in plain(latest(service, "Ann", "reminder"))


def test_a_late_player_and_the_master_are_told_again_until_he_answers(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pass_hours(service, HOURS + 49)
    assert kinds(service, "Ann").count("reminder") == 3
    assert sum("the answer of Ann was due on" in text for text in operator(service)) == 2
    assert "late for 2 days" in operator(service)[-1]
    service.say("Ann", "open TSR 20")
    before, told = kinds(service, "Ann").count("reminder"), operator(service)
    pass_hours(service, 50)
    assert kinds(service, "Ann").count("reminder") == before
    assert not [text for text in operator(service)[len(told) :] if game in text and "Ann" in text]


def late(service: Service) -> Finding:
    return next(one for one in findings(service.desk, "test") if one.key == "late")


def test_health_looks_at_late_answers(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    assert late(service).state == "green"
    pass_hours(service, HOURS + 1)
    assert late(service).state == "look" and late(service).facts["count"] == 1
    assert late(service).facts["named"][0]["game"] == game and late(service).facts["named"][0]["player"] == "Ann"
    service.say("Ann", "open TSR 20")
    assert late(service).state == "green"


def test_news_say_who_is_late(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pass_hours(service, HOURS + 1)
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        news_mail(table, next(seat for seat in table.seats if seat.player == "Cat"))
    service.run()
    assert "Ann is late: the answer was due by" in plain(latest(service, "Cat", "news"))


def test_a_silent_player_is_not_reminded_twice_within_hours(service: Service) -> None:
    """He is late already when he has been silent for long enough to be asked whether our mail reaches him."""
    service.ready_game(deadline_hours=HOURS)
    pass_hours(service, service.desk.settings.silent_hours + 2)
    assert kinds(service, "Ann") == ["turn", "reminder", "reminder"]
    assert any("has not been heard from" in text for text in operator(service))


def test_a_daily_reader_hears_each_day_whom_a_stuck_game_waits_for(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Cat", "notify daily")
    pass_hours(service, HOURS + 24 * 4)
    assert kinds(service, "Bob") == ["notice"]
    assert kinds(service, "Cat") == ["notice", *["news"] * 4]
    assert "Ann is late: the answer was due by" in plain(latest(service, "Cat", "news"))


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ([], ["The game waits for it", "The others wait. An answer still counts. You decide what follows"]),
        (
            [("late", "default"), ("grace", "12")],
            ["If none has come by", "as agreed, the default of the decision is taken for Ann"],
        ),
        ([("late", "default")], ["As agreed, the default of the decision is taken for Ann."]),
        ([("late", "robot")], ["Ann has not answered in time. As agreed, a robot moves for that seat"]),
        ([("late", "open")], ["Ann has not answered in time. As agreed, the seat is o"]),
    ],
)
def test_one_mail_says_who_is_late_and_what_follows(
    service: Service, clock: list[tuple[str, str]], said: list[str]
) -> None:
    """Also to the game master whom the game names, who is told nothing else of the service's own accord."""
    game = service.ready_game(deadline_hours=HOURS, clock=clock)
    name_master(service.desk, game, Person("Max", "max@masters.example"))
    service.run()
    before = len(service.letters("Bob"))
    pass_hours(service, HOURS)
    told = [plain(letter) for letter in service.letters("Bob")[before:] if letter.kind == "notice"]
    assert len(told) == 1 and said[0] in told[0]
    (_, to_master) = [plain(letter) for letter in service.mailbox("max@masters.example")]
    assert said[-1] in to_master
    again = "will be told again" in told[0]
    assert again == (not clock)
    pass_hours(service, 50)
    assert len(service.mailbox("max@masters.example")) >= 3 or (clock and clock[0][1] in ("robot", "default"))


def test_who_is_moved_for_gets_a_digest_a_day_and_is_asked_when_he_is_back(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS, clock=[("late", "robot")])
    pass_hours(service, HOURS)
    before = len(service.letters("Ann"))
    for _ in range(4):
        for player in ("Bob", "Cat"):
            service.say(player, "pass")
        pass_hours(service, 12)
    found = [letter.kind for letter in service.letters("Ann")[before:]]
    assert found and set(found) == {"news"} and len(found) <= 2
    assert "A robot moves for you. Any mail of yours to the game gives you the seat back." in plain(
        latest(service, "Ann", "news")
    )


@pytest.mark.parametrize("by", ["mail", "master"])
def test_who_is_back_before_the_robot_has_moved_is_asked(service: Service, by: str) -> None:
    game = service.ready_game()
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        set_caretaker(table, table.seats[1], "robot")
    service.run()
    service.say("Ann", "open TSR 20")
    assert service.seat(game, "Bob").question and "turn" not in kinds(service, "Bob")
    if by == "mail":
        service.say("Bob", "show clock")
    else:
        with service.desk.sitting() as sitting:
            table = lock_table(sitting, game)
            set_caretaker(table, table.seats[1], "")
        service.run()
    assert kinds(service, "Bob").count("turn") == 1
    assert not service.seat(game, "Bob").caretaker


@pytest.mark.parametrize("late", [False, True])
def test_answers_that_a_program_without_reminders_asked_for_are_reminded_of_too(service: Service, late: bool) -> None:
    """It left no moment for the next reminder, and told only the player that his answer is late."""
    service.ready_game(deadline_hours=HOURS)
    service.clock.pass_by(hours=HOURS + 1 if late else 10)
    with service.desk.database.transaction() as session:
        row = session.exec(select(DeadlineRow)).one()
        row.asked_at = row.remind_at = None
        row.state = "overdue" if late else "open"
    pass_hours(service, 1 if late else HOURS - 11)
    assert kinds(service, "Ann") == ["turn", "reminder"]
    assert kinds(service, "Bob") == (["notice"] if late else [])
    assert any("the answer of Ann was due on" in text for text in operator(service)) == late
    pass_hours(service, 50)
    assert kinds(service, "Ann").count("reminder") == (2 if late else 3)
