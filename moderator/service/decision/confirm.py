"""Answers to confirmation mails: ``yes`` or ``no`` as their first word.

An answer of a program says neither. Confirmed orders are carried out as if they came now: they may be too late.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from moderator.adapters.tables import AliasRow, MailRow, PendingRow, SeatRow
from moderator.domain.transcript import Outcome
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.people import pending
from moderator.service.people.journal import note
from moderator.service.people.person_words import ask_other
from moderator.service.play.turn import answer, handle, tell_others
from moderator.service.post import counting
from moderator.service.post.list_headers import message_id_of
from moderator.service.table.result import Result
from moderator.service.table.said import Said, Writer
from moderator.service.table.trust import Origin, answer_of, confirmed

Reread = Callable[[MailRow], list[Said]]
"""The orders of a mail that was stored, sorted by seats."""

_YES = re.compile(r"(yes|y|confirm|ok|okay)\b[\s.!,]*", re.IGNORECASE)
_NO = re.compile(r"(no|n|stop|decline|cancel)\b[\s.!,]*", re.IGNORECASE)
_UNCLEAR_ANSWERS = 3


@dataclass(slots=True)
class Answered:
    """The result of an answer. ``moved`` are games to keep once the transaction is committed."""

    outcome: Outcome
    detail: str = ""
    moved: list[Live] = field(default_factory=list)


def ask_orders(
    sitting: Sitting, result: Result, origin: Origin, mail: MailRow, writer: Writer
) -> str:  # fmt: skip
    """Ask the address of record about a mail from elsewhere. Returns the detail for the operator."""
    if result.asked:
        return f"{origin.standing}: {origin.sender}"
    if not pending.may_ask(sitting, result.seat, writer):
        return "not asked about any more today"
    said = tuple(f"{word.kind} {word.argument or ''}".strip() for word in result.transcript.words)
    orders = tuple(line.canonical for line in result.transcript.lines if line.canonical)
    facts = {"sender": origin.sender, "standing": origin.standing, "orders": orders, "said": said,
             "press": result.transcript.press}  # fmt: skip
    pending.ask(sitting, result.seat, "orders", facts, mail=mail)
    return f"{origin.standing}: {origin.sender}"


def answered(
    sitting: Sitting, mail: MailRow, token: str, text: str, message_id: str | None, reread: Reread, *,
    doubtful: bool = False,
) -> Answered:  # fmt: skip
    """Deal with a mail to the answer address with ``token``. ``text`` is what its writer wrote himself. ``doubtful``:
    he may have written it to somebody else."""
    row = sitting.session.get(PendingRow, token)
    seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
    if row is None or seat is None:
        return Answered("wrong_token", "a confirmation that nobody was asked for")
    lock_game(sitting.session, seat.game)
    sitting.session.refresh(row, with_for_update=True)
    mail.game, mail.player = seat.game, seat.player
    if answer_of(sitting, seat, row, mail, doubtful=doubtful).ruling("answer") != "done":
        wanted = row.address if row.kind == "alias.other" else seat.address
        _tell(sitting, seat, row, mail, "confirm_unproved", wanted=wanted)
        return Answered("unconfirmed", "an answer without the proof that is asked for")
    said = _said(text)
    open_still = row.state == "open" or (row.kind == "address" and row.state == "confirmed" and said == "no")
    if not open_still or row.due_at <= sitting.now():
        _tell(sitting, seat, row, mail, "confirm_past")
        return Answered("stale", f"{row.kind} {row.state}")
    if said == "no":
        row.state = "refused"
        note(sitting, seat, f"{row.kind} declined")
        if row.kind != "alias.other":
            pending.write(sitting, seat, "declined", {}, mail=mail)
        return Answered("declined", row.kind)
    if said != "yes":
        _tell(sitting, seat, row, mail, "confirm_unclear")
        return Answered("empty", f"neither yes nor no to {row.kind}")
    row.state = "confirmed"
    return _agreed(sitting, seat, row, mail, message_id, reread)


def _agreed(
    sitting: Sitting, seat: SeatRow, row: PendingRow, mail: MailRow, message_id: str | None, reread: Reread
) -> Answered:
    match row.kind:
        case "orders":
            return _carry_out(sitting, seat, row, mail, message_id, reread)
        case "alias":
            ask_other(sitting, seat, row.address, mail)
            pending.write(sitting, seat, "alias_written", {"address": row.address}, mail=mail)
        case "alias.other":
            alias = sitting.session.get(AliasRow, (row.address, seat.address.lower()))
            if alias is None:
                return Answered("stale", "the alias was removed meanwhile")
            alias.confirmed_at = sitting.now()
            note(sitting, seat, "alias")
            pending.write(sitting, seat, "alias_added", {"address": row.address}, mail=mail)
        case _:
            for other in pending.open_ones(sitting.session, seat, "address"):
                if other.token != row.token:
                    other.state = "refused"
            facts = {"address": row.address, "due": row.due_at.strftime("%Y-%m-%d %H:%M")}
            pending.write(sitting, seat, "address_agreed", facts, mail=mail)
    return Answered("confirmed", row.kind)


def _carry_out(
    sitting: Sitting, seat: SeatRow, row: PendingRow, mail: MailRow, message_id: str | None, reread: Reread
) -> Answered:
    """Carry out the earlier mail, as if it came now and from the address of record."""
    before = sitting.session.get(MailRow, row.mail) if row.mail is not None else None
    if before is not None and before.emptied_at is not None:
        _tell(sitting, seat, row, mail, "confirm_past")
        return Answered("stale", f"what mail {before.id} said is not kept any more")
    found = [said for said in reread(before) if said.seat.id == seat.id] if before is not None else []
    if before is None or not found:
        _tell(sitting, seat, row, mail, "confirm_past")
        return Answered("stale", "its secret address is void")
    said = found[0]
    said.origin = confirmed(sitting.desk, before.sender)
    said.notes = (*said.notes, ("confirmed", {}))
    result = handle(sitting, said, before)
    answer(sitting, [result], mail, message_id_of(message_id))
    tell_others(sitting, result)
    return Answered(result.outcome, f"mail {before.id} confirmed", [result.live] if result.fork is not None else [])


def _said(text: str) -> Literal["yes", "no", ""]:
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return "yes" if _YES.fullmatch(first) else "no" if _NO.fullmatch(first) else ""


def _tell(sitting: Sitting, seat: SeatRow, row: PendingRow, mail: MailRow, key: str, **facts: object) -> None:
    """Tell the address of record, at most a few times: a program may be answering there. Another person who has the
    address for the answer does not use up the player's answers."""
    who = "other" if key == "confirm_unproved" else "player"
    if row.kind != "alias.other" and counting.count(sitting, f"answer:{who}:{row.token}") <= _UNCLEAR_ANSWERS:
        reply_to = pending.confirm_address(sitting.desk, row.token) if key == "confirm_unclear" else ""
        pending.write(sitting, seat, key, facts, mail=mail, reply_to=reply_to)
