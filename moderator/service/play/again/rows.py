"""Orders that are kept ready after an undo, in the database: rows of orders given ahead, of a kind of their own. So
their authors see and withdraw them as other orders given ahead, and they end with the seat's hand-over or the game.

A row names the undo and the number that the order had then. What else is needed of it is in the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final, NoReturn

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from engine import Game
from moderator.adapters.tables import EntryRow, HeldRow, SealedRow
from moderator.domain.again import WORD, Course, Gone, Place, Ready
from moderator.domain.fit import Misfit, given
from moderator.service.games import PastUnreadable
from moderator.service.locks import locked_game
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.table import Table

ANEW: Final = "anew"
"""The status of a row that marks a turn which its author decides anew."""


def course_of(table: Table) -> Course:
    """The orders that are kept ready in a game."""
    session, name = table.sitting.session, table.row.id
    waiting = [row for row in waiting_rows(session, name) if row.kind == WORD]
    if not waiting:
        return Course([])
    rows = sorted([*waiting, *session.exec(_anew(table)).all()], key=lambda row: row.id or 0)
    games: dict[int, Game | None] = {}
    ready = [(_ready(table, row, games), row) for row in rows]
    course = Course.of([one for one, _ in ready if one is not None])
    course.gone = [Gone(_lost(row), Misfit("lost")) for one, row in ready if one is None and row.status != ANEW]
    return course


def _anew(table: Table) -> SelectOfScalar[HeldRow]:
    return select(HeldRow).where(HeldRow.game == table.row.id, HeldRow.kind == WORD, HeldRow.status == ANEW)


def _ready(table: Table, row: HeldRow, games: dict[int, Game | None]) -> Ready | None:
    """The order in ``row``; None if the game as it was before the undo cannot be read any more."""
    place = Place.parse(row.occasion)
    if place.undo not in games:
        try:
            games[place.undo] = table.sitting.games.position(table.sitting.session, table.row, place.undo)
        except PastUnreadable:
            games[place.undo] = None
    game = games[place.undo]
    if game is None:
        return None
    look = partial(given, game, place.number, row.player)
    return Ready(row.player, row.actor, row.text, place, look, row.id, row.status == ANEW)


def _lost(row: HeldRow) -> Ready:
    return Ready(row.player, row.actor, row.text, Place.parse(row.occasion), _no_look, row.id)


def _no_look() -> NoReturn:
    raise LookupError("what was stored of this order cannot be read")


def add(table: Table, course: Course, entries: dict[int, EntryRow]) -> None:
    """Store the orders of a new undo, with what has become of them already. ``entries``: the log's entry of each order,
    by its number before the undo."""
    session = table.sitting.session
    close(session.exec(_anew(table)).all(), "lapsed", table.sitting.now())  # this undo has gaps of its own
    locked, status = locked_game(session, table.row.id), _statuses(course)
    for one, said in sorted(status.items(), key=lambda pair: pair[0].place.number):
        if one.id is not None:
            continue
        now, entry = table.sitting.now(), entries[one.place.number]
        row = HeldRow(
            game=table.row.id, player=one.player, kind=WORD, occasion=str(one.place), actor=one.actor, text=one.text,
            status=said, mail=entry.mail, created_at=now, closed_at=now if said not in ("waiting", ANEW) else None,
        )  # fmt: skip
        session.add(row)
        if locked is not None and locked.held is not None:
            locked.held.append(row)
    update(table, course, status)


def update(table: Table, course: Course, status: dict[Ready, str] | None = None) -> None:
    """Store what has become of orders that were kept ready before."""
    session, now = table.sitting.session, table.sitting.now()
    for one, said in (status if status is not None else _statuses(course)).items():
        row = session.get(HeldRow, one.id) if one.id is not None else None
        if row is not None and row.status != said:
            row.status, row.closed_at = said, None if said in ("waiting", ANEW) else now
    _open_sealed(table, course)


def _statuses(course: Course) -> dict[Ready, str]:
    """The state of each order now: it waits, is used, has lapsed, or marks a turn to be decided anew. Nothing needs
    such marks once nothing waits."""
    found = dict.fromkeys(course.left, "waiting") | dict.fromkeys(course.played, "used")
    found |= dict.fromkeys((one.ready for one in course.gone), "lapsed") | dict.fromkeys(course.closed, "lapsed")
    return found | dict.fromkeys(course.gaps.values(), ANEW if course.left else "lapsed")


def _open_sealed(table: Table, course: Course) -> None:
    """Note of sealed orders that were opened again which numbers they have now."""
    session = table.sitting.session
    for one, number in zip(course.played, course.numbers, strict=True):
        if not one.place.group:
            continue
        wanted = select(SealedRow).where(
            SealedRow.game == table.row.id, SealedRow.player == one.player, SealedRow.text == one.text
        )
        row = session.exec(wanted.order_by(col(SealedRow.id).desc())).first()
        if row is not None:
            row.status, row.closed_at, row.orders = "opened", table.sitting.now(), number


def end_all(table: Table, status: str = "undone") -> None:
    """End all orders that are kept ready in a game."""
    wanted = select(HeldRow).where(
        HeldRow.game == table.row.id, HeldRow.kind == WORD, col(HeldRow.status).in_(("waiting", ANEW))
    )
    close(table.sitting.session.exec(wanted).all(), status, table.sitting.now())


def close(rows: Iterable[HeldRow], status: str, now: datetime) -> None:
    for row in rows:
        row.status, row.closed_at = status, now
