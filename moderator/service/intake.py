"""Takes mail from the mailbox into the database. A mail is stored byte for byte before it is read, and filed once
decided."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import bindparam, update
from sqlmodel import col, select

from moderator.adapters.database import inserting, run_plain
from moderator.adapters.tables import MailRow
from moderator.domain.ports import Away, Incoming, Intake, NotNow
from moderator.service.desk import Desk, Sitting
from moderator.service.fairness import place_of, turn_of
from moderator.service.locks import Lease

log = logging.getLogger("railpost")

_REFUSALS: Final = 5
"""This many mails that cannot be filed end one round of filing."""
_TOGETHER: Final = 20
_LARGEST_BATCH: Final = 2_000_000
"""One transaction stores ``_TOGETHER`` mails, or fewer once they have more bytes than this. When many mails come,
commits take most of the time."""
_LARGEST_NUMBER: Final = 2**31 - 1
_READER_WAITS: Final = 10
"""Seconds by which the lease of the mailbox outlasts the time until the next look into it."""
_LONGEST_READER: Final = 35
"""The longest time, in seconds, that a killed service keeps others from the mailbox: with the time until they look
again, less than a minute."""

_LYING = select(MailRow.reference).where(MailRow.source == bindparam("source"), col(MailRow.filed_at).is_(None))
_DECIDED = (
    select(MailRow.id, MailRow.reference, MailRow.outcome)
    .where(MailRow.source == bindparam("source"), col(MailRow.filed_at).is_(None), col(MailRow.outcome).is_not(None))
    .order_by(col(MailRow.id))
    .limit(bindparam("most"))
)
_FILED = (
    update(MailRow)
    .where(col(MailRow.id).in_(bindparam("numbers", expanding=True)))
    .values(filed_at=bindparam("now"))
    .execution_options(synchronize_session=False)
)


def mailbox_lease(desk: Desk, intake: Intake) -> Lease:
    """The lease of the mailbox. Only its holder looks into the mailbox and stores the mails that wait there, so mails
    keep their order. It lasts beyond the next look, so the same service reads the mailbox until it ends."""
    settings = desk.settings
    span = min(settings.lease_seconds, settings.poll_seconds + _READER_WAITS, _LONGEST_READER)
    return Lease(desk, f"mailbox {intake.name}", timedelta(seconds=span))


def take_in(desk: Desk, intake: Intake, lease: Lease | None = None, most: int = 100_000) -> list[int]:
    """Store at most ``most`` of the mails in the mailbox, byte for byte, before any of them is read. Returns the
    numbers of the new mails. A caller that polls keeps the mailbox's ``lease``; without one the lease is taken for this
    call, if there is mail."""
    ours = lease or mailbox_lease(desk, intake)
    taken: list[int] = []
    batch: list[Incoming] = []
    try:
        try:
            for incoming in intake.waiting(desk.settings.largest_mail, _not_filed(desk, intake.name)):
                if not ours.held():
                    break  # another service is taking in the mails
                batch.append(incoming)
                if len(batch) == _TOGETHER or sum(len(one.content) for one in batch) > _LARGEST_BATCH:
                    taken += _store_batch(desk, intake, batch)
                    batch = []
                if len(taken) + len(batch) >= most:
                    break
        finally:  # also if the mailbox fails midway
            taken += _store_batch(desk, intake, batch)
    finally:
        if lease is None:
            ours.give_back()
    return taken


def _store_batch(desk: Desk, intake: Intake, batch: list[Incoming]) -> list[int]:
    """Store these mails in one transaction; any of them may have been stored before. Returns the numbers of the new
    ones."""
    numbers = store(desk, intake.name, batch) if batch else []
    for incoming, number in zip(batch, numbers, strict=True):
        if number is None:
            _file_again(desk, intake, incoming.reference)
    return [number for number in numbers if number is not None]


def _file_again(desk: Desk, intake: Intake, reference: str) -> None:
    """File a mail again that was filed and is still in the mailbox, which has lost the change. A mail that is not filed
    yet is left alone: another service has taken it in since this one looked."""
    same = select(MailRow.outcome).where(MailRow.source == intake.name, MailRow.reference == reference)
    with desk.database.reading() as session:
        outcome = session.exec(same.where(col(MailRow.filed_at).is_not(None))).first()
    if outcome is not None:
        intake.file(reference, outcome)


def _not_filed(desk: Desk, source: str) -> frozenset[str]:
    """The references of mails that are stored and still lie in the mailbox."""
    with desk.database.reading() as session:
        return frozenset(run_plain(session, _LYING, {"source": source}).scalars())


def file_decided(desk: Desk, intake: Intake, most: int = 1_000) -> int:
    """File decided mails in the mailbox. Returns their number. An undecided mail stays where a person would look for
    it."""
    with desk.database.reading() as session:
        rows = session.exec(_DECIDED, params={"source": intake.name, "most": most}).all()
    filed: list[int | None] = []
    refused = 0
    try:
        for number, reference, outcome in rows:
            try:
                intake.file(reference, outcome or "")
            except Away:
                raise
            except NotNow as reason:  # the mailbox is full, or one folder cannot be written: the mail stays there
                log.warning("mail %s could not be filed: %s", number, reason)
                refused += 1
                if refused == _REFUSALS:
                    break
                continue
            filed.append(number)
    finally:  # these are filed, whatever ended the loop; a service killed before it stores that files them again
        if filed:
            with desk.database.transaction() as session:
                session.exec(_FILED, params={"numbers": filed, "now": desk.clock.now()})
    return len(filed)


def store(desk: Desk, source: str, batch: Sequence[Incoming]) -> list[int | None]:
    """Store messages in one transaction. Returns their numbers, with None for a message that is stored already."""
    with desk.sitting() as sitting:
        return [_store(sitting, source, incoming) for incoming in batch]


def _store(sitting: Sitting, source: str, incoming: Incoming) -> int | None:
    place = place_of(sitting, incoming)
    row = {
        "received_at": incoming.received_at, "source": source, "reference": incoming.reference,
        "content": incoming.content, "size": min(incoming.size, _LARGEST_NUMBER),
        "envelope_from": incoming.envelope_from, "lane": place.lane, "share": place.share, "rank": place.rank,
        "turn": turn_of(sitting.session, place), "about": place.game, "detail": "", "attempts": 0,
    }  # fmt: skip
    number: int | None = run_plain(sitting.session, _unless_stored(inserting(sitting.session)), row).scalar()
    return number


@cache
def _unless_stored(insert: Any) -> Any:
    """The statement that stores a mail unless it is stored already, and returns its number."""
    unless = insert(MailRow).on_conflict_do_nothing(index_elements=[col(MailRow.source), col(MailRow.reference)])
    return unless.returning(col(MailRow.id))
