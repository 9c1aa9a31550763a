"""``railpost seat`` and ``railpost breaker``: who is there, who is silent, and answering again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.entrypoints.cli import app
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.toy_service import Table
from tests.service.robots.test_budgets import with_limits, write

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.mark.fault(65, 96)
def test_the_operator_looks_at_seats_and_closes_the_breaker(table: Table, game: str) -> None:
    table = with_limits(table, breaker_per_hour=10, answers_per_seat=1_000, breaker_hours=1_000_000)
    table.send(mail("out", to=table.address("Ann"), headers={"Auto-Submitted": "auto-replied"}))
    for number in range(11):
        write(table, f"Ticket {number}.", sender="bob@players.example", to=table.address("Bob"))
    runner, data = CliRunner(), ["--data", str(table.root)]
    listed = runner.invoke(app, [*data, "seat", "list", game])
    assert listed.exit_code == 0, listed.output
    ann, bob = (next(line for line in listed.output.splitlines() if name in line) for name in ("Ann", "Bob"))
    assert ann.count("2026-03-01 12:00") == 2  # told, and away
    assert bob.count("2026-03-01 12:00") == 2  # told, and heard
    silent = runner.invoke(app, [*data, "seat", "silent", "--hours", "1"])
    assert "Ann" in silent.output
    assert "away" in silent.output
    assert "Bob" not in silent.output
    assert runner.invoke(app, [*data, "breaker"]).exit_code == 1
    shown = runner.invoke(app, [*data, "breaker", "--json"])
    assert shown.exit_code == 1
    (one,) = json.loads(shown.output)
    assert one.keys() == {"group", "answers", "until"}
    assert (one["group"], int(one["answers"]) >= 10) == ("seats", True)
    assert runner.invoke(app, [*data, "breaker", "--reset"]).exit_code == 0
    assert runner.invoke(app, [*data, "breaker"]).exit_code == 0
    assert json.loads(runner.invoke(app, [*data, "breaker", "--json"]).output) == []
    assert runner.invoke(app, [*data, "seat", "start", game, "Ann"]).exit_code == 1
    assert runner.invoke(app, [*data, "seat", "list", "toy-9"]).exit_code == 1


def test_the_operator_hears_that_a_person_has_another_seat_at_the_table(tmp_path: Path) -> None:
    """Two seats in one hand may be meant, or a slip: the seat is given, and the operator knows."""
    service = Service.open(tmp_path)
    game, runner, data = service.ready_game(), CliRunner(), ["--data", str(tmp_path)]
    given = runner.invoke(app, [*data, "seat", "give", game, "Ann", "Bob <BOB@players.example>"])
    assert given.exit_code == 0, given.output
    assert given.output.splitlines()[1] == "BOB@players.example has another seat there, too: Bob"
    listed = runner.invoke(app, [*data, "seat", "list", game, "--json"])
    assert {row["player"]: row["played by"] for row in json.loads(listed.output)} == {
        "Ann": "Bob",
        "Bob": "",
        "Cat": "",
    }
    other = runner.invoke(app, [*data, "seat", "give", game, "Cat", "Dan <dan@players.example>"])
    assert (other.exit_code, len(other.output.splitlines())) == (0, 1)
