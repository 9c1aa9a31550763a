"""What stands in a mail, in whatever form: charsets, encodings, parts, files. Numbers are rows of the fault list."""

from __future__ import annotations

import time
import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from tests.kit.service.mail_service import Letter, Service, mail
from tests.kit.service.odd_mails import (
    file,
    html_property,
    packed_rtf,
    part,
    parts,
    raw,
    rtf_property,
    text_property,
    winmail,
)

MIXED = 'multipart/mixed; boundary="=_b"'
ALTERNATIVE = 'multipart/alternative; boundary="=_b"'


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR."""
    return service.ready_game()


def ann(service: Service, body: bytes, kind: str = "text/plain", *head: str) -> Letter:
    """Ann's answer with this body; what she is answered."""
    before = len(service.letters("Ann"))
    to = service.address("Ann")
    service.send(raw(body, to=to, kind=kind, head=head), to)
    service.run()
    assert service.complaints == []
    return service.letters("Ann")[before]


def said(letter: Letter) -> str:
    return " ".join(letter.text.split())


OPENED = ["Ann: open TSR 25"]


# ---- characters


@pytest.mark.fault(1)
@pytest.mark.parametrize(
    "charset",
    ["utf8mb4", "x-unknown", "iso-8859-8-i", "", '""', "unicode_escape", "idna", "base64", "../../etc", "a" * 900],
)
def test_01_a_charset_that_nobody_knows(service: Service, game: str, charset: str) -> None:
    ann(service, "open TSR 25 // für später\r\n".encode(), f"text/plain; charset={charset}")
    assert service.log(game) == OPENED


@pytest.mark.fault(1)
def test_01_that_it_is_not_known_is_told(service: Service, game: str) -> None:
    assert "charset" in said(ann(service, b"open TSR 25\r\n", "text/plain; charset=utf8mb4"))
    assert "charset" not in said(ann(service, b"show map\r\n", "text/plain; charset=UTF-8"))


@pytest.mark.fault(2)
@pytest.mark.parametrize(
    ("label", "body"),
    [
        ("us-ascii", "open TSR 25 // größer".encode()),
        ("utf-8", "open TSR 25 // größer".encode("cp1252")),
        ("utf-8", b"open TSR 25 // \x81\x8d"),
        ("utf-16", b"open TSR 25 // odd"),
        ("shift_jis", b"open TSR 25 // \xfd\xfe"),
    ],
)
def test_02_a_charset_that_is_wrong(service: Service, game: str, label: str, body: bytes) -> None:
    answer = ann(service, body, f"text/plain; charset={label}")
    if label != "utf-16":  # which takes every two bytes for a letter
        assert service.log(game) == OPENED
        assert "charset" in said(answer)


@pytest.mark.usefixtures("each_database")
@pytest.mark.fault(3)
def test_03_eight_bits_in_headers_do_no_harm(service: Service, game: str) -> None:
    to = service.address("Ann")
    head = ("X-Odd: \udcff\udcfe", "In-Reply-To: <\udce4@players.example>", "References: \udcff\x00")
    content = raw(b"open TSR 25\r\n", to=to, head=head, message_id="<\udcff\udc80@players.example>",
                  sender="J\udcf6rg <ann@players.example>")  # fmt: skip
    service.send(content, to)
    service.run()
    assert service.log(game) == OPENED and service.complaints == []
    assert all(max(str(v), default="") < "\ud800" for letter in service.letters("Ann") for v in letter.message.values())


@pytest.mark.fault(4)
def test_04_an_encoded_line_break_makes_no_header(service: Service, game: str) -> None:
    to = service.address("Ann")
    odd = "=?utf-8?q?a=0D=0ABcc=3A_eve=40evil.example=0D=0A?="
    content = raw(b"open TSR 3\r\n", to=f"{odd} <{to}>", sender=f"{odd} <ann@players.example>", message_id=f"<{odd}@x>")
    service.send(content.replace(b"Subject: ", f"Subject: {odd} ".encode()), to)
    service.run()
    assert service.outcomes() == ["refused"]
    for letter in service.letters("Ann"):
        assert "Bcc" not in letter.message and "=?utf-8?q?a" not in str(letter.message)


