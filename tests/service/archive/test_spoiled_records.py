"""Spoiled records and odd names: shown as far as they go, with place and reason, and never a broken page or picture."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from moderator.domain.counts import counted
from moderator.domain.records.record import write_record
from moderator.entrypoints import cli
from tests.kit.records.damage import Spoiled, played, spoiled, with_names
from tests.kit.samples import one_in
from tests.kit.service.going_out import plain_paper

RECORDS = spoiled()


def railpost(*words: object) -> tuple[int, str]:
    """The status of a command and all that it says, its lines joined."""
    result = CliRunner().invoke(cli.app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


class Seen(HTMLParser):
    """The elements of a page, each with the names of its attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[tuple[str, ...]] = set()
        self.said: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Any]]) -> None:
        self.elements |= {(tag,), *((tag, name) for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def fragments(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    assert "</script" not in text.lower().replace("<\\/script", "")
    data: list[str] = json.loads(text.removeprefix("railpost(").removesuffix(");\n"))["fragments"]
    return data


def site_of(file: Path, folder: Path) -> tuple[int, str, set[tuple[str, ...]], str]:
    """Status, what is said, the elements of all pages and fragments, their text."""
    status, said = railpost("--data", folder / "no data", "archive", "build", folder / "site", "--record", file)
    assert not (folder / "no data").exists()
    pages = [path.read_text(encoding="utf-8") for path in (folder / "site").rglob("*.html")]
    pages += [
        one for path in (folder / "site").rglob("game.js") if path.parent.name != "assets" for one in fragments(path)
    ]
    seen = [Seen(page) for page in pages]
    elements = set[tuple[str, ...]]().union(*(one.elements for one in seen))
    assert {path.parent.parent.name for path in (folder / "site").rglob("game.js")} <= {"games"}
    return status, said, elements, "".join(text for one in seen for text in one.said)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, ...]]:
    """The elements of pages in which there is nothing odd: of a game as far as the others go, and of a broken one."""
    folder = tmp_path_factory.mktemp("plain")
    found = set[tuple[str, ...]]()
    texts = {"good": write_record(played(), {}, sealed=False), "broken": write_record(played(), {}) + "Ann: opem\n"}
    for name, text in texts.items():
        file = folder / f"{name}.txt"
        file.write_text(text, encoding="utf-8")
        found |= site_of(file, folder / name)[2]
    return found


def drawn(text: str) -> set[str]:
    """The elements of a picture, which must be well-formed."""
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    for element in root.iter():
        assert not any(name.lower().startswith("on") for name in element.attrib)
    return {element.tag.rpartition("}")[2] for element in root.iter()}


ELEMENTS = {
    "svg",
    "title",
    "desc",
    "g",
    "path",
    "polygon",
    "rect",
    "circle",
    "text",
    "tspan",
    "line",
    "polyline",
    "ellipse",
}


# ---- what is spoiled -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", one_in(3, RECORDS), ids=[case.name for case in RECORDS])
def test_a_spoiled_record_is_shown_as_far_as_it_goes(case: Spoiled, tmp_path: Path) -> None:
    file = case.write(tmp_path)
    good = case.orders is not None
    expected = 2 if not good else 1 if case.said else 0
    picture = tmp_path / "map.svg"
    last = case.orders or 0
    for words in ((), ("--stats",), ("--svg", "-o", picture), ("--diff", 0, last)):
        status, said = railpost("record", "show", file, *words)
        assert status == expected, said
        flat = " ".join(said.split())
        assert all(word in flat for word in case.said), said
    if good:
        assert f"after {counted(last, 'order')}\n" in railpost("record", "show", file)[1]
        assert drawn(picture.read_text(encoding="utf-8")) <= ELEMENTS
        status, said = railpost("record", "show", file, "--at", last + 1)
        assert status == 2 and f"the record has {case.orders}" in " ".join(said.split())
    else:
        assert not picture.exists()


@pytest.mark.parametrize("case", one_in(8, RECORDS), ids=[case.name for case in RECORDS])
def test_its_page_and_its_booklet_say_where_it_stops(
    case: Spoiled, tmp_path: Path, plain: set[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_paper(monkeypatch)
    file, booklet = case.write(tmp_path), tmp_path / "booklet"
    status, said, elements, text = site_of(file, tmp_path)
    printed, complained = railpost("--data", tmp_path / "no data", "paper", "booklet", file, "--to", booklet)
    for message in (said, complained):
        assert all(word in " ".join(message.split()) for word in case.said), message
    if case.orders is None:
        assert (status, printed) == (2, 2) and not booklet.exists() and not (tmp_path / "site" / "games").exists()
        return
    assert status == printed == (1 if case.said else 0)
    assert {path.name for path in tmp_path.iterdir()} == {file.name, "site", "booklet"}
    assert len([path for path in (tmp_path / "site" / "games").iterdir() if (path / "index.html").is_file()]) == 1
    assert elements <= plain
    assert all(word in " ".join(text.split()) for word in case.said)
    assert f'"orders": "{case.orders}"' in booklet.read_text(encoding="utf-8")


# ---- odd names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b", "c"), one_in(5, with_names()))
def test_names_are_text_in_every_page_picture_table_and_booklet(
    a: str, b: str, c: str, tmp_path: Path, plain: set[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, names = tmp_path / "names.txt", (a, b, c)
    file.write_text(write_record(played(names), {}, sealed=False), encoding="utf-8")
    for words in ((), ("--stats",), ("--diff", 10, 60)):
        status, said = railpost("record", "show", file, *words)
        assert status == 0
        assert words == ("--diff", 10, 60) or all(shown_on_a_terminal(name) in said for name in names), said
    status, svg = railpost("record", "show", file, "--svg")
    assert status == 0 and drawn(svg) <= ELEMENTS
    rows = list(csv.DictReader(io.StringIO(railpost("record", "results", file, "--csv")[1])))
    assert {row["player"] for row in rows} == set(names)
    status, _, elements, text = site_of(file, tmp_path)
    assert status == 0 and elements <= plain
    assert all(name in text for name in names)
    plain_paper(monkeypatch)
    assert railpost("paper", "booklet", file, "--to", tmp_path / "booklet")[0] == 0
    for line in (tmp_path / "booklet").read_text(encoding="utf-8").splitlines():
        if line.startswith("<svg"):
            assert drawn(line) <= ELEMENTS | {"defs", "pattern"}


def shown_on_a_terminal(name: str) -> str:
    return name.replace("\u200d", "<U+200D>")


def test_typst_sets_a_booklet_of_any_name(tmp_path: Path) -> None:
    file, target = tmp_path / "names.txt", tmp_path / "booklet.pdf"
    names = ("<b>Ann</b>", "#import $x$ *b* _e_", "@ann `x` \\", "עדנה", "👩\u200d👩\u200d👧")
    file.write_text(write_record(played(names, 12), {}, sealed=False), encoding="utf-8")
    assert railpost("paper", "booklet", file, "--to", target)[0] == 0
    text = " ".join("\n".join(page.extract_text() for page in PdfReader(target).pages).split())
    assert all(name in text for name in names[:3])
