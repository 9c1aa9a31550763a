"""Mails to the operator about the same trouble come together; an odd address is no trouble at all."""

from __future__ import annotations

import pytest

from moderator.service.post.outbox import queue_operator, tell_gathered
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


def told(table: Table) -> list[str]:
    table.run()
    return [letter.text.strip() for letter in table.mailbox("master@example.net")]


def tell(table: Table, *problems: str, **how: object) -> None:
    with table.desk.sitting() as sitting:
        for problem in problems:
            queue_operator(sitting, problem, **how)  # type: ignore[arg-type]


def test_the_first_is_told_at_once_and_those_that_follow_together(table: Table) -> None:
    tell(table, *(f"mail {number}: ValueError" for number in range(9)))
    assert told(table) == ["mail 0: ValueError"]
    table.clock.pass_by(hours=5)
    assert tell_gathered(table.desk) == 0
    table.clock.pass_by(hours=1)
    assert tell_gathered(table.desk) == 1
    _, gathered = told(table)
    assert gathered.startswith("gathered {'count': 8, 'texts': ('mail 1: ValueError', 'mail 2: ")
    assert "'left': 3" in gathered and "'hours': 6" in gathered
    table.clock.pass_by(hours=6)
    assert tell_gathered(table.desk) == 0
    tell(table, "mail 10: ValueError")
    assert told(table)[2:] == ["mail 10: ValueError"]


def test_what_concerns_another_game_or_player_is_told_by_itself(table: Table) -> None:
    problems = "1861-7: Ann cannot be reached.", "1861-8: Ann cannot be reached.", "1861-8: Bob cannot be reached."
    tell(table, *problems, "1861-8: Bob cannot be reached.")
    assert told(table) == list(problems)


def test_what_is_of_one_kind_or_told_at_once(table: Table) -> None:
    tell(table, "mail 3: KeyError: 'a'", "mail 4: KeyError: 'b'", kind="error")
    tell(table, "away", "away", at_once=True)
    assert told(table) == ["mail 3: KeyError: 'a'", "away", "away"]


def test_what_goes_on_for_days_is_told_every_few_hours(table: Table) -> None:
    for _ in range(48):
        tell(table, "the same")
        table.clock.pass_by(hours=1)
        tell_gathered(table.desk)
    assert len(told(table)) == 1 + 48 // 6


def test_mails_on_which_the_service_fails_are_one_trouble(table: Table, game: str) -> None:
    table.words().broken = True
    for number in range(5):
        to = table.address("Ann")
        table.send(mail(f"pass // {number}", to=to), to)
    table.run()
    assert "error" in table.outcomes()
    assert len([text for text in told(table) if "RuntimeError" in text]) == 1


@pytest.mark.parametrize("number", ["0" * 4_400 + "1", "9" * 4_400, "01", "\u0661", "\u00b2"])
def test_a_seat_number_of_any_length_is_an_unknown_address(table: Table, game: str, number: str) -> None:
    local, domain = table.address("Ann").split("@")
    name, _, token = local.split(".")
    to = f"{name}.{number}.{token}@{domain}"
    table.send(f"From: ann@players.example\r\nTo: {to}\r\n\r\npass\r\n".encode())
    table.run()
    assert table.outcomes() == ["wrong_token"]
    assert table.complaints == [] and told(table) == [] and table.log(game) == []
