"""Handles one text from one seat for one game: reads it, judges it, and stores the moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Final

from engine.core.ids import PlayerId
from grammar import Press, read, write
from moderator.adapters.tables import MailRow
from moderator.domain.advice.advice import advised, meant_by
from moderator.domain.ahead.foresight import foresee_all, if_agreed, notes_of, used_at_once
from moderator.domain.ahead.orders import Settled, told_ahead, without_kept
from moderator.domain.asks import asks_of, at_any_moment
from moderator.domain.block import Block, play_block
from moderator.domain.evidence import CHANGES, Request
from moderator.domain.fork import Fork
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Note, Shown, Transcript, TranscriptLine
from moderator.domain.vocabulary import vocabulary
from moderator.domain.waiting import still_awaited
from moderator.service.desk import Sitting
from moderator.service.people.person_words import request_of
from moderator.service.people.reach import heard
from moderator.service.play import words_said
from moderator.service.play.again.course import joined, settle_all, told_again
from moderator.service.play.again.request import ask_undo
from moderator.service.play.again.rows import update
from moderator.service.play.asked_in_prose import answered
from moderator.service.play.holds import facts_of
from moderator.service.play.kept_orders import keep_orders
from moderator.service.play.moves import write_moves
from moderator.service.play.press import pass_on
from moderator.service.play.sealed_orders import seal_and_open, with_opening
from moderator.service.play.text import is_message, read_text
from moderator.service.play.to_master import SENT, TRIAL, ask_master, offer
from moderator.service.table import held_rows
from moderator.service.table.foreseen import look_again
from moderator.service.table.notices import note_questions
from moderator.service.table.result import Result
from moderator.service.table.sealed_rows import awaits
from moderator.service.table.seat_text import Said
from moderator.service.table.table import Table, lock_table
from moderator.service.table.tenure import answers_in, count_wait, was_awaited

_LONGEST_QUOTED = 200


def handle(sitting: Sitting, said: Said, mail: MailRow | None, *, master: MailRow | None = None) -> Result:
    """Handle ``said``. Returns the result; the caller then writes the answer and calls ``tell_others``. ``master``: the
    mail of a game master in which the orders stood that he enters."""
    handling = _Handling(lock_table(sitting, said.seat.game), said, mail, master)
    kept_for = handling.seat.caretaker
    returned = mail is not None and said.origin.ruling("heard") == "done" and heard(sitting, handling.seat)
    result = handling.run()
    result.returned, result.relieved = returned, kept_for == "robot" and not handling.seat.caretaker
    return result


class _Handling:
    def __init__(self, table: Table, said: Said, mail: MailRow | None, master: MailRow | None) -> None:
        self.table, self.said, self.mail, self.master = table, said, mail, master
        self.seat = next(seat for seat in table.seats if seat.id == said.seat.id)
        self.player = self.seat.player
        self.notes: list[Note] = list(said.notes)
        if said.origin.standing != "own":
            self.notes.append(("elsewhere", {"sender": said.origin.sender, "standing": said.origin.standing}))
        self.lines, self.shown = list[TranscriptLine](), tuple[Shown, ...]()
        self.fork: Fork | None = None  # the game with the orders that were tried
        self.reading, notes = read_text(table.live, self.player, said)
        self.notes.extend(notes)
        self.to_master = [one for one in self.reading.press if one.is_for_master]
        self.press = [one for one in self.reading.press if not one.is_for_master]

    def run(self) -> Result:
        """Handle the text. Press goes out with it, or is held back with it."""
        if self.said.replaced:
            self.notes.append(("restored", {}))
            return self._stale()
        result = self._run()
        if self.fork is not None:
            told = advised(self.fork, self.player, result.transcript, self.table.live.vocabulary)
            result = replace(result, transcript=told)
        if result.outcome in _NOT_ORDERED and self.said.shows != "nothing":
            given = result.transcript, result.outcome, self.said.text
            told, outcome = answered(self.table.sitting.words, self.table.game, *given)
            result = replace(result, outcome=outcome, transcript=told)
        if result.outcome in _MAY_BE_A_MESSAGE and self._own_words:
            text, names = self.said.text, self.table.live.vocabulary
            message = is_message(self.reading, text, names.players)
            advised_on = result.transcript.proposes
            meant, likely = meant_by(self.table.game, self.player, text, names, message=message, advised=advised_on)
            letter = any(key == "letter" for key, _ in meant)
            notes, shown = offer(result.table, self.seat, text) if message and not letter else ((), ())
            result = _with(result, (*meant, *notes), shown=shown, likely=likely)
        if self.press:
            trial = self._tried or self.said.origin.ruling("press") != "done"
            passed = pass_on(result.table, self.seat, self.press, result.outcome, trial=trial, mail=self.mail)
            result = _with(result, passed.notes, passed.press)
        return self._with_lines_to_master(result) if self.to_master else result

    @property
    def _own_words(self) -> bool:
        """True if the text is the player's own, with no orders of another mail in it."""
        quoted = any(key == "quoted_orders" for key, _ in self.notes)
        return self.said.origin.acts and not (self.said.fenced or self.said.above or quoted)

    @property
    def _tried(self) -> bool:
        return any(word.kind == "check" for word in self.reading.words)

    def _with_lines_to_master(self, result: Result) -> Result:
        """Pass the lines to the game master on, whatever becomes of the orders beside them."""
        ruling = self.said.origin.ruling("master")
        if self.said.truncated or ruling not in ("done", "asked"):
            return _with(result, [("master.not_sent", {})])
        trial = self._tried or ruling == "asked"
        note = ask_master(result.table, self.seat, self.to_master, trial=trial, mail=self.mail)
        passed = note[0] in (SENT, TRIAL)
        if not passed and result.outcome == "press" and not self.press:
            result = replace(result, outcome="refused", transcript=replace(result.transcript, outcome="refused"))
        return _with(result, [note], self.to_master if passed else ())

    def _run(self) -> Result:
        kinds = {word.kind for word in self.reading.words} | ({"press"} if self.press else set())
        kinds |= {"master"} if self.to_master else set()
        ordered = self.reading.ordered
        if empty := self.reading.heads_alone:
            self.notes.append(("heads_alone", {"actors": empty, "marked": self.said.ignored > 0}))
        if self.said.truncated:
            if ("damaged", {}) not in self.notes:
                self.notes.append(("truncated", {}))
            return self._result("unreadable")
        wanted = set() if "check" in kinds else self._wanted(ordered=ordered)
        rulings = {request: self.said.origin.ruling(request) for request in wanted}
        if set(rulings.values()) & {"told", "nothing"}:
            return self._superseded()
        asked = {request for request, ruling in rulings.items() if ruling == "asked"}
        if asked - _ASKED_APART:
            return self._unconfirmed()
        undo = next((word for word in self.reading.words if word.kind == "undo"), None)
        if undo is not None and rulings.get("undo", "done") == "done":
            return self._undo(undo.argument or "", ordered=ordered, trial="check" in kinds)
        done = words_said.obey(self.table, self._asking(trial="check" in kinds), self.reading.words)
        self.notes.extend(done.notes)
        self.shown = done.shown
        if asked and not self.said.origin.acts:
            return replace(self._result("unconfirmed"), asked=any(key in _ASKED for key, _ in done.notes))
        if not ordered:
            return self._result(self._only_words(kinds))
        if "check" in kinds:
            return self._check(partial="partial" in kinds)
        if self.table.row.over:
            self.notes.append(("game_over", {"reason": self.table.row.reason}))
            return self._result("game_over")
        if self.table.row.waits:
            return self._kept() if self.table.row.status == "paused" and self.mail is not None else self._held_back()
        named = self.said.named or 0
        if self._too_late() or named > self.table.row.at:
            self.notes.append(("stale", {"given": max(self.said.answers, named), "at": self.table.row.at}))
            return self._stale()
        return self._play(partial="partial" in kinds)

    def _undo(self, argument: str, *, ordered: bool, trial: bool) -> Result:
        """Take a move back or ask for it; words beside it are for another mail, and orders are only tried out."""
        if ordered:
            self.notes.append(("undo.alone", {}))
            return self._check(partial=True)
        found = ask_undo(self.table, self.seat, argument, trial=trial, mail=self.mail)
        self.table = found.table
        self.notes.append(found.note)
        return self._result("withdrawn" if found.done else "checked" if trial else "notified")

    def _asking(self, *, trial: bool) -> words_said.Asking:
        return words_said.Asking(self.seat, self.said.origin, self.mail, trial, self.said.shows)

    def _wanted(self, *, ordered: bool) -> set[Request]:
        """The requests in the text that would change something."""
        said = {request_of(word) for word in self.reading.words}
        if ordered:
            said.add("orders")
        if self.press:
            said.add("press")
        if self.to_master:
            said.add("master")
        return {request for request in said if request in CHANGES}

    def _too_late(self) -> bool:
        """True if the question that is answered is past. Orders that may be given at any moment answer no question, and
        are never late."""
        given = self.reading.orders
        timeless = bool(given) and all(at_any_moment(self.table.game, order) for order in given)
        return self.said.answers < self.seat.since and not timeless

    # ---- while the game waits

    def _kept(self) -> Result:
        """Keep the orders of this mail until the game goes on, if they can be read."""
        result = self._check(partial=True)
        if any(line.verdict in ("unreadable", "ambiguous") for line in result.transcript.lines):
            return result
        assert self.mail is not None
        self.notes.append(keep_orders(self.table, self.seat, self.mail))
        return self._result("held")

    def _held_back(self) -> Result:
        self.notes.append(("past_held", facts_of(self.table.row)))
        return self._result("waits")

    # ---- outcomes without a change

    def _only_words(self, kinds: set[str]) -> Outcome:
        words = self.reading.words
        shows = {word.kind for word in words} - {word.kind for word in words if request_of(word) != "show"}
        kinds = {"show" if kind in shows else kind for kind in kinds}  # `alias` and `away` alone only show
        for kind, outcome in _WORDS.items():
            if kind in kinds and not ("check" in kinds and kind in CHANGES):
                return outcome
        if kinds:
            return "checked"
        looks_like = self._quoted_order()
        if looks_like is not None:
            self.notes.append(("quoted_orders", {"text": looks_like}))
        return "empty"

    def _quoted_order(self) -> str | None:
        """A quoted line (behind ``>``) that is an order, and so was perhaps meant as one; None if there is none."""
        for line in (line for line in self.said.quoted[:200] if len(line) <= _LONGEST_QUOTED):
            reading = read(line, self.table.live.vocabulary, default_actor=self.player)
            if reading.orders and not reading.errors:
                return line
        return None

    def _check(self, *, partial: bool) -> Result:
        self.fork = fork = Fork(self.table.game)
        block = play_block(fork, self.player, self.reading, self.said.text, partial=partial)
        at_once = used_at_once(fork, block.held, self.table.live.vocabulary)
        foreseen = (*notes_of(foresee_all(fork.game, block.held)), *if_agreed(fork.game, block.held))
        self.notes.extend((*block.notes, *at_once, *foreseen))
        self.lines = [line.tried() for line in block.lines]
        return self._result("checked")

    def _unconfirmed(self) -> Result:
        """Handle a text from an address that is not known to be the player's: say what the text would do if it
        counted."""
        if not self.said.asks:  # nobody will be asked about it, so it is not worked out
            return self._result("unconfirmed")
        if self.reading.ordered:
            partial = any(word.kind == "partial" for word in self.reading.words)
            block = play_block(Fork(self.table.game), self.player, self.reading, self.said.text, partial=partial)
            self.notes.extend(block.notes)
            self.lines = block.lines
            if not block.stands:
                return self._result(block.stopped or "refused")  # type: ignore[arg-type]
            self.lines = [line.tried() for line in block.lines]
        return self._result("unconfirmed")

    def _superseded(self) -> Result:
        """Handle a text to a secret address that a newer one has replaced: only answer the words that read."""
        self.notes.append(("superseded", {}))
        reading = [word for word in self.reading.words if request_of(word) in ("show", "help")]
        done = words_said.obey(self.table, self._asking(trial=True), reading)
        self.notes.extend(done.notes)
        self.shown = done.shown
        return self._stale()

    def _stale(self) -> Result:
        position = self.table.sitting.words.text_position(self.table.game, PlayerId(self.player))
        self.shown = (*self.shown, Shown("position", "", position))
        names = vocabulary(self.table.game.title)
        self.lines = [
            TranscriptLine(one.line, one.text, write(one.order, names), "not_reached", actor=str(one.order.actor))
            for section in self.reading.sections
            for one in section.orders
        ]
        return self._result("stale")

    # ---- playing

    def _play(self, *, partial: bool) -> Result:
        self.fork = fork = Fork(self.table.game)
        block = play_block(fork, self.player, self.reading, self.said.text, partial=partial)
        self.notes.extend(block.notes)
        self.lines = block.lines
        if not block.stands:
            return self._result(block.stopped or "refused")  # type: ignore[arg-type]
        first = any(awaits(self.table, one.ask) for one in block.sealed)
        opened = seal_and_open(self.table, fork, block.sealed, self.mail)
        self.notes.extend(opened.own)
        for place in opened.lines:
            self.lines[place] = replace(self.lines[place], verdict="accepted")
        replaced, waiting = held_rows.take_over(self.table, block, self.player)
        self.notes.extend(("held.replaced", {"text": held.text}) for held in replaced)
        settled, course = settle_all(self.table, fork, waiting, block.held)
        if first or was_awaited(self.table.game, self.player, fork):
            count_wait(self.table, self.seat)
        before, base = self.table.row.at, self.table.row.orders
        source = self.mail or self.master
        number = source.id if source is not None else None
        self.table = write_moves(self.table, fork, number, entered=self.said.origin.evidence == "entered")
        held_rows.write(self.table, settled.closed, block.held, replaced, self.mail)
        update(self.table, course)
        now = self.table.sitting.now()
        at = now if self.mail is None else min(now, self.mail.received_at)
        note_questions(self.table, fork.renewed, answers_in(self.table, fork.moves, at))
        self.notes = still_awaited((*self.notes, *if_agreed(fork.game, settled.waiting(block.held))), fork.game)
        self._report(settled)
        used, foreseen = told_ahead(settled, self.table.live.write_order), look_again(self.table)
        told = joined(used, told_again(self.table, course), foreseen)
        ahead = with_opening(self.table, told, opened)
        self.notes.extend(ahead.get(self.player, ()))
        self._author_knows(fork, base)
        assert self.table.row.at == before + len(fork.moves)
        result = self._result(_outcome(block, self.lines))
        transcript = replace(result.transcript, moves=tuple(move.events for move in fork.moves))
        return replace(result, transcript=transcript, fork=fork, ahead=ahead)

    def _report(self, settled: Settled) -> None:
        """Report on this mail's held lines that were used at once."""
        for end in settled.closed:
            held = end.held
            over = held.kind == "standing" and end.ending == "lapsed" and held.lines
            done = bool(over) and any(used is held for used, _ in settled.used)
            if over or (held.lines and held.kind != "standing"):
                self.notes = without_kept(self.notes, held)
            if done and end.failures:
                ended = {"actor": held.actor, "text": held.text, "failures": end.failures}
                self.notes.append(("standing.ended", ended))
            for place, (order, events) in zip(held.lines, end.given, strict=False):
                text = self.table.live.write_order(order).partition(": ")[2]
                line = replace(self.lines[place], verdict="accepted", events=events)
                self.lines[place] = line if held.kind in ("limit", "standing") else replace(line, canonical=text)
            left = held.lines[len(end.given) :]
            if end.ending == "lapsed" and not done:
                for place in left:
                    why = end.failures if place == left[0] else ()
                    self.lines[place] = replace(self.lines[place], verdict="lapsed", failures=why)
            elif done or (held.kind == "limit" and end.ending != "replaced"):  # a standing order goes on standing
                for place in left:
                    self.lines[place] = replace(self.lines[place], verdict="accepted")

    def _author_knows(self, fork: Fork, base: int) -> None:
        """Note that the author knows his own orders: he is not told them again, unless something else happened before
        them."""
        own = len(tuple(takewhile(lambda move: move.player == self.player, fork.moves)))
        if self.seat.told == base and own:
            self.seat.told = base + own

    def _result(self, outcome: Outcome) -> Result:
        if outcome == "held" and not asks_of(self.table.game, self.player):
            asked = tuple(dict.fromkeys(str(ask.player) for ask in self.table.game.asked()))
            self.notes.append(("not_on_turn", {"asked": asked}))
        transcript = Transcript(
            game_id=self.table.row.id,
            seat=self.player,
            lines=tuple(self.lines),
            words=self.reading.words,
            ignored_lines=self.said.ignored,
            outcome=outcome,
            notes=tuple(self.notes),
            state_token=self.table.row.at,
            shown=self.shown,
        )
        return Result(outcome, transcript, self.table, self.seat)


