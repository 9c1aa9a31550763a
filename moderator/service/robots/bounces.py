"""Bounces of our mail, and complaints about it.

Class 5 counts against the address; class 4, delays and whatever arrived do not (RFC 3464, RFC 3463). Anybody can write
a report. One about no mail of ours is put aside, and one from somebody who cannot have had the mail counts for
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Final, Literal

from sqlalchemy import exists
from sqlmodel import col, select

from moderator.adapters.tables import BounceRow, MailRow, OutboxRow
from moderator.domain.evidence import ruling
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_games
from moderator.service.people.master_lines import not_reached
from moderator.service.people.reach import REPLACED, give_up, stop, stop_digest
from moderator.service.post import counters as counting
from moderator.service.post.outbox import DIGEST, queue_operator
from moderator.service.reading.message import body_of, value
from moderator.service.robots.classify import failures
from moderator.service.robots.codes import CODE, codes_in, text_of
from moderator.service.robots.traces import Trace, seat_of, trace
from moderator.service.table.stuck import Apart

Kind = Literal["hard", "soft", "delayed", "arrived"]
_ARRIVED: Final = ("delivered", "relayed", "expanded", "deliverable")


@dataclass(frozen=True, slots=True)
class Returned:
    """The contents of a report: ``recipients`` in small letters, ``status`` the code of RFC 3463 if there is one."""

    kind: Kind
    status: str = ""
    recipients: tuple[str, ...] = ()


def read_report(message: Message) -> Returned:
    """Read a report of any form. Returns the worst result for any recipient."""
    found = [_of_recipient(block) for block in _blocks(message)]
    if found:
        worst = max(found, key=lambda one: ("arrived", "delayed", "soft", "hard").index(one.kind))
        return Returned(worst.kind, worst.status, tuple(name for one in found for name in one.recipients))
    temporary, permanent = failures(message)
    codes = codes_in(text_of(message))
    status = next((code for code in codes if "." in code), "")
    classes = {code[0] for code in codes}
    names = tuple(permanent or temporary)
    if "4" not in classes and (permanent or "5" in classes):
        return Returned("hard", status, names)
    if classes == {"2"} and not temporary:
        return Returned("arrived", status, names)
    return Returned("delayed" if temporary and not permanent else "soft", status, names)


def returned(sitting: Sitting, mail: MailRow, name: str) -> tuple[Outcome, str]:
    """Note the bounce in ``mail``; ``name`` is the name in the return path to which it came. Returns the mail's outcome
    and the reason."""
    found = trace(sitting, name, mail.content)
    if found is None:
        return "quarantine", "a bounce of no mail that was sent from here"
    report = read_report(body_of(mail.content))
    if not _believable(found, report.recipients):
        return "quarantine", "a bounce that names another recipient than the mail had"
    mail.game, mail.player = found.mail.game, found.mail.player
    counts = ruling(found.evidence, "bounce", sitting.settings.identity) == "done"
    kind = report.kind if counts or report.kind != "hard" else "hard?"
    said = f"{kind} {report.status}".strip() + f", outgoing mail {found.mail.id}"
    if kind == "arrived":
        return "receipt", said
    if note(sitting, found.mail, kind, report.status, mail):
        return "bounce", said
    return "bounce", f"{said}, known already"


def note(
    sitting: Sitting, sent: OutboxRow, kind: str, status: str, mail: MailRow | None = None
) -> bool:  # fmt: skip
    """Note that ``sent`` came back, or that somebody complained about it, and do what follows from that. False if it
    was known already. A server that refuses a mail counts as one that returns it."""
    known = select(BounceRow).where(BounceRow.outbox == sent.id, BounceRow.kind == kind)
    if sitting.session.exec(known).first() is not None:
        return False
    sitting.session.add(
        BounceRow(
            outbox=sent.id, mail=mail.id if mail is not None else None, address=sent.recipient.lower(), kind=kind,
            status=status, at=sitting.now(),
        )
    )  # fmt: skip
    if kind == "hard":
        give_up(sitting, sent.recipient, status)
        not_reached(sitting, sent)
    elif kind.endswith("?") and sent.game and counting.count(sitting, f"unproved:{sent.game}:{sent.player}") == 1:
        facts: Facts = {"game": sent.game, "player": sent.player, "mail": mail.id if mail is not None else ""}
        queue_operator(sitting, sitting.words.operator_words("unproved", facts))
    return True


def refused(desk: Desk, most: int = 100) -> int:
    """Count as a bounce each mail about games that its recipient's server refused for good, or that never went.
    Returns the number of new ones."""
    known = exists().where(col(BounceRow.outbox) == col(OutboxRow.id))
    failed = (
        select(OutboxRow.id, OutboxRow.game)
        .where(OutboxRow.state == "failed", OutboxRow.error != REPLACED, ~known)
        .where(col(OutboxRow.game).is_not(None) | (OutboxRow.kind == DIGEST))
        .order_by(col(OutboxRow.id))
        .limit(most)
    )
    with desk.database.reading() as session:
        rows = session.exec(failed).all()
    count = 0
    for number, game in rows:
        with Apart(desk, game or DIGEST), desk.sitting() as sitting:
            row = sitting.session.get_one(OutboxRow, number)
            found = CODE.search(row.error)
            count += note(sitting, row, "hard", found.group() if found else "")
    return count


def complained(sitting: Sitting, mail: MailRow, name: str) -> tuple[Outcome, str]:
    """Note the complaint in ``mail``: a recipient called a mail of ours spam (RFC 5965). If there is enough evidence,
    his seat gets no more mail, and the operator is told. Returns the mail's outcome and the reason."""
    found = trace(sitting, name, mail.content)
    if found is None:
        return "quarantine", "a complaint about no mail that was sent from here"
    counts = ruling(found.evidence, "complaint", sitting.settings.identity) == "done"
    if not _believable(found, tuple(_complainers(body_of(mail.content)))):
        return "quarantine", "a complaint that names another recipient than the mail had"
    mail.game, mail.player = found.mail.game, found.mail.player
    kind = "complaint" if counts else "complaint?"
    said = f"{kind} about outgoing mail {found.mail.id}"
    if not note(sitting, found.mail, kind, "", mail):
        return "complaint", f"{said}, known already"
    lock_games(sitting.session, (found.mail.game,) if found.mail.game is not None else ())
    seat = seat_of(sitting.session, found.mail)
    if seat is not None and counts:
        stop(sitting, seat, "complaint")
    elif found.mail.kind == DIGEST and counts and stop_digest(sitting, found.mail.recipient, told=False):
        queue_operator(sitting, sitting.words.operator_words("no_digest", {"address": found.mail.recipient}))
    return "complaint", said


