"""Answers to confirmation mails: ``yes`` or ``no`` as their first word.

An answer of a program counts as neither. Confirmed orders are carried out as if they came now, so they may be too late.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from moderator.adapters.tables import AliasRow, MailRow, PendingRow, SeatRow
from moderator.service.decision.consent import consent
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.motions import follow_votes
from moderator.service.decision.sorting import sort_again
from moderator.service.locks import lock_game
from moderator.service.people import requests as pending
from moderator.service.people.journal import note
from moderator.service.people.master_lines import KIND as LINE
from moderator.service.people.person_words import ask_other
from moderator.service.play.answers import answer, tell_others
from moderator.service.play.resignation import give_up_seat, hindrance
from moderator.service.play.turn import handle
from moderator.service.post import counters as counting
from moderator.service.post.list_headers import message_id_of
from moderator.service.post.outbox import Reply
from moderator.service.reading.text_choice import Written
from moderator.service.table.result import Result
from moderator.service.table.seat_text import Said
from moderator.service.table.table import table_of
from moderator.service.table.trust import answer_of, confirmed

_UNCLEAR_ANSWERS = 3


def ask_orders(letter: Letter, said: Said, result: Result) -> str:
    """Ask the address of record about a text that came from elsewhere. Returns the detail for the operator."""
    origin = said.origin
    if result.asked:
        return f"{origin.standing}: {origin.sender}"
    if not pending.may_ask(letter.sitting, result.seat, said.writer):
        return "not asked about any more today"
    words = tuple(f"{word.kind} {word.argument or ''}".strip() for word in result.transcript.words)
    orders = tuple(line.canonical for line in result.transcript.lines if line.canonical)
    facts = {"sender": origin.sender, "standing": origin.standing, "orders": orders, "said": words,
             "press": result.transcript.press}  # fmt: skip
    pending.ask(letter.sitting, result.seat, pending.Request("orders", facts), letter.mail)
    return f"{origin.standing}: {origin.sender}"


def answer_to_questions(letter: Letter, read: Written, tokens: list[str]) -> Ended:
    """Handle a mail to confirmation addresses with these ``tokens``."""
    if len(tokens) > 1:
        return Ended("ambiguous", "to several addresses at which a confirmation was asked for")
    sitting, mail = letter.sitting, letter.mail
    row = sitting.session.get(PendingRow, tokens[0])
    seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
    if row is None or seat is None or row.kind == LINE:
        return Ended("wrong_token", "a confirmation that nobody was asked for")
    lock_game(sitting.session, seat.game)
    sitting.session.refresh(row, with_for_update=True)
    mail.game, mail.player = seat.game, seat.player
    # an "ok" that was said to somebody else and forwarded is no answer
    doubtful = row.token not in pending.tokens_in(sitting.desk, letter.found.written_to)
    if answer_of(sitting, seat, row, mail, doubtful=doubtful).ruling("answer") != "done":
        wanted = row.address if row.kind == "alias.other" else seat.address
        _tell(letter, seat, row, "confirm_unproved", wanted=wanted)
        return Ended("unconfirmed", "an answer without the proof that is asked for")
    return _answered(letter, seat, row, consent(read.extracted.text))


def _answered(letter: Letter, seat: SeatRow, row: PendingRow, said: Literal["yes", "no", ""]) -> Ended:
    """Handle the player's answer ``said`` to the request in ``row``."""
    open_still = row.state == "open" or (row.kind == "address" and row.state == "confirmed" and said == "no")
    if not open_still or row.due_at <= letter.sitting.now():
        _tell(letter, seat, row, "confirm_past")
        return Ended("stale", f"{row.kind} {row.state}")
    if said == "no":
        row.state = "refused"
        note(letter.sitting, seat, f"{row.kind} declined")
        if row.kind != "alias.other":
            pending.write(letter.sitting, seat, ("declined", {}), mail=letter.mail)
        return Ended("declined", row.kind)
    if said != "yes":
        _tell(letter, seat, row, "confirm_unclear")
        return Ended("empty", f"neither yes nor no to {row.kind}")
    row.state = "confirmed"
    return _agreed(letter, seat, row)


def _agreed(letter: Letter, seat: SeatRow, row: PendingRow) -> Ended:
    sitting, mail = letter.sitting, letter.mail
    match row.kind:
        case "orders":
            return _carry_out(letter, seat, row)
        case "resign":
            return _resign(letter, seat)
        case "alias":
            ask_other(sitting, seat, row.address, mail)
            pending.write(sitting, seat, ("alias_written", {"address": row.address}), mail=mail)
        case "alias.other":
            alias = sitting.session.get(AliasRow, (row.address, seat.address.lower()))
            if alias is None:
                return Ended("stale", "the alias was removed meanwhile")
            alias.confirmed_at = sitting.now()
            note(sitting, seat, "alias")
            pending.write(sitting, seat, ("alias_added", {"address": row.address}), mail=mail)
        case _:
            for other in pending.open_ones(sitting.session, seat, "address"):
                if other.token != row.token:
                    other.state = "refused"
            facts = {"address": row.address, "due": row.due_at}
            pending.write(sitting, seat, ("address_agreed", facts), mail=mail)
    return Ended("confirmed", row.kind)


def _resign(letter: Letter, seat: SeatRow) -> Ended:
    """Open the seat to others, unless its player is in the middle of a turn by now."""
    table = table_of(letter.sitting, seat)
    found = hindrance(table, seat)
    if found is not None:
        key, facts = found
        pending.write(letter.sitting, seat, (key.replace(".", "_"), facts), mail=letter.mail)
        return Ended("refused", key)
    give_up_seat(table, seat)
    return Ended("confirmed", "resign")


def _carry_out(letter: Letter, seat: SeatRow, row: PendingRow) -> Ended:
    """Carry out the earlier mail, as if it came now and from the address of record."""
    sitting = letter.sitting
    before = sitting.session.get(MailRow, row.mail) if row.mail is not None else None
    if before is not None and before.emptied_at is not None:
        _tell(letter, seat, row, "confirm_past")
        return Ended("stale", f"what mail {before.id} said is not kept any more")
    found = [said for said in sort_again(sitting, before) if said.seat.id == seat.id] if before is not None else []
    if before is None or not found:
        _tell(letter, seat, row, "confirm_past")
        return Ended("stale", "its secret address is void")
    said = replace(found[0], origin=confirmed(sitting.desk, before.sender), notes=(*found[0].notes, ("confirmed", {})))
    result = handle(sitting, said, before)
    answer(sitting, [result], Reply(letter.mail, message_id_of(letter.parsed.message_id)))
    tell_others(result)
    moved = ((result.table.live,) if result.fork is not None else ()) + follow_votes(result)
    return Ended(result.outcome, f"mail {before.id} confirmed", moved)


def _tell(letter: Letter, seat: SeatRow, row: PendingRow, key: str, **facts: object) -> None:
    """Tell the address of record, but only a few times, because a program may be answering there. Another person who
    has the confirmation address does not use up the player's answers."""
    sitting, who = letter.sitting, "other" if key == "confirm_unproved" else "player"
    if row.kind != "alias.other" and counting.count(sitting, f"answer:{who}:{row.token}") <= _UNCLEAR_ANSWERS:
        reply_to = pending.confirm_address(sitting.desk, row.token) if key == "confirm_unclear" else ""
        pending.write(sitting, seat, (key, facts), mail=letter.mail, reply_to=reply_to)
