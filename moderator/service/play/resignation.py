"""Players who give up their seats: asked at the address of record first; then the seat is open to others."""

from __future__ import annotations

from engine.acts.act import turn_in
from engine.holders.control import controller_of
from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.transcript import Note
from moderator.service.people import requests as pending
from moderator.service.play.deputy import set_caretaker
from moderator.service.table.seat_text import writer_of
from moderator.service.table.table import Table
from moderator.service.table.trust import Origin

KIND = "resign"


def resign(table: Table, seat: SeatRow, origin: Origin, mail: MailRow | None, *, trial: bool) -> Note:
    """Handle ``resign`` of a player. Returns the note for his answer."""
    found = hindrance(table, seat)
    if found is not None:
        return found
    if trial:
        return "resign.trial", {}
    if origin.ruling("resign") == "done":
        give_up_seat(table, seat)
        return "resign.done", {}
    if not pending.may_ask(table.sitting, seat, writer_of(origin)):
        return "identity.often", {}
    pending.ask(table.sitting, seat, pending.Request(KIND, {}), mail)
    return "resign.asked", {}


def hindrance(table: Table, seat: SeatRow) -> Note | None:
    """The reason why the player cannot give up his seat now; None if he can."""
    if table.row.over:
        return "resign.over", {}
    if seat.caretaker == "open":
        return "resign.open", {}
    company = _begun_turn(table, seat)
    return ("resign.turn", {"company": company}) if company else None


def give_up_seat(table: Table, seat: SeatRow) -> None:
    """Open the seat to others. All are told."""
    set_caretaker(table, seat, "open", key="resigned")


def _begun_turn(table: Table, seat: SeatRow) -> str:
    """The company of the player that is in the middle of its turn; empty if there is none."""
    game = table.game
    now, orders = turn_in(game.state), len(game.orders)
    if now is None or not orders or controller_of(game.title, game.state, now.company) != seat.player:
        return ""
    before = game.at(orders - 1)
    earlier = turn_in(before)
    same = earlier is not None and earlier.company == now.company and before.round == game.state.round
    return now.company if same else ""