def _believable(found: Trace, recipients: tuple[str, ...]) -> bool:
    """True if a report can be believed. A report to the secret return path is from somebody who has had the mail, even
    if it was forwarded. A report that only names the mail must also name its recipient, and even then only the operator
    is told."""
    return found.evidence == "return path" or found.mail.recipient.lower() in recipients


def _complainers(message: Message) -> Iterator[str]:
    for block in _blocks(message, "message/feedback-report"):
        for header in ("Original-Rcpt-To", "Removal-Recipient"):
            yield value(block, header).strip("<>").lower()
    for part in message.walk():
        if part is not message and part.get("To"):
            yield from re.findall(r"[^\s<>,;\"]+@[^\s<>,;\"]+", value(part, "To").lower())


def _blocks(message: Message, kind: str = "message/delivery-status") -> Iterator[Message]:
    """The groups of fields in parts of that ``kind``; the library reads each as a message without a text."""
    for part in message.walk():
        if part.get_content_type() not in (kind, kind.replace("message/", "message/global-")):
            continue
        payload = part.get_payload()
        if isinstance(payload, list):
            yield from (block for block in payload if isinstance(block, Message) and _about_recipient(block, kind))
        elif isinstance(payload, str):
            from email import message_from_string

            for text in re.split(r"\n\s*\n", payload.replace("\r\n", "\n"))[:50]:
                block = message_from_string(text)
                if _about_recipient(block, kind):
                    yield block


def _about_recipient(block: Message, kind: str) -> bool:
    return kind != "message/delivery-status" or any(
        value(block, name) for name in ("Final-Recipient", "Action", "Status")
    )


def _of_recipient(block: Message) -> Returned:
    """The result for one recipient (RFC 3464 2.3): the action says what happened, the class of the status whether it is
    permanent. It is not if the other server's own code says so (class 4)."""
    action = re.sub(r"[^a-z].*", "", value(block, "Action").lower())
    said = [found for name in ("Status", "Diagnostic-Code") if (found := CODE.search(value(block, name)))]
    status = next((found.group() for found in said), "")
    classes = {found[1] for found in said}
    names = tuple(
        value(block, header).partition(";")[2].strip().strip("<>").lower()
        for header in ("Final-Recipient", "Original-Recipient")
        if value(block, header)
    )
    if action in _ARRIVED or (action != "failed" and status.startswith("2")):
        return Returned("arrived", status, names)
    if action == "delayed":
        return Returned("delayed", status, names)
    permanent = classes == {"5"} or (action == "failed" and not classes)
    return Returned("hard" if permanent else "soft", status, names)
