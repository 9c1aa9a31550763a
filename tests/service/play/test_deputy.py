"""Answers that stay late: the consequence that the table has agreed on, and the way back for the player."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from moderator.adapters.tables import EntryRow, SeatRow
from moderator.entrypoints import cli
from moderator.service.clock_rows import tenure_of
from moderator.service.people.reach import give_up
from moderator.service.play.deadlines import sweep_deadlines
from tests.kit.service.mail_service import Service
from tests.service.people.test_absence import due, told
from tests.service.people.test_reach import operator
from tests.service.play.test_pauses import orders
from tests.service.play.test_told_times import latest

pytestmark = pytest.mark.usefixtures("each_database")
HOURS = 72


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def pass_hours(service: Service, hours: int) -> None:
    for _ in range(0, hours, 4):
        service.clock.pass_by(hours=4)
        sweep_deadlines(service.desk)
        service.run()


def origins(service: Service) -> list[str]:
    with service.desk.database.reading() as session:
        return [row.origin for row in session.exec(select(EntryRow).where(EntryRow.kind == "order")).all()]


def caretaker(service: Service, player: str) -> str:
    with service.desk.database.reading() as session:
        return session.exec(select(SeatRow.caretaker).where(SeatRow.player == player)).one()


def test_the_welcome_says_what_follows_lateness(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS, clock=[("late", "robot"), ("grace", "24"), ("warnings", "48,6")])
    welcome = " ".join(told(service, "Bob", "welcome").split())
    assert "A player who has not answered is warned 2 days and 6 hours before the time ends." in welcome
    assert "a robot moves for him until he writes again. That is 24 hours after the deadline." in welcome


def test_nothing_happens_before_the_grace_has_passed(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "robot"), ("grace", "24")])
    pass_hours(service, HOURS + 20)
    assert due(service, "Ann").state == "overdue" and orders(service, game) == [] and not caretaker(service, "Ann")
    service.say("Ann", "open TSR 20")
    pass_hours(service, 8)
    assert not caretaker(service, "Ann")


def test_a_robot_moves_until_the_player_is_back(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "robot"), ("grace", "24")])
    pass_hours(service, HOURS + 24)
    assert caretaker(service, "Ann") == "robot"
    assert origins(service)[0] == "robot" and orders(service, game)[0].startswith("Ann: ")
    assert "As agreed, a robot moves for that seat until Ann writes again." in told(service, "Bob", "notice")
    assert any("Any mail of yours to the game gives you the seat back." in " ".join(letter.text.split())
               for letter in service.letters("Ann"))  # fmt: skip
    assert any("robot" in text for text in operator(service))
    service.say("Ann", "show clock")
    service.run()
    assert not caretaker(service, "Ann")
    assert latest(service, "Cat", "notice").subject == f"[{game}] Ann is back"


def test_the_robot_plays_on_for_a_seat_that_stays_silent(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "robot")])
    pass_hours(service, 24 * 40)
    assert all(caretaker(service, player) == "robot" for player in ("Ann", "Bob", "Cat"))
    assert len(orders(service, game)) > 20 and set(origins(service)) <= {"robot", "silence"}


def test_the_default_is_named_in_the_mail_and_taken_when_nothing_comes(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "default"), ("grace", "12")])
    turn = told(service, "Ann", "turn")
    assert "If nothing comes from you by then and 12 hours more, this is done for you: Ann passes." in turn
    pass_hours(service, HOURS + 8)
    assert orders(service, game) == []
    pass_hours(service, 4)
    assert orders(service, game)[0] == "Ann: pass" and origins(service)[0] == "default"
    assert "the default of the decision was taken for you: `Ann: pass`." in told(service, "Ann", "notice")
    assert not caretaker(service, "Ann") and due(service, "Bob").state == "open"


def test_a_table_of_silent_players_goes_on_by_defaults(service: Service) -> None:
    game = service.ready_game(deadline_hours=24, clock=[("late", "default")])
    pass_hours(service, 24 * 40)
    assert len(orders(service, game)) >= 30 and set(origins(service)) <= {"default", "silence"}


def test_an_open_seat_is_told_to_all_and_the_player_keeps_it_until_somebody_takes_it(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "open")])
    pass_hours(service, HOURS)
    assert caretaker(service, "Ann") == "open" and orders(service, game) == []
    assert "the seat is offered to somebody else" in told(service, "Cat", "notice")
    service.say("Ann", "open TSR 20")
    assert orders(service, game) == ["Ann: open TSR 20"] and not caretaker(service, "Ann")


def test_the_master_may_let_a_robot_move_and_give_the_seat_back(service: Service) -> None:
    game = service.ready_game()
    run = CliRunner().invoke
    words = ["--data", str(service.root), "seat", "caretaker", game, "Ann"]
    assert run(cli.app, [*words, "robot", "--reason", "Ann asked for it"]).exit_code == 0
    assert run(cli.app, [*words, "robot"]).exit_code == 1  # so it is already
    service.clock.pass_by(days=10_000)  # the command has the machine's clock
    sweep_deadlines(service.desk)
    service.run()
    assert origins(service) == ["robot"] and "Ann asked for it." in told(service, "Bob", "notice")
    assert run(cli.app, [*words, "none"]).exit_code == 0 and not caretaker(service, "Ann")
    assert [line for line in service.log(game) if ":" not in line] == ["robot 0", "back 1"]


def test_what_the_master_decides_is_left_to_him(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS)
    pass_hours(service, HOURS * 3)
    assert orders(service, game) == [] and not caretaker(service, "Ann")


def test_a_bank_of_time_runs_down_and_grows_with_each_answer(service: Service) -> None:
    game = service.ready_game(clock=[("bank", "100"), ("increment", "10")])
    assert (due(service, "Ann").due_at - service.clock.now()).total_seconds() == 100 * 3_600
    pass_hours(service, 40)
    service.say("Ann", "open TSR 20")
    with service.desk.database.reading() as session:
        seat = session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
        his = tenure_of(session, seat)
    assert (his.answers, his.late, his.used, his.bank) == (1, 0, 40 * 3_600, 70 * 3_600)


def test_each_kind_of_decision_has_its_own_time(service: Service) -> None:
    service.ready_game(deadline_hours=HOURS, clock=[("auction", "24")])
    assert (due(service, "Ann").due_at - service.clock.now()).total_seconds() == 24 * 3_600


# ---- a player who cannot be reached


def lose(service: Service, player: str) -> None:
    """All that is sent to him comes back for good."""
    with service.desk.sitting() as sitting:
        for _ in range(service.desk.settings.bounces_allowed):
            give_up(sitting, f"{player.lower()}@players.example", "5.1.1")
    service.run()
    assert service.seat("1861-1", player).unreachable_at is not None
    assert "cannot be reached" in latest(service, "Bob", "notice").subject


@pytest.mark.parametrize("late", ["robot", "default", "open", "master"])
def test_what_was_agreed_follows_for_a_player_who_cannot_be_reached(service: Service, late: str) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", late)])
    lose(service, "Ann")
    assert "the clock goes on" in told(service, "Bob", "notice")
    before = len(service.letters("Ann"))
    pass_hours(service, HOURS - 4)
    assert orders(service, game) == [] and due(service, "Ann").state == "open"
    pass_hours(service, 8)
    assert caretaker(service, "Ann") == {"robot": "robot", "open": "open"}.get(late, "")
    assert origins(service)[:1] == {"robot": ["robot"], "default": ["default"]}.get(late, [])
    subject = {"robot": "a robot moves for Ann", "open": "the seat of Ann is open"}.get(late, "Ann is late")
    assert any(subject in letter.subject for letter in service.letters("Cat"))
    assert len(service.letters("Ann")) == before


def test_who_is_back_has_a_day_before_what_was_agreed_follows(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "default"), ("grace", "12")])
    lose(service, "Ann")
    pass_hours(service, HOURS + 4)
    assert due(service, "Ann").state == "overdue"
    service.say("Ann", "show clock")
    pass_hours(service, 20)
    assert orders(service, game) == [] and due(service, "Ann").state == "overdue"
    pass_hours(service, 4)
    assert orders(service, game)[0] == "Ann: pass"


# ---- the log


def acts(service: Service) -> list[tuple[str, str, str]]:
    with service.desk.database.reading() as session:
        rows = session.exec(select(EntryRow).where(EntryRow.kind != "order").order_by(col(EntryRow.at))).all()
        return [(row.kind, row.text, row.origin) for row in rows]


def test_the_log_keeps_when_a_player_was_heard_from_again(service: Service) -> None:
    game = service.ready_game(deadline_hours=HOURS, clock=[("late", "open")])
    pass_hours(service, HOURS)
    assert acts(service) == [("open", "Ann", "master")]
    service.say("Ann", "open TSR 20")
    assert acts(service) == [("open", "Ann", "master"), ("back", "Ann", "mail")]
    assert orders(service, game) == ["Ann: open TSR 20"] and service.outcomes() == ["applied"]
    service.say("Bob", "bid 25")
    service.say("Ann", "show clock")
    assert orders(service, game)[-1] == "Bob: bid 25" and len(acts(service)) == 2
    shown = CliRunner().invoke(cli.app, ["--data", str(service.root), "game", "log", game])
    assert "plays again: Ann" in shown.output
