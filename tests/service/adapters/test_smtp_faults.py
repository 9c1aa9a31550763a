"""An SMTP server that refuses, delays and goes away. Rows 81 to 86: whom an answer concerns, what is tried again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

import engine
from moderator.adapters.mail.maildir import MaildirIntake, folder_for
from moderator.adapters.mail.message import build
from moderator.adapters.mail.server import Backoff, Server
from moderator.adapters.mail.smtp import SmtpOutlet
from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import Away, Doubtful, Never, NotNow, Outgoing
from moderator.service.intake import take_in
from moderator.service.operation.health import Finding, findings
from moderator.service.pipeline import process, work_off
from moderator.service.post.delivery import send_due
from tests.kit.mail_system.fake_smtp import FakeSmtp
from tests.kit.patience import PATIENCE, SILENCE
from tests.kit.service.mail_service import START, Service, mail


def outgoing(recipient: str = "ann@players.example", number: int = 1, text: str = "Your turn.") -> Outgoing:
    return Outgoing(
        message_id=f"<{number}@example.org>", recipient=recipient,
        return_path=f"railpost-bounces+{number}@example.org", sender="railpost@example.org",
        reply_to="railpost+1.1.secret@example.org", subject="Your turn", text=text, html="", created_at=START,
    )  # fmt: skip


@contextmanager
def outlet(
    fake: FakeSmtp, user: str = "", password_file: Path | None = None, timeout: float = PATIENCE
) -> Iterator[SmtpOutlet]:
    server = Server("127.0.0.1", fake.port, "none", user, password_file, timeout=timeout)
    opened = SmtpOutlet(server, "example.org", Backoff(first=0.0))
    try:
        yield opened
    finally:
        opened.close()


def refusal(fake: FakeSmtp, command: str, answer: str) -> Exception:
    """What sending says when the server answers so; afterwards the next mail must go."""
    with outlet(fake, timeout=SILENCE if answer == "hang" else PATIENCE) as out:
        fake.answers[command] = [answer]
        with pytest.raises((NotNow, Never)) as refused:
            out.send(outgoing())
        fake.answers.clear()
        out.send(outgoing(number=2))
    assert b"<2@example.org>" in fake.taken[-1]
    return refused.value


def test_a_mail_goes_with_a_return_path_of_its_own() -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        out.send(outgoing(number=1))
        out.send(outgoing("bob@players.example", 2))
        said = [line for line in fake.said if line.startswith(("MAIL", "RCPT"))]
        assert [re.findall("<.*?>", line) for line in said] == [
            ["<railpost-bounces+1@example.org>"], ["<ann@players.example>"],
            ["<railpost-bounces+2@example.org>"], ["<bob@players.example>"],
        ]  # fmt: skip
        assert fake.connections == 1
        assert fake.said[0] == "EHLO example.org"
        assert fake.taken[0].startswith(build(outgoing())[:40])


@pytest.mark.fault(82)
@pytest.mark.parametrize(
    ("command", "answer", "after"),
    [
        ("RCPT", "450 4.2.0 Greylisted, see http://help.example", timedelta(minutes=5)),
        ("RCPT", "450 4.7.1 Greylisted for 300 seconds", timedelta(seconds=300)),
        ("RCPT", "451 4.7.1 Please try again in 7 minutes", timedelta(minutes=7)),
        ("RCPT", "452 4.2.2 Mailbox full", None),
        ("MAIL", "451 4.3.0 Temporary lookup failure", None),
        ("DATA", "451 4.3.0 Error: queue file write error", None),
        ("END", "451 4.7.0 Try again in 99999 hours", timedelta(hours=4)),
    ],
)
def test_82_what_may_work_later(command: str, answer: str, after: timedelta | None) -> None:
    with FakeSmtp() as fake:
        refused = refusal(fake, command, answer)
    assert type(refused) is NotNow
    assert refused.after == after
    assert str(refused) == answer


@pytest.mark.fault(83)
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("RCPT", "550 5.1.1 User unknown"),
        ("RCPT", "552 5.2.2 Mailbox full"),
        ("RCPT", "554 5.7.1 Blocked by policy of the recipient"),
        ("END", "552 5.3.4 Message size exceeds limit"),
        ("END", "550 5.7.1 Looks like spam"),
        ("MAIL", "552 5.3.4 Message size exceeds limit"),
    ],
)
def test_83_what_never_works_concerns_one_mail(command: str, answer: str) -> None:
    with FakeSmtp() as fake:
        refused = refusal(fake, command, answer)
        assert fake.connections == 1
    assert isinstance(refused, Never)


@pytest.mark.fault(81, 82)
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("GREETING", "421 4.3.2 Too busy"),
        ("GREETING", "554 5.3.2 No service here"),
        ("GREETING", "hang"),
    ],
)
def test_81_what_concerns_every_mail(command: str, answer: str) -> None:
    with FakeSmtp() as fake:
        assert isinstance(refusal(fake, command, answer), Away)


@pytest.mark.fault(81, 82)
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("MAIL", "421 4.7.0 Too much mail"),
        ("RCPT", "421 4.4.2 Timeout"),
        ("MAIL", "530 5.7.0 Authentication required"),
        ("MAIL", "553 5.7.1 Sender address rejected: not owned by user"),
        ("RCPT", "554 5.7.1 <ann@players.example>: Relay access denied"),
        ("RCPT", "550 5.7.30 Basic authentication is not supported"),
        ("RCPT", "550 5.4.5 Daily sending quota exceeded"),
        ("RCPT", "cut"),
        ("RCPT", "hang"),
        ("END", "cut"),
        ("END", "hang"),
    ],
)
def test_81_a_failure_in_a_mail_concerns_every_mail_once_two_recipients_have_met_it(command: str, answer: str) -> None:
    with FakeSmtp() as fake, outlet(fake, timeout=SILENCE if answer == "hang" else PATIENCE) as out:
        for _ in range(1 if answer == "hang" else 2):  # and again, while the server stays so
            fake.answers[command] = [answer] * 4
            with pytest.raises(Doubtful):
                out.send(outgoing())
            with pytest.raises(Away):
                out.send(outgoing("bob@players.example", 2))
        fake.answers.clear()
        out.send(outgoing(number=3))
        fake.answers[command] = [answer] * 2
        with pytest.raises(Doubtful):
            out.send(outgoing("bob@players.example", 4))


@pytest.mark.fault(81)
@pytest.mark.parametrize("answer", ["421 4.3.2 Too busy", "500 5.5.1 No such thing", "cut"])
def test_81_a_server_that_fails_at_noop_is_away_whoever_is_written_to(answer: str) -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        out.send(outgoing())
        fake.answers["NOOP"] = [answer]
        with pytest.raises(Away, match="broke off"):
            out.probe()
        out.probe()
        assert fake.connections == 2 and len(fake.taken) == 1


_QUOTES = [
    "550 5.1.1 <ann@players.example>: 550 5.7.1 Relay access denied",
    '550 5.7.0 The other server said: "550 5.7.1 Relay access denied"',
    "554 5.4.4 mx.players.example said: 530 5.7.0 Authentication required",
    "550 <ann@players.example> refused: 554 5.7.1 Unable to relay",
    "450 4.2.0 <ann@players.example>: daily sending quota exceeded",
    "450 4.4.1 mx.players.example replied 450 4.7.1 daily sending quota exceeded",
    "451 (host mx.players.example said: hourly quota exceeded for your domain)",
]


@pytest.mark.fault(83)
@pytest.mark.parametrize("answer", _QUOTES)
def test_83_what_the_server_quotes_from_another_concerns_one_recipient(answer: str) -> None:
    with FakeSmtp() as fake:
        assert type(refusal(fake, "RCPT", answer)) is (NotNow if answer.startswith("45") else Never)


@pytest.mark.fault(81)
def test_81_a_refused_login_says_so_without_the_password(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("open sesame\n")
    with FakeSmtp() as fake, outlet(fake, "railpost@example.org", secret) as out:
        fake.answers["AUTH"] = ["535 5.7.8 Authentication credentials invalid"]
        with pytest.raises(Away, match=r"refuses our login: 5.7.8 Authentication credentials invalid") as refused:
            out.send(outgoing())
        assert "sesame" not in str(refused.value)
        out.send(outgoing())


@pytest.mark.fault(81, 88)
@pytest.mark.parametrize("answer", ["550 5.7.1 Relaying denied", "550 5.4.5 Daily sending quota exceeded"])
def test_81_a_server_that_lets_us_in_and_takes_nothing_is_left_alone_ever_longer(answer: str) -> None:
    passed = [0.0]
    backoff = Backoff(first=1.0, now=lambda: passed[0])
    pauses = []
    with FakeSmtp() as fake:
        out = SmtpOutlet(Server("127.0.0.1", fake.port, "none", timeout=PATIENCE), "example.org", backoff)
        try:
            for _ in range(3):
                fake.answers["RCPT"] = [answer] * 2
                with pytest.raises(Doubtful):
                    out.send(outgoing())
                with pytest.raises(Away):
                    out.send(outgoing("bob@players.example"))
                pauses.append(backoff.left())
                with pytest.raises(Away, match="not tried again"):
                    out.send(outgoing(number=2))
                passed[0] += pauses[-1]
            fake.answers.clear()
            out.send(outgoing(number=3))
        finally:
            out.close()
    assert pauses == [1.0, 2.0, 4.0]
    assert len(fake.taken) == 1 and backoff.left() == 0.0


@pytest.mark.fault(82)
def test_82_a_connection_that_ended_between_two_mails_is_no_fault() -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        out.send(outgoing())
        fake.answers["MAIL"] = ["cut"]
        out.send(outgoing(number=2))
        assert fake.connections == 2
        assert len(fake.taken) == 2


def test_what_a_server_cannot_carry_is_not_sent() -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        with pytest.raises(Never):
            out.send(outgoing("änne@players.example"))
        with pytest.raises(Never):
            out.send(outgoing("ann@players.example>\r\nRCPT TO:<eve@elsewhere.example"))
        assert not any("eve@" in line for line in fake.said)
        assert fake.taken == []


def test_our_mails_are_seven_bits_wide() -> None:
    """So that no server needs to carry more."""
    assert build(outgoing(text="Zürich – Genève\n")).isascii()


# ---- with the outbox


def sending(service: Service, out: SmtpOutlet) -> list[tuple[str, str, int]]:
    """Send what is due; recipient, state and attempts of every mail."""
    send_due(service.desk, out, service.complaints.append)
    with service.desk.database.reading() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        return [(row.recipient.partition("@")[0], row.state, row.attempts) for row in rows]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Ann, Bob and Cat have got their first mails; Ann is asked, and her order is decided and not yet answered."""
    service = Service.open(tmp_path)
    service.game()
    service.send(mail("open TSR 25", to=service.address("Ann")), service.address("Ann"))
    service.take_in()
    work_off(service.desk, service.complaints.append)
    return service


