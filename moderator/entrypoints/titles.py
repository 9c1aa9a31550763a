"""``railpost title``: the games that can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.app import App
from moderator.entrypoints.completion import EditionName, titles
from moderator.entrypoints.facts import facts_text, pair
from moderator.entrypoints.output import AsJson, Status, Table, complaints, data, err, fail, out
from moderator.input_limits import shortened

app = App()


@app.command("list")
def list_titles(as_json: AsJson = False) -> None:
    """List every title with its editions and numbers of players."""
    import engine

    table = Table("title", "name", "editions", "players")
    for name in engine.title_names():
        title = engine.load_title(name, engine.editions(name)[0])
        players, editions = ", ".join(map(str, sorted(title.table))), ", ".join(engine.editions(name))
        table.add_row(name, title.full_name, editions, players)
        if not as_json:
            out.print(f"{title.full_name}; editions {editions}; {players} players", markup=False)
    if as_json:
        table.print(as_json)


Name = Annotated[
    str, typer.Argument(metavar="TITLE", help="The game, such as 1861.", autocompletion=titles, show_default=False)
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="A named option of the title (docs/rulings.md)."),
]


@app.command("show")
def show(
    name: Name,
    edition: EditionName = None,
    sequence: Annotated[bool, typer.Option("--sequence", help="Print the sequence of play.")] = False,
) -> None:
    """Show a title: its editions, players and options, or its sequence of play."""
    import engine
    from moderator import render
    from moderator.words.sequence import sequence_page

    with complaints():
        title = engine.load_title(name, edition or engine.editions(name)[0])
    if sequence:
        out.print(sequence_page(title), markup=False, end="")
        return
    out.print(f"{title.full_name}, edition {title.edition}", markup=False)
    out.print(f"editions: {', '.join(engine.editions(name))}", markup=False)
    out.print(f"players: {', '.join(map(str, sorted(title.table)))}", markup=False)
    if origin := render.text_origin(title):
        out.print(origin, markup=False)
    for option, value in sorted(title.options.items()):
        out.print(f"{option} = {value}", markup=False)


@app.command("export")
def export(name: Name, edition: EditionName = None, option: Options = None) -> None:
    """Print a file for corrections: board, counts, chart, trains and prices, as they come with Railpost.

    Edit it, check it with `railpost title check`, and begin a game with `railpost game new TITLE --facts FILE`.
    """
    import engine

    with complaints():
        title = engine.load_title(name, edition or engine.editions(name)[0], dict(pair(text) for text in option or []))
        data(engine.export_facts(title).encode())


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A corrected file.", show_default=False)],
    edition: EditionName = None,
    option: Options = None,
) -> None:
    """Check a corrected file: print its changes, or its faults, each with line and reason.

    Ends with 0 if a game can be begun with it, and with 1 if not.
    """
    import engine

    text = facts_text(file)
    with complaints():
        given = dict(pair(said) for said in option or [])
    try:
        name, box = engine.facts_about(text)
        title = engine.load_title(name, edition or engine.editions(name)[0], {**box, **given}, text)
    except engine.FaultyFacts as error:
        for fault in error.faults:
            out.print(f"{file.name}:{fault.line}: {fault.reason}", markup=False)
        count = len(error.faults)
        fail(f"{file.name} is not consistent: {counted(count, 'fault')}", Status.NO)
    except ValueError as error:
        fail(f"{file.name}: {error}", Status.NO)
    found = engine.compare_facts(title)
    for one in found:
        place, line = ": ".join(one.place), f"{file.name}:{one.line}" if one.line else file.name
        out.print(f"{line}: {place}: {_said(one.shipped)} -> {_said(one.corrected)}", markup=False)
    if not found:
        out.print("nothing differs from the facts that come with Railpost", markup=False)
    err.print(f"{file.name} is consistent; SHA-256 {title.facts_digest}", markup=False)


def _said(value: Any) -> str:
    return "nothing" if value is None else shortened(value, 100)
