"""The folder of the desk: what is in it, that its part in Python needs nothing else, and what is refused."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import engine
from engine.positions import write_position
from moderator.desk import build, parts
from moderator.words.texts import words
from tests.kit.browser.desk import pyodide_package
from tests.kit.titles import TITLES
from tests.service.desk.test_sitting import positions

ASSETS = Path(parts.__file__).parent / "assets"
STAGES = {"loading", "rules"}
"""Words that the page says by the name of a stage of loading."""
TALK = """
import json, sys
sys.path.insert(0, sys.argv[1])
from moderator.desk.talk import answer
def ask(name, **given):
    return json.loads(answer(json.dumps({"do": name, "with": given})))
for line in sys.stdin:
    view = ask("open", position=line)["view"]
    first = view["asked"][0]
    for hex in list(first["hexes"])[:1]:
        for lay in ask("lays", actor=first["actor"], hex=hex)[:1] + ask("tokens", actor=first["actor"], hex=hex)[:1]:
            ask("effect", text=lay["order"], actor=first["actor"])
    parts = [len(ask(name)) for name in ("board", "chart", "tables")]
    text = first["answers"][0]["text"] if first["answers"] else first["groups"][0]["lines"][0]["order"]
    given = ask("give", text=text, actor=first["actor"])
    print(json.dumps([view["title"], given["refused"], given["view"]["mail"]["lines"], all(parts)]))
here = {str(getattr(module, "__file__", None)) for module in sys.modules.values()}
print(json.dumps(sorted(path for path in here if "site-packages" in path)))
"""


@pytest.fixture(scope="module")
def app(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("app") / "app"
    with zipfile.ZipFile(site / "app.zip") as found:
        found.extractall(folder)
    return folder


def test_its_python_needs_nothing_but_the_standard_library(app: Path) -> None:
    moments = [game for title in TITLES for game in positions(title)[::4]]
    lines = "".join(write_position(game, game.asked()[0].player) + "\n" for game in moments)
    command = [sys.executable, "-I", "-S", "-c", TALK, str(app)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *said, foreign = map(json.loads, done.stdout.splitlines())
    assert foreign == []
    assert [title for title, *_ in said] == [game.title.full_name for game in moments]
    for (_, refused, mail, whole), game in zip(said, moments, strict=True):
        assert (refused, whole) == ([], True)
        assert mail and mail[0].startswith(f"{game.asked()[0].actor}: ")


def test_a_corrected_board_opens_if_the_page_was_built_with_it(app: Path, tmp_path: Path) -> None:
    text = engine.export_facts(engine.load_title("1844"))
    game = engine.Game.start(engine.load_title("1844", facts=text), engine.Setup(("Ann", "Bob", "Cat"), seed="own"))
    position = write_position(game, game.asked()[0].player)
    file = tmp_path / "own.json"
    file.write_text(text)
    ask = (
        "import sys; sys.path.insert(0, sys.argv[1]); from moderator.desk import talk; print(talk.answer(sys.argv[2]))"
    )
    corrected = tmp_path / "corrected"
    with zipfile.ZipFile(io.BytesIO(parts.archive(parts.own_facts([file])))) as whole:
        whole.extractall(corrected)
    found = {}
    for name, folder in (("without", app), ("with", corrected)):
        request = json.dumps({"do": "open", "with": {"position": position}})
        command = [sys.executable, "-I", "-S", "-c", ask, str(folder), request]
        found[name] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert found["without"]["why"] == "facts"
    assert found["with"]["view"]["title"] == game.title.full_name
    file.write_text(text.replace('"title"', '"titel"', 1))
    with pytest.raises(parts.NotBuilt, match=r"own\.json cannot be used"):
        parts.own_facts([file])


def test_it_has_no_service_in_it_and_no_bridge_to_other_sites(app: Path) -> None:
    names = {path.relative_to(app).as_posix() for path in app.rglob("*.py")}
    rooms = {name.split("/")[1] for name in names if name.startswith("moderator/")}
    assert not rooms & {"service", "adapters", "entrypoints", "archive"}
    assert not any(name.startswith("engine/site18xx") for name in names)


def test_the_same_program_gives_the_same_archive(site: Path) -> None:
    assert (site / "app.zip").read_bytes() == parts.archive()


def test_licences_of_all_that_is_in_it_are_there() -> None:
    text = parts.licences()
    for name in ("railpost", "lark", "jinja2", "markupsafe"):
        assert re.search(rf"^==== {name} ", text, re.MULTILINE), name


def test_another_package_is_refused_with_the_way_to_the_right_one(tmp_path: Path) -> None:
    other = tmp_path / "pyodide.tgz"
    other.write_bytes(b"something else")
    with pytest.raises(parts.NotBuilt, match=r"is not the package of Pyodide .*npm pack pyodide@"):
        build.build(tmp_path / "desk", other)
    with pytest.raises(parts.NotBuilt, match=r"cannot be read: No such file.*npm pack pyodide@"):
        build.build(tmp_path / "desk", tmp_path / "missing.tgz")
    assert not (tmp_path / "desk").exists()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(parts.NotBuilt, match="has other files in it"):
        build.build(tmp_path, tmp_path / "letter.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_rebuild_leaves_no_file_of_an_earlier_version(site: Path, tmp_path: Path) -> None:
    folder, mark = tmp_path / "site", tmp_path / "site" / ".railpost-desk"
    shutil.copytree(site, folder)
    first = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(mark.read_text().splitlines()[1:]) == first - {mark.name}
    mark.write_text(mark.read_text() + "old.js\n../letter.txt\n")
    for path in (folder / "old.js", folder / "robots.txt", tmp_path / "letter.txt"):
        path.write_text("something")
    build.build(folder, pyodide_package())
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == {
        *first, "robots.txt",
    }, "the host's own file stays"  # fmt: skip
    assert (tmp_path / "letter.txt").exists()


def test_every_word_of_the_page_is_there_and_used() -> None:
    scripts = "".join(path.read_text() for path in ASSETS.glob("*.js"))
    said = set(re.findall(r"""say\((?:[^()"]*\? )?"(\w+)"(?: : "(\w+)")?""", scripts))
    asked = {name for pair in said for name in pair if name} | STAGES
    table = {key.removeprefix("desk.page.") for key in words("en").tables["words"] if key.startswith("desk.page.")}
    assert asked <= table
    unused = {name for name in table - asked if f'"{name}"' not in scripts}
    assert not unused
