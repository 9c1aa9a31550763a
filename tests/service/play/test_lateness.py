"""A player who is silent: who is told what, before his time ends and for as long as he is late."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import MailRow
from moderator.service.operation.health import Finding, findings
from moderator.service.people.zone import set_zone
from moderator.service.play.deadlines import sweep_deadlines
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
        assert "The answer of Ann was due by" in plain(letter)
    assert kinds(service, "Ann") == ["turn", "reminder", "reminder"]
    assert "your answer is late" in plain(latest(service, "Ann", "reminder"))


def test_a_late_player_and_the_master_are_told_again_until_he_answers(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pass_hours(service, HOURS + 49)
    assert kinds(service, "Ann").count("reminder") == 3
    assert sum("the answer of Ann was due on" in text for text in operator(service)) == 2
    assert "late for 2 days" in operator(service)[-1]
    service.say("Ann", "open TSR 20")
    before = kinds(service, "Ann").count("reminder")
    pass_hours(service, 50)
    assert kinds(service, "Ann").count("reminder") == before
    assert not [text for text in operator(service) if game in text and "Ann" in text][2:]


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


@pytest.mark.prove
def test_sixty_days_of_silence(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody waits in the dark, and nobody is flooded."""
    service.ready_game(deadline_hours=HOURS)
    days: dict[str, list[int]] = {}
    begun = service.clock.now()
    for _ in range(60 * 24):
        before = {player: len(service.letters(player)) for player in ("Ann", "Bob", "Cat")}
        told = len(operator(service))
        pass_hours(service, 1)
        day = (service.clock.now() - begun) // timedelta(days=1)
        for player, count in before.items():
            days.setdefault(player, []).extend([day] * (len(service.letters(player)) - count))
        days.setdefault("master", []).extend([day] * (len(operator(service)) - told))
    with capsys.disabled():
        print("\n" + "\n".join(f"{who}: {dict(Counter(found))}" for who, found in days.items()))  # noqa: T201
    assert len(days["Bob"]) == len(days["Cat"]) == 1
    assert 25 <= len(days["Ann"]) <= 32 and 25 <= len(days["master"]) <= 32
    with service.desk.looking() as sitting:
        assert not sitting.session.exec(select(MailRow)).all()
