"""Two programs that answer each other come to an end, and the operator hears of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlmodel import select

from moderator.adapters.tables import BudgetRow
from moderator.service.robots import budgets
from tests.mail_service import mail
from tests.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


def with_limits(table: Table, **limits: int) -> Table:
    settings = table.desk.settings.model_copy(update=limits)
    return Table(table.root, replace(table.desk, settings=settings), table.clock)


def answers(table: Table, player: str = "Ann") -> int:
    return sum(letter.kind == "transcript" for letter in table.letters(player))


def operator(table: Table) -> list[str]:
    return [letter.text.split()[0] for letter in table.mailbox("master@example.net")]


def write(table: Table, text: str, *, sender: str = "ann@players.example", to: str = "", path: str = "") -> None:
    address = to or table.address("Ann")
    table.send(mail(text, sender=sender, to=address), address, path or sender)
    table.run()


@pytest.mark.fault(65)
def test_the_same_text_is_answered_a_few_times_and_then_no_more(table: Table, game: str) -> None:
    """A program that no test knows: each of its mails has another Message-ID and comes from another address."""
    for number in range(12):
        write(table, "Thank you for contacting us.", sender=f"ticket-{number}@crm.example", to=table.address("Ann"))
    assert answers(table) == 5
    assert table.outcomes() == ["unreadable"] * 5 + ["loop"] * 7
    assert operator(table) == ["same_text"]


@pytest.mark.fault(65)
def test_a_seat_is_answered_so_often_a_day(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_seat=4)
    for number in range(8):
        write(table, f"Ticket {number} was opened.")
    assert answers(table) == 4
    assert operator(table) == ["budget"]
    table.clock.pass_by(days=1)
    write(table, "Ticket 9 was opened.")
    assert answers(table) == 5


@pytest.mark.fault(65)
def test_a_game_is_answered_so_often_a_day(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_game=4)
    for number in range(3):
        for player in ("Ann", "Bob"):
            write(table, f"Ticket {number}.", sender=f"{player}@players.example", to=table.address(player))
    assert answers(table) + answers(table, "Bob") == 4
    assert operator(table) == ["budget_game"]


@pytest.mark.fault(65)
def test_orders_that_move_the_game_are_answered_whatever_was_used_up(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_seat=1, answers_per_game=1, same_text_answers=1)
    for _ in range(3):
        write(table, "nonsense")
    before = answers(table)
    write(table, "pass")
    assert table.log(game) == ["Ann: pass"]
    assert answers(table) == before + 1
    assert table.outcomes()[-1] == "applied"


@pytest.mark.fault(65, 67)
def test_the_breaker_trips_for_all_and_only_the_operator_closes_it(table: Table, game: str) -> None:
    table = with_limits(table, breaker_per_hour=10, answers_per_seat=1_000)
    for number in range(15):
        write(table, f"Ticket {number}.")
    assert answers(table) == 10
    assert operator(table) == ["breaker"]
    table.clock.pass_by(days=2)
    write(table, "Ticket 16.")
    write(table, "hello", sender="x@else.example", to="railpost@example.org", path="x@else.example")
    assert answers(table) == 10
    assert table.mailbox("x@else.example") == []
    assert budgets.tripped(table.desk) is not None
    assert [budgets.reset(table.desk), budgets.reset(table.desk)] == [True, False]
    write(table, "Ticket 17.")
    assert answers(table) == 11


@pytest.mark.fault(46, 65)
def test_strangers_who_change_their_address_trip_it_too(table: Table, game: str) -> None:
    table = with_limits(table, breaker_per_hour=10)
    for number in range(15):
        write(table, "hello", sender=f"{number}@crm.example", to="railpost@example.org", path=f"{number}@crm.example")
    assert sum(len(table.mailbox(f"{number}@crm.example")) for number in range(15)) == 10
    assert operator(table) == ["breaker"]


@pytest.mark.fault(67)
def test_two_moderators_do_not_answer_each_other(table: Table, game: str) -> None:
    """Another service of ours writes to a seat's address: its mail is known by its header, whatever its text."""
    letter = table.letters("Bob")[-1].message
    content = bytes(letter).replace(b"@example.org", b"@other.example")
    for _ in range(3):
        table.send(content, table.address("Ann"), "railpost-bounces+x@other.example")
    table.run()
    assert table.outcomes() == ["loop"] * 3
    assert answers(table) == 0


def test_counts_of_long_ago_are_forgotten(table: Table, game: str) -> None:
    write(table, "nonsense")
    table.clock.pass_by(days=8)
    write(table, "nonsense")
    budgets.forget(table.desk)
    with table.session() as session:
        assert {row.day for row in session.exec(select(BudgetRow)).all()} == {"2026-03-09", "2026-03-09T12"}
