"""The first commands on a machine: what they make, for whom it can be read, and what they say of a server."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.adapters.mail.imap_session import connect
from moderator.adapters.mail.server import Backoff, Server
from moderator.domain.ports import Away
from moderator.entrypoints import cli

SEATS = ["--seat", "Ann <ann@example.org>", "--seat", "Bob <bob@example.org>", "--seat", "Cat <cat@example.org>"]


@pytest.fixture
def lax() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("lax")
def test_the_folder_of_the_data_is_private_whatever_the_umask_is(tmp_path: Path) -> None:
    data = tmp_path / "a" / "var"
    assert CliRunner().invoke(cli.app, ["--data", str(data), "game", "new", "1861", *SEATS]).exit_code == 0
    for folder in (data, data.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    result = CliRunner().invoke(cli.app, ["--data", str(data), "game", "list", "--json"])
    (game,) = json.loads(result.stdout)
    assert game["game"] == "1861-1"
    assert game["asked"]
    assert game["since"]


@pytest.mark.parametrize("more", [["--option", "colour=red"], ["--seat", "nobody"], ["--edition", "1066"], SEATS])
def test_a_refused_game_leaves_no_database(tmp_path: Path, more: list[str]) -> None:
    result = CliRunner().invoke(cli.app, ["--data", str(tmp_path / "var"), "game", "new", "1861", *SEATS, *more])
    assert result.exit_code == 2
    assert not (tmp_path / "var").exists()


def test_a_server_that_cannot_be_reached_is_named_with_the_port_that_was_tried() -> None:
    with pytest.raises(Away, match=r"127\.0\.0\.1:143 cannot be reached"):
        connect(Server("127.0.0.1", 0, "none", timeout=2.0), Backoff())