@pytest.mark.fault(5)
@pytest.mark.parametrize("message_id", ["<[abc@microsoft.com]>", "<[", "<>", "[]@", "<a@[b", "\t", "<" * 5_000])
def test_05_message_ids_that_trip_libraries(service: Service, game: str, message_id: str) -> None:
    to = service.address("Ann")
    content = raw(b"open TSR 3\r\n", to=to, message_id=message_id)
    service.send(content, to)
    service.send(content, to)
    service.run()
    assert service.outcomes() == ["refused", "duplicate"] and service.complaints == []


# ---- encodings


@pytest.mark.fault(6)
def test_06_soft_breaks_in_an_order(service: Service, game: str) -> None:
    ann(service, b"ope=\r\nn TSR=20=\r\n25=20\r\n", "text/plain", "Content-Transfer-Encoding: quoted-printable")
    assert service.log(game) == OPENED


@pytest.mark.fault(6)
@pytest.mark.parametrize("line", ["open TSR=20 25", "open TSR =3D 25", "open TS=\r\nR 25"])
def test_06_what_is_not_declared_is_not_guessed_but_shown(service: Service, game: str, line: str) -> None:
    answer = ann(service, line.encode())
    assert service.outcomes() == ["unreadable"] and service.log(game) == []
    assert line.partition("\r\n")[0] in answer.text


BASE64 = "Content-Transfer-Encoding: base64"
TWO = b64encode(b"open TSR 25\r\nlimit 60 // that is enough")


@pytest.mark.fault(7)
@pytest.mark.parametrize("cut", [1, 2, 3, 5, 6, 7, 18, 33])
def test_07_cut_base64_is_not_carried_out(service: Service, game: str, cut: int) -> None:
    """``open TSR 25`` cut to ``open TSR 2`` would be another order."""
    answer = ann(service, TWO[:-cut], "text/plain", BASE64)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []
    assert "cut off" in said(answer)


@pytest.mark.fault(7)
def test_07_base64_with_junk_in_it(service: Service, game: str) -> None:
    ann(service, TWO[:10] + b"!\x00{" + TWO[10:], "text/plain", BASE64)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


@pytest.mark.fault(7)
def test_07_a_block_with_its_end_is_whole(service: Service, game: str) -> None:
    body = b64encode(b"BEGIN\r\nopen TSR 25\r\nEND\r\nand so on and on")
    ann(service, body[:-3], "text/plain", BASE64)
    assert service.log(game) == OPENED


@pytest.mark.fault(7)
@pytest.mark.parametrize(
    ("body", "kind", "head"),
    [
        (b"open TSR 25=", "text/plain", ["Content-Transfer-Encoding: quoted-printable"]),
        (parts(part("open TSR 25"), end=False), MIXED, []),
        (parts(part(parts(part("open TSR 25"), border="in", end=False), 'multipart/mixed; boundary="in"')), MIXED, []),
    ],
)
def test_07_other_texts_that_are_cut(service: Service, game: str, body: bytes, kind: str, head: list[str]) -> None:
    ann(service, body, kind, *head)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


@pytest.mark.fault(7)
def test_07_a_text_is_whole_if_what_comes_after_it_is_cut(service: Service, game: str) -> None:
    ann(service, parts(part("open TSR 25"), part("<p>open TS", "text/html"), end=False), ALTERNATIVE)
    assert service.log(game) == OPENED


# ---- HTML


