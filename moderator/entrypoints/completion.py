"""Words with which a shell completes a command line. Completion prints no messages and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer
from sqlalchemy.exc import SQLAlchemyError

import engine
from moderator.adapters.database import Database
from moderator.service.listing.games import game_names, player_names
from moderator.settings import BadConfiguration, load_for_command


def titles(incomplete: str) -> list[str]:
    """Titles that begin with ``incomplete``."""
    return [name for name in engine.title_names() if name.startswith(incomplete)]


def editions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Editions of the title given earlier on the command line, or of all titles if none is given."""
    title = _before(ctx, "title")
    names = [title] if title in engine.title_names() else engine.title_names()
    found = dict.fromkeys(edition for name in names for edition in engine.editions(name))
    return [edition for edition in found if edition.startswith(incomplete)]


def games(ctx: typer.Context, incomplete: str) -> list[str]:
    """Games of the service's database, newest first."""

    def newest(database: Database) -> list[str]:
        with database.reading() as session:
            return game_names(session)[::-1]

    return [name for name in _read(ctx, newest) if name.startswith(incomplete)]


def players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Players of the game given earlier on the command line."""
    game = _before(ctx, "name")

    def its(database: Database) -> list[str]:
        with database.reading() as session:
            return player_names(session, game)

    return [player for player in _read(ctx, its) if player.startswith(incomplete)]


def _before(ctx: typer.Context, name: str) -> str:
    """Value of the argument ``name``, which is the first of its command. On an incomplete line it may not have its name
    yet."""
    found = ctx.params.get(name) or (ctx.args[0] if ctx.args else "")
    return found if isinstance(found, str) else ""


def _read(ctx: typer.Context, names: Callable[[Database], list[str]]) -> list[str]:
    """Names from the service's database, which the options of the command line choose; none if the database is missing,
    of another version or unreadable."""
    asked = ctx.find_root().params
    try:
        settings = load_for_command(asked.get("config"), asked.get("data"))
    except (BadConfiguration, OSError):
        return []
    path = settings.database_path
    if path is not None and not path.is_file():
        return []
    database = Database(settings.database_url)
    try:
        return names(database) if database.up_to_date() else []
    except SQLAlchemyError:
        return []
    finally:
        database.close()


TitleName = Annotated[
    str, typer.Argument(metavar="TITLE", help="The game to play, such as 1861.", autocompletion=titles)
]
GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game's name, such as 1861-7.", show_default=False, autocompletion=games),
]
PlayerName = Annotated[
    str, typer.Argument(metavar="PLAYER", help="Whose seat it is.", show_default=False, autocompletion=players)
]
EditionName = Annotated[
    str | None,
    typer.Option("--edition", help="Edition of the rules; the default is the title's newest.", autocompletion=editions),
]