def first(service: Service) -> int:
    with service.desk.database.reading() as session:
        return len(session.exec(select(OutboxRow).where(OutboxRow.state == "sent")).all())


@pytest.mark.fault(82)
def test_82_a_mail_waits_as_long_as_the_server_says(service: Service) -> None:
    done = first(service)
    with FakeSmtp() as fake, outlet(fake) as out:
        fake.answers["RCPT"] = ["450 4.7.1 Greylisted for 300 seconds"]
        sent = sending(service, out)[done:]
        assert sent[0] == ("ann", "queued", 1)
        assert {state for _, state, _ in sent[1:]} == {"sent"}
        service.clock.pass_by(seconds=299)
        assert sending(service, out)[done] == ("ann", "queued", 1)
        service.clock.pass_by(seconds=2)
        assert sending(service, out)[done] == ("ann", "sent", 2)


@pytest.mark.fault(82)
def test_82_a_way_out_that_takes_nothing_for_a_minute_shows_in_health_while_it_lasts(service: Service) -> None:
    done = first(service)
    with FakeSmtp() as fake, outlet(fake) as out:
        fake.answers["DATA"] = ["451 4.3.0 Error: queue file write error"] * 50
        assert {state for _, state, _ in sending(service, out)[done:]} == {"queued"}
        assert refusing(service) == []
        service.clock.pass_by(minutes=1)
        found = refusing(service)
        assert [one.state for one in found] == ["red"] and "queue file write error" in found[0].facts["why"]
        fake.answers.clear()
        service.clock.pass_by(minutes=10)
        assert {state for _, state, _ in sending(service, out)[done:]} == {"sent"}
        assert refusing(service) == []


