"""One mail inside its transaction, stage by stage. Each stage passes on what the next ones need, or ends the mail with
its outcome; the last one decides it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam
from sqlmodel import col, func, or_, select

from moderator.adapters.tables import ContentKey, GameRow, MailRow, SeatRow, StrangerRow
from moderator.domain.transcript import Note, Outcome, Transcript
from moderator.service.decision import confirm
from moderator.service.decision.confirm import ask_orders
from moderator.service.decision.sorting import Sorted, sort_out
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.kept import look_up
from moderator.service.locks import lock_games
from moderator.service.operation.release import is_released
from moderator.service.people.identity import date_of, identify
from moderator.service.people.pending import could_ask, tokens_in
from moderator.service.play.turn import answer, handle, tell_others
from moderator.service.post.list_headers import SECRET, message_id_of
from moderator.service.post.outbox import queue_stranger
from moderator.service.reading.parse import Malformed, Parsed, parse
from moderator.service.reading.written import Written, written
from moderator.service.robots.automatic import take_note
from moderator.service.robots.budgets import (
    BREAKERS,
    Leave,
    answered,
    exhausted,
    leave,
    may_answer_stranger,
)
from moderator.service.robots.classify import Automatic, classify, is_spam, went_to_many
from moderator.service.table.result import Result
from moderator.service.table.said import Said, Writer, writer_of
from moderator.service.table.seats import Claim, claims_in, seats_of
from moderator.service.table.trust import forged, origin_of, proof_of

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
_BEST_FIRST: tuple[Outcome, ...] = (
    "applied",
    "partial",
    "held",
    "unconfirmed",
    "withdrawn",
    "notified",
    "press",
    "checked",
    "shown",
    "helped",
)
_DONE: Final = ("applied", "partial", "held")
"""Outcomes of orders that count."""
_LATEST: Final = 20
"""So many mails with the same Message-ID are looked at."""


class Decision:
    """Decides one mail with ``run``. The attributes hold the results of the stages so far."""

    parsed: Parsed
    read: Written
    found: Sorted

    def __init__(self, sitting: Sitting, row: MailRow) -> None:
        self.sitting, self.row = sitting, row
        self.claims: list[Claim] = []
        self.wrong = 0
        """Secret addresses in it that are none of ours."""
        self.delivered = False
        """Only the mail servers say that it is for a seat's address, and not who wrote it."""
        self.written_to: tuple[str, ...] = ()
        """The addresses that its writer put into To and Cc."""
        self.date = ""
        self.body = ""
        """Digest of the text that was read."""
        self.first: MailRow | None = None
        """The mail that said the same before, under another Message-ID."""

    def run(self) -> list[Live]:
        """Decide the mail. Returns the games that moved."""
        stages = (
            self._program, self._take_apart, self._identify, self._measure, self._afford, self._read,
            self._confirmation, self._sort, self._compare,
        )  # fmt: skip
        for stage in stages:
            moved = stage()
            if moved is not None:
                return moved
        return self._decide()

    # ---- stages: None passes it on

    def _program(self) -> list[Live] | None:
        """End the mail if a program wrote it, before anything in it is read."""
        automatic = self._automatic()
        return None if automatic is None else self._end(*take_note(self.sitting, self.row, automatic))

    def _take_apart(self) -> list[Live] | None:
        try:
            self.parsed = parse(self.row.content)
        except Malformed as fault:
            return self._end("malformed", str(fault))
        return None

    def _identify(self) -> list[Live] | None:
        """Find the sender, as our mail server knows him, and the seats whose secret addresses the mail has."""
        found = identify(self.row.content, self.sitting.settings)
        self.row.sender, self.row.verdict, self.date = found.sender, found.verdict, found.date
        self.written_to = found.written_to
        look_up(self.sitting.session, (proof_of(found.sender), *BREAKERS, SECRET))
        came, sender = self.row.received_at, found.sender
        self.claims, self.wrong = claims_in(self.sitting, found.written_to, came, sender)
        self.delivered = not self.claims
        if self.delivered:
            self.claims, self.wrong = claims_in(self.sitting, self.parsed.addressed, came, sender)
        return None

    def _measure(self) -> list[Live] | None:
        """End a mail that is too large: it was not fetched whole, and nothing of it is read."""
        if self.row.size <= len(self.row.content):
            return None
        facts = {"size": self.row.size, "most": self.sitting.settings.largest_mail}
        return self._unread("too_large", (("too_large", facts),), f"{self.row.size} bytes")

    def _afford(self) -> list[Live] | None:
        """End the mail if the budgets of all seats to whose addresses it came are used up."""
        if not self.claims or tokens_in(self.sitting.desk, self.parsed.addressed):
            return None
        for claim in self.claims:
            if not exhausted(self.sitting, claim.seat, self._writer(claim)):
                return None
        self.row.game, self.row.player = self.claims[0].seat.game, self.claims[0].seat.player
        return self._end("loop", "not read any more today")

    def _read(self) -> list[Live] | None:
        """Extract the text that the writer wrote, without quotations, forwarded mails and signatures."""
        try:
            self.read = written(self.parsed)
        except Malformed as fault:
            return self._unread("malformed", (), str(fault))
        return self._unread("unreadable", self.read.notes, "encrypted") if self.read.unread else None

    def _confirmation(self) -> list[Live] | None:
        """Handle a mail to an address at which a confirmation was asked for."""
        asked = tokens_in(self.sitting.desk, self.parsed.addressed)
        if not asked:
            return None
        if len(asked) > 1:
            return self._end("ambiguous", "to several addresses at which a confirmation was asked for")
        text, name = self.read.extracted.text, self.parsed.message_id
        doubtful = asked[0] not in tokens_in(
            self.sitting.desk, self.written_to
        )  # "ok", said to somebody else and sent on
        found = confirm.answered(self.sitting, self.row, asked[0], text, name, self._reread, doubtful=doubtful)
        self._end(found.outcome, found.detail)
        return found.moved

    def _sort(self) -> list[Live] | None:
        """Sort the text by seat, and find whether it may act for each seat."""
        self.found = sort_out(self.sitting.session, self.read.extracted, self.claims, self.row.received_at)
        if not self.found.said and not self.found.unsorted:
            return self._nobody(self.wrong or len([f for f in self.read.extracted.fences if f.token]))
        for said in self.found.said:
            self._of(said, doubtful=self.delivered and bool(self.claims))
        return None

    def _compare(self) -> list[Live] | None:
        """End the mail if it was seen before. From here on the games that it is for are locked."""
        said = self.found.said
        seats = [one.seat for one in said] + [bad.seat for bad in self.found.unsorted]
        lock_games(self.sitting.session, (seat.game for seat in seats))
        others = {one.origin.standing for one in said} & {"foreign", "unproved"}
        decisions = f"{sorted({claim.at for claim in self.claims})}{''.join(sorted(others))}"
        if not self._new(self.parsed, seats, decisions, self.read.text):
            return self._end("duplicate", self.row.detail)
        notes = self.read.notes
        if self.row.detail:
            notes = (*notes, ("message_id_reused", {}))
            if self._sent_again():
                for one in said:
                    self._of(one, doubtful=True)
        if self.first is not None and self.first.outcome in _DONE:
            notes = (*notes, ("sent_twice", {"outcome": self.first.outcome}))
        for one in said:
            one.notes = (*notes, *one.notes)
        return None

    def _of(self, said: Said, *, doubtful: bool) -> None:
        superseded, doubtful = said.superseded or said.replaced, doubtful or said.replaced
        said.origin = origin_of(self.sitting, said.seat, self.row, superseded=superseded, doubtful=doubtful)

    def _decide(self) -> list[Live]:
        """Have the orders carried out, answered and told. The outcome of the mail is that of its seat, or the best of
        several."""
        said, unsorted = self.found.said, self.found.unsorted
        reference = message_id_of(self.parsed.message_id)
        worked_out = [(one, given) for one in said if (given := self._leave(one)) is not None]
        done = [(one, given, handle(self.sitting, one, self.row)) for one, given in worked_out]
        results = [result for *_, result in done]
        asked = [
            ask_orders(self.sitting, result, one.origin, self.row, one.writer)
            for one, _, result in done if result.outcome == "unconfirmed"
        ]  # fmt: skip
        others = [(result, given) for _, given, result in done if result.outcome != "unconfirmed"]
        told = [result for result, given in others if answered(self.sitting, result, given, self.row)]
        told += self._plainly([(bad.seat, bad.outcome, (bad.note,)) for bad in unsorted], self.body)
        answer(self.sitting, told, self.row, reference)
        for result in results:
            tell_others(self.sitting, result)
        outcomes: list[Outcome] = [result.outcome for result in results] + [bad.outcome for bad in unsorted]
        outcomes = outcomes or ["loop"]
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
        return [result.live for result in results if result.fork is not None]

    # ---- what it may cost

    def _writer(self, claim: Claim) -> Writer:
        """The budget that this mail uses at the seat to whose secret address it came."""
        old, doubtful = claim.superseded or claim.replaced, claim.replaced or (self.delivered and bool(self.claims))
        return writer_of(origin_of(self.sitting, claim.seat, self.row, superseded=old, doubtful=doubtful))

    def _leave(self, said: Said) -> Leave | None:
        """The leave for ``said``; None if it is not even worked out."""
        said.writer = writer_of(said.origin)
        given = leave(self.sitting, said.seat, said.writer, self.row, self.body)
        if given is not None:
            said.shows = given.shows
            said.asks = said.origin.acts or could_ask(self.sitting, said.seat, said.writer)
        return given

    def _plainly(self, told: Sequence[tuple[SeatRow, Outcome, tuple[Note, ...]]], body: str) -> list[Result]:
        """Answers of notes only, as far as the seats' budgets allow them."""
        found = []
        for seat, outcome, notes in told:
            claim = next((claim for claim in self.claims if claim.seat.id == seat.id), Claim(seat, "", 0))
            given = leave(self.sitting, seat, self._writer(claim), self.row, body)
            if given is not None:
                result = self._plain(seat, outcome, notes)
                if answered(self.sitting, result, given, self.row):
                    found.append(result)
        return found

    # ---- what they are made of

    def _automatic(self) -> Automatic | None:
        found = classify(self.row.content, self.row.envelope_from, self.sitting.settings)
        return None if found is not None and is_released(self.sitting.session, self.row.id) else found

    def _new(self, parsed: Parsed, seats: list[SeatRow], decisions: str, text: str) -> bool:
        """True if this mail was not seen before. Message-ID (or date and sender), seats, the decisions that are
        answered and the text together identify it. The same words to a later decision are new, whatever their
        Message-ID; and a mail that somebody else sent first does not make the player's own mail a second one."""
        body = self.body = hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
        identity = parsed.message_id or f"{parsed.date}|{','.join(parsed.senders)}"
        told = f"{','.join(sorted(str(seat.id) for seat in seats))}|{decisions}|{body}"
        seen = f"{identity}|{told}"
        key, twin = (hashlib.sha256(said.encode("utf-8", "replace")).hexdigest() for said in (seen, f"twin|{told}"))
        name = parsed.message_id
        known = {
            one.key: one for one in self.sitting.session.exec(_SEEN, params={"key": key, "twin": twin, "name": name})
        }
        before, first = known.pop(key, None), known.pop(twin, None)
        if before is not None and before.mail != self.row.id:
            self.row.detail = f"of mail {before.mail}"
            return False
        assert self.row.id is not None
        if before is None:
            if known:
                self.row.detail = "its Message-ID was used before, with another text"
            self.sitting.session.add(ContentKey(key=key, mail=self.row.id, message_id=name))
        if first is None:
            self.sitting.session.add(ContentKey(key=twin, mail=self.row.id))
        elif first.mail != self.row.id:
            self.first = self.sitting.session.get(MailRow, first.mail)
        return True

    def _sent_again(self) -> bool:
        """True if a mail with the same Message-ID and Date came before and answered something else. A signature stays
        valid if somebody sends a mail once more, to another address than its writer did."""
        before = select(MailRow).join(ContentKey, col(ContentKey.mail) == col(MailRow.id))
        same = before.where(
            ContentKey.message_id == self.parsed.message_id, MailRow.sender == self.row.sender,
            col(MailRow.id) != self.row.id, col(MailRow.outcome) != "unconfirmed",
        ).limit(_LATEST)  # fmt: skip
        dates = (row.dated if row.emptied_at else date_of(row.content) for row in self.sitting.session.exec(same).all())
        return bool(self.date) and self.date in dates

    def _reread(self, row: MailRow) -> list[Said]:
        """The text of a mail that was decided already, with those of its secret addresses that still hold."""
        try:
            parsed = parse(row.content)
            read = written(parsed)
        except Malformed:
            return []
        claims, _ = claims_in(self.sitting, parsed.addressed, row.received_at)
        said = sort_out(self.sitting.session, read.extracted, claims, row.received_at).said
        for one in said:
            one.notes = (*read.notes, *one.notes)
        return said

    def _unread(self, outcome: Outcome, notes: tuple[Note, ...], detail: str) -> list[Live]:
        """Tell the seats to whose addresses it came that nothing of it was read."""
        lock_games(self.sitting.session, (claim.seat.game for claim in self.claims))
        if self.claims:
            self.row.game, self.row.player = self.claims[0].seat.game, self.claims[0].seat.player
        for result in self._plainly([(claim.seat, outcome, notes) for claim in self.claims], outcome):
            answer(self.sitting, [result], self.row, None)
        return self._end(outcome, detail)

    def apologise(self) -> None:
        """Tell the seat that the mail came, that the fault is ours, and that it is kept."""
        if self._automatic() is not None:
            return
        parsed = parse(self.row.content)
        claims, _ = claims_in(self.sitting, parsed.addressed, self.row.received_at)
        for claim in claims:
            failed = self._plain(claim.seat, "error", (("error", {"reference": str(self.row.id)}),))
            answer(self.sitting, [failed], self.row, None)

    def _plain(self, seat: SeatRow, outcome: Outcome, notes: tuple[Note, ...]) -> Result:
        """An answer of notes only, to text of which nothing could be used."""
        game = self.sitting.session.get(GameRow, seat.game)
        assert game is not None
        live = self.sitting.games.get(self.sitting.session, game)
        transcript = Transcript(game.id, seat.player, (), (), 0, outcome, notes, game.at)
        return Result(outcome, transcript, game, live, seats_of(self.sitting.session, game.id), seat)

    def _nobody(self, wrong: int) -> list[Live]:
        """End a mail that proves to be from no seat. The sender is told little, seldom, and never the text that he
        sent: a player at his address of record, anybody else at the return path that the server saw. Spam and lists are
        not answered."""
        if is_spam(self.row.content) and not is_released(self.sitting.session, self.row.id):
            return self._end("quarantine", "spam, as the mail server says")
        if forged(self.row):  # the person named in it has not written it
            return self._end("wrong_token" if wrong else "unknown_sender", "its sender is forged")
        known = self.sitting.session.exec(
            select(SeatRow).where(func.lower(col(SeatRow.address)).in_(self.parsed.senders or ("",)))
        ).first()
        if known is None and went_to_many(self.row.content, self.row.envelope_from):
            return self._end("wrong_token" if wrong else "unknown_sender", "by a mailing list, and so not answered")
        recipient = known.address if known is not None else self.row.envelope_from
        detail = ""
        if not recipient or not re.fullmatch(r"[^\s<>@]+@[^\s<>@]+", recipient):
            detail = "not answered: it has no return path"
        elif not self._may_answer(recipient.lower(), known=known is not None):
            detail = "not answered: the sender, or strangers together, had their answers"
        else:
            queue_stranger(self.sitting, recipient, self.row)
        return self._end("wrong_token" if wrong or known is not None else "unknown_sender", detail)

    def _may_answer(self, address: str, *, known: bool) -> bool:
        """True if the fixed answer goes to ``address``. A ``known`` player gets it whatever strangers use up."""
        day = self.sitting.now().date().isoformat()
        row = self.sitting.session.get(StrangerRow, (address, day)) or StrangerRow(address=address, day=day)
        if row.answers >= self.sitting.settings.strangers_per_day:
            return False
        row.answers += 1
        self.sitting.session.add(row)
        return known or may_answer_stranger(self.sitting)

    def _end(self, outcome: Outcome, detail: str = "") -> list[Live]:
        self.row.outcome, self.row.detail, self.row.decided_at = outcome, detail[:2_000], self.sitting.now()
        self.row.lease_owner = self.row.lease_until = None
        return []
