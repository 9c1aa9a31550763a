"""Persons over all their games: how they answer, and how they have played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from sqlmodel import Session, col, select

from moderator.adapters.tables import OVER, GameRow, PersonRow, SeatRow, TenureRow
from moderator.domain.list_rows import ListedPerson, PlayedGame
from moderator.service.desk import Sitting
from moderator.service.table.tenure import share_on_time

_ROWS: Final = (
    select(TenureRow.address, TenureRow.person, SeatRow.game, GameRow.status)
    .add_columns(col(TenureRow.ended_at), col(TenureRow.answers), col(TenureRow.late), col(TenureRow.missed))
    .join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
    .join(GameRow, col(GameRow.id) == col(SeatRow.game))
    .order_by(col(TenureRow.address), col(TenureRow.id))
)


@dataclass(slots=True)
class _Sum:
    """The sums of one person over all his seats."""

    names: dict[str, None] = field(default_factory=dict)
    games: set[str] = field(default_factory=set)
    finished: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    answers: int = 0
    late: int = 0
    missed: int = 0


def list_persons(session: Session, wanted: str = "") -> list[ListedPerson]:
    """All persons, in the order of their addresses, or those whose address or name is ``wanted``. What a person did in
    a seat counts for him alone, whoever had it before or after."""
    sums: dict[str, _Sum] = {}
    for address, person, game, status, ended, answers, late, missed in session.execute(_ROWS):
        found = sums.get(address) or sums.setdefault(address, _Sum())
        found.names[person] = None
        found.games.add(game)
        if ended is not None:
            found.left.add(game)
        elif status in OVER:
            found.finished.add(game)
        found.answers, found.late, found.missed = found.answers + answers, found.late + late, found.missed + missed
    zones = dict(session.exec(select(PersonRow.address, PersonRow.zone)).all())
    said = wanted.casefold()
    return [
        ListedPerson(
            address=address, names=tuple(one.names), zone=zones.get(address.lower(), ""), moves=one.answers,
            on_time=share_on_time(one.answers, one.late, one.missed), games=len(one.games), finished=len(one.finished),
            left=len(one.left),
        )
        for address, one in sums.items()
        if not said or said == address or said in (name.casefold() for name in one.names)
    ]  # fmt: skip


def games_of(sitting: Sitting, address: str) -> list[PlayedGame]:
    """The games of the person at ``address``, the oldest first, with his place in those that are over."""
    rows = (
        select(TenureRow, SeatRow, GameRow)
        .join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(TenureRow.address == address.lower())
        .order_by(col(TenureRow.id))
    )
    return [_played(sitting, *row) for row in sitting.session.exec(rows).all()]


def _played(sitting: Sitting, tenure: TenureRow, seat: SeatRow, game: GameRow) -> PlayedGame:
    place = total = None
    if game.over and tenure.ended_at is None:
        standings = sitting.games.get(sitting.session, game).game.standings()
        total = dict(standings)[seat.player]  # type: ignore[index]
        place = 1 + sum(other > total for other in _totals(standings))
    return PlayedGame(
        game.id, seat.player, game.status, tenure.began_at, tenure.ended_at, tenure.answers, tenure.late, tenure.missed,
        place, total,
    )  # fmt: skip


def _totals(standings: Iterable[tuple[object, int]]) -> Iterable[int]:
    return (total for _, total in standings)