@pytest.mark.fault(8)
@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>open TSR 25</td></tr><tr><td>done later</td></tr></table>".replace("done later", "// later"),
        "<ol><li>open TSR 25</li></ol>",
        "<ul><li>open <b>TSR</b> 25</li></ul>",
        "<p style='margin-top: 99999999em; padding-left: 9999999px'>open TSR 25</p>",
        "<div style='DISPLAY:NONE'>limit 500</div><p>open TSR 25</p><!-- limit 400 -->",
        "<pre>open TSR 25\n</pre>",
        "<span>open</span>&nbsp;<span>TSR&nbsp;25</span>",
        "<style>p {color: red}</style><script>pass</script><p>open TSR 25",
        "<?xml version='1.0' encoding='latin-1'?><html><body>open TSR 25</body></html>",
        "<div>" * 150 + "open TSR 25",
    ],
)
def test_08_pages_of_all_kinds(service: Service, game: str, page: str) -> None:
    ann(service, page.encode(), "text/html; charset=utf-8")
    assert service.log(game) == OPENED
    assert service.held(game) == []


@pytest.mark.fault(8, 21)
@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>" + "x" * 90_000 + "</td></tr>" + "<tr><td>y" * 9_000,
        "<div>" * 30_000 + "pass",
        "<ul><li>" * 9_000 + "pass",
        "<b>" * 60_000,
        "<a" * 90_000,
        "&#x" * 60_000,
        "<p style='" + "margin:9em;" * 15_000 + "'>hello",
        "<!--" * 50_000,
    ],
)
def test_08_pages_without_end(service: Service, game: str, page: str) -> None:
    began = time.process_time()
    ann(service, page.encode(), "text/html")
    assert time.process_time() - began < 4
    assert service.outcomes()[0] in ("unreadable", "malformed", "empty") and service.log(game) == []


@pytest.mark.fault(10)
@pytest.mark.parametrize(
    "excuse",
    [
        "", " \r\n", "Your mail program cannot show HTML.", "This is a MIME message. Use an HTML viewer.",
        "Diese Nachricht ist in HTML.\r\nIhr Programm kann sie nicht anzeigen.",
    ],
)  # fmt: skip
def test_10_a_plain_part_that_says_nothing(service: Service, game: str, excuse: str) -> None:
    body = parts(part(excuse), part("<p>open TSR 25</p>", "text/html"))
    answer = ann(service, body, ALTERNATIVE)
    assert service.log(game) == OPENED
    assert "HTML" in answer.text


@pytest.mark.fault(10)
def test_10_orders_that_speak_of_html_are_orders(service: Service, game: str) -> None:
    said = "open TSR 25 // no HTML, please"
    ann(service, parts(part(said), part(f"<p>{said}</p><p>limit 99</p>", "text/html")), ALTERNATIVE)
    assert service.log(game) == OPENED and service.held(game) == []


# ---- lines


@pytest.mark.fault(11)
@pytest.mark.parametrize(
    ("text", "delsp"),
    [
        ("open \r\nTSR \r\n25\r\nlimit 60\r\n-- \r\npass\r\n", "no"),
        ("open T \r\nSR 2 \r\n5\r\nlimit 60\r\n", "yes"),
        (" open TSR 25\r\n limit 60\r\n> quoted \r\n> limit 400\r\n", "no"),
    ],
)
def test_11_flowed_text(service: Service, game: str, text: str, delsp: str) -> None:
    ann(service, text.encode(), f"text/plain; charset=utf-8; format=Flowed; DelSp={delsp}")
    assert service.log(game) == OPENED
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(12)
def test_12_an_order_broken_over_two_lines_is_refused_with_both_named(service: Service, game: str) -> None:
    answer = service.say("Ann", "open\nTSR 25")
    assert service.outcomes() == ["unreadable"] and service.log(game) == []
    assert answer is not None and "two lines" in said(answer)


# ---- what is no text


@pytest.mark.fault(15)
@pytest.mark.parametrize("text", ["\U0001f682", "\U0001f44d\U0001f3fd", "\u200b", "\u2764\ufe0f\n"])
def test_15_a_picture_in_letters_is_no_order(service: Service, game: str, text: str) -> None:
    ann(service, text.encode(), "text/plain; charset=utf-8")
    assert service.outcomes()[0] in ("empty", "unreadable") and service.log(game) == []


