"""Options that the table changes by a vote while the game is under way, and those that it cannot change."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import EntryRow, GameRow, MotionRow
from moderator.domain.clocks.terms import TERMS
from moderator.domain.clocks.timetable import KINDS
from moderator.domain.records.record import read_record
from moderator.service.play.journal.export import export_record
from moderator.service.play.masters.master import end, name_master
from moderator.service.play.new_games import Person
from moderator.service.play.options import OPTIONS
from tests.kit.service.anonymous import FIRST, AnonymousGame, named
from tests.kit.service.guests import said
from tests.kit.service.mail_service import Letter, Service

VALUES: dict[str, str] = {
    "hours": "96", "time": "20:00 Europe/Zurich", "zone": "Europe/Zurich", "rest": "Sat,Sun", "late": "robot",
    "holidays": "2026-12-24 to 2027-01-02", "between": "08:00-22:00", "warnings": "72, 24", "grace": "12",
    "bank": "500", "increment": "12", "away_days": "10", "floor": "50",
    **{str(kind): "30" for kind in KINDS},
}  # fmt: skip
"""A new value for each term of the clocks."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    service = Service.open(tmp_path)
    service.ready_game(players=("Ann", "Bob", "Cat"), deadline_hours=72)
    return service


def row(service: Service) -> GameRow:
    with service.session() as session:
        return session.exec(select(GameRow)).one()


def motions(service: Service) -> list[str]:
    with service.session() as session:
        return [one.state for one in session.exec(select(MotionRow)).all()]


def text(letter: Letter | None) -> str:
    assert letter is not None
    return said(letter)


def test_all_agree_on_a_default_for_late_answers(service: Service) -> None:
    proposed = service.say("Ann", "propose option late default because we want to finish this year")
    assert "The table votes on `option late default`" in text(proposed)
    told = text(service.letters("Bob")[-1])
    assert "`option late default`" in told and "All 3 players must agree" in told
    service.say("Bob", "vote yes")
    assert row(service).timetable.get("late", "master") == "master"
    service.say("Cat", "vote yes")
    assert motions(service) == ["carried"] and row(service).timetable["late"] == "default"
    letters = [said(one) for one in service.letters("Ann")]
    assert any(
        "The terms of the clocks have changed. The reason: we want to finish this year." in one for one in letters
    )
    with service.session() as session:
        entries = session.exec(select(EntryRow).where(EntryRow.kind == "clock")).all()
    assert [one.text for one in entries] == ["late=default: we want to finish this year"]


@pytest.mark.parametrize("name", sorted({*TERMS, *KINDS}))
def test_each_term_of_the_clocks_can_be_voted_on(service: Service, name: str) -> None:
    assert name in OPTIONS
    before = (row(service).deadline_hours, row(service).deadline_time, row(service).timetable)
    assert "The table votes on" in text(service.say("Ann", f"propose option {name} {VALUES[name]}"))
    for player in ("Bob", "Cat"):
        service.say(player, "vote yes")
    assert motions(service) == ["carried"]
    assert (row(service).deadline_hours, row(service).deadline_time, row(service).timetable) != before


def test_an_option_of_the_rules_stays_and_the_answer_says_why(service: Service) -> None:
    told = text(service.say("Ann", "propose option hex_twice yes"))
    assert "The table cannot vote on `option hex_twice yes`" in told
    assert "A record has one set of those, with which the whole game is replayed from its first order" in told
    assert all(name in told for name in OPTIONS) and motions(service) == []
    assert len([one for one in service.letters("Bob") if "vote" in one.subject]) == 0


@pytest.mark.parametrize(
    ("proposed", "why"),
    [
        ("option lat default", "there is no option `lat`. Did you mean `late`?"),
        ("option late tomorrow", "'tomorrow' is not what may follow lateness: master, default"),
        ("option hours 0", "'0' is not a number of hours"),
        ("option hours 72", "nothing would change"),
        ("clock lat=default", "Did you mean `late`?"),
        ("option anonymous on", "a game is anonymous from its beginning or never"),
        ("option anonymous off", "1861-1 is not anonymous"),
    ],
)
def test_what_could_not_be_done_is_not_voted_on(service: Service, proposed: str, why: str) -> None:
    told = text(service.say("Ann", f"propose {proposed}"))
    assert "cannot vote on" in told and why in told and motions(service) == []
    told = text(service.say("Ann", f"check\npropose {proposed}"))
    assert why in told


def test_a_form_that_cannot_be_read(service: Service) -> None:
    assert "`propose option late default`" in text(service.say("Ann", "propose option late"))
    assert motions(service) == []


def test_without_all_nothing_changes(service: Service) -> None:
    service.say("Ann", "propose option hours 96")
    service.say("Bob", "vote yes")
    service.say("Cat", "vote no")
    assert motions(service) == ["refused"] and row(service).deadline_hours == 72


def test_a_game_master_says_it_as_well(service: Service) -> None:
    name_master(service.desk, "1861-1", Person("Max", "max@players.example"))
    service.run()
    to = service.address("Max")
    service.say("Max", "option hours 96\nreason: Easter", to=to)
    assert row(service).deadline_hours == 96
    told = text(service.say("Max", "option hex_twice yes", to=to))
    assert "is an option of the rules" in told


def test_a_record_is_replayed_as_before_such_a_vote(service: Service) -> None:
    service.say("Ann", "propose option hours 96")
    for player in ("Bob", "Cat"):
        service.say(player, "vote yes")
    text_of = export_record(service.desk, "1861-1")
    assert text_of is not None and read_record(text_of).setup.players == ("Ann", "Bob", "Cat")
    assert "hours" not in text_of


def test_the_table_lifts_the_anonymity(tmp_path: Path) -> None:
    playing = AnonymousGame(tmp_path / "var")
    playing.begin()
    playing.say(FIRST[0], "propose option anonymous off because we know each other")
    playing.say(FIRST[1], "vote yes")
    assert playing.leaks() == []
    (told,) = playing.rule("option anonymous off")
    assert "that is for the players alone" in said(told) and playing.leaks() == []
    playing.say(FIRST[2], "vote yes")
    for person in FIRST:
        mails = [said(one) for one in playing.letters(person)]
        assert any("has agreed to tell who plays" in one and named(one, FIRST) == list(FIRST) for one in mails)
    end(playing.service.desk, playing.game)
    playing.service.run()
    assert f"(played by {FIRST[1]})" in said(playing.letters(FIRST[0])[-1])
