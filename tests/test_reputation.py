"""What large providers look at: where strangers are answered, what a signature covers, whose quota is used up."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import dkim
import pytest

from moderator.adapters.dkim_sign import SignedForm
from moderator.adapters.maildir import return_path
from moderator.domain.ports import Away, Barred, Never, NotNow
from tests.mail_system.fake_smtp import FakeSmtp
from tests.test_smtp_faults import outgoing, refusal

SEALED = "".join(
    f"{name}: i=1; a=rsa-sha256; d=provider.example; s=arc;\r\n        b={'x' * 700}\r\n"
    for name in ("ARC-Seal", "ARC-Message-Signature", "ARC-Authentication-Results", "X-Received")
)
"""What a large provider puts above the return path."""
ANN = "Return-Path: <ann@players.example>\r\n"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (ANN, "ann@players.example"),
        ("Return-Path:\r\n <ann@players.example>\r\n", "ann@players.example"),
        (f"Delivered-To: railpost@example.org\r\n{SEALED}{ANN}", "ann@players.example"),
        (f"{SEALED}Return-Path: <>\r\n", ""),
        (f"Return-Path: <>\r\n{ANN}", ""),
        (f"Return-Path: <{'a' * 300}@players.example>\r\n", None),
        ("From: ann@players.example\r\n", None),
        (f"From: ann@players.example\r\n\r\n{ANN}", None),
    ],
)
@pytest.mark.fault(46)
def test_strangers_are_answered_at_the_return_path_that_the_server_wrote(head: str, found: str | None) -> None:
    for content in (head, head.replace("\r\n", "\n")):
        assert return_path(f"{content}Subject: Re\r\n\r\npass\r\n".encode()) == found


@pytest.mark.fault(82, 83)
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("452 4.2.2 Mailbox quota limit has been exceeded", NotNow),
        ("552 5.2.2 The quota limit of this mailbox is exceeded", Never),
        ("550 5.4.5 Daily user sending limit exceeded", Barred),
        ("450 4.7.1 Your sending limit is exceeded", Barred),
    ],
)
def test_a_mailbox_that_is_full_is_not_our_own_quota(answer: str, kind: type[Exception]) -> None:
    with FakeSmtp() as fake:
        refused = refusal(fake, "RCPT", answer)
    assert type(refused) is kind
    assert isinstance(refused, Away) == (kind is Barred)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made as docs/operating.md says."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a key with")
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run(["openssl", "genrsa", "-out", str(path), "2048"], check=True, capture_output=True)
    return path


@pytest.mark.fault(43)
@pytest.mark.parametrize("name", ["", "From", "Reply-To", "Subject", "To", "List-Unsubscribe"])
def test_nobody_puts_a_second_header_on_top_of_a_signed_mail(key: Path, name: str) -> None:
    done = subprocess.run(["openssl", "rsa", "-in", str(key), "-pubout"], check=True, capture_output=True)
    published = b"v=DKIM1; k=rsa; p=" + b"".join(done.stdout.splitlines()[1:-1])
    content = SignedForm("games", "example.org", key)(outgoing())
    added = f"{name}: Eve <eve@elsewhere.example>\r\n".encode() if name else b""
    assert dkim.verify(added + content, dnsfunc=lambda *_, **__: published) == (not name)
