"""Tournaments: their games, and the table of their results."""

from __future__ import annotations

from sqlmodel import Session, col, select

from moderator.adapters.tables import GameRow, SeatRow
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
        totals = dict.fromkeys((seat.player for seat in seats), 0)
        if row.over:
            standings = sitting.games.get(sitting.session, row).game.standings()
            totals = {str(player): total for player, total in standings}
        games.append((totals, row.over))
    return ranking(games)