RTF = b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 A;}}\\pard open TSR\\~2\\'35\\par limit \\u54?0\\par}"
FROM_HTML = b"{\\rtf1\\fromhtml1{\\*\\htmltag64 <p>}open TSR 25{\\*\\htmltag72 </p>}\\htmlrtf\\par\\htmlrtf0 limit 60}"


@pytest.mark.fault(16)
@pytest.mark.parametrize(
    "content",
    [
        winmail(body=b"open TSR 25\r\nlimit 60"),
        winmail(body="open TSR 25\r\nlimit 60 // \xe4".encode("cp850"), page=850),
        winmail(properties=[text_property("open TSR 25\r\nlimit 60")]),
        winmail(properties=[(0x0003, 0x3FDE, b"")], body=b"open TSR 25\nlimit 60"),
        winmail(properties=[html_property(b"<p>open TSR 25</p><p>limit 60</p>")]),
        winmail(properties=[rtf_property(packed_rtf(RTF))]),
        winmail(properties=[rtf_property(packed_rtf(FROM_HTML))]),
    ],
)
def test_16_the_text_in_a_winmail_dat_is_read(service: Service, game: str, content: bytes) -> None:
    ann(service, parts(part(""), file(content, "application/ms-tnef", "winmail.dat")), MIXED)
    assert service.log(game) == OPENED
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(16)
@pytest.mark.parametrize(
    "content",
    [b"", b"x" * 50, winmail(), winmail(body=b"open TSR 25")[:30], winmail(properties=[rtf_property(b"\xff" * 999)]),
     winmail(properties=[text_property("open TSR 250")])[:-30],
     winmail(properties=[rtf_property(packed_rtf(RTF)[:-9])]),
     winmail(properties=[text_property("open")])[:24] + b"\xff" * 400],
)  # fmt: skip
def test_16_without_a_text_the_setting_is_named(service: Service, game: str, content: bytes) -> None:
    answer = ann(service, parts(file(content, "application/ms-tnef", "winmail.dat")), MIXED)
    assert service.outcomes() == ["empty"]
    assert "Outlook" in answer.text


@pytest.mark.usefixtures("each_database")
@pytest.mark.fault(16, 25)
def test_16_a_nul_in_rich_text_gets_nowhere(service: Service, game: str) -> None:
    rich = winmail(properties=[rtf_property(packed_rtf(b"{\\rtf1 op\\u0?en TSR\\'00 25}"))])
    ann(service, parts(file(rich, "application/ms-tnef", "winmail.dat")), MIXED)
    assert service.log(game) == OPENED


ARMOUR = b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA0\r\n=abcd\r\n-----END PGP MESSAGE-----\r\n"


@pytest.mark.fault(17)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b64encode(b"0\x80\x06"), 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"'),
        (b64encode(b"0\x80\x06"), "application/x-pkcs7-mime; smime-type=signed-data"),
        (parts(part("Version: 1", "application/pgp-encrypted"), part(ARMOUR, "application/octet-stream")),
         'multipart/encrypted; protocol="application/pgp-encrypted"; boundary="=_b"'),
        (ARMOUR, "text/plain"),
        (b"open TSR 25\r\n" + ARMOUR, "text/plain"),
    ],
)  # fmt: skip
def test_17_what_is_encrypted_is_not_read_and_that_is_said(service: Service, game: str, body: bytes, kind: str) -> None:
    answer = ann(service, body, kind)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []
    assert "encrypted" in answer.text


@pytest.mark.fault(17)
def test_17_a_signed_text_is_read(service: Service, game: str) -> None:
    signed = 'multipart/signed; micalg=sha-256; protocol="application/pgp-signature"; boundary="=_b"'
    ann(service, parts(part("open TSR 25\r\n"), part("xyz", "application/pgp-signature; name=signature.asc")), signed)
    assert service.log(game) == OPENED


