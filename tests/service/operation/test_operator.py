"""What the operator sees and does: logs without secrets, alarms, mails let go, a quota."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sqlmodel import col, select
from typer.testing import CliRunner

from moderator.adapters.hook import CommandHook
from moderator.adapters.logs import JsonLines, TextLines
from moderator.adapters.tables import MailRow, OutboxRow, SeatToken
from moderator.domain.ports import Barred, Never, NotNow
from moderator.domain.redaction import redact
from moderator.entrypoints import cli
from moderator.service.operation.alarms import Alarms
from moderator.service.post.list_headers import stop_token
from moderator.service.post.outbox import ALARM, queue_operator
from moderator.service.service_facts import all_kept
from tests.kit.service.broken_database import impatient, locked
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.shop import Shop

pytestmark = pytest.mark.usefixtures("each_database")

# ---- logs


@pytest.fixture
def written() -> Iterator[dict[str, io.StringIO]]:
    """What the log says, in both forms, at every level."""
    root = logging.getLogger()
    level, streams = root.level, {}
    handlers: list[logging.Handler] = []
    for name, form in (("text", TextLines()), ("json", JsonLines())):
        streams[name] = io.StringIO()
        handler = logging.StreamHandler[io.StringIO](streams[name])
        handler.setFormatter(form)
        handlers.append(handler)
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield streams
    root.setLevel(level)
    for added in handlers:
        root.removeHandler(added)


def test_a_whole_scenario_leaves_no_word_and_no_secret_in_the_log(
    tmp_path: Path, written: dict[str, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(tmp_path)
    service = shop.service
    complain = logging.getLogger("railpost").error
    shop.round.complain = complain
    game = shop.game()
    said = ["xyzzyplugh", "frobnicate", "quuxbazfoo", "plover"]
    service.say("Ann", f"open TSR 25\nopne {said[0]}")
    service.say("Ann", "open TSR 25")
    service.say("Bob", "bid 30\nlimit 60")
    service.send(mail(said[1], sender="eve@elsewhere.example", to="railpost@example.org", subject=said[2]))
    service.send(mail("x", headers={"Auto-Submitted": "auto-replied"}, subject=said[3]), service.address("Cat"))
    service.send(b"\xff\xfe" + said[0].encode() + b"\n" * 3, service.address("Cat"))
    shop.round.sweep()
    for error in (NotNow(f"450 <{service.address('Ann')}> try later"), Never(f"550 <{service.address('Bob')}> gone")):
        shop.smtp.error = error
        service.send(mail("help", sender="cat@players.example", to=service.address("Cat")), service.address("Cat"))
        shop.round.mail()
    shop.smtp.error = None

    def broken(*_: object) -> None:
        raise RuntimeError(f"{said[1]} {service.address('Ann')}")

    with monkeypatch.context() as patched:
        patched.setattr("moderator.service.decision.stages.sort_out", broken)
        service.send(mail(f"bid 90\n{said[2]}", to=service.address("Ann")), service.address("Ann"))
        shop.round.mail()
    shop.imap.error = Barred(f"LOGIN railpost password={said[3]} refused")
    shop.round.sweep()
    with service.desk.sitting() as sitting:
        secrets = [row.token for row in sitting.session.exec(select(SeatToken)).all()]
        secrets += [stop_token(sitting, service.seat(game, name)) for name in ("Ann", "Bob", "Cat")]
        secrets += [
            row.return_path.split("@")[0].rpartition("+")[2] for row in sitting.session.exec(select(OutboxRow)).all()
        ]
    text = "\n".join(stream.getvalue() for stream in written.values())
    assert len(secrets) > 20
    assert "mail 1:" in text
    assert "alarm:" in text
    for secret in [*secrets, *said]:
        assert secret not in text
    for line in written["json"].getvalue().splitlines():
        assert {"time", "level", "event", "message"} <= json.loads(line).keys()
    decided = [json.loads(line) for line in written["json"].getvalue().splitlines() if '"outcome"' in line]
    assert {"mail": 2, "outcome": "applied", "game": game, "player": "Ann"}.items() <= decided[1].items()


_TOKENS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=26, max_size=26)


@given(token=_TOKENS, before=st.text(max_size=40), after=st.text(max_size=40), upper=st.booleans())
def test_a_secret_address_is_in_no_line_whatever_stands_round_it(
    token: str, before: str, after: str, upper: bool
) -> None:
    assume(token not in before.lower() and token not in after.lower())
    address = f"railpost+1861-7.2.{token}@example.org"
    text = redact(f"{before}{address.upper() if upper else address}{after}")
    assert token not in text.lower()


@given(token=_TOKENS, before=st.sampled_from(["", " ", "<", "token ", "/unsubscribe/3.", "railpost+stop.3.", "'", ":"]))
def test_a_bare_secret_word_is_in_no_line(token: str, before: str) -> None:
    assert token not in redact(f"seen {before}{token} there")


def test_what_is_no_secret_stays() -> None:
    line = "mail 143: applied 1861-7; outbox 12 sent to ann@players.example at 2026-03-01 12:00:00"
    assert redact(line) == line
    assert redact("postgresql+psycopg://me:pa55@db/railpost") == "postgresql+psycopg://me:***@db/railpost"


# ---- alarms


def alarmed(service: Service, command: str, **changed: object) -> tuple[Service, Alarms]:
    settings = service.desk.settings.model_copy(update={"alarm_command": command, **changed})
    desk = replace(service.desk, settings=settings)
    return replace(service, desk=desk), Alarms(desk, CommandHook(command, 1.0))


def test_what_the_operator_is_mailed_is_told_by_his_command_too(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}")
    with service.desk.sitting() as sitting:
        queue_operator(sitting, "the house is on fire")
    assert alarms.pass_on() == 1
    assert told.read_text() == "the house is on fire\n"
    assert alarms.pass_on() == 0
    service.run()
    assert "on fire" in service.mailbox("master@example.net")[0].text


def test_the_command_works_when_mail_does_not(tmp_path: Path) -> None:
    told = tmp_path / "told"
    shop = Shop(tmp_path)
    service, _ = alarmed(shop.service, f"tee -a {told}")
    shop.service = service
    shop.round = shop.another(service.desk)
    shop.game()
    shop.smtp.error = Barred("smtp.example.org refuses our login: 535 expired")
    service.send(mail("help", to=service.address("Ann")), service.address("Ann"))
    shop.round.sweep()
    assert "refuses the login: smtp.example.org refuses our login" in told.read_text()
    assert service.mailbox("master@example.net") == []


def test_the_command_is_run_so_often_an_hour_and_says_how_much_is_left(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}", alarms_per_hour=2)
    for number in range(5):
        with service.desk.sitting() as sitting:
            queue_operator(sitting, f"trouble {number}", at_once=True)
        service.clock.pass_by(seconds=1)
    assert alarms.pass_on() == 2
    assert "and 3 more" in told.read_text()
    assert alarms.pass_on() == 0
    service.clock.pass_by(hours=1)
    assert alarms.pass_on() == 2
    service.clock.pass_by(hours=1)
    assert alarms.pass_on() == 1
    assert told.read_text().count("trouble") == 5


def test_the_same_alarm_comes_once_while_the_database_goes_and_comes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}")
    with impatient(service.desk.database), locked(service.desk.database):
        for _ in range(2):
            alarms.tell("database", why="locked")
    alarms.tell("database", why="locked")
    assert alarms.pass_on() == 0
    assert told.read_text().count("cannot be used") == caplog.text.count("alarm: ") == 1


def test_an_alarm_that_was_passed_on_is_not_told_again_when_the_database_goes(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}")
    alarms.tell("database", why="locked")
    assert alarms.pass_on() == 1
    with impatient(service.desk.database), locked(service.desk.database):
        alarms.tell("database", why="locked")
    assert told.read_text().count("cannot be used") == 1


def test_an_alarm_that_waits_in_a_database_that_goes_is_told_past_it_and_not_again(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}")
    alarms.tell("database", why="locked")
    with impatient(service.desk.database), locked(service.desk.database):
        alarms.tell("database", why="locked")
    assert told.read_text().count("cannot be used") == 1
    alarms.pass_on()
    assert told.read_text().count("cannot be used") == 1
    assert alarms.pass_on() == 0


@pytest.mark.parametrize(
    ("command", "why"),
    [("false", "ended with 1"), ("/nowhere/at/all", "cannot be started"), ("sleep 30", "did not end within")],
)
def test_a_command_that_fails_is_tried_again(
    tmp_path: Path, command: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    service, alarms = alarmed(Service.open(tmp_path), command)
    with service.desk.sitting() as sitting:
        queue_operator(sitting, "trouble")
    assert alarms.pass_on() == 0
    assert why in caplog.text
    with service.desk.database.reading() as session:
        assert len(all_kept(session, ALARM)) == 1


def test_an_alarm_names_no_secret_address(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service, alarms = alarmed(Service.open(tmp_path), f"tee -a {told}")
    service.game()
    with service.desk.sitting() as sitting:
        queue_operator(sitting, f"550 <{service.address('Ann')}> unknown")
    alarms.pass_on()
    assert service.address("Ann") not in told.read_text()
    assert "550 <railpost+1861-1.1.***@example.org> unknown" in told.read_text()


# ---- mails that are let go


def railpost(service: Service, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words])
    assert result.exit_code == status, (result.output, result.exception)
    return result.output


def test_a_mail_that_was_taken_for_a_programs_is_released_and_read(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game()
    robot = mail("open TSR 25", to=service.address("Ann"), headers={"Precedence": "bulk"})
    service.send(robot, service.address("Ann"))
    service.run()
    assert service.outcomes() == ["robot"]
    assert "robot" in railpost(service, "mail", "list", "--outcome", "robot", "--since", "2026-03-01")
    assert "robot" not in railpost(service, "mail", "list", "--since", "2027-03-01")
    assert "robot" not in railpost(service, "mail", "list", "--outcome", "waiting")
    railpost(service, "mail", "list", "--since", "yesterday", status=2)
    railpost(service, "mail", "retry", "1", status=1)
    railpost(service, "mail", "release", "1")
    assert "waiting" in railpost(service, "mail", "list", "--outcome", "waiting")
    service.run()
    assert service.outcomes() == ["applied"]
    assert service.log(game) == ["Ann: open TSR 25"]
    railpost(service, "mail", "release", "1", status=1)
    railpost(service, "mail", "release", "9", status=1)


def test_spam_that_is_none_is_released(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game()
    service.send(mail("hello", sender="new@elsewhere.example", headers={"X-Spam-Flag": "YES"}))
    service.run()
    assert service.outcomes() == ["quarantine"]
    railpost(service, "mail", "release", "1")
    service.run()
    assert service.outcomes() == ["unknown_sender"]


@pytest.mark.fault(93)
def test_a_mail_on_which_the_engine_breaks_is_kept_told_tried_again_or_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service.open(tmp_path)
    first, second = service.game(), service.game(players=("Dan", "Eva", "Fay"))
    with monkeypatch.context() as patched:
        patched.setattr("moderator.service.decision.stages.sort_out", lambda *_: 1 / 0)
        answer = service.say("Ann", "open TSR 25")
    assert service.outcomes() == ["error"]
    assert answer is not None and "Something went wrong on our side" in answer.text
    assert "mail 1" in service.mailbox("master@example.net")[0].text
    service.say("Dan", "open TSR 25")
    assert service.log(second) == ["Dan: open TSR 25"]
    assert service.log(first) == []
    railpost(service, "mail", "retry", "1")
    service.run()
    assert service.log(first) == ["Ann: open TSR 25"]
    with service.desk.database.transaction() as session:
        row = session.get(MailRow, 1)
        assert row is not None
        row.outcome = "error"
    railpost(service, "mail", "drop", "1")
    assert "given up" in railpost(service, "mail", "show", "1")
    railpost(service, "mail", "drop", "1", status=1)


def test_mails_of_ours_are_listed_shown_and_sent_again(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game()
    with service.desk.database.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        rows[0].state, rows[0].error = "failed", "550 no such user"
        rows[1].state, rows[1].error = "kept", "stopped"
    assert "550 no such user" in railpost(service, "outbox", "list", "--state", "failed")
    assert "550" not in railpost(service, "outbox", "list", "--game", "1861-9", status=1)
    assert "550" not in railpost(service, "outbox", "list", "--since", "2030-01-01")
    assert "failed" in railpost(service, "outbox", "show", "1")
    railpost(service, "outbox", "show", "99", status=1)
    railpost(service, "outbox", "retry", "3", status=1)
    railpost(service, "outbox", "retry", "99", status=1)
    railpost(service, "outbox", "retry", "1")
    railpost(service, "outbox", "release", "2")
    railpost(service, "outbox", "release", status=1)
    service.clock.moment = datetime.now(UTC)  # which is that of the commands
    service.run()
    with service.desk.database.reading() as session:
        assert {row.state for row in session.exec(select(OutboxRow)).all()} == {"sent"}


# ---- the quota


@pytest.mark.fault(88)
def test_88_the_quota_is_kept_for_what_games_wait_for_and_the_operator_is_told(tmp_path: Path) -> None:
    told = tmp_path / "told"
    shop = Shop(tmp_path)
    shop.service, _ = alarmed(shop.service, f"tee -a {told}", mails_per_day=20)
    shop.round = shop.another(shop.service.desk)
    service = shop.service
    service.game()
    with service.desk.database.transaction() as session:
        template = session.exec(select(OutboxRow)).first()
        assert template is not None
        for number in range(60):
            kind, priority = (("news", 2), ("operator", 1), ("turn", 0))[number % 3]
            values = template.model_dump(exclude={"id"})
            values |= {"message_id": f"<{number}@x>", "kind": kind, "priority": priority, "state": "queued"}
            session.add(OutboxRow(**values | {"recipient": f"p{number}@players.example", "sent_at": None}))
    for _ in range(10):
        shop.round.sweep()
    assert sent(service) == {"welcome": 3, "turn": 17}
    assert "quota of 20 mails is used up" in told.read_text()
    assert told.read_text().count("used up") == 1
    service.clock.pass_by(hours=13)
    for _ in range(10):
        shop.round.sweep()
    assert sent(service) == {"welcome": 3, "turn": 21, "operator": 14}  # nine tenths: a turn mail can still go


def sent(service: Service) -> dict[str, int]:
    """How many mails went, by kind."""
    with service.desk.database.reading() as session:
        kinds = session.exec(select(OutboxRow.kind).where(OutboxRow.state == "sent")).all()
    return {kind: kinds.count(kind) for kind in kinds}


@pytest.mark.fault(88)
def test_88_what_was_not_tried_is_not_counted(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.service, _ = alarmed(shop.service, "true", mails_per_day=5)
    shop.round = shop.another(shop.service.desk)
    shop.smtp.error = Barred("away")
    with shop.service.desk.sitting() as sitting:
        for number in range(3):
            queue_operator(sitting, f"trouble {number}", at_once=True)
    for _ in range(6):
        shop.round.mail()
    shop.smtp.error = None
    for _ in range(3):
        shop.round.mail()
    assert len(shop.service.mailbox("master@example.net")) == 3 + 1  # and that the server does not let us in
