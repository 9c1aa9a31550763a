"""``railpost person``: the figures of people over all their games, by tenure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from moderator.entrypoints import cli
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters import master
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service

HOURS = 48


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def railpost(service: Service, *words: str, status: int = 0) -> Any:
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words], env={"RAILPOST_DOMAIN": "example.org"})
    assert result.exit_code == status, (result.output, result.exception)
    return json.loads(result.stdout) if status == 0 else result.output


def persons(service: Service) -> dict[str, dict[str, Any]]:
    return {row["names"]: row for row in railpost(service, "person", "list", "--json")}


def test_the_figures_follow_the_person_and_not_the_seat(service: Service) -> None:
    game = service.game(deadline_hours=HOURS, clock=[("late", "default")])
    service.say("Ann", "open TSR 20")
    service.clock.pass_by(hours=HOURS + 1)
    sweep_deadlines(service.desk)  # Bob's time is over: he drops out
    service.run()
    with service.desk.sitting() as sitting:
        seat = next(seat for seat in lock_table(sitting, game).seats if seat.player == "Bob")
        hand_over(sitting, seat, "Dan", "dan@example.net")
    service.run()
    master.end(service.desk, game)
    found = persons(service)
    assert found["Ann"]["moves"] == "1" and found["Ann"]["on_time"] == "100 %" and found["Ann"]["finished"] == "1"
    assert found["Bob"]["moves"] == "0" and found["Bob"]["on_time"] == "0 %"
    assert (found["Bob"]["finished"], found["Bob"]["left"]) == ("0", "1")
    assert found["Dan"]["on_time"] == "" and (found["Dan"]["finished"], found["Dan"]["left"]) == ("1", "0")


def test_a_game_may_ask_for_a_floor(service: Service) -> None:
    game = service.game(deadline_hours=HOURS, clock=[("late", "default")])
    service.say("Ann", "open TSR 20")
    service.clock.pass_by(hours=HOURS + 1)
    sweep_deadlines(service.desk)
    with pytest.raises(ValueError, match="Bob has answered 0 % of all questions in time; this game asks for 80 %"):
        service.game(clock=[("floor", "80")])
    other = service.game(players=("Ann", "Zoe", "Dan"), clock=[("floor", "80")])
    assert other != game
    with service.desk.sitting() as sitting:
        seat = next(seat for seat in lock_table(sitting, other).seats if seat.player == "Dan")
        with pytest.raises(ValueError, match="Bob has answered 0 %"):
            hand_over(sitting, seat, "Bob", "bob@players.example")


def test_a_persons_games_have_his_place_and_total(service: Service) -> None:
    game = service.game(deadline_hours=HOURS)
    master.end(service.desk, game)
    (row,) = railpost(service, "person", "show", "ann@players.example", "--json")
    assert (row["game"], row["player"], row["state"], row["place"]) == (game, "Ann", "ended", "1")
    assert int(row["total"]) > 0
    assert railpost(service, "person", "show", "Ann", "--json") == [row]


def test_somebody_unknown_is_said_to_be(service: Service) -> None:
    service.game()
    assert "nobody plays or has played under 'Zoe'" in railpost(service, "person", "show", "Zoe", status=1)
