"""All mails of a game as one mbox file: those that came and those that were sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from sqlmodel import Session, col, select

from moderator.adapters.mail.mbox import Kept, write_mbox
from moderator.adapters.mail.message import build, one_line
from moderator.adapters.tables import AliasRow, GameRow, MailRow, OutboxRow, SeatRow
from moderator.domain.ports import Outgoing
from moderator.domain.records.renaming import renamed_text
from moderator.domain.redaction import HIDDEN
from moderator.service.desk import Desk
from moderator.service.operation.sealed_texts import is_sealed_up
from moderator.service.operation.secret_words import hiding
from moderator.service.play.journal.name_removal import names_of
from moderator.service.post.pictures import without
from moderator.service.reading.readable import readable
from moderator.service.table.table import seats_of

Hide = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Mbox:
    """The file, ``content``, and the number of ``mails`` in it. The other numbers are of mails that are left out:
    ``emptied``, their text has been deleted; ``sealed``, they may reveal a sealed order; ``taken``, they are of a
    player whose name was taken out."""

    content: bytes
    mails: int
    emptied: int
    sealed: int
    taken: int = 0


def mbox_of(desk: Desk, name: str, seat: str = "", *, raw: bool = False) -> Mbox | None:
    """The mails of a game, or of the present player of ``seat`` alone; None if there is no such game or seat.

    Secret addresses are left out. So are players whose names were taken out, with their mails, unless ``seat`` is
    theirs. ``raw`` gives mails as they came and went, with these addresses and players. ``ValueError`` for an anonymous
    game that is not over: its mails say who plays.
    """
    with desk.database.reading() as session:
        since = _since(session, name, seat)
        if since is None:
            return None
        if not (seat or raw) and session.get_one(GameRow, name).veiled:
            raise ValueError(f"{name} is anonymous, and its mails say who plays: name a --seat, or take --raw")
        emptied = sealed = taken = 0
        kept: list[Kept] = []
        names = {} if raw else names_of(session, name)
        names = {} if seat in names else names
        hide = None if raw else _hiding(session, name, names)
        for moment, gone, theirs, make in (
            *_came(session, name, seat, since, names, hide),
            *_sent(desk, session, name, seat, since, names, hide),
        ):
            if gone:
                emptied += 1
            elif theirs:
                taken += 1
            elif is_sealed_up(session, desk.games, name, moment):
                sealed += 1
            else:
                kept.append(make())
    return Mbox(write_mbox(kept), len(kept), emptied, sealed, taken)


Found = tuple[datetime, bool, bool, Callable[[], Kept]]
"""The moment of a mail, True if its text has been deleted, True if it is of a player whose name was taken out, and a
function that makes the mail."""
Names = Mapping[str, str]


def _hiding(session: Session, name: str, names: Names) -> Hide:
    """A function that takes out secrets, and the names and addresses of the players in ``names``."""
    secrets = hiding(session)
    if not names:
        return secrets
    records = [seat.address.lower() for seat in seats_of(session, name) if seat.player in names]
    others = session.exec(select(AliasRow.address).where(col(AliasRow.record).in_(records))).all()
    new = {**dict.fromkeys((*records, *others), HIDDEN), **names}
    return lambda text: renamed_text(secrets(text), new)


def _since(session: Session, name: str, seat: str) -> datetime | None:
    """The moment from which mails may be read: a player does not get the mails of the player before him. None if there
    is no such game or seat."""
    game = session.get(GameRow, name)
    if game is None or not seat:
        return None if game is None else game.created_at
    row = session.exec(select(SeatRow).where(SeatRow.game == name, SeatRow.player == seat)).first()
    return None if row is None else row.given_at or game.created_at


def _came(session: Session, name: str, seat: str, since: datetime, names: Names, hide: Hide | None) -> Iterator[Found]:
    query = select(MailRow).where(MailRow.game == name, col(MailRow.received_at) >= since)
    if seat:
        query = query.where(MailRow.player == seat)
    for row in session.exec(query.order_by(col(MailRow.id))):
        theirs = row.player in names
        yield row.received_at, row.emptied_at is not None, theirs, lambda row=row: _incoming(row, hide)  # type: ignore[misc]


def _incoming(row: MailRow, hide: Hide | None) -> Kept:
    sender = row.sender or row.envelope_from or ""
    if hide is None:
        return Kept(row.received_at, sender, row.content)
    text = hide(readable(row.content))
    message = EmailMessage()
    sender = hide(sender)
    message["From"] = one_line(hide(row.sender) or "nobody@localhost")
    message["Date"] = format_datetime(row.received_at)
    message["Subject"] = one_line(f"mail {row.id} of {row.player or 'nobody'}: {row.outcome or 'waiting'}")
    message.set_content(text)
    return Kept(row.received_at, sender, message.as_bytes())


def _sent(
    desk: Desk, session: Session, name: str, seat: str, since: datetime, names: Names, hide: Hide | None
) -> Iterator[Found]:
    query = select(OutboxRow).where(
        OutboxRow.game == name, OutboxRow.state == "sent", col(OutboxRow.created_at) >= since
    )
    if seat:
        query = query.where(OutboxRow.player == seat)
    for row in session.exec(query.order_by(col(OutboxRow.id))):
        # a mail to no seat is about one: it went to an address that its player had, or may have
        theirs = row.player in names or (row.player is None and bool(names))
        yield row.created_at, row.emptied_at is not None, theirs, lambda row=row: _outgoing(desk, row, hide)  # type: ignore[misc]


def _outgoing(desk: Desk, row: OutboxRow, hide: Hide | None) -> Kept:
    """The mail as it was sent, or only its text if secrets are left out."""
    sender, open_text = desk.settings.address, hide is None
    own = (lambda text: text) if hide is None else hide
    mail = Outgoing(
        message_id=own(row.message_id), recipient=row.recipient, return_path="", sender=sender,
        reply_to=row.reply_to if open_text else sender, subject=own(row.subject), text=own(row.text),
        html=_plain_html(row) if open_text else "", created_at=row.created_at, headers=row.headers if open_text else {},
    )  # fmt: skip
    return Kept(row.created_at, sender, build(mail))


def _plain_html(row: OutboxRow) -> str:
    """The HTML without its pictures, which were drawn for the mail alone."""
    return without(row.html, *(str(picture.get("id")) for picture in row.pictures))
