"""``railpost person``: the people of all games."""

from __future__ import annotations

from typing import Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.lookup import short
from moderator.entrypoints.output import AsJson, Status, Table, fail

app = App()


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False) -> None:
    """List the people of all games: how many questions they answered, the share in time, and the games they finished.

    A person is known by his address of record. What somebody else did in a seat before or after him does not count.
    """
    from moderator.service.listing.persons import list_persons

    desk = desk_to_read(context)
    table = Table("address", "names", "zone", "moves", "on_time", "games", "finished", "left")
    with desk.database.reading() as session:
        for one in list_persons(session):
            on_time = "" if one.on_time is None else f"{one.on_time} %"
            counts = str(one.games), str(one.finished), str(one.left)
            table.add_row(one.address, ", ".join(one.names), one.zone, str(one.moves), on_time, *counts)
    table.print(as_json)


@app.command("show")
def show(
    context: typer.Context,
    person: Annotated[str, typer.Argument(metavar="PERSON", help="An address, or a name in a game.")],
    as_json: AsJson = False,
) -> None:
    """Show the games of a person, with his place and total in those that are over."""
    from moderator.service.listing.persons import games_of, list_persons

    desk = desk_to_read(context)
    columns = ("address", "game", "player", "state", "from", "to", "moves", "late", "missed", "place", "total")
    table = Table(*columns)
    with desk.looking() as sitting:
        found = list_persons(sitting.session, person)
        for one in found:
            for played in games_of(sitting, one.address):
                counts = (str(n) for n in (played.answers, played.late, played.missed))
                result = (str(n) if n is not None else "" for n in (played.place, played.total))
                times = short(played.began_at), short(played.ended_at)
                table.add_row(one.address, played.game, played.player, played.status, *times, *counts, *result)
    if not found:
        fail(f"nobody plays or has played under {person!r}; `railpost person list` lists all", Status.NO)
    table.print(as_json)
