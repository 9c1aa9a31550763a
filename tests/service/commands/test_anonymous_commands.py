"""Anonymous games from the command line: begun, put up for joining, in a tournament, and what is written of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner, Result

from moderator.adapters.tables import SeatRow
from moderator.domain.house_names import HOUSE_NAMES
from moderator.service.play.masters.master import end
from tests.kit.service.anonymous import named
from tests.kit.service.going_out import railpost as output_of
from tests.kit.service.mail_service import Service

NAMES = ("Ottilie", "Bartolo", "Clementine", "Dorothea")


def people(option: str, count: int = 3) -> tuple[str, ...]:
    return tuple(f"--{option}={name} <{name.lower()}@players.example>" for name in NAMES[:count])


def railpost(root: Path, *arguments: str) -> Result:
    from moderator.entrypoints.cli import app

    return CliRunner().invoke(app, ["--data", str(root), *arguments])


def opened(root: Path) -> Service:
    service = Service.open(root)
    service.clock.pass_by(days=10_000)  # commands have the machine's clock
    service.run()
    return service


def test_a_new_game_has_names_of_the_house(tmp_path: Path) -> None:
    made = railpost(tmp_path, "game", "new", "1861", "--anonymous", *people("seat"))
    assert made.exit_code == 0, made.output
    service = opened(tmp_path)
    with service.session() as session:
        seats = session.exec(select(SeatRow)).all()
    assert sorted(seat.person for seat in seats) == sorted(NAMES[:3])
    assert {seat.player for seat in seats} <= set(HOUSE_NAMES) and len({seat.player for seat in seats}) == 3
    for name in NAMES[:3]:
        told = "".join(letter.text for letter in service.letters(name))
        assert "ANONYMOUS" in told and named(told, NAMES) == []
    for words in (("list",), ("list", "--json"), ("show", "1861-1"), ("log", "1861-1"), ("export", "1861-1")):
        assert named(output_of(service, "game", *words), NAMES) == []


def test_the_mails_of_such_a_game_are_written_for_one_seat(tmp_path: Path) -> None:
    railpost(tmp_path, "game", "new", "1861", "--anonymous", *people("seat"))
    service = opened(tmp_path)
    refused = railpost(tmp_path, "game", "mbox", "1861-1")
    assert refused.exit_code == 2 and "1861-1 is anonymous, and its mails say who plays" in refused.output
    player = str(service.position("1861-1").setup.players[0])
    own = output_of(service, "game", "mbox", "1861-1", "--seat", player)
    assert len(named(own, NAMES)) == 1
    assert len(named(output_of(service, "game", "mbox", "1861-1", "--raw"), NAMES)) == 3
    end(service.desk, "1861-1")
    assert railpost(tmp_path, "game", "mbox", "1861-1").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("1861", "--seat=cedar <a@players.example>", *people("seat", 2)), "'cedar' is a name of the house"),
        (("--from", "nowhere.txt", *people("seat")), "whoever knows the record knows who plays"),
    ],
)
def test_what_cannot_be_anonymous(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    refused = railpost(tmp_path, "game", "new", "--anonymous", *arguments)
    assert refused.exit_code == 2 and why in " ".join(refused.output.split())
    assert not (tmp_path / "railpost.db").exists()


def test_a_game_is_put_up_for_joining(tmp_path: Path) -> None:
    made = railpost(tmp_path, "game", "form", "1861", "--players", "3", "--anonymous")
    assert made.exit_code == 0, made.output
    (row,) = json.loads(railpost(tmp_path, "game", "list", "--json").stdout)
    assert row["state"] == "forming 0 of 3" and row["players"] == ""


def test_a_tournament_counts_for_the_persons(tmp_path: Path) -> None:
    made = railpost(
        tmp_path, "tournament", "new", "Spring", "1861", "--games", "2", "--players", "3", "--anonymous",
        *people("person", 4), "--json",
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    dealt = {row["game"]: row["persons"].split(", ") for row in json.loads(made.stdout)}
    service = opened(tmp_path)
    for name in NAMES:
        assert named("".join(letter.text for letter in service.letters(name)), NAMES) == []
    end(service.desk, "1861-1")
    rows = json.loads(railpost(tmp_path, "tournament", "show", "Spring", "--json").stdout)
    assert {row["person"] for row in rows} == set(NAMES)
    assert {row["person"] for row in rows if row["over"] == "1"} == set(dealt["1861-1"])
