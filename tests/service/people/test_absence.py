"""A player who is away: his clock stands still, the table knows, and nothing that he gave ahead is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import AbsenceRow, DeadlineRow
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters import master
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service
from tests.service.play.test_told_times import latest, plain

pytestmark = pytest.mark.usefixtures("each_database")
HOURS = 72


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def due(service: Service, player: str) -> DeadlineRow:
    with service.desk.database.reading() as session:
        wanted = select(DeadlineRow).where(DeadlineRow.player == player, DeadlineRow.state != "met")
        return session.exec(wanted).one()


def absences(service: Service) -> list[tuple[str, str, bool]]:
    with service.desk.database.reading() as session:
        return [(row.first, row.last, row.ended_at is not None) for row in session.exec(select(AbsenceRow)).all()]


def told(service: Service, player: str, kind: str = "transcript") -> str:
    return " ".join(plain(latest(service, player, kind)).split())


def pass_days(service: Service, days: int) -> None:
    for _ in range(days * 4):
        service.clock.pass_by(hours=6)
        sweep_deadlines(service.desk)
        service.run()


def test_the_clock_stands_still_and_the_table_is_told(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    before = due(service, "Ann").due_at
    service.say("Ann", "away 2026-03-02 to 2026-03-11")
    service.run()
    assert due(service, "Ann").due_at == before + timedelta(days=10)
    assert "You are away: Mon 2 Mar 2026 to Wed 11 Mar 2026 (days in UTC)" in told(service, "Ann")
    assert "20 days left in 2026" in told(service, "Ann")
    for other in ("Bob", "Cat"):
        letter = latest(service, other, "notice")
        assert letter.subject == "[1861-1] Ann will be away"
        assert "Ann is away: Mon 2 Mar 2026 to Wed 11 Mar 2026. Ann's clock stands still." in plain(letter)
    pass_days(service, 11)
    assert due(service, "Ann").state == "open"
    pass_days(service, 3)
    assert due(service, "Ann").state == "overdue"


def test_back_ends_an_absence_and_the_rest_of_the_time_runs(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "away 2026-03-02 to 2026-03-21")
    pass_days(service, 5)  # half a day of the time is gone
    service.say("Ann", "back")
    service.run()
    assert due(service, "Ann").due_at == service.clock.now() + timedelta(hours=HOURS - 12)
    assert "Welcome back" in told(service, "Ann")
    assert latest(service, "Bob", "notice").subject == "[1861-1] Ann is back"
    service.say("Ann", "away 2026-04-01 to 2026-04-24")  # five days were used, not twenty
    assert "You are away" in told(service, "Ann")
    service.say("Ann", "back")
    assert "You will not be away" in told(service, "Ann")
    assert [ended for _, _, ended in absences(service)] == [True, True]


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (
            "away 2026-02-20 to 2026-03-05",
            "today is 2026-03-01. Write `away 2026-03-01 to 2026-03-05`",
        ),
        ("away 2026-02-20", "begins in the past: today is 2026-03-01. Nothing"),
        ("away 2026-03-10 to 2026-03-05", "names no days. Write the first and the last day, as in `away 2026-03-01 to"),
        (
            "away 2026-03-10 to 2026-04-20",
            "you have 30 days left in 2026. `away 2026-03-10 to 2026-04-08`",
        ),
        ("away 2028-03-10", "begins too far ahead"),
        ("back", "You have not said that you are away, so nothing was changed."),
        ("away", "You may be away on 30 days in 2026"),
    ],
)
def test_what_cannot_be_is_answered_with_what_could(service: Service, word: str, answer: str) -> None:
    service.ready_game(deadline_hours=HOURS)
    before = due(service, "Ann").due_at
    service.say("Ann", word)
    assert answer in told(service, "Ann")
    assert absences(service) == [] and due(service, "Ann").due_at == before


def test_two_absences_may_not_lie_over_each_other_nor_be_too_long_together(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "away 2026-03-10 to 2026-03-29")
    service.say("Ann", "away 2026-03-29 to 2026-04-02")
    assert "lies over another absence of yours, 2026-03-10 to 2026-03-29" in told(service, "Ann")
    service.say("Ann", "away 2026-04-01 to 2026-04-20")
    assert "you have 10 days left in 2026. `away 2026-04-01 to 2026-04-10` would fit" in told(service, "Ann")
    assert len(absences(service)) == 1


def test_check_only_tries_an_absence(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "check\naway 2026-03-10 to 2026-03-12")
    assert "You would be away" in told(service, "Ann") and absences(service) == []


def test_standing_bids_count_while_their_player_is_away(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "open TSR 20\nlimit 60")
    service.say("Ann", "away 2026-03-01 to 2026-03-20")
    service.say("Bob", "bid 25")
    service.say("Cat", "drop")
    assert service.log(game)[-1] == "Ann: bid 30"


def test_a_warning_waits_for_a_player_who_is_away_and_others_see_that_he_is(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Bob", "notify all")
    pass_days(service, 2)
    service.say("Ann", "away 2026-03-03 to 2026-03-08")
    count = len(service.letters("Ann"))
    pass_days(service, 4)
    assert len(service.letters("Ann")) == count
    service.say("Bob", "show clock")
    assert "Ann: 1 day 12 hours used in 0 answers; away until Sun 8 Mar 2026" in told(service, "Bob")


def test_somebody_who_takes_the_seat_over_is_not_away(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "away 2026-03-02 to 2026-03-21")
    with service.desk.sitting() as sitting:
        seat = next(seat for seat in lock_table(sitting, game).seats if seat.player == "Ann")
        hand_over(sitting, seat, "Dan", "dan@example.net")
    assert absences(service) == []
    assert due(service, "Ann").due_at == service.clock.now() + timedelta(hours=HOURS)


def test_the_masters_calendar_moves_open_deadlines_too(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    before = due(service, "Ann").due_at
    master.set_terms(service.desk, game, [("holidays", "2026-03-02 to 2026-03-06")], "Carnival")
    service.run()
    assert due(service, "Ann").due_at == before + timedelta(days=5)
    notice = told(service, "Bob", "notice")
    assert "The terms of the clocks have changed. The reason: Carnival." in notice
    assert "These days do not count (days in UTC): Mon 2 Mar 2026 to Fri 6 Mar 2026." in notice


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("away", "shown"), ("alias", "shown"), ("away\nback", "notified"), ("away\npress Bob: hello", "press"),
        ("away 2026-03-02 to 2026-03-11\naway", "notified"), ("check\naway", "shown"),
    ],
)  # fmt: skip
def test_a_list_is_shown_and_changes_nothing(service: Service, text: str, outcome: str) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Ann", text)
    assert service.outcomes()[-1] == outcome
