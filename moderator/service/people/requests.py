"""Requests that wait for a ``yes``. Each is stored, and a mail asks about it, with a secret word in its answer address.

The word goes only to the address that is asked, so an answer with it comes from there. There is no link to open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session, select

from moderator.adapters.tables import MailRow, PendingRow, SeatRow
from moderator.domain.transcript import Facts, Note
from moderator.service.desk import Desk, Sitting
from moderator.service.post import counters as counting
from moderator.service.post.outbox import Reply, queue, queue_to
from moderator.service.table.seat_text import Writer
from moderator.service.table.seats import info_for
from moderator.service.table.table import table_of


def confirm_address(desk: Desk, token: str) -> str:
    """``railpost+confirm.TOKEN@domain``."""
    return f"{desk.settings.mailbox}+confirm.{token}@{desk.settings.domain}".lower()


def tokens_in(desk: Desk, texts: tuple[str, ...], kind: str = "confirm") -> list[str]:
    """The secret words of all confirmation addresses in ``texts``, or of addresses of another ``kind``, each once."""
    pattern = re.compile(
        rf"(?<![\w.+-]){re.escape(desk.settings.mailbox)}\+{kind}\.([a-z2-7]+)@{re.escape(desk.settings.domain)}(?![\w.-])",
        re.IGNORECASE,
    )
    return list(dict.fromkeys(found.lower() for text in texts for found in pattern.findall(text)))


def may_ask(sitting: Sitting, seat: SeatRow, writer: Writer = "own") -> bool:
    """True if the seat may be asked once more today on behalf of this kind of writer; counts the question. Anybody with
    its secret address could otherwise fill the player's mailbox. Each kind of writer is counted apart, so that nobody
    else uses up the player's own questions."""
    return counting.count(sitting, _scope(seat, writer)) <= sitting.settings.confirmations_per_day


def could_ask(sitting: Sitting, seat: SeatRow, writer: Writer) -> bool:
    """The same as ``may_ask``, without counting the question."""
    return counting.used(sitting, _scope(seat, writer)) < sitting.settings.confirmations_per_day


def _scope(seat: SeatRow, writer: Writer) -> str:
    return f"confirm:{writer}:{seat.id}"


@dataclass(frozen=True, slots=True)
class Request:
    """The subject of a request: its ``kind``, the ``facts`` for the words, and the other ``address`` that it is about.
    Without ``due`` it waits for ``confirm_hours``."""

    kind: str
    facts: Facts
    address: str = ""
    due: datetime | None = None
    state: str = "open"


def ask(sitting: Sitting, seat: SeatRow, request: Request, mail: MailRow | None = None) -> PendingRow:
    """Store the request, and ask the address of record, or for ``alias.other`` the other address itself. Returns its
    row."""
    assert seat.id is not None
    now, kind, address = sitting.now(), request.kind, request.address
    token = sitting.desk.secret_word()
    due = request.due or now + timedelta(hours=sitting.settings.confirm_hours)
    row = PendingRow(
        token=token, kind=kind, seat=seat.id, mail=mail.id if mail is not None else None, address=address,
        created_at=now, state=request.state, due_at=due,
    )  # fmt: skip
    sitting.session.add(row)
    told = {"player": seat.player, "due": row.due_at, "address": address, **request.facts}
    note, reply_to = (f"confirm.{kind}", told), confirm_address(sitting.desk, row.token)
    write(sitting, seat, note, mail=mail, reply_to=reply_to, to=address if kind == "alias.other" else "")
    return row


def write(
    sitting: Sitting, seat: SeatRow, note: Note, *, mail: MailRow | None = None, reply_to: str = "", to: str = "",
    first: bool = False,
) -> None:  # fmt: skip
    """Write a few fixed sentences to the address of record, or ``to`` another address. A mail to another address holds
    no player's address, no order given ahead and no seed. ``first``: the mail goes before turn mails that are written
    after it."""
    key, facts = note
    info = info_for(table_of(sitting, seat), seat)
    if reply_to or to:
        info = replace(info, reply_to=reply_to, token="")
    if not to:
        reply = Reply(mail) if mail is not None else None
        row = queue(sitting, seat, info, "notice", sitting.words.notice_mail(info, key, facts), reply)
        row.priority = 0 if first else row.priority
        return
    info = replace(info, seats=dict.fromkeys(info.seats), held=(), seed=None)
    rendered = sitting.words.notice_mail(info, key, facts)
    queue_to(sitting, to, reply_to or sitting.settings.address, seat, rendered, mail)


def open_ones(session: Session, seat: SeatRow, *kinds: str) -> list[PendingRow]:
    """The open requests of these kinds for a seat: those that wait for an answer, and agreed changes of address that
    wait for their time."""
    wanted = select(PendingRow).where(PendingRow.seat == seat.id, PendingRow.state.in_(("open", "confirmed")))  # type: ignore[attr-defined]
    found = session.exec(wanted).all()
    return [row for row in found if row.kind in kinds and (row.state == "open" or row.kind == "address")]
