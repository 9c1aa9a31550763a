"""Answers that have only notes, to text of which nothing could be used."""

from __future__ import annotations

from collections.abc import Iterable

from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Note, Notes, Transcript
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.program import program_of
from moderator.service.desk import Sitting
from moderator.service.locks import lock_games
from moderator.service.play.answers import answer
from moderator.service.post.outbox import Reply
from moderator.service.reading.parse import parse
from moderator.service.robots.budgets import answered, leave
from moderator.service.table.result import Result
from moderator.service.table.seats import claims_in
from moderator.service.table.table import table_of


def affordable(letter: Letter, told: Iterable[tuple[SeatRow, Outcome, Notes]], body: str) -> list[Result]:
    """Answers that have only notes, as far as the budgets of the seats allow them; ``body`` is a digest of the text
    that was read."""
    found = []
    for seat, outcome, notes in told:
        given = leave(letter.sitting, seat, letter.writer(letter.claim_of(seat)), letter.mail, body)
        if given is not None:
            result = _plain(letter.sitting, seat, outcome, notes)
            if answered(letter.sitting, result, given, letter.mail):
                found.append(result)
    return found


def unread(letter: Letter, outcome: Outcome, notes: Notes, detail: str) -> Ended:
    """End the mail, and tell the seats to whose addresses it came that nothing of it was read."""
    sitting, mail, claims = letter.sitting, letter.mail, letter.claims
    lock_games(sitting.session, (claim.seat.game for claim in claims))
    if claims:
        mail.game, mail.player = claims[0].seat.game, claims[0].seat.player
    for result in affordable(letter, [(claim.seat, outcome, notes) for claim in claims], outcome):
        answer(sitting, [result], Reply(mail))
    return Ended(outcome, detail)


def apologise(sitting: Sitting, mail: MailRow) -> None:
    """Tell the seats that their mail came, that the fault is ours, and that the mail is kept. A mail of a program gets
    no such answer."""
    if program_of(sitting, mail) is not None:
        return
    claims, _ = claims_in(sitting, parse(mail.content).addressed, mail.received_at)
    note: Note = ("error", {"reference": str(mail.id)})
    for claim in claims:
        answer(sitting, [_plain(sitting, claim.seat, "error", (note,))], Reply(mail))


def _plain(sitting: Sitting, seat: SeatRow, outcome: Outcome, notes: Notes) -> Result:
    table = table_of(sitting, seat)
    transcript = Transcript(table.row.id, seat.player, (), (), 0, outcome, notes, table.row.at)
    return Result(outcome, transcript, table, seat)
