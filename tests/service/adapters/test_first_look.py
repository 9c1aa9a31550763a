"""An IMAP mailbox begins with the first look into it: nothing that can be answered goes out before."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet
from moderator.adapters.tables import OutboxRow
from moderator.entrypoints.processes.assembly import Worker
from tests.kit.mail_system.fake_imap import FakeImap
from tests.kit.service.mail_service import Service, mail
from tests.service.adapters.test_imap_faults import Mailbox


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """A game whose first mails wait to be sent."""
    service = Service.open(tmp_path)
    service.game()
    with service.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.state = "queued"
    return service


def told(service: Service) -> set[str]:
    """The players who have got all mails that were written to them."""
    with service.session() as session:
        rows = session.exec(select(OutboxRow)).all()
    return {row.recipient for row in rows} - {row.recipient for row in rows if row.state != "sent"}


PLAYERS = {f"{name}@players.example" for name in ("ann", "bob", "cat")}


@pytest.mark.fault(57, 81)
def test_57_no_question_goes_out_before_the_mailbox_has_begun(service: Service) -> None:
    """Somebody who answers at once would write before it, and his answer would count as old mail."""
    with FakeImap(refuse_login=True) as fake, Mailbox(fake, since="start") as mailbox:
        work = Worker(
            service.desk, mailbox, MaildirOutlet(service.desk.settings.mail_folder), service.complaints.append
        )
        work.send()
        assert told(service) == set()
        work.sweep()
        work.send()
        assert told(service) == {service.desk.settings.operator}, "the operator hears that the login is refused"
        fake.refuse_login = False
        fake.put(b"Subject: old\r\n\r\n")
        mailbox.seconds += 10_000
        work.mail()
        assert told(service) >= PLAYERS
        fake.put(mail("open TSR 25", to=service.address("Ann")))
        work.mail()
        assert service.outcomes() == ["applied"]


@pytest.mark.fault(81)
def test_81_a_mailbox_that_goes_away_later_keeps_no_mail_back(service: Service) -> None:
    with FakeImap() as fake, Mailbox(fake, since="start") as mailbox:
        mailbox.all()
        mailbox.close()
        fake.refuse_login = True
        work = Worker(
            service.desk, mailbox, MaildirOutlet(service.desk.settings.mail_folder), service.complaints.append
        )
        work.mail()
        assert told(service) >= PLAYERS


@pytest.mark.parametrize("since", ["all", "2026-01-01"])
def test_a_mailbox_that_leaves_nothing_has_begun(since: str, tmp_path: Path) -> None:
    with FakeImap() as fake, Mailbox(fake, since=since) as mailbox:
        assert mailbox.begun
    assert MaildirIntake(tmp_path / "box").begun
