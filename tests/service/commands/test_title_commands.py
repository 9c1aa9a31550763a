"""`railpost title export` and `check`, and games and records with a file of corrected facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import engine
from engine.core.ids import TrainName
from moderator import library
from moderator.adapters.tables import FactsRow, GameRow
from moderator.entrypoints import cli
from moderator.service.games import PastUnreadable, default_titles
from moderator.service.operation.verification import replay_all
from moderator.service.play.journal.export import export_record
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.facts.fault_samples import SPOILED, Spoiled
from tests.kit.samples import one_in, sampled
from tests.kit.service.mail_service import Service

PEOPLE = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
SEATS = [word for person in PEOPLE for word in ("--seat", f"{person.name} <{person.address}>")]


class Shell:
    """Runs commands on one folder; answers their standard output."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.complaint = ""

    def __call__(self, *words: str, status: int = 0) -> str:
        result = CliRunner().invoke(cli.app, ["--data", str(self.folder), *words])
        assert result.exit_code == status, (result.output, result.exception)
        self.complaint = result.stderr
        return result.stdout


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "var")


def test_titles_are_listed_for_programs(shell: Shell) -> None:
    listed = json.loads(shell("title", "list", "--json"))
    assert [one["title"] for one in listed] == list(engine.title_names())
    for one in listed:
        assert one.keys() == {"title", "name", "editions", "players"}
        assert one["editions"].split(", ") == list(engine.editions(one["title"]))
    assert len(shell("title", "list").splitlines()) == len(listed)


