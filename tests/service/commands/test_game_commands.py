"""The commands of a game master: all players hear of them, and the log keeps them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner, Result

from moderator.adapters.tables import DeadlineRow, EntryRow, GameRow
from moderator.domain.clocks import wall
from moderator.domain.records.record import read_record
from moderator.entrypoints import cli
from moderator.entrypoints.game.master import one_line
from moderator.service.decision import resumption
from moderator.service.desk import Desk
from moderator.service.operation.verification import replay_all
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.export import export_record
from moderator.service.play.masters import master, pauses
from moderator.service.play.undo import undo
from tests.kit.service.mail_service import Letter, Service

pytestmark = pytest.mark.usefixtures("each_database")
PLAYERS = ("Ann", "Bob", "Cat")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked, and has a day."""
    return service.ready_game(deadline_hours=24)


def newest(service: Service) -> dict[str, Letter]:
    service.run()
    return {player: service.letters(player)[-1] for player in PLAYERS}


def row_of(service: Service, game: str) -> GameRow:
    with service.session() as session:
        return session.exec(select(GameRow).where(GameRow.id == game)).one()


def entries(service: Service, game: str) -> list[tuple[str, str]]:
    """The entries of the game master in the log: kind and text."""
    with service.session() as session:
        wanted = select(EntryRow).where(EntryRow.game == game, EntryRow.origin == "master").order_by(col(EntryRow.at))
        return [(entry.kind, entry.text) for entry in session.exec(wanted).all()]


def orders(service: Service, game: str) -> list[str]:
    with service.session() as session:
        wanted = select(EntryRow.text).where(EntryRow.game == game, EntryRow.kind == "order").order_by(col(EntryRow.at))
        return list(session.exec(wanted).all())


def due(service: Service) -> list[timedelta]:
    """How long from now the answers that are waited for may take."""
    with service.session() as session:
        rows = session.exec(select(DeadlineRow).where(DeadlineRow.state == "open")).all()
        return [row.due_at - service.clock.now() for row in rows]


def text_of(letter: Letter) -> str:
    return one_line(letter.text)


# ---- pause, resume


def test_a_paused_game_waits_and_everybody_is_told_why(service: Service, game: str) -> None:
    pauses.pause(service.desk, game, "Ann is in hospital.")
    for letter in newest(service).values():
        assert letter.subject.endswith("the game is paused") and "Ann is in hospital." in text_of(letter)
    service.clock.pass_by(days=30)
    assert sweep_deadlines(service.desk) == 0
    answer = service.say("Ann", "open TSR 25")
    assert answer is not None and service.outcomes()[-1] == "held"
    assert "The game is paused: Ann is in hospital. These orders are kept" in text_of(answer)
    assert orders(service, game) == []
    shown = service.say("Bob", "show position")
    assert shown is not None and service.outcomes()[-1] == "shown"


def test_a_paused_game_can_be_given_another_reason(service: Service, game: str) -> None:
    pauses.pause(service.desk, game)
    pauses.pause(service.desk, game, "Ann is in hospital.")
    assert all("Ann is in hospital." in text_of(letter) for letter in newest(service).values())
    assert entries(service, game) == [("pause", ""), ("pause", "Ann is in hospital.")]


def test_a_game_that_goes_on_asks_anew_and_gives_the_whole_time(service: Service, game: str) -> None:
    pauses.pause(service.desk, game)
    service.clock.pass_by(days=30)
    service.run()
    before = len(service.letters("Ann"))
    resumption.resume(service.desk, game, "Ann is well again.")
    assert newest(service)["Bob"].subject.endswith("the game goes on")
    mine = {letter.kind: text_of(letter) for letter in service.letters("Ann")[before:]}
    assert set(mine) == {"notice", "turn"}
    assert "Ann is well again." in mine["notice"]
    assert due(service) == [timedelta(hours=24)]
    service.say("Ann", "open TSR 25")
    assert orders(service, game) == ["Ann: open TSR 25"]
    assert entries(service, game) == [("pause", ""), ("resume", "Ann is well again.")]


def test_a_game_that_is_paused_stays_so_when_orders_are_taken_back(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 25")
    pauses.pause(service.desk, game)
    undo(service.desk, game, 0)
    assert row_of(service, game).status == "paused"
    service.run()
    before = len(service.letters("Ann"))
    resumption.resume(service.desk, game)
    service.run()
    assert "turn" in [letter.kind for letter in service.letters("Ann")[before:]]
    service.say("Ann", "open TSR 30")
    assert orders(service, game) == ["Ann: open TSR 25", "Ann: open TSR 30"]


ACTS: dict[str, Callable[[Desk, str], None]] = {"pause": pauses.pause, "resume": resumption.resume, "end": master.end}


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [("pause", "pause", "paused already"), ("", "resume", "not paused"), ("end", "pause", "is over"),
     ("end", "end", "is over"), ("end", "resume", "is over")],
)  # fmt: skip
def test_what_cannot_be_done_is_said(service: Service, game: str, first: str, second: str, why: str) -> None:
    if first:
        ACTS[first](service.desk, game)
    with pytest.raises(ValueError, match=why):
        ACTS[second](service.desk, game)


# ---- end


