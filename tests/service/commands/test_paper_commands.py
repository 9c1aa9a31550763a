"""``railpost paper``: sheets and booklets as files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner, Result

from moderator.entrypoints import cli
from tests.kit.checkout import CHECKOUT
from tests.kit.samples import prove
from tests.kit.service.mail_service import Service

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def run(service: Service, *arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["--data", str(service.root), "paper", *arguments])


def text(path: Path) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(path.read_bytes())).pages)


def test_a_sheet_says_for_whom_and_by_when_it_is_to_be_answered(service: Service, tmp_path: Path) -> None:
    game = service.game(deadline_hours=24)
    target = tmp_path / "sheet.pdf"
    done = run(service, "sheet", game, "Ann", "--to", str(target))
    assert done.exit_code == 0, done.output
    assert "Orders of Ann" in text(target)
    assert "UTC" in text(target)
    assert "kB" in done.output


def test_a_booklet_of_a_game(service: Service, tmp_path: Path) -> None:
    target = tmp_path / "booklet.pdf"
    assert run(service, "booklet", service.game(), "--to", str(target)).exit_code == 0
    assert "The game is not over" in text(target)


@pytest.mark.parametrize(
    ("record", "said", "least"),
    [("game-1861.txt", "The game is not over", 4), prove(("1861/29683.json", "Final worth", 25))],
)
def test_a_booklet_of_a_record(
    service: Service, tmp_path: Path, request: pytest.FixtureRequest, record: str, said: str, least: int
) -> None:
    by_hand = CHECKOUT / "tests" / "docs" / "by_hand" / record
    path = by_hand if by_hand.is_file() else request.getfixturevalue("records") / record
    target = tmp_path / "booklet.pdf"
    done = run(service, "booklet", str(path), "--to", str(target))
    assert done.exit_code == 0, done.output
    assert said in text(target)
    assert len(PdfReader(target).pages) >= least


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("sheet", "{game}", "Zoe"), 1, "there is no player 'Zoe'"),
        (("sheet", "nowhere", "Ann"), 1, "there is no game 'nowhere'"),
        (("sheet", "{game}", "Ann", "--since", "99"), 2, "give --since one of 0 to 0"),
        (("booklet", "nowhere"), 1, "there is no game 'nowhere'"),
        (("booklet", "{game}", "--to", "{folder}/missing/x.pdf"), 2, "No such file"),
    ],
)
def test_what_cannot_be_printed_is_said(
    service: Service, tmp_path: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    game = service.game()
    done = run(service, *(argument.format(game=game, folder=tmp_path) for argument in arguments))
    assert done.exit_code == status, done.output
    assert said in done.output


def test_a_file_that_is_no_record_is_refused(service: Service, tmp_path: Path) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_text("nothing of the kind\n")
    done = run(service, "booklet", str(odd))
    assert done.exit_code == 2
    assert "odd.txt" in done.output
