"""Keeps an archive up to date with the games of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, func, select

from moderator.adapters.tables import GameRow, PressRow, SeatRow, TenureRow
from moderator.archive.site import Site
from moderator.service.archive.volumes import stamp_of, volume_of
from moderator.service.desk import Desk, Sitting
from moderator.service.operation.secret_words import hiding
from moderator.service.people.journal import REDACTED
from moderator.service.play.journal.name_removal import names_of
from moderator.service.service_facts import all_kept
from moderator.service.table.table import seats_of


@dataclass(frozen=True, slots=True)
class Built:
    """The result for one game of the archive: the number of its orders, and True in ``written`` if its page was
    written. ``fault`` is the reason why it could not be."""

    game: str
    orders: int = 0
    written: bool = False
    fault: str = ""


class NotOnePerson(ValueError):
    """Seats of the same name have several addresses of record, and perhaps several players."""


class NoSuchGame(KeyError):
    """There is no game of that name."""


def bring_up_to_date(desk: Desk, site: Site, games: Iterable[str] = (), *, again: bool = False) -> Iterator[Built]:
    """Write the changed pages of ``games``, or of all games if there are none. A game that cannot be shown stops no
    other. ``site.finish`` writes the index. Raises ``NoSuchGame``, or ``NotOnePerson`` for a player's own copy if no
    games are named and his games may be those of several people."""
    with desk.looking() as sitting:
        if site.seat and not games:
            _one_person(sitting, site.seat)
        found = select(GameRow.id).order_by(col(GameRow.created_at), col(GameRow.id))
        names = list(games) or list(sitting.session.exec(found).all())
    for name in names:
        with desk.looking() as sitting:
            row = sitting.session.get(GameRow, name)
            if row is None:
                raise NoSuchGame(name)
            yield _build(sitting, site, row, again=again)


def pulses(desk: Desk) -> dict[str, tuple[object, ...]]:
    """For each game, values of which one changes whenever its page may have to be written again, the oldest game
    first."""
    games: Any = select(GameRow.id, GameRow.at, GameRow.status).order_by(col(GameRow.created_at), col(GameRow.id))
    press: Any = select(PressRow.game, func.max(PressRow.id), func.count(col(PressRow.emptied_at))).group_by(
        PressRow.game
    )
    time = func.sum(TenureRow.used), func.sum(TenureRow.waits), func.sum(func.length(TenureRow.reason))
    handed: tuple[Any, ...] = (func.count(), func.count(col(TenureRow.ended_at)), func.sum(SeatRow.changes))
    seats: Any = select(SeatRow.game).add_columns(*handed, *time)
    seats = seats.join(TenureRow, col(TenureRow.seat) == col(SeatRow.id)).group_by(SeatRow.game)
    with desk.looking() as sitting:
        session = sitting.session
        written = {game: tuple(counts) for game, *counts in session.execute(press)}
        seated = {game: tuple(counts) for game, *counts in session.execute(seats)}
        names = {game: row.changed_at for game, row in all_kept(session, REDACTED).items()}
        return {
            game: (at, status, written.get(game), seated.get(game), names.get(game))
            for game, at, status in session.execute(games)
        }


def _one_person(sitting: Sitting, player: str) -> None:
    wanted = select(SeatRow.game, func.lower(col(SeatRow.address))).where(SeatRow.player == player)
    found = sitting.session.exec(wanted.order_by(col(SeatRow.id))).all()
    if len({address for _, address in found}) > 1:
        theirs = ", ".join(f"{game} {address}" for game, address in found)
        raise NotOnePerson(f"{player} has more than one address ({theirs}): name the games of one person")


def _build(sitting: Sitting, site: Site, row: GameRow, *, again: bool) -> Built:
    players = [seat.player for seat in seats_of(sitting.session, row.id)]
    if site.seat and site.seat not in players:
        return Built(row.id)  # a private copy has only the games of its player
    names = {**site.redacted(row.id, players), **names_of(sitting.session, row.id)}
    if not again and site.stamp(row.id) == stamp_of(sitting, row, site.seat, names):
        return Built(row.id, row.orders)
    try:
        volume = volume_of(sitting, row, site.seat, names, hiding(sitting.session))
        return Built(row.id, row.orders, site.add(volume, again=again))
    except (ValueError, RuntimeError) as error:
        return Built(row.id, fault=f"{row.id}: {error}")
