"""The table: a game and its seats, opened once in a sitting and passed to all code that deals with them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine import Game
from moderator.adapters.tables import GameRow, SeatRow
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game, lock_games, locked_game

_SEATS = (
    select(SeatRow)
    .where(SeatRow.game == bindparam("game"))
    .order_by(col(SeatRow.number))
    .execution_options(autoflush=False)
)


class NoGame(LookupError):
    """There is no game of this name."""


class NoSeat(LookupError):
    """Nobody of this name plays in the game; ``players`` are those who do, in seating order."""

    def __init__(self, players: tuple[str, ...]) -> None:
        super().__init__(players)
        self.players = players


@dataclass(frozen=True, slots=True)
class Table:
    """A game in one sitting. ``live`` is the game as it stands, ``seats`` are in seating order."""

    sitting: Sitting
    row: GameRow
    live: Live
    seats: list[SeatRow]

    @property
    def game(self) -> Game:
        return self.live.game

    def seat_of(self, player: str) -> SeatRow | None:
        return next((seat for seat in self.seats if seat.player == player), None)

    def after(self, game: Game) -> Table:
        """The same table with ``game``, which has been stored up to the decision in the row."""
        return replace(self, live=Live(self.live.id, game, self.live.vocabulary, self.row.at))


def open_table(sitting: Sitting, row: GameRow) -> Table:
    return Table(sitting, row, sitting.games.get(sitting.session, row), seats_of(sitting.session, row.id))


def lock_table(sitting: Sitting, game: str) -> Table:
    """Lock a game until the sitting ends. Returns its table. ``KeyError`` if there is no such game."""
    return open_table(sitting, lock_game(sitting.session, game))


def lock_seat(sitting: Sitting, game: str, player: str) -> SeatRow:
    """Lock the game of a seat until the sitting ends. Returns the seat of ``player``. Raises ``NoGame`` or
    ``NoSeat``."""
    if game not in lock_games(sitting.session, (game,)):
        raise NoGame(game)
    seats = seats_of(sitting.session, game)
    found = next((seat for seat in seats if seat.player == player), None)
    if found is None:
        raise NoSeat(tuple(seat.player for seat in seats))
    return found


def table_of(sitting: Sitting, seat: SeatRow) -> Table:
    """The table of ``seat``."""
    return open_table(sitting, sitting.session.get_one(GameRow, seat.game))


def seats_of(session: Session, game_id: str) -> list[SeatRow]:
    """The seats of a game, in seating order."""
    locked = locked_game(session, game_id)
    if locked is None or not locked.seats:
        if any(isinstance(row, SeatRow) for row in (*session.new, *session.dirty)):
            session.flush()
        seats = list(session.exec(_SEATS, params={"game": game_id}).all())
        if locked is None:
            return seats
        locked.seats = seats
    return list(locked.seats)
