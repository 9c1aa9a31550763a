"""Persons over all their games: how they answer, and how they have played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session, col, select

from moderator.adapters.tables import GameRow, SeatRow, TenureRow
from moderator.domain.list_rows import ListedPerson, PlayedGame
from moderator.service.desk import Sitting
from moderator.service.table.persons import zone_of_person
from moderator.service.table.tenure import share_on_time


@dataclass(slots=True)
class _Sum:
    names: dict[str, None]
    tenures: list[tuple[TenureRow, GameRow]]


def list_persons(session: Session, wanted: str = "") -> list[ListedPerson]:
    """All persons, in the order of their addresses, or those whose address or name is ``wanted``. What a person did in
    a seat counts for him alone, whoever had it before or after."""
    rows = select(TenureRow, GameRow).join(SeatRow, col(SeatRow.id) == col(TenureRow.seat))
    rows = rows.join(GameRow, col(GameRow.id) == col(SeatRow.game)).order_by(col(TenureRow.address), col(TenureRow.id))
    sums: dict[str, _Sum] = {}
    for tenure, game in session.exec(rows).all():
        found = sums.setdefault(tenure.address, _Sum({}, []))
        found.names[tenure.person] = None
        found.tenures.append((tenure, game))
    said = wanted.casefold()
    return [
        _person(session, address, one)
        for address, one in sums.items()
        if not said or said == address or said in (name.casefold() for name in one.names)
    ]


def _person(session: Session, address: str, found: _Sum) -> ListedPerson:
    answers = sum(tenure.answers for tenure, _ in found.tenures)
    late = sum(tenure.late for tenure, _ in found.tenures)
    missed = sum(tenure.missed for tenure, _ in found.tenures)
    return ListedPerson(
        address=address,
        names=tuple(found.names),
        zone=zone_of_person(session, address),
        moves=answers,
        on_time=share_on_time(answers, late, missed),
        games=len({game.id for _, game in found.tenures}),
        finished=len({game.id for tenure, game in found.tenures if game.over and tenure.ended_at is None}),
        left=len({game.id for tenure, game in found.tenures if tenure.ended_at is not None}),
    )


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
