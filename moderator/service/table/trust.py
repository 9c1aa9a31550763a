"""The evidence that a mail gives for a seat. ``moderator.domain.evidence`` says what the evidence permits.

The secret word only says which seat is meant. Other people may have it, because turn mails are forwarded and lists have
archives. So the mail must also come from an address of the player, and the word must be the newest that was sent to the
seat. If the settings require it, our mail server must also have proof of the sender.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, select

from moderator.adapters.tables import AliasRow, MailRow, PendingRow, SeatRow
from moderator.domain.evidence import Evidence, Policy, Request, Ruling, ruling
from moderator.domain.senders import same_address
from moderator.service.desk import Desk, Sitting
from moderator.service.service_facts import recall, remember_first

_PROVED = "proved "
Standing = Literal["own", "alias", "foreign", "unproved"]
"""``own``: the address of record; ``alias``: another confirmed address of the player; ``foreign``: any other address;
``unproved``: the mail claims one of his addresses, but required proof is missing, or there is proof of the contrary."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a text in relation to one seat, and the evidence that it gives. Without evidence it may do
    nothing."""

    sender: str = ""
    evidence: Evidence = "none"
    policy: Policy = "token"
    standing: Standing = "foreign"

    def ruling(self, request: Request) -> Ruling:
        """The ruling on ``request`` with this evidence."""
        return ruling(self.evidence, request, self.policy)

    @property
    def acts(self) -> bool:
        """True if orders of this origin count without confirmation."""
        return self.ruling("orders") == "done"


def origin_of(
    sitting: Sitting, seat: SeatRow, mail: MailRow, *, superseded: bool = False, doubtful: bool = False
) -> Origin:
    """The origin of ``mail`` for ``seat``. The sender and verdict of the mail must be set. The first proof of a sender
    is remembered. ``superseded``: the mail came to an older secret address. ``doubtful``: its writer may not have sent
    it here."""
    policy = sitting.settings.identity
    own = same_address(mail.sender, seat.address)
    if not own and not is_alias(sitting.session, seat.address, mail.sender):
        return Origin(mail.sender, "old foreign" if superseded else "foreign", policy, "foreign")
    proved, before = mail.verdict == "pass", _proved_before(sitting.session, mail.sender)
    if doubtful or mail.verdict == "fail" or (before and not proved):
        return Origin(mail.sender, "old foreign" if superseded else "doubted", policy, "unproved")
    if proved and not before:
        remember_first(sitting, proof_of(mail.sender), {"mail": mail.id})
    standing: Standing = "own" if own else "alias"
    if superseded:
        return Origin(mail.sender, "old", policy, standing)
    if proved:
        return Origin(mail.sender, "record" if own else "alias", policy, standing)
    return Origin(mail.sender, "claimed", policy, standing if policy == "token" else "unproved")


def forged(mail: MailRow) -> bool:
    """True if our mail server has proof that ``mail`` is not from its sender: then nothing is sent to that address."""
    return mail.verdict == "fail"


def confirmed(desk: Desk, sender: str) -> Origin:
    """The origin of a mail that the address of record has confirmed."""
    return Origin(sender, "confirmed", desk.settings.identity, "own")


def answer_of(
    sitting: Sitting, seat: SeatRow, row: PendingRow, mail: MailRow, *, doubtful: bool
) -> Origin:  # fmt: skip
    """The origin of an answer to a confirmation address. The word was sent to one address only, but a copy of the
    answer reveals it, so the answer must also come from that address. ``doubtful``: its writer may not have sent it
    here."""
    policy = sitting.settings.identity
    if doubtful:
        enough = False
    elif row.kind == "alias.other":
        own, before = same_address(mail.sender, row.address), _proved_before(sitting.session, mail.sender)
        enough = own and (mail.verdict == "pass" or (policy == "token" and mail.verdict != "fail" and not before))
    else:
        enough = origin_of(sitting, seat, mail).acts
    return Origin(mail.sender, "yes" if enough else "yes elsewhere", policy, "own" if enough else "foreign")


def from_master(sitting: Sitting, row: PendingRow, mail: MailRow, *, doubtful: bool) -> Origin:
    """The origin of an answer of the game master."""
    enough = _from_whom_we_wrote(sitting, row.address, mail, doubtful=doubtful)
    policy = sitting.settings.identity
    return Origin(mail.sender, "master" if enough else "master elsewhere", policy, "own" if enough else "foreign")


def from_asked(sitting: Sitting, address: str, mail: MailRow, *, doubtful: bool) -> Origin:
    """The origin of an answer to a question that somebody without a seat was asked at ``address``."""
    enough = _from_whom_we_wrote(sitting, address, mail, doubtful=doubtful)
    policy = sitting.settings.identity
    return Origin(mail.sender, "inquiry" if enough else "inquiry elsewhere", policy, "own" if enough else "foreign")


def from_nobody(desk: Desk, sender: str) -> Origin:
    """The origin of a mail to the service's own address, which anybody can write in the name of ``sender``."""
    return Origin(sender, "plain", desk.settings.identity, "foreign")


