"""The operator puts up games that wait for players, and lists who has no seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from moderator.entrypoints.cli import app
from tests.kit.service.guests import join, write
from tests.kit.service.mail_service import Service


def railpost(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--data", str(folder), "game", *arguments])


def rows(folder: Path, *arguments: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(railpost(folder, *arguments, "--json").stdout)
    return found


def test_a_forming_game_has_a_name_that_no_other_gets(tmp_path: Path) -> None:
    master = ("--master", "Max <max@example.org>")
    made = railpost(tmp_path, "form", "1861", "--players", "3-5", "--deadline-hours", "48", "--floor", "80", *master)
    assert (made.exit_code, made.stdout.strip()) == (0, "1861-1"), made.output
    begun = railpost(tmp_path, "new", "1861", *(f"--seat={name} <{name}@x.example>" for name in ("Ann", "Bob", "Cat")))
    assert begun.stdout.strip() == "1861-2", begun.output
    listed = {row["game"]: row for row in rows(tmp_path, "list")}
    assert listed["1861-1"]["state"] == "forming 0 of 3-5" and listed["1861-1"]["master"].startswith("Max ")
    assert listed["1861-2"]["state"] == "running"
    assert rows(tmp_path, "guests") == []
    gone = railpost(tmp_path, "unform", "1861-1")
    assert gone.exit_code == 0 and "0 entrants" in gone.output
    assert "1861-1" not in {row["game"] for row in rows(tmp_path, "list")}
    assert railpost(tmp_path, "form", "1861", "--players", "4").stdout.strip() == "1861-3"


def test_the_list_of_entrants_has_their_wishes_for_places(tmp_path: Path) -> None:
    railpost(tmp_path, "form", "1861", "--players", "3")
    service = Service.open(tmp_path)
    join(service, "Ann", "1861-1 as Ann prefer first")
    write(service, "Bob", "join 1861-1 as Bob prefer seat 3")
    join(service, "Cat", "1861-1")
    listed = {(row["kind"], row["name"]): row["wish"] for row in rows(tmp_path, "guests")}
    assert listed == {("entrant", "Ann"): "first", ("asked: join", "Bob"): "seat 3", ("entrant", "Cat"): ""}
    assert "seat 3" in railpost(tmp_path, "guests").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "some"), "write 4, or 3-5"),
        (("--players", "5-3"), "write 4, or 3-5"),
        (("--players", "1-3"), "1"),
        (("--players", "3-9"), "9"),
        (("--players", "3", "--edition", "none"), "edition"),
        (("--players", "3", "--option", "nothing=1"), "option"),
        (("--players", "3", "--clock", "rest=Someday"), "Someday"),
        (("--players", "3", "--deadline-time", "20:00 UTC"), "--deadline-hours"),
        (("--players", "3", "--invitation", "two words"), "one word"),
        (("--players", "3", "--master", "Max"), "game master"),
    ],
)
def test_a_game_that_could_not_begin_is_not_put_up(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    found = railpost(tmp_path, "form", "1861", *arguments)
    assert found.exit_code != 0 and said in found.output, found.output


def test_what_is_not_forming_cannot_begin_or_be_taken_back(tmp_path: Path) -> None:
    railpost(tmp_path, "form", "1861", "--players", "3")
    assert "no game '1861-9'" in railpost(tmp_path, "unform", "1861-9").output
    few = railpost(tmp_path, "begin", "1861-1")
    assert few.exit_code != 0 and "0 of at least 3" in few.output
