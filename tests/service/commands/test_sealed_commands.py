"""Sealed orders at the command line: the operator sees who has sealed, and what only when all are opened. And a copy of
the database keeps them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.adapters.tables import AliasRow
from moderator.entrypoints import cli
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.restoration import go_back, newest, railpost
from tests.service.commands.test_cli import Shell

PLAYERS = ("Ann", "Bob", "Cat")
LOOKS = (
    ("game", "show", "1841-1"),
    ("game", "list"),
    ("game", "log", "1841-1"),
    ("game", "export", "1841-1"),
    ("mail", "list"),
    ("mail", "show", "1"),
    ("outbox", "list"),
    ("health",),
)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAILPOST_DOMAIN", "example.org")
    monkeypatch.setenv("RAILPOST_OPERATOR", "master@example.net")
    (tmp_path / "var").mkdir()
    service = Service.open(tmp_path / "var")
    service.ready_game("1841", PLAYERS)
    service.say("Ann", "bids 173 on Bayard")
    return service


@pytest.fixture
def shell(tmp_path: Path, service: Service) -> Shell:
    return Shell(tmp_path)


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_no_command_shows_what_is_sealed(service: Service, words: tuple[str, ...]) -> None:
    said = CliRunner().invoke(cli.app, ["--data", str(service.root), *words]).output
    assert said and re.search(r"\b173\b", said) is None


def test_no_mail_is_shown_raw(shell: Shell, service: Service) -> None:
    assert "when the sealed orders of its game are opened" in shell("mail", "show", "1", "--raw", status=1)
    for number in range(1, 10):
        assert "173" not in shell("outbox", "show", str(number), "--raw")


@pytest.mark.parametrize("sender", ["bob@players.example", "Bob <BOB@players.example>", "bob@home.example"])
def test_no_mail_to_no_seat_is_shown_that_may_be_meant_to_seal(shell: Shell, service: Service, sender: str) -> None:
    with service.desk.database.transaction() as session:
        now = service.clock.now()
        session.add(
            AliasRow(address="bob@home.example", record="bob@players.example", created_at=now, confirmed_at=now)
        )
    own = {player: service.address(player) for player in PLAYERS}
    mistyped = f"{own['Bob'].partition('@')[0]}a@example.org"
    for to in (mistyped, "railpost@example.org"):
        service.send(mail("bids 175 on Bayard", sender=sender, to=to))
    service.take_in()
    for number in ("2", "3"):
        assert "175" not in shell("mail", "show", number), "it waits"
    service.run()
    for number in ("2", "3"):
        assert "175" not in shell("mail", "show", number)
        assert "opened" in shell("mail", "show", number, "--raw", status=1)
    for player in PLAYERS[1:]:
        service.say(player, "bids none", to=own[player])
    assert "bids 175 on Bayard" in shell("mail", "show", "3")


def test_mail_of_others_is_shown(shell: Shell, service: Service) -> None:
    service.send(mail("bids 177 on Bayard", sender="eve@players.example", to="railpost@example.org"))
    service.run()
    assert "bids 177 on Bayard" in shell("mail", "show", "2")


def test_it_shows_who_has_sealed(shell: Shell, service: Service) -> None:
    said = shell("game", "show", "1841-1")
    assert "1. Ann" in said and "   sealed 2026-03-01 12:00 UTC: " in said
    assert "Bob, Cat" in shell("game", "list") and "sealed (waiting): " in shell("mail", "show", "1")


def test_after_the_opening_all_is_shown_as_ever(shell: Shell, service: Service) -> None:
    for player in PLAYERS[1:]:
        service.say(player, "bids none")
    assert "bids 173 on Bayard" in shell("mail", "show", "1")
    log = shell("game", "log", "1841-1")
    assert "173 on Bayard" in log and "sealed" in log


def test_a_copy_keeps_what_was_sealed(service: Service, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    railpost(service, "backup", str(copy))
    service.say("Ann", "bids 179 on Bayard")
    go_back(service, copy)
    assert "| Ann: bids 173 on Bayard" in newest(service, "ann@players.example", "turn").text
    for player in PLAYERS[1:]:
        service.say(player, "bids none")
    assert "Ann: bids 173 on Bayard" in service.log("1841-1")
