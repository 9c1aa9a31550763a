"""Anonymous games from the command line: begun, put up for joining, in a tournament, and what is written of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click import Context
from sqlmodel import select
from typer.main import get_command
from typer.testing import CliRunner, Result

from moderator.adapters.tables import SeatRow
from moderator.domain.house_names import HOUSE_NAMES
from moderator.entrypoints.cli import app
from moderator.service.entry.guests import add
from moderator.service.play.masters.master import end
from tests.kit.service.anonymous import named
from tests.kit.service.going_out import railpost as output_of
from tests.kit.service.mail_service import Service

NAMES = ("Ottilie", "Bartolo", "Clementine", "Dorothea")


def people(option: str, count: int = 3) -> tuple[str, ...]:
    return tuple(f"--{option}={name} <{name.lower()}@players.example>" for name in NAMES[:count])


def railpost(root: Path, *arguments: str) -> Result:
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


TOLD: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("game", "pause"): ("GAME", "--reason", "TEXT"),
    ("game", "resume"): ("GAME", "--reason", "TEXT"),
    ("game", "end"): ("GAME", "--reason", "TEXT"),
    ("game", "deadline"): ("GAME", "--off", "--reason", "TEXT"),
    ("game", "clock"): ("GAME", "grace=4", "--reason", "TEXT"),
    ("game", "master"): ("GAME", "Max <max@example.org>", "--reason", "TEXT"),
    ("game", "undo"): ("GAME", "0", "--reason", "TEXT"),
    ("game", "redo"): ("GAME", "--reason", "TEXT"),
    ("game", "say"): ("GAME", "TEXT"),
    ("seat", "caretaker"): ("GAME", "PLAYER", "open", "--reason", "TEXT"),
    ("seat", "give"): ("GAME", "PLAYER", "Emil <emil@players.example>", "--reason", "TEXT"),
    ("game", "unform"): ("FORMING", "--reason", "TEXT"),
}
"""Every command whose text goes to the table."""


def with_a_reason(command: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """The commands with a reason that people at a table are told."""
    if hasattr(command, "commands"):
        for name in command.list_commands(Context(command)):
            yield from with_a_reason(command.get_command(Context(command), name), *path, name)
    elif any("--reason" in one.opts for one in command.params):
        yield path


def test_no_command_tells_by_mistake_who_plays(tmp_path: Path) -> None:
    assert set(TOLD) == {*with_a_reason(get_command(app)), ("game", "say")}, (
        "a new text to players: is it searched for names?"
    )
    railpost(tmp_path, "game", "new", "1861", "--anonymous", *people("seat"))
    railpost(tmp_path, "game", "form", "1861", "--players", "3", "--anonymous")
    service = opened(tmp_path)
    with service.desk.sitting() as sitting:
        add(sitting, "entrant", "Ottilie", "ottilie@players.example", game="1861-2", title="1861")
    said = {"GAME": "1861-1", "FORMING": "1861-2", "PLAYER": str(service.position("1861-1").setup.players[0])}
    before = output_of(service, "game", "log", "1861-1")
    for command, words in TOLD.items():
        for text, why in (("because Ottilie  is ill", "Ottilie"), ("ask OTTILIE@players.example", "ottilie@players")):
            refused = railpost(tmp_path, *command, *((said | {"TEXT": text}).get(word, word) for word in words))
            assert refused.exit_code, command
            assert f"`{why}" in " ".join(refused.output.split()) and "says who" in refused.output, (command, text)
    taken = railpost(
        tmp_path, "seat", "give", "1861-1", said["PLAYER"], "Emil <emil@players.example>", "--reason=Emil is here"
    )
    assert taken.exit_code == 1 and "`Emil` says who plays" in taken.output
    assert output_of(service, "game", "log", "1861-1") == before
    told = railpost(tmp_path, "game", "pause", "1861-1", "--reason", f"{said['PLAYER']} is ill")
    assert told.exit_code == 0, told.output
