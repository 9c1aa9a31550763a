"""Decides one mail inside its transaction: its stages in order, each of which may end it."""

from __future__ import annotations

from moderator.adapters.tables import MailRow
from moderator.service.decision.confirmation import answer_to_questions
from moderator.service.decision.duplicates import compare
from moderator.service.decision.execution import carry_out
from moderator.service.decision.inquiry_answer import answer_to_inquiry
from moderator.service.decision.letter import Ended, Letter, open_letter
from moderator.service.decision.master_answer import answer_to_line
from moderator.service.decision.master_letter import master_mail
from moderator.service.decision.motions import answer_to_motion
from moderator.service.decision.nobody import to_nobody
from moderator.service.decision.plain_mail import plain_mail
from moderator.service.decision.program import program_of
from moderator.service.decision.read import read_letter
from moderator.service.decision.sorting import sort_out
from moderator.service.desk import Sitting
from moderator.service.entry.guests import inquiry_tokens_in
from moderator.service.people.master_lines import line_tokens_in
from moderator.service.people.requests import tokens_in
from moderator.service.reading.text_choice import Written
from moderator.service.robots.automatic import take_note
from moderator.service.table.game_master import offices_in


def decide(sitting: Sitting, mail: MailRow) -> Ended:
    """Decide ``mail``, and store its outcome."""
    ended = _walk(sitting, mail)
    mail.outcome, mail.detail, mail.decided_at = ended.outcome, ended.detail[:2_000], sitting.now()
    mail.lease_owner = mail.lease_until = None
    return ended


def _walk(sitting: Sitting, mail: MailRow) -> Ended:
    program = program_of(sitting, mail)  # before anything in it is read
    if program is not None:
        return Ended(*take_note(sitting, mail, program))
    letter = open_letter(sitting, mail)
    if isinstance(letter, Ended):
        return letter
    read = read_letter(letter)
    if not letter.claims and (ended := _of_others(letter, read)) is not None:
        return ended
    if isinstance(read, Ended):
        return read
    questions = tokens_in(sitting.desk, letter.parsed.addressed)
    if questions:
        return answer_to_questions(letter, read, questions)
    found = sort_out(sitting.session, read.extracted, letter.claims, mail.received_at)
    if not found.said and not found.unsorted:
        if (ended := plain_mail(letter, read)) is not None:
            return ended
        return to_nobody(letter, letter.wrong or sum(1 for fence in read.extracted.fences if fence.token))
    fresh = compare(letter, read, found)
    return fresh if isinstance(fresh, Ended) else carry_out(letter, fresh)


def _of_others(letter: Letter, read: Written | Ended) -> Ended | None:
    """Handle a mail to one of the addresses that game masters and people without a seat have; None if it is to none of
    them."""
    desk, addressed = letter.sitting.desk, letter.parsed.addressed
    if lines := line_tokens_in(desk, addressed):
        return answer_to_line(letter, read, lines)
    if offices := offices_in(desk, addressed):
        return master_mail(letter, read, offices)
    if inquiries := inquiry_tokens_in(desk, addressed):
        return answer_to_inquiry(letter, read, inquiries)
    if motions := tokens_in(desk, addressed, "motion"):
        return answer_to_motion(letter, read, motions)
    return None
