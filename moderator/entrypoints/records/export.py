"""``railpost record export``: a game in the form of another site."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from moderator.domain.records.export_18xx import SITE
from moderator.entrypoints.output import Status, complaints, data, fail
from moderator.entrypoints.records.commands import File, loaded


class Site(StrEnum):
    """Sites in whose format a game can be written."""

    GAMES_18XX = SITE


def export(
    file: File,
    _to: Annotated[
        Site, typer.Option("--to", metavar="SITE", help="The site whose format is written.")
    ] = Site.GAMES_18XX,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="The number of the game there.")] = 1,
) -> None:
    """Write a game in the export format of 18xx.games: 1861 (2020), 1844 (18xx.games), 1841 (v1, v2).

    It includes the passes that the site waits for. The result is read and played again. Ends with 1 for a game that the
    site cannot have, and says why.
    """
    from moderator.domain.records.export_18xx import NotExported, export_game

    game = loaded(file).game
    try:
        text = export_game(game, number, f"Played with Railpost: {file.name}")
    except NotExported as error:
        fail(f"{file.name}: {error}", Status.NO)
    with complaints():
        if output is None:
            data(text.encode())
        else:
            output.write_text(text, encoding="utf-8")
