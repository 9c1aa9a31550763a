"""``railpost archive``: a static web site of games, to be kept for good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.app import App, Later
from moderator.entrypoints.completion import games as known_games
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.lookup import no_game
from moderator.entrypoints.output import Status, complaints, err, fail, out
from moderator.entrypoints.records.name_removal import names_for

if TYPE_CHECKING:
    from moderator.archive.record_files import NamesFor
    from moderator.archive.site import Site
    from moderator.archive.volume import Volume
    from moderator.settings import Settings

app = App(
    Later(
        "rebuild",
        "archive.rebuild:rebuild_command",
        "Rebuild a game from its journal, and compare it with what is stored.",
    )
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the site; made if it is not there.")]


@app.command("build")
def build(
    context: typer.Context,
    folder: Folder,
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME...]", help="Games of the database; all by default.", autocompletion=known_games),
    ] = None,
    seat: Annotated[
        str, typer.Option("--seat", help="A private copy: what the player of this name may see.", show_default=False)
    ] = "",
    record: Annotated[
        list[Path] | None,
        typer.Option(
            "--record", metavar="FILE", help="A record, ours or one of 18xx.games, and no game of the database."
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Write the pages of unchanged games, too.")] = False,
) -> None:
    """Write the site, or bring it up to date. Pages of unchanged games are left alone.

    Ends with 1 if a game could be shown only in part or not at all, with 2 for a file that is no record.
    """
    site = _site(folder, seat)
    worst = _records(context, site, record, again=again) if record else Status.OK
    if games or not record:
        worst = max(worst, _games(context, site, games or (), again=again))
    with complaints():
        site.finish()
    raise typer.Exit(worst)


def _site(folder: Path, seat: str) -> Site:
    from moderator.archive.site import NotAnArchive, Site

    try:
        return Site(folder, seat)
    except NotAnArchive as error:
        fail(str(error))


def _games(context: typer.Context, site: Site, games: Sequence[str], *, again: bool) -> Status:
    from moderator.service.archive.builds import NoSuchGame, bring_up_to_date

    desk, worst = desk_to_read(context), Status.OK
    try:
        with complaints():
            for built in bring_up_to_date(desk, site, games, again=again):
                if built.fault:
                    err.print(built.fault)
                    worst = Status.NO
                elif built.written or built.orders:
                    out.print(f"{built.game}: {counted(built.orders, 'order')}{'' if built.written else ', unchanged'}")
    except NoSuchGame as error:
        no_game(desk, str(error.args[0]))
    return worst


def _records(context: typer.Context, site: Site, paths: Sequence[Path], *, again: bool) -> Status:
    worst, names = Status.OK, names_for(context, site)
    for path in paths:
        try:
            volume = _volume(context, path, site.seat, names)
            done = site.add(volume, again=again)
        except OSError as error:
            err.print(f"{error.filename or path}: {error.strerror}")
            worst = Status.USAGE
            continue
        except ValueError as error:
            err.print(str(error))
            worst = Status.USAGE
            continue
        out.print(f"{volume.name}: {counted(len(volume.game.orders), 'order')}{'' if done else ', unchanged'}")
        if volume.fault:
            err.print(volume.fault)
            worst = max(worst, Status.NO)
    return worst


def _volume(context: typer.Context, path: Path, seat: str, names: NamesFor, name: str | None = None) -> Volume:
    """The volume of a record, with the links to the desk that the settings name."""
    from moderator.archive.record_files import read_volume
    from moderator.service.play.journal.export import teller

    settings: Settings = context.obj
    return read_volume(path, seat, teller, names, name, desk=settings.desk_url, with_facts=settings.desk_with_facts)


@app.command("redact")
def redact(
    context: typer.Context,
    folder: Folder,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game of the site.", autocompletion=known_games)],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player whose name is taken out.")],
    name: Annotated[str, typer.Option("--as", help="The name in its place; `Player 2` for the second seat.")] = "",
) -> None:
    """Remove a person's name, and what the person wrote, from the pages of a game. The game stays.

    Every later build of the site leaves the name out. If the game is in the database, every other site of it does so,
    too.
    """
    from moderator.archive.site import Site
    from moderator.domain.records.renaming import renamed_text

    with complaints():
        site = Site.there(folder)
        entry = site.entry(game)
        if entry is None:
            fail(f"there is no game {game!r} in {folder}", Status.NO)
        players: list[str] = entry["players"]
        if player not in players:
            fail(f"there is no player {player!r} in {game}; there are: {', '.join(players)}", Status.NO)
        number = players.index(player) + 1
        new = name or f"Player {number}"
        if new in players and new != player:
            fail(f"there is a {new} in {game} already: give another name with --as")
        if entry["source"] == "record":
            _rename_record(context, site, entry, number, new)
        else:
            _rename_game(context, site, game, number, new)
        site.finish()
    out.print(f"{game}: {player} is called {new}, and what {new} wrote is taken out")
    if renamed_text(game, {player: new}) != game:
        fail(
            f"the game itself is called {game!r}: build it under another name (tag Game, or the file's name)", Status.NO
        )


def _rename_game(context: typer.Context, site: Site, game: str, number: int, new: str) -> None:
    from moderator.service.play.journal.name_removal import redact as note_redacted

    with desk_of(context).sitting() as sitting:
        there = note_redacted(sitting, game, number, new)
    site.redact(game, number, new)
    if not there:
        err.print(f"{game} is not in this database: its page is removed, and not written again")
    elif _games(context, site, [game], again=True) is not Status.OK:
        raise typer.Exit(Status.NO)


def _rename_record(context: typer.Context, site: Site, entry: dict[str, Any], number: int, new: str) -> None:
    """Write the pages again from the record that the site offers for download."""
    from moderator.domain.records.renaming import renamed_text

    game: str = entry["name"]
    before = entry["players"][number - 1]
    try:
        volume = _volume(context, site.record(game), site.seat, lambda *_: {before: new}, game)
    except (OSError, ValueError) as error:
        site.redact(game, number, new)
        site.finish()
        fail(f"{error}\n{game} is removed; build it again from its record", Status.NO)
    site.redact(game, number, new)
    site.add(replace(volume, fault=renamed_text(entry["fault"], {before: new})))
