"""All games of a database played again from their orders, with every check on (faults 91, 92)."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session, col, select

from moderator.adapters.database import Database
from moderator.adapters.tables import GameRow
from moderator.service.desk import Desk
from moderator.service.games import Games


@dataclass(frozen=True, slots=True)
class Replayed:
    """``fault`` is empty for a game whose orders are all legal and lead to where its row says that it is."""

    game: str
    orders: int
    version: str
    fault: str = ""


def replay_all(database: Database, games: Games) -> Iterator[Replayed]:
    """One game after the other; ``games`` must have nothing in its memory."""
    with database.reading() as session:
        names = session.exec(select(GameRow.id).order_by(col(GameRow.created_at), col(GameRow.id))).all()
        for name in names:
            yield _replay(session, games, name)
            games.forget_all()


def _replay(session: Session, games: Games, name: str) -> Replayed:
    row = session.get(GameRow, name)
    assert row is not None
    try:
        game = games.get(session, row).game
    except Exception as error:  # whatever stops it: that is the finding
        return Replayed(name, row.orders, row.engine_version, f"{type(error).__name__}: {error}")
    fault = ""
    if len(game.orders) != row.orders:
        fault = f"the log leads to order {len(game.orders)}, the game is at {row.orders}"
    elif game.finished != (row.status == "finished"):
        fault = f"it is {'over' if game.finished else 'not over'}, and its state is {row.status!r}"
    return Replayed(name, row.orders, row.engine_version, fault)


def take_over(desk: Desk, name: str) -> bool:
    """Let a game that was begun with another version of the rules go on under this one; False if it does already."""
    version = importlib.metadata.version("railpost")
    with desk.database.transaction() as session:
        row = session.get(GameRow, name)
        if row is None or row.engine_version == version:
            return False
        row.engine_version = version
    return True
