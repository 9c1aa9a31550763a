"""The games of the service, as anybody may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import text
from sqlmodel import Session, col, select

from moderator.adapters.tables import CARED, OVER, WAITING, GameRow, GuestRow, InquiryRow, SeatRow
from moderator.domain.game_rows import ListedGame
from moderator.domain.list_rows import ListedForming, ListedGuest, ListedOpenSeat
from moderator.service.entry.roster import entrants, open_rows
from moderator.service.entry.terms import terms_of

_MOST: Final = 40
"""The most games under way that one mail lists, and the most open seats."""
_MOST_OVER: Final = 10


def overview(session: Session) -> Mapping[str, Sequence[ListedForming | ListedOpenSeat | ListedGame]]:
    """The games that are forming, the open seats, the latest games under way, and those that ended last."""
    running = select(GameRow).where(col(GameRow.status).in_(("running", *WAITING)))
    over = select(GameRow).where(col(GameRow.status).in_(OVER))
    return {
        "forming": list_forming(session),
        "seats": open_seats(session)[:_MOST],
        "running": _games(session, running.order_by(col(GameRow.created_at).desc()).limit(_MOST)),
        "over": _games(session, over.order_by(col(GameRow.finished_at).desc()).limit(_MOST_OVER)),
    }


def list_forming(session: Session) -> list[ListedForming]:
    """The games that are forming, the oldest first."""
    found = []
    for row in open_rows(session):
        terms, there = terms_of(row), entrants(session, row)
        players = str(row.most) if row.least == row.most else f"{row.least}-{row.most}"
        names = () if terms.anonymous else tuple(one.name for one in there)
        silent = [one.name for one in there if row.state == "confirming" and one.agreed_at is None]
        found.append(
            ListedForming(
                row.name, row.title, row.edition, dict(terms.options), players, names,
                terms.timetable, bool(row.invitation), row.state == "confirming", row.due_at,
                () if terms.anonymous else tuple(silent),
                f"{terms.master.name} <{terms.master.address}>" if terms.master is not None else "",
                len(there), terms.anonymous,
            )
        )  # fmt: skip
    return found


def open_seats(session: Session) -> list[ListedOpenSeat]:
    """The seats that are offered, in games that are not over."""
    wanted = (
        select(SeatRow, GameRow).join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(text(CARED), SeatRow.caretaker == "open", col(GameRow.status).not_in(OVER)).order_by(col(SeatRow.id))
    )  # fmt: skip
    return [ListedOpenSeat(game.id, seat.player, game.title, game.orders) for seat, game in session.exec(wanted).all()]


def list_guests(session: Session) -> list[ListedGuest]:
    """All people without a seat, and the open questions to such people, the oldest first."""
    there = session.exec(select(GuestRow).where(GuestRow.state == "in").order_by(col(GuestRow.id))).all()
    asked = session.exec(
        select(InquiryRow).where(InquiryRow.state == "open").order_by(col(InquiryRow.created_at))
    ).all()
    return [
        *(ListedGuest(one.kind, one.game, one.title, one.name, one.address, one.wish, one.created_at)
          for one in there),
        *(ListedGuest(f"asked: {one.kind}", one.game, one.title, one.name, one.address, one.wish, one.created_at,
                      one.due_at) for one in asked),
    ]  # fmt: skip


def _games(session: Session, wanted: object) -> list[ListedGame]:
    rows = session.exec(wanted).all()  # type: ignore[call-overload]
    seats = select(SeatRow.game, SeatRow.player).where(col(SeatRow.game).in_([row.id for row in rows]))
    players: dict[str, list[str]] = {row.id: [] for row in rows}
    for game, player in session.exec(seats.order_by(col(SeatRow.number))).all():
        players[game].append(player)
    return [
        ListedGame(row.id, row.edition, row.status, row.orders, tuple(players[row.id]), (), title=row.title)
        for row in rows
    ]
