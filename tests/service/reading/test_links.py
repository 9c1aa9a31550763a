"""Links that answer, opened as mail programs open them and sent as they send: each reads as it was meant."""

from __future__ import annotations

import html as pages
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from grammar import read
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.course_1861 import minor, operating_turn
from tests.kit.games.situations import situation
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.position_game import begin_at

BODY = "GRR: lay 7 D8 4; token H8; run 3 G15-I13-H8, 4 Q3-M7, 2 H8-K7;\r\npay half; train 8; done"
"""A body of two lines, as a long turn has it."""


def _as_sent(body: str) -> tuple[str, str]:
    return body, ""


def _page(lines: list[str], tag: str) -> str:
    return "".join(f'<{tag} class="MsoNormal" dir="auto">{pages.escape(line)}</{tag}>' for line in lines)


PROGRAMS: dict[str, Callable[[str], tuple[str, str]]] = {
    "as it is": _as_sent,
    "line feeds alone": lambda body: _as_sent(body.replace("\r\n", "\n")),
    "carriage returns alone": lambda body: _as_sent(body.replace("\r\n", "\r")),
    "breaks lost": lambda body: _as_sent(body.replace("\r\n", "")),
    "breaks turned into blanks": lambda body: _as_sent(body.replace("\r\n", " ")),
    "breaks doubled": lambda body: _as_sent(body.replace("\r\n", "\n\n")),
    "wrapped at 72": lambda body: _as_sent("\n".join(_wrapped(body.replace("\r\n", " "), 72))),
    "wrapped at 40": lambda body: _as_sent("\n".join(_wrapped(body.replace("\r\n", " "), 40))),
    "breaks as br": lambda body: ("", f"<div>{pages.escape(body)}</div>".replace("\r\n", "<br>")),
    "a div for a line": lambda body: ("", _page(body.split("\r\n"), "div")),
    "a paragraph for a line": lambda body: ("", _page(body.split("\r\n"), "p")),
    "text and page": lambda body: (body, _page(body.split("\r\n"), "div")),
    "a footer of a telephone": lambda body: _as_sent(f"{body}\r\n\r\nSent from my iPhone"),
    "a signature": lambda body: _as_sent(f"{body}\r\n\r\n-- \r\nAnn Miller\r\nSent with K-9 Mail"),
    "a footer in a page": lambda body: ("", _page([*body.split("\r\n"), "", "Get Outlook for Android"], "div")),
    "hard blanks": lambda body: _as_sent(body.replace("; ", ";\N{NO-BREAK SPACE}")),
}
"""Ways in which mail programs treat the body of a link. docs/providers.md names the programs."""


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def links(page: str) -> dict[str, str]:
    """The orders that a page links -> their links. The bar before each is there for quotations, and is not seen."""
    bar = r'<span class="bar" style="font-size: 0;[^"]*">\| </span>'
    found = re.findall(rf'<a [^>]*href="(mailto:[^"]*)"[^>]*><code[^>]*>{bar}([^<]*)</code>', page)
    return {pages.unescape(text): pages.unescape(link) for link, text in found}


def opened(link: str) -> tuple[str, str, str]:
    """Recipient, subject and body of the mail that a link opens (RFC 6068)."""
    address, _, fields = link.removeprefix("mailto:").partition("?")
    named = dict(field.split("=", 1) for field in fields.split("&"))
    assert sorted(named) == ["body", "subject"]
    return unquote(address), unquote(named["subject"]), unquote(named["body"])


def send(service: Service, link: str, program: str = "as it is", sender: str = "ann@players.example") -> None:
    to, subject, body = opened(link)
    text, page = PROGRAMS[program](body)
    service.send(mail(text, html=page, sender=sender, to=to, subject=subject), to)
    service.run()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_long_answer_reads_as_it_was_meant_whatever_the_program_does(service: Service, program: str) -> None:
    game = service.ready_game()
    names = vocabulary(service.position(game).title, ("Ann", "Bob", "Cat"))
    meant = BODY.replace("\r\n", " ").removeprefix("GRR: ").split("; ")
    assert len(read(BODY, names).orders) == len(meant) == 6
    to = service.address("Ann")
    text, page = PROGRAMS[program](BODY)
    service.send(mail(text, html=page, to=to), to)
    service.run()
    said = service.letters("Ann")[-1].text
    assert "NOT READABLE" not in said
    for order in meant:
        assert order in " ".join(said.split()), (program, order)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_tap_is_carried_out(service: Service, program: str) -> None:
    game = service.ready_game()
    send(service, links(service.letters("Ann")[-1].html)["open TSR 20"], program)
    assert service.log(game) == ["Ann: open TSR 20"]


def test_each_button_of_a_companys_turn_is_a_whole_turn(service: Service) -> None:
    state = operating_turn(situation(minor("N", "Ann", trains="2")), "N").state
    game = begin_at(service, "1861", state)
    found = links(next(m for m in reversed(service.letters("Ann")) if m.kind == "turn").html)
    assert [text for text in found if text.endswith("done")]
    whole = next(text for text in found if text.startswith("lay") and text.endswith("done"))
    send(service, found[whole])
    assert [order.partition(": ")[2] for order in service.log(game)[1:]] == whole.split("; ")
    assert service.position(game).state.round != state.round  # N was the only company


def test_a_tap_answers_its_own_question_only(service: Service) -> None:
    """A second tap on the same button, or one on an older mail, changes nothing."""
    game = service.ready_game()
    drop = links(service.letters("Ann")[-1].html)["pass"]
    send(service, drop)
    send(service, drop)
    assert service.log(game) == ["Ann: pass"]


def test_a_tap_from_elsewhere_is_asked_about(service: Service) -> None:
    """A forwarded mail has its links. From another address they do nothing but ask the player."""
    game = service.ready_game()
    letter = service.letters("Ann")[-1]
    send(service, links(letter.html)["open TSR 20"], sender="eve@elsewhere.example")
    assert service.log(game) == []
    assert service.mailbox("eve@elsewhere.example") == []
    assert len(service.letters("Ann")) > 1


def test_the_subject_is_that_of_a_reply(service: Service) -> None:
    service.ready_game()
    letter = service.letters("Ann")[-1]
    to, subject, body = opened(links(letter.html)["pass"])
    assert (to, subject, body) == (letter.reply_to, f"Re: {letter.subject}", "pass")
