"""Mails to the service's own address whose first line is a word that needs no secret address.

Anybody can forge the sender of such a mail. So nothing follows from it but one mail to the address that it names: an
answer, or the question whether the mail was his. Budgets for each address, for each domain and for all strangers
together bound these mails.
"""

from __future__ import annotations

import re
from email.utils import parseaddr
from typing import Final

from sqlmodel import col, func, select

from grammar.plain_words import PlainFault, PlainWord, read_plain
from moderator.adapters.tables import SeatRow
from moderator.domain.outcome import Outcome
from moderator.domain.senders import domain_of
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.nobody import not_to_answer
from moderator.service.entry.guests import Inquiry, ask, write
from moderator.service.entry.wishes import weigh
from moderator.service.post.counters import count, used
from moderator.service.reading.message import head_of, values
from moderator.service.reading.text_choice import Written
from moderator.service.robots.budgets import may_answer_stranger
from moderator.service.table.trust import from_nobody, is_proved

_SHOWN: Final[dict[str, Outcome]] = {"games": "shown", "help": "helped"}
_NAME: Final = 60
_PROVED: Final = 10
"""A domain has so many times more answers to mail with proof."""


def plain_mail(letter: Letter, read: Written) -> Ended | None:
    """Handle the mail; None if it says none of these words, or is not to the service's own address."""
    sitting, sender = letter.sitting, letter.found.sender
    if not sender or letter.wrong or not _to_plain_address(letter):
        return None
    word = read_plain(read.extracted.above or read.extracted.text)
    if word is None:
        return None
    if (ended := not_to_answer(letter)) is not None:
        return ended
    origin = from_nobody(sitting.desk, sender)
    if isinstance(word, PlainWord) and word.what not in _SHOWN and origin.ruling("join") != "asked":
        return None
    if not _affordable(letter, sender.lower()):
        return Ended("loop", "not answered: the sender, his domain or strangers together had their answers")
    if isinstance(word, PlainFault):
        key = "several" if word.reason == "several" else "unread"
        facts = {"text": word.text[:_NAME], "form": word.form, "reason": word.reason, "words_too": 1}
        write(sitting, sender, key, facts, mail=letter.mail)
        return Ended("unreadable", word.text[:_NAME])
    weighed = weigh(sitting, word, sender, _known_as(letter))
    if isinstance(weighed, Inquiry):
        ask(sitting, weighed, letter.mail)
        return Ended("unconfirmed", f"{word}: asked at {sender}")
    write(sitting, sender, weighed.key, weighed.facts, mail=letter.mail)
    return Ended(_SHOWN.get(word.what, "refused") if weighed.done else "refused", f"{word}: {weighed.key}")


def _to_plain_address(letter: Letter) -> bool:
    own = re.escape(letter.sitting.settings.address)
    pattern = re.compile(rf"(?<![\w.+-]){own}(?![\w-]|\.[\w-])", re.IGNORECASE)
    return any(pattern.search(text) is not None for text in letter.parsed.addressed)


def _known_as(letter: Letter) -> str:
    """The name in From; empty if there is none."""
    names = [parseaddr(value)[0] for value in values(head_of(letter.mail.content), "From")]
    name = " ".join(names[0].split()) if names else ""
    return "" if "@" in name or len(name) > _NAME else name


def _affordable(letter: Letter, address: str) -> bool:
    """True if one more such mail may go to ``address`` today. Counts it. Forged mail cannot use up the answers to mail
    with proof, and strangers cannot use up those of players."""
    sitting, limits = letter.sitting, letter.sitting.settings
    if count(sitting, f"words:{address}") > limits.words_per_address:
        return False
    wanted = select(SeatRow.id).where(func.lower(col(SeatRow.address)) == address)
    if sitting.session.exec(wanted).first() is not None:
        return True
    proved = is_proved(letter.mail)
    domain = f"words:{'proved ' if proved else ''}@{domain_of(address)}"
    if used(sitting, domain) >= limits.words_per_domain * (_PROVED if proved else 1):
        return False
    count(sitting, domain)
    return may_answer_stranger(sitting)
