"""The command line as a newcomer meets it: its help, what a shell completes, and a board to play on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import engine
from moderator.entrypoints import cli
from moderator.entrypoints.database_place import database_url
from moderator.settings_file import load_for_command
from tests.kit.service.mail_service import Service


def commands(group: typer.core.TyperGroup, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name in group.list_commands(None):  # type: ignore[arg-type]
        found = group.get_command(None, name)  # type: ignore[arg-type]
        if isinstance(found, typer.core.TyperGroup):
            yield from commands(found, (*words, name))
        else:
            yield (*words, name)


EVERY = list(commands(typer.main.get_command(cli.app)))  # type: ignore[arg-type]

GROUPS = [words for words in EVERY if any(other[:-1] == words for other in EVERY if other)]


def railpost(*words: str, typed: str = "", **environment: str) -> str:
    result = CliRunner().invoke(cli.app, list(words), input=typed, prog_name="railpost", env=environment)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_is_for_people(words: tuple[str, ...]) -> None:
    text = railpost(*words, "--help")
    assert text.startswith("Usage: railpost")
    without_addresses = re.sub(r"<\w+@[\w.]+>", "", text)
    assert re.findall(r"<[^>]*>|\[\[|\{|[╭│╰]", without_addresses) == []
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_each_command_is_listed_with_a_whole_sentence(words: tuple[str, ...]) -> None:
    listed = railpost(*words, "--help").partition("Commands:\n")[2].partition("\n\n")[0]
    said = re.split(r"^  (?=\w)", listed, flags=re.M)[1:]
    assert len(said) == sum(other[:-1] == words for other in EVERY if other)
    assert [each for each in said if not each.rstrip().endswith(".") or each.rstrip().endswith("..")] == []


def test_help_names_arguments_plainly() -> None:
    assert "Usage: railpost demo [OPTIONS] [TITLE]" in railpost("demo", "--help")
    assert "Usage: railpost seat give [OPTIONS] GAME PLAYER" in railpost("seat", "give", "--help")
    assert re.search(r"^  FILE\.\.\. +Records to verify", railpost("record", "verify", "--help"), re.M)
    assert re.search(r"^  --players NUMBER +How many", railpost("demo", "--help"), re.M)


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_what_is_said_of_a_command_before_it_is_loaded_is_its_own_first_sentence(words: tuple[str, ...]) -> None:
    group = typer.main.get_command(cli.app)
    for word in words:
        group = group.get_command(None, word)  # type: ignore[attr-defined]
    for name, later in group.later.items():  # type: ignore[attr-defined]
        command = group.get_command(None, name)  # type: ignore[attr-defined]
        assert later.said == command.get_short_help_str(limit=1000), name


HEAVY = {"sqlalchemy", "sqlmodel", "pydantic", "engine", "grammar", "alembic", "apscheduler", "imapclient", "jinja2"}


def modules_of(folder: Path, *words: str, **environment: str) -> set[str]:
    """The modules that a process of the command has imported when it ends."""
    program = (
        "import sys\nfrom moderator.entrypoints import cli\n"
        "try: cli.app(prog_name='railpost')\n"
        "finally: print('\\nIMPORTED', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=folder, env={**os.environ, **environment},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return set(done.stderr.rpartition("IMPORTED ")[2].split())


def imported_by(folder: Path, *words: str, **environment: str) -> set[str]:
    """The top-level packages of ``modules_of``."""
    return {name.partition(".")[0] for name in modules_of(folder, *words, **environment)}


@pytest.mark.parametrize("words", [(), ("game",), ("game", "list"), ("mail", "list"), ("seat", "give")], ids=" ".join)
def test_help_imports_neither_the_rules_nor_the_database(words: tuple[str, ...], tmp_path: Path) -> None:
    assert "typer" in (found := imported_by(tmp_path, *words, "--help"))
    assert found & (HEAVY - {"pydantic"} if words else HEAVY) == set()  # a group reads the settings first


def test_completion_of_words_and_games_imports_neither_the_rules_nor_the_orm_nor_pydantic(tmp_path: Path) -> None:
    Service.open(tmp_path).game()
    for line in ("railpost ga", "railpost game ", "railpost mail list --", "railpost game show 1"):
        asked = {"_RAILPOST_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        found = imported_by(tmp_path, **asked, RAILPOST_DATA=str(tmp_path), RAILPOST_DOMAIN="example.org")
        assert "typer" in found
        assert found & HEAVY == set(), line


def test_a_list_of_games_does_without_the_rules_and_the_orm(tmp_path: Path) -> None:
    Service.open(tmp_path).game()
    found = imported_by(tmp_path, "--data", str(tmp_path), "game", "list")
    assert "typer" in found
    assert found & (HEAVY - {"pydantic"}) == set()  # the settings are read with it


# ---- lists for programs ---------------------------------------------------------------------------------------------

LISTS = [words for words in EVERY if words[-1:] == ("list",)]


def test_there_are_lists() -> None:
    assert len(LISTS) > 5


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_each_list_is_json_if_it_is_asked_for(words: tuple[str, ...], tmp_path: Path) -> None:
    game = Service.open(tmp_path).game()
    more = [game] if "GAME" in railpost(*words, "--help").partition("\n")[0] else []
    listed = json.loads(railpost("--data", str(tmp_path), *words, *more, "--json", RAILPOST_DOMAIN="example.org"))
    assert isinstance(listed, list) and all(isinstance(row, dict) for row in listed)


# ---- completion -----------------------------------------------------------------------------------------------------


def completed(line: str, **environment: str) -> list[str]:
    """The words that bash offers at the end of ``line``."""
    words = line.split(" ")
    asked = {"_RAILPOST_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return CliRunner().invoke(cli.app, [], prog_name="railpost", env={**asked, **environment}).output.split()


def test_titles_and_editions_are_completed() -> None:
    assert completed("railpost game new 18") == list(engine.title_names())
    assert completed("railpost demo 184") == ["1844", "1841"]
    assert completed("railpost game new 1844 --edition ") == list(engine.editions("1844"))


def test_games_and_seats_are_completed(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = service.game()
    here = {"RAILPOST_DATA": str(tmp_path), "RAILPOST_DOMAIN": "example.org"}
    assert completed("railpost game show ", **here) == [game]
    assert completed(f"railpost seat give {game} B", **here) == ["Bob"]
    assert completed("railpost seat give 1861-99 B", **here) == []


@pytest.mark.parametrize(
    ("config", "environment", "data"),
    [
        (None, {}, None),
        (None, {"RAILPOST_DATA": "env"}, None),
        (None, {"railpost_data": "env"}, "given"),
        ("data = 'file'", {}, None),
        ("data = 'file'", {"RAILPOST_DATA": "env"}, None),
        ("data = 'file'", {"RAILPOST_DATA": ""}, None),
        ("data = 'file'\ndatabase = 'sqlite:///other.db'", {}, "given"),
        ("data = 'file'", {"RAILPOST_DATABASE": "postgresql+psycopg://localhost/railpost"}, None),
    ],
)
def test_completion_looks_in_the_database_that_the_settings_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    config: str | None, environment: dict[str, str], data: str | None,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper() in {"RAILPOST_DATA", "RAILPOST_DATABASE"}]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if config is not None:
        (tmp_path / "railpost.toml").write_text(config, encoding="utf-8")
    settings = load_for_command(None, None if data is None else Path(data))
    for file in (
        "var/railpost.db",
        "env/railpost.db",
        "given/railpost.db",
        "file/railpost.db",
        "railpost.db",
        "other.db",
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    assert database_url(None, data) == settings.database_url
    if settings.database_path is not None:
        settings.database_path.unlink()
        assert database_url(None, data) == ""


def test_settings_that_cannot_be_read_complete_nothing(tmp_path: Path) -> None:
    file = tmp_path / "railpost.toml"
    for text in ("data = ", "data = 3", "database = ['x']"):
        file.write_text(text, encoding="utf-8")
        assert database_url(str(file), None) == ""
    assert database_url(str(tmp_path / "none.toml"), None) == ""


def test_states_outcomes_and_options_are_completed() -> None:
    assert completed("railpost outbox list --state ") == ["queued", "sent", "failed", "kept"]
    assert completed("railpost mail list --outcome app") == ["applied"]
    assert completed("railpost game new 1861 --option k7_u") == ["k7_upgrade="]


def test_values_of_options_are_completed() -> None:
    assert completed("railpost game new 1861 --option k7_upgrade=") == ["k7_upgrade=0", "k7_upgrade=20"]
    assert completed("railpost game new 1861 --option kharkov-over-801=n") == ["kharkov-over-801=no"]
    assert completed("railpost game new 1861 --option nonsense=") == []
    assert completed("railpost game new 1899 --option k7_upgrade=") == []


def test_values_of_options_are_completed_in_the_words_that_bash_makes_of_them() -> None:
    assert completed("railpost game new 1861 --option k7_upgrade =") == ["0", "20"]
    assert completed("railpost game new 1861 --option k7_upgrade = 2") == ["20"]
    assert completed("railpost game new --option k7_upgrade = 2 1861 --edition f") == ["first"]


def test_nothing_is_made_while_somebody_types(tmp_path: Path) -> None:
    empty = tmp_path / "not there"
    assert completed("railpost game show ", RAILPOST_DATA=str(empty)) == []
    assert not empty.exists()


# ---- a board --------------------------------------------------------------------------------------------------------


def test_a_new_game_is_played_on_the_terminal(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    typed = f"show lays\nopen TSR 25\nshow orders\nshow trains\nshow nonsense\nundo\nopen TSR 30\nsave {record}\nquit\n"
    said = railpost("play", "1861", "--player", "Ann", "--player", "Bob", "--player", "Cat", "--seed", "x", typed=typed)
    assert "1861 The Railways of the Russian Empire, edition v2.0: Ann, Bob, Cat" in said
    assert re.search(r"1: (Ann|Bob|Cat): open TSR 25", said)
    assert "there is no `show nonsense`: position, map, board, hex HEX" in said
    again = railpost("play", str(record), typed="show orders\nquit\n")
    assert re.search(r"1: (Ann|Bob|Cat): open TSR 30", again)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("1899",), "1899 is neither a title (1861, 1844, 1841, 1863, 1867) nor a file"),
        (("1861", "--at", "3"), "--at goes with a record"),
        (("README.md", "--player", "Ann"), "a record has its own"),
        (("1861", "--player", "Ann"), "is for 3 to 6 players"),
        (("1861", "--edition", "v9"), "v9"),
    ],
)
def test_what_cannot_be_played_is_said(words: tuple[str, ...], why: str, checkout: Path) -> None:
    words = tuple(str(checkout / word) if word == "README.md" else word for word in words)
    result = CliRunner().invoke(cli.app, ["play", *words], prog_name="railpost")
    assert (result.exit_code, "Traceback" in result.output) == (2, False)
    assert why in " ".join(result.output.split())


def test_a_list_of_games_loads_only_what_it_shows(tmp_path: Path) -> None:
    Service.open(tmp_path).game()
    found = modules_of(tmp_path, "game", "list", RAILPOST_DATA=str(tmp_path), RAILPOST_DOMAIN="example.org")
    assert "moderator.service.listing.turns" in found
    assert found & {*HEAVY - {"pydantic"}, "moderator.domain.list_rows", "moderator.domain.redaction"} == set()
