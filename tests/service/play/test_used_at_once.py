"""Orders that are kept, and answer the question at hand at once: the answer says so, and `check` too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.service.mail_service import Service


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def answer(service: Service, player: str, text: str) -> tuple[str, str]:
    """The subject of the answer to ``text``, and its words."""
    service.say(player, text)
    letters = [letter for letter in service.letters(player) if letter.kind.startswith(("answer", "transcript"))]
    last = letters[-1]
    return last.subject, " ".join(last.text.split())


def holder(service: Service) -> str | None:
    """The player who holds the bid."""
    lot = service.position("1861-1").lot()
    assert lot is not None
    return lot.holder


def test_a_limit_that_bids_at_once_is_not_said_to_be_kept_for_later(service: Service) -> None:
    service.ready_game()
    service.say("Ann", "open TSR 20")
    subject, said = answer(service, "Bob", "limit 40")
    assert subject.endswith("kept, and used at once") and "later" not in said
    assert holder(service) == "Bob"


def test_check_says_what_a_limit_would_bid_at_once(service: Service) -> None:
    service.ready_game()
    service.say("Ann", "open TSR 20")
    _, said = answer(service, "Bob", "check\nlimit 40")
    assert "would be kept, and used at once" in said and "It would answer at once, with `Bob: bid 25`." in said
    assert holder(service) == "Ann"


def test_a_limit_of_one_who_is_not_asked_is_kept_for_later(service: Service) -> None:
    service.ready_game()
    service.say("Ann", "open TSR 20")
    subject, said = answer(service, "Cat", "limit 40")
    assert subject.endswith("kept for later") and "at once" not in said
    _, said = answer(service, "Cat", "check\nlimit 60")
    assert "would be kept for later" in said and "at once" not in said


def test_orders_beside_others_that_are_carried_out_are_kept_for_later(service: Service) -> None:
    service.ready_game()
    subject, said = answer(service, "Ann", "open TSR 20\nlimit 60 on BSS")
    assert subject.endswith("carried out") and "kept for later" in said
