"""Looks again at the orders given ahead after each move, and tells their owners which would now be refused."""

from __future__ import annotations

from engine import Failure
from moderator.adapters.tables import HeldRow
from moderator.domain.again import WORD
from moderator.domain.ahead.foresight import Passing, for_all, foresee_all, note_of
from moderator.domain.ahead.orders import Held
from moderator.domain.transcript import Note, Notes
from moderator.service.table.held_rows import held_of, waiting_rows
from moderator.service.table.sealed_rows import own_rows
from moderator.service.table.table import Table


def look_again(table: Table) -> dict[str, Notes]:
    """The notes for each player about his kept orders that would be refused as things stand. Nobody is told the same
    reason twice: the rows remember what was told."""
    if table.game.finished:
        return {}
    by_player: dict[str, list[HeldRow]] = {}
    for row in waiting_rows(table.sitting.session, table.row.id):
        by_player.setdefault(row.player, []).append(row)
    passing = for_all(table.game) if by_player else None
    told = {player: _notes(table, player, rows, passing) for player, rows in by_player.items()}
    return {player: notes for player, notes in told.items() if notes}


def _notes(table: Table, player: str, rows: list[HeldRow], passing: Passing | None) -> Notes:
    """The notes for one player about his ``rows``, all that wait."""
    held: dict[Held, HeldRow] = {held_of(table.live, row): row for row in rows if row.kind != WORD}
    notes: list[Note] = []
    for one, failures in foresee_all(table.game, tuple(held), passing).items():
        if _is_news(held[one], failures):
            alone = len(rows) == 1 and not own_rows(table, player)
            notes.append(note_of(one, failures, None if alone else rows.index(held[one]) + 1))
    return tuple(notes)


def _is_news(row: HeldRow, failures: tuple[Failure, ...]) -> bool:
    """True if the owner was not told all these reasons before. Notes that he is told now."""
    told = row.foretold.split()
    new = [check for check in dict.fromkeys(failure.check for failure in failures) if check not in told]
    row.foretold = " ".join((*told, *new))
    return bool(new)
