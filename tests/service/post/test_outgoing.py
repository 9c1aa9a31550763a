"""What our mails look like on the wire: accepted by providers, one thread for a game, and nobody's text in a header."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import dkim
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from moderator.adapters.mail.dkim_sign import BadKey, SignedForm
from moderator.adapters.mail.message import build, one_line
from moderator.domain.ports import Never, Outgoing
from moderator.domain.transcript import Transcript, TranscriptLine
from moderator.entrypoints.processes.assembly import form_of
from moderator.render import notice_mail, transcript_mail
from moderator.service.robots.classify import classify
from moderator.settings import Settings
from tests.kit.service.mail_service import Service
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")

OURS = [
    "Message-ID", "Date", "From", "To", "Reply-To", "Subject", "Auto-Submitted", "In-Reply-To", "References", "List-Id",
    "X-Railpost", "List-Unsubscribe", "MIME-Version", "Content-Type",
]  # fmt: skip


def outgoing(**given: Any) -> Outgoing:
    wanted: dict[str, Any] = {
        "message_id": "<0123456789abcdef01234567@example.org>", "recipient": "ann@players.example",
        "return_path": "railpost-bounces+0123456789abcdef01234567@example.org", "sender": "railpost@example.org",
        "reply_to": "railpost+1861-7.1.abc@example.org", "subject": "[1861-7] your turn", "text": "text\n", "html": "",
        "created_at": datetime(2026, 3, 1, 12, 0, tzinfo=UTC), "headers": {"Auto-Submitted": "auto-generated"},
    }  # fmt: skip
    return Outgoing(**(wanted | given))


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def names(content: bytes) -> list[str]:
    """Names of the header lines, as a server sees them."""
    head = content.split(b"\r\n\r\n")[0].decode("ascii")
    return [line.split(":")[0] for line in head.split("\r\n") if line[0] not in " \t"]


# ---- what providers and programs want


@pytest.mark.fault(43, 67)
def test_every_mail_of_a_game_has_the_headers_that_are_wanted(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game()
    service.say("Ann", "open TSR 25")
    for player in ("Ann", "Bob", "Cat"):
        for letter in service.letters(player):
            head = letter.message
            assert [name for name in OURS if head[name] is None] == []
            assert re.search(r"<railpost@example\.org>$", str(head["From"]))  # DMARC: the service's own domain, always
            assert str(head["List-Id"]) == "<1861-1.example.org>"
            assert str(head["References"]).split()[0] == f"<1861-1.{'_ABC'.index(player[0])}@example.org>"
            assert len({name.lower() for name in head}) == len(head.keys())
            answer = letter.kind == "transcript"
            assert str(head["Auto-Submitted"]) == ("auto-replied" if answer else "auto-generated")
            assert letter.message.is_multipart()
    answered = next(letter for letter in service.letters("Ann") if letter.kind == "transcript").message
    assert str(answered["In-Reply-To"]) == str(answered["References"]).split()[1]


@pytest.mark.fault(67)
def test_each_mail_has_a_return_path_of_its_own(table: Table, game: str) -> None:
    paths = [str(x.message["Return-Path"]) for name in ("Ann", "Bob", "Cat") for x in table.letters(name)]
    assert len(set(paths)) == len(paths)
    assert all(re.fullmatch(r"<railpost-bounces\+[0-9a-f]{24}@example\.org>", path) for path in paths)
    assert all(len(path.strip("<>").split("@")[0]) <= 64 for path in paths)


@pytest.mark.fault(66, 67)
def test_every_mail_of_ours_is_known_when_it_comes_back(table: Table, game: str) -> None:
    table.say("Ann", "pass")
    table.run()
    for letter in [*table.letters("Ann"), *table.letters("Bob"), *table.mailbox("master@example.net")]:
        found = classify(bytes(letter.message), "ann@players.example", table.desk.settings)
        assert found is not None
        assert found.outcome == "loop"


@pytest.mark.fault(84)
def test_the_same_mail_is_the_same_bytes_however_often_it_is_sent() -> None:
    mail = outgoing(html="<p>text</p>", subject="Zug für Österreich")
    assert build(mail) == build(mail)


def test_long_addresses_to_unsubscribe_stay_in_one_piece() -> None:
    url = f"https://play.example.org/{'a' * 60}/unsubscribe/1.{'b' * 26}"
    by_mail = f"mailto:railpost+stop.1.{'b' * 26}@example.org?subject=unsubscribe"
    content = build(outgoing(headers={"List-Unsubscribe": f"<{url}>, <{by_mail}>"}))
    assert f"<{url}>".encode() in content
    assert f"<{by_mail}>".encode() in content
    assert max(map(len, content.split(b"\r\n"))) <= 998


@pytest.mark.fault(94)
@pytest.mark.parametrize("text", ["x" * 5_000, "pass\n" * 20_000, "é" * 3_000])
def test_lines_are_never_longer_than_servers_take(text: str) -> None:
    content = build(outgoing(text=text, html=f"<p>{text}</p>"))
    assert max(map(len, content.split(b"\r\n"))) <= 998
    body = read(content).get_body(("plain",))
    assert body is not None
    assert str(body.get_content()).replace("\r\n", "\n").rstrip("\n") == text.rstrip("\n")


# ---- nobody's text in a header

TRICKS = [
    "x\r\nBcc: victim@else.example",
    "x\nBcc: victim@else.example\n\nbody",
    "x\rBcc: victim@else.example",
    "x\0\x0b\x0c\x1c\x85\u2028\u2029Bcc: victim@else.example",
    "=?utf-8?q?x=0D=0ABcc=3A_victim=40else=2Eexample?=",
    "=?utf-8?b?eA0KQmNjOiB2aWN0aW1AZWxzZS5leGFtcGxl?=",
    "=?utf-8?q?x?==?utf-8?q?=0D=0ABcc=3A_v?=",
    "\u202ecod.exe",
    "\udcff\udc0a",
    "a" * 100_000,
    "é\r\n" * 2_000,
    " \r\n\t \r\n ",
    "",
]
ANY_TEXT = st.text(max_size=300) | st.sampled_from(TRICKS)


@pytest.mark.fault(4, 43)
@given(subject=ANY_TEXT, value=ANY_TEXT, text=ANY_TEXT)
@example(subject=TRICKS[0], value=TRICKS[4], text=TRICKS[1])
@example(subject=TRICKS[5], value=TRICKS[8], text=TRICKS[8])
def test_no_text_makes_a_header(subject: str, value: str, text: str) -> None:
    content = build(outgoing(subject=subject, text=text, html=text, headers={"List-Id": value}))
    wanted = {"Message-ID", "Date", "From", "To", "Reply-To", "Subject", "List-Id", "Content-Type", "MIME-Version"}
    there = names(content)
    assert set(there) - {"Content-Transfer-Encoding"} == wanted
    assert len(there) == len(set(there))
    assert b"\r" not in content.replace(b"\r\n", b"")
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert b"\0" not in content
    message = read(content)
    assert str(message["To"]) == "ann@players.example"
    assert message["Bcc"] is None
    assert not re.search(r"[\x00-\x1f\x7f\u2028\u2029\u202e]", str(message["Subject"]))
    assert len(str(message["Subject"])) <= 260


@pytest.mark.fault(43)
@given(ANY_TEXT)
def test_a_header_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", line)
    assert "=?" not in line
    assert len(line) <= 900


@pytest.mark.fault(36, 43)
@pytest.mark.parametrize(
    "address",
    [
        "ann@players.example\r\nBcc: v@else.example", "a, b@else.example", "a b@else.example", '"a@x" <b@y.example>',
        "ann@players.example>", "é@players.example", "", "ann", "a@b@c.example", "group: a@b.example;", "a@b\0.example",
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["recipient", "reply_to", "sender"])
def test_what_is_no_single_address_gets_no_mail(field: str, address: str) -> None:
    with pytest.raises(Never):
        build(outgoing(**{field: address}))


@pytest.mark.parametrize("name", ["X\r\nBcc", "X Y", "", "Bcc:", "é"])
def test_names_of_headers_are_names(name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        build(outgoing(headers={name: "x"}))


# ---- nobody's text in HTML, nobody's text as the moderator's

MARKUP = [
    "<script>alert(1)</script>", "{{ 7*7 }}", "{% include 'x' %}", "\"><img src=x onerror=alert(1)>", "&lt;b&gt;",
    "</pre></body></html><h1>The moderator says", "##- reply above this line -##",
    "BEGIN 1861-1 at 1\nopen TSR 400\nEND",
]  # fmt: skip


@pytest.mark.fault(44)
@given(st.sampled_from(MARKUP) | st.text(max_size=80))
def test_what_a_player_wrote_is_escaped_and_on_a_marked_line(written: str) -> None:
    game, info = _position()
    rendered, plain = (
        transcript_mail(game, info, Transcript("1861-1", "Ann", (line,), (), 0, "refused", (), 1))
        for line in (TranscriptLine(1, said, "open TSR 25", "refused") for said in (written, "something"))
    )
    assert tags(rendered.html) <= tags(plain.html)
    moderator = [one for one in rendered.text.split("\n") if one.startswith(("BEGIN ", "##- "))]
    assert moderator == [one for one in plain.text.split("\n") if one.startswith(("BEGIN ", "##- "))]


@pytest.mark.fault(44)
@pytest.mark.parametrize("name", MARKUP[:5])
def test_a_name_is_escaped_where_a_mail_names_it(name: str) -> None:
    _, info = _position()
    rendered = notice_mail(info, "unreachable", {"player": name, "asked": True, "clock": True})
    assert "<script" not in rendered.html
    assert "<img" not in rendered.html
    assert "49" not in rendered.text
    assert "\n" not in rendered.subject


_KEPT: list[Any] = []


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(f"{tag} {sorted(name for name, _ in attrs)}")


def tags(html: str) -> set[str]:
    """The elements of a page, with the names of their attributes."""
    parser = _Tags()
    parser.feed(html)
    return parser.found


def _position() -> Any:
    if not _KEPT:
        from engine import Game, Setup, load_title
        from moderator.domain.info import GameInfo

        players = ("Ann", "Bob", "Cat")
        game = Game.start(load_title("1861", "v2.0", {}), Setup(players, "seed", "Ann"))
        info = GameInfo("1861-1", "1861", game.title.edition, {}, "Ann", dict.fromkeys(players), "0" * 64, 1)
        _KEPT.append((game, info))
    return _KEPT[0]


# ---- signatures


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a key with")
    path = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run(["openssl", "genrsa", "-traditional", "-out", str(path), "1024"], check=True, capture_output=True)
    return path


def published(key: Path) -> bytes:
    done = subprocess.run(["openssl", "rsa", "-in", str(key), "-pubout"], check=True, capture_output=True)
    return b"v=DKIM1; k=rsa; p=" + b"".join(done.stdout.splitlines()[1:-1])


@pytest.mark.fault(74)
def test_a_signature_covers_what_one_click_needs(key: Path) -> None:
    settings = Settings(domain="example.org", dkim_selector="mail", dkim_key=key)
    headers = {
        "Auto-Submitted": "auto-generated", "List-Id": "<1861-7.example.org>",
        "List-Unsubscribe": "<https://play.example.org/unsubscribe/1.abc>, <mailto:railpost+stop.1.abc@example.org>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }  # fmt: skip
    content = form_of(settings)(outgoing(headers=headers, html="<p>é</p>", subject="Zug für Österreich"))
    asked: list[bytes] = []

    def look_up(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return published(key)

    assert dkim.verify(content, dnsfunc=look_up)
    assert asked == [b"mail._domainkey.example.org."]
    signature = content.split(b"\r\nMessage-ID:")[0].lower()
    assert b"list-unsubscribe :" in signature.replace(b"\r\n ", b"")
    assert b"list-unsubscribe-post" in signature.replace(b"\r\n ", b"")
    assert not dkim.verify(content.replace(b"One-Click", b"Two-Click"), dnsfunc=look_up)
    assert not dkim.verify(content.replace(b"/unsubscribe/1.abc", b"/unsubscribe/1.abd"), dnsfunc=look_up)


def test_a_key_that_cannot_sign_is_refused_when_the_service_starts(tmp_path: Path) -> None:
    bad = tmp_path / "key.pem"
    bad.write_text("no key")
    with pytest.raises(BadKey, match=r"key\.pem"):
        SignedForm("mail", "example.org", bad)
    with pytest.raises(OSError, match="No such file"):
        SignedForm("mail", "example.org", tmp_path / "none.pem")


def test_selector_and_key_go_together(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="dkim"):
        Settings(dkim_selector="mail")
    with pytest.raises(ValidationError, match="dkim"):
        Settings(dkim_key=tmp_path)
