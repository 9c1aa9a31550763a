"""An opened mail: parsed, with its sender and the seats to whose secret addresses it came."""

from __future__ import annotations

from dataclasses import dataclass

from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.outcome import Outcome
from moderator.domain.senders import names_service
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.people.identity import Found, identify
from moderator.service.post.list_headers import SECRET
from moderator.service.reading.parse import Malformed, Parsed, parse
from moderator.service.robots.budgets import BREAKERS
from moderator.service.service_facts import look_up
from moderator.service.table.seat_text import Writer, writer_of
from moderator.service.table.seats import Claim, claims_in
from moderator.service.table.trust import Origin, origin_of, proof_of


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a mail: its one outcome, the detail for the operator, and the games that moved, which count once the
    transaction is committed."""

    outcome: Outcome
    detail: str = ""
    moved: tuple[Live, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as its envelope shows it. ``wrong`` is the number of secret addresses in it that are not valid.
    ``delivered``: its writer names no secret address of a seat in To or Cc; if it has claims, they are the mail
    servers'. ``to_us``: its writer names an address of the service there."""

    sitting: Sitting
    mail: MailRow
    parsed: Parsed
    found: Found
    claims: tuple[Claim, ...]
    wrong: int
    delivered: bool
    to_us: bool

    @property
    def doubtful(self) -> bool:
        """True if its writer may not have sent it here: it is for a seat only by what the mail servers say, or by a
        block with its secret word in a mail to somebody else."""
        return self.delivered and (bool(self.claims) or not self.to_us)

    def origin(self, seat: SeatRow, *, superseded: bool, replaced: bool, doubtful: bool = False) -> Origin:
        """The origin of the mail for ``seat``, to whose secret address it came."""
        return origin_of(
            self.sitting, seat, self.mail,
            superseded=superseded or replaced, doubtful=self.doubtful or replaced or doubtful,
        )  # fmt: skip

    def writer(self, claim: Claim) -> Writer:
        """The budget that the mail uses at the seat of ``claim``."""
        return writer_of(self.origin(claim.seat, superseded=claim.superseded, replaced=claim.replaced))

    def claim_of(self, seat: SeatRow) -> Claim:
        return next((claim for claim in self.claims if claim.seat.id == seat.id), Claim(seat, "", 0))


def open_letter(sitting: Sitting, mail: MailRow) -> Letter | Ended:
    """Parse the mail, and find its sender, the verdict of our mail server on him, and the seats that it came to."""
    try:
        parsed = parse(mail.content)
    except Malformed as fault:
        return Ended("malformed", str(fault))
    found = identify(mail.content, sitting.settings)
    mail.sender, mail.verdict = found.sender, found.verdict
    look_up(sitting.session, (proof_of(found.sender), *BREAKERS, SECRET))
    claims, wrong = claims_in(sitting, found.written_to, mail.received_at, found.sender)
    delivered = not claims
    if delivered:
        claims, wrong = claims_in(sitting, parsed.addressed, mail.received_at, found.sender)
    to_us = names_service(found.written_to, sitting.settings.mailbox, sitting.settings.domain)
    return Letter(sitting, mail, parsed, found, tuple(claims), wrong, delivered, to_us)
