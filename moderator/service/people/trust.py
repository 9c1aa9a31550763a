"""Whether a mail that names a seat's secret word may also act for it.

The word alone says which seat is meant. Who else has it is not known: turn mails are forwarded, and lists have
archives. So the mail must also come from an address of the player's; and where the service is told to ask for it, our
mail server must have proof that it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, func, select

from moderator.adapters.tables import AliasRow, KeptRow, MailRow, SeatRow
from moderator.domain.senders import same_address
from moderator.service.desk import Desk
from moderator.service.kept import recall

_PROVED = "proved "
Standing = Literal["own", "alias", "foreign", "unproved"]
"""``own`` the address of record, ``alias`` another confirmed one of the player, ``foreign`` any other, ``unproved`` it
says one of his and there is no proof, or proof of the contrary."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text came from, as one seat sees it. ``proved``: there is proof, or the address of record said so."""

    sender: str = ""
    standing: Standing = "own"
    proved: bool = False

    @property
    def acts(self) -> bool:
        """Whether it changes something without being confirmed."""
        return self.standing in ("own", "alias")


def origin_of(desk: Desk, session: Session, seat: SeatRow, mail: MailRow, *, doubtful: bool = False) -> Origin:
    """The origin of ``mail``, whose sender and verdict are known already, for ``seat``. ``doubtful``: whoever wrote it
    may not have sent it here."""
    own = same_address(mail.sender, seat.address)
    if not own and not is_alias(session, seat.address, mail.sender):
        return Origin(mail.sender, "foreign")
    proved = mail.verdict == "pass"
    enough = proved or (
        desk.settings.identity == "token" and mail.verdict != "fail" and not _proved_before(session, mail.sender)
    )
    if doubtful:
        return Origin(mail.sender, "unproved")
    if proved and not _proved_before(session, mail.sender):
        session.add(KeptRow(key=_PROVED + mail.sender, value={"mail": mail.id}, changed_at=desk.clock.now()))
    return Origin(mail.sender, ("own" if own else "alias") if enough else "unproved", proved)


def _proved_before(session: Session, address: str) -> bool:
    """Whether our mail server ever had proof of a player's address: without it, a later mail is suspicious."""
    return recall(session, _PROVED + address) is not None


def is_alias(session: Session, record: str, address: str) -> bool:
    """Whether ``address`` is a confirmed alias of whoever has ``record``."""
    if not address:
        return False
    wanted = select(AliasRow).where(
        AliasRow.record == record.lower(), AliasRow.address == address.lower(), col(AliasRow.confirmed_at).is_not(None)
    )
    return session.exec(wanted).first() is not None


def aliases_of(session: Session, record: str) -> list[AliasRow]:
    """Confirmed and unconfirmed ones, in alphabetical order."""
    wanted = select(AliasRow).where(AliasRow.record == record.lower()).order_by(col(AliasRow.address))
    return list(session.exec(wanted).all())


def seats_at(session: Session, address: str) -> list[SeatRow]:
    """The seats whose address of record it is."""
    wanted = select(SeatRow).where(func.lower(col(SeatRow.address)) == address.lower()).order_by(col(SeatRow.id))
    return list(session.exec(wanted).all())
