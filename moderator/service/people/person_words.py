"""The words with which a player manages his addresses: alias, address, revoke."""

from __future__ import annotations

from typing import cast

from sqlmodel import select

from grammar import Word
from moderator.adapters.tables import AliasRow, MailRow, PendingRow, SeatRow
from moderator.domain.evidence import MODIFIERS, Request
from moderator.domain.senders import address_in, domain_of, same_address
from moderator.domain.transcript import Note
from moderator.service.desk import Sitting
from moderator.service.people import requests as pending
from moderator.service.people.address_change import request
from moderator.service.people.everywhere import EVERYWHERE
from moderator.service.people.journal import note, revoke_tokens
from moderator.service.table.seat_text import Writer, writer_of
from moderator.service.table.trust import Origin, aliases_of

KINDS = ("alias", "address", "revoke")
_REMOVE = "remove"


def request_of(word: Word) -> Request | None:
    """The request that a word makes, named as in ``moderator.domain.evidence``; None for a word that only says how to
    read the text."""
    if word.kind in MODIFIERS:
        return None
    if word.kind == "alias" and not word.argument:
        return "show"
    if word.kind == "alias" and (word.argument or "").split(" ")[0] == _REMOVE:
        return "alias remove"
    if word.kind in ("away", "back"):
        first, _, days = (word.argument or "").partition(" ")
        everywhere = first == EVERYWHERE
        if word.kind == "away" and not (days if everywhere else first):
            return "show"
        return "absence everywhere" if everywhere else "absence" if word.kind == "away" else "back"
    return cast(Request, word.kind)  # an unknown word has no row, and so does nothing


def said(sitting: Sitting, seat: SeatRow, word: Word, origin: Origin, mail: MailRow | None) -> Note:
    """Carry out ``word``. Returns the note about it."""
    match word.kind:
        case "revoke":
            revoke(sitting, seat)
            return "revoked", {}
        case "address":
            return request(sitting, seat, word.argument or "", origin, mail)
        case _:
            return _alias(sitting, seat, word.argument or "", origin, mail)


def revoke(sitting: Sitting, seat: SeatRow) -> None:
    """Revoke all secret addresses that the seat was ever told. The next mail to the seat has a new one. Orders that
    wait for a confirmation are dropped, because they came with an old address."""
    revoke_tokens(sitting, seat)
    waiting = select(PendingRow).where(
        PendingRow.seat == seat.id, PendingRow.kind == "orders", PendingRow.state == "open"
    )
    for row in sitting.session.exec(waiting).all():
        row.state = "refused"
    sitting.session.flush()


def forget_alias(sitting: Sitting, seat: SeatRow, address: str) -> bool:
    """Remove ``address`` from the player's aliases. False if it was not one of them."""
    row = sitting.session.get(AliasRow, (address.lower(), seat.address.lower()))
    if row is None:
        return False
    sitting.session.delete(row)
    note(sitting, seat, "alias removed")
    return True


def _alias(sitting: Sitting, seat: SeatRow, argument: str, origin: Origin, mail: MailRow | None) -> Note:
    first, _, rest = argument.partition(" ")
    if not argument:
        known = tuple(row.address for row in aliases_of(sitting.session, seat.address) if row.confirmed_at is not None)
        return "alias.list", {"addresses": known}
    if first == _REMOVE:
        gone = forget_alias(sitting, seat, rest)
        return ("alias.removed" if gone else "alias.unknown"), {"address": rest}
    proved = origin.ruling("alias") == "done"
    return add_alias(sitting, seat, argument, mail, proved=proved, writer=writer_of(origin))


def add_alias(
    sitting: Sitting, seat: SeatRow, text: str, mail: MailRow | None, *, proved: bool,
    writer: Writer = "own",
) -> Note:  # fmt: skip
    """Ask whether ``text`` is another address of the player. His address of record is asked first, unless its consent
    is ``proved``; only then is the other address asked. Returns the note about it."""
    address = address_in(text)
    known = aliases_of(sitting.session, seat.address)
    if not address or domain_of(address) == sitting.settings.domain.lower():
        return "address.bad", {"address": text}
    if same_address(address, seat.address) or any(a.address == address and a.confirmed_at is not None for a in known):
        return "alias.known", {"address": address}
    if len(known) >= sitting.settings.most_aliases and all(a.address != address for a in known):
        return "alias.many", {"most": sitting.settings.most_aliases}
    if not pending.may_ask(sitting, seat, writer):
        return "identity.often", {}
    if not proved:
        pending.ask(sitting, seat, pending.Request("alias", {}, address), mail)
        return "alias.asked", {"address": address}
    ask_other(sitting, seat, address, mail)
    return "alias.written", {"address": address}


def ask_other(sitting: Sitting, seat: SeatRow, address: str, mail: MailRow | None) -> None:
    """Ask the other address, which must agree too. This is the second step."""
    record = seat.address.lower()
    if sitting.session.get(AliasRow, (address, record)) is None:
        sitting.session.add(AliasRow(address=address, record=record, created_at=sitting.now()))
    pending.ask(sitting, seat, pending.Request("alias.other", {}, address), mail)