_ASKED_APART: Final[frozenset[Request]] = frozenset({"alias", "address", "resign"})
"""Requests about which the address of record is asked in a mail of its own, whatever else the text says."""
_MAY_BE_A_MESSAGE: Final = ("empty", "unreadable", "waits", "game_over")
"""Outcomes of texts without an order."""
_NOT_ORDERED: Final = ("empty", "unreadable")
"""Outcomes of texts that may be questions about a term, a company or a private."""
_ASKED: Final = ("address.open", "alias.asked", "resign.asked")
"""Notes that say that it was asked."""
_WORDS: dict[str, Outcome] = {
    **dict.fromkeys(
        ("notify", "pictures", "zone", "alias", "address", "revoke", "away", "back", "calendar", "propose", "vote",
         "undo", "resign"), "notified",
    ),
    "withdraw": "withdrawn", "press": "press", "master": "press", "show": "shown", "help": "helped",
}  # fmt: skip


def _with(
    result: Result, notes: Iterable[Note], press: Iterable[Press] = (), shown: Iterable[Shown] = (),
    likely: tuple[str, ...] = (),
) -> Result:  # fmt: skip
    told = result.transcript
    told = replace(told, notes=(*told.notes, *notes), press=(*told.press, *press), shown=(*told.shown, *shown))
    return replace(result, transcript=replace(told, likely=likely or told.likely))


def _outcome(block: Block, lines: list[TranscriptLine]) -> Outcome:
    if block.stopped is not None:
        return "partial"
    if any(line.verdict in ("accepted", "lapsed") for line in lines):
        return "applied"
    return "sealed" if block.sealed else "held"
