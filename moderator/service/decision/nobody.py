"""Mail that proves to be from no seat."""

from __future__ import annotations

import re

from sqlmodel import col, func, select

from moderator.adapters.tables import SeatRow, StrangerRow
from moderator.domain.outcome import Outcome
from moderator.service.decision.letter import Ended, Letter
from moderator.service.desk import Sitting
from moderator.service.operation.releases import is_released
from moderator.service.post.outbox import queue_stranger
from moderator.service.robots.budgets import may_answer_stranger
from moderator.service.robots.classify import is_spam, went_to_many
from moderator.service.table.trust import forged


def to_nobody(letter: Letter, wrong: int) -> Ended:
    """End the mail. The sender gets a short fixed answer, only a few times a day, which never has the text that he
    sent: a player at his address of record, anybody else at the return path that the server saw. Spam, forged mail and
    strangers on lists are not answered. ``wrong`` is the number of secret words in the mail that are not valid."""
    sitting, mail = letter.sitting, letter.mail
    if (ended := not_to_answer(letter, wrong)) is not None:
        return ended
    known = _known(letter)
    recipient = known.address if known is not None else mail.envelope_from
    detail = ""
    if not recipient or not re.fullmatch(r"[^\s<>@]+@[^\s<>@]+", recipient):
        detail = "not answered: it has no return path"
    elif not _may_answer(sitting, recipient.lower(), known=known is not None):
        detail = "not answered: the sender, or strangers together, had their answers"
    else:
        queue_stranger(sitting, recipient, mail, known=known is not None)
    return Ended("wrong_token" if wrong or known is not None else "unknown_sender", detail)


def not_to_answer(letter: Letter, wrong: int = 0) -> Ended | None:
    """The end of a mail to no seat that is spam, forged or by a mailing list; None if it may be answered."""
    mail = letter.mail
    outcome: Outcome = "wrong_token" if wrong else "unknown_sender"
    if is_spam(mail.content) and not is_released(letter.sitting.session, mail.id):
        return Ended("quarantine", "spam, as the mail server says")
    if forged(mail):  # the person named in it has not written it
        return Ended(outcome, "its sender is forged")
    if _known(letter) is None and went_to_many(mail.content, mail.envelope_from):
        return Ended(outcome, "by a mailing list, and so not answered")
    return None


def _known(letter: Letter) -> SeatRow | None:
    """A seat of the person whom the mail names as its sender."""
    wanted = select(SeatRow).where(func.lower(col(SeatRow.address)).in_(letter.parsed.senders or ("",)))
    return letter.sitting.session.exec(wanted).first()


def _may_answer(sitting: Sitting, address: str, *, known: bool) -> bool:
    """True if the fixed answer goes to ``address``. Counts it. A ``known`` player gets it even if strangers have used
    up theirs."""
    day = sitting.now().date().isoformat()
    row = sitting.session.get(StrangerRow, (address, day)) or StrangerRow(address=address, day=day)
    if row.answers >= sitting.settings.strangers_per_day:
        return False
    row.answers += 1
    sitting.session.add(row)
    return known or may_answer_stranger(sitting)