def is_proved(mail: MailRow) -> bool:
    """True if our mail server has proof that ``mail`` is from its sender."""
    return mail.verdict == "pass"


def _from_whom_we_wrote(sitting: Sitting, address: str, mail: MailRow, *, doubtful: bool) -> bool:
    """True if an answer is from the ``address`` to which its secret word was sent. Without proof, that is so under the
    policy ``token`` alone."""
    found = _known_from(sitting, address, mail, doubtful=doubtful)
    return found == "proved" or (found == "claimed" and sitting.settings.identity == "token")


def from_office(sitting: Sitting, address: str, mail: MailRow, *, doubtful: bool) -> Origin:
    """The origin of a mail to the secret address of the game master at ``address``. A copy of his mail shows it, so the
    mail must also come from him. ``doubtful``: its writer may not have sent it here."""
    policy, found = sitting.settings.identity, _known_from(sitting, address, mail, doubtful=doubtful)
    if not found:
        return Origin(mail.sender, "office elsewhere", policy, "foreign")
    return Origin(mail.sender, "office" if found == "proved" else "office claimed", policy, "own")


def _known_from(sitting: Sitting, address: str, mail: MailRow, *, doubtful: bool) -> Literal["proved", "claimed", ""]:
    """How far a mail is known to be from the ``address`` to which its secret word was sent: with proof, by its From
    without a doubt, or not at all. A forwarded mail shows the word, so the word alone is not enough. ``doubtful``: its
    writer may not have sent it here. A first proof is remembered."""
    if not same_address(mail.sender, address) or doubtful or mail.verdict == "fail":
        return ""
    if is_proved(mail):
        remember_first(sitting, proof_of(mail.sender), {"mail": mail.id})
        return "proved"
    return "" if _proved_before(sitting.session, mail.sender) else "claimed"


def entered(desk: Desk, sender: str) -> Origin:
    """The origin of orders that the game master at ``sender`` enters for a player."""
    return Origin(sender, "entered", desk.settings.identity, "own")


def _proved_before(session: Session, address: str) -> bool:
    """True if our mail server has ever had proof of a player's address; a later mail without proof is then
    suspicious."""
    return recall(session, proof_of(address)) is not None


def proof_of(address: str) -> str:
    """The key of the fact that our mail server had proof of an address."""
    return _PROVED + address


def is_alias(session: Session, record: str, address: str) -> bool:
    """True if ``address`` is a confirmed alias of the player whose address of record is ``record``."""
    if not address:
        return False
    wanted = select(AliasRow).where(
        AliasRow.record == record.lower(), AliasRow.address == address.lower(), col(AliasRow.confirmed_at).is_not(None)
    )
    return session.exec(wanted).first() is not None


def aliases_of(session: Session, record: str) -> list[AliasRow]:
    """The aliases of the player whose address of record is ``record``, confirmed or not, in alphabetical order."""
    wanted = select(AliasRow).where(AliasRow.record == record.lower()).order_by(col(AliasRow.address))
    return list(session.exec(wanted).all())
