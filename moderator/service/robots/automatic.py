"""The consequences of mail that no person wrote. None of it is answered."""

from __future__ import annotations

from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.evidence import Evidence, ruling
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Facts
from moderator.service.desk import Sitting
from moderator.service.people.reach import away
from moderator.service.post import counters as counting
from moderator.service.post.outbox import queue_operator
from moderator.service.reading.message import head_of, values
from moderator.service.reading.recipients import ADDRESSED, spelled_out
from moderator.service.robots import bounces, unsubscribe
from moderator.service.robots.classify import Automatic
from moderator.service.robots.traces import seat_of, trace
from moderator.service.table.seats import claims_in


def take_note(sitting: Sitting, mail: MailRow, found: Automatic) -> tuple[Outcome, str]:
    """Do what the mail calls for. Returns the mail's outcome and its detail for the operator."""
    match found.outcome:
        case "bounce":
            return bounces.returned(sitting, mail, found.name)
        case "complaint":
            return bounces.complained(sitting, mail, found.name)
        case "unsubscribe":
            return unsubscribe.by_mail(sitting, mail, found.name)
        case "auto_reply":
            seats, evidence = _seats(sitting, mail, found)
            if ruling(evidence, "away", sitting.settings.identity) == "done":
                away(sitting, seats)
        case "challenge":
            _challenged(sitting, mail, _seats(sitting, mail, found)[0])
        case "receipt":
            _seats(sitting, mail, found)
    return found.outcome, found.why


def _seats(sitting: Sitting, mail: MailRow, found: Automatic) -> tuple[list[SeatRow], Evidence]:
    """The seats whose program wrote the mail, and the evidence for that: the secret address that it answered, or the
    mail of ours that it is about. The first seat is noted in the mail's row."""
    head = head_of(mail.content)
    addressed = spelled_out(one for name in ADDRESSED for one in values(head, name))
    claims = claims_in(sitting, addressed, mail.received_at)[0]
    seats = [claim.seat for claim in claims]
    evidence: Evidence = "old foreign" if any(claim.superseded for claim in claims) else "foreign"
    if not seats:
        about = trace(sitting, found.name, mail.content)
        seat = seat_of(sitting.session, about.mail) if about is not None else None
        seats = [seat] if seat is not None else []
        evidence = about.evidence if about is not None else "none"
    if seats:
        mail.game, mail.player = seats[0].game, seats[0].player
    return seats, evidence


def _challenged(sitting: Sitting, mail: MailRow, seats: list[SeatRow]) -> None:
    """Tell the operator, once a day for each seat. Nothing is sent to the filter: a service that claims to be a person
    would lie."""
    for seat in seats:
        if counting.count(sitting, f"challenge:{seat.id}") == 1:
            facts: Facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
            queue_operator(sitting, sitting.words.operator_words("challenge", facts))
    if not seats and counting.count(sitting, "challenge") == 1:
        queue_operator(sitting, sitting.words.operator_words("challenge_unknown", {"mail": mail.id}))
