"""All mails of a game in one file, for game masters and for a seat (RFC 4155)."""

from __future__ import annotations

import mailbox
import re
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner

from moderator.adapters.mail.mbox import Kept, write_mbox
from moderator.adapters.tables import MailRow, OutboxRow, SeatToken
from moderator.entrypoints import cli
from moderator.service.operation.mbox import Mbox, mbox_of
from tests.kit.service.mail_service import Service, StillClock


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def a_game(service: Service) -> str:
    name = service.game("1861", ("Ann", "Bob", "Cat"))
    service.say("Ann", "open TSR 20")
    service.say("Bob", "press Cat: let us bid low\nbid 25")
    service.say("Cat", "drop")
    return name


def found(service: Service, name: str, seat: str = "", *, raw: bool = False) -> Mbox:
    box = mbox_of(service.desk, name, seat, raw=raw)
    assert box is not None
    return box


def opened(folder: Path, content: bytes) -> list[str]:
    """The mails as the standard library reads them."""
    path = folder / "game.mbox"
    path.write_bytes(content)
    with closing(mailbox.mbox(path)) as box:
        return [message.as_string() for message in box]


def test_every_mail_that_came_and_went_is_in_it_in_order(service: Service, tmp_path: Path) -> None:
    name = a_game(service)
    box = found(service, name, raw=True)
    with service.session() as session:
        came = len(session.exec(select(MailRow)).all())
        went = len(session.exec(select(OutboxRow).where(OutboxRow.state == "sent", OutboxRow.game == name)).all())
    mails = opened(tmp_path, box.content)
    assert len(mails) == box.mails == came + went
    moments = re.findall(rb"^From \S+ (.*)$", box.content, re.MULTILINE)
    assert len(moments) == box.mails and box.content.endswith(b"\n\n") and b"\r" not in box.content


def test_a_seat_gets_its_own_mails_alone(service: Service) -> None:
    name = a_game(service)
    cats = found(service, name, "Cat").content
    assert b"let us bid low" in cats
    assert b"let us bid low" not in found(service, name, "Ann").content
    assert all(to == b"cat@players.example" for to in re.findall(rb"^To: <(.*)>$", cats, re.MULTILINE))
    assert mbox_of(service.desk, name, "Dan") is None and mbox_of(service.desk, "1861-9") is None


def test_secret_addresses_are_left_out(service: Service) -> None:
    name = a_game(service)
    with service.session() as session:
        tokens = [row.token.encode() for row in session.exec(select(SeatToken)).all()]
    content, raw = found(service, name).content, found(service, name, raw=True).content
    assert len(tokens) > 3 and not any(token in content for token in tokens)
    assert any(token in raw.replace(b"=\n", b"") for token in tokens)


def test_the_next_player_of_a_seat_does_not_get_the_mails_of_the_one_before(service: Service) -> None:
    name = a_game(service)
    assert b"let us bid low" in found(service, name, "Cat").content
    service.clock.pass_by(hours=1)
    result = CliRunner().invoke(
        cli.app, ["--data", str(service.root), "seat", "give", name, "Cat", "Fay <fay@players.example>"]
    )
    assert result.exit_code == 0, result.output
    assert b"let us bid low" not in found(service, name, "Cat").content


def test_mails_without_their_text_are_counted(service: Service) -> None:
    name = a_game(service)
    before = found(service, name)
    with service.session() as session:
        for row in session.exec(select(MailRow)).all():
            row.content, row.emptied_at = b"", service.clock.now()
        session.commit()
    after = found(service, name)
    assert after.emptied == 3 and after.mails == before.mails - 3


def test_what_is_sealed_is_not_in_it(service: Service) -> None:
    name = service.game("1841", ("Ann", "Bob", "Cat"))
    service.say("Ann", "bids 40 on Bayard")
    box = found(service, name, raw=True)
    assert box.sealed > 0 and b"40 on Bayard" not in box.content


def test_the_command_writes_a_file_that_nobody_else_reads(service: Service, tmp_path: Path) -> None:
    name = a_game(service)
    path = tmp_path / "ann.mbox"
    words = ["--data", str(service.root), "game", "mbox", name, "--seat", "Ann", "-o", str(path)]
    result = CliRunner().invoke(cli.app, words)
    assert result.exit_code == 0 and "mails" in result.output
    assert path.stat().st_mode & 0o777 == 0o600 and opened(tmp_path, path.read_bytes())


def test_lines_that_look_like_a_separator_come_back_as_they_were() -> None:
    now = StillClock().now()
    text = b"Subject: x\n\nFrom here on\n>From there\nfrom small\n"
    content = write_mbox([Kept(now, "a b@example", text), Kept(now, "ann@example.org", text)])
    assert content.count(b"\n>From here on\n>>From there\nfrom small\n") == 2
    assert content.startswith(b"From MAILER-DAEMON@localhost ") and content.count(b"\nFrom ") == 1
    assert message_from_bytes(content.split(b"\n", 1)[1])["Subject"] == "x"
