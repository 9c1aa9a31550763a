"""The text of a mail is read once, and whole: of several forms one is read, and of several pieces all.

Numbers are those of the rows of the fault list.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from moderator.service.reading.parse import parse
from moderator.service.reading.text_choice import written
from tests.kit.service.mail_service import Letter, Service
from tests.kit.service.odd_mails import file, part, parts, raw, text_property, winmail

MIXED = 'multipart/mixed; boundary="=_b"'
ALTERNATIVE = 'multipart/alternative; boundary="=_b"'
HTML = "text/html; charset=utf-8"
TWO = "open TSR 25\nlimit 60"
PAGE = "<div>open TSR 25</div><div>limit 60</div>"
RICH = winmail(properties=[text_property("open TSR 25\r\nlimit 60")])
OUTLOOK = file(RICH, "application/ms-tnef", "winmail.dat")
FOOTER = "_______________________________________________\nplayers mailing list -- players@lists.example\n"
INNER = "--=_c\r\nContent-Type: {}\r\n\r\n{}\r\n"


def inside(kind: str, *pieces: tuple[str, str]) -> bytes:
    """A part in parts."""
    body = "".join(INNER.format(*piece) for piece in pieces) + "--=_c--\r\n"
    return part(body, f'multipart/{kind}; boundary="=_c"')


def read(body: bytes, kind: str) -> list[str]:
    """The lines of a mail that are read."""
    content = raw(body, to="railpost@example.org", kind=kind)
    return [line.strip() for line in written(parse(content)).extracted.text.split("\n") if line.strip()]


ONCE = {
    "winmail.dat beside a text": (parts(part(TWO), OUTLOOK), MIXED),
    "winmail.dat above a text": (parts(OUTLOOK, part(TWO)), MIXED),
    "winmail.dat beside HTML": (parts(part(PAGE, HTML), OUTLOOK), MIXED),
    "winmail.dat beside nothing": (parts(part(" "), OUTLOOK), MIXED),
    "winmail.dat beside a footer": (parts(part("Sent from my iPhone"), OUTLOOK), MIXED),
    "winmail.dat twice": (parts(OUTLOOK, OUTLOOK), MIXED),
    "two plain forms": (parts(part(TWO), part(TWO), part(PAGE, HTML)), ALTERNATIVE),
    "two plain forms, the last empty": (parts(part(TWO), part(""), part(PAGE, HTML)), ALTERNATIVE),
    "two forms in HTML": (parts(part(PAGE, HTML), part(PAGE, HTML)), ALTERNATIVE),
    "forms within a mixed mail": (parts(inside("alternative", ("text/plain", TWO), (HTML, PAGE)), part("")), MIXED),
    "HTML within a form": (parts(part(TWO), inside("related", (HTML, PAGE))), ALTERNATIVE),
    "a copy as a piece of its own": (parts(part(TWO), part(TWO)), MIXED),
    "HTML that is no alternative by name": (parts(part(TWO), part(PAGE, HTML)), MIXED),
    "HTML with a footer, and its plain form": (parts(part(TWO), part(f"{PAGE}<p>Cheers</p>", HTML)), MIXED),
    "an attached copy": (parts(part(""), *[file(TWO.encode(), "text/plain", "orders.txt")] * 2), MIXED),
}  # fmt: skip


@pytest.mark.fault(9, 16)
@pytest.mark.parametrize("form", ONCE)
def test_a_text_in_several_forms_is_read_once(form: str) -> None:
    lines = read(*ONCE[form])
    assert [line for line in lines if line.startswith(("open", "limit"))] == TWO.split("\n")


@pytest.mark.fault(8)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (parts(part(PAGE, HTML), part(FOOTER)), MIXED),
        (parts(part(FOOTER), part(PAGE, HTML)), MIXED),
        (parts(inside("alternative", ("text/plain", TWO), (HTML, PAGE)), part(FOOTER)), MIXED),
        (parts(inside("alternative", ("text/plain", " "), (HTML, PAGE)), part(FOOTER)), MIXED),
        (parts(inside("related", (HTML, PAGE)), part(FOOTER)), MIXED),
        (parts(part("open TSR 25"), part("<div>limit 60</div>", HTML)), MIXED),
    ],
)
def test_pieces_of_both_kinds_are_all_read(body: bytes, kind: str) -> None:
    lines = read(body, kind)
    assert [line for line in lines if line.startswith(("open", "limit"))] == TWO.split("\n")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR."""
    return service.ready_game()


