"""``railpost title``: the games that can be played."""

from __future__ import annotations

from typing import Annotated

import typer

import engine
from moderator.entrypoints.app import App
from moderator.entrypoints.completion import EditionName, titles
from moderator.entrypoints.output import complaints, out
from moderator.render.sequence import sequence_page

app = App(help="The games that can be played, and their rules in brief.")


@app.command("list")
def list_titles() -> None:
    """Every title with its editions and the numbers of players."""
    for name in engine.title_names():
        title = engine.load_title(name, engine.editions(name)[0])
        players, editions = ", ".join(map(str, sorted(title.table))), ", ".join(engine.editions(name))
        out.print(f"{title.full_name}; editions {editions}; {players} players", markup=False)


@app.command("show")
def show(
    name: Annotated[
        str, typer.Argument(metavar="TITLE", help="The game, such as 1861.", autocompletion=titles, show_default=False)
    ],
    edition: EditionName = None,
    sequence: Annotated[bool, typer.Option("--sequence", help="Print the sequence of play.")] = False,
) -> None:
    """A title: its editions, players and options, or its sequence of play."""
    with complaints():
        title = engine.load_title(name, edition or engine.editions(name)[0])
    if sequence:
        out.print(sequence_page(title), markup=False, end="")
        return
    out.print(f"{title.full_name}, edition {title.edition}", markup=False)
    out.print(f"editions: {', '.join(engine.editions(name))}", markup=False)
    out.print(f"players: {', '.join(map(str, sorted(title.table)))}", markup=False)
    for option, value in sorted(title.options.items()):
        out.print(f"{option} = {value}", markup=False)
