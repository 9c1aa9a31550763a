"""Everything that commands make of a game to be passed on, as texts: an archive for everybody and for seats, booklets,
sheets, the record and what is made of it. PDF is taken before it is set, so that nothing in it is overlooked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moderator.adapters import pdf
from moderator.entrypoints import cli
from tests.kit.service.mail_service import Service


def railpost(service: Service, *words: object, status: int = 0) -> str:
    """The output of a command, which must end with ``status``."""
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *map(str, words)])
    assert result.exit_code == status, result.output
    return result.output


def plain_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands write what they would have set as PDF."""

    def unset(files: Mapping[str, str]) -> bytes:
        return "\n".join(f"{name}\n{text}" for name, text in sorted(files.items())).encode()

    monkeypatch.setattr(pdf, "pdf", unset)


def texts_in(folder: Path) -> dict[str, str]:
    """The files below a folder by their paths; a path is part of the text, for a name could stand in it."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): f"{path.relative_to(folder)}\n{path.read_text()}" for path in paths}


def site(service: Service, folder: Path, seat: str = "", *records: Path) -> dict[str, str]:
    """The archive in ``folder`` after it has been brought up to date."""
    more = [word for path in records for word in ("--record", path)]
    railpost(service, "archive", "build", folder, *(("--seat", seat) if seat else ()), *more)
    return texts_in(folder)


def going_out(service: Service, game: str, folder: Path, seats: Sequence[str], *sheets: str) -> dict[str, str]:
    """All texts by their names: what everybody may have, and private archives of ``seats``. ``sheets``: players."""
    folder.mkdir(exist_ok=True)
    record, out = folder / "record.txt", folder / "out"
    found = {f"site/{path}": text for path, text in site(service, folder / "site").items()}
    for seat in seats:
        found |= {f"{seat}/{path}": text for path, text in site(service, folder / seat, seat).items()}
    for seat in sheets:
        railpost(service, "paper", "sheet", game, seat, "--to", out)
        found[f"sheet of {seat}"] = out.read_text()
    railpost(service, "paper", "booklet", game, "--to", out)
    found["booklet"] = out.read_text()
    railpost(service, "game", "export", game, "-o", record)
    found["record"] = record.read_text()
    found["results"] = railpost(service, "record", "results", record, "--csv")
    found["figures"] = railpost(service, "record", "show", record, "--stats")
    return found
