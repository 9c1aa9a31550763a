"""Open seats: offered to the people on the waiting list, one after the other, until somebody takes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlmodel import col, or_, select

from moderator.adapters.tables import CARED, OVER, GameRow, InquiryRow, SeatRow
from moderator.service.desk import Desk, Sitting
from moderator.service.entry.guests import Inquiry, ask, guests, write
from moderator.service.locks import lock_game
from moderator.service.people.hand_over import hand_over
from moderator.service.play.reminders import tell_named_master
from moderator.service.post.outbox import queue_operator
from moderator.service.table.anonymity import why_knowing
from moderator.service.table.clocks import timetable_of
from moderator.service.table.game_master import seat_at
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table, table_of
from moderator.service.table.tenure import check_floor

_TAKEN: Final = "the seat is not open any more"


def offer_seats(desk: Desk) -> int:
    """Offer each open seat to whoever has waited longest and was not asked about it yet. Returns the number of
    offers."""
    wanted = (
        select(SeatRow.id, SeatRow.game).join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(text(CARED), SeatRow.caretaker == "open", col(GameRow.status).not_in(OVER)).order_by(col(SeatRow.id))
    )  # fmt: skip
    with desk.database.reading() as session:
        found = session.exec(wanted).all() if guests(session, "waiting") else []
    count = 0
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            seat = next((one for one in table.seats if one.id == number), None)
            if seat is not None and seat.caretaker == "open" and not table.row.over:
                count += _offer(table, seat)
    return count


def withdraw_offers(desk: Desk) -> int:
    """Withdraw the offers of seats that are not open any more, and tell whoever was asked. Returns their number."""
    gone = (
        select(InquiryRow.token, InquiryRow.game).join(SeatRow, col(SeatRow.id) == col(InquiryRow.seat))
        .join(GameRow, col(GameRow.id) == col(SeatRow.game)).where(InquiryRow.kind == "offer")
        .where(InquiryRow.state == "open", or_(SeatRow.caretaker != "open", col(GameRow.status).in_(OVER)))
    )  # fmt: skip
    with desk.database.reading() as session:
        found = session.exec(gone).all()
    for token, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            lock_game(sitting.session, game)
            row = sitting.session.get_one(InquiryRow, token, with_for_update=True)
            if row.state == "open":
                row.state = "lapsed"
                write(sitting, row.address, "offer_gone", {"game": game, "why": _TAKEN})
    return len(found)


def lapse_inquiries(desk: Desk) -> int:
    """Close the questions to people without a seat whose time is over. Returns their number."""
    with desk.sitting() as sitting:
        due = select(InquiryRow).where(InquiryRow.state == "open", col(InquiryRow.due_at) <= sitting.now())
        found = sitting.session.exec(due.with_for_update()).all()
        for row in found:
            row.state = "lapsed"
        return len(found)


def take_seat(sitting: Sitting, row: InquiryRow) -> str:
    """Give the seat of an offer to the person who takes it. Returns why that cannot be done any more; empty if it is
    done."""
    game = lock_game(sitting.session, row.game)
    table = lock_table(sitting, row.game)
    seat = next((one for one in table.seats if one.id == row.seat), None)
    if seat is None or seat.caretaker != "open" or game.over:
        return _TAKEN
    if seat_at(table.sitting.session, table.seats, row.address) is not None:
        return "you play in this game already"
    name = _free_name(table, seat, row.name)
    try:
        hand_over(sitting, seat, name, row.address)
    except ValueError as error:
        return str(error)
    facts = {"game": game.id, "player": seat.player, "name": name}
    tell_named_master(table_of(sitting, seat), seat, "master_taken", facts)
    queue_operator(sitting, sitting.words.operator_words("seat_taken", facts))
    return ""


def _free_name(table: Table, seat: SeatRow, name: str) -> str:
    """``name``, with a number if somebody else at the table has it."""
    taken = {said.casefold() for one in table.seats if one.id != seat.id for said in (one.player, one.person)}
    number, found = 2, name
    while found.casefold() in taken:
        number, found = number + 1, f"{name} {number}"
    return found


def _offer(table: Table, seat: SeatRow) -> int:
    sitting, row = table.sitting, table.row
    asked = sitting.session.exec(select(InquiryRow).where(InquiryRow.kind == "offer", InquiryRow.seat == seat.id)).all()
    if any(one.state == "open" for one in asked):
        return 0
    since = seat.given_at
    known = {one.address for one in asked if since is None or one.created_at > since}
    for guest in guests(sitting.session, "waiting"):
        if guest.address in known or guest.title not in ("", row.title):
            continue
        if seat_at(table.sitting.session, table.seats, guest.address) is not None:
            continue
        if why_knowing(sitting.session, row, guest.name, guest.address):
            continue
        try:
            check_floor(sitting.session, timetable_of(row).floor, guest.name, guest.address)
        except ValueError:
            continue
        facts = {
            "player": seat.player, "edition": row.edition, "orders": row.orders, "round": table.game.state.round,
            "others": tuple(one.player for one in table.seats if one.id != seat.id), "terms": timetable_of(row),
        }  # fmt: skip
        hours = sitting.settings.join_hours
        ask(sitting, Inquiry("offer", guest.address, facts, guest.name, row.id, row.title, seat.id, hours=hours))
        return 1
    return 0