@pytest.mark.fault(82)
def test_82_one_recipient_whose_server_has_us_wait_is_no_alarm(service: Service) -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        sending(service, out)
        service.clock.pass_by(seconds=1)
        service.send(mail("show map", to=service.address("Ann")), service.address("Ann"))
        service.take_in()
        work_off(service.desk, service.complaints.append)
        fake.answers["RCPT"] = ["450 4.2.0 Greylisted"] * 50
        sending(service, out)
        service.clock.pass_by(minutes=2)
        assert [one.state for one in refusing(service)] == ["look"]


def refusing(service: Service) -> list[Finding]:
    return [one for one in findings(service.desk, engine.__version__) if one.key == "refusals"]


@pytest.mark.fault(83)
def test_83_a_refused_recipient_leaves_the_others_alone(service: Service) -> None:
    done = first(service)
    with FakeSmtp() as fake, outlet(fake) as out:
        fake.answers["RCPT"] = ["550 5.1.1 User unknown"]
        sent = sending(service, out)[done:]
    assert sent[0] == ("ann", "failed", 1)
    assert {state for _, state, _ in sent[1:]} == {"sent"}


@pytest.mark.fault(82, 83)
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("RCPT", "550 5.7.1 Relay access denied"),
        ("RCPT", "550 5.1.1 <ann@players.example>: 550 5.7.1 Relay access denied"),
        ("RCPT", "450 4.7.1 daily sending quota exceeded"),
        ("RCPT", "421 4.7.0 Go away"),
        ("RCPT", "cut"),
        ("END", "cut"),
    ],
)
def test_83_a_recipient_whom_the_server_always_fails_goes_behind_the_others(
    service: Service, command: str, answer: str
) -> None:
    done = first(service)
    with FakeSmtp(only="ann@players.example") as fake, outlet(fake) as out:
        fake.answers[command] = [answer] * 1_000
        sending(service, out)
        service.clock.pass_by(hours=1)
        sent = sending(service, out)[done:]
        assert {state for name, state, _ in sent if name != "ann"} == {"sent"}
        ann = [(state, tries) for name, state, tries in sent if name == "ann"]
        assert all(state in ("queued", "failed") for state, _ in ann) and max(tries for _, tries in ann) >= 1


