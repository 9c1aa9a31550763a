"""Seats that give no sign of life are listed, reminded once, and told to the operator."""

from __future__ import annotations

import pytest

from moderator.service.people import silence
from moderator.service.robots.unsubscribe import unsubscribe
from moderator.service.table.notices import news_mail, turn_mail
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import mail
from tests.kit.service.multitude import counted
from tests.kit.service.toy_service import Table
from tests.service.people.test_reach import kinds, operator, stop_address

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.mark.fault(96)
def test_silent_seats_are_listed_and_reminded_once(table: Table, game: str) -> None:
    assert silence.silent_seats(table.desk, 1) == []
    table.clock.pass_by(hours=97)
    found = silence.silent_seats(table.desk, 96)
    assert [(seat.game, seat.player, seat.state, seat.reminded) for seat in found] == [(game, "Ann", "asked", False)]
    assert [silence.remind_silent(table.desk) for _ in range(3)] == [1, 0, 0]
    table.run()
    assert kinds(table, "Ann")[-1] == "reminder"
    assert len(operator(table)) == 1
    assert [(seat.player, seat.reminded) for seat in silence.silent_seats(table.desk, 96)] == [("Ann", True)]
    table.say("Ann", "show position")
    assert silence.silent_seats(table.desk, 96) == []


@pytest.mark.fault(96)
def test_neither_a_reminder_nor_news_puts_off_the_time_since_which_a_seat_is_silent(table: Table, game: str) -> None:
    asked = table.clock.moment
    table.clock.pass_by(hours=40)
    with table.desk.sitting() as sitting:
        at = lock_table(sitting, game)
        seat = next(seat for seat in at.seats if seat.player == "Ann")
        turn_mail(at, seat, "reminder")
        news_mail(at, seat)
    table.clock.pass_by(hours=57)
    assert [seat.asked_at for seat in silence.silent_seats(table.desk, 96)] == [asked]
    assert silence.remind_silent(table.desk) == 1
    table.run()
    assert "'hours': 97" in operator(table)[-1]


@pytest.mark.fault(63, 96)
def test_the_list_says_who_may_be_away_or_wants_no_mail(table: Table, game: str) -> None:
    table.send(mail("out", to=table.address("Ann"), headers={"Auto-Submitted": "auto-replied"}))
    table.run()
    table.clock.pass_by(hours=97)
    assert [seat.state for seat in silence.silent_seats(table.desk, 96)] == ["away"]
    unsubscribe(table.desk, stop_address(table).split("stop.")[1].split("@")[0])
    assert [seat.state for seat in silence.silent_seats(table.desk, 96)] == ["stopped"]
    assert silence.remind_silent(table.desk) == 0


@pytest.mark.fault(96)
def test_seats_that_were_reminded_are_not_opened_again(table: Table, game: str) -> None:
    table.clock.pass_by(hours=97)
    with counted(table.desk.database) as first:
        assert silence.remind_silent(table.desk) == 1
    with counted(table.desk.database) as later:
        assert silence.remind_silent(table.desk) == 0
    assert len(later) == 2 < len(first)
