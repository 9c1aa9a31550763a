"""Text that an operator may send to the table has no live secret in it, however a mail writes it: `mail show`, `outbox
show`, lists and the game's log. `--raw` has them."""

from __future__ import annotations

import base64
import binascii
import quopri
from collections.abc import Iterator
from email.header import Header
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select
from typer.testing import CliRunner

from moderator.adapters.tables import EntryRow, MailRow, OutboxRow, PendingRow, SeatToken
from moderator.domain.redaction import redact
from moderator.entrypoints import cli
from moderator.service.post.list_headers import stop_token
from moderator.service.reading.readable import readable
from tests.kit.service.mail_service import Service, mail

TOKEN = "k5xq3mz7wb2ytr4hvn6dpcjf2a"
LETTERS = "kqxbmzawbcytrdhvnedpcjfgai"
ADDRESS = f"railpost+1861-1.2.{TOKEN}@example.org"
SAID = f"My answer to {ADDRESS} is:\nBEGIN 1861-1 at 4 token {TOKEN}\nbid 30\nEND\n"


def letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum())


def readings(text: str) -> Iterator[str]:
    """The readings of ``text`` that take little trouble."""
    yield letters(text)
    yield letters(quopri.decodestring(text.encode()).decode("utf-8", "replace"))
    for run in (
        "".join(c if (c.isascii() and c.isalnum()) or c in "+/\n" else " " for c in text).replace("\n", "").split()
    ):
        for offset in range(4):
            part = run[offset:]
            try:
                found = base64.b64decode(part[: len(part) // 4 * 4])
            except binascii.Error:
                continue
            yield letters(found.replace(b"\0", b"").decode("latin-1"))


def has_secret(text: str, token: str = TOKEN) -> bool:
    return any(token in reading for reading in readings(text))


# ---- every way in which a mail can be encoded

HEAD = "From: Ann <ann@players.example>\r\nTo: railpost@example.org\r\nSubject: Re: your turn\r\nMIME-Version: 1.0\r\n"


def part(text: str, charset: str = "utf-8", encoding: str = "8bit", kind: str = "text/plain", more: str = "") -> bytes:
    raw = text.replace("\n", "\r\n").encode(charset)
    body = {
        "base64": lambda: base64.encodebytes(raw),
        "quoted-printable": lambda: quopri.encodestring(raw),
        "all-quoted": lambda: b"=\r\n".join(
            "".join(f"={byte:02X}" for byte in raw[at : at + 20]).encode() for at in range(0, len(raw), 20)
        ),
        "x-uuencode": lambda: b"begin 644 a\r\n" + b"".join(
            binascii.b2a_uu(raw[at : at + 45]) for at in range(0, len(raw), 45)) + b"end\r\n",
    }.get(encoding, lambda: raw)()  # fmt: skip
    named = {"all-quoted": "quoted-printable"}.get(encoding, encoding)
    head = f"Content-Type: {kind}; charset={charset}{more}\r\nContent-Transfer-Encoding: {named}\r\n\r\n"
    return head.encode() + body


def parts(*inside: bytes, kind: str = "mixed", border: str = "b1") -> bytes:
    joined = b"".join(f"--{border}\r\n".encode() + one + b"\r\n" for one in inside)
    return (
        f'Content-Type: multipart/{kind}; boundary="{border}"\r\n\r\n'.encode() + joined + f"--{border}--\r\n".encode()
    )


def utf7(text: str) -> bytes:
    """Every letter in the shifted form, as a program may write it."""
    return b"+" + base64.b64encode(text.encode("utf-16-be")).rstrip(b"=") + b"-"


ENCODINGS = ("7bit", "8bit", "binary", "quoted-printable", "all-quoted", "base64", "x-uuencode")
CHARSETS = ("us-ascii", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "latin-1", "cp037", "shift_jis")
HTML = (
    f"<p>to <b>{TOKEN[:9]}</b>{TOKEN[9:]} <a href='mailto:{ADDRESS}'>answer</a>"
    f"<blockquote>{ADDRESS}</blockquote><div style='display:none'>{ADDRESS}</div>"
)
FORWARDED = HEAD.encode() + part(SAID, encoding="base64")
FORMS: dict[str, bytes] = {
    **{f"{encoding} {charset}": part(SAID, charset, encoding) for encoding in ENCODINGS for charset in CHARSETS},
    **{f"html {encoding}": part(HTML, "utf-8", encoding, "text/html") for encoding in ENCODINGS},
    **{
        f"attached {kind}": parts(part("see there"), part(SAID, "utf-8", "base64", kind, f'; name="{TOKEN}.txt"'))
        for kind in ("text/plain", "text/csv", "text/calendar", "text/x-log", "application/octet-stream", "image/png")
    },
    "all utf-7": b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + utf7(SAID),
    "utf-7 that says it is ascii": b"Content-Type: text/plain; charset=us-ascii\r\n\r\n" + utf7(SAID),
    "utf-16 that says it is utf-8": b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + SAID.encode("utf-16-le"),
    "no such charset": part(SAID, encoding="base64").replace(b"utf-8", b"x-nobody"),
    "no such encoding": part(SAID, encoding="base64").replace(b": base64", b": x-nobody"),
    "no header about content": b"\r\n" + SAID.encode(),
    "flowed": part(SAID.replace("my", " \nmy"), more="; format=flowed; delsp=yes"),
    "alternative": parts(part("x"), part(HTML, "utf-8", "base64", "text/html"), kind="alternative"),
    "nested": parts(parts(parts(part(SAID, "utf-16", "base64"), border="b3"), border="b2"), kind="related"),
    "forwarded": parts(part("see"), b"Content-Type: message/rfc822\r\n\r\n" + FORWARDED),
    "forwarded twice": parts(b"Content-Type: message/rfc822\r\n\r\n" + HEAD.encode()
                             + parts(b"Content-Type: message/rfc822\r\n\r\n" + FORWARDED, border="b2")),
    "forwarded in base64": parts(b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                                 + base64.encodebytes(FORWARDED)),
    "forwarded in quoted-printable": parts(
        b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        + quopri.encodestring(HEAD.encode() + part(SAID))),
    "a digest": parts(b"\r\n" + FORWARDED, kind="digest"),
    "its source as text": part(FORWARDED.decode()),
    "its source as text, quoted": part("> " + FORWARDED.decode().replace("\r\n", "\n> ")),
    "returned headers": parts(part(f"To: {Header(ADDRESS, 'utf-8').encode()}\n", kind="text/rfc822-headers")),
    "a report": parts(
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; "
        + ADDRESS.encode() + b"\r\nAction: failed\r\n", kind="report"),
    "parts without a boundary": b"Content-Type: multipart/mixed\r\n\r\n" + SAID.encode(),
    "parts that do not end": parts(part(SAID, encoding="base64")).rpartition(b"--b1--")[0],
    "too deep": parts(*[parts(*[parts(part(SAID), border="b3")], border="b2")]),
}  # fmt: skip


def broken(shape: str, token: str = TOKEN) -> str:
    """A bare secret as people and programs break it."""
    return {
        "as it is": token,
        "in capitals": token.upper(),
        "in two lines": f"{token[:11]}\r\n{token[11:]}",
        "in two quoted lines": f"> {token[:11]}\r\n> {token[11:]}",
        "in two lines of a quotation": f"{token[:11]}\r\n> {token[11:]}",
        "in five lines": "\r\n".join(token[at : at + 6] for at in range(0, 26, 6)),
        "twice quoted, in three": f">> {token[:9]}\n>> {token[9:18]}\n>> {token[18:]}",
        "softly broken": f"{token[:11]}=\r\n{token[11:]}",
        "with blanks": " ".join(token),
        "with hyphens": "-".join(token[at : at + 4] for at in range(0, 26, 4)),
        "percent": "".join(f"%{ord(c):02x}" for c in token),
        "some percent": f"{token[:4]}%{ord(token[4]):02X}{token[5:]}",
        "percent twice": quote("".join(f"%{ord(c):02x}" for c in token)),
        "entities": "".join(f"&#{ord(c)};" for c in token),
        "some entities": f"{token[:4]}&#x{ord(token[4]):x};{token[5:]}",
        "quoted-printable": "".join(f"={ord(c):02X}" for c in token),
        "invisible between": "\u200b".join(token),
        "soft hyphens": "\u00ad".join(token),
        "full width": "".join(chr(ord(c) + 0xFEE0) for c in token),
        "coloured": f"{token[:9]}\x1b[31m{token[9:]}",
        "base64": base64.b64encode(f"x {token}".encode()).decode(),
        "base64 for addresses": base64.urlsafe_b64encode(f"??>{token}".encode()).decode(),
        "base64 in base64": base64.b64encode(base64.b64encode(f"see {token}".encode())).decode(),
        "an encoded word": f"=?utf-8?b?{base64.b64encode(token.encode()).decode()}?=",
        "an encoded word, quoted": f"=?utf-8?q?{''.join(f'={ord(c):02X}' for c in token)}?=",
    }[shape]


BROKEN = (
    "as it is", "in capitals", "in two lines", "in two quoted lines", "in two lines of a quotation",
    "in five lines", "twice quoted, in three",
    "softly broken", "with blanks", "with hyphens", "percent", "some percent", "percent twice", "entities",
    "some entities", "quoted-printable", "invisible between", "soft hyphens", "full width", "coloured", "base64",
    "base64 for addresses", "base64 in base64", "an encoded word", "an encoded word, quoted",
)  # fmt: skip

IN_AN_ADDRESS = (
    "as it is", "in capitals", "in two lines", "in two lines of a quotation", "in five lines", "softly broken",
    "percent", "some entities", "quoted-printable", "full width", "invisible between",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("token", [TOKEN, LETTERS])
def test_no_form_of_a_mail_shows_the_secret(form: str, token: str) -> None:
    content = HEAD.encode() + FORMS[form]
    if token != TOKEN:
        content = content.replace(TOKEN.encode(), token.encode())
    shown = redact(readable(content), {token})
    assert "Subject: Re: your turn" in shown
    assert not has_secret(shown, token), shown


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_what_is_no_secret_is_there_to_be_read(charset: str, encoding: str) -> None:
    shown = redact(readable(HEAD.encode() + part(SAID, charset, encoding)), {TOKEN})
    assert "My answer to railpost+1861-1.2.***@example.org is:\nBEGIN 1861-1 at 4 token ***\nbid 30\nEND" in shown


@pytest.mark.parametrize("token", [TOKEN, LETTERS])
@pytest.mark.parametrize("shape", BROKEN)
def test_a_known_secret_is_found_however_it_is_broken(shape: str, token: str) -> None:
    shown = redact(f"Well:\r\n{broken(shape, token)}\r\nthat was it. Yours, Ann", {token})
    assert not has_secret(shown, token), shown
    assert shown.startswith("Well:\n")
    assert shown.endswith("that was it. Yours, Ann")


@pytest.mark.parametrize("before", ["railpost+1861-1.2.", "railpost+stop.4.", "railpost+confirm.", "RAILPOST+OK."])
@pytest.mark.parametrize("shape", IN_AN_ADDRESS)
@pytest.mark.parametrize("token", [TOKEN, LETTERS])
def test_an_address_is_found_without_knowing_its_secret(before: str, shape: str, token: str) -> None:
    """In a log nobody knows them."""
    shown = redact(f"<{before}{broken(shape, token)}@example.org> is unknown")
    assert not has_secret(shown, token), shown
    assert "is unknown" in shown


@pytest.mark.parametrize("text", [
    "railpost-bounces+0123456789ab\r\ncdef01234567@example.org", "railpost-bounces%2B0123456789abcdef01234567",
    "railpost-bounces+0123456789ABCDEF01234567@example.org", "see 0123456789ab\n> cdef01234567",
])  # fmt: skip
def test_a_return_path_is_found(text: str) -> None:
    assert "cdef01234567" not in redact(text).lower()


@pytest.mark.parametrize("name", ["Subject", "To", "X-Forwarded-To", "Received", "References", "Thread-Topic"])
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-7", "iso-8859-1"])
def test_a_header_with_encoded_words_shows_no_secret(name: str, charset: str) -> None:
    said = ADDRESS.encode(charset)
    words = [said[at : at + 24] for at in range(0, len(said), 24)]
    folded = "\r\n ".join(f"=?{charset}?b?{base64.b64encode(one).decode()}?=" for one in words)
    quoted = "\r\n ".join(f"=?{charset}?q?{''.join(f'={byte:02X}' for byte in one)}?=" for one in words)
    plain = f"{ADDRESS[:30]}\r\n {ADDRESS[30:]}"
    for value in (folded, quoted, plain):
        shown = redact(readable(f"{name}: {value}\r\n\r\nhello\r\n".encode()), {TOKEN})
        assert not has_secret(shown), shown
        assert shown.endswith("hello\n")


@given(st.binary(max_size=400))
def test_whatever_comes_can_be_shown(content: bytes) -> None:
    assert redact(readable(content)) == redact(readable(content))
    assert redact(readable(HEAD.encode() + content))


def test_what_is_no_secret_stays() -> None:
    text = (
        "On Monday, 2 March 2026, Ann wrote:\n> lay 8 K9 1; run best; pay full\n> R420 = 70 x 6, 50% more\n"
        "internationalisation\nof misunderstandings: incomprehensibilities\n"
        "https://games.example.org/a/long/path?to=nowhere&in=particular 1861-7 mail 143\n"
        "----------------------------------------\n"
    )
    assert redact(text, {TOKEN, LETTERS}) == text


# ---- the commands


@pytest.fixture
def service(tmp_path: Path) -> Service:
    service = Service.open(tmp_path)
    service.game()
    return service


def railpost(service: Service, *words: str) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def secrets(service: Service) -> set[str]:
    """All that is live."""
    with service.desk.sitting() as sitting:
        words = {
            *sitting.session.exec(select(SeatToken.token)).all(),
            *sitting.session.exec(select(PendingRow.token)).all(),
        }
        for name in ("Ann", "Bob", "Cat"):
            words.add(stop_token(sitting, service.seat("1861-1", name)).partition(".")[2])
        words |= {
            row.return_path.split("@")[0].rpartition("+")[2] for row in sitting.session.exec(select(OutboxRow)).all()
        }
    return words


def test_a_base64_answer_does_not_show_the_live_token(service: Service) -> None:
    """The token was in its quotation, in base64, which nobody looked into."""
    to = service.address("Ann")
    quotation = f"open TSR 25\n\nOn Sunday Railpost <{to}> wrote:\n> BEGIN 1861-1 at 1 token {to[18:44]}\n> END\n"
    content = HEAD.replace("railpost@example.org", to).encode() + part(quotation, encoding="base64")
    service.send(content, to)
    service.run()
    assert service.outcomes() == ["applied"]
    text = railpost(service, "mail", "show", "1")
    assert "open TSR 25" in text
    assert "to Ann's address for decision 1 of 1861-1" in text
    live = secrets(service)
    assert len(live) > 8
    assert not [word for word in live if has_secret(text, word)]
    assert base64.encodebytes(quotation.replace("\n", "\r\n").encode()).decode()[:60] in railpost(
        service, "mail", "show", "1", "--raw"
    )


@pytest.mark.usefixtures("each_database")
def test_no_list_and_no_page_shows_a_secret_of_any_kind(service: Service) -> None:
    service.send(mail("open TSR 25", sender="eve@elsewhere.example", to=service.address("Ann")), service.address("Ann"))
    service.run()
    assert service.outcomes() == ["unconfirmed"]
    live = sorted(secrets(service))
    for shape in ("as it is", "in two quoted lines", "with blanks", "full width"):
        said = " \n ".join(broken(shape, word) for word in live)
        # Return paths are not looked up: one that is written with blanks is not found.
        found = [word for word in live if shape != "with blanks" or len(word) == 26]
        with service.desk.database.transaction() as session:
            for came in session.exec(select(MailRow)).all():
                came.detail, came.sender = said, f"{said}@x.example"
                came.content = f"Subject: {' '.join(live)}\r\n\r\n{said}\r\n".encode()
            for sent in session.exec(select(OutboxRow)).all():
                sent.error = sent.subject = sent.text = sent.recipient = said
            for entry in session.exec(select(EntryRow)).all():
                entry.text = said
        for words in (("mail", "list"), ("mail", "show", "1"), ("outbox", "list"), ("outbox", "show", "1"),
                      ("outbox", "show", "4"), ("game", "log", "1861-1")):  # fmt: skip
            text = railpost(service, *words)
            assert not [word for word in found if has_secret(text, word)], words
        assert live[0] in letters(railpost(service, "outbox", "show", "1", "--raw")) or shape == "full width"


def test_what_the_operator_is_mailed_has_no_secret(service: Service) -> None:
    from moderator.service.post.outbox import queue_operator

    with service.desk.sitting() as sitting:
        queue_operator(sitting, f"mail 7: ValueError: <{service.address('Ann')}>")
    service.run()
    (told,) = service.mailbox("master@example.net")
    assert not [word for word in secrets(service) if has_secret(told.text, word)]
    assert "ValueError: <railpost+1861-1.1.***@example.org>" in told.text
