"""Two programs that answer each other come to an end, and the operator hears of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import BudgetRow, HeldRow, OutboxRow, StrangerRow
from moderator.service.desk import Sitting
from moderator.service.robots import budgets
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


def with_limits(table: Table, **limits: int) -> Table:
    settings = table.desk.settings.model_copy(update=limits)
    return Table(table.root, replace(table.desk, settings=settings), table.clock)


def answers(table: Table, player: str = "Ann") -> int:
    return sum(letter.kind == "transcript" for letter in table.letters(player))


def subjects(table: Table) -> list[str]:
    """The subjects of Ann's answers."""
    return [letter.subject for letter in table.letters("Ann") if letter.kind == "transcript"]


def operator(table: Table) -> list[str]:
    return [letter.text.split()[0] for letter in table.mailbox("master@example.net")]


def opened(table: Table) -> list[str]:
    """Breakers that are open."""
    with table.session() as session:
        return [one.group for one in budgets.open_breakers(Sitting(table.desk, session))]


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
    assert table.outcomes() == ["empty"] * 5 + ["loop"] * 7
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
def test_the_breaker_of_players_leaves_each_seat_a_few_answers_and_closes_by_itself(table: Table, game: str) -> None:
    """Programs answer for many players at once; somebody who asks for something now and then does not notice it."""
    table = with_limits(table, breaker_per_hour=20, answers_per_seat=1_000, breaker_hours=6)
    for number in range(30):
        write(table, f"Ticket {number}.")
    assert answers(table) == 20
    assert operator(table) == ["breaker"]
    assert opened(table) == ["seats"]
    write(table, "show position", sender="bob@players.example", to=table.address("Bob"))
    assert answers(table, "Bob") == 1
    table.clock.pass_by(hours=6)
    assert opened(table) == []
    write(table, "Ticket 31.")
    assert answers(table) == 21


@pytest.mark.fault(65, 67)
def test_the_operator_closes_breakers_sooner(table: Table, game: str) -> None:
    table = with_limits(table, breaker_per_hour=10, answers_per_seat=1_000)
    for number in range(15):
        write(table, f"Ticket {number}.")
    assert answers(table) == 10
    assert [budgets.reset(table.desk), budgets.reset(table.desk)] == [True, False]
    write(table, "Ticket 17.")
    assert answers(table) == 11


@pytest.mark.fault(46, 65)
def test_5_strangers_with_ever_new_return_paths_silence_strangers_alone(table: Table, game: str) -> None:
    table = with_limits(table, strangers_per_hour=10)
    for number in range(15):
        write(table, "hello", sender=f"{number}@crm.example", to="railpost@example.org", path=f"{number}@crm.example")
    assert sum(len(table.mailbox(f"{number}@crm.example")) for number in range(15)) == 10
    assert operator(table) == ["breaker"]
    assert opened(table) == ["strangers"]
    write(table, "opne Q 10")
    write(table, "show position")
    write(table, "pass", sender="ann@elsewhere.example")
    assert table.outcomes()[-3:] == ["unreadable", "shown", "unconfirmed"]
    assert answers(table) == 2
    assert table.letters("Ann")[-1].kind == "notice"
    write(table, "hello", to="railpost@example.org")  # a player who has lost the secret address
    assert table.letters("Ann")[-1].kind == "stranger"
    table.clock.pass_by(hours=30)
    write(table, "hello", sender="x@else.example", to="railpost@example.org", path="x@else.example")
    assert len(table.mailbox("x@else.example")) == 1


@pytest.mark.fault(34, 65)
def test_5_eleven_foreign_mails_do_not_use_up_a_player_s_own_confirmations(table: Table, game: str) -> None:
    to = table.address("Ann")
    for number in range(11):
        write(table, f"pass // {number}", sender="x@else.example", to=to)
    asked = [letter for letter in table.letters("Ann") if letter.kind == "notice"]
    assert len(asked) == 10
    assert "not asked about any more" in table.details()[-1]
    write(table, "address ann-new@players.example", to=to)
    write(table, "alias ann-phone@players.example", to=to)
    assert "identity.often" not in table.notes
    subjects = [letter.subject for letter in table.letters("Ann") if letter.kind == "notice"]
    assert subjects[10:] == ["confirm.address", "confirm.alias"]


