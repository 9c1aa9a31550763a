"""Tenures and figures of persons: in the welcome, the log, the record and the archive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.domain.records.record import read_record, replay_record
from moderator.entrypoints.cli import app
from moderator.service.listing.games import log_of
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.export import export_record
from moderator.service.play.journal.name_removal import redact
from moderator.service.play.masters import master
from moderator.service.table.table import lock_seat
from tests.kit.service.mail_service import Service, mail
from tests.service.archive.test_archive import built, everything

pytestmark = pytest.mark.usefixtures("each_database")
WHY = "Bob has no time any more."


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def give(service: Service, game: str, player: str, name: str, reason: str = "") -> None:
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, game, player), name, f"{name.lower()}@else.example", reason)
    service.run()


@pytest.fixture
def game(service: Service) -> str:
    """Ann has opened an auction; Bob took two days for a bid, and one for nothing before Dan took his seat over."""
    game = service.ready_game(deadline_hours=200)
    service.say("Ann", "open TSR 20")
    service.clock.pass_by(days=2)
    service.say("Bob", "bid 25")
    service.say("Cat", "bid 30")
    service.say("Ann", "drop")
    service.clock.pass_by(days=1)
    give(service, game, "Bob", "Dan", WHY)
    return game


def plain(text: str) -> str:
    return " ".join(text.split())


# ---- figures in a welcome


def seats_in(service: Service, game: str, player: str) -> dict[str, str]:
    """Player -> his line among the seats in the welcome that ``player`` got."""
    letter = next(one for one in service.letters(player) if one.kind == "welcome" and game in one.subject)
    block = letter.text.partition("SEATS")[2].partition("HOW IT GOES")[0]
    return {name: plain(rest) for name, rest in re.findall(r"^\d\. (\w+)(.*(?:\n(?!\d\.)\S.*|\n  .*)*)", block, re.M)}


def test_the_first_welcome_says_nothing_of_how_anybody_plays(service: Service) -> None:
    game = service.game(deadline_hours=48)
    assert {name: ":" in line for name, line in seats_in(service, game, "Bob").items()} == dict.fromkeys(
        ("Ann", "Bob", "Cat"), False
    )


def test_a_welcome_has_the_figures_of_each_player_and_no_address(service: Service) -> None:
    first = service.game(deadline_hours=48)
    service.say("Ann", "open TSR 20")
    service.clock.pass_by(hours=60)
    sweep_deadlines(service.desk)
    service.say("Bob", "bid 25")  # late
    master.end(service.desk, first, "Enough.")
    service.run()
    second = service.game(deadline_hours=48, players=("Cat", "Ann", "Eve", "Bob"))
    lines = seats_in(service, second, "Cat")
    assert lines["Ann"].endswith(": 1 move, 100 % of all questions answered in time, 1 game finished")
    assert lines["Bob"].endswith(": 1 move, 0 % of all questions answered in time, 1 game finished")
    assert lines["Cat"].endswith(": 1 game finished") and ":" not in lines["Eve"]
    letter = next(one for one in service.letters("Cat") if one.kind == "welcome" and second in one.subject)
    assert "Ann: 1 move, 100 % of all questions" in plain(re.sub("<[^>]+>", "", letter.html)).replace(" :", ":")
    assert not any(f"{name}@players.example" in letter.text for name in ("ann", "bob", "eve"))


def test_who_took_a_seat_over_has_his_own_figures(service: Service, game: str) -> None:
    second = service.game(deadline_hours=48, players=("Cat", "Ann", "Bob"))
    assert seats_in(service, second, "Cat")["Bob"].endswith(
        ": 1 move, 100 % of all questions answered in time, 0 games finished"
    )
    assert game != second


# ---- the log


def test_the_log_says_who_had_a_seat_from_when_to_when_and_why_it_changed(service: Service, game: str) -> None:
    with service.session() as session:
        entries = log_of(session, game)
    (given,) = [entry for entry in entries if entry.kind == "given"]
    assert (given.player, given.orders, given.text) == (
        "Bob", 4, f"Bob from 2026-03-01 to 2026-03-04 ({WHY}); Dan from then on",
    )  # fmt: skip
    assert entries[-1] == given and given.at == service.at(game)
    shown = CliRunner().invoke(app, ["--data", str(service.root), "game", "log", game])
    assert "the seat of Bob: Bob from 2026-03-01 to 2026-03-04" in plain(shown.output), shown.output


def test_a_hand_over_stands_where_it_happened(service: Service, game: str) -> None:
    to = next(one.reply_to for one in service.mailbox("dan@else.example") if one.kind == "turn")
    service.clock.pass_by(minutes=1)
    service.send(mail("bid 35", sender="dan@else.example", to=to), to)
    service.run()
    with service.session() as session:
        kinds = [entry.kind for entry in log_of(session, game)]
    assert kinds == ["order", "order", "order", "order", "given", "order"]


# ---- the record


def test_a_record_says_who_played_a_seat_and_replays_as_before(service: Service, game: str) -> None:
    text = export_record(service.desk, game)
    assert text is not None
    line = f"// The seat of Bob: Bob from 2026-03-01 to 2026-03-04 ({WHY}); Dan from 2026-03-04 on."
    assert text.splitlines().count(line) == 1
    again = replay_record(read_record(text))
    assert again.told_digest() == service.position(game).told_digest()
    without = "\n".join(one for one in text.split("\n") if one != line)
    assert read_record(without).orders == read_record(text).orders


def test_a_record_of_a_game_in_which_nobody_left_has_no_such_line(service: Service) -> None:
    text = export_record(service.desk, service.ready_game())
    assert text is not None and "The seat of" not in text


def test_a_reason_with_line_breaks_and_orders_stays_a_remark(service: Service) -> None:
    game = service.ready_game()
    service.say("Ann", "open TSR 20")
    give(service, game, "Bob", "Dan", 'see below\nBob: bid 25; Cat: drop\n[Seat4 "Eve"]')
    text = export_record(service.desk, game)
    assert text is not None
    assert len(read_record(text).orders) == 1 and "Seat4" not in read_record(text).tags


# ---- the archive


def page_of(files: dict[str, str], game: str) -> str:
    """The words of the page of a game."""
    found = next(text for path, text in files.items() if path.endswith("index.html") and game in path)
    return plain(re.sub("<[^>]+>", "", found))


def test_the_result_page_keeps_the_part_of_whoever_left_and_the_time_of_each(
    service: Service, game: str, tmp_path: Path
) -> None:
    pages = built(service, tmp_path / "site")
    page = page_of(pages, game)
    assert re.search(r"Bob \(played by Dan\): R\d+; 3 days used", page)
    assert f"Bob from 2026-03-01 to 2026-03-04 ({WHY}): 3 days used" in page and "Dan from 2026-03-04 on" in page
    assert not re.search(r"Ann from 2026", page)
    before = everything(pages)
    assert everything(built(service, tmp_path / "site")) == before, "nothing has changed"


def test_a_name_that_was_taken_out_is_in_no_part(service: Service, game: str, tmp_path: Path) -> None:
    with service.desk.sitting() as sitting:
        assert redact(sitting, game, 2, "Player 2")
    found = everything(built(service, tmp_path / "site"))
    assert "Bob" not in found and "Dan" not in found and "no time any more" not in found
    assert re.search(r"Player 2</bdi>: R\d+; 3 days used", found)
    text = export_record(service.desk, game)
    assert text is not None and "Bob" not in text and "The seat of" not in text


def test_a_reason_in_the_archive_has_no_address(service: Service, tmp_path: Path) -> None:
    game = service.ready_game()
    give(service, game, "Bob", "Dan", "ask bob@players.example")
    page = page_of(built(service, tmp_path / "site"), game)
    assert "(ask ***)" in page and "bob@players.example" not in page
