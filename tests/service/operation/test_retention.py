"""Bodies of mails go after their time; what was decided, and what makes a mail known again, stays."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from moderator.adapters.mail.maildir import MaildirIntake, folder_for
from moderator.adapters.room import room_of
from moderator.adapters.tables import GameRow, MailRow, OutboxRow, PendingRow
from moderator.domain.outcome import Outcome
from moderator.entrypoints import cli
from moderator.entrypoints.processes.web import site_of
from moderator.service.intake import file_decided
from moderator.service.operation import retention
from moderator.service.operation.health import findings
from moderator.service.operation.releases import CannotBe, release, retry, send_again
from moderator.service.operation.retention import PROGRAMS, SUMS, sizes, sweep_bodies
from moderator.service.service_facts import recall_to_change, remember
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.shop import Shop

EACH = pytest.mark.usefixtures("each_database")


def changed(service: Service, **settings: object) -> None:
    object.__setattr__(service.desk, "settings", service.desk.settings.model_copy(update=settings))


def sweep(service: Service, **span: float) -> int:
    """Time passes, and all that has become old goes."""
    service.clock.pass_by(**span)
    count = 0
    while found := sweep_bodies(service.desk):
        count += found
    return count


def kept(service: Service) -> list[int]:
    """Mails whose messages are there."""
    with service.desk.database.reading() as session:
        rows = session.exec(select(MailRow).order_by(col(MailRow.id))).all()
        assert all((row.emptied_at is None) == bool(row.content) for row in rows)
        return [row.id or 0 for row in rows if row.content]


def row_of(service: Service, number: int) -> MailRow:
    with service.desk.database.reading() as session:
        return session.get_one(MailRow, number)


def railpost(service: Service, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words])
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


def stranger(service: Service, text: str = "hello") -> None:
    service.send(mail(text, sender="eve@elsewhere.example"), return_path="eve@elsewhere.example")
    service.run()


def robot(service: Service) -> None:
    headers = {"Auto-Submitted": "auto-replied"}
    service.send(mail("I am away", to=service.address("Ann"), headers=headers), service.address("Ann"))
    service.run()


def end_game(service: Service, name: str) -> None:
    with service.desk.database.transaction() as session:
        row = session.get_one(GameRow, name)
        row.status, row.finished_at = "finished", service.clock.now()


@EACH
def test_mails_of_strangers_and_programs_go_and_those_of_players_stay(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    stranger(service)
    robot(service)
    service.say("Ann", "open TSR 25")
    assert service.outcomes() == ["unknown_sender", "auto_reply", "applied"]
    before = row_of(service, 1)
    assert sweep(service, days=29) == 0
    assert kept(service) == [1, 2, 3]
    assert sweep(service, days=2) == 2 + 1  # and the answer to the stranger
    assert kept(service) == [3]
    after = row_of(service, 1)
    assert after.digest == hashlib.sha256(before.content).hexdigest()
    for name in ("sender", "received_at", "decided_at", "outcome", "detail", "verdict", "size", "envelope_from"):
        assert getattr(after, name) == getattr(before, name), name
    assert service.outcomes() == ["unknown_sender", "auto_reply", "applied"]


@EACH
def test_a_finished_games_mails_go_long_after_it_and_its_record_stays(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game, other = service.ready_game(), service.game(players=("Dan", "Eva", "Fay"))
    service.say("Ann", "open TSR 25")
    service.say("Dan", "open TSR 25")
    end_game(service, game)
    commands = (("game", "log", game), ("game", "export", game), ("game", "show", game))
    before = [railpost(service, *words) for words in commands]
    assert sweep(service, days=364) == 0
    assert sweep(service, days=2) > 1
    assert kept(service) == [2]
    assert [railpost(service, *words) for words in commands] == before
    with service.desk.database.reading() as session:
        ours = session.exec(select(OutboxRow)).all()
    assert {bool(row.text) for row in ours if row.game == game} == {False}
    assert {bool(row.text) for row in ours if row.game == other} == {True}
    assert all(row.subject and row.sent_at for row in ours)


@EACH
def test_with_0_nothing_ever_goes(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    changed(service, stranger_mail_days=0, finished_mail_days=0)
    game = service.ready_game()
    stranger(service)
    service.say("Ann", "open TSR 25")
    end_game(service, game)
    assert sweep(service, days=9_999) == 0
    assert kept(service) == [1, 2]


@EACH
def test_what_somebody_still_needs_is_kept_however_old(tmp_path: Path) -> None:
    """Not decided, put aside as an error, asked about; and a mail of ours that may still be sent."""
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.send(mail("open TSR 25", sender="eve@elsewhere.example", to=service.address("Ann")), service.address("Ann"))
    stranger(service)
    stranger(service, "again")
    service.run()
    service.send(mail("waits"))
    service.take_in()
    with service.desk.database.transaction() as session:
        session.get_one(MailRow, 2).outcome = "error"
        session.exec(select(PendingRow)).one().due_at = service.clock.now() + timedelta(days=9_999)
        ours = select(OutboxRow).where(OutboxRow.game == game).order_by(col(OutboxRow.id))
        for row in session.exec(ours).all()[:2]:
            row.state = "queued" if row.id == 1 else "kept"
    end_game(service, game)
    sweep(service, days=999)
    assert service.outcomes() == ["unconfirmed", "error", "unknown_sender", None]
    assert kept(service) == [1, 2, 4]
    with service.desk.database.reading() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        assert [row.id for row in rows if row.text and row.game] == [1, 2]


def test_a_mail_of_a_player_of_which_nothing_was_read_belongs_to_his_game(tmp_path: Path) -> None:
    """It is no stranger's."""
    service = Service.open(tmp_path)
    game = service.ready_game()
    head = f"From: ann@players.example\r\nTo: {service.address('Ann')}\r\n"
    content = f"{head}Content-Type: application/pkcs7-mime\r\n\r\nx"
    service.send(content.encode(), service.address("Ann"))
    service.run()
    assert service.outcomes() == ["unreadable"]
    assert (row_of(service, 1).game, row_of(service, 1).player) == (game, "Ann")
    sweep(service, days=99)
    assert kept(service) == [1]


