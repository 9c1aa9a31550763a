"""How often a table waits for a mail: what counts, and where it is shown."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from moderator.entrypoints.cli import app
from moderator.service.people.hand_over import hand_over
from moderator.service.play.masters import master
from moderator.service.play.undo import Wrong, take_back
from moderator.service.table.table import lock_seat
from moderator.service.table.tenure import stays_of, waits_of
from tests.kit.service.mail_service import Service, mail
from tests.service.archive.test_archive import built, everything

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


@pytest.fixture
def game(service: Service) -> str:
    """A game without clocks: nothing depends on a deadline."""
    return service.ready_game()


def waits(service: Service, game: str) -> dict[str, int]:
    with service.desk.database.reading() as session:
        return waits_of(session, game)


def counts(service: Service, game: str) -> list[int]:
    return list(waits(service, game).values())


def test_an_answer_to_an_open_question_was_waited_for(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 25")
    service.say("Cat", "drop")
    service.say("Ann", "drop")
    assert waits(service, game) == {"Ann": 2, "Bob": 1, "Cat": 1}


def test_orders_given_ahead_cause_no_wait_when_they_are_used(service: Service, game: str) -> None:
    service.say("Cat", "limit 60 on TSR")
    assert counts(service, game) == [0, 0, 0]
    service.say("Ann", "open TSR 20; limit 50")
    answer = service.say("Bob", "bid 30; limit 40")
    assert answer is not None and len(service.log(game)) > 4
    assert counts(service, game) == [1, 1, 0]


def test_a_standing_bid_that_answers_at_once_was_waited_for(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "limit 60")
    assert service.log(game)[-1] == "Bob: bid 25"
    assert counts(service, game) == [1, 1, 0]


@pytest.mark.parametrize(
    "said",
    ["check\nopen TSR 20", "open TSR 1", "show map", "press: hello", "open TSR twenty", "SE: lay 8 K9 1"],
)
def test_a_mail_that_answers_nothing_was_not(service: Service, game: str, said: str) -> None:
    service.say("Ann", said)
    assert counts(service, game) == [0, 0, 0]


def test_an_undo_takes_no_wait_back_and_what_is_played_again_is_none(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 25")
    service.say("Cat", "bid 30")
    take_back(service.desk, game, Wrong(1, 2))
    service.run()
    assert counts(service, game) == [1, 1, 1]
    service.say("Bob", "bid 25")
    assert service.log(game)[-1] == "Cat: bid 30"  # as she had said before
    assert counts(service, game) == [1, 2, 1]


def test_a_sealed_order_was_waited_for_once(service: Service) -> None:
    game = service.ready_game("1841")
    service.say("Ann", "bids 41 on Bayard")
    assert counts(service, game) == [1, 0, 0]
    service.say("Ann", "bids 43 on Bayard")  # she could have left it
    assert counts(service, game) == [1, 0, 0]
    service.say("Bob", "bids none")
    service.say("Cat", "bids none")
    assert counts(service, game) == [1, 1, 1]


def test_orders_at_any_moment_are_no_answer(service: Service) -> None:
    game = service.ready_game("1863")
    service.say("Bob", "Bob: pay Cat 5")
    assert service.log(game) == ["Bob: pay Cat 5"] and counts(service, game) == [0, 0, 0]
    service.say("Ann", "Ann: pay Cat 5")  # she is asked, and still is
    assert len(service.log(game)) == 2 and counts(service, game) == [0, 0, 0]


def test_each_person_in_a_seat_has_his_own(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 25")
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, game, "Bob"), "Dan", "dan@else.example")
    service.run()
    service.say("Cat", "bid 30")
    service.say("Ann", "drop")
    letter = service.mailbox("dan@else.example")[-1]
    service.send(mail("drop", sender="dan@else.example", to=letter.reply_to), letter.reply_to)
    service.run()
    with service.desk.database.reading() as session:
        found = [(one.person, one.waits) for one in stays_of(session, game)]
    assert found == [("Ann", 2), ("Bob", 1), ("Dan", 1), ("Cat", 1)]
    assert waits(service, game) == {"Ann": 2, "Bob": 2, "Cat": 1}


def test_a_game_from_before_they_were_counted_is_counted_from_its_log(service: Service, game: str) -> None:
    service.say("Cat", "limit 60 on TSR")
    service.say("Ann", "open TSR 20")
    service.say("Bob", "limit 40")
    service.clock.pass_by(days=1)
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, game, "Ann"), "Dan", "dan@else.example")
    service.run()
    service.clock.pass_by(days=1)
    letter = service.mailbox("dan@else.example")[-1]
    service.send(mail("pass", sender="dan@else.example", to=letter.reply_to), letter.reply_to)
    service.run()
    sealed = service.game("1841")
    service.say("Ann", "bids none")
    for player in ("Bob", "Cat"):
        service.say(player, "bids none")
    before = {name: counts(service, name) for name in (game, sealed)}
    assert before == {game: [2, 1, 0], sealed: [1, 1, 1]}
    migration = import_module("moderator.adapters.migrations.versions.0022_waits")
    with service.session() as session:
        session.execute(text("UPDATE tenure SET waits = 0"))
        session.execute(text(migration.COUNT))
        session.commit()
    assert {name: counts(service, name) for name in (game, sealed)} == before


# ---- where they are shown


def test_the_list_of_games_has_the_sum(service: Service, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 25")
    monkeypatch.setenv("RAILPOST_DATABASE", service.desk.settings.database_url)
    shown = CliRunner().invoke(app, ["--data", str(service.root), "game", "list", "--json"])
    assert shown.exit_code == 0, shown.output
    assert [row["waits"] for row in json.loads(shown.stdout)] == ["2"]


def test_the_last_mail_says_how_often_the_table_waited(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 20")
    service.say("Bob", "bid 25")
    master.end(service.desk, game, "enough")
    service.run()
    said = "The table waited 2 times for a mail: 1 for Ann, 1 for Bob and 0 for Cat."
    for player in ("Ann", "Bob", "Cat"):
        assert said in " ".join(service.letters(player)[-1].text.split())
        assert said in " ".join(service.letters(player)[-1].html.split())


def test_the_last_mail_of_a_game_without_waits_says_nothing(service: Service, game: str) -> None:
    master.end(service.desk, game, "enough")
    service.run()
    assert "The table waited" not in service.letters("Ann")[-1].text


def test_a_page_of_the_archive_has_them_by_player(service: Service, game: str, tmp_path: Path) -> None:
    before = everything(built(service, tmp_path / "site"))
    assert "the table waited" not in before
    service.say("Ann", "open TSR 20")
    after = everything(built(service, tmp_path / "site"))
    assert "the table waited 1 time for a mail" in after