def dearer(text: str) -> str:
    """The first trains cost 5 more."""
    data: dict[str, Any] = json.loads(text)
    data["trains"][0]["cost"] += 5
    return json.dumps(data, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("spoiled", one_in(6, SPOILED), ids=lambda one: one.name)
def test_check_refuses_a_spoiled_copy_with_line_and_reason(shell: Shell, spoiled: Spoiled) -> None:
    text, place = spoiled.text(engine.export_facts(engine.load_title("1861")))
    Path("my.json").write_text(text, encoding="utf-8")
    said = shell("title", "check", "my.json", status=1)
    line = next((line for line in (said + shell.complaint).splitlines() if spoiled.reason in line), "")
    file, _, rest = line.partition(":")
    number, _, reason = rest.partition(": ")
    assert file == "my.json" and 1 <= int(number) <= text.count("\n") + 1, said
    assert reason.startswith(place[0]), reason
    if spoiled.name != "a file for another game":
        told = shell("game", "new", "1861", *SEATS, "--facts", "my.json", status=2)
        assert told == "" and f"my.json:{number}: " in shell.complaint
        assert not shell.folder.exists(), "a refused game leaves no database"


@pytest.mark.parametrize("name", sampled(["1861", "1844", "1841"], ["1844"]))
def test_export_edit_check_begin_verify(shell: Shell, name: str) -> None:
    exported = shell("title", "export", name)
    assert exported == engine.export_facts(engine.load_title(name))
    Path("my.json").write_text(exported, encoding="utf-8")
    assert "nothing differs" in shell("title", "check", "my.json")
    Path("my.json").write_text(dearer(exported), encoding="utf-8")
    said = shell("title", "check", "my.json")
    cost = json.loads(exported)["trains"][0]["cost"]
    number = dearer(exported).splitlines().index(f'   "cost": {cost + 5},') + 1
    assert said.strip() == f"my.json:{number}: trains: 2: cost: {cost} -> {cost + 5}"
    assert "is consistent; SHA-256" in shell.complaint
    assert f"{name}-1" in shell("game", "new", name, *SEATS, "--facts", "my.json")
    Path("my.json").unlink()
    shell("game", "show", f"{name}-1")
    assert "0 orders replayed" in shell("record", "verify", "--database")
    record = shell("game", "export", f"{name}-1")
    assert '[Facts "' in record and '[FactsFile "' in record


def test_a_file_says_with_which_options_it_goes(shell: Shell) -> None:
    Path("lite.json").write_text(shell("title", "export", "1841", "--option", "map=lite"), encoding="utf-8")
    assert "nothing differs" in shell("title", "check", "lite.json")
    shell("game", "new", "1841", *SEATS, "--facts", "lite.json", status=2)
    assert "lite.json:3: box: the game is played with the box" in shell.complaint
    assert "1841-1" in shell("game", "new", "1841", *SEATS, "--facts", "lite.json", "--option", "map=lite")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "my.json: is empty"),
        (b"{", 'my.json:1: a text in "..." is expected here'),
        (b"\xff\xfe", "my.json: is not text in UTF-8"),
        (b" " * 1_000_001, "my.json: has 1000001 bytes; at most 1000000 are read"),
        (b'{"title": "1830"}', "my.json:1: title: must be one of 1861"),
        (b'{"title": "1841", "box": {"map": "small", "version": "1"}}', "map"),
        (b'{"title": "1841", "box": {"size": "small"}}', "size"),
        (b'{"title": "1841", "box": 3}', "my.json:1: box: must be an object"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_facts(shell: Shell, content: bytes, reason: str) -> None:
    Path("my.json").write_bytes(content)
    result = CliRunner().invoke(cli.app, ["title", "check", "my.json"])
    assert result.exit_code in (1, 2) and reason in result.output, result.output
    assert "Traceback" not in result.output


def test_a_record_without_its_file_is_verified_with_it(shell: Shell) -> None:
    text = dearer(engine.export_facts(engine.load_title("1861")))
    Path("my.json").write_text(text, encoding="utf-8")
    game = engine.Game.start(engine.load_title("1861", facts=text), engine.Setup(("Ann", "Bob", "Cat"), seed="x"))
    record = library.write_record(game)
    Path("whole.txt").write_text(record, encoding="utf-8")
    bare = "\n".join(line for line in record.splitlines() if not line.startswith("[FactsFile"))
    Path("bare.txt").write_text(bare, encoding="utf-8")
    assert "0 orders replayed" in shell("record", "verify", "whole.txt")
    shell("record", "verify", "bare.txt", status=2)
    assert "give it with --facts" in shell.complaint
    assert "0 orders replayed" in shell("record", "verify", "bare.txt", "--facts", "my.json")


# ---- the service -----------------------------------------------------------------------------------------------------


def begin(service: Service, facts: str) -> str:
    setup = engine.Setup(("Ann", "Bob", "Cat"), "a seed", "Ann")
    name = new_game(service.desk, Terms("1861", facts=facts), PEOPLE, setup=setup)
    service.run()
    return name


@pytest.mark.usefixtures("each_database")
def test_a_game_keeps_its_own_copy(tmp_path: Path) -> None:
    """Another process, which never saw the file, goes on with it; a second game shares the copy; a third has none."""
    facts = dearer(engine.export_facts(engine.load_title("1861")))
    service = Service.open(tmp_path)
    names = [begin(service, facts), begin(service, facts), begin(service, "")]
    letter = service.letters("Ann")[0]
    assert "a file of facts that its game master has corrected" in " ".join(letter.text.split())
    assert service.say("Ann", "open TSR 25") is not None
    again = Service.open(tmp_path)
    with again.session() as session:
        assert [row.text for row in session.exec(select(FactsRow)).all()] == [facts]
        costs = [
            again.desk.games.get(session, session.get_one(GameRow, name)).game.title.trains[TrainName("2")].cost
            for name in names
        ]
    assert costs == [105, 105, 100]
    shown = again.say("Ann", "show map")
    assert shown is None or "that its game master has corrected" not in " ".join(shown.text.split()), "the third game"
    assert all(not found.fault for found in replay_all(again.desk.database, again.desk.games))
    record = export_record(again.desk, names[0])
    assert record is not None and '[FactsFile "' in record
    other = export_record(again.desk, names[2])
    assert other is not None and "[Facts" not in other


@pytest.mark.usefixtures("each_database")
def test_a_copy_that_is_gone_is_a_fault_of_that_game_alone(tmp_path: Path) -> None:
    facts = dearer(engine.export_facts(engine.load_title("1861")))
    service = Service.open(tmp_path)
    names = [begin(service, facts), begin(service, "")]
    with service.desk.database.transaction() as session:
        session.delete(session.exec(select(FactsRow)).one())
    again = Service.open(tmp_path)
    found = {one.game: one.fault for one in replay_all(again.desk.database, again.desk.games)}
    assert "is not stored" in found[names[0]] and not found[names[1]]
    with again.session() as session, pytest.raises(PastUnreadable, match="is not stored"):
        again.desk.games.title_of(session.get_one(GameRow, names[0]))


def test_default_titles_take_a_file() -> None:
    facts = dearer(engine.export_facts(engine.load_title("1861")))
    assert default_titles("1861", "v2.0", {}, facts).own_facts == facts
