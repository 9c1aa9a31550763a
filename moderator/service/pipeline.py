"""A mail's way: stored raw, identified, compared with what was seen, read, decided, answered. One outcome each.

Nothing that one mail does stops the next: an unexpected failure is the outcome ``error``, kept to be tried again.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, exists
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from moderator.adapters.tables import ContentKey, GameRow, MailRow, SeatRow, StrangerRow
from moderator.domain.transcript import Outcome, Transcript
from moderator.service.desk import Desk
from moderator.service.games import Live
from moderator.service.intake import file_decided, store, take_in
from moderator.service.locks import lock_games, lost_a_race
from moderator.service.operation.release import is_released
from moderator.service.people.confirm import answered, ask_orders
from moderator.service.people.identity import date_of, identify
from moderator.service.people.pending import tokens_in
from moderator.service.people.seats import Claim, claims_in, seats_of
from moderator.service.people.trust import origin_of
from moderator.service.play.turn import Result, answer, handle, tell_others
from moderator.service.post.list_headers import message_id_of
from moderator.service.post.outbox import queue_operator, queue_stranger
from moderator.service.reading.parse import Malformed, Parsed, parse
from moderator.service.reading.sorting import Unsorted, sort_out
from moderator.service.reading.written import written
from moderator.service.robots.automatic import take_note
from moderator.service.robots.budgets import may_answer_at_all, within
from moderator.service.robots.classify import Automatic, classify, is_spam
from moderator.service.said import Note, Said

log = logging.getLogger("railpost")

_BEST_FIRST: tuple[Outcome, ...] = (
    "applied",
    "partial",
    "held",
    "unconfirmed",
    "withdrawn",
    "notified",
    "checked",
    "shown",
    "helped",
)
Complain = Callable[[str], None]
_LATEST: Final = 20
"""So many mails with the same Message-ID are looked at."""
_RACES: Final = 5
"""So often a mail is tried that meets another service at the same rows."""


def work_off(desk: Desk, complain: Complain, most: int = 1_000) -> int:
    """Decide mails that wait, oldest first; how many."""
    _give_up(desk)
    for count in range(most):
        number = claim(desk)
        if number is None:
            return count
        process(desk, number, complain)
    return most


def process(desk: Desk, number: int, complain: Complain) -> None:
    """Decide mail ``number``: its outcome, what it changes and the answers are written together."""
    for left in reversed(range(_RACES)):
        try:
            _process(desk, number)
        except Exception as error:
            desk.games.forget_recent()
            if left and lost_a_race(error):
                continue
            if isinstance(error, OperationalError):  # the database is busy or full: the mail stays
                complain(f"mail {number}: {error.orig}")
                _not_tried(desk, number)
                return
            log.exception("mail %s", number)  # a fault of ours: it must be seen, and must not stop the next mail
            complain(f"mail {number} could not be dealt with: {type(error).__name__}")  # its words may be the mail's
            _end_in_error(desk, number, f"{type(error).__name__}: {error}")
        return


def _process(desk: Desk, number: int) -> None:
    with desk.database.transaction() as session:
        # Whoever's lease ran out finds it decided: the row is his who holds it.
        row = session.get(MailRow, number, with_for_update={"key_share": True})
        assert row is not None
        if row.outcome is not None:
            return
        moved = _Decision(desk, session, row).run()
        said = f"{row.outcome} {row.game or ''}".strip()
        about = {"mail": number, "outcome": row.outcome, "game": row.game, "player": row.player}
    desk.games.settle()
    for live in moved:
        desk.games.put(live)
    log.info("mail %s: %s", number, said, extra=about)


def _not_tried(desk: Desk, number: int) -> None:
    """It was not the mail that failed: that counts against it no more than it must."""
    with suppress(OperationalError), desk.database.transaction() as session:
        row = session.get(MailRow, number, with_for_update={"key_share": True})
        if row is not None and row.lease_owner == desk.owner:
            row.attempts -= 1


def claim(desk: Desk) -> int | None:
    """Take the lease of the oldest mail that nobody works on and that no earlier one of its lane is waiting before. The
    attempt is counted before anything is read."""
    now = desk.clock.now()
    earlier = aliased(MailRow)
    before = exists().where(
        col(earlier.lane) == MailRow.lane, col(earlier.lane) != "", col(earlier.outcome).is_(None),
        col(earlier.id) < MailRow.id,
    )  # fmt: skip
    oldest = (
        select(MailRow)
        .where(*_free(desk), ~before)
        .order_by(col(MailRow.id))
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with desk.database.transaction() as session:
        row = session.exec(oldest).first()
        if row is None:
            return None
        row.attempts += 1
        row.lease_owner, row.lease_until = desk.owner, now + timedelta(seconds=desk.settings.lease_seconds)
        return row.id


def _free(desk: Desk) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Not decided, and nobody works on it."""
    lease = col(MailRow.lease_until)
    return col(MailRow.outcome).is_(None), or_(lease.is_(None), lease < desk.clock.now())


