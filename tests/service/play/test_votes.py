"""Votes: proposed and decided by mail, closed by rule."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import DeadlineRow, GameRow, MotionRow
from moderator.service.decision.motions import end_lapsed
from moderator.service.people.hand_over import hand_over
from moderator.service.play.masters.master import end
from moderator.service.table.table import lock_seat
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")
EVIL = "forger@evil.example"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    service = Service.open(tmp_path)
    service.ready_game(players=("Ann", "Bob", "Cat", "Dan"), deadline_hours=72)
    return service


def words(letter: Letter | None) -> str:
    assert letter is not None
    return " ".join(letter.text.split())


def due(service: Service) -> DeadlineRow:
    with service.session() as session:
        return session.exec(select(DeadlineRow).where(DeadlineRow.state != "met")).one()


def status(service: Service) -> str:
    with service.session() as session:
        return session.get_one(GameRow, "1861-1").status


def states(service: Service) -> list[str]:
    with service.session() as session:
        return [row.state for row in session.exec(select(MotionRow).order_by(MotionRow.id)).all()]  # type: ignore[arg-type]


def test_more_than_half_extend_the_time(service: Service) -> None:
    before = due(service).due_at
    answer = service.say("Cat", "propose extend 48 hours because Ann has no electricity")
    assert "The table votes on `extend 48 hours`" in words(answer)
    told = words(service.letters("Bob")[-1])
    assert "Cat proposes, and the table votes on it: `extend 48 hours`" in told
    assert "The reason: Ann has no electricity." in told
    assert "3 of 4 players must agree" in told
    service.say("Bob", "vote yes")
    assert states(service) == ["open"]
    service.say("Ann", "vote yes")
    assert states(service) == ["carried"]
    assert due(service).due_at == before + timedelta(hours=48)
    assert any("The table has agreed (3 of 4)" in words(one) for one in service.letters("Dan"))


def test_an_undo_needs_all(service: Service) -> None:
    service.say("Ann", "auction TSR at 20")
    service.say("Ann", "propose undo to 0 because I meant MYW")
    for player in ("Bob", "Cat"):
        service.say(player, "vote yes")
    assert len(service.position("1861-1").orders) == 1
    service.say("Dan", "vote yes")
    assert not service.position("1861-1").orders
    service.say("Ann", "auction TSR at 25")
    assert len(service.position("1861-1").orders) == 1


def test_one_no_ends_what_needs_all(service: Service) -> None:
    service.say("Bob", "propose end game")
    service.say("Cat", "vote no")
    assert states(service) == ["refused"]
    assert "The table has not agreed (1 of 4, 4 needed)" in words(service.letters("Ann")[-1])
    service.say("Ann", "vote yes")
    assert status(service) == "running"


def test_a_later_vote_replaces_the_earlier(service: Service) -> None:
    service.say("Bob", "propose pause")
    service.say("Cat", "vote yes")
    service.say("Cat", "vote no")
    service.say("Ann", "vote yes")
    assert states(service) == ["open"]
    service.say("Dan", "vote yes")
    assert status(service) == "paused"


def test_a_proposal_may_name_a_time_of_day(service: Service) -> None:
    service.say("Bob", "propose pause until 2026-12-24 20:00 Europe/Zurich because we fly")
    for player in ("Ann", "Cat"):
        service.say(player, "vote yes")
    assert status(service) == "paused"


def test_silence_does_not_agree(service: Service) -> None:
    service.say("Bob", "propose pause")
    service.clock.pass_by(hours=73)
    assert end_lapsed(service.desk) == 1
    service.run()
    assert "has not agreed in time" in words(service.letters("Cat")[-1])
    service.say("Cat", "vote yes")
    assert status(service) == "running"
    assert states(service) == ["lapsed"]


def test_several_votes_are_told_apart(service: Service) -> None:
    service.say("Bob", "propose pause")
    service.say("Cat", "propose robot Ann on because she is ill")
    answer = service.say("Dan", "vote yes")
    assert "write `vote yes` with one of 1 and 2" in words(answer)
    for player in ("Dan", "Bob"):
        service.say(player, "vote yes 2")
    assert states(service) == ["open", "carried"]
    assert service.seat("1861-1", "Ann").caretaker == "robot"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("propose dinner", "is nothing that the table could vote on"),
        ("propose extend", "`propose extend 48 hours`"),
        ("propose robot Anm on", "is nothing that the table could vote on"),
        ("propose give Ann to Eve <eve@example.org>", "a game master decides that"),
        ("propose enter Bob: pass", "a game master decides that"),
        ("vote yes", "There is no vote in this game now"),
        ("check\npropose pause", "The table would vote on `pause`"),
    ],
)
def test_what_cannot_be_voted_on_is_answered(service: Service, text: str, said: str) -> None:
    assert said in words(service.say("Bob", text))
    assert states(service) == []


def test_no_more_than_three_votes(service: Service) -> None:
    for text in ("pause", "robot Ann on", "extend 24 hours"):
        service.say("Bob", f"propose {text}")
    assert "votes on 3 proposals already" in words(service.say("Cat", "propose end game"))
    assert "votes on `pause` already" in words(service.say("Cat", "propose pause"))


def test_a_stranger_has_no_vote(service: Service) -> None:
    service.say("Bob", "propose pause")
    for player in ("Ann", "Cat", "Dan"):
        to = service.address(player)
        service.send(mail("vote yes", sender=EVIL, to=to), to, EVIL)
        service.run()
    assert states(service) == ["open"]


def test_a_former_player_has_no_vote(service: Service) -> None:
    service.say("Bob", "propose pause")
    old = service.address("Cat")
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, "1861-1", "Cat"), "Eve", "eve@example.org")
    service.run()
    for player, to in (("Cat", old), ("Dan", service.address("Dan"))):
        service.say(player, "vote yes", to=to)
    assert states(service) == ["open"]


def test_what_cannot_be_done_any_more_is_told(service: Service) -> None:
    service.say("Bob", "propose resume")
    for player in ("Ann", "Cat"):
        service.say(player, "vote yes")
    assert states(service) == ["failed"]
    assert any("1861-1 is not paused." in words(one) for one in service.letters("Dan"))


def test_votes_end_with_the_game(service: Service) -> None:
    service.say("Bob", "propose pause")
    end(service.desk, "1861-1")
    service.run()
    assert states(service) == ["lapsed"]
