"""Words with which a shell completes a command line. Completion prints no messages and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer


def titles(incomplete: str) -> list[str]:
    """Titles that begin with ``incomplete``."""
    import engine

    return [name for name in engine.title_names() if name.startswith(incomplete)]


def editions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Editions of the title given earlier on the command line, or of all titles if none is given."""
    import engine

    title = _before(ctx, "title")
    names = [title] if title in engine.title_names() else engine.title_names()
    found = dict.fromkeys(edition for name in names for edition in engine.editions(name))
    return [edition for edition in found if edition.startswith(incomplete)]


def games(ctx: typer.Context, incomplete: str) -> list[str]:
    """Games of the service's database, newest first."""
    from moderator.adapters.names import game_names

    url = _database(ctx)
    return [name for name in game_names(url) if name.startswith(incomplete)] if url else []


def players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Players of the game given earlier on the command line."""
    from moderator.adapters.names import player_names

    url, game = _database(ctx), _before(ctx, "name")
    return [player for player in player_names(url, game) if player.startswith(incomplete)] if url else []


def options(ctx: typer.Context, incomplete: str) -> list[str]:
    """Options of the title given earlier on the command line, as ``NAME=``; behind the equals sign the values of that
    option, as ``NAME=VALUE``."""
    import engine
    from engine.titles.options import choices

    title = _before(ctx, "title") or _before(ctx, "name")
    if title not in engine.title_names():
        return []
    edition = ctx.params.get("edition")
    if edition not in engine.editions(title):
        edition = engine.editions(title)[0]
    loaded = engine.load_title(title, edition)
    name, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{one}=" for one in sorted(loaded.options) if one.startswith(incomplete)]
    rulings: Any = loaded.rulings
    values = choices(type(rulings)).get(name.replace("-", "_"), ())
    return [f"{name}={one}" for one in values if one.startswith(value)]


def one_of(*words: str) -> Callable[[str], list[str]]:
    """A completion with one of ``words``."""
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


def _before(ctx: typer.Context, name: str) -> str:
    """Value of the argument ``name``, which is the first of its command. On an incomplete line it may not have its name
    yet."""
    found = ctx.params.get(name) or (ctx.args[0] if ctx.args else "")
    return found if isinstance(found, str) else ""


def _database(ctx: typer.Context) -> str:
    """The URL of the service's database, which the options of the command line choose; empty if it is missing."""
    from moderator.entrypoints.database_place import database_url

    asked = ctx.find_root().params
    return database_url(asked.get("config"), asked.get("data"))


TitleName = Annotated[
    str, typer.Argument(metavar="TITLE", help="The game to play, such as 1861.", autocompletion=titles)
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="A named option of the title (docs/rulings.md).",
        autocompletion=options,
    ),
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
