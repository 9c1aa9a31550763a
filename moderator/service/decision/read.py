"""The part of a mail that may be read, and the text in it that its writer wrote."""

from __future__ import annotations

from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.plain import unread
from moderator.service.people.requests import tokens_in
from moderator.service.reading.parse import Malformed
from moderator.service.reading.text_choice import Written, written
from moderator.service.robots.budgets import exhausted


def read_letter(letter: Letter) -> Written | Ended:
    """The text without quotations, forwarded mails and signatures. A mail that is too large was not fetched whole, and
    nothing of it is read. A mail whose seats have all used up their budgets is not read either."""
    mail = letter.mail
    if mail.size > len(mail.content):
        facts = {"size": mail.size, "most": letter.sitting.settings.largest_mail}
        return unread(letter, "too_large", (("too_large", facts),), f"{mail.size} bytes")
    if _used_up(letter):
        mail.game, mail.player = letter.claims[0].seat.game, letter.claims[0].seat.player
        return Ended("loop", "not read any more today")
    try:
        read = written(letter.parsed)
    except Malformed as fault:
        return unread(letter, "malformed", (("malformed", {"why": fault.why}),), str(fault))
    return unread(letter, "unreadable", read.notes, "encrypted") if read.unread else read


def _used_up(letter: Letter) -> bool:
    """True if the budgets of all seats to whose addresses the mail came are used up. Answers to questions are always
    read."""
    if not letter.claims or tokens_in(letter.sitting.desk, letter.parsed.addressed):
        return False
    return all(exhausted(letter.sitting, claim.seat, letter.writer(claim)) for claim in letter.claims)
