"""Mail that real servers return: Postfix writes its report to the return path, and the service reads it by IMAP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import SeatRow
from moderator.service.robots.bounces import refused
from tests.kit.mail_system import MailSystem
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import RealService
from tests.kit.patience import PATIENCE


@pytest.fixture
def service(mail_system: MailSystem, tmp_path: Path) -> Iterator[RealService]:
    with RealService(mail_system, tmp_path, mailbox="railpost", operator="") as running:
        yield running


def seat(service: RealService, address: str) -> SeatRow:
    with service.desk.database.reading() as session:
        return session.exec(select(SeatRow).where(SeatRow.address == address)).one()


def until(service: RealService, outcome: str, number: int) -> None:
    """Go round until so many mails ended in that."""
    end = time.monotonic() + PATIENCE
    while [row.outcome for row in service.mails()].count(outcome) < number:
        assert time.monotonic() < end, [(row.outcome, row.detail) for row in service.mails()]
        time.sleep(0.1)
        service.run()


@pytest.mark.fault(68)
def test_68_what_postfix_returns_makes_the_seat_unreachable_and_the_others_are_told(
    mail_system: MailSystem, service: RealService
) -> None:
    """Postfix takes the mail, learns that there is nobody of that name, and returns it."""
    service.desk = replace(service.desk, settings=service.settings.model_copy(update={"bounces_allowed": 1}))
    service.round.desk = service.desk
    lost = "lost!@returned.example"
    bob, cat = (Player(mail_system, f"{name}-lost@players.example") for name in ("bob", "cat"))
    service.game(lost, bob.address, cat.address)
    service.run()
    until(service, "bounce", 1)
    row = seat(service, lost)
    assert row.unreachable_at is not None
    service.run()
    told = [letter for player in (bob, cat) for letter in player.wait(2) if letter.kind == "notice"]
    assert told
    assert all("cannot be reached" in letter.subject for letter in told)
    assert all(mail.detail.startswith("hard 5.") for mail in service.mails() if mail.outcome == "bounce")
    for player in (bob, cat):
        player.close()


@pytest.mark.fault(83)
def test_83_who_is_refused_at_the_door_counts_as_bounced_and_the_others_get_their_mail(
    mail_system: MailSystem, service: RealService
) -> None:
    nobody = "nobody-here@players.example"
    bob, cat = (Player(mail_system, f"{name}-door@players.example") for name in ("bob", "cat"))
    service.game(nobody, bob.address, cat.address)
    service.run()
    for player in (bob, cat):
        assert player.wait(1)
        player.close()
    refusals = refused(service.desk)
    assert refusals >= 1
    assert seat(service, nobody).bounces == refusals


@pytest.mark.fault(63)
def test_63_an_answer_of_a_vacation_program_reaches_the_return_path_and_ends_there(
    mail_system: MailSystem, service: RealService
) -> None:
    ann, bob, cat = (Player(mail_system, f"{name}-away@players.example") for name in ("ann", "bob", "cat"))
    service.game(ann.address, bob.address, cat.address)
    service.run()
    letter = ann.wait(1)[0]
    before = len(service.outbox())
    path = str(letter.message["Return-Path"]).strip("<>")
    answer = (
        f"From: {ann.address}\r\nTo: {path}\r\nSubject: Abwesenheitsnotiz: {letter.subject}\r\n"
        f"In-Reply-To: {letter.message['Message-ID']}\r\nAuto-Submitted: auto-replied\r\n\r\nBin im Urlaub.\r\n"
    )
    ann.send(answer.encode(), path, return_path="")
    until(service, "auto_reply", 1)
    assert seat(service, ann.address).away_at is not None
    assert len(service.outbox()) == before
    for player in (ann, bob, cat):
        player.close()
