"""``railpost paper``: games as PDF, for players by letter and for the bookshelf."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.completion import GameName, PlayerName
from moderator.entrypoints.completion import games as known_games
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.lookup import no_game, seat_named, short_due
from moderator.entrypoints.output import Status, complaints, fail, out
from moderator.entrypoints.records.name_removal import names_for

if TYPE_CHECKING:
    from moderator.archive.site import Site
    from moderator.settings import Settings

app = App()

Target = Annotated[
    Path | None,
    typer.Option("--to", metavar="FILE", help="The file to write; one in this folder by default.", show_default=False),
]


@app.command("sheet")
def sheet(
    context: typer.Context,
    name: GameName,
    player: PlayerName,
    to: Target = None,
    since: Annotated[
        int | None,
        typer.Option(
            "--since", metavar="N", min=0, help="Mark on the map what has changed after N orders.", show_default=False
        ),
    ] = None,
) -> None:
    """Write a turn sheet: map, holdings, share prices, tiles, and a form for a player's orders.

    It shows what this player may know, and names things as orders do: type the form that comes back into a mail for the
    player, or have it typed. If the game is over, names that have been taken out stay out.
    """
    from engine.core.ids import PlayerId
    from moderator.domain.records.renaming import renamed_game
    from moderator.render.print.turn_sheet import Occasion
    from moderator.render.print.turn_sheet import sheet as sheet_of
    from moderator.service.listing.games import game_at
    from moderator.service.listing.seats import list_seats
    from moderator.service.play.journal.name_removal import names_of
    from moderator.service.table.table import NoSeat

    desk = desk_to_read(context)
    with complaints(), seat_named(desk, name, player), desk.looking() as sitting:
        found = game_at(sitting, name)
        if found is None:
            no_game(desk, name)
        seats = list_seats(sitting.session, name)
        seat = next((one for one in seats if one.player == player), None)
        if seat is None:
            raise NoSeat(tuple(one.player for one in seats))
        if since is not None and since > len(found.game.orders):
            fail(f"{name}: give --since one of 0 to {len(found.game.orders)}, the number of its orders")
        names = names_of(sitting.session, name) if found.over else {}
        due = f"{short_due(seat.due)} UTC" if seat.due is not None else ""
        reader = PlayerId(names.get(player, player))
        files = sheet_of(renamed_game(found.game, names), reader, Occasion(name, found.at, due, since))
    _write(to or Path(f"{name}-{seat.number}.pdf"), files)


@app.command("booklet")
def booklet(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FILE",
            help="A game of the database, or a record: our own text, or JSON exported by 18xx.games.",
            show_default=False,
            autocompletion=known_games,
        ),
    ],
    to: Target = None,
    site: Annotated[
        Path | None,
        typer.Option(
            "--site",
            metavar="DIR",
            help="An archive whose redactions hold for a record; that of the settings by default.",
        ),
    ] = None,
) -> None:
    """Write a booklet of a whole game: what happened round by round, with map and share prices at the end of each.

    It shows what everybody may know. Names that have been taken out (`railpost archive redact`) stay out. A record is
    printed as far as it can be played; then a message says where it stops and why, and the status is 1.
    """
    from engine.core.ids import PlayerId
    from moderator.archive.record_files import play_file
    from moderator.domain.records.renaming import renamed_game, renamed_text
    from moderator.render.print.booklet import booklet as booklet_of
    from moderator.service.listing.games import game_at
    from moderator.service.play.journal.name_removal import names_of

    path, fault = Path(source), ""
    with complaints():
        if path.is_file():
            game, tags, fault = play_file(path)
            names = names_for(context, _site(context, site))(tags.get("Game") or path.stem, game.setup.players, tags)
            name, fault = renamed_text(path.stem, names), renamed_text(fault, names)
        else:
            desk = desk_to_read(context)
            with desk.looking() as sitting:
                found = game_at(sitting, source)
                if found is None:
                    no_game(desk, source)
                game, name, names = found.game, source, names_of(sitting.session, source)
        files = booklet_of(renamed_game(game, names).seen_by(PlayerId("")), name)
    _write(to or Path(f"{name}.pdf"), files)
    if fault:
        fail(f"the record cannot be played further: {fault}", Status.NO)


def _site(context: typer.Context, given: Path | None) -> Site | None:
    """The archive that is given, or that of the settings if it exists; otherwise None."""
    from moderator.archive.site import Site

    if given is not None:
        return Site.there(given)
    settings: Settings = context.obj
    own = settings.archive
    return Site.there(own) if own is not None and Site.is_there(own) else None


def _write(path: Path, files: Mapping[str, str]) -> None:
    from moderator.adapters.pdf import pdf  # no other command needs Typst

    with complaints():
        content = pdf(files)
        path.write_bytes(content)
    out.print(f"{path}: {len(content) / 1000:.0f} kB")
