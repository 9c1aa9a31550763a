"""A seat is given to another person: what was promised to the one before ends, and the game goes on."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import DeadlineRow, OutboxRow, SeatRow
from moderator.service.people.hand_over import hand_over
from moderator.service.people.reach import give_up
from moderator.service.play.masters.master import end
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")

DAN = "dan@elsewhere.example"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game(deadline_hours=48)


def give(service: Service, game: str, player: str, address: str = DAN) -> None:
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
        hand_over(sitting, seat, "Dan", address)
    service.run()


def told(service: Service, address: str) -> Letter:
    return next(letter for letter in reversed(service.mailbox(address)) if letter.kind == "notice")


def test_the_new_player_plays_on(service: Service, game: str) -> None:
    give(service, game, "Ann")
    assert sorted(letter.kind for letter in service.mailbox(DAN)) == ["notice", "turn"]
    assert "you play the seat of Ann in game" in " ".join(told(service, DAN).text.split())
    to = told(service, DAN).reply_to
    service.send(mail("open TSR 25", sender=DAN, to=to), to, DAN)
    service.run()
    assert service.outcomes() == ["applied"] and service.log(game) == ["Ann: open TSR 25"]


def test_everybody_is_told_and_nobody_learns_an_address(service: Service, game: str) -> None:
    give(service, game, "Ann")
    for address in ("bob@players.example", "cat@players.example"):
        letter = told(service, address)
        assert letter.subject == f"[{game}] Dan plays for Ann" and DAN not in letter.text
    gone = told(service, "ann@players.example")
    assert "given the seat of Ann to somebody else" in " ".join(gone.text.split())
    assert DAN not in gone.text and "Dan" not in gone.text and gone.reply_to == "railpost@example.org"


def test_what_the_player_before_had_opens_nothing(service: Service, game: str) -> None:
    old = service.address("Ann")
    give(service, game, "Ann")
    service.say("Ann", "open TSR 25", to=old)
    assert service.outcomes() == ["wrong_token"] and service.log(game) == []


def test_orders_given_ahead_are_withdrawn_and_shown_to_the_new_player(service: Service, game: str) -> None:
    service.say("Bob", "bid 30 on TSR")
    assert [state for _, _, state in service.held(game)] == ["waiting"]
    give(service, game, "Bob")
    assert [state for _, _, state in service.held(game)] == ["withdrawn"]
    assert "`Bob: bid 30 on TSR`" in " ".join(told(service, DAN).text.split())
    service.say("Ann", "open TSR 25")
    assert service.log(game) == ["Ann: open TSR 25"]


def test_an_answer_that_is_due_gets_its_whole_time_again(service: Service, game: str) -> None:
    service.clock.pass_by(hours=40)
    with service.session() as session:
        before = session.exec(select(DeadlineRow.due_at)).one()
    give(service, game, "Ann")
    with service.session() as session:
        assert session.exec(select(DeadlineRow.due_at)).one() == before + timedelta(hours=40)


def test_a_seat_that_could_not_be_reached_can_be_again(service: Service, game: str) -> None:
    with service.desk.sitting() as sitting:
        for _ in range(service.desk.settings.bounces_allowed):
            give_up(sitting, "ann@players.example", "5.1.1")
    service.run()
    assert service.seat(game, "Ann").unreachable_at is not None
    give(service, game, "Ann")
    assert service.seat(game, "Ann").unreachable_at is None and service.seat(game, "Ann").bounces == 0
    assert "turn" in {letter.kind for letter in service.mailbox(DAN)}
    with service.session() as session:
        assert "kept" not in session.exec(select(OutboxRow.state)).all()


def test_a_seat_is_not_given_to_who_has_it(service: Service, game: str) -> None:
    with pytest.raises(ValueError, match="Ann is already played from that address"):
        give(service, game, "Ann", "ann@players.example")
    assert service.seat(game, "Ann").address == "ann@players.example"


def test_the_final_standings_say_who_played_a_seat(service: Service, game: str) -> None:
    """The result is Dan's, whose seat has the name of Ann."""
    give(service, game, "Ann")
    end(service.desk, game)
    service.run()
    for address in (DAN, "bob@players.example"):
        (over,) = [letter for letter in service.mailbox(address) if letter.kind == "over"]
        assert re.search(r"^\d\. Ann \(played by Dan\): ", over.text, re.MULTILINE)
        assert re.search(r"^\d\. Bob: ", over.text, re.MULTILINE)
        assert "Ann (played by Dan)" in over.html


def test_a_seat_that_its_first_player_takes_back_is_his_again(service: Service, game: str) -> None:
    give(service, game, "Ann")
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.player == "Ann")).one()
        hand_over(sitting, seat, "Ann", "ann@new.example")
        assert seat.person == ""
