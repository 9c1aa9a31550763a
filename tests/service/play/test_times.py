"""When a mail arrives, and what its sender says about that; old mail; rules that change under a running game."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

import engine
from engine import Failure, Refused
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.tables import GameRow
from moderator.entrypoints.processes.assembly import Worker
from moderator.service.play.holds import look_back
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


def sweep(table: Service) -> None:
    """All that the scheduler does in a sweep."""
    settings = table.desk.settings
    intake = MaildirIntake(folder_for(settings.mail_folder, settings.address))
    Worker(table.desk, intake, MaildirOutlet(settings.mail_folder), table.complaints.append).sweep()


def kinds(table: Service, player: str) -> list[str]:
    return [letter.kind for letter in table.letters(player)]


@pytest.fixture
def hurried(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    return table.game("toy", deadline_hours=24)


@pytest.mark.fault(54)
@pytest.mark.parametrize("date", ["Sun, 01 Mar 2026 11:00:00 +0000", "Tue, 01 Jan 2030 00:00:00 +0000"])
def test_what_lies_in_the_mailbox_at_the_deadline_is_decided_before_it(table: Table, hurried: str, date: str) -> None:
    """Whatever its sender says about when it was sent."""
    address = table.address("Ann")
    table.send(_dated("pass", address, date), address)
    table.clock.pass_by(hours=24)
    sweep(table)
    assert table.log(hurried) == ["Ann: pass"]
    assert "reminder" not in kinds(table, "Ann")


@pytest.mark.fault(54)
def test_what_was_sent_early_and_arrives_late_is_late(table: Table, hurried: str) -> None:
    address = table.address("Ann")
    table.clock.pass_by(hours=25)
    sweep(table)
    table.send(_dated("pass", address, "Sun, 01 Mar 2026 12:30:00 +0000"), address)
    sweep(table)
    assert kinds(table, "Ann").count("reminder") == 1
    assert table.log(hurried) == ["Ann: pass"]  # his turn waited for him


def _dated(text: str, to: str, date: str) -> bytes:
    return mail(text, to=to).replace(b"Date: Sun, 01 Mar 2026 11:59:00 +0000", f"Date: {date}".encode())


@pytest.mark.fault(55)
@pytest.mark.parametrize(
    "date",
    [
        "", "Thu, 01 Jan 1970 00:00:00 +0000", "Tue, 19 Jan 2038 03:14:08 +0000", "Sun, 01 Mar 2026 11:59:00",
        "Sun, 01 Mar 2026 11:59:00 -0000", "yesterday", "Sun, 99 Abc 99999 99:99:99 +9999", "\x00", "1" * 5_000,
    ],
)  # fmt: skip
def test_no_date_decides_anything(table: Table, game: str, date: str) -> None:
    address = table.address("Ann")
    table.send(_dated("pass", address, date), address)
    table.run()
    assert table.outcomes() == ["applied"]
    assert table.log(game) == ["Ann: pass"]


@pytest.mark.fault(55)
def test_a_mail_without_a_date(table: Table, game: str) -> None:
    address = table.address("Ann")
    table.send(mail("pass", to=address).replace(b"Date: Sun, 01 Mar 2026 11:59:00 +0000\r\n", b""), address)
    table.run()
    assert table.outcomes() == ["applied"]


@pytest.mark.fault(56)
def test_a_queue_that_is_let_go_after_weeks_changes_nothing_and_is_no_flood_of_answers(table: Table, game: str) -> None:
    old = table.address("Ann")
    for player in ("Ann", "Bob", "Cat"):
        table.say(player, "pass")
    moved, told = table.log(game), len(table.letters("Ann"))
    table.clock.pass_by(days=21)
    for number in range(20):
        table.send(_dated(f"open P {number}", old, "Sun, 01 Mar 2026 12:01:00 +0000"), old)
    table.run()
    assert table.log(game) == moved
    assert table.outcomes()[3:] == ["stale"] * 20
    assert len(table.letters("Ann")) == told + 3
    assert table.details()[-1] == "not answered any more: stale"
    table.say("Ann", "pay none")  # a mail of today is dealt with as always
    assert table.outcomes()[-1] == "applied"


@pytest.mark.rough
@pytest.mark.fault(92)
def test_rules_that_no_longer_allow_what_was_played_stop_that_game_only(
    table: Table, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade a game of before does not replay: it waits, nothing of it is lost, the operator hears of it, and
    other games go on."""
    table.say("Ann", "open P 10")
    before = table.log(game)
    other = table.game("toy")
    fresh = table.address("Ann")
    table.desk.games.forget_all()
    allowed = engine.Game.submit

    def stricter(self: engine.Game, order: object) -> object:
        if "Open" in type(order).__name__:
            return Refused((Failure("toy.never", {}),))
        return allowed(self, order)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.Game, "submit", stricter)
    with table.desk.database.transaction() as session:
        row = session.get(GameRow, game)
        assert row is not None
        row.fingerprint = "of the rules before"
    address = next(x.reply_to for x in reversed(table.letters("Bob")) if f"+{game}." in x.reply_to)
    table.send(mail("drop", sender="bob@players.example", to=address), address)
    table.send(mail("pass", to=fresh), fresh)
    table.run()
    look_back(table.desk)
    table.run()
    assert table.outcomes()[-2:] == ["waits", "applied"]
    assert table.log(game) == before
    assert table.log(other) == ["Ann: pass"]
    assert len(table.mailbox("master@example.net")) == 1


@pytest.mark.fault(92)
def test_a_game_names_the_version_that_it_began_with(table: Table, game: str) -> None:
    from moderator.service.play.journal.export import export_record

    text = export_record(table.desk, game)
    assert text is not None
    assert f'[Engine "{engine.__version__}"]' in text


@pytest.mark.fault(95)
def test_every_mail_can_be_read_without_pictures(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game()
    service.say("Ann", "show map")
    for letter in service.letters("Ann"):
        assert [part.get_content_type() for part in letter.message.walk()] == [
            "multipart/alternative", "text/plain", "text/html",
        ]  # fmt: skip
        for tag in ("<img", "<svg", "data:", "<script", "<link", "url("):
            assert tag not in letter.html
    shown = service.letters("Ann")[-1]
    assert "MAP" in shown.text


@pytest.mark.fault(94)
def test_what_is_shown_is_cut_and_the_rest_of_the_answer_stands(table: Table, game: str) -> None:
    from dataclasses import replace

    class Wordy:
        def __getattr__(self, name: str) -> object:
            return getattr(words, name)

        def text_map(self, game: object, hexes: object = ()) -> str:
            return "line of a map\n" * 50_000

    words = table.desk.words
    wordy = Table(table.root, replace(table.desk, words=Wordy()), table.clock)  # type: ignore[arg-type]
    answer = wordy.say("Ann", "show map")
    assert answer is not None
    assert len(bytes(answer.message)) < table.desk.settings.largest_answer
    assert ("show.cut", "map") in [(key, facts.get("what")) for key, facts in table.last.notes]


@pytest.mark.fault(54)
def test_a_moment_of_arrival_is_the_mailboxs(table: Table, game: str) -> None:
    """And not that of taking it in, nor what the mail says."""
    settings = table.desk.settings
    address = table.address("Ann")
    table.send(mail("pass", to=address), address)
    folder = folder_for(settings.mail_folder, settings.address) / "new"
    arrived = table.clock.now() - timedelta(minutes=7)
    for path in folder.iterdir():
        os.utime(path, (arrived.timestamp(), arrived.timestamp()))
    found = list(MaildirIntake(folder.parent).waiting(1_000_000))
    assert [one.received_at for one in found] == [arrived]
