"""Pauses: announced, with a day of resume, and orders that come meanwhile."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from moderator.domain.clocks import wall
from moderator.service.decision import resumption
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters import pauses
from tests.kit.service.mail_service import Service, mail
from tests.service.people.test_absence import due, told
from tests.service.play.test_told_times import latest

pytestmark = pytest.mark.usefixtures("each_database")
HOURS = 72
LATER, END = wall.parse("2026-03-05 12:00"), wall.parse("2026-03-20 12:00")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def pass_days(service: Service, days: int) -> None:
    for _ in range(days * 4):
        service.clock.pass_by(hours=6)
        resumption.keep_calendar(service.desk)
        sweep_deadlines(service.desk)
        service.run()


def orders(service: Service, game: str) -> list[str]:
    return [line for line in service.log(game) if ":" in line]


def test_an_announced_pause_begins_and_ends_by_itself(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game, "Holidays", begin=LATER, until=END)
    service.run()
    assert latest(service, "Bob", "notice").subject == f"[{game}] the game will be paused"
    assert "from Thu 5 Mar 2026, 12:00 (UTC) to Fri 20 Mar 2026, 12:00 (UTC): Holidays." in told(
        service, "Bob", "notice"
    )
    service.say("Ann", "open TSR 20")
    pass_days(service, 5)
    assert "The game is paused until Fri 20 Mar 2026, 12:00 (UTC): Holidays." in told(service, "Bob", "notice")
    assert due(service, "Bob").state == "overdue"  # he had 72 hours before the pause began
    pass_days(service, 13)
    assert latest(service, "Cat", "notice").subject == f"[{game}] the game is paused"
    pass_days(service, 1)
    assert latest(service, "Cat", "notice").subject == f"[{game}] the game goes on"
    assert due(service, "Bob").due_at >= service.clock.now() + timedelta(hours=HOURS - 24)


def test_orders_of_a_pause_are_kept_and_carried_out_when_the_game_goes_on(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game)
    service.say("Ann", "open TSR 20")
    assert "The game is paused. These orders are kept, and carried out when the game goes on" in told(service, "Ann")
    assert latest(service, "Ann", "transcript").subject == f"[{game}] your orders: kept for later"
    assert orders(service, game) == []
    service.say("Ann", "open TSR 25")
    assert "in place of those of your earlier mail" in told(service, "Ann")
    resumption.resume(service.desk, game)
    service.run()
    assert orders(service, game) == ["Ann: open TSR 25"]
    assert "You sent these orders while the game was paused; they are carried out now." in told(service, "Ann")
    assert "bid on TSR" in latest(service, "Bob", "turn").subject


def test_two_players_orders_of_a_pause_follow_each_other(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    service.say("Ann", "open TSR 20")
    pauses.pause(service.desk, game)
    service.say("Bob", "bid 25")
    resumption.resume(service.desk, game)
    service.run()
    assert orders(service, game)[-1] == "Bob: bid 25"
    service.say("Cat", "drop")
    assert orders(service, game)[-1] == "Cat: drop"


def test_withdraw_takes_back_what_was_kept(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game)
    service.say("Ann", "open TSR 20")
    service.say("Ann", "withdraw all")
    assert "Withdrawn: the orders of your mail that was kept until the game goes on." in told(service, "Ann")
    resumption.resume(service.desk, game)
    assert orders(service, game) == []


def test_what_cannot_be_read_is_not_kept(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game)
    service.say("Ann", "opne TSR 20")
    assert "kept" not in latest(service, "Ann", "transcript").subject
    resumption.resume(service.desk, game)
    assert orders(service, game) == []


def test_orders_from_an_unknown_address_are_not_kept(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game)
    to = service.address("Ann")
    service.send(mail("open TSR 20", sender="eve@elsewhere.example", to=to), to)
    service.run()
    resumption.resume(service.desk, game)
    service.run()
    assert orders(service, game) == []


@pytest.mark.parametrize(
    ("named", "wrong"),
    [
        ({"until": wall.parse("2026-02-01 00:00")}, "2026-02-01 00:00 UTC is past"),
        ({"begin": END, "until": LATER}, "would end before it begins"),
    ],
)
def test_a_pause_that_cannot_be_says_why(service: Service, named: dict[str, pauses.Moment], wrong: str) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    with pytest.raises(ValueError, match=wrong):
        pauses.pause(service.desk, game, begin=named.get("begin"), until=named.get("until"))


def test_an_announced_pause_can_be_called_off(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pauses.pause(service.desk, game, begin=LATER, until=END)
    resumption.resume(service.desk, game, "It is not needed")
    service.run()
    assert "The pause that was announced is called off: It is not needed." in told(service, "Bob", "notice")
    pass_days(service, 6)
    service.say("Ann", "open TSR 20")
    assert orders(service, game) == ["Ann: open TSR 20"]
