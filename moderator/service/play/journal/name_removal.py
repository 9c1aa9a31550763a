"""Names of players that have been taken out. The game keeps them; everything made from it to be passed on does not."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from moderator.adapters.tables import GameRow
from moderator.domain.vocabulary import vocabulary
from moderator.service.desk import Sitting
from moderator.service.locks import lock_games
from moderator.service.people.journal import REDACTED, note
from moderator.service.service_facts import recall, recall_to_change, remember
from moderator.service.table.table import seats_of


def names_of(session: Session, game: str) -> dict[str, str]:
    """The players of a game whose names have been taken out -> the names that replace them."""
    numbers = recall(session, REDACTED + game) or {}
    seats = seats_of(session, game) if numbers else []
    return {seat.player: numbers[str(seat.number)] for seat in seats if str(seat.number) in numbers}


def names_in_record(session: Session, game: str, players: Sequence[str], commitment: str) -> dict[str, str]:
    """The players of a record, in seating order, whose names have been taken out of ``game`` -> the names that replace
    them. Empty if neither the commitment nor the players are the same: then it is the record of another game of that
    name."""
    row = session.get(GameRow, game)
    if row is None:
        return {}
    seated = [seat.player for seat in seats_of(session, game)]
    if commitment != row.commitment and list(players) != seated:
        return {}
    numbers = recall(session, REDACTED + game) or {}
    return {player: numbers[str(number)] for number, player in enumerate(players, 1) if str(number) in numbers}


def redact(sitting: Sitting, game: str, number: int, name: str) -> bool:
    """Let archives, booklets and records call the player in seat ``number`` by another ``name`` from now on. False if
    there is no such game. The game itself stays as it is. ``ValueError`` for a name that no player of it can have."""
    row = lock_games(sitting.session, (game,)).get(game)
    if row is None:
        return False
    seats, names = seats_of(sitting.session, game), names_of(sitting.session, game)
    seat = next(seat for seat in seats if seat.number == number)
    names[seat.player] = name
    vocabulary(sitting.games.title_of(row), tuple(names.get(one.player, one.player) for one in seats))
    put_name(sitting, game, number, name)
    note(sitting, seat, "name taken out")
    return True


def put_name(sitting: Sitting, game: str, number: int, name: str) -> None:
    """Store the other ``name``, as ``redact`` does, without a line in the journal."""
    key = REDACTED + game
    remember(sitting, key, {**(recall_to_change(sitting.session, key) or {}), str(number): name})
