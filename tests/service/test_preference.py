"""Services that share a database prefer mails for games that they have in memory, and no mail waits for that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlmodel import col, select

import engine
from moderator.adapters.mail.maildir import MaildirIntake, deliver, folder_for
from moderator.adapters.tables import GameRow, MailRow
from moderator.service.desk import Desk
from moderator.service.intake import take_in
from moderator.service.pipeline import claim, work_off
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.table.seats import secret_address, token_for
from moderator.service.table.table import seats_of
from tests.kit.service.mail_service import mail
from tests.kit.service.second_service import desk_of

pytestmark = pytest.mark.usefixtures("each_database")


class Waiting:
    """Games of the toy that services moved last, and one mail for each that waits, in the order of the games."""

    def __init__(self, root: Path, services: Sequence[str]) -> None:
        self.desk = desk_of(root, "one")
        self.games = [self._begun(number, service) for number, service in enumerate(services)]
        self.service = dict(zip(self.games, services, strict=True))
        for number, game in enumerate(self.games):
            self._write(number, game)
        taken = take_in(self.desk, MaildirIntake(folder_for(self.desk.settings.mail_folder, "railpost@example.org")))
        assert len(taken) == len(self.games)

    def _begun(self, number: int, service: str) -> str:
        people = [Person(name, f"{name.lower()}{number}@players.example") for name in ("Ann", "Bob", "Cat")]
        name = new_game(self.desk, Terms("toy", "one"), people)
        with self.desk.database.transaction() as session:
            session.get_one(GameRow, name).service = service
        return name

    def _write(self, number: int, game: str) -> None:
        with self.desk.sitting() as sitting:
            seat = seats_of(sitting.session, game)[0]
            to = secret_address(self.desk, seat, token_for(sitting, seat, 1))
            sender = seat.address
        content = mail("show map", sender=sender, to=to, message_id=f"<{number}@x.example>")
        deliver(self.desk.settings.mail_folder, to, content, sender)

    def claimed(self, desk: Desk, count: int, *, whoever: bool) -> list[str]:
        """The games of the mails that ``desk`` takes, one after another."""
        numbers = [claim(desk, whoever=whoever) for _ in range(count)]
        with self.desk.database.reading() as session:
            return [session.get_one(MailRow, number).about for number in numbers]

    def decided(self) -> list[str]:
        """The games of the mails that are decided, in the order in which they were."""
        with self.desk.database.reading() as session:
            rows = session.exec(select(MailRow).where(col(MailRow.outcome).is_not(None))).all()
            assert {row.outcome for row in rows} <= {"shown"}
            return [row.about for row in sorted(rows, key=lambda row: row.decided_at)]  # type: ignore[arg-type, return-value]


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))


def test_its_own_games_come_first_and_then_those_of_others(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ["other", "one", "other", "", "one"])
    first, second, third, fourth, fifth = waiting.games
    assert waiting.claimed(waiting.desk, 5, whoever=False) == [second, fourth, fifth, first, third]


def test_whoever_takes_in_plain_order_sees_no_difference(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ["other", "one", "other"])
    assert waiting.claimed(waiting.desk, 3, whoever=True) == waiting.games


def test_two_services_take_each_its_own(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ["one", "one", "other", "other"])
    other = desk_of(tmp_path, "other")
    assert waiting.claimed(other, 1, whoever=False) == [waiting.games[2]]
    assert waiting.claimed(waiting.desk, 1, whoever=False) == [waiting.games[0]]
    assert waiting.claimed(other, 2, whoever=False) == [waiting.games[3], waiting.games[1]]


def test_an_earlier_turn_comes_before_any_preference(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, ["one", "other"])
    with waiting.desk.database.transaction() as session:
        session.exec(select(MailRow).where(MailRow.about == waiting.games[0])).one().turn = 5
    assert waiting.claimed(waiting.desk, 2, whoever=False) == [waiting.games[1], waiting.games[0]]


def test_every_tenth_mail_is_taken_whoever_has_its_game(tmp_path: Path) -> None:
    """So the mails of a service that is gone do not wait until another has nothing else to do."""
    waiting = Waiting(tmp_path, ["gone"] * 3 + ["one"] * 20)
    assert work_off(waiting.desk, print, 21) == 21
    places = [place for place, game in enumerate(waiting.decided()) if waiting.service[game] == "gone"]
    assert places == [0, 10, 20]
    work_off(waiting.desk, print)
    assert len(waiting.decided()) == 23
