"""Names for a shell that completes a word, from tables of any version."""

from __future__ import annotations

from typing import Final

from moderator.adapters.plain_sql import Rows, read_plainly

_GAMES: Final = "SELECT id FROM game ORDER BY created_at DESC, id DESC"
_PLAYERS: Final = "SELECT player FROM seat WHERE game = {} ORDER BY number"


def game_names(url: str) -> list[str]:
    """The names of all games in the database at ``url``, newest first; none if it cannot be read."""
    return _column(url, _GAMES)


def player_names(url: str, game: str) -> list[str]:
    """The players of a game, in seating order; none if there is no such game."""
    return _column(url, _PLAYERS, game)


def _column(url: str, query: str, *values: str) -> list[str]:
    def read(rows: Rows) -> list[str]:
        return [str(name) for (name,) in rows(query, *values)]

    return read_plainly(url, read) or []
