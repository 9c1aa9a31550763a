"""``railpost archive``: a static web site of games, to keep for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moderator.archive.reading import read_volume
from moderator.archive.site import NotAnArchive, Site
from moderator.entrypoints.app import App
from moderator.entrypoints.output import Status, complaints, err, fail, out
from moderator.service.play.export import teller

app = App(help="Build a web site of games that needs no server: each game order by order, with map and chart.")


@app.command("build")
def build(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the site; made if it is not there.")],
    seat: Annotated[
        str, typer.Option("--seat", help="A private copy: what the player of this name may see.", show_default=False)
    ] = "",
    record: Annotated[
        list[Path] | None, typer.Option("--record", metavar="FILE", help="A record, ours or one of 18xx.games.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Write the pages of unchanged games, too.")] = False,
) -> None:
    """Write the site, or bring it up to date. Pages of games that have not changed are left alone."""
    try:
        site = Site(folder, seat)
    except NotAnArchive as error:
        fail(str(error))
    worst = Status.OK
    for path in record or ():
        try:
            volume = read_volume(path, seat, teller)
        except OSError as error:
            err.print(f"{path}: {error.strerror}", markup=False)
            worst = Status.USAGE
            continue
        except ValueError as error:
            err.print(str(error), markup=False)
            worst = Status.USAGE
            continue
        with complaints():
            done = site.add(volume, again=again)
        out.print(f"{volume.name}: {len(volume.game.orders)} orders{'' if done else ', unchanged'}", markup=False)
        if volume.fault:
            err.print(volume.fault, markup=False)
            worst = max(worst, Status.NO)
    with complaints():
        site.finish()
    raise typer.Exit(worst)
