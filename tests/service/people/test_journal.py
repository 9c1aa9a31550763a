"""The journal of seats: complete, without secrets, and only about what was committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import OutboxRow, PendingRow, SeatRow, SeatToken
from tests.kit.service.mail_service import Service
from tests.kit.service.restoration import JOURNAL, go_back, lose_database, railpost, write

pytestmark = [pytest.mark.fault(91), pytest.mark.usefixtures("each_database")]

OTHER = "ann@holiday.example"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("RAILPOST_DOMAIN", "example.org")  # for the commands
    monkeypatch.setenv("RAILPOST_OPERATOR", "master@example.net")
    (tmp_path / "var").mkdir()
    return Service.open(tmp_path / "var")


@pytest.fixture
def game(service: Service) -> str:
    """Ann has opened an auction; Bob is asked."""
    game = service.ready_game(deadline_hours=48)
    service.say("Ann", "open TSR 25")
    return game


@pytest.fixture
def copy(service: Service, game: str, tmp_path: Path) -> Path:
    """Made when everybody had been written to."""
    railpost(service, "backup", str(tmp_path / "one.db"))
    return tmp_path / "one.db"


def lines(service: Service) -> list[dict[str, object]]:
    return [json.loads(line) for line in (service.root / JOURNAL).read_text().splitlines()]


def test_the_journal_has_no_secret_word(service: Service, game: str) -> None:
    service.say("Bob", "revoke")
    railpost(service, "seat", "give", game, "Cat", "Dan <dan@players.example>")
    service.run()
    agreed = service.say("Ann", f"alias {OTHER}")
    assert agreed is not None
    text = (service.root / JOURNAL).read_text()
    assert [one.get("what") for one in lines(service)][1:3] == ["revoked", "revoked"]
    with service.session() as session:
        words = [*session.exec(select(SeatToken.token)).all(), *session.exec(select(PendingRow.token)).all()]
    assert words and not [word for word in words if word in text]
    assert (service.root / JOURNAL).stat().st_mode & 0o777 == 0o600


def test_nothing_stands_in_the_journal_that_was_not_committed(service: Service, game: str) -> None:
    from moderator.service.people.person_words import revoke

    def broken() -> None:
        with service.desk.sitting() as sitting:
            seat = sitting.session.exec(select(SeatRow).where(SeatRow.player == "Bob")).one()
            revoke(sitting, seat)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    assert not (service.root / JOURNAL).exists()


def test_what_a_killed_service_did_not_write_is_written_at_the_next_start(
    service: Service, game: str, copy: Path
) -> None:
    from moderator.service.people.journal import catch_up

    catch_up(service.desk)
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    cut = (service.root / JOURNAL).read_bytes().split(b"\n")
    (service.root / JOURNAL).write_bytes(b"\n".join(cut[:1]) + b"\n" + cut[1][:40])  # as if it had been killed there
    assert catch_up(service.desk) == 1
    assert catch_up(service.desk) == 0
    bobs = service.address("Bob")
    said = go_back(service, copy, "the journal")
    assert "cannot be read, and are left out: 2" in said
    assert service.seat(game, "Bob").address == "dan@players.example"
    write(service, "bid 90", bobs, "bob@players.example")
    assert service.outcomes()[-1] == "wrong_token"


def test_a_journal_of_other_games_of_the_same_name_changes_nothing(service: Service, game: str, copy: Path) -> None:
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    path = service.root / JOURNAL
    path.write_text(path.read_text().replace('"commitment":"', '"commitment":"0'))
    go_back(service, copy, "the journal")
    assert service.seat(game, "Bob").address == "bob@players.example"


def test_a_journal_that_cannot_be_written_is_told_and_the_change_stands(
    service: Service, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    (service.root / JOURNAL).mkdir()
    railpost(service, "seat", "revoke", game, "Bob")
    with service.session() as session:
        told = session.exec(select(OutboxRow.recipient, OutboxRow.text)).all()
        assert session.exec(select(SeatToken).where(col(SeatToken.revoked))).first() is not None
    assert "journal of seats" in caplog.text
    (service.root / JOURNAL).rmdir()
    assert {address for address, text in told if "cannot be written" in text} <= {"master@example.net"}


def test_another_machines_journal_is_read_too(service: Service, game: str, copy: Path, tmp_path: Path) -> None:
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    lose_database(service)
    (service.root / JOURNAL).rename(tmp_path / "there.jsonl")
    railpost(service, "restore", str(copy), "--journal", str(tmp_path / "there.jsonl"))
    assert service.seat(game, "Bob").address == "dan@players.example"
