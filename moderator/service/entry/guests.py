"""People who have no seat: the rows of them, the mails to them, and the questions that they are asked.

Anybody can forge a sender. So whoever asks for something without a secret address is asked himself, at the address that
the mail names, and only his ``yes`` to the secret address in that mail counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias

from sqlmodel import Session, col, delete, select

from moderator.adapters.tables import FormingRow, GuestRow, InquiryRow, MailRow
from moderator.service.desk import Desk, Sitting
from moderator.service.people.requests import tokens_in
from moderator.service.play.new_games import check_name
from moderator.service.post.outbox import queue_guest

Kind: TypeAlias = Literal["entrant", "waiting", "observer"]
Asks: TypeAlias = Literal["join", "wait", "observe", "leave", "begin", "confirm", "place", "offer"]
Facts: TypeAlias = Mapping[str, Any]
ADDRESS: Final = "join"
"""The part of an answer address that says what it is for."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question to a person without a seat: what it is about, and the facts for its words."""

    kind: Asks
    address: str
    facts: Facts
    name: str = ""
    game: str = ""
    title: str = ""
    seat: int | None = None
    words: str = ""
    wish: str = ""
    hours: int | None = None
    """Hours for an answer; None for those of a confirmation."""


def inquiry_address(desk: Desk, token: str) -> str:
    """``railpost+join.TOKEN@domain``."""
    return f"{desk.settings.mailbox}+{ADDRESS}.{token}@{desk.settings.domain}".lower()


def inquiry_tokens_in(desk: Desk, texts: tuple[str, ...]) -> list[str]:
    """The secret words of all such addresses in ``texts``, each once."""
    return tokens_in(desk, texts, ADDRESS)


def ask(sitting: Sitting, inquiry: Inquiry, mail: MailRow | None = None) -> InquiryRow:
    """Store the question, and write it to the address."""
    now = sitting.now()
    hours = sitting.settings.confirm_hours if inquiry.hours is None else inquiry.hours
    row = InquiryRow(
        token=sitting.desk.secret_word(), kind=inquiry.kind, game=inquiry.game, title=inquiry.title, seat=inquiry.seat,
        name=inquiry.name, address=inquiry.address.lower(), mail=mail.id if mail is not None else None,
        words=inquiry.words, wish=inquiry.wish, created_at=now, due_at=now + timedelta(hours=hours),
    )  # fmt: skip
    sitting.session.add(row)
    facts = {"name": inquiry.name, "game": inquiry.game, "title": inquiry.title, "due": row.due_at,
             "words": inquiry.words, **inquiry.facts}  # fmt: skip
    reply_to = inquiry_address(sitting.desk, row.token)
    write(sitting, inquiry.address, f"ask_{inquiry.kind}", facts, reply_to=reply_to, mail=mail)
    return row


def write(
    sitting: Sitting, address: str, key: str, facts: Facts, *, reply_to: str = "", mail: MailRow | None = None
) -> None:  # fmt: skip
    """Write ``guest.KEY`` to an address. A mail without ``reply_to`` is answered to the service itself."""
    settings = sitting.settings
    rendered = sitting.words.guest_mail(key, {"service": settings.address, **facts}, reply_to)
    queue_guest(sitting, address, reply_to or settings.address, rendered, mail)


def close_inquiries(session: Session, game: str, *kinds: Asks, address: str = "") -> None:
    """Let the open questions of these kinds about ``game`` lapse; ``address``: only those to one person."""
    wanted = select(InquiryRow).where(
        InquiryRow.game == game, InquiryRow.state == "open", col(InquiryRow.kind).in_(kinds)
    )
    for row in session.exec(wanted).all():
        if not address or row.address == address.lower():
            row.state = "lapsed"


def guests(session: Session, kind: Kind, game: str = "") -> Sequence[GuestRow]:
    """The guests of a kind, the oldest first: those of one ``game``, or all on the waiting list."""
    wanted = select(GuestRow).where(GuestRow.kind == kind, GuestRow.state == "in", GuestRow.game == game)
    return session.exec(wanted.order_by(col(GuestRow.created_at), col(GuestRow.id))).all()


def guest_at(session: Session, kind: Kind, address: str, game: str = "") -> GuestRow | None:
    """The guest of a kind at ``address``; None if there is none."""
    return next((one for one in guests(session, kind, game) if one.address == address.lower()), None)


def add(
    sitting: Sitting, kind: Kind, name: str, address: str, *, game: str = "", title: str = "", wish: str = ""
) -> GuestRow:  # fmt: skip
    row = GuestRow(
        kind=kind, game=game, title=title, name=name, address=address.lower(), wish=wish, created_at=sitting.now()
    )  # fmt: skip
    sitting.session.add(row)
    sitting.session.flush()
    return row


def forget_gone(desk: Desk) -> None:
    """Delete what is kept of people who are gone, and questions that are closed, when mails of strangers are deleted.
    Those who have left a game that is forming still are kept, so that its places are offered."""
    days = desk.settings.stranger_mail_days
    before = desk.clock.now() - timedelta(days=days)
    if not days:
        return
    with desk.database.transaction() as session:
        still = select(FormingRow.name).where(col(FormingRow.state).in_(("open", "confirming")))
        session.exec(
            delete(GuestRow).where(
                col(GuestRow.state) == "gone", col(GuestRow.created_at) < before, col(GuestRow.game).not_in(still)
            )
        )
        session.exec(
            delete(InquiryRow).where(
                col(InquiryRow.state) != "open", col(InquiryRow.due_at) < before, col(InquiryRow.game).not_in(still)
            )
        )


def name_for(known_as: str, address: str) -> str:
    """A name for somebody who has not chosen one: that in his mail, or the first part of his address if that cannot be
    a name."""
    for name in (known_as, address.partition("@")[0], "Guest"):
        try:
            check_name(name)
        except ValueError:
            continue
        return name
    raise AssertionError("the last can be a name")
