"""One person over all his games: his zone, and his address of record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import PendingRow, PersonRow, SeatRow
from moderator.domain.clocks.zones import zone_called, zones_near
from moderator.service.people.address_change import sweep_pending, take_effect
from moderator.service.people.hand_over import hand_over
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.service.mail_service import Letter, Service, mail

ANN, NEW = "ann@players.example", "ann@new.example"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def games(service: Service) -> tuple[str, str]:
    """Ann sits with Bob and Cat, and in another game, for which nobody waits but her, with Dan and Eve."""
    first = service.ready_game(deadline_hours=48)
    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Dan", "Eve")]
    second = new_game(service.desk, Terms("1861", deadline_hours=48), people)
    service.run()
    return first, second


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


def zones(service: Service) -> dict[str, str]:
    with service.desk.database.reading() as session:
        return {row.address: row.zone for row in session.exec(select(PersonRow)).all()}


def seat(service: Service, game: str, player: str = "Ann") -> SeatRow:
    return service.seat(game, player)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Zurich", "Europe/Zurich"), ("europe/zurich", "Europe/Zurich"),
        ("AMERICA/NEW YORK", "America/New_York"),
        ("utc", "Etc/UTC"), ("Zurich", ""), ("Mars/Olympus", ""), ("../../etc/passwd", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_zone_is_known_by_its_name_in_any_case(text: str, zone: str) -> None:
    assert zone_called(text) == zone


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Zurich", "Europe/Zurich"), ("Europe/Zuerich", "Europe/Zurich"),
        ("new york", "America/New_York"),
        ("Europe/Lodnon", "Europe/London"), ("Europe/Tokyo", "Asia/Tokyo"), ("melborne", "Australia/Melbourne"),
    ],
)  # fmt: skip
def test_the_nearest_zones_are_named(text: str, near: str) -> None:
    assert zones_near(text)[0] == near


def test_nothing_is_near_to_nonsense() -> None:
    assert zones_near("qqqqxxqq") == ()


def test_a_zone_is_for_all_games_of_the_person(service: Service, games: tuple[str, str]) -> None:
    answer = service.say("Ann", "zone asia/tokyo")
    assert answer is not None and "times are told to you in Asia/Tokyo from now on, where it is now" in plain(answer)
    assert zones(service) == {ANN: "Asia/Tokyo"}
    for game in games:
        told = service.say("Ann", "help", to=_address(service, game))
        assert told is not None
    people = [Person("Ann", "Ann@Players.example"), Person("Bob", "b@x.example"), Person("Cat", "c@x.example")]
    third = new_game(service.desk, Terms("1861", deadline_hours=24), people)
    service.run()
    letters = [one for one in service.mailbox("Ann@Players.example") if third in one.subject and one.kind == "turn"]
    assert all(re.search(r"answer by [^.]*Asia/Tokyo", plain(one)) for one in letters)


def _address(service: Service, game: str) -> str:
    return next(one.reply_to for one in reversed(service.letters("Ann")) if f"+{game}." in one.reply_to)


def test_a_zone_that_does_not_exist_changes_nothing_and_the_nearest_is_named(service: Service) -> None:
    service.ready_game(deadline_hours=48)
    service.say("Ann", "zone Asia/Tokyo")
    answer = service.say("Ann", "zone Zurich")
    assert answer is not None and "Do you mean `zone Europe/Zurich`?" in plain(answer)
    assert zones(service) == {ANN: "Asia/Tokyo"}
    answer = service.say("Ann", "zone nowhere at all")
    assert answer is not None and "nothing was changed" in plain(answer)
    service.say("Ann", "check\nzone Europe/Zurich")
    assert zones(service) == {ANN: "Asia/Tokyo"}
    service.say("Ann", "zone game")
    assert zones(service) == {ANN: ""}


def test_a_new_address_is_for_all_games_and_each_table_is_told_once(service: Service, games: tuple[str, str]) -> None:
    service.say("Ann", "zone Asia/Tokyo")
    before = {name: len(service.letters(name)) for name in ("Ann", "Bob", "Dan")}
    with service.desk.sitting() as sitting:
        row = sitting.session.exec(select(SeatRow).where(SeatRow.game == games[0], SeatRow.player == "Ann")).one()
        take_effect(sitting, row, NEW)
    service.run()
    assert [seat(service, game).address for game in games] == [NEW, NEW]
    assert zones(service) == {NEW: "Asia/Tokyo"}
    gone = service.letters("Ann")[before["Ann"] :]
    assert len(gone) == 1 and games[1] in plain(gone[0])
    for name in ("Bob", "Dan"):
        told = service.letters(name)[before[name] :]
        assert [one.subject.partition("] ")[2] for one in told] == ["Ann has another address"]
    here = [one for one in service.mailbox(NEW) if one.kind == "notice"]
    assert {one.subject.partition("]")[0] for one in here} == {f"[{game}" for game in games}


def test_a_seat_given_away_does_not_end_the_change_for_the_others(service: Service, games: tuple[str, str]) -> None:
    to = _address(service, games[0])
    service.send(mail(f"address {NEW}", sender=ANN, to=to), to, ANN)
    service.run()
    ask = next(one.reply_to for one in service.letters("Ann") if "+confirm." in one.reply_to)
    service.send(mail("yes", sender=ANN, to=ask), ask, ANN)
    service.run()
    with service.desk.sitting() as sitting:
        row = sitting.session.exec(select(SeatRow).where(SeatRow.game == games[0], SeatRow.player == "Ann")).one()
        hand_over(sitting, row, "Fay", "fay@else.example")
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    service.run()
    assert seat(service, games[0]).address == "fay@else.example" and seat(service, games[1]).address == NEW


def test_a_later_request_from_another_seat_replaces_the_earlier(service: Service, games: tuple[str, str]) -> None:
    for game in games:
        to = _address(service, game)
        service.send(mail(f"address {NEW}", sender=ANN, to=to), to, ANN)
        service.run()
    with service.desk.database.reading() as session:
        assert sorted(row.state for row in session.exec(select(PendingRow)).all()) == ["open", "refused"]
