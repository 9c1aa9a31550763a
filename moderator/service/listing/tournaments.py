"""Tournaments: their games, and the table of their results."""

from __future__ import annotations

from sqlmodel import Session, col, select

from moderator.adapters.tables import GameRow, SeatRow, TenureRow
from moderator.domain.figures.tournament import Place, ranking
from moderator.service.desk import Sitting


def list_tournaments(session: Session) -> list[tuple[str, str, int, int]]:
    """Each tournament with its title, the number of its games, and of those that are over."""
    rows = session.exec(select(GameRow).where(GameRow.tournament != "").order_by(col(GameRow.created_at))).all()
    found: dict[str, tuple[str, int, int]] = {}
    for row in rows:
        _, games, over = found.get(row.tournament, ("", 0, 0))
        found[row.tournament] = row.title, games + 1, over + row.over
    return [(name, *counts) for name, counts in found.items()]


def games_of_tournament(session: Session, name: str) -> list[tuple[GameRow, list[SeatRow]]]:
    """The games of a tournament with their seats, in the order in which they were begun."""
    wanted = select(GameRow).where(GameRow.tournament == name).order_by(col(GameRow.created_at), col(GameRow.id))
    games: dict[str, tuple[GameRow, list[SeatRow]]] = {row.id: (row, []) for row in session.exec(wanted).all()}
    seats = select(SeatRow).join(GameRow, col(GameRow.id) == col(SeatRow.game)).where(GameRow.tournament == name)
    for seat in session.exec(seats.order_by(col(SeatRow.number))).all():
        games[seat.game][1].append(seat)
    return list(games.values())


def table_of_tournament(sitting: Sitting, name: str) -> list[Place]:
    """The table of a tournament. A seat counts for the person who began it, whoever plays it now: a tournament's result
    is that of its seats."""
    games = []
    for row, seats in games_of_tournament(sitting.session, name):
        called = _first_persons(sitting.session, row, seats)
        totals = dict.fromkeys(called.values(), 0)
        if row.over:
            standings = sitting.games.get(sitting.session, row).game.standings()
            totals = {called[str(player)]: total for player, total in standings}
        games.append((totals, row.over))
    return ranking(games)


def _first_persons(session: Session, row: GameRow, seats: list[SeatRow]) -> dict[str, str]:
    """Player -> the name that he was begun with. In an anonymous game that is not the player's own."""
    if not row.anonymous:
        return {seat.player: seat.player for seat in seats}
    wanted = select(SeatRow.player, TenureRow.person).join(TenureRow, col(TenureRow.seat) == col(SeatRow.id))
    found: dict[str, str] = {}
    for player, person in session.exec(wanted.where(SeatRow.game == row.id).order_by(col(TenureRow.id))).all():
        found.setdefault(player, person)
    return found
