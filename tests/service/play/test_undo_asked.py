"""A player asks for an undo, or takes back at once what was done for him when he was late."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import EntryRow, PressRow, SeatRow, SeatToken
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.masters.master import end, name_master
from moderator.service.play.new_games import Person
from moderator.service.play.undo import Wrong, take_back
from tests.kit.service.mail_service import Service
from tests.service.people.test_reach import operator

pytestmark = pytest.mark.usefixtures("each_database")
MAX = "max@master.example"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def late(service: Service, how: str = "default") -> str:
    """A game in which Ann's time is over, and a move was made for her."""
    game = service.ready_game(deadline_hours=24, clock=[("late", how)])
    wait(service, 24)
    return game


def wait(service: Service, hours: int) -> None:
    for _ in range(0, hours + 4, 4):
        service.clock.pass_by(hours=4)
        sweep_deadlines(service.desk)
        service.run()


def plain(service: Service, player: str, number: int = -1) -> str:
    return " ".join(service.letters(player)[number].text.split())


def answer(service: Service, player: str, text: str) -> str:
    """All that the player is told after he has answered his latest question with ``text``."""
    before = len(service.letters(player))
    service.say(player, text, to=newest(service, player))
    return " ".join(" ".join(letter.text.split()) for letter in service.letters(player)[before:])


def newest(service: Service, player: str) -> str:
    """The address with the highest decision: several mails may have been sent at one moment."""
    with service.session() as session:
        token = session.exec(
            select(SeatToken).join(SeatRow).where(SeatRow.player == player).order_by(col(SeatToken.at).desc())
        ).first()
    assert token is not None
    return next(letter.reply_to for letter in service.letters(player) if token.token in letter.reply_to)


def undos(service: Service) -> list[tuple[int, str, str, str]]:
    with service.desk.database.reading() as session:
        found = session.exec(select(EntryRow).where(EntryRow.kind == "undo")).all()
        return [(row.orders, row.origin, row.player, row.text) for row in found]


# ---- at once


@pytest.mark.parametrize("how", ["default", "robot"])
def test_a_move_made_for_the_late_is_taken_back_at_once(service: Service, how: str) -> None:
    game = late(service, how)
    assert service.log(game)[-1].startswith("Ann: ")
    said = answer(service, "Ann", "undo: I was on a train")
    assert "Your move was taken back: `Ann: " in said
    assert undos(service) == [(0, "player", "Ann", "I was on a train")]
    assert [ask.player for ask in service.position(game).asked()] == ["Ann"]
    notice = " ".join(" ".join(letter.text.split()) for letter in service.letters("Cat"))
    assert "Ann has gone back to the position after order 0." in notice and "The reason: I was on a train." in notice
    answer(service, "Ann", "open TSR 20")
    assert service.log(game)[-1] == "Ann: open TSR 20"
    found = rebuild(service.desk, game)
    assert found is not None and not found.differs


def test_only_once_at_the_same_place(service: Service) -> None:
    game = late(service)
    service.say("Ann", "undo")
    wait(service, 24)
    assert service.log(game)[-1].startswith("Ann: ")
    said = answer(service, "Ann", "undo")
    assert "All players are told that you have asked" in said and len(undos(service)) == 1


def test_not_once_somebody_else_has_moved(service: Service) -> None:
    game = late(service)
    answer(service, "Bob", "pass")
    log = service.log(game)
    assert "All players are told that you have asked to go back to before order 1" in answer(service, "Ann", "undo")
    assert service.log(game) == log


def test_not_for_another_player(service: Service) -> None:
    game = late(service)
    assert "You have given no order that could be taken back." in answer(service, "Bob", "undo")
    assert "have asked to go back to before order 1" in answer(service, "Bob", "undo to 1")
    assert undos(service) == [] and len(service.position(game).orders) == 1


def test_a_trial_takes_nothing_back(service: Service) -> None:
    late(service)
    assert "This move would be taken back at once: `Ann: " in answer(service, "Ann", "check\nundo")
    assert undos(service) == []


# ---- asked


@pytest.fixture
def game(service: Service) -> str:
    name = service.ready_game()
    name_master(service.desk, name, Person("Max", MAX))
    service.run()
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 30")
    return name


def test_the_master_is_asked_and_all_are_told(service: Service, game: str) -> None:
    said = answer(service, "Ann", "undo: I meant BSS, not TSR")
    assert "go back to before order 1, `Ann: open TSR 20`. Max, the game master decides" in said
    assert "| undo to 2: I meant BSS, not TSR" in service.mailbox(MAX)[-1].text
    for player in ("Bob", "Cat"):
        told = plain(service, player)
        assert "Ann asks the game master to go back to before order 1, `Ann: open TSR 20`." in told
        assert "I meant BSS, not TSR." in told
    assert f"railpost game undo {game} 0 --check" in operator(service)[-1]
    assert undos(service) == [] and len(service.position(game).orders) == 2
    take_back(service.desk, game, Wrong(0, why="Ann asked for it"))
    service.run()
    answer(service, "Ann", "open TSR 25")
    assert service.log(game)[-1] == "Ann: open TSR 25"


def test_a_decision_may_be_named(service: Service, game: str) -> None:
    assert "before order 2, `Bob: bid 30`" in answer(service, "Cat", "undo to 3")
    unknown = answer(service, "Cat", "undo to 99")
    assert "There is no decision 99 to go back to: the latest order answered decision 3." in unknown


def test_orders_in_the_same_mail_are_only_tried_out(service: Service, game: str) -> None:
    log = service.log(game)
    said = answer(service, "Cat", "undo to 3\nbid 40")
    assert "`undo` goes in a mail without orders" in said and service.log(game) == log
    with service.desk.database.reading() as session:
        assert session.exec(select(PressRow)).all() == []


def test_the_reason_is_no_way_to_write_to_others_where_press_is_off(service: Service, game: str) -> None:
    settings = service.desk.settings.model_copy(update={"press_per_day": 0})
    object.__setattr__(service.desk, "settings", settings)
    answer(service, "Ann", "undo: sell NW, Bob!")
    assert "sell NW" in service.mailbox(MAX)[-1].text and "sell NW" not in plain(service, "Bob")
    assert "Ann asks the game master to go back" in plain(service, "Bob")


def test_after_the_end_nothing_is_asked(service: Service, game: str) -> None:
    end(service.desk, game, "Two players have left.")
    service.run()
    assert "The game is over, so nothing was asked." in answer(service, "Ann", "undo")
