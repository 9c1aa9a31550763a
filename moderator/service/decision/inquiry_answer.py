"""Answers of people without a seat to the questions that they are asked: ``yes`` or ``no`` as their first word."""

from __future__ import annotations

from typing import Final

from moderator.adapters.tables import InquiryRow
from moderator.service.decision.consent import consent
from moderator.service.decision.letter import Ended, Letter
from moderator.service.entry.answers import agreed, declined, lock
from moderator.service.entry.guests import inquiry_address, inquiry_tokens_in, write
from moderator.service.locks import lock_games
from moderator.service.post.counters import count
from moderator.service.reading.text_choice import Written
from moderator.service.table.trust import from_asked

_TOLD: Final = 3
"""The number of times a day that somebody is told that his answer to one question did not count."""


def answer_to_inquiry(letter: Letter, read: Written | Ended, tokens: list[str]) -> Ended:
    """Handle a mail to the addresses for answers with these ``tokens``. ``read`` is its text, or the end of a mail that
    could not be read."""
    if len(tokens) > 1:
        return Ended("ambiguous", "to several addresses at which somebody was asked")
    sitting, mail = letter.sitting, letter.mail
    row = sitting.session.get(InquiryRow, tokens[0])
    if row is None:
        return Ended("wrong_token", "an answer to a question that nobody was asked")
    lock_games(sitting.session, (row.game,))
    lock(sitting, row)
    doubtful = row.token not in inquiry_tokens_in(sitting.desk, letter.found.written_to)
    if from_asked(sitting, row.address, mail, doubtful=doubtful).ruling("answer") != "done":
        return _told(letter, row, "unproved", Ended("unconfirmed", "an answer without the proof that is asked for"))
    if isinstance(read, Ended):
        return _told(letter, row, "unreadable", read)
    if row.state != "open" or row.due_at <= sitting.now():
        return _told(letter, row, "past", Ended("stale", f"{row.kind} {row.state}"))
    said = consent(read.extracted.text)
    if not said:
        return _told(letter, row, "unclear", Ended("empty", f"neither yes nor no to {row.kind}"))
    row.state = "confirmed" if said == "yes" else "refused"
    follows = agreed(sitting, row) if said == "yes" else declined(sitting, row)
    if follows.key:
        write(sitting, row.address, follows.key, follows.facts, mail=mail)
    return Ended("confirmed" if said == "yes" else "declined", f"{row.kind} {row.game}".strip(), follows.moved)


def _told(letter: Letter, row: InquiryRow, key: str, ended: Ended) -> Ended:
    """Tell whoever was asked, but only a few times, because a program may be answering there."""
    sitting = letter.sitting
    if count(sitting, f"inquiry:{key == 'unproved'}:{row.token}") <= _TOLD:
        reply_to = inquiry_address(sitting.desk, row.token) if key in ("unclear", "unproved") else ""
        facts = {"game": row.game, "address": row.address}
        write(sitting, row.address, key, facts, reply_to=reply_to, mail=letter.mail)
    return ended