def _give_up(desk: Desk) -> None:
    """Put mails aside that have stopped the service so often that they will again."""
    often = col(MailRow.attempts) >= desk.settings.most_attempts
    with desk.database.reading() as session:
        numbers = session.exec(select(MailRow.id).where(*_free(desk), often).order_by(col(MailRow.id))).all()
    for number in numbers:
        if number is not None:
            _end_in_error(desk, number, "given up after too many attempts")


def _end_in_error(desk: Desk, number: int, reason: str) -> None:
    """Write that down first: whatever telling it does, the mail is not tried again."""
    with desk.database.transaction() as session:
        row = session.get(MailRow, number)
        if row is None or row.outcome is not None:
            return
        row.outcome, row.detail = "error", reason
        row.decided_at, row.lease_until = desk.clock.now(), None
        queue_operator(desk, session, f"mail {number}: {reason}")
    try:  # a known player is told, if that at least can be done
        with desk.database.transaction() as session:
            row = session.get(MailRow, number)
            if row is not None:
                _Decision(desk, session, row).apologise()
    except Exception:
        log.exception("mail %s: not even that could be told", number)


class _Decision:
    """One mail inside its transaction."""

    def __init__(self, desk: Desk, session: Session, row: MailRow) -> None:
        self.desk, self.session, self.row = desk, session, row
        self.parsed: Parsed | None = None
        self.body = ""
        """Digest of the text that was read."""

    def run(self) -> list[Live]:
        """Decide it; the games that moved."""
        automatic = self._automatic()
        if automatic is not None:
            return self._end(*take_note(self.desk, self.session, self.row, automatic))
        try:
            parsed = self.parsed = parse(self.row.content)
        except Malformed as fault:
            return self._end("malformed", str(fault))
        found = identify(self.row.content, self.desk.settings)
        self.row.sender, self.row.verdict = found.sender, found.verdict
        claims, wrong = claims_in(self.desk, self.session, found.written_to)
        delivered = not claims  # only the mail servers say that it is for this address, not who wrote it
        if delivered:
            claims, wrong = claims_in(self.desk, self.session, parsed.addressed)
        if self.row.size > len(self.row.content):
            facts = {"size": self.row.size, "most": self.desk.settings.largest_mail}
            return self._unread(claims, "too_large", (("too_large", facts),), f"{self.row.size} bytes")
        try:
            read = written(parsed)
        except Malformed as fault:
            return self._unread(claims, "malformed", (), str(fault))
        if read.unread:
            return self._unread(claims, "unreadable", read.notes, "encrypted")
        text, extracted, notes = read.text, read.extracted, read.notes
        asked = tokens_in(self.desk, parsed.addressed)
        if asked:
            return self._answered(parsed, asked, extracted.text)
        sorted_out = sort_out(self.session, extracted, claims)
        for said in sorted_out.said:
            said.origin = origin_of(self.desk, self.session, said.seat, self.row, doubtful=delivered and bool(claims))
        if not sorted_out.said and not sorted_out.unsorted:
            return self._nobody(parsed, wrong or len([f for f in extracted.fences if f.token]))
        seats = [said.seat for said in sorted_out.said] + [bad.seat for bad in sorted_out.unsorted]
        lock_games(self.session, (seat.game for seat in seats))
        standings = {said.origin.standing for said in sorted_out.said if not said.origin.acts}
        decisions = f"{sorted({claim.at for claim in claims})}{''.join(sorted(standings))}"
        if not self._new(parsed, seats, decisions, text):
            return self._end("duplicate", self.row.detail)
        if self.row.detail:
            notes = (*notes, ("message_id_reused", {}))
            if self._sent_again(parsed, found.date):
                for said in sorted_out.said:
                    said.origin = origin_of(self.desk, self.session, said.seat, self.row, doubtful=True)
        return self._decide(parsed, [self._with(said, notes) for said in sorted_out.said], sorted_out.unsorted)

    def _sent_again(self, parsed: Parsed, date: str) -> bool:
        """Whether a mail with the same Message-ID and Date came before, and answered something else. A signature stays
        good when somebody sends a mail once more, to another address than its writer did."""
        before = select(MailRow).join(ContentKey, col(ContentKey.mail) == col(MailRow.id))
        same = before.where(
            ContentKey.message_id == parsed.message_id, MailRow.sender == self.row.sender,
            col(MailRow.id) != self.row.id, col(MailRow.outcome) != "unconfirmed",
        ).limit(_LATEST)  # fmt: skip
        return bool(date) and any(date_of(row.content) == date for row in self.session.exec(same).all())

    def _answered(self, parsed: Parsed, asked: list[str], text: str) -> list[Live]:
        """It came to an address at which a confirmation was asked for."""
        if len(asked) > 1:
            return self._end("ambiguous", "to several addresses at which a confirmation was asked for")
        found = answered(self.desk, self.session, self.row, asked[0], text, parsed.message_id, self._reread)
        self._end(found.outcome, found.detail)
        return found.moved

    def _reread(self, row: MailRow) -> list[Said]:
        """What a mail that was decided already says, with those of its secret addresses that still hold."""
        try:
            parsed = parse(row.content)
            read = written(parsed)
        except Malformed:
            return []
        claims, _ = claims_in(self.desk, self.session, parsed.addressed)
        return [self._with(said, read.notes) for said in sort_out(self.session, read.extracted, claims).said]

    def _unread(self, claims: list[Claim], outcome: Outcome, notes: tuple[Note, ...], detail: str) -> list[Live]:
        """Tell the seats to whose addresses it came that nothing of it was read."""
        lock_games(self.session, (claim.seat.game for claim in claims))
        unread = [self._plain(claim.seat, outcome, notes) for claim in claims]
        for result in within(self.desk, self.session, unread, self.row, outcome):
            answer(self.desk, self.session, [result], self.row, None)
        return self._end(outcome, detail)

    def apologise(self) -> None:
        """Tell the seat that the mail came, that the fault is ours, and that it is kept."""
        if self._automatic() is not None:
            return
        parsed = parse(self.row.content)
        claims, _ = claims_in(self.desk, self.session, parsed.addressed)
        for claim in claims:
            failed = self._plain(claim.seat, "error", (("error", {"reference": str(self.row.id)}),))
            answer(self.desk, self.session, [failed], self.row, None)

    # ---- stages

    def _automatic(self) -> Automatic | None:
        found = classify(self.row.content, self.row.envelope_from, self.desk.settings)
        return None if found is not None and is_released(self.session, self.row.id) else found

    def _new(self, parsed: Parsed, seats: list[SeatRow], decisions: str, text: str) -> bool:
        """Whether this was not seen before: Message-ID (or date and sender), seats, the decisions that are answered and
        the text together say so. The same words to a later decision are new ones, whatever their Message-ID; and what
        somebody else sent first does not make the player's own mail a second one."""
        body = self.body = hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
        identity = parsed.message_id or f"{parsed.date}|{','.join(parsed.senders)}"
        seen = f"{identity}|{','.join(sorted(str(seat.id) for seat in seats))}|{decisions}|{body}"
        key = hashlib.sha256(seen.encode("utf-8", "replace")).hexdigest()
        before = self.session.get(ContentKey, key)
        if before is not None and before.mail != self.row.id:
            self.row.detail = f"of mail {before.mail}"
            return False
        assert self.row.id is not None
        if before is None:
            if parsed.message_id:
                again = select(ContentKey).where(ContentKey.message_id == parsed.message_id)
                if self.session.exec(again).first() is not None:
                    self.row.detail = "its Message-ID was used before, with another text"
            self.session.add(ContentKey(key=key, mail=self.row.id, message_id=parsed.message_id))
        return True

    def _with(self, said: Said, notes: tuple[Note, ...]) -> Said:
        said.notes = (*notes, *said.notes)
        return said

    def _decide(self, parsed: Parsed, said: list[Said], unsorted: list[Unsorted]) -> list[Live]:
        reference = message_id_of(parsed.message_id)
        results = [handle(self.desk, self.session, one, self.row) for one in said]
        held = [(one, result) for one, result in zip(said, results, strict=True) if result.outcome == "unconfirmed"]
        asked = [ask_orders(self.desk, self.session, result, one.origin, self.row) for one, result in held]
        plain = [self._plain(bad.seat, bad.outcome, (bad.note,)) for bad in unsorted]
        others = [result for result in results if result.outcome != "unconfirmed"]
        told = within(self.desk, self.session, [*others, *plain], self.row, self.body)
        answer(self.desk, self.session, told, self.row, reference)
        for result in results:
            tell_others(self.desk, self.session, result)
        outcomes: list[Outcome] = [result.outcome for result in results] + [bad.outcome for bad in unsorted]
        seat = (said[0] if said else unsorted[0]).seat
        self.row.game, self.row.player = seat.game, seat.player
        best = next((outcome for outcome in _BEST_FIRST if outcome in outcomes), outcomes[0])
        detail = ", ".join(outcomes) if len(outcomes) > 1 else self.row.detail
        if asked:
            detail = "; ".join([*asked, detail] if detail else asked)
        elif not told:
            best = "stale" if set(outcomes) == {"stale"} else "loop"
            detail = f"not answered any more: {', '.join(outcomes)}"
        self._end(best, detail)
        return [result.live for result in results if result.course is not None]

    def _plain(self, seat: SeatRow, outcome: Outcome, notes: tuple[Note, ...]) -> Result:
        """What is answered with notes only, to text of which nothing could be used."""
        game = self.session.get(GameRow, seat.game)
        assert game is not None
        live = self.desk.games.get(self.session, game)
        transcript = Transcript(game.id, seat.player, (), (), 0, outcome, notes, game.at)
        return Result(outcome, transcript, game, live, seats_of(self.session, game.id), seat)

    def _nobody(self, parsed: Parsed, wrong: int) -> list[Live]:
        """Mail that proves to be from no seat. The sender is told little, seldom, and never what he sent: a player at
        his address of record, anybody else at the return path that the server saw. Spam is told nothing."""
        if is_spam(self.row.content) and not is_released(self.session, self.row.id):
            return self._end("quarantine", "spam, as the mail server says")
        if self.row.verdict == "fail":  # whoever is named in it has not written it
            return self._end("wrong_token" if wrong else "unknown_sender", "its sender is forged")
        known = self.session.exec(
            select(SeatRow).where(func.lower(col(SeatRow.address)).in_(parsed.senders or ("",)))
        ).first()
        recipient = known.address if known is not None else self.row.envelope_from
        if recipient and re.fullmatch(r"[^\s<>@]+@[^\s<>@]+", recipient) and self._may_answer(recipient.lower()):
            queue_stranger(self.desk, self.session, recipient, self.row)
        return self._end("wrong_token" if wrong or known is not None else "unknown_sender")

    def _may_answer(self, address: str) -> bool:
        day = self.desk.clock.now().date().isoformat()
        row = self.session.get(StrangerRow, (address, day)) or StrangerRow(address=address, day=day)
        if row.answers >= self.desk.settings.strangers_per_day:
            return False
        row.answers += 1
        self.session.add(row)
        return may_answer_at_all(self.desk, self.session)

    def _end(self, outcome: Outcome, detail: str = "") -> list[Live]:
        self.row.outcome, self.row.detail, self.row.decided_at = outcome, detail[:2_000], self.desk.clock.now()
        self.row.lease_owner = self.row.lease_until = None
        return []


__all__ = ["Claim", "file_decided", "process", "store", "take_in", "work_off"]
