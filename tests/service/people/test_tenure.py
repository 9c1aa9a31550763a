"""The time of each person in a seat, and what is counted of him there."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import MailRow, SeatRow, TenureRow
from moderator.service.decision import resumption
from moderator.service.people.address_change import take_effect
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters import master, pauses
from moderator.service.play.undo import undo
from tests.kit.service.mail_service import Service, mail

pytestmark = pytest.mark.usefixtures("each_database")

HOURS = 48


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game(deadline_hours=HOURS)


def tenures(service: Service, game: str, player: str) -> list[tuple[str, str, bool, int, int, int]]:
    """Person, address, whether it lasts, answers, late ones, hours used; the first person first."""
    wanted = (
        select(TenureRow)
        .join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
        .where(SeatRow.game == game, SeatRow.player == player)
        .order_by(col(TenureRow.id))
    )
    with service.desk.database.reading() as session:
        return [
            (row.person, row.address.partition("@")[0], row.ended_at is None, row.answers, row.late, row.used // 3600)
            for row in session.exec(wanted).all()
        ]


def give(service: Service, game: str, player: str, name: str) -> None:
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
        hand_over(sitting, seat, name, f"{name.lower()}@elsewhere.example")
    service.run()


def test_every_seat_of_a_new_game_has_an_open_tenure(service: Service, game: str) -> None:
    for player in ("Ann", "Bob", "Cat"):
        assert tenures(service, game, player) == [(player, player.lower(), True, 0, 0, 0)]


def test_answers_are_counted_in_time_and_late(service: Service, game: str) -> None:
    service.clock.pass_by(hours=5)
    service.say("Ann", "open TSR 25")
    assert tenures(service, game, "Ann") == [("Ann", "ann", True, 1, 0, 5)]
    assert tenures(service, game, "Bob") == [("Bob", "bob", True, 0, 0, 0)]
    service.clock.pass_by(hours=HOURS + 2)
    sweep_deadlines(service.desk)
    service.say("Bob", "pass")
    assert tenures(service, game, "Bob") == [("Bob", "bob", True, 1, 1, HOURS + 2)]


def test_a_mail_that_came_in_time_counts_in_time_even_if_it_is_read_later(service: Service, game: str) -> None:
    service.clock.pass_by(hours=HOURS - 1)
    to = service.address("Ann")
    service.send(mail("open TSR 25", sender="ann@players.example", to=to), to, "ann@players.example")
    service.take_in()
    with service.desk.database.transaction() as session:
        session.exec(select(MailRow)).one().received_at = service.clock.now()
    service.clock.pass_by(hours=3)
    service.run()
    assert tenures(service, game, "Ann") == [("Ann", "ann", True, 1, 0, HOURS - 1)]


def test_only_his_own_answers_count(service: Service, game: str) -> None:
    """Neither a pause nor a new deadline, an undo, a refused order or the end of the game is an answer."""
    service.say("Ann", "buy NW")
    pauses.pause(service.desk, game, "")
    resumption.resume(service.desk, game, "")
    master.set_deadline(service.desk, game, 24)
    service.run()
    service.say("Ann", "open TSR 25")
    undo(service.desk, game, 0)
    master.end(service.desk, game, "enough")
    assert tenures(service, game, "Ann")[0][3:5] == (1, 0)
    assert tenures(service, game, "Bob")[0][3:5] == (0, 0)


def test_who_takes_a_seat_over_is_not_blamed_for_before(service: Service, game: str) -> None:
    service.clock.pass_by(hours=HOURS + 1)
    sweep_deadlines(service.desk)
    service.run()
    service.say("Ann", "open TSR 25")
    service.say("Bob", "bid 30")
    service.say("Cat", "pass")
    service.clock.pass_by(hours=40)
    give(service, game, "Ann", "Dan")
    assert tenures(service, game, "Ann") == [
        ("Ann", "ann", False, 1, 1, HOURS + 41), ("Dan", "dan", True, 0, 0, 0),
    ]  # fmt: skip
    service.say("Bob", "pass")
    service.say("Cat", "pass")
    service.clock.pass_by(hours=3)
    to = [letter for letter in service.mailbox("dan@elsewhere.example") if letter.reply_to][-1].reply_to
    service.send(mail("pass", sender="dan@elsewhere.example", to=to), to, "dan@elsewhere.example")
    service.run()
    assert tenures(service, game, "Ann")[1] == ("Dan", "dan", True, 1, 0, 3)


def test_a_new_address_keeps_the_tenure(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 25")
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
        take_effect(sitting, seat, "Annie@new.example")
    assert tenures(service, game, "Ann") == [("Ann", "annie", True, 1, 0, 0)]
