"""DKIM signatures by OpenSSL: they are those of dkimpy, byte for byte, and hold for nothing but the mail itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from pathlib import Path

import dkim
import pytest

from moderator.adapters.mail.dkim_sign import _ONCE, _SIGNED, BadKey, SignedForm
from moderator.adapters.mail.message import build
from moderator.domain.ports import Outgoing


def made(folder: Path, *options: str, size: int = 2048, name: str = "key.pem") -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a key with")
    path = folder / name
    subprocess.run(["openssl", "genrsa", *options, "-out", str(path), str(size)], check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("dkim"), "-traditional")


def published(key: Path) -> bytes:
    done = subprocess.run(["openssl", "rsa", "-in", str(key), "-pubout"], check=True, capture_output=True)
    return b"v=DKIM1; k=rsa; p=" + b"".join(done.stdout.splitlines()[1:-1])


def holds(content: bytes, key: Path) -> bool:
    public = published(key)
    return bool(dkim.verify(content, dnsfunc=lambda *_, **__: public))


MAIL = Outgoing(
    message_id="<1@example.org>", recipient="ann@players.example", return_path="railpost-bounces+1@example.org",
    sender="railpost@example.org", reply_to="railpost+1861-1.1.abc@example.org", subject="Züge",
    text="line one  \n\n.dot\nÄ\n\n\n", html="<p>é</p>", created_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
    headers={"Auto-Submitted": "auto-generated", "In-Reply-To": "<2@players.example>"},
)  # fmt: skip


@pytest.mark.parametrize("options", [("-traditional",), ()])
def test_a_signature_is_that_of_the_library(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PKCS#1 and PKCS#8 keys."""
    path = made(tmp_path, *options)
    monkeypatch.setattr("dkim.time.time", lambda: 1_772_366_400.0)
    content = build(MAIL)
    there = {line.split(b":")[0].lower() for line in content.split(b"\r\n\r\n")[0].split(b"\r\n")}
    expected = dkim.sign(
        content, b"mail", b"example.org", path.read_bytes(), canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[name for name in _SIGNED if name.lower() in there] + sorted(_ONCE),
    )  # fmt: skip
    assert SignedForm("mail", "example.org", path)(MAIL) == expected + content


def test_a_changed_or_forged_mail_does_not_hold(key: Path, tmp_path: Path) -> None:
    signed = SignedForm("mail", "example.org", key)(MAIL)
    assert holds(signed, key)
    head, _, body = signed.partition(b"\r\n\r\n")
    for name in (b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"Auto-Submitted"):
        changed = re.sub(rb"(\r\n%s: )" % name, rb"\1x", head, count=1)
        assert changed != head
        assert not holds(changed + b"\r\n\r\n" + body, key), name
        assert not holds(b"%s: added\r\n" % name + signed, key) or name not in _ONCE, name
    assert not holds(signed + b"more\r\n", key)
    assert not holds(signed.replace(b"line one", b"line two"), key)
    other = made(tmp_path, "-traditional", name="other.pem")
    assert not holds(signed, other)
    assert not holds(SignedForm("mail", "example.org", other)(MAIL), key)


def test_a_signature_with_one_other_bit_does_not_hold(key: Path) -> None:
    signed = SignedForm("mail", "example.org", key)(MAIL)
    found = re.search(rb";\s+b=([^;]+?)\r\n(?=\S)", signed)
    assert found is not None
    value = bytearray(b64decode(re.sub(rb"\s", b"", found[1])))
    value[17] ^= 1
    assert not holds(signed[: found.start(1)] + b64encode(bytes(value)) + signed[found.end(1) :], key)


def test_a_signature_covers_the_whole_body_and_says_sha_256(key: Path) -> None:
    head = SignedForm("mail", "example.org", key)(MAIL).partition(b"\r\nMessage-ID")[0]
    tags = dict(tag.strip().split(b"=", 1) for tag in re.sub(rb"\r\n\s+", b" ", head).partition(b":")[2].split(b";"))
    assert tags[b"a"] == b"rsa-sha256" and b"l" not in tags and b"from" in tags[b"h"].lower()


def test_a_key_that_receivers_refuse_is_no_key(tmp_path: Path) -> None:
    """RFC 8301 3.2: signers use keys of at least 1024 bits. No other kind of key signs ``rsa-sha256``."""
    with pytest.raises(BadKey, match=r"weak\.pem"):
        SignedForm("mail", "example.org", made(tmp_path, "-traditional", size=512, name="weak.pem"))
    curve = tmp_path / "curve.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(curve)], check=True, capture_output=True)
    with pytest.raises(BadKey, match=r"curve\.pem"):
        SignedForm("mail", "example.org", curve)