@pytest.mark.fault(34, 65)
def test_5_two_hundred_foreign_mails_do_not_use_up_a_player_s_answers(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_seat=20, others_per_seat=5, same_text_answers=100)
    for number in range(21):
        write(table, f"show position // {number}", sender="x@else.example")
    assert answers(table) == 5
    assert table.outcomes() == ["shown"] * 5 + ["loop"] * 16
    assert operator(table) == ["budget_foreign"]
    for number in range(20):
        write(table, f"show position // own {number}")
    assert answers(table) == 25


@pytest.mark.fault(38, 65)
def test_5_a_superseded_address_does_not_use_up_what_the_current_one_may(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_seat=5, others_per_seat=3)
    old = table.address("Ann")
    write(table, "pass")
    for number in range(9):
        write(table, f"show position // {number}", to=old)
    assert answers(table) == 1 + 3
    for number in range(5):
        write(table, f"show position // current {number}")
    assert answers(table) == 1 + 3 + 5


@pytest.mark.fault(65)
def test_5_a_player_s_refused_orders_are_always_answered(table: Table, game: str) -> None:
    """Whatever budgets and breakers say, as long as each mail is another one."""
    table = with_limits(
        table, answers_per_seat=1, answers_per_game=1, breaker_per_hour=10, strangers_per_hour=0, others_per_seat=1,
        confirmations_per_day=1,
    )  # fmt: skip
    for number in range(11):
        write(table, f"Ticket {number}.")
        write(table, f"show map // {number}", sender="x@else.example")
    for player in ("Bob", "Cat"):
        for number in range(3):
            write(table, f"Ticket {number}.", sender=f"{player}@players.example", to=table.address(player))
    for wrong in ("open P {0} 7 7", "opne P 1{0}", "Anm: pass // {0}", "pass\nY: pay none // {0}", "pass 1{0}"):
        before = answers(table)
        for number in range(6):
            write(table, wrong.format(number))
        assert set(table.outcomes()[-6:]) <= {"refused", "unreadable", "ambiguous"}, wrong
        assert answers(table) == before + 6, wrong
    assert table.log(game) == []


@pytest.mark.fault(65)
def test_5_the_same_refused_order_comes_to_an_end(table: Table, game: str) -> None:
    for _ in range(9):
        write(table, "opne P 10")
    assert answers(table) == 5
    assert table.outcomes() == ["unreadable"] * 5 + ["loop"] * 4
    write(table, "open P 10")
    assert table.outcomes()[-1] == "applied"


@pytest.mark.fault(65)
def test_5_the_operator_hears_of_a_seat_that_is_refused_all_day(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_seat=5)
    for number in range(9):
        write(table, f"opne P 1{number}")
    assert answers(table) == 9
    assert operator(table) == ["refusals"]


@pytest.mark.fault(65)
def test_one_looping_seat_does_not_silence_its_game(table: Table, game: str) -> None:
    table = with_limits(table, answers_per_game=6, answers_per_seat=100)
    for number in range(9):
        write(table, f"Ticket {number}.")
    assert answers(table) == 6
    for number in range(2):
        write(table, f"show map // {number}", sender="bob@players.example", to=table.address("Bob"))
    assert answers(table, "Bob") == 2


