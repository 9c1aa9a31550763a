"""`railpost tournament`: several games, all or none, and their table."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from moderator.entrypoints.cli import app
from moderator.service.play.masters.master import end
from tests.kit.service.mail_service import Service

PEOPLE = tuple(f"--person={name} <{name.lower()}@players.example>" for name in ("Ann", "Bob", "Cat", "Dan"))


def run(root: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--data", str(root), "tournament", *arguments])


def test_games_begin_and_make_one_table(tmp_path: Path) -> None:
    root = tmp_path / "var"
    said = run(root, "new", "Spring", "1861", "--games", "4", "--players", "3", *PEOPLE, "--json")
    assert said.exit_code == 0, said.output
    games = json.loads(said.stdout)
    assert [one["game"] for one in games] == ["1861-1", "1861-2", "1861-3", "1861-4"]
    service = Service.open(root)
    service.clock.pass_by(days=10_000)  # the command has the machine's clock
    service.run()
    assert sum(len(service.letters(name)) > 0 for name in ("Ann", "Bob", "Cat", "Dan")) == 4
    end(service.desk, "1861-2")
    rows = json.loads(run(root, "show", "Spring", "--json").stdout)
    assert {row["person"]: row["games"] for row in rows} == dict.fromkeys(("Ann", "Bob", "Cat", "Dan"), "3")
    over = [row for row in rows if row["over"] == "1"]
    assert [row["beaten"] for row in over] == ["1", "1", "1"]  # nobody has more than the others
    assert json.loads(run(root, "list", "--json").stdout) == [
        {"tournament": "Spring", "title": "1861", "games": "4", "over": "1"}
    ]


def test_all_games_begin_or_none(tmp_path: Path) -> None:
    root = tmp_path / "var"
    said = run(root, "new", "Spring", "1861", "--games", "2", "--players", "3", *PEOPLE, "--option", "nonsense=1")
    assert said.exit_code != 0
    assert json.loads(run(root, "list", "--json").stdout or "[]") == []


def test_a_name_is_used_once(tmp_path: Path) -> None:
    root = tmp_path / "var"
    run(root, "new", "Spring", "1861", "--games", "1", "--players", "3", *PEOPLE)
    said = run(root, "new", "Spring", "1861", "--games", "1", "--players", "3", *PEOPLE)
    assert "there is a tournament 'Spring' already" in said.output
    assert "there is no tournament 'Autumn'" in run(root, "show", "Autumn").output
