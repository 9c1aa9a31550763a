"""News for observers: each round when it is over, press for all, and the end. Only what all players know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import exists
from sqlmodel import Session, col, func, or_, select

from moderator.adapters.tables import OVER, BounceRow, GameRow, GuestRow, PressRow
from moderator.service.desk import Desk
from moderator.service.entry.guests import guests
from moderator.service.people.master_lines import info_for_master
from moderator.service.post.outbox import queue_guest
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table


def tell_observers(desk: Desk) -> int:
    """Write what is new to the observers of all games. Returns the number of mails."""
    with desk.database.reading() as session:
        games = session.exec(_moved()).all()
    count = 0
    for game in games:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            if table.row.status == "held":
                continue  # its position is not what the players were told
            for guest in guests(sitting.session, "observer", game):
                count += _tell(table, guest)
    return count


def _moved() -> Any:
    """The query for the observed games in which something may be new to an observer. A game whose round goes on is not
    opened again until it has moved."""
    later = or_(col(GuestRow.told_at).is_(None), col(PressRow.created_at) > col(GuestRow.told_at))
    public = func.json_array_length(PressRow.to) == 0
    press = exists().where(col(PressRow.game) == col(GuestRow.game), col(PressRow.emptied_at).is_(None), later, public)
    moved = col(GuestRow.seen) != col(GameRow.at)
    return (
        select(GuestRow.game)
        .join(GameRow, col(GameRow.id) == col(GuestRow.game))
        .where(GuestRow.kind == "observer", GuestRow.state == "in", GameRow.status != "held")
        .where(or_(moved, col(GameRow.status).in_(OVER), press))
        .distinct()
    )


def _tell(table: Table, guest: GuestRow) -> int:
    guest.seen = table.row.at
    if _came_back(table.sitting.session, guest):
        guest.state = "gone"
        return 0
    written = _tell_press(table, guest)
    guest.told = min(guest.told, table.row.orders)  # after an undo
    if table.row.over:
        guest.state = "gone"
    elif str(table.game.at(guest.told).round) == str(table.game.state.round):
        return written
    info = info_for_master(table, table.seats[0])
    info = replace(info, seat="", zone=info.terms.here, deadline=None, late=False)
    rendered = table.sitting.words.observer_mail(table.game, info, guest.told)
    own = table.sitting.settings.address
    queue_guest(table.sitting, guest.address, own, rendered, game=table.row.id, kind="observer")
    guest.told = table.row.orders
    return written + 1


def _came_back(session: Session, guest: GuestRow) -> bool:
    """True if mail to the observer came back for good, or was reported as spam, since he observes the game."""
    wanted = select(BounceRow.id).where(
        BounceRow.address == guest.address, col(BounceRow.kind).in_(("hard", "complaint")),
        col(BounceRow.at) >= guest.created_at,
    )  # fmt: skip
    return session.exec(wanted).first() is not None


def _tell_press(table: Table, guest: GuestRow) -> int:
    """Pass on the press for all players since the latest that he was told."""
    sitting = table.sitting
    wanted = select(PressRow).where(PressRow.game == table.row.id, col(PressRow.emptied_at).is_(None))
    if guest.told_at is not None:
        wanted = wanted.where(col(PressRow.created_at) > guest.told_at)
    rows = sitting.session.exec(wanted.order_by(col(PressRow.created_at), col(PressRow.id))).all()
    public = [row for row in rows if not row.to]
    for row in public:
        rendered = sitting.words.guest_mail("press", {"game": row.game, "writer": row.player, "said": row.text})
        queue_guest(
            sitting, guest.address, sitting.settings.address, rendered, game=row.game, kind="observer"
        )  # fmt: skip
        guest.told_at = row.created_at
    return len(public)
