"""Changes of the address of record: requested, announced to the old address and the operator, then stopped or carried
out. One change is for all seats of the person, in all games.

The address of record gets all mail of the seat, so its owner plays the seat. Therefore a change takes time, and the old
address can stop it. A request that did not come from the old address needs a ``yes`` from there, even if mail to that
address is known to bounce: bounces can be forged. In that case only the operator can do without it.
"""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import Session, col, select, update

from moderator.adapters.tables import MailRow, OutboxRow, PendingRow, SeatRow
from moderator.domain.senders import address_in, domain_of, same_address
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game, lock_games
from moderator.service.people import requests as pending
from moderator.service.people.journal import note, revoke_tokens
from moderator.service.people.reach import heard, welcome_back
from moderator.service.post.outbox import queue_operator
from moderator.service.table import persons
from moderator.service.table.notices import turn_mail
from moderator.service.table.persons import games_with, seats_at, shown_to
from moderator.service.table.seat_text import writer_of
from moderator.service.table.stuck import Apart
from moderator.service.table.table import seats_of, table_of
from moderator.service.table.tenure import follow
from moderator.service.table.trust import Origin


def request(sitting: Sitting, seat: SeatRow, text: str, origin: Origin, mail: MailRow | None) -> tuple[str, Facts]:
    """Handle a player's request. Returns the note for his answer."""
    address = address_in(text)
    if not address or domain_of(address) == sitting.settings.domain.lower():
        return "address.bad", {"address": text}
    if same_address(address, seat.address):
        return "address.same", {"address": address}
    if not pending.may_ask(sitting, seat, writer_of(origin)):
        return "identity.often", {}
    row = begin(sitting, seat, address, mail, agreed=origin.ruling("address") == "done")
    return f"address.{row.state}", {"address": address, "due": shown_to(sitting.session, seat, row.due_at)}


def begin(sitting: Sitting, seat: SeatRow, address: str, mail: MailRow | None = None, *, agreed: bool) -> PendingRow:
    """Announce the change. ``agreed``: only time must pass, and earlier requests of the seat no longer stand. A request
    that still needs the consent of the address of record replaces only open requests for the same address. Requests
    from all seats of the person count."""
    earlier_ones = [
        row
        for one in seats_at(sitting.session, seat.address)
        for row in pending.open_ones(sitting.session, one, "address")
    ]
    for earlier in earlier_ones:
        if agreed or (earlier.state == "open" and same_address(earlier.address, address)):
            earlier.state = "refused"
    due = sitting.now() + timedelta(hours=sitting.settings.address_delay_hours)
    state = "confirmed" if agreed else "open"
    row = pending.ask(sitting, seat, pending.Request("address", {"agreed": agreed}, address, due, state), mail)
    told: Facts = {
        "game": seat.game, "player": seat.player, "address": address, "due": _shown(row), "agreed": agreed,
        "unreachable": seat.unreachable_at is not None,
    }  # fmt: skip
    about = f"address {seat.game} {seat.player}"
    queue_operator(sitting, sitting.words.operator_words("address", told), kind=about)
    note(sitting, seat, "address asked")
    return row


def take_effect(sitting: Sitting, seat: SeatRow, address: str) -> None:
    """Send all mail of the person who has ``seat`` to ``address`` from now on, in all his games. Secret words sent to
    the old address become void. The old address is told once, and so is each table."""
    old = seat.address
    seats = [one for one in _locked(sitting.session, seat, old) if one.id != seat.id]
    others = tuple(dict.fromkeys(one.game for one in seats if one.game != seat.game))
    pending.write(sitting, seat, ("address_gone", {"player": seat.player, "others": others}), to=old)
    for one in (seat, *seats):
        _move(sitting, one, address, asked=one is seat)
    persons.move(sitting.session, old, address)


def _locked(session: Session, seat: SeatRow, address: str) -> list[SeatRow]:
    """The seats with this address of record, once their games are locked."""
    lock_games(session, (seat.game, *(one.game for one in seats_at(session, address))))
    return seats_at(session, address)


def _move(sitting: Sitting, seat: SeatRow, address: str, *, asked: bool) -> None:
    """Send the mail of one seat to ``address``. In a game that is over, only the seat that ``asked`` is told."""
    game = lock_game(sitting.session, seat.game)
    old, running = seat.address, not game.over
    facts: Facts = {"player": seat.player}
    kept = (col(OutboxRow.game) == seat.game, col(OutboxRow.player) == seat.player, col(OutboxRow.state) == "kept")
    sitting.session.exec(update(OutboxRow).where(*kept).values(recipient=address))
    seat.address = address
    follow(sitting.session, seat, old)
    revoke_tokens(sitting, seat)
    for row in pending.open_ones(sitting.session, seat, "orders", "alias", "alias.other", "address", "resign"):
        row.state = "refused"
    note(sitting, seat, "address")
    back = heard(sitting, seat)
    if not running and not asked:
        return
    pending.write(sitting, seat, ("address_here", facts))
    seats = seats_of(sitting.session, game.id)
    for other in seats:
        told = running and not game.veiled  # who has another address at that moment in other games is the same person
        if other.id != seat.id and not same_address(other.address, address) and told:
            pending.write(sitting, other, ("address_changed", facts))
    if back:
        welcome_back(sitting, seat, told=not running)
    elif seat.question and running:
        turn_mail(table_of(sitting, seat), seat)


def sweep_pending(desk: Desk) -> int:
    """Carry out changes that have waited long enough, and close lapsed confirmations. Returns their number."""
    now = desk.clock.now()
    due = (
        select(PendingRow.token, SeatRow.game, SeatRow.address)
        .join(SeatRow, col(SeatRow.id) == col(PendingRow.seat))
        .where(col(PendingRow.due_at) <= now)
        .where((PendingRow.state == "open") | ((PendingRow.state == "confirmed") & (PendingRow.kind == "address")))
        .order_by(col(PendingRow.due_at))
    )
    with desk.database.reading() as session:
        found = session.exec(due).all()
    count = 0
    for token, game, address in found:
        with Apart(desk, game), desk.sitting() as sitting:
            lock_games(sitting.session, (game, *games_with(sitting.session, address)))
            count += _close(sitting, token)
    return count


def _close(sitting: Sitting, token: str) -> bool:
    """Carry out one change, or let one request lapse. False if another service or an answer has closed it meanwhile."""
    row = sitting.session.get(PendingRow, token, with_for_update=True)
    seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
    if row is None or seat is None or row.state not in ("open", "confirmed"):
        return False
    if row.kind == "address":
        _end(sitting, seat, row)
    elif row.state == "open":
        row.state = "lapsed"
    return True


def _end(sitting: Sitting, seat: SeatRow, row: PendingRow) -> None:
    if row.state == "confirmed":
        row.state = "done"
        sitting.session.flush()
        take_effect(sitting, seat, row.address)
        return
    row.state = "lapsed"
    facts: Facts = {"game": seat.game, "player": seat.player, "address": row.address}
    queue_operator(sitting, sitting.words.operator_words("address_lapsed", facts))


def _shown(row: PendingRow) -> str:
    return row.due_at.strftime("%Y-%m-%d %H:%M")
