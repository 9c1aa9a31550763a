"""Stores moves, with the events that followed from them and the digests of the positions that were told."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from moderator.adapters.database import run_plain
from moderator.adapters.tables import EntryRow
from moderator.domain.fork import Fork
from moderator.service.past.game_loader import EVERY, followed, write_snapshot
from moderator.service.table.table import Table

_WRITTEN = insert(EntryRow)


def write_moves(table: Table, fork: Fork, mail: int | None = None, *, entered: bool = False) -> Table:
    """Write the moves of ``fork`` into the game's log; each makes a decision of its own. Returns the table after
    them. ``entered``: the mail is that of a game master, who entered orders for a player."""
    sitting, row, live = table.sitting, table.row, table.live
    now = sitting.now()
    entries: list[dict[str, Any]] = [
        {
            "game": row.id, "at": row.at + number, "kind": "order", "orders": row.orders + number + 1,
            "player": move.player, "text": live.write_order(move.order), "mail": mail,
            "origin": "entered" if entered and move.origin == "mail" else move.origin,
            "created_at": now, **followed(live.pieces, fork.game.at(row.orders + number + 1), move.events),
        }
        for number, move in enumerate(fork.moves)
    ]  # fmt: skip
    if entries:
        run_plain(sitting.session, _WRITTEN, entries)
    for entry in entries:
        if entry["orders"] % EVERY == 0:
            state = fork.game.at(entry["orders"])
            write_snapshot(sitting.session, live.pieces, entry["at"] + 1, entry["orders"], state, entry["digest"])
    row.at += len(entries)
    row.service = sitting.desk.owner
    row.orders = len(fork.game.orders)
    if fork.game.finished:
        row.status, row.finished_at = "finished", now
    return table.after(fork.game)