def ann(service: Service, body: bytes, kind: str, *head: str) -> Letter:
    """Ann's answer with this body; what she is answered."""
    before, to = len(service.letters("Ann")), service.address("Ann")
    service.send(raw(body, to=to, kind=kind, head=head), to)
    service.run()
    assert service.complaints == []
    return service.letters("Ann")[before]


def said(letter: Letter) -> str:
    return " ".join(letter.text.split())


@pytest.mark.fault(16)
def test_16_orders_beside_winmail_dat_act_once(service: Service, game: str) -> None:
    ann(service, parts(part(TWO), OUTLOOK), MIXED)
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(8)
def test_08_html_with_a_plain_footer_of_a_list_is_carried_out(service: Service, game: str) -> None:
    answer = ann(service, parts(part(PAGE, HTML), part(FOOTER)), MIXED)
    assert service.log(game) == ["Ann: open TSR 25"] and "different things" not in said(answer)


@pytest.mark.fault(18)
def test_18_a_question_above_an_attached_text_makes_it_a_trial(service: Service, game: str) -> None:
    answer = ann(service, parts(part("Is this legal?"), file(b"open TSR 25", "text/plain", "orders.txt")), MIXED)
    assert service.outcomes() == ["checked"] and service.log(game) == []
    assert "send them again without that line" in said(answer)


# ---- byte order marks

MARKED = {
    "UTF-16, little end first": ("utf-16-le", "text/plain"),
    "UTF-16, big end first": ("utf-16-be", "text/plain"),
    "UTF-16 said to be UTF-8": ("utf-16-le", "text/plain; charset=utf-8"),
    "UTF-16 said to be Latin": ("utf-16-le", "text/plain; charset=iso-8859-1"),
    "UTF-16 said to be so": ("utf-16-be", "text/plain; charset=utf-16"),
    "UTF-32": ("utf-32-le", "text/plain"),
    "UTF-8": ("utf-8", "text/plain; charset=utf-8"),
    "UTF-8 said to be Latin": ("utf-8", "text/plain; charset=iso-8859-1"),
    "UTF-8 said to be ASCII": ("utf-8", "text/plain; charset=us-ascii"),
}
"""The charset of a text with a byte order mark, and what its part says of it."""


@pytest.mark.fault(1, 2)
@pytest.mark.parametrize("encoding", ["8bit", "base64"])
@pytest.mark.parametrize("form", MARKED)
def test_01_a_byte_order_mark_names_the_charset(service: Service, game: str, form: str, encoding: str) -> None:
    codec, kind = MARKED[form]
    body = f"\ufeff{TWO}".encode(codec)
    head = f"Content-Transfer-Encoding: {encoding}"
    ann(service, b64encode(body) if encoding == "base64" else body, kind, head)
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(1, 2)
@pytest.mark.parametrize("form", MARKED)
def test_01_no_mark_hides_a_check_or_is_told_as_wrong(service: Service, game: str, form: str) -> None:
    codec, kind = MARKED[form]
    text = f"\ufeffcheck\r\n{TWO}".encode(codec)
    answer = ann(service, parts(part(""), file(text, kind, "orders.txt")), MIXED)
    assert service.outcomes() == ["checked"] and service.log(game) == []
    assert "charset" not in said(answer)


# ---- HTML with many levels


def quoted_page(depth: int, above: str) -> bytes:
    inner = '<div class="gmail_quote"><blockquote><div dir="ltr"><div>'
    return f"{above}<div>{inner * depth}open TSR 400{'</div></div></blockquote></div>' * depth}</div>".encode()


@pytest.mark.fault(8, 21)
@pytest.mark.parametrize("depth", [1, 60, 300])
def test_21_quotations_are_cut_off_before_the_levels_of_html_count(service: Service, game: str, depth: int) -> None:
    ann(service, quoted_page(depth, PAGE), HTML)
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(21)
def test_21_a_mail_that_cannot_be_read_is_answered_with_the_reason_and_the_remedy(service: Service, game: str) -> None:
    answer = ann(service, b"<div>" * 500 + b"open TSR 25", HTML)
    assert service.outcomes() == ["malformed"] and service.log(game) == []
    assert "its HTML has too many levels" in said(answer) and "as the plain text of a new mail" in said(answer)


@pytest.mark.fault(21)
def test_21_too_many_parts_are_named(service: Service, game: str) -> None:
    answer = ann(service, parts(*[part("x")] * 200), MIXED)
    assert service.outcomes() == ["malformed"] and "it has too many parts" in said(answer)
