"""What large providers look at: where strangers are answered, what a signature covers, whose quota is used up."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import dkim
import pytest
from sqlmodel import select

from moderator.adapters.mail.dkim_sign import SignedForm
from moderator.adapters.mail.maildir import return_path
from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import Doubtful, Never, NotNow
from moderator.render import health_words
from moderator.service.operation.health import Finding, findings
from tests.kit.mail_system.fake_smtp import FakeSmtp
from tests.kit.service.mail_service import Service, mail
from tests.service.adapters.test_smtp_faults import outgoing, refusal

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
        ("550 5.4.5 Daily user sending limit exceeded", Doubtful),
        ("450 4.7.1 Your sending limit is exceeded", Doubtful),
    ],
)
def test_a_mailbox_that_is_full_is_not_our_own_quota(answer: str, kind: type[Exception]) -> None:
    with FakeSmtp() as fake:
        refused = refusal(fake, "RCPT", answer)
    assert type(refused) is kind


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


@pytest.mark.fault(34)
def test_the_operator_hears_that_what_his_server_found_out_is_not_found(tmp_path: Path) -> None:
    """With a wrong number of hops no proof is ever found, and nothing forged either."""

    def senders(number: int, hops: int) -> Finding:
        settings = {"authserv_id": "mx.example.org", "authserv_hops": hops}
        desk = replace(service.desk, settings=service.desk.settings.model_copy(update=settings))
        object.__setattr__(service, "desk", desk)
        for _ in range(number):
            result = "Received: by mx.example.org\r\nAuthentication-Results: mx.example.org; dmarc=pass"
            head = f"{result} header.from=players.example\r\n"
            service.send(head.encode() + mail("help", to=service.address("Ann")), service.address("Ann"))
        service.run()
        return next(one for one in findings(desk, "0.1.0") if one.key == "senders")

    service = Service.open(tmp_path)
    service.game()
    assert senders(4, hops=0).state == "green"
    wrong = senders(1, hops=0)
    assert (wrong.state, wrong.facts["count"], wrong.facts["found"]) == ("look", 5, 0)
    assert "with 0 `Received` headers above it" in health_words("senders.red", wrong.facts)
    right = senders(1, hops=1)
    assert (right.state, right.facts["found"]) == ("green", 1)
    assert "for 1 of the last 6 mails" in health_words("senders.green", right.facts)


@pytest.mark.fault(46, 67)
@pytest.mark.parametrize(
    ("headers", "path", "answered"),
    [
        ({}, "stranger@else.example", True),
        ({"List-Id": "<trains.else.example>"}, "stranger@else.example", False),
        ({"List-Unsubscribe": "<mailto:off@else.example>"}, "news@else.example", False),
        ({"Precedence": "list"}, "stranger@else.example", False),
        ({}, "trains-bounces+railpost=example.org@else.example", False),
        ({}, "owner-trains@else.example", False),
        ({}, "bounce-123@else.example", False),
        ({}, "SRS0=x=y=else.example=stranger@forwarder.example", True),
    ],
)
def test_a_list_is_not_answered_at_its_return_path(
    tmp_path: Path, headers: dict[str, str], path: str, answered: bool
) -> None:
    service = Service.open(tmp_path)
    service.send(mail("hello all", sender="stranger@else.example", headers=headers), return_path=path)
    service.run()
    assert service.outcomes() == ["unknown_sender"]
    with service.desk.database.reading() as session:
        assert [row.recipient for row in session.exec(select(OutboxRow)).all()] == ([path] if answered else [])
