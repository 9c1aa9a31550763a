"""Messages made to take long or to grow without end, and blocks of orders that are not sure of their place."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlmodel import select

import grammar
from moderator.adapters.tables import MailRow
from moderator.service.reading.extract import extract
from moderator.service.reading.message import Malformed
from moderator.service.reading.parse import parse
from moderator.service.reading.text_choice import written
from tests.kit.notation.notation_1861 import NAMES
from tests.kit.samples import one_in
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.odd_mails import file, part, parts, raw, rtf_property, swollen_rtf, text_property, winmail

pytestmark = pytest.mark.usefixtures("each_database")

MIXED = 'multipart/mixed; boundary="=_b"'
SECONDS = 2.0
UTF8 = "text/plain; charset=utf-8"
QUOTED = "Content-Transfer-Encoding: quoted-printable"
OUTLOOK = winmail(properties=[rtf_property(swollen_rtf(399_000))])
ACCENTS = winmail(properties=[text_property("a" + "\u0301\u0316" * 90_000)])


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game()


@pytest.fixture
def brisk() -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def nested(depth: int, kind: str = "multipart/mixed") -> bytes:
    """Parts within parts."""
    heads = [f'Content-Type: {kind}; boundary="b{n}"\r\n\r\n--b{n}\r\n' for n in range(depth)]
    return "".join(heads).encode() + b"Content-Type: text/plain\r\n\r\npass\r\n"


HUGE = {
    "a thousand parts within parts": (nested(1_000), MIXED),
    "messages within messages": (b"Content-Type: message/rfc822\r\n\r\n" * 2_000, "message/rfc822"),
    "empty parts": (b"--=_b\r\n" * 50_000, MIXED),
    "parts": (parts(*[part("pass")] * 5_000), MIXED),
    "lines": (b"\n" * 1_900_000, "text/plain"),
    "carriage returns": (b"\r" * 1_900_000, "text/plain"),
    "lines within parts": (parts(part(nested(9) + b"\n" * 1_900_000, MIXED)), MIXED),
    "headers": (parts(b"X: y\r\n" * 50_000 + part("pass")), MIXED),
    "parameters": (parts(part("pass", 'text/plain; name="' + ';"' * 400_000)), MIXED),
    "a boundary of parameters": (b"pass", "multipart/mixed; " + ';boundary="a' * 90_000),
    "continued names": (parts(part("pass", "text/plain" + "".join(f"; name*{n}*=a'b'%" for n in range(9_999)))), MIXED),
    "one line": (b"pass" * 480_000, "text/plain"),
    "base64 lines": (b"=\r\n" * 59_000, "text/plain\r\nContent-Transfer-Encoding: base64"),
    "soft breaks": (b"=\n" * 59_000, "text/plain\r\nContent-Transfer-Encoding: quoted-printable"),
    "flowed lines": (b"a \n" * 59_000, "text/plain; format=flowed"),
    "delivery states": (b"A: b\n\n" * 29_000, "message/delivery-status"),
    "a slow charset": (b"a-" * 900_000, "text/plain; charset=punycode"),
    "a slow codec": (b"\xff" * 1_900_000, "text/plain; charset=utf-7"),
    "long letters": ("\ufdfa".encode() * 600_000, "text/plain; charset=utf-8"),
    "heads of quotations": (b"On On On On On On On On wrote:\n" * 60_000, "text/plain"),
    "quotations of quotations": (b">" * 1_900_000, "text/plain"),
    "blocks": (b"BEGIN\nEND\n" * 29_000, "text/plain"),
    "towers of accents": (("a" + "\u0301\u0316" * 300_000).encode(), UTF8),
    "accents between what is not seen": (("a" + "\u0301\u200b\u0316\u200b" * 150_000).encode(), UTF8),
    "accents in HTML": (("<p>a" + "\u0301\u0316" * 90_000).encode(), "text/html; charset=utf-8"),
    "entities": (b"&#64506;" * 240_000, "text/html"),
    "accents in entities": (b"&#769;&#790;" * 160_000, "text/html"),
    "quoted letters": (b"=EF=B7=BA" * 200_000, f"text/plain; charset=utf-8\r\n{QUOTED}"),
    "long numerals": (("\u2167" * 660_000).encode(), UTF8),
    "texts in pieces": (parts(*[part("\u2167" * 6_000, UTF8)] * 95), MIXED),
    "pages in pieces": (parts(*[part("<b>x</b>" * 2_400, "text/html")] * 95), MIXED),
    "files of Outlook": (parts(*[file(OUTLOOK, "application/ms-tnef", "winmail.dat")] * 25), MIXED),
    "accents of Outlook": (parts(file(ACCENTS, "application/ms-tnef", "winmail.dat")), MIXED),
    "words near to orders": (b"I may bis 18 x by 5 " * 490, "text/plain"),
    "lines near to orders": (b"bis dann\nun saludo\n" * 500, "text/plain"),
    "a long word": (b"run" + b"x" * 9_900, "text/plain"),
    "figures": (b"1 . " * 2_400, "text/plain"),
    "labels": (b"a: 12:02\n" * 29_000, "text/plain"),
    "quotations of one line": (b"> a\nb 2026\n" * 1_400, "text/plain"),
    "armour": (b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 50_000, "text/plain"),
}


@pytest.mark.fault(21, 24, 87)
@pytest.mark.parametrize("name", one_in(2, HUGE))
@pytest.mark.usefixtures("brisk")
def test_21_nothing_takes_long(name: str) -> None:
    """At most as long as the largest mail that is read can be."""
    body, kind = HUGE[name]
    content = raw(body[:1_990_000], to="railpost@example.org", kind=kind)
    parsed = parse(content)
    assert parsed.addressed == ("railpost@example.org",)
    with suppress(Malformed):
        read = written(parsed)
        for text in (read.extracted.text, *(fence.text for fence in read.extracted.fences[:1])):
            assert len(text) <= 200_000
            grammar.read(grammar.without_prose(text, NAMES).text, NAMES)


@pytest.mark.fault(21)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (nested(1_000), MIXED),
        (parts(*[part("open TSR 25")] * 200), MIXED),
        (b"open TSR 25\r\n" + b"\n" * 70_000, "text/plain"),
        (parts(part("open TSR 25")), "multipart/mixed"),
        (parts(part("open TSR 25")), 'multipart/mixed; boundary=""'),
    ],
)
def test_21_what_passes_a_limit_is_malformed_and_answered(service: Service, game: str, body: bytes, kind: str) -> None:
    to = service.address("Ann")
    service.send(raw(body, to=to, kind=kind), to)
    before = len(service.letters("Ann"))
    service.run()
    assert service.outcomes() == ["malformed"] and service.complaints == []
    assert [letter.kind for letter in service.letters("Ann")[before:]] == ["transcript"]
    assert service.log(game) == []


@pytest.mark.fault(21)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (parts(part("open TSR 25")), f'{MIXED}; boundary="other"'),
        (parts(part(parts(part("open TSR 25")), MIXED)), MIXED),  # the same boundary within itself
        (b"\r\n--=_b\r\n\r\nopen TSR 25\r\n--=_b--\r\n--=_b\r\n\r\nlimit 500\r\n--=_b--\r\n", MIXED),
    ],
)
def test_21_boundaries_that_come_again(service: Service, game: str, body: bytes, kind: str) -> None:
    to = service.address("Ann")
    service.send(raw(body, to=to, kind=kind), to)
    service.run()
    assert service.log(game) in ([], ["Ann: open TSR 25"]) and service.held(game) == []
    assert service.complaints == []


@pytest.mark.fault(22)
def test_22_a_large_attachment_is_not_read(service: Service, game: str) -> None:
    """25 MB as they lie in the mailbox: the head is kept, the seat is told."""
    to = service.address("Ann")
    films = file(b"\0" * 19_000_000, "video/mp4", "holiday.mp4")
    service.send(raw(parts(part("open TSR 25"), films), to=to, kind=MIXED), to)
    service.run()
    assert service.outcomes() == ["too_large"] and service.log(game) == []
    assert "Send the orders without attachments" in " ".join(service.letters("Ann")[-1].text.split())
    with service.session() as session:
        assert len(session.exec(select(MailRow)).one().content) < 100_000


@pytest.mark.fault(22)
def test_22_an_attachment_within_the_limit_does_not_hinder(service: Service, game: str) -> None:
    to = service.address("Ann")
    picture = file(b"\x89PNG" * 300_000, "image/png", "map.png")
    service.send(raw(parts(part("open TSR 25"), picture), to=to, kind=MIXED), to)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(24)
@pytest.mark.parametrize(
    "header",
    [b"X-Long: " + b"x" * 1_500_000, b"Subject: " + b"y " * 700_000, b"X: y\r\n" * 50_000, b"Cc: " + b"a@b," * 9],
)
def test_24_headers_are_read_to_a_limit(service: Service, game: str, header: bytes) -> None:
    """Fields beyond the limit might say the contrary, so the player is asked before such a mail counts."""
    to = service.address("Ann")
    content = raw(b"open TSR 25\r\n", to=to).replace(b"MIME-Version", header.strip() + b"\r\nMIME-Version", 1)
    service.send(content, to)
    service.run()
    if len(header) > 100_000:
        assert service.log(game) == [] and "are these orders yours" in service.letters("Ann")[-1].subject
        asked = service.letters("Ann")[-1].reply_to
        service.send(mail("yes", to=asked), asked)
        service.run()
    assert service.log(game) == ["Ann: open TSR 25"], service.details()


@pytest.mark.fault(24)
def test_24_ten_thousand_servers_are_a_circle(service: Service, game: str) -> None:
    to = service.address("Ann")
    service.send(b"Received: from a by b; Sun, 1 Mar 2026\r\n" * 10_000 + mail("open TSR 25", to=to), to)
    service.run()
    assert service.outcomes() == ["loop"] and service.log(game) == []


@pytest.mark.fault(25)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b"\r\n", b"\r"),
        lambda text: text.replace(b"\r\n", b"\n"),
        lambda text: re.sub(rb"\r\n", lambda found: (b"\r", b"\n", b"\r\n")[found.start() % 3], text),
        lambda text: text.replace(b"TSR", b"T\0S\0R"),
        lambda text: text.replace(b" 25", b" 2\x005\0").replace(b"Date", b"\0Date"),
    ],
)
def test_25_line_ends_and_nul(service: Service, game: str, change: object) -> None:
    to = service.address("Ann")
    service.send(change(raw(b"open TSR 25\r\nlimit 60\r\n", to=to)), to)  # type: ignore[operator]
    service.run()
    assert service.complaints == []
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(13, 25)
@pytest.mark.parametrize("end", ["\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\r"])
def test_25_whatever_ends_a_line_ends_quotations_and_signatures(end: str) -> None:
    found = extract(end.join(["open TSR 25", "> limit 400", "-- ", "pass"]))
    assert (found.text, found.ignored, found.quoted) == ("open TSR 25", 3, ("limit 400",))
    assert "more lines than are read" in extract(end.join(["pass"] * 10_000)).text


@pytest.mark.fault(25)
@pytest.mark.parametrize("body", [b"", b"\r\n", b"\0\0\0", b"\r\r\r", b" \t\r\n\xa0"])
def test_25_no_text(service: Service, game: str, body: bytes) -> None:
    to = service.address("Ann")
    service.send(raw(body, to=to), to)
    service.run()
    assert service.outcomes() == ["empty"] and service.log(game) == []


@pytest.mark.fault(25)
def test_25_without_a_line_between_header_and_text_there_is_no_text(service: Service, game: str) -> None:
    to = service.address("Ann")
    service.send(raw(b"", to=to).rstrip() + b"\r\nX-Odd: open TSR 25", to)
    service.send(b"", to)
    service.run()
    assert service.outcomes() == ["empty"] * 2 and service.complaints == []
    assert service.log(game) == []


# ---- blocks that name no game, addresses that only begin like ours


@pytest.mark.fault(30, 32)
@pytest.mark.parametrize("begin", ["BEGIN", "begin // my orders", "Begin at 1", "\u202bBEGIN", "\uff22EGIN"])
def test_32_a_block_that_names_no_game_is_for_that_of_its_address(service: Service, game: str, begin: str) -> None:
    service.say("Ann", f"Hi all,\n{begin}\nopen TSR 25\nEND\nSee you\n")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(32)
def test_32_two_blocks_of_which_one_names_the_game_are_two(service: Service, game: str) -> None:
    service.say("Ann", f"BEGIN\nopen TSR 25\nEND\nBEGIN {game}\npass\nEND\n")
    assert service.outcomes() == ["two_blocks"] and service.log(game) == []


@pytest.mark.fault(32)
def test_32_a_block_that_names_no_game_in_a_mail_to_two_is_asked_about(service: Service, game: str) -> None:
    first = service.address("Ann")
    other = service.game()
    second = service.address("Ann")
    service.send(mail(f"BEGIN\nopen TSR 25\nEND\nBEGIN {other}\npass\nEND\n", to=f"{first}, {second}"), first)
    service.run()
    assert service.log(game) == [] and service.log(other) == ["Ann: pass"]
    assert "several games" in " ".join(service.letters("Ann")[-1].text.split()) or service.outcomes() == ["applied"]


@pytest.mark.fault(33)
def test_33_a_block_with_its_secret_word_needs_no_game(service: Service, game: str) -> None:
    token = service.address("Ann").split("@")[0].split(".")[-1]
    service.send(mail(f"BEGIN token {token}\nopen TSR 25\nEND\n", cc="table@lists.example"))
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(33)
@pytest.mark.parametrize("domain", ["example.org.evil.example", "example.organic", "example.org-x.example"])
def test_33_an_address_at_a_domain_that_begins_like_ours_is_none(service: Service, game: str, domain: str) -> None:
    local = service.address("Ann").split("@")[0]
    service.send(mail("open TSR 25", to=f"{local}@{domain}"))
    service.run()
    assert service.outcomes() in (["wrong_token"], ["unknown_sender"]) and service.log(game) == []


@pytest.mark.fault(30)
def test_30_a_block_in_base64_in_a_list_with_a_footer(service: Service, game: str) -> None:
    """A list that puts its footer under the encoded text, as some do."""
    to = service.address("Ann")
    body = b64encode(b"BEGIN\r\nopen TSR 25\r\nEND\r\n") + b"\r\n_____\r\nThe list: https://lists.example/\r\n"
    service.send(raw(body, to=to, head=("Content-Transfer-Encoding: base64",)), to)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]
