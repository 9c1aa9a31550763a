"""Hands a seat over to another person. Held orders and kept mails of the previous player are dropped.

The seat keeps its name in the game, because orders, the record and the other players' notes use it.
"""

from __future__ import annotations

from sqlmodel import col, update

from moderator.adapters.tables import OutboxRow, SeatRow
from moderator.domain.house_names import check_person_names
from moderator.domain.senders import same_address
from moderator.domain.transcript import Facts
from moderator.service.desk import Sitting
from moderator.service.locks import lock_game
from moderator.service.people import requests as pending
from moderator.service.people.absence import end_absences
from moderator.service.people.journal import note, revoke_tokens
from moderator.service.people.reach import REPLACED
from moderator.service.table.anonymity import why_knowing
from moderator.service.table.clocks import charge, open_deadlines, timetable_of, whole_time
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.motions import empty_voice, facts_of
from moderator.service.table.notices import catch_up, turn_mail
from moderator.service.table.persons import seats_at
from moderator.service.table.table import seats_of, table_of
from moderator.service.table.tenure import check_floor, open_tenure


def hand_over(sitting: Sitting, seat: SeatRow, name: str, address: str, reason: str = "") -> None:
    """Let ``name`` at ``address`` play ``seat`` from now on. The previous player, the new one and all others are told,
    with the ``reason``. Held orders are withdrawn, sealed orders stay, secret addresses become void, and an answer that
    is due gets its whole time again. ``ValueError`` if the game is over, the seat is already played from that address,
    the game asks for more answers in time than ``name`` has, or he knows who plays an anonymous game."""
    game = lock_game(sitting.session, seat.game)
    if game.over:
        raise ValueError(f"{game.id} is over: its seats can no longer change")
    if same_address(seat.address, address):
        raise ValueError(f"{seat.player} is already played from that address")
    check_floor(sitting.session, timetable_of(game).floor, name, address)
    if game.anonymous:
        check_person_names((name,))
    if why := why_knowing(sitting.session, game, name, address):
        raise ValueError(why)
    facts: Facts = {"player": seat.player, "name": "" if game.veiled else name, "reason": reason}
    held = waiting_rows(sitting.session, game.id, seat.player)
    for one in held:
        one.status, one.closed_at = "withdrawn", sitting.now()
    _nothing_left_open(sitting, seat)
    table = table_of(sitting, seat)
    for deadline in open_deadlines(sitting.session, game.id, seat.player):
        charge(table, seat, deadline)
    end_absences(sitting.session, seat)
    pending.write(sitting, seat, ("seat_gone", {**facts, "opened": seat.caretaker == "open"}), to=seat.address)
    seat.address, seat.notify, seat.told = address, "turn", game.orders
    seat.pictures, seat.person = "on", "" if name == seat.player else name
    seat.heard_at = seat.away_at = seat.unreachable_at = seat.stopped_at = None
    seat.bounces, seat.given_at, seat.caretaker = 0, sitting.now(), ""
    open_tenure(sitting.session, seat, sitting.now(), reason)
    _new_time(sitting, seat)
    note(sitting, seat, "given")
    withdrawn = tuple(one.text for one in held)
    here: Facts = {**facts, "withdrawn": withdrawn, "orders": game.orders}
    pending.write(sitting, seat, ("seat_here", here), first=True)
    for vote in empty_voice(sitting.session, game.id, seat.player):
        pending.write(sitting, seat, ("vote_begun", facts_of(table, vote)))
    seats = seats_of(sitting.session, game.id)
    for other in seats:
        if other.id != seat.id and not same_address(other.address, address):
            pending.write(sitting, other, ("seat_given", facts))
    if game.orders:
        catch_up(table_of(sitting, seat), seat)
    if seat.question:
        turn_mail(table_of(sitting, seat), seat)


def _nothing_left_open(sitting: Sitting, seat: SeatRow) -> None:
    """Revoke the secret addresses of the previous player, refuse his open confirmations, and drop the mails kept for
    him."""
    revoke_tokens(sitting, seat)
    rest = [one for one in seats_at(sitting.session, seat.address) if one.id != seat.id]
    for row in pending.open_ones(
        sitting.session, seat, "orders", "paused", "alias", "alias.other", "address", "resign"
    ):
        if row.kind == "address" and rest and rest[0].id is not None:
            row.seat = rest[0].id  # his change of address is for his other seats, too
        else:
            row.state = "refused"
    kept = (col(OutboxRow.game) == seat.game, col(OutboxRow.player) == seat.player, col(OutboxRow.state) == "kept")
    sitting.session.exec(update(OutboxRow).where(*kept).values(state="failed", error=REPLACED))


def _new_time(sitting: Sitting, seat: SeatRow) -> None:
    game = lock_game(sitting.session, seat.game)
    if game.clocked:
        for row in open_deadlines(sitting.session, game.id, seat.player):
            whole_time(sitting.session, game, row, sitting.now())
