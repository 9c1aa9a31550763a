"""Settings of the mail servers, and what is put together from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from moderator.adapters.mail.imap import ImapIntake
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet
from moderator.adapters.mail.smtp import SmtpOutlet
from moderator.entrypoints.processes.assembly import mailbox_of, open_desk, outlet_of, watcher_of
from moderator.settings import Settings
from moderator.settings_file import BadConfiguration, load


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'smtp_host = "mail.example.org"\nsmtp_security = "none"',
            "line 2: smtp_security: `none` would send",
        ),
        ('imap_password_file = "secret"', "line 1: imap_password_file: there is a password and no user"),
        ('mail_since = "2026-02-31"', "line 1: mail_since: day is out of range"),
        ('mail_since = "yesterday"', "line 1: mail_since: String should match"),
        ("idle_seconds = 1200", "line 1: idle_seconds: Input should be less than or equal to 540"),
        ('imap_security = "ssl"', "line 1: imap_security: Input should be 'tls', 'starttls' or 'none'"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "railpost.toml"
    file.write_text(text + "\n")
    with pytest.raises(BadConfiguration) as refused:
        load(file)
    assert f"{file}, {said}" in str(refused.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_a_server_on_this_machine_needs_no_encryption(host: str) -> None:
    assert Settings(imap_host=host, imap_security="none").imap_security == "none"


def test_maildirs_are_the_default(tmp_path: Path) -> None:
    desk = open_desk(Settings(data=tmp_path))
    assert isinstance(mailbox_of(desk), MaildirIntake)
    assert isinstance(outlet_of(desk.settings), MaildirOutlet)
    assert watcher_of(desk.settings, lambda: None) is None


def test_servers_are_used_where_they_are_named(tmp_path: Path) -> None:
    names: dict[str, Any] = {"imap_host": "imap.example.org", "imap_user": "railpost", "smtp_host": "smtp.example.org"}
    desk = open_desk(Settings(data=tmp_path, **names))
    intake, outlet = mailbox_of(desk), outlet_of(desk.settings)
    assert isinstance(intake, ImapIntake)
    assert intake.name == "imap:railpost@imap.example.org/INBOX"
    assert isinstance(outlet, SmtpOutlet)
    outlet.close()
    assert watcher_of(desk.settings, lambda: None) is not None
    assert watcher_of(Settings(imap_idle=False, **names), lambda: None) is None
