"""Mails that come twice, out of order or too late.

Numbers are those of the rows of the fault list.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service, mail

EACH = pytest.mark.usefixtures("each_database")
"""What hangs on rows; how a text is read hangs on none."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


@EACH
@pytest.mark.fault(47)
def test_47_the_same_message_twice(service: Service, game: str) -> None:
    address = service.address("Ann")
    content = mail("open TSR 25", to=address, message_id="<one@players.example>")
    service.send(content, address)
    service.run()
    told = len(service.letters("Ann"))
    service.send(content, address)
    service.run()
    assert service.outcomes() == ["applied", "duplicate"]
    assert service.log(game) == ["Ann: open TSR 25"]
    assert len(service.letters("Ann")) == told


@EACH
@pytest.mark.fault(48)
def test_48_the_same_message_by_two_ways(service: Service, game: str) -> None:
    """Received lines differ, the text is wrapped by one space more."""
    address = service.address("Ann")
    content = mail("open TSR 25", to=address, message_id="<one@players.example>")
    service.send(b"Received: from a by b\r\n" + content, address)
    service.send(b"Received: from c by d\r\nReceived: from e by f\r\n" + content + b" \r\n", address)
    service.run()
    assert service.outcomes() == ["applied", "duplicate"]


@EACH
@pytest.mark.fault(49)
def test_49_without_message_id_the_same_mail_is_known_again(service: Service, game: str) -> None:
    address = service.address("Ann")
    content = mail("open TSR 3", to=address, message_id="none")
    assert b"Message-ID" not in content
    service.send(content, address)
    service.send(content, address)
    service.run()
    assert service.outcomes() == ["refused", "duplicate"]


def bare(address: str, subject: str, received: str = "one") -> bytes:
    """A mail with neither Message-ID nor Date."""
    content = mail("show position", to=address, message_id="none", subject=subject)
    lines = [line for line in content.split(b"\r\n") if not line.startswith(b"Date:")]
    return f"Received: from a by b id {received}\r\n".encode() + b"\r\n".join(lines)


@EACH
@pytest.mark.fault(47, 49)
def test_49_without_message_id_and_date_the_rest_of_the_header_tells_mails_apart(service: Service, game: str) -> None:
    """The same short text twice is two mails, unless all that the writer wrote is the same."""
    address = service.address("Ann")
    for content in (
        bare(address, "first"),
        bare(address, "second"),
        bare(address, "second", "two"),
        b"Received: from c by d\r\nX-Spam: no\r\n" + bare(address, "second"),
    ):
        assert b"Date:" not in content and b"Message-ID" not in content
        service.send(content, address)
        service.run()
    assert service.outcomes() == ["shown", "shown", "shown", "duplicate"]


@EACH
@pytest.mark.fault(50)
def test_50_a_message_id_used_again_with_another_text(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 3", message_id="<same@players.example>")
    later = "Sun, 01 Mar 2026 12:07:00 +0000"
    answer = service.say("Ann", "open TSR 25", message_id="<same@players.example>", date=later)
    assert service.outcomes() == ["refused", "applied"]
    assert service.log(game) == ["Ann: open TSR 25"]
    assert "Message-ID" in service.details()[1]
    assert answer is not None
    assert "Message-ID" in answer.text


@EACH
@pytest.mark.fault(51)
def test_51_what_arrives_last_stands_and_the_answer_says_so(service: Service, game: str) -> None:
    """The correction of held orders arrives before the original does: order of arrival counts, and it is told."""
    service.say("Bob", "Bob: pass", message_id="<second@players.example>")
    answer = service.say("Bob", "Bob: open TSR 30", message_id="<first@players.example>")
    assert [text for _, text, status in service.held(game) if status == "waiting"] == ["Bob: open TSR 30"]
    assert answer is not None
    assert "Replaced: `" in answer.text


@EACH
@pytest.mark.fault(52)
def test_52_orders_for_a_decision_that_is_past(service: Service, game: str) -> None:
    old = service.address("Ann")
    service.say("Ann", "open TSR 25")
    service.say("Bob", "bid 30")
    service.say("Cat", "drop")
    answer = service.say("Ann", "bid 35", to=old)
    assert service.outcomes()[-1] == "stale"
    assert service.log(game)[-1] == "Cat: drop"
    assert answer is not None
    assert answer.reply_to != old
    assert "Ann (you)" in answer.text
    service.say("Ann", "bid 35")
    assert service.log(game)[-1] == "Ann: bid 35"


@EACH
@pytest.mark.fault(52)
def test_52_a_stale_block_is_not_held_either(service: Service, game: str) -> None:
    old = service.address("Ann")
    service.say("Ann", "pass")
    service.say("Ann", "pass", to=old, message_id="<other@players.example>")
    assert service.outcomes() == ["applied", "stale"]
    assert service.held(game) == []


@EACH
@pytest.mark.fault(52)
def test_52_a_second_copy_under_another_message_id_is_told_that_the_first_counts(service: Service, game: str) -> None:
    address = service.address("Ann")
    service.say("Ann", "open TSR 25", message_id="<one@players.example>")
    answer = service.say("Ann", "open TSR 25", to=address, message_id="<two@players.example>")
    assert service.outcomes() == ["applied", "stale"]
    assert answer is not None
    assert "You sent the same text before, and that mail was carried out." in " ".join(answer.text.split())
    other = service.say("Ann", "limit 90", to=address, message_id="<three@players.example>")
    assert other is not None and "the same text" not in other.text


@pytest.mark.fault(52)
def test_52_a_copy_of_refused_orders_says_nothing_of_the_first(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 3", message_id="<one@players.example>")
    answer = service.say("Ann", "open TSR 3", message_id="<two@players.example>")
    assert service.outcomes() == ["refused", "refused"]
    assert answer is not None and "the same text" not in answer.text
