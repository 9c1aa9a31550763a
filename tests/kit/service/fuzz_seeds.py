"""Mails as they come: a turn mail of ours answered in a score of programs, and what programs send by themselves."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from quopri import encodestring

from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Letter, Service, mail
from tests.kit.service.odd_mails import file, packed_rtf, part, parts, raw, rtf_property, text_property, winmail

ORDERS = (
    "open TSR 25", "limit 60", "pass", "open TSR 25\nlimit 60", "Bid 60", "GRR: lay 57 K9 1\nrun 2 K9,L10\ndone",
    "BEGIN 1861-1 at 1\nopen TSR 25\nEND", "begin\npass\nend", "check\nbuy MB\npar GRR 100", "show map", "notify round",
    "partial\nopen TSR 25\nnonsense", "take 1", "partial; open TSR 25; limit 100", "help",
    "press Bob: pass?\npress\nDear all,\n-- \npass\nend press\nopen TSR 25",
)  # fmt: skip
SIGNATURE = "-- \nAnn\nDirector of everything\n"
MIXED, ALTERNATIVE = 'multipart/mixed; boundary="=_b"', 'multipart/alternative; boundary="=_b"'
PRINTABLE = "Content-Transfer-Encoding: quoted-printable"
BASE64 = "Content-Transfer-Encoding: base64"


@dataclass(frozen=True)
class Turn:
    """A turn mail that a player has got."""

    text: str
    html: str
    to: str


@cache
def turn() -> Turn:
    """One of a game that is made for it."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service.open(Path(folder))
        service.game()
        turn = of(service.letters("Ann")[-1])
        service.desk.database.close()
        return turn


def of(letter: Letter) -> Turn:
    return Turn(letter.text, letter.html, letter.reply_to)


def mails(turn: Turn, orders: str) -> dict[str, bytes]:
    """``orders`` in answer to ``turn``, by the name of the program."""
    to, said = turn.to, orders.replace("\n", "\r\n")
    quoted = "\r\n".join(f"> {line}" for line in turn.text.splitlines())
    wrote = f"On Sun, 1 Mar 2026 at 13:00, Railpost <{to}> wrote:"
    page = "".join(f"<div>{escape(line)}<br></div>" for line in orders.split("\n"))
    gmail = f'<div dir="ltr">{page}</div><div class="gmail_quote"><blockquote>{turn.html}</blockquote></div>'
    bodies = {name: raw(body, to=to, kind=kind, head=head) for name, body, kind, *head in _bodies(turn, orders)}
    return bodies | {
        "gmail": mail(f"{orders}\n\n{wrote}\n\n{quoted}\n", html=gmail, to=to),
        "telephone": mail(f"{orders}\n\nSent from my iPhone\n\n> {wrote}\n>\n{quoted}", to=to),
        "table": mail(orders, to=f"table@lists.example, {to}", cc="bob@players.example", html=page),
        "forward": raw(parts(part(said), part(mail(orders, to=to), "message/rfc822")), to=to, kind=MIXED),
        "away": mail("I am away.", to=to, headers={"Auto-Submitted": "auto-replied"}),
        "bounce": robot_mails.status(to=to.replace("+", "-bounces+"), returned=f"From: {to}"),
        "complaint": robot_mails.complaint(to=to),
        "spam": mail("Buy now\nopen TSR 25", to="railpost@example.org", headers={"X-Spam-Flag": "YES"}),
    }


def _bodies(turn: Turn, orders: str) -> Iterator[tuple[str, bytes, str, *tuple[str, ...]]]:
    """Program, body, Content-Type and further headers."""
    to, said, plain = turn.to, orders.replace("\n", "\r\n"), "text/plain; charset="
    quoted = "\r\n".join(f"> {line}" for line in turn.text.splitlines())
    wrote = f"On Sun, 1 Mar 2026 at 13:00, Railpost <{to}> wrote:"
    page = "".join(f"<div>{escape(line)}<br></div>" for line in orders.split("\n"))

    outlook = f"<html xmlns:o='urn:x'><body><p class=MsoNormal>{page}<o:p></o:p></p><hr>{turn.html}</body></html>"
    head = f"From: Railpost <{to}>\r\nSent: Sunday, March 1, 2026 1:00 PM\r\nTo: Ann\r\nSubject: [1861-1] your turn"
    above = f"{said}\r\n\r\n{'_' * 32}\r\n{head}\r\n\r\n{turn.text}"
    yield "outlook", parts(part(above), part(outlook, "text/html")), ALTERNATIVE
    yield "apple", encodestring(f"{said}\r\n\r\n{wrote}\r\n{quoted}".encode()), f"{plain}utf-8", PRINTABLE
    flowed = f"{plain}utf-8; format=flowed; delsp=yes"
    yield "thunderbird", f"{said} \r\n{wrote}\r\n{quoted}\r\n{said}".encode(), flowed
    yield "mutt", f"{quoted}\r\n{said}\r\n{SIGNATURE}".encode(), f"{plain}us-ascii", "List-Id: <x.lists.example>"
    yield "k9", b64encode(f"{said}\r\n{quoted}".encode()), f"{plain}utf-8", BASE64
    yield "yahoo", f"<html><body>{page}<table><tr><td>{turn.html}</td></tr></table>".encode(), "text/html"

    text = winmail(body=orders.encode(), properties=[text_property(orders)])
    rich = winmail(properties=[rtf_property(packed_rtf(b"{\\rtf1 " + orders.encode() + b"\\par}"))])
    for name, content in (("winmail", text), ("winmail rtf", rich)):
        yield name, parts(part(""), file(content, "application/ms-tnef", "winmail.dat")), MIXED
    signed = f"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n{said}\r\n-----BEGIN PGP SIGNATURE-----\r\n"
    yield "pgp", signed.encode(), f"{plain}utf-8"
    certificate = file(b"0\x80", "application/pkcs7-signature", "smime.p7s")
    yield "smime", parts(part(said), certificate), 'multipart/signed; boundary="=_b"'
    yield "opaque", b64encode(b"0\x80\x06\t*"), "application/pkcs7-mime; name=smime.p7m", BASE64

    yield "file", parts(part(SIGNATURE), file(orders.encode(), "text/plain", "orders.txt")), MIXED
    related = parts(part(said), part(page, "text/html"), border="in")
    pictures = part(related, 'multipart/related; boundary="in"'), file(b"\x89PNG", "image/png", "map.png")
    yield "pictures", parts(*pictures), MIXED
    calendar = part("BEGIN:VCALENDAR\r\nEND:VCALENDAR", "text/calendar; method=REQUEST")
    yield "invitation", parts(part(said), calendar), ALTERNATIVE

    german = f"{said}\r\n\r\nViele Grüße\r\nAnn\r\n\r\nVon: Railpost <{to}>\r\nGesendet: 1. März 2026\r\n"
    yield "german", german.encode("cp1252"), f"{plain}windows-1252"
    japanese = f"{said}\r\n\r\n2026年3月1日(日) 13:00 Railpost <{to}>:\r\n{quoted}"
    yield "japanese", japanese.encode("iso2022_jp", "replace"), f"{plain}iso-2022-jp"
    russian = f"{said}\r\n\r\nОт: Railpost <{to}>\r\nОтправлено: 1 марта 2026\r\n"
    yield "russian", russian.encode("koi8_r"), f"{plain}koi8-r"
