"""Seats and their secret addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter

from sqlalchemy import bindparam, exists
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from engine.titles import changes, title_names
from moderator.adapters.database import run_plain
from moderator.adapters.tables import DeadlineRow, GameRow, SeatRow, SeatToken
from moderator.domain.info import GameInfo, Notify, RulesNews
from moderator.domain.pictures import WISHES
from moderator.domain.seating import Dealt, dealt
from moderator.domain.senders import same_address
from moderator.service.clock_rows import look_up_persons
from moderator.service.desk import Desk, Sitting
from moderator.service.service_facts import recall
from moderator.service.table.clocks import open_deadlines, timetable_of, who_is_away
from moderator.service.table.game_master import master_of
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.persons import told_zone
from moderator.service.table.sealed_rows import owing, seals_for
from moderator.service.table.table import Table, seats_of
from moderator.service.table.trust import is_alias

WENT_BACK = "restored"
"""Key of the facts about the last restore from a copy: when it happened, and when the copy was made."""
_MOST_CLAIMS = 50
"""The number of secret addresses in one mail that are looked up; nobody has so many seats."""
_TOKEN = (
    select(SeatToken.token)
    .where(
        SeatToken.seat == bindparam("seat"), col(SeatToken.at) >= bindparam("since"), col(SeatToken.revoked).is_(False),
        col(SeatToken.replaced).is_(False),
    )
    .order_by(col(SeatToken.at).desc())
    .limit(1)
)  # fmt: skip
_NEWER = aliased(SeatToken)
_CLAIM = (
    select(
        SeatRow,
        SeatToken.at,
        exists().where(
            col(_NEWER.seat) == SeatToken.seat, col(_NEWER.at) > SeatToken.at, col(_NEWER.sent_at) <= bindparam("now")
        ),
        SeatToken.replaced,
    )
    .join(SeatToken, col(SeatToken.seat) == col(SeatRow.id))
    .where(SeatToken.token == bindparam("token"), col(SeatToken.revoked).is_(False))
)


@dataclass(frozen=True, slots=True)
class Claim:
    """The seat whose secret word is in a mail, and the decision for which the word was made. ``superseded``: a newer
    word had been sent to the seat when the mail came."""

    seat: SeatRow
    token: str
    at: int
    superseded: bool = False
    replaced: bool = False
    """The word was given out before a restore: it shows whose mail it is, and changes nothing."""


def token_for(sitting: Sitting, seat: SeatRow, at: int) -> str:
    """The secret word of ``seat`` at decision ``at``. There is one for each question. While the seat is asked the same,
    or nothing, its word stays the same, so that news does not invalidate the mail that the player is about to
    answer."""
    assert seat.id is not None
    for new in sitting.session.new:  # a word that was made just now is not in the database yet
        if isinstance(new, SeatToken) and new.seat == seat.id and new.at >= seat.since:
            return new.token
    known: str | None = run_plain(sitting.session, _TOKEN, {"seat": seat.id, "since": seat.since}).scalar()
    if known is not None:
        return known
    token = sitting.desk.secret_word()
    sitting.session.add(SeatToken(token=token, seat=seat.id, at=at, created_at=sitting.now()))
    return token


def secret_address(desk: Desk, seat: SeatRow, token: str) -> str:
    """``railpost+1861-7.2.TOKEN@domain``: small letters, at most 64 octets before the ``@``."""
    return f"{desk.settings.mailbox}+{seat.game}.{seat.number}.{token}@{desk.settings.domain}".lower()


def claims_in(
    sitting: Sitting, texts: tuple[str, ...], received_at: datetime, sender: str = ""
) -> tuple[list[Claim], int]:
    """The claims by the secret addresses in ``texts`` of a mail that came at ``received_at``, and the number of
    addresses that are not valid. ``sender`` is the address that the mail names as its sender."""
    pattern = re.compile(
        rf"(?<![\w.+-]){re.escape(sitting.settings.mailbox)}\+([0-9a-z]+-\d+)\.(\d+)\.([a-z2-7]+)@{re.escape(sitting.settings.domain)}"
        r"(?![\w-]|\.[\w-])",
        re.IGNORECASE,
    )
    claims: dict[str, Claim] = {}
    wrong = 0
    named = dict.fromkeys(m.groups() for text in texts for m in pattern.finditer(text))
    wrong += max(0, len(named) - _MOST_CLAIMS)
    for game, number, token in islice(named, _MOST_CLAIMS):
        with sitting.session.no_autoflush:  # neither seats nor their words have been changed yet
            claim = claim_of(sitting.session, token.lower(), received_at)
            claim = claim or _lost(sitting.session, game, number, token.lower(), sender)
        if claim is None or (claim.seat.game, str(claim.seat.number)) != (game.lower(), number):
            wrong += 1
        else:
            claims[claim.token] = claim
    return _newest(claims.values()), wrong


def claim_of(session: Session, token: str, received_at: datetime) -> Claim | None:
    """The claim to a seat by a secret word in a mail that came at ``received_at``; None if the word is unknown or
    revoked."""
    found = session.exec(_CLAIM, params={"token": token, "now": received_at}).first()
    return None if found is None else Claim(found[0], token, found[1], found[2], found[3])


def _lost(session: Session, game: str, number: str, token: str, sender: str) -> Claim | None:
    """The claim by an unknown address that may have been given out after a copy was made and before it was restored. A
    player of the seat who writes to it gets an answer, and nothing else happens. None if the address cannot be such a
    one."""
    if not sender or recall(session, WENT_BACK) is None or session.get(SeatToken, token) is not None:
        return None
    seat = next((one for one in seats_of(session, game.lower()) if str(one.number) == number), None)
    if seat is None or not (same_address(sender, seat.address) or is_alias(session, seat.address, sender)):
        return None
    return Claim(seat, token, 0, replaced=True)


def _newest(claims: object) -> list[Claim]:
    """One claim for each seat: the one for the latest decision."""
    found: dict[int | None, Claim] = {}
    for claim in sorted(claims, key=lambda c: c.at):  # type: ignore[call-overload]
        found[claim.seat.id] = claim
    return [found[key] for key in sorted(found, key=lambda k: k or 0)]


def info_for(table: Table, seat: SeatRow) -> GameInfo:
    """The game as ``seat`` is told about it, with the address for its answer to the present decision."""
    sitting, row = table.sitting, table.row
    look_up_persons(sitting.session, (other.address for other in table.seats))
    token = token_for(sitting, seat, row.at)
    due = _due(sitting.session, seat) if row.clocked and not row.waits else None
    running = not row.over
    held = waiting_rows(sitting.session, row.id, seat.player)  # `withdraw 2` counts them
    notify: Notify = seat.notify if seat.notify in ("turn", "round", "daily", "all") else "turn"  # type: ignore[assignment]
    return GameInfo(
        id=row.id,
        title=row.title,
        edition=row.edition,
        options=row.options,
        seat=seat.player,
        seats={other.player: other.address if other.id == seat.id else None for other in table.seats},
        commitment=row.commitment,
        at=row.at,
        reply_to=secret_address(sitting.desk, seat, token),
        token=token,
        deadline=due.due_at if due is not None else None,
        late=due is not None and (due.state == "overdue" or due.due_at <= sitting.now()),
        terms=timetable_of(row),
        zone=told_zone(sitting.session, row, seat),
        notify=notify,
        pictures=next((wish for wish in WISHES if wish == seat.pictures), "on"),
        draws=sitting.settings.pictures,
        seed=row.seed if row.over else None,
        persons={} if row.veiled else {other.player: other.person for other in table.seats if other.person},
        anonymous=row.anonymous,
        dealt=places_of(sitting.session, row),
        ended=row.reason if row.status == "ended" else None,
        overdue=_overdue(sitting.session, seat) if row.clocked and not row.waits else {},
        away=who_is_away(sitting.session, table.seats, sitting.now()) if running else {},
        kept_for={other.player: other.caretaker for other in table.seats if other.caretaker},
        asked=owing(sitting.session, table.game, row.id),
        held=tuple(h.text for h in held),
        sealed=None if row.over else seals_for(sitting.session, table.game, row.id, seat.player),
        rules=_news_of_rules(row, seat),
        master=master_of(row, sitting.settings),
        desk_url=sitting.settings.desk_url,
        desk_with_address=sitting.settings.desk_with_address,
        desk_with_facts=sitting.settings.desk_with_facts,
    )


def places_of(session: Session, row: GameRow) -> tuple[Dealt, ...]:
    """The places that players wished for, and whether they have them."""
    return tuple(dealt([seat.player for seat in seats_of(session, row.id)], row.wished)) if row.wishes else ()


def _news_of_rules(row: GameRow, seat: SeatRow) -> RulesNews | None:
    """Changes of the rules of its edition since the seat was last told; None if there are none."""
    known = max(seat.rules, row.began_rules)
    if known == row.rules:
        return None
    found = changes(row.title) if row.title in title_names() else ()
    new = [change for change in found if known < change.version <= row.rules]
    lines = tuple(change.line for change in new if change.concerns(row.edition))
    return RulesNews(row.rules, lines, row.rules < known) if lines or not new else None


def _overdue(session: Session, seat: SeatRow) -> dict[str, datetime]:
    """Other players whose answers are late, with the times at which they were due."""
    late = (row for row in open_deadlines(session, seat.game) if row.state == "overdue" and row.player != seat.player)
    return {row.player: row.due_at for row in sorted(late, key=attrgetter("due_at"))}


def is_late(session: Session, seat: SeatRow) -> bool:
    """True if the answer of ``seat`` is late."""
    due = _due(session, seat)
    return due is not None and due.state == "overdue"


def _due(session: Session, seat: SeatRow) -> DeadlineRow | None:
    """The deadline for the answer of ``seat``; None if it has none."""
    return next(iter(open_deadlines(session, seat.game, seat.player)), None)