@pytest.mark.fault(17)
def test_17_a_text_signed_in_itself_is_read_without_its_armour(service: Service, game: str) -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nopen TSR 25\n- limit 60\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n"
    )
    service.say("Ann", text)
    assert service.log(game) == OPENED
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


# ---- files


@pytest.mark.fault(18)
def test_18_orders_in_a_file_are_read_where_there_are_no_others(service: Service, game: str) -> None:
    orders = file(b"open TSR 25\r\n", "text/plain", "orders.txt")
    answer = ann(service, parts(part("-- \r\nAnn\r\n"), orders), MIXED)
    assert service.log(game) == OPENED
    assert "attached" in answer.text


@pytest.mark.fault(18)
def test_18_orders_in_a_file_do_not_count_beside_others(service: Service, game: str) -> None:
    orders = file(b"limit 500\r\n", "text/plain", "orders.txt")
    answer = ann(service, parts(part("open TSR 25"), orders), MIXED)
    assert service.log(game) == OPENED and service.held(game) == []
    assert "was not read" in said(answer)


@pytest.mark.fault(18)
def test_18_a_file_that_is_too_long_orders_nothing(service: Service, game: str) -> None:
    orders = file(b"open TSR 25\r\n" + b"// long\r\n" * 4_000, "text/plain", "orders.txt")
    ann(service, parts(orders), MIXED)
    assert service.outcomes() == ["unreadable"] and service.log(game) == []


@pytest.mark.fault(19)
@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("image/png", "orders.png", "a picture"),
        ("application/pdf", "orders.pdf", "a PDF file"),
        ("text/calendar", "invite.ics", "an appointment"),
        ("application/octet-stream", "orders.heic", "a picture"),
        ("application/vnd.ms-excel", "orders.xls", "a document"),
        ("application/x-thing", "thing", "a file"),
    ],
)
def test_19_orders_are_no_pictures(service: Service, game: str, kind: str, name: str, told: str) -> None:
    answer = ann(service, parts(part(""), file(b"open TSR 25", kind, name)), MIXED)
    assert service.outcomes() == ["empty"] and service.log(game) == []
    assert told in said(answer)


@pytest.mark.fault(20)
def test_20_a_forwarded_mail_alone_is_answered_with_the_reason(service: Service, game: str) -> None:
    inner = mail(f"BEGIN {game}\nopen TSR 25\nEND", to=service.address("Ann"))
    answer = ann(service, parts(part(""), part(inner, "message/rfc822")), MIXED)
    assert service.outcomes() == ["empty"] and service.log(game) == []
    assert "forwarded" in answer.text


@pytest.mark.fault(23)
def test_23_no_archive_is_opened(service: Service, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip
    import zipfile

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("an archive was opened")

    for module, name in ((zipfile.ZipFile, "__init__"), (gzip, "decompress"), (zlib, "decompress")):
        monkeypatch.setattr(module, name, opened)
    bomb = b"\x1f\x8b\x08" + b"\0" * 2_000
    kinds = [("application/zip", "orders.zip"), ("application/gzip", "orders.txt.gz"), ("text/plain", "a.zip")]
    answer = ann(service, parts(*(file(bomb, kind, name) for kind, name in kinds)), MIXED)
    assert service.outcomes() == ["empty"]
    assert "an archive, which is never opened" in said(answer)


@pytest.mark.fault(15)
def test_15_a_reaction_is_no_error(service: Service, game: str) -> None:
    """As Gmail sends it: a text, what it is for programs, and a page."""
    body = parts(
        part("👍\r\n\r\nAnn reacted via Gmail <https://www.google.com/gmail/about/>\r\n"),
        part('{"version": 1, "emoji": "👍"}', "text/vnd.google.email-reaction+json"),
        part("<div>👍</div><div>Ann reacted via Gmail</div>", "text/html"),
    )
    answer = ann(service, body, ALTERNATIVE)
    assert service.outcomes() == ["empty"] and service.log(game) == []
    assert "reaction" in said(answer) and "file" not in said(answer)
