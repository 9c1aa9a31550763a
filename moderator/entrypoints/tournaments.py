"""``railpost tournament``: several games at once, and one table of results."""

from __future__ import annotations

from typing import Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.completion import EditionName, Options, TitleName
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.facts import pair
from moderator.entrypoints.game.commands import Anonymous
from moderator.entrypoints.lookup import master_named, people_of
from moderator.entrypoints.output import AsJson, Status, Table, complaints, fail, out

app = App()
Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.", show_default=False)]


@app.command("new")
def new(
    context: typer.Context,
    name: Name,
    title: TitleName,
    person: Annotated[
        list[str],
        typer.Option("--person", metavar='"Ann <ann@example.org>"', help="Somebody who plays; once for each."),
    ],
    games: Annotated[int, typer.Option(min=1, max=200, help="The number of games.", show_default=False)],
    players: Annotated[int, typer.Option(min=2, max=8, help="The players of each game.", show_default=False)],
    edition: EditionName = None,
    option: Options = None,
    clock: Annotated[
        list[str] | None, typer.Option("--clock", metavar="KEY=VALUE", help="A term of the clocks, such as hours=72.")
    ] = None,
    master: Annotated[
        str, typer.Option("--master", metavar='"Max <max@example.org>"', help="The game master of all games.")
    ] = "",
    anonymous: Anonymous = False,
    as_json: AsJson = False,
) -> None:
    """Begin the games of a tournament: persons are dealt to them evenly, the rest is drawn by lot.

    Nobody plays two games more than somebody else. All games begin, or none. In anonymous ones players learn at the end
    of each who has played it; what this command prints is for you alone.
    """
    from moderator.service.play.new_games import Terms
    from moderator.service.play.tournaments import new_tournament

    with complaints():
        people = people_of(person, context.obj)
        terms = Terms(
            title, edition, dict(pair(text) for text in option or []), clock=[pair(text) for text in clock or []],
            master=master_named(master, context.obj), anonymous=anonymous,
        )  # fmt: skip
        found = new_tournament(desk_of(context, new=True), " ".join(name.split()), terms, people, games, players)
    table = Table("game", "persons")
    for game, seated in found:
        table.add_row(game, ", ".join(seated))
    table.print(as_json)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False) -> None:
    """List the tournaments, with the number of their games and of those that are over."""
    from moderator.service.listing.tournaments import list_tournaments

    desk = desk_to_read(context)
    table = Table("tournament", "title", "games", "over")
    with desk.database.reading() as session:
        for name, title, games, over in list_tournaments(session):
            table.add_row(name, title, str(games), str(over))
    table.print(as_json)


@app.command("show")
def show(context: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Show the table of a tournament, best first, from the games that are over.

    `beaten` counts the opponents who had less at the end of a game, half for the same; `share` is the sum of the shares
    of all wealth, in per cent.
    """
    from moderator.service.listing.tournaments import games_of_tournament, table_of_tournament

    desk = desk_to_read(context)
    with desk.looking() as sitting:
        games = games_of_tournament(sitting.session, name)
        if not games:
            fail(f"there is no tournament {name!r}; `railpost tournament list` lists all", Status.NO)
        rows = table_of_tournament(sitting, name)
    table = Table("person", "games", "over", "beaten", "won", "share")
    for one in rows:
        table.add_row(one.person, str(one.games), str(one.over), f"{one.beaten:g}", str(one.won), f"{one.share:.1f}")
    table.print(as_json)
    if not as_json:
        out.print("games: " + ", ".join(f"{row.id} ({row.status})" for row, _ in games), markup=False)
