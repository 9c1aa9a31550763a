"""``railpost desk``: the page on which players try a turn in their browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.output import complaints, out

app = App()


@app.callback()
def desk() -> None:
    """A page on which a player tries his turn with the real rules in his browser."""


@app.command("build")
def build_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the page; made if it is not there.")],
    pyodide: Annotated[
        Path, typer.Option("--pyodide", metavar="FILE", help="Pyodide's package, as `npm pack` fetches it.")
    ],
    facts: Annotated[
        list[Path] | None,
        typer.Option("--facts", metavar="FILE", help="Corrected facts that games are played with. May be repeated."),
    ] = None,
) -> None:
    """Write the page into a folder that any web server can host.

    The page has the rules and words of this version: build it again after an upgrade. A folder with other files in it
    is left alone.
    """
    from moderator.desk.build import build

    with complaints():
        size = build(folder, pyodide, facts or ())
    out.print(f"{folder}: the page is written, {size / 1_000_000:.1f} MB")