@pytest.mark.fault(84)
def test_84_texts_that_end_the_connection_count_as_tried_though_two_recipients_have_them(service: Service) -> None:
    """Otherwise the two oldest mails would be tried for ever, and nobody else would get anything."""
    with service.desk.database.transaction() as session:  # every first mail goes again
        for row in session.exec(select(OutboxRow).where(OutboxRow.state == "sent")).all():
            row.state, row.attempts = "queued", 0
    with FakeSmtp(only="(ann|bob)@players.example") as fake, outlet(fake) as out:
        fake.answers["END"] = ["cut"] * 1_000
        sending(service, out)
        sent = sending(service, out)
    assert {state for name, state, _ in sent if name == "cat"} == {"sent"}
    assert {name for name, state, tries in sent if state == "queued" and tries} == {"ann", "bob"}


@pytest.mark.fault(82)
def test_82_while_the_server_is_away_no_mail_counts_an_attempt(service: Service) -> None:
    done = first(service)
    with FakeSmtp() as fake, outlet(fake) as out:
        fake.answers["GREETING"] = ["421 4.3.2 Too busy"] * 3
        for _ in range(3):
            assert {(state, tries) for _, state, tries in sending(service, out)[done:]} == {("queued", 0)}
        service.clock.pass_by(days=20)  # longer than a mail is tried: none was
        assert {state for _, state, _ in sending(service, out)[done:]} == {"sent"}


