"""The forms in which a player's words come: HTML, telephones, attachments, nothing at all.

Numbers are those of the rows of the fault list.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Letter, Service, mail


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def deliver(service: Service, player: str, content: bytes) -> list[Letter]:
    """Bytes to a player's present address; what he is answered."""
    before = len(service.letters(player))
    service.send(content, service.address(player))
    service.run()
    return service.letters(player)[before:]


def html_mail(service: Service, player: str, html: str, text: str = "") -> bytes:
    sender = f"{player.lower()}@players.example"
    return mail(text, html=html, sender=sender, to=service.address(player))


@pytest.mark.fault(8)
def test_08_html_only_is_read_and_echoed(service: Service, game: str) -> None:
    page = "<html><body><div>open TSR 25<br></div><div>limit 60</div></body></html>"
    answer, *_ = deliver(service, "Ann", html_mail(service, "Ann", page))
    assert service.outcomes() == ["applied"]
    assert service.log(game) == ["Ann: open TSR 25"]
    assert "open TSR 25" in answer.text
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(8)
def test_08_quotations_in_html_are_not_read(service: Service, game: str) -> None:
    page = "<p>open TSR 25</p><blockquote><p>open TSR 400</p><p>limit 500</p></blockquote>"
    deliver(service, "Ann", html_mail(service, "Ann", page))
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == []


@pytest.mark.fault(9)
def test_09_the_plain_part_wins_and_the_difference_is_told_without_its_text(service: Service, game: str) -> None:
    content = html_mail(service, "Ann", "<p>open TSR 90 secret-html-word</p>", "open TSR 25")
    answer, *_ = deliver(service, "Ann", content)
    assert service.log(game) == ["Ann: open TSR 25"]
    assert "secret-html-word" not in answer.text
    assert "HTML" in answer.text


@pytest.mark.fault(9)
def test_09_an_empty_plain_part_does_not_win(service: Service, game: str) -> None:
    deliver(service, "Ann", html_mail(service, "Ann", "<p>open TSR 25</p>", " \n"))
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(13)
@pytest.mark.parametrize(
    "written",
    [
        "open\u00a0TSR\u00a025",
        "open\u200b TSR 25",
        "\u202eopen TSR 25\u202c",
        "open TSR \uff12\uff15",
        "OPEN TSR 25",
        "open tsr 25\ufeff",
    ],
)
def test_13_spaces_digits_and_marks_of_telephones_are_made_plain(service: Service, game: str, written: str) -> None:
    answer = service.say("Ann", written)
    assert service.log(game) == ["Ann: open TSR 25"]
    assert answer is not None
    assert "\u202e" not in answer.text


@pytest.mark.fault(14)
def test_14_capitals_do_not_matter(service: Service, game: str) -> None:
    service.say("Ann", "Open Tsr 25")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(14)
def test_14_what_was_corrected_wrongly_is_answered_with_the_nearest_word_and_not_applied(
    service: Service, game: str
) -> None:
    answer = service.say("Ann", "open TRS 25")
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []
    assert answer is not None
    assert "TSR" in answer.text


@pytest.mark.fault(15)
@pytest.mark.parametrize("text", ["", "  \n\n", "\n-- \nAnn\n"])
def test_15_nothing_to_read(service: Service, game: str, text: str) -> None:
    answer = service.say("Ann", text)
    assert service.outcomes() == ["empty"]
    assert service.log(game) == []
    assert answer is not None


@pytest.mark.fault(15)
def test_15_an_attachment_alone_is_nothing_to_read(service: Service, game: str) -> None:
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"], message["To"] = "ann@players.example", service.address("Ann")
    message.add_attachment(b"open TSR 25", maintype="application", subtype="octet-stream", filename="orders.bin")
    deliver(service, "Ann", message.as_bytes())
    assert service.outcomes() == ["empty"]
    assert service.log(game) == []


@pytest.mark.fault(20)
def test_20_an_attached_message_is_not_read(service: Service, game: str) -> None:
    from email.message import EmailMessage

    inner = EmailMessage()
    inner["To"] = service.address("Ann")
    inner.set_content("open TSR 25")
    outer = EmailMessage()
    outer["From"], outer["To"] = "ann@players.example", service.address("Ann")
    outer.set_content("look at this")
    outer.add_attachment(inner)
    deliver(service, "Ann", outer.as_bytes())
    assert service.outcomes() == ["empty"]  # "look at this" is no order
    assert service.log(game) == []


@pytest.mark.fault(20)
def test_20_a_turn_mail_forwarded_to_another_player_gives_him_nothing(service: Service, game: str) -> None:
    turn = service.letters("Ann")[-1]
    text = (
        "fyi\n\n---------- Forwarded message ---------\nFrom: Railpost <railpost@example.org>\n"
        "Date: Sun, 1 Mar 2026\nSubject: x\nTo: <ann@players.example>\n\n"
        f"BEGIN {game} at 1\nopen TSR 25\nEND\n{turn.text}"
    )
    service.say("Bob", text)
    assert service.log(game) == []
    assert service.outcomes() == ["empty"]  # "fyi"