@EACH
def test_the_same_mail_again_is_known_though_its_message_is_gone(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    to = service.address("Ann")
    content = mail("open TSR 25", to=to, message_id="<once@players.example>")
    service.send(content, to)
    service.run()
    changed(service, finished_mail_days=1)
    end_game(service, game)
    sweep(service, days=3)
    assert kept(service) == []
    with service.desk.database.transaction() as session:
        session.get_one(GameRow, game).status = "running"
    service.send(content, to)
    service.run()
    assert service.outcomes() == ["applied", "duplicate"]
    assert service.details()[1] == "of mail 1"


@EACH
def test_a_mail_that_is_sent_on_is_known_by_its_date_though_the_first_is_gone(tmp_path: Path) -> None:
    """Same Message-ID and Date, another decision: somebody may have sent on what the player wrote then."""
    service = Service.open(tmp_path)
    changed(service, finished_mail_days=1)
    game = service.ready_game()
    first = service.address("Ann")
    service.send(mail("open TSR 25", to=first, message_id="<once@players.example>"), first)
    service.run()
    service.say("Bob", "bid 30")
    service.say("Cat", "pass")
    end_game(service, game)
    sweep(service, days=3)
    assert row_of(service, 1).content == b""
    with service.desk.database.transaction() as session:
        session.get_one(GameRow, game).status = "running"
    to = service.address("Ann")
    assert to != first
    service.send(mail("bid 90", to=to, message_id="<once@players.example>"), to)
    service.run()
    assert service.outcomes()[-1] == "unconfirmed"


@EACH
def test_a_yes_to_a_mail_that_is_gone_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    service.send(mail("open TSR 25", sender="eve@elsewhere.example", to=service.address("Ann")), service.address("Ann"))
    service.run()
    with service.desk.database.transaction() as session:
        row = session.get_one(MailRow, 1)
        row.content, row.emptied_at = b"", service.clock.now()
    answer = service.say("Ann", "yes", to=service.address("Ann", "notice"))
    assert answer is not None
    assert service.outcomes() == ["unconfirmed", "stale"]
    assert service.details()[1] == "what mail 1 said is not kept any more"
    assert service.log(game) == []


@EACH
def test_commands_say_that_it_is_gone_and_try_nothing_with_it(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.ready_game()
    robot(service)
    service.say("Ann", "open TSR 25")
    digest = hashlib.sha256(row_of(service, 2).content).hexdigest()
    end_game(service, game)
    with service.desk.database.transaction() as session:
        session.get_one(OutboxRow, 1).state = "failed"
    sweep(service, days=400)
    text = railpost(service, "mail", "show", "2")
    assert "outcome: applied" in text
    assert "order 1 of 1861-1: Ann: open TSR 25" in text
    assert f"the text of mail 2 was deleted on 2027-04-05 (docs/operating.md); its SHA-256 was {digest}" in text
    assert "---- answered to ann@players.example" in text
    assert "the text of mail 2 was deleted" in railpost(service, "mail", "show", "2", "--raw", status=1)
    assert "its text was deleted on 2027-04-05" in railpost(service, "outbox", "show", "1")
    assert "applied" in railpost(service, "mail", "list", "--game", game)
    with pytest.raises(CannotBe, match="mail 1 was deleted on 2027-04-05"):
        release(service.desk, 1)
    with service.desk.database.transaction() as session:
        session.get_one(MailRow, 1).outcome = "error"
    with pytest.raises(CannotBe, match="cannot be read again"):
        retry(service.desk, 1)
    with pytest.raises(CannotBe, match="it cannot be sent"):
        send_again(service.desk, [1])


def test_it_goes_in_small_batches_and_is_looked_for_once_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_BATCH", 3)
    shop = Shop(tmp_path)
    service = shop.service
    for number in range(8):
        stranger(service, f"hello {number}")
    service.clock.pass_by(days=31)
    left = []
    for _ in range(4):
        shop.round.sweep()
        left.append(len(kept(service)))
    assert left == [5, 2, 0, 0]
    with service.desk.database.transaction() as session:
        session.get_one(MailRow, 1).emptied_at, session.get_one(MailRow, 1).content = None, b"x"
    service.clock.pass_by(minutes=30)
    shop.round.sweep()
    assert kept(service) == [1]
    service.clock.pass_by(minutes=31)
    shop.round.sweep()
    assert kept(service) == []


def test_the_file_of_sqlite_becomes_smaller(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    for number in range(12):
        service.send(mail(f"{number} " + "hello\n" * 20_000), return_path="eve@elsewhere.example")
    service.run()
    with service.desk.database.reading() as session:
        before = room_of(session)
    assert before.total > 1_500_000
    sweep(service, days=31)
    for _ in range(3):
        service.clock.pass_by(hours=1)
        sweep_bodies(service.desk)
    service.desk.database.close()
    with service.desk.database.reading() as session:
        after = room_of(session)
    assert after.total < 700_000
    assert after.free * 10 <= after.total
    assert (tmp_path / "railpost.db").stat().st_size == after.total
    with sqlite3.connect(tmp_path / "railpost.db") as link:
        assert link.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_that_cannot_shrink_uses_its_room_again_and_health_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that an older version made."""
    monkeypatch.setattr("moderator.service.operation.health._WASTED", 1_000_000)
    with sqlite3.connect(tmp_path / "railpost.db") as link:
        link.execute("CREATE TABLE older (x)")
        link.execute("DROP TABLE older")
    service = Service.open(tmp_path)
    for number in range(16):
        service.send(mail(f"{number} " + "hello\n" * 20_000), return_path="eve@elsewhere.example")
    service.run()
    assert finding(service).state == "green"
    sweep(service, days=31)
    assert finding(service).state == "look"
    assert "cannot shrink by itself" in railpost(service, "health", status=1)
    total = finding(service).facts["total"]
    for number in range(8):
        service.send(mail(f"{number} " + "hello\n" * 20_000), return_path="eve@elsewhere.example")
    service.run()
    assert finding(service).facts["total"] == total
    service.desk.database.close()
    with sqlite3.connect(tmp_path / "railpost.db") as link:  # as docs/operating.md says
        link.execute("PRAGMA auto_vacuum=INCREMENTAL")
        link.execute("VACUUM")
    link.close()
    assert finding(service).state == "green"
    assert finding(service).facts["total"] < total


def finding(service: Service) -> Any:
    return next(one for one in findings(service.desk, "0") if one.key == "size")


@EACH
def test_sizes_in_health_and_metrics(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    stranger(service)
    service.say("Ann", "open TSR 25")
    with service.desk.database.reading() as session:
        mails = session.exec(select(MailRow).order_by(col(MailRow.id))).all()
        ours = session.exec(select(OutboxRow)).all()
        found = sizes(session)
    assert found["mail"] == sum(len(row.content) for row in mails) > 0
    assert found["outbox"] == sum(len(row.text.encode()) + len(row.html.encode()) for row in ours) > 1_000
    assert found["rows"] == {"mail": 2, "outbox": len(ours), "entry": 1, "token": found["rows"]["token"]}
    assert found["total"] > found["outbox"]
    text = railpost(service, "health", status=1)
    assert f"2 mails, {len(ours)} of ours, 1 orders" in text
    told = json.loads(railpost(service, "health", "--json", status=1))
    size = next(one for one in told["findings"] if one["name"] == "size")
    assert (size["state"], size["mail"], size["rows"]["entry"]) == ("green", found["mail"], 1)
    metrics = site_of(service.desk).metrics().body
    assert f"railpost_mail_bytes {found['mail']:.1f}" in metrics
    assert f"railpost_outbox_bytes {found['outbox']:.1f}" in metrics
    for name in ('railpost_rows{table="mail"} 2.0', "railpost_database_bytes ", "railpost_database_free_bytes "):
        assert name in metrics
    sweep(service, days=31)
    assert finding(service).facts["mail"] == len(mails[1].content)


@EACH
def test_sizes_add_only_the_mails_that_came_after_the_last_search(tmp_path: Path) -> None:
    """Health and metrics added up all mails at every call, which took longer with each mail."""
    service = Service.open(tmp_path)
    service.ready_game()
    sweep(service, hours=2)
    with service.desk.sitting() as sitting:
        known = recall_to_change(sitting.session, SUMS)
        assert known is not None and known["last_outbox"] > 0
        remember(sitting, SUMS, {**known, "mail": 7_000_000, "outbox": 9_000_000})
        before = {row.id for row in sitting.session.exec(select(OutboxRow)).all()}
    service.say("Ann", "open TSR 25")
    service.run()
    with service.desk.database.reading() as session:
        mails, ours = session.exec(select(MailRow)).all(), session.exec(select(OutboxRow)).all()
        found = sizes(session)
    assert found["mail"] == 7_000_000 + sum(row.size for row in mails if (row.id or 0) > known["last_mail"])
    assert found["outbox"] == 9_000_000 + sum(row.size for row in ours if row.id not in before)
    sweep(service, hours=2)  # the search for old bodies counts anew
    with service.desk.database.reading() as session:
        found = sizes(session)
    assert (found["mail"], found["outbox"]) == (sum(row.size for row in mails), sum(row.size for row in ours))


def test_a_restore_does_not_answer_what_is_gone(tmp_path: Path) -> None:
    """A mail that came since the copy, and of which nothing is left, is decided already."""
    service = Service.open(tmp_path)
    service.ready_game()
    railpost(service, "backup", str(tmp_path / "copy.db"))
    stranger(service)
    stranger(service, "later")
    settings = service.desk.settings
    file_decided(service.desk, MaildirIntake(folder_for(settings.mail_folder, settings.address)))
    with service.desk.database.transaction() as session:
        row = session.get_one(MailRow, 1)
        row.content, row.emptied_at = b"", service.clock.now()
    assert "1 mail" in railpost(service, "restore", str(tmp_path / "copy.db"), "--replace")
    assert service.outcomes() == [None]
    service.run()
    assert service.outcomes() == ["unknown_sender"]


def test_what_counts_as_a_programs_is_never_a_players_decision() -> None:
    decided: set[Outcome] = {"applied", "partial", "held", "refused", "press", "withdrawn", "unconfirmed", "confirmed"}
    assert not decided & set(PROGRAMS)