@pytest.mark.fault(84)
def test_84_a_mail_whose_end_was_not_answered_goes_again_with_the_same_message_id(service: Service) -> None:
    with FakeSmtp() as fake, outlet(fake) as out:
        fake.answers["END"] = ["cut"]  # the server has it, and we do not know
        sending(service, out)
        service.clock.pass_by(minutes=3)
        sending(service, out)
        names = [found[1] for content in fake.taken if (found := re.search(rb"Message-ID: (\S+)", content))]
    assert names.count(names[0]) == 2 and len(set(names)) == len(names) - 1


@pytest.mark.fault(84)
def test_84_killed_after_the_server_took_it(service: Service) -> None:
    """The row is still leased to a service that is no more: when the lease runs out the mail goes again, as it was."""

    class Killed(BaseException):
        pass

    class Dying:
        def __init__(self, out: SmtpOutlet) -> None:
            self.out = out

        def send(self, outgoing: Outgoing) -> None:
            self.out.send(outgoing)
            raise Killed

    with FakeSmtp() as fake, outlet(fake) as out:
        with pytest.raises(Killed):
            send_due(service.desk, Dying(out), service.complaints.append)
        service.clock.pass_by(seconds=service.desk.settings.lease_seconds + 1)
        sending(service, out)
        names = [re.search(rb"Message-ID: (\S+)", content) for content in fake.taken]
    found = [name[1] for name in names if name]
    assert found[0] == found[1]
    assert len(set(found)) == len(found) - 1


@pytest.mark.fault(85)
def test_85_answers_are_written_with_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before the transaction ends, there is neither; killed after it, there are both."""
    service = Service.open(tmp_path)
    game = service.game()
    before = service.at(game)
    service.send(mail("open TSR 25", to=service.address("Ann")), service.address("Ann"))
    service.take_in()

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("moderator.service.decision.execution.tell_others", killed)
        with pytest.raises(Killed):
            process(service.desk, 1, service.complaints.append)
    assert service.at(game) == before
    with FakeSmtp() as fake, outlet(fake) as out:
        assert all(state == "sent" for _, state, _ in sending(service, out))
        again = Service.open(tmp_path)
        work_off(again.desk, again.complaints.append)
        assert again.at(game) > before
        assert "queued" not in {state for _, state, _ in sending(again, out)}
        assert any(b"Subject" in content for content in fake.taken)


@pytest.mark.fault(86)
def test_86_killed_before_the_mail_is_put_out_of_the_way(service: Service) -> None:
    """It is taken in again from where it still lies, known again, and not answered a second time."""
    done = first(service)
    with FakeSmtp() as fake, outlet(fake) as out:
        sent = sending(service, out)
        intake = MaildirIntake(folder_for(service.desk.settings.mail_folder, service.desk.settings.address))
        assert len(list(intake.waiting(10_000))) == 1
        take_in(service.desk, intake)
        work_off(service.desk, service.complaints.append)
        assert sending(service, out) == sent
        assert len(fake.taken) == len(sent) - done
    assert service.outcomes() == ["applied"]


def test_a_server_that_is_slow_at_every_step_does_not_hold_the_service_for_ever() -> None:
    with FakeSmtp() as fake, outlet(fake, timeout=SILENCE) as out:
        fake.answers["EHLO"] = []
        fake.answers["GREETING"] = ["hang"]
        with pytest.raises(Away):
            out.send(outgoing())
