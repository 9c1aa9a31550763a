"""What is done with a mailbox by one service while another one looks into it too."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import KeptRow, MailRow
from moderator.domain.ports import Away, Incoming
from moderator.service.desk import Desk
from moderator.service.intake import file_decided, mailbox_lease, take_in
from moderator.service.locks import take_lease
from moderator.service.pipeline import work_off
from tests.kit.service.mail_service import START, Service

MAIL = b"From: x@strangers.example\r\nMessage-ID: <%d@x>\r\n\r\nHello\r\n"


class Lying:
    """A mailbox whose messages lie there until they are filed."""

    name = "a mailbox"

    def __init__(self, *references: str) -> None:
        self.lying, self.filed = list(references), list[str]()
        self.meanwhile: Callable[[], object] = lambda: None
        """What happens between looking and fetching."""
        self.gone_after = 10**6
        """So many are filed before the server is away."""

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        seen = [reference for reference in self.lying if reference not in known]
        self.meanwhile()
        for number, reference in enumerate(seen):
            yield Incoming(reference, START, 60, MAIL % number, "x@strangers.example")

    def file(self, reference: str, outcome: str) -> None:
        if len(self.filed) == self.gone_after:
            raise Away("gone")
        self.filed.append(reference)


def other(desk: Desk) -> Desk:
    """A second service on the same database."""
    return dataclasses.replace(desk, owner="other")


def test_a_look_into_an_empty_mailbox_writes_nothing(tmp_path: Path) -> None:
    desk = Service.open(tmp_path).desk
    assert take_in(desk, Lying()) == []
    with desk.database.reading() as session:
        assert session.exec(select(KeptRow)).all() == []


def test_what_another_service_is_taking_in_is_left_to_it(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    assert take_lease(other(service.desk), "mailbox a mailbox", timedelta(seconds=20))
    assert take_in(service.desk, Lying("1", "2")) == []
    service.clock.pass_by(seconds=31)
    assert len(take_in(service.desk, Lying("1", "2"))) == 2


def test_what_another_service_took_in_since_this_one_looked_is_stored_once_and_not_filed_before_its_time(
    tmp_path: Path,
) -> None:
    service = Service.open(tmp_path)
    mailbox = Lying("1", "2")

    def first() -> None:
        mailbox.meanwhile = lambda: None
        assert len(take_in(other(service.desk), mailbox)) == 2
        work_off(other(service.desk), service.complaints.append)

    mailbox.meanwhile = first
    assert take_in(service.desk, mailbox) == []
    assert mailbox.filed == []
    assert file_decided(service.desk, mailbox) == 2
    assert mailbox.filed == ["1", "2"]


def test_what_was_filed_before_the_server_went_away_is_written_down(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    mailbox = Lying("1", "2", "3")
    mailbox.gone_after = 2
    take_in(service.desk, mailbox)
    work_off(service.desk, service.complaints.append)
    with pytest.raises(Away):
        file_decided(service.desk, mailbox)
    with service.desk.database.reading() as session:
        assert [row.reference for row in session.exec(select(MailRow)).all() if row.filed_at is None] == ["3"]


def test_who_looks_again_and_again_keeps_the_mailbox_until_he_gives_it_back_or_is_silent(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    mailbox, lease = Lying("1"), mailbox_lease(service.desk, Lying())
    assert len(take_in(service.desk, mailbox, lease)) == 1
    mailbox.lying.append("2")
    assert take_in(other(service.desk), mailbox) == []
    service.clock.pass_by(seconds=15)
    assert len(take_in(service.desk, mailbox, lease)) == 1, "which makes it longer"
    mailbox.lying.append("3")
    service.clock.pass_by(seconds=15)
    assert take_in(other(service.desk), mailbox) == []
    lease.give_back()
    assert len(take_in(other(service.desk), mailbox)) == 1
    mailbox.lying.append("4")
    assert len(take_in(service.desk, mailbox, lease)) == 1, "a look alone gives it back"
    mailbox.lying.append("5")
    service.clock.pass_by(seconds=31)
    assert len(take_in(other(service.desk), mailbox)) == 1
