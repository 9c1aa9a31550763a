"""Attempts to get a wrong ruling, to lose an order, or to stop the service, through the real pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail_service import Letter, Service, mail


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.game()


def raw(
    service: Service, player: str, body: bytes, head: str = "", sender: str = "ann@players.example"
) -> list[Letter]:
    """A message byte by byte to a player's present address; what he is answered."""
    address = service.address(player)
    top = f"From: {sender}\r\nTo: {address}\r\n{head}\r\n".encode("utf-8", "surrogateescape")
    before = len(service.letters(player))
    service.send(top + body, address)
    service.run()
    return service.letters(player)[before:]


# ---- what the text of a mail is


@pytest.mark.parametrize("charset", ["idna", "undefined", "hex", "\0bad", "x-unknown", "utf8mb4", "'';"])
def test_a_charset_that_is_none_hides_no_orders(service: Service, game: str, charset: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n", f"Content-Type: text/plain; charset={charset}\r\n")
    assert service.log(game) == ["Ann: open TSR 25"], service.details()


def test_a_text_in_pieces_around_a_picture_is_read_whole(service: Service, game: str) -> None:
    pieces = (
        b"--q\r\nContent-Type: text/plain\r\n\r\nopen TSR 25\r\n--q\r\nContent-Type: image/png\r\n\r\nx\r\n"
        b"--q\r\nContent-Type: text/plain\r\n\r\nlimit 60\r\n--q--\r\n"
    )
    raw(service, "Ann", pieces, "Content-Type: multipart/mixed; boundary=q\r\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


def test_html_that_cannot_be_read_does_not_hinder_the_plain_part(
    service: Service, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service import parse

    def broken(*_: object) -> str:
        raise RecursionError("too deep")

    monkeypatch.setattr(parse, "get_text", broken)
    content = mail("open TSR 25", html="<p>open TSR 25</p>", to=service.address("Ann"))
    service.send(content)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.parametrize("sender", ["(" * 9_000, 'a:;,"<', "\udcff\udcfe <ann@players.example>", "=?utf-8?q?a=0ab?="])
def test_a_sender_that_cannot_be_read_does_not_matter(service: Service, game: str, sender: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n", sender=sender)
    assert service.log(game) == ["Ann: open TSR 25"]


def test_a_seat_is_told_that_its_mail_cannot_be_read(service: Service, game: str) -> None:
    parts = b"--q\r\nContent-Type: text/plain\r\n\r\nopen TSR 25\r\n" * 120
    answers = raw(service, "Ann", parts, "Content-Type: multipart/mixed; boundary=q\r\n")
    assert service.outcomes() == ["malformed"]
    assert [letter.kind for letter in answers] == ["transcript"]
    assert service.log(game) == []


@pytest.mark.parametrize(
    "text",
    [
        "open TSR 25\n" + "\n" * 3_500 + "limit 60\n",
        "open TSR 25\n" + ("// " + "x" * 300 + "\n") * 800 + "limit 60\n",
    ],
)
def test_orders_beyond_what_is_read_refuse_the_whole(service: Service, game: str, text: str) -> None:
    raw(service, "Ann", text.encode())
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []


def test_a_quotation_beyond_what_is_read_does_not_matter(service: Service, game: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n##- reply above -##\r\n" + b"> what was said before\r\n" * 20_000)
    assert service.log(game) == ["Ann: open TSR 25"]


def test_html_is_cut_between_its_tags(service: Service, game: str) -> None:
    long = b"<p style='x'></p>" * 15_000
    raw(service, "Ann", b"<p>open TSR 25</p>" + long + b"limit 60", "Content-Type: text/html\r\n")
    assert service.outcomes() == ["unreadable"]
    quoted = b"<p>open TSR 25</p><blockquote>" + long + b"limit 60"
    raw(service, "Ann", quoted, "Content-Type: text/html\r\n")
    assert service.log(game) == ["Ann: open TSR 25"]


def test_lines_made_to_be_slow_to_look_at(service: Service, game: str) -> None:
    """Would take hours if every way to match a forwarded mail's head were tried."""
    raw(service, "Ann", b"open TSR 25\r\n--" + b" " * 60_000 + b"x\r\n")
    assert service.outcomes() == ["unreadable"]


# ---- the same mail, and another one


@pytest.mark.parametrize("head", ["", "Message-ID: <always-the-same@players.example>\r\n"])
def test_the_same_words_for_a_later_decision_are_no_duplicate(service: Service, game: str, head: str) -> None:
    """From a program that gives no Message-ID and no date, or always the same one."""
    for player in ("Ann", "Bob", "Cat", "Ann"):
        raw(service, player, b"pass\r\n", head, sender="robot@players.example")
    assert service.outcomes() == ["applied"] * 4
