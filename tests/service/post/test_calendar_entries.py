"""Deadlines as calendar entries: one for each question, updated when it moves, taken away by the answer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from icalendar import Calendar
from sqlmodel import col, select

from moderator.adapters.tables import OutboxRow
from moderator.service.play.masters import master
from tests.kit.service.mail_service import Service

pytestmark = pytest.mark.usefixtures("each_database")
HOURS = 72


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def entries(service: Service, player: str) -> list[tuple[str, str, int, str]]:
    """Kind of mail, UID without the domain, SEQUENCE and STATUS of each entry that ``player`` was sent."""
    with service.desk.database.reading() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.player == player).order_by(col(OutboxRow.id))).all()
    events = (
        (row.kind, event) for row in rows if row.calendar for event in Calendar.from_ical(row.calendar).walk("VEVENT")
    )
    return [
        (kind, str(event.get("uid")).partition("@")[0], int(str(event.get("sequence"))), str(event.get("status")))
        for kind, event in events
    ]


def test_a_turn_mail_carries_its_deadline_and_the_answer_takes_it_away(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    (first,) = entries(service, "Ann")
    assert first[0] == "turn" and first[2:] == (0, "CONFIRMED") and first[1].startswith(f"{game}.1.")
    service.say("Ann", "show chart")
    assert len(entries(service, "Ann")) == 1  # nothing has changed
    service.say("Ann", "open TSR 20")
    assert entries(service, "Ann")[1:] == [("transcript", first[1], 1, "CANCELLED")]


def test_the_part_is_a_calendar_that_programs_read(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    letter = next(letter for letter in service.letters("Ann") if letter.kind == "turn")
    message = letter.message
    (part,) = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    assert part.get_filename() == "deadline.ics" and part.get_param("method") == "PUBLISH"
    (event,) = Calendar.from_ical(bytes(part.get_payload(decode=True))).walk("VEVENT")
    assert event.decoded("dtstart") == service.clock.now() + timedelta(hours=HOURS)
    assert {"text/plain", "text/html"} <= {part.get_content_type() for part in message.walk()}


def test_a_deadline_that_moves_updates_its_entry(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    ((_, uid, _, _),) = entries(service, "Ann")
    master.set_terms(service.desk, game, [("holidays", "2026-03-02")])
    assert entries(service, "Ann")[1:] == [("notice", uid, 1, "CONFIRMED")]
    assert entries(service, "Bob") == []


def test_calendar_off_ends_them_for_the_person(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "calendar off")
    service.say("Ann", "open TSR 20")
    assert len(entries(service, "Ann")) == 1
    service.say("Bob", "bid 25")
    service.say("Cat", "drop")
    assert len(entries(service, "Ann")) == 1
    service.say("Ann", "calendar on\nbid 30")
    assert [status for *_, status in entries(service, "Ann")][1:] == ["CANCELLED"]


def test_a_game_without_a_clock_has_none(service: Service) -> None:
    service.ready_game()
    assert entries(service, "Ann") == []