def test_a_game_that_is_ended_has_standings_a_seed_and_a_record(service: Service, game: str) -> None:
    service.say("Ann", "open TSR 25\nlimit 60")
    service.say("Cat", "limit 50")
    master.end(service.desk, game, "Two players have left.")
    for letter in newest(service).values():
        assert letter.kind == "over"
        assert "The game master has ended it: Two players have left." in text_of(letter)
        assert "STANDINGS, as of now" in letter.text and "FINAL" not in letter.text
        assert '"a seed"' in letter.text
    answer = service.say("Bob", "drop")
    assert answer is not None and service.outcomes()[-1] == "game_over"
    assert "Two players have left." in text_of(answer)
    assert {status for *_, status in service.held(game)} <= {"lapsed", "used"}
    service.clock.pass_by(days=30)
    assert sweep_deadlines(service.desk) == 0
    text = export_record(service.desk, game)
    assert text is not None and "[Seed" in text and "[Ended" in text
    assert len(read_record(text).orders) == 1
    assert [found.fault for found in replay_all(service.desk.database, service.desk.games)] == [""]


# ---- deadlines


def test_another_time_to_answer_is_for_what_is_asked_now_too(service: Service, game: str) -> None:
    service.clock.pass_by(hours=20)
    master.set_deadline(service.desk, game, 72, reason="Holidays.")
    assert due(service) == [timedelta(hours=72)]
    assert all("72 hours" in text_of(letter) and "Holidays." in text_of(letter) for letter in newest(service).values())
    service.say("Ann", "open TSR 25")
    assert due(service) == [timedelta(hours=72)]


def test_deadlines_at_a_time_of_day(service: Service, game: str) -> None:
    master.set_deadline(service.desk, game, 24, "20:00 Europe/Zurich")
    assert due(service) == [timedelta(hours=31)], "noon UTC is 13:00 there"
    assert "20:00 Europe/Zurich" in text_of(newest(service)["Cat"])


def test_deadlines_are_lifted(service: Service, game: str) -> None:
    master.set_deadline(service.desk, game, None)
    assert due(service) == []
    service.clock.pass_by(days=300)
    assert sweep_deadlines(service.desk) == 0
    assert "lifted all deadlines" in text_of(newest(service)["Bob"])


def test_what_is_asked_now_may_wait_until_a_moment(service: Service, game: str) -> None:
    assert master.move_deadlines(service.desk, game, *wall.parse("2026-03-10 20:00 Europe/Zurich")) == 1
    assert due(service) == [timedelta(days=9, hours=7)]
    assert "until 2026-03-10 20:00 Europe/Zurich" in text_of(newest(service)["Ann"])
    service.say("Ann", "open TSR 25")
    assert due(service) == [timedelta(hours=24)], "the next answer has the usual time"


# ---- words


def test_the_game_master_writes_to_all(service: Service, game: str) -> None:
    assert master.say(service.desk, game, "We meet in Bern.\nBring your shares.") == 3
    for letter in newest(service).values():
        assert "We meet in Bern." in letter.text and "Bring your shares." in letter.text
    assert entries(service, game) == [("say", "We meet in Bern.\nBring your shares.")]
    shown = service.say("Ann", "show orders")
    assert shown is not None and "We meet in Bern." in text_of(shown)


# ---- the commands


def command(service: Service, *words: str) -> Result:
    file = service.root / "railpost.toml"
    settings = service.desk.settings
    file.write_text(f'data = "{settings.data}"\ndatabase = "{settings.database_url}"\ndomain = "{settings.domain}"\n')
    return CliRunner().invoke(cli.app, ["--config", str(file), *words])


def test_the_commands_say_what_they_did(service: Service, game: str) -> None:
    for words, said in (
        (("pause", game, "--reason", "A  rest."), "is paused"),
        (("resume", game), "goes on"),
        (("deadline", game, "--hours", "48"), "48 hours"),
        (("deadline", game, "--until", "2999-01-01 20:00"), "1 answer until 2999-01-01 20:00 UTC"),
        (("say", game, "Hello."), "your message goes to 3 players"),
        (("deadline", game, "--off"), "no deadlines"),
        (("end", game), "has ended"),
    ):
        result = command(service, "game", *words)
        assert (result.exit_code, said in result.output) == (0, True), (words, result.output)
    log = command(service, "game", "log", game).output
    assert "paused: A rest." in log and "48 hours" in log
    assert "ended" in command(service, "game", "list").output


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("pause", "nothing-1"), 1, "there is no game"),
        (("resume", "1861-1"), 1, "is not paused"),
        (("deadline", "1861-1"), 2, "say one of --hours, --until and --off"),
        (("deadline", "1861-1", "--until", "tomorrow"), 2, "is not a moment, such as"),
        (("deadline", "1861-1", "--until", "2020-01-01 20:00"), 1, "is past"),
        (("deadline", "1861-1", "--off", "--time", "20:00 UTC"), 2, "--time goes with --hours"),
        (("deadline", "1861-1", "--hours", "48", "--time", "25:00"), 2, "is not a time and zone, such as"),
        (("say", "1861-1", " "), 1, "nothing to say"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    service: Service, game: str, words: tuple[str, ...], status: int, why: str
) -> None:
    result = command(service, "game", *(game if word == "1861-1" else word for word in words))
    assert result.exit_code == status
    assert why in one_line(result.output), result.output
