"""The order of mails that wait: a flood from one sender does not hold up the others.

Every mail belongs to a share: a player who writes with a current secret address from an address of their own, all
others who write to one seat, all who write to its superseded addresses, all who use a player's address without a
secret one, whoever answers a question without having a seat, all strangers. A game master who answers a line counts as
a player. Waiting mails take turns by share, as in fair queueing: each mail of a share comes one step after the one
before it, and a share that was quiet begins where the others are. Steps of a player's own mail are the shortest. A
share decides only the order, so the unproved claims of the header are enough; mails of one lane always keep their
order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from moderator.adapters.database import run_plain
from moderator.adapters.tables import InquiryRow, MailRow, PendingRow, SeatRow
from moderator.domain.ports import Incoming
from moderator.domain.senders import one_sender, same_address
from moderator.service.desk import Sitting
from moderator.service.entry.guests import inquiry_tokens_in
from moderator.service.people.master_lines import line_of, line_tokens_in
from moderator.service.people.requests import tokens_in
from moderator.service.table.seats import claim_of, claims_in
from moderator.service.table.trust import is_alias

_HEAD: Final = 65_536
_FROM: Final = re.compile(rb"^From:((?:[^\r\n]|\r?\n[ \t])*)", re.IGNORECASE | re.MULTILINE)
_IN_TEXT: Final = re.compile(r"\btoken\s+([a-z2-7]{20,40})\b", re.IGNORECASE)
_MOST_TOKENS: Final = 5
_LONGEST_LANE: Final = 300


class Rank(IntEnum):
    """The order of mails that have the same turn."""

    PLAYER = 0
    OTHER = 1
    STRANGER = 2


_STEP: Final = {Rank.PLAYER: 1, Rank.OTHER: 4, Rank.STRANGER: 4}

_LAST = select(func.max(col(MailRow.turn))).where(
    col(MailRow.share) == bindparam("share"), col(MailRow.outcome).is_(None)
)
_NEXT = select(func.min(col(MailRow.turn))).where(col(MailRow.outcome).is_(None))
_TURNS = select(_LAST.scalar_subquery(), _NEXT.scalar_subquery())


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a mail among those that wait. ``lane``: mails of one lane are decided in the order of their arrival.
    ``game``: the game that the mail seems to be for, or empty."""

    rank: Rank
    share: str
    lane: str
    game: str = ""


def place_of(sitting: Sitting, incoming: Incoming) -> Place:
    """The place of a mail, judged by its header and the secret words in its text, none of which is proved yet."""
    top = (incoming.content or b"")[:_HEAD]
    found = _FROM.search(top)
    said = " ".join(found.group(1).decode("latin-1").split()) if found else ""
    sender = one_sender([said])
    text = top.decode("latin-1")
    for token in line_tokens_in(sitting.desk, (text,))[:_MOST_TOKENS]:
        line = line_of(sitting.session, token)
        if line is not None and line.state == "open" and same_address(sender, line.address):
            return _whole(Rank.PLAYER, f"master {line.address.lower()}")
    for token in inquiry_tokens_in(sitting.desk, (text,))[:_MOST_TOKENS]:
        asked = sitting.session.get(InquiryRow, token)
        if asked is not None and asked.state == "open" and same_address(sender, asked.address):
            return _whole(Rank.OTHER, f"guest {asked.address}")
    for seat, current in _seats_in(sitting, text, incoming.received_at):
        record = seat.address.lower()
        if not current:
            return _whole(Rank.OTHER, f"old to {seat.id}", seat.game)
        if sender and (sender == record or is_alias(sitting.session, record, sender)):
            return _whole(Rank.PLAYER, f"player {record}", seat.game)
        return _whole(Rank.OTHER, f"others to {seat.id}", seat.game)
    if (
        sender
        and sitting.session.exec(select(SeatRow.id).where(col(SeatRow.address).in_((sender, said)))).first() is not None
    ):
        return _whole(Rank.OTHER, f"without {sender}")
    lane = (incoming.envelope_from or said).lower()[:_LONGEST_LANE]
    return Place(Rank.STRANGER, "strangers", f"stranger {lane}" if lane else "")


def turn_of(session: Session, place: Place) -> int:
    """The turn of a mail that is stored now."""
    last, first = run_plain(session, _TURNS, {"share": place.share}).one()
    return int(last) + _STEP[place.rank] if last is not None else int(first or 0)


def _whole(rank: Rank, name: str, game: str = "") -> Place:
    """The place of a mail whose share is a single lane."""
    return Place(rank, name[:_LONGEST_LANE], name[:_LONGEST_LANE], game)


def _seats_in(sitting: Sitting, text: str, came: datetime) -> list[tuple[SeatRow, bool]]:
    """The seats whose secret words are in ``text``: in an address, in a block, or in an address for a confirmation.
    Each with True if the word is current, those first: others may know an old one, which is no word of the player's."""
    claims, _ = claims_in(sitting, (text,), came)
    if claims:
        found = [(claim.seat, not (claim.superseded or claim.replaced)) for claim in claims]
        return sorted(found, key=lambda one: not one[1])
    for token in dict.fromkeys(_IN_TEXT.findall(text)[:_MOST_TOKENS]):
        claim = claim_of(sitting.session, token.lower(), came)
        if claim is not None:
            return [(claim.seat, not (claim.superseded or claim.replaced))]
    for token in tokens_in(sitting.desk, (text,))[:_MOST_TOKENS]:
        row = sitting.session.get(PendingRow, token)
        seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
        if row is not None and seat is not None:
            return [(seat, row.state in ("open", "confirmed") and row.due_at > came)]
    return []
