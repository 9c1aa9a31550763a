"""Single columns of the database for a shell that completes a word: without the ORM, whose import takes longer than a
person waits, and without a change, whatever version the tables have."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

_SQLITE: Final = "sqlite:///"
_SECONDS: Final = 2
"""How long another user of the database is waited for."""
_GAMES: Final = "SELECT id FROM game ORDER BY created_at DESC, id DESC"
_PLAYERS: Final = "SELECT player FROM seat WHERE game = {} ORDER BY number"


def game_names(url: str) -> list[str]:
    """The names of all games in the database at ``url``, newest first; none if it cannot be read."""
    return _column(url, _GAMES)


def player_names(url: str, game: str) -> list[str]:
    """The players of a game, in seating order; none if there is no such game."""
    return _column(url, _PLAYERS, game)


def _column(url: str, query: str, *values: str) -> list[str]:
    if not url.startswith(_SQLITE):
        return _from_server(url, query, *values)
    file = Path(url.removeprefix(_SQLITE)).absolute()
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=_SECONDS)) as link:
            return [str(name) for (name,) in link.execute(query.format("?"), values)]
    except sqlite3.Error:
        return []


def _from_server(url: str, query: str, *values: str) -> list[str]:
    import psycopg

    address = url.replace("postgresql+psycopg:", "postgresql:", 1)
    options = f"-c statement_timeout={_SECONDS * 1000}"
    try:
        with psycopg.connect(address, connect_timeout=_SECONDS, options=options) as link:
            return [str(name) for (name,) in link.execute(query.format("%s"), values)]
    except psycopg.Error:
        return []
