"""Absences in all games of a person at once: each game judges them by its own terms, and tells its table."""

from __future__ import annotations

from collections import Counter

from moderator.adapters.tables import GameRow, SeatRow
from moderator.domain.transcript import Note
from moderator.service.desk import Sitting
from moderator.service.games import PastUnreadable
from moderator.service.locks import lock_games
from moderator.service.people import absence
from moderator.service.table.persons import games_with, seats_at
from moderator.service.table.table import Table, open_table

EVERYWHERE = "everywhere"


def away(table: Table, seat: SeatRow, argument: str, *, trial: bool) -> tuple[Note, ...]:
    """Note the absence that ``argument`` names in each game of the player, or list those to come if it names none.
    Returns a note for each of his seats."""
    return tuple(
        ("away.unread", {"where": where})
        if its is None
        else absence.away(its, one, argument or None, trial=trial, where=where)
        for its, one, where in _tables(table, seat)
    )


def back(table: Table, seat: SeatRow, *, trial: bool) -> tuple[Note, ...]:
    """End or take back the absences of the player in all his games. Returns a note for each seat that had one, or a
    single note if none had."""
    found = tuple(
        ("back.unread", {"where": where}) if its is None else absence.back(its, one, trial=trial, where=where)
        for its, one, where in _tables(table, seat)
    )
    return tuple(note for note in found if note[0] != "back.nothing") or (("back.nothing", {"where": ""}),)


def _tables(table: Table, seat: SeatRow) -> list[tuple[Table | None, SeatRow, str]]:
    """Each seat of the player in a game that is not over, with its table, which is None if this program cannot read the
    game, and the words that begin a note about it. The table that he writes to is the first."""
    sitting = table.sitting
    rows = lock_games(sitting.session, (table.row.id, *games_with(sitting.session, seat.address)))
    seats = [one for one in seats_at(sitting.session, seat.address) if not rows[one.game].over]
    seats.sort(key=lambda one: one.id != seat.id)
    several = Counter(one.game for one in seats)
    return [
        (
            table if one.game == table.row.id else _readable(sitting, rows[one.game]),
            one,
            f"{one.game} ({one.player})" if several[one.game] > 1 else one.game,
        )
        for one in seats
    ]


def _readable(sitting: Sitting, row: GameRow) -> Table | None:
    try:
        return open_table(sitting, row)
    except PastUnreadable:
        return None