@pytest.mark.fault(37, 65)
def test_an_answer_to_a_confirmation_by_somebody_else_uses_nothing_up(table: Table, game: str) -> None:
    settings = {"identity": "token+authenticated", "authserv_id": "mx.example.org"}
    table = Table(
        table.root, replace(table.desk, settings=table.desk.settings.model_copy(update=settings)), table.clock
    )
    write(table, "pass")
    to = table.letters("Ann")[-1].reply_to
    assert "+confirm." in to
    for number in range(5):
        write(table, f"yes\n{number}", to=to)
    said = [letter.subject for letter in table.letters("Ann")]
    assert said.count("confirm_unproved") == 3
    proof = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=players.example"}
    table.send(mail("perhaps", to=to, headers=proof), to, "ann@players.example")
    table.run()
    assert table.letters("Ann")[-1].subject == "confirm_unclear"


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
    budgets.forget_old(table.desk)
    with table.session() as session:
        assert {row.day for row in session.exec(select(BudgetRow)).all()} == {"2026-03-09", "2026-03-09T12"}


def test_strangers_of_long_ago_are_forgotten(table: Table, game: str) -> None:
    write(table, "hello", sender="x@else.example", to="railpost@example.org", path="x@else.example")
    table.clock.pass_by(days=8)
    budgets.forget_old(table.desk)
    with table.session() as session:
        assert session.exec(select(StrangerRow)).all() == []


def test_after_some_refused_orders_a_day_the_answers_are_short(table: Table, game: str) -> None:
    table = with_limits(table, full_refusals_per_seat=3)
    for number in range(8):
        write(table, f"opne Q {number}")
    assert answers(table) == 8
    assert subjects(table)[2:4] == ["unreadable", "short"]
    assert table.outcomes() == ["unreadable"] * 8
    assert "'said': 'opne Q 7'" in table.letters("Ann")[-1].text
    write(table, "opne Q 1", sender="bob@players.example", to=table.address("Bob"))
    assert table.letters("Bob")[-1].subject == "unreadable"
    table.clock.pass_by(days=1)
    write(table, "opne Q 9")
    assert table.letters("Ann")[-1].subject == "unreadable"


def test_orders_that_are_carried_out_are_told_in_full_whatever_was_refused(table: Table, game: str) -> None:
    table = with_limits(table, full_refusals_per_seat=1)
    for number in range(3):
        write(table, f"opne Q {number}")
    write(table, "pass")
    assert table.log(game) == ["Ann: pass"]
    assert subjects(table)[1:] == ["short", "short", "applied"]


def test_orders_that_are_kept_have_effect_although_their_answer_is_short(table: Table, game: str) -> None:
    table = with_limits(table, full_refusals_per_seat=1)
    for number in range(3):
        write(table, f"opne P 1{number}", sender="bob@players.example", to=table.address("Bob"))
    write(table, "Y: pay none", sender="bob@players.example", to=table.address("Bob"))
    assert table.outcomes()[-1] == "held"
    assert table.letters("Bob")[-1].subject == "short"
    assert "'outcome': 'held'" in table.letters("Bob")[-1].text
    with table.session() as session:
        assert [row.player for row in session.exec(select(HeldRow)).all()] == ["Bob"]


def test_a_flood_of_refused_orders_is_answered_in_few_bytes(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game()
    settings = service.desk.settings.model_copy(update={"full_refusals_per_seat": 2})
    service = Service(tmp_path, replace(service.desk, settings=settings), service.clock)
    address = service.address("Ann")
    for number in range(6):
        text = "\n".join(f"open TSR 25{number}{line}" for line in range(100))
        service.send(mail(text, sender="ann@players.example", to=address), address, "ann@players.example")
        service.run()
    told = [letter for letter in service.letters("Ann") if letter.kind == "transcript"]
    with service.session() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.kind == "transcript").order_by(col(OutboxRow.id))).all()
    sizes = [len(row.text.encode()) + len(row.html.encode()) for row in rows]
    assert len(told) == 6
    assert all(size > 20_000 for size in sizes[:2]), sizes
    assert all(size < 2_000 for size in sizes[2:]), sizes
    short = " ".join(told[-1].text.split())
    assert told[-1].subject == f"[{game}] your orders: refused, nothing changed"
    assert "Your mail was read: refused, nothing changed." in short
    assert "open TSR 2550" in short
    assert "Full answers come again from" in short
    assert "00:00" in short
