"""Names of players that have been taken out: the game keeps them, and what is made of it to be passed on does not."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from moderator.adapters.tables import GameRow
from moderator.service.desk import Sitting
from moderator.service.kept import recall, recall_to_change, remember
from moderator.service.table.table import seats_of

_REDACTED = "redacted "


def names_of(session: Session, game: str) -> dict[str, str]:
    """The players of a game whose names have been taken out -> the names in their place."""
    numbers = recall(session, _REDACTED + game) or {}
    seats = seats_of(session, game) if numbers else []
    return {seat.player: numbers[str(seat.number)] for seat in seats if str(seat.number) in numbers}


def names_in_record(session: Session, game: str, players: Sequence[str], commitment: str) -> dict[str, str]:
    """The players of a record, in seating order, whose names have been taken out of ``game`` -> the names in their
    place. The record is of another game of that name if neither its commitment nor its players are the same."""
    row = session.get(GameRow, game)
    if row is None:
        return {}
    seated = [seat.player for seat in seats_of(session, game)]
    if commitment != row.commitment and list(players) != seated:
        return {}
    numbers = recall(session, _REDACTED + game) or {}
    return {player: numbers[str(number)] for number, player in enumerate(players, 1) if str(number) in numbers}


def redact(sitting: Sitting, game: str, number: int, name: str) -> bool:
    """Have archives, booklets and records call the player in seat ``number`` by another ``name`` from now on; False if
    there is no such game. The game itself stays as it is."""
    if sitting.session.get(GameRow, game) is None:
        return False
    key = _REDACTED + game
    remember(sitting, key, {**(recall_to_change(sitting.session, key) or {}), str(number): name})
    return True
