"""Times and reasons in mails: the reader's zone, deadlines that are late, news of rules of another edition."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from engine.titles.changelog import Change, load_changes
from moderator.adapters.tables import GameRow, SeatRow
from moderator.service.decision import resumption
from moderator.service.people.hand_over import hand_over
from moderator.service.people.silence import remind_silent
from moderator.service.people.zone import set_zone
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters import master, pauses
from moderator.service.table import seats
from moderator.words.texts import words
from tests.kit.service.mail_service import Letter, Service


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


def latest(service: Service, player: str, kind: str = "") -> Letter:
    return next(one for one in reversed(service.letters(player)) if kind in ("", one.kind))


def of_seat(service: Service, game: str, player: str, zone: str) -> None:
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
        set_zone(sitting, seat, zone)


def test_a_late_player_is_told_that_he_is_late_and_since_when(service: Service) -> None:
    service.ready_game(deadline_hours=24)
    first = latest(service, "Ann", "turn")
    due = re.search(r"Please answer by (.*?)\.", plain(first))
    assert due
    service.clock.pass_by(hours=25)
    sweep_deadlines(service.desk)
    service.run()
    late = latest(service, "Ann", "reminder")
    assert "late" in late.subject and late.subject != first.subject
    assert f"your answer is late: it was due by {due[1]}" in plain(late)
    assert "Please answer by" not in plain(late)


def test_a_reminder_before_the_deadline_says_that_it_is_one(service: Service) -> None:
    service.ready_game(deadline_hours=900)
    service.clock.pass_by(hours=service.desk.settings.silent_hours + 1)
    remind_silent(service.desk)
    service.run()
    reminder = latest(service, "Ann", "reminder")
    assert "reminder" in reminder.subject and "it is still your turn" in plain(reminder)
    assert "Please answer by" in plain(reminder)


def test_deadlines_are_told_in_the_zone_of_the_game_or_of_the_seat(service: Service) -> None:
    game = service.ready_game(deadline_hours=24, deadline_time="20:00 Europe/Zurich")
    assert re.search(r"20:00 .*Europe/Zurich", plain(latest(service, "Ann", "turn")))
    of_seat(service, game, "Ann", "Asia/Tokyo")
    master.set_deadline(service.desk, game, 48, "20:00 Europe/Zurich")
    service.run()
    assert re.search(r"Your answer is due by [^.]*0[34]:00[^.]*Asia/Tokyo", plain(latest(service, "Ann", "notice")))
    of_seat(service, game, "Ann", "game")
    master.set_deadline(service.desk, game, 24, "20:00 Europe/Zurich")
    service.run()
    assert re.search(r"is due by [^.]*20:00[^.]*Europe/Zurich", plain(latest(service, "Ann", "notice")))
    with pytest.raises(ValueError, match="not a time zone"):
        of_seat(service, game, "Ann", "Mars/Olympus")


@pytest.mark.parametrize(("hours", "said"), [(48, "Each answer is due 48 hours after"), (None, "has no deadlines")])
def test_the_welcome_tells_the_deadlines(service: Service, hours: int | None, said: str) -> None:
    service.ready_game(deadline_hours=hours)
    welcome = next(one for one in service.letters("Ann") if one.kind == "welcome")
    assert said in plain(welcome)
    for shown in (welcome.text, welcome.html):
        assert not re.search(r"[a-z]\.[A-Z][a-z]", shown), "two sentences run together"


def test_a_new_deadline_names_the_moment_to_who_must_answer_and_to_nobody_else(service: Service) -> None:
    game = service.ready_game(deadline_hours=48)
    master.set_deadline(service.desk, game, 96, reason="it is Christmas")
    service.run()
    assert "Your answer is due by" in plain(latest(service, "Ann", "notice"))
    assert "Your answer is due by" not in plain(latest(service, "Bob", "notice"))


@pytest.mark.parametrize("reason", ["Ann is in hospital", "Ann is in hospital.", "Who knows?"])
def test_the_masters_reason_is_a_sentence_of_its_own(service: Service, reason: str) -> None:
    game = service.ready_game(deadline_hours=48)
    ended = reason if reason[-1] in ".?" else f"{reason}."
    told = []
    for act in (pauses.pause, resumption.resume):
        act(service.desk, game, reason)
        service.run()
        told.append(plain(latest(service, "Bob", "notice")))
    for hours in (None, 24):
        master.set_deadline(service.desk, game, hours, reason=reason)
        service.run()
        told.append(plain(latest(service, "Bob", "notice")))
    assert f"has paused the game: {ended} No deadline ends" in told[0]
    assert f"writes: {ended} Everybody who must answer" in told[1]
    assert f"at any time. The reason: {ended}" in told[2]
    assert f"from now on. The reason: {ended}" in told[3]


def test_no_text_ends_a_line_after_a_block_where_the_line_would_be_lost() -> None:
    """The templates drop a line break that follows a block, so two sentences would run together."""
    said = (text for table in words().tables.values() for text in table.values() if isinstance(text, str))
    assert not [text for text in said if re.search(r"%\}\n\S", text) and text.count("\n") == 1]


def test_the_successor_reads_that_he_plays_before_his_first_turn_mail(service: Service) -> None:
    game = service.ready_game(deadline_hours=48)
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
        hand_over(sitting, seat, "Dan", "dan@elsewhere.example")
    service.run()
    assert [letter.kind for letter in service.mailbox("dan@elsewhere.example")] == ["notice", "turn"]


def test_news_of_rules_concern_the_edition_of_the_game(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    game = service.ready_game()
    change = Change(1, "2026-01-01", "the game is played as first published", True)
    lines = (change, replace(change, version=2, line="one", editions=("2020",)), replace(change, version=3, line="two"))
    monkeypatch.setattr(seats, "changes", lambda name: lines)
    with service.desk.database.reading() as session:
        row = session.exec(select(GameRow).where(GameRow.id == game)).one()
        seat = session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
    row.began_rules, seat.rules = 1, 1
    for edition, version, told in (("v2.0", 2, None), ("2020", 2, ("one",)), ("v2.0", 3, ("two",))):
        row.edition, row.rules = edition, version
        found = seats._news_of_rules(row, seat)
        assert (None if found is None else found.lines) == told


def test_a_change_names_editions_as_a_list(tmp_path: Path) -> None:
    entry = '[[change]]\nversion = 1\ndate = "2026-01-01"\nline = "x"\nplain = true\n'
    file = tmp_path / "changes.toml"
    file.write_text(entry + 'editions = ["2020"]\n', "utf-8")
    assert load_changes(file)[0].concerns("2020") and not load_changes(file)[0].concerns("v2.0")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(entry + 'editions = "2020"\n', "utf-8")
    with pytest.raises(ValueError, match="must be a list of names"):
        load_changes(wrong)
