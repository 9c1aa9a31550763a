"""``railpost game``: begin games, look at them, take orders back, export records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlmodel import col, select

from engine.core.ids import PlayerId
from moderator import render
from moderator.adapters.tables import GameRow
from moderator.entrypoints.assembly import open_desk
from moderator.entrypoints.output import Status, complaints, err, fail, out
from moderator.service.desk import Desk
from moderator.service.export import export_record
from moderator.service.seats import seats_of
from moderator.service.table import Person, new_game, undo
from moderator.settings import Settings

app = typer.Typer(no_args_is_help=True, help="Begin games, look at them, take orders back, export their records.")

Name = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, such as 1861-7.", show_default=False)]


def desk_of(context: typer.Context) -> Desk:
    """The desk on the settings of the command line."""
    settings: Settings = context.obj
    with complaints():
        return open_desk(settings)


@app.command("new")
def new(
    context: typer.Context,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The game to play, such as 1861.")],
    seat: Annotated[
        list[str],
        typer.Option("--seat", metavar='"Ann <ann@example.org>"', help="A player and his address; once for each."),
    ],
    edition: Annotated[
        str | None, typer.Option(help="Edition of the rules; the default is the title's newest.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="A named option of the title.")
    ] = None,
    hours: Annotated[
        int | None,
        typer.Option(
            "--deadline-hours",
            min=1,
            help="Hours to answer: after them a player is reminded, and silence stands where the rules say for what.",
        ),
    ] = None,
) -> None:
    """Begin a game: seats and Priority Deal are drawn by lot, and everyone gets the first mail.

    The lots follow from a secret seed. Its SHA-256 is in the first mail, the seed in the last one.
    """
    desk = desk_of(context)
    with complaints():
        options = dict(_pair(text) for text in option or [])
        people = [Person.parse(text) for text in seat]
        if len({person.name for person in people}) < len(people):
            raise ValueError("two seats have the same name")
        name = new_game(desk, title, edition, options, people, deadline_hours=hours)
    out.print(name, markup=False)
    err.print(f"{name} has begun; `railpost run` sends the first mails", markup=False)


@app.command("list")
def list_games(context: typer.Context) -> None:
    """All games: who plays, how far they are, who is asked."""
    desk = desk_of(context)
    table = Table("game", "edition", "state", "orders", "players", "asked", box=None, pad_edge=False)
    with desk.database.reading() as session:
        for row in session.exec(select(GameRow).order_by(col(GameRow.created_at), col(GameRow.id))).all():
            seats = seats_of(session, row.id)
            asked = ", ".join(seat.player for seat in seats if seat.question)
            players = ", ".join(seat.player for seat in seats)
            table.add_row(row.id, row.edition, row.status, str(row.orders), players, asked)
    out.print(table)


@app.command("show")
def show(
    context: typer.Context, name: Name, at: Annotated[int | None, typer.Option(help="An earlier decision.")] = None
) -> None:
    """The position of a game, as every player may see it."""
    desk = desk_of(context)
    with desk.database.reading() as session:
        row = session.get(GameRow, name)
        if row is None:
            fail(f"there is no game {name!r}", Status.NO)
        if at is not None and not 1 <= at <= row.at:
            fail(f"{name} has decisions 1 to {row.at}")
        game = desk.games.get(session, row).game if at is None else desk.games.position(session, row, at)
        for seat in seats_of(session, row.id):
            out.print(f"{seat.number}. {seat.player} <{seat.address}> {seat.question}".rstrip(), markup=False)
    out.print(f"decision {at or row.at}, {len(game.orders)} orders\n", markup=False)
    out.print(render.text_position(game, PlayerId("")), markup=False)


@app.command("undo")
def undo_orders(
    context: typer.Context,
    name: Name,
    number: Annotated[int, typer.Argument(metavar="N", min=0, help="How many orders stay.", show_default=False)],
) -> None:
    """Go back to the position after N orders and tell everyone. The log keeps what was taken back."""
    desk = desk_of(context)
    try:
        count = undo(desk, name, number)
    except ValueError as error:
        fail(str(error), Status.NO)
    out.print(f"{count} orders taken back; {name} is at order {number}", markup=False)


@app.command("export")
def export(
    context: typer.Context,
    name: Name,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")] = None,
) -> None:
    """The game's record: a text that can be read, checked and played again."""
    desk = desk_of(context)
    with complaints():
        text = export_record(desk, name)
    if text is None:
        fail(f"there is no game {name!r}", Status.NO)
    if output is None:
        out.print(text, markup=False, end="")
    else:
        with complaints():
            output.write_text(text, encoding="utf-8")


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(f"{text!r} is no option: write KEY=VALUE")
    return key.strip(), value.strip()
