"""Recognises mails that came before: the same mail again, the same text in another mail, a signature that is used
again."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import col, or_, select

from moderator.adapters.tables import ContentKey, MailRow
from moderator.domain.transcript import Note
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.sorting import Sorted, Unsorted
from moderator.service.locks import Overtaken, lock_games
from moderator.service.people.identity import date_of
from moderator.service.reading.message import head_of
from moderator.service.reading.text_choice import Written
from moderator.service.table.seat_text import Said

_SEEN = (
    select(ContentKey)
    .where(
        or_(
            col(ContentKey.key).in_((bindparam("key"), bindparam("twin"))),
            col(ContentKey.message_id) == bindparam("name"),
        )
    )
    .order_by(col(ContentKey.key) != bindparam("key"), col(ContentKey.key) != bindparam("twin"))
    .limit(3)
    .execution_options(autoflush=False)
)
_ON_THE_WAY: Final = re.compile(
    r"x-|arc-|received|return-path$|delivered-to$|envelope-to$|authentication-results$|dkim-signature$|resent-|lines$"
)
"""Fields that mail servers add, or may change."""
_DONE: Final = ("applied", "partial", "held", "sealed")
"""Outcomes of orders that count."""
_LATEST: Final = 20
"""The number of mails with the same Message-ID that are looked at."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """The texts of a mail that was not seen before, each with its origin. ``body`` is a digest of all that was read;
    ``detail`` is for the operator."""

    said: tuple[Said, ...]
    unsorted: tuple[Unsorted, ...]
    body: str
    detail: str


@dataclass(frozen=True, slots=True)
class _New:
    """A mail that was not seen before. ``reused``: its Message-ID was used before, with another text. ``first``: the
    mail that said the same before, under another Message-ID."""

    reused: bool
    first: MailRow | None


def compare(letter: Letter, read: Written, found: Sorted) -> Fresh | Ended:
    """Lock the games that the mail is for, and find the origin of each text. Ends the mail if it was seen before.
    Raises ``Overtaken`` if a seat has changed since its secret word was looked up: the word may be void by now, or the
    seat may have another player."""
    seats = [one.seat for one in found.said] + [bad.seat for bad in found.unsorted]
    before = [seat.changes for seat in seats]
    lock_games(letter.sitting.session, (seat.game for seat in seats))
    if [seat.changes for seat in seats] != before:
        raise Overtaken
    texts = [_with_origin(letter, one) for one in found.said]
    others = {one.origin.standing for one in texts} & {"foreign", "unproved"}
    decisions = f"{sorted({claim.at for claim in letter.claims})}{''.join(sorted(others))}"
    body = _digest(" ".join(read.text.split()))
    new = _new(letter, f"{','.join(sorted(str(seat.id) for seat in seats))}|{decisions}|{body}")
    if isinstance(new, Ended):
        return new
    copied = _copied(letter, f"{','.join(sorted(str(seat.id) for seat in seats))}|{''.join(sorted(others))}|{body}")
    if copied is not None and new.first is not None:
        return Ended("duplicate", f"of mail {copied}, with another Message-ID")
    if copied is not None:
        texts = [_with_origin(letter, one, doubtful=True) for one in texts]
    notes: tuple[Note, ...] = read.notes
    if new.reused:
        notes = (*notes, ("message_id_reused", {}))
        if _sent_again(letter):
            texts = [_with_origin(letter, one, doubtful=True) for one in texts]
    if new.first is not None and new.first.outcome in _DONE:
        notes = (*notes, ("sent_twice", {"outcome": new.first.outcome}))
    said = tuple(replace(one, notes=(*notes, *one.notes)) for one in texts)
    detail = "its Message-ID was used before, with another text" if new.reused else ""
    return Fresh(said, tuple(found.unsorted), body, detail)


def _with_origin(letter: Letter, said: Said, *, doubtful: bool = False) -> Said:
    origin = letter.origin(said.seat, superseded=said.superseded, replaced=said.replaced, doubtful=doubtful)
    return replace(said, origin=origin)


def _new(letter: Letter, told: str) -> _New | Ended:
    """Find out whether the mail is new. Message-ID (or date and sender, or the header of a mail without both), seats,
    the decisions that are answered and the text together identify a mail; ``told`` has all but the first. The same
    words for a later decision are new, whatever their Message-ID. If somebody else sent the same words first, the
    player's own mail is not a second one."""
    session, mail, parsed = letter.sitting.session, letter.mail, letter.parsed
    identity = parsed.message_id or (parsed.date and f"{parsed.date}|{','.join(parsed.senders)}") or _header(mail)
    key, twin, name = _digest(f"{identity}|{told}"), _digest(f"twin|{told}"), parsed.message_id
    known = {one.key: one for one in session.exec(_SEEN, params={"key": key, "twin": twin, "name": name})}
    before, first = known.pop(key, None), known.pop(twin, None)
    if before is not None and before.mail != mail.id:
        return Ended("duplicate", f"of mail {before.mail}")
    assert mail.id is not None
    if before is None:
        session.add(ContentKey(key=key, mail=mail.id, message_id=name))
    if first is None:
        session.add(ContentKey(key=twin, mail=mail.id))
    other = first is not None and first.mail != mail.id
    return _New(
        before is None and bool(known), session.get(MailRow, first.mail) if first is not None and other else None
    )


def _copied(letter: Letter, told: str) -> int | None:
    """The mail of which this is a copy: both are signed for their sender and have the same Date and ``told``, which is
    the seats and the text. A signature need not cover the Message-ID, so anybody can send a signed mail again under
    another one. A copy that answers the same decision is a duplicate; one that answers another is in doubt."""
    date = letter.found.date
    if not letter.found.signed or not date:
        return None
    return came_before(letter, f"signed|{letter.mail.sender}|{date}|{told}")


def came_before(letter: Letter, said: str) -> int | None:
    """The mail before this one that ``said`` identifies as well; None if there was none. This mail is noted then."""
    session, mail, key = letter.sitting.session, letter.mail, _digest(said)
    known = session.get(ContentKey, key)
    if known is None:
        assert mail.id is not None
        session.add(ContentKey(key=key, mail=mail.id))
        return None
    return known.mail if known.mail != mail.id else None


def _header(mail: MailRow) -> str:
    """The fields that a mail has however often it is delivered: those that no server adds on its way, and the first
    server's ``Received``. Two mails with neither Message-ID nor Date are the same only if all of them are."""
    fields = [(name.lower(), " ".join(str(said).split())) for name, said in head_of(mail.content).raw_items()]
    first = [said for name, said in fields if name == "received"][-1:]
    own = [f"{name}:{said}" for name, said in fields if not _ON_THE_WAY.match(name)]
    return "\n".join((*own, *first))


def _sent_again(letter: Letter) -> bool:
    """True if a mail with the same Message-ID and Date came before and answered something else. A signature stays valid
    if somebody sends the mail again, to another address than its writer did."""
    mail, date = letter.mail, letter.found.date
    before = select(MailRow).join(ContentKey, col(ContentKey.mail) == col(MailRow.id))
    same = before.where(
        ContentKey.message_id == letter.parsed.message_id, MailRow.sender == mail.sender,
        col(MailRow.id) != mail.id, col(MailRow.outcome) != "unconfirmed",
    ).limit(_LATEST)  # fmt: skip
    rows = letter.sitting.session.exec(same).all()
    return bool(date) and date in (row.dated if row.emptied_at else date_of(row.content) for row in rows)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
