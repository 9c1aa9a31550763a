"""Mails of a game master to his own secret address: read, judged by their evidence, and answered.

A mail that has a fault, or that came before, changes nothing. Words that take something from somebody wait for the
master's own yes, unless our mail server has proof of him; a master who plays says nothing that judges alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from engine.core.ids import PlayerId
from grammar.master import words as m
from grammar.master.reading import MasterReading, read_master
from moderator.adapters.tables import GameRow
from moderator.domain.master_report import MasterLine, MasterReport, Verdict
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Shown
from moderator.render.game_log import log_words
from moderator.service.decision.duplicates import came_before
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.master_acts import ACTS, SECRET, Doing, NotPlayed, names_player, perform, request_for
from moderator.service.decision.motions import needed_from, open_motion
from moderator.service.listing.games import log_of
from moderator.service.listing.seats import list_shown_seats
from moderator.service.locks import lock_games
from moderator.service.people.master_lines import info_for_office, tell_office
from moderator.service.play.press import has_secret
from moderator.service.play.votes import MOST
from moderator.service.post.counters import count
from moderator.service.post.outbox import queue_to
from moderator.service.reading.text_choice import Written
from moderator.service.table.clocks import list_clocks
from moderator.service.table.game_master import Office, office_with, offices_in, seat_at
from moderator.service.table.motions import Needs, open_motions, waiting_of
from moderator.service.table.table import Table, open_table
from moderator.service.table.trust import Origin, from_office

_TOLD: Final = 3
"""The number of times a day that a game master is told that a mail to his address was not taken."""
_MOST: Final = 200
"""The most mails of one game master that are answered in a day."""
_WAITING: Final = 10
"""The most motions of one game master that wait for his consent or another game master's."""
_LATEST: Final = 20
"""The number of entries of the log that `show log` gives."""


def master_mail(letter: Letter, read: Written | Ended, named: list[tuple[str, str]]) -> Ended:
    """Handle a mail to the secret addresses of game masters, each the ``named`` game and word. ``read`` is its text, or
    the end of a mail that could not be read."""
    sitting, mail = letter.sitting, letter.mail
    if len(named) > 1:
        return Ended("ambiguous", "to the addresses of several game masters")
    ((game, token),) = named
    row = lock_games(sitting.session, (game,)).get(game)
    office = office_with(row, token) if row is not None else None
    if row is None or office is None:
        return Ended("wrong_token", "to the address of a game master that is void")
    mail.game = game
    table = open_table(sitting, row)
    doubtful = (game, token) not in offices_in(sitting.desk, letter.found.written_to)
    origin = from_office(sitting, office.address, mail, doubtful=doubtful)
    handling = _Handling(letter, table, row, office, origin)
    if origin.ruling("conduct") != "done":
        return handling.told("office_unproved", Ended("unconfirmed", "without the proof that is asked for"))
    if isinstance(read, Ended):
        return handling.told("office_unread", read)
    if count(sitting, f"office:{token}") > _MOST:
        return Ended("loop", "not answered any more today")
    text = _text(read, game)
    if text is None:
        return handling.told("office_unread", Ended("unreadable", "cut off, or with a block for another game"))
    return handling.run(text)


def _text(read: Written, game: str) -> str | None:
    """The words in a mail; None if it may have been cut off, or if it has a block for another game or several
    blocks."""
    found = read.extracted
    if found.damaged and not found.ended:
        return None
    if found.above or not found.fences:
        return (found.above or found.text).strip("\n")
    first, *more = found.fences
    return None if more or not first.closed or first.game not in ("", game) else first.text.strip("\n")


def _moment(date: str) -> str:
    """The moment that a header field ``Date`` names, however it is written; as it stands if it names none."""
    try:
        found = parsedate_to_datetime(date)
        return str((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return " ".join(date.split())


class _Handling:
    def __init__(self, letter: Letter, table: Table, row: GameRow, office: Office, origin: Origin) -> None:
        self.letter, self.table, self.row, self.office, self.origin = letter, table, row, office, origin
        self.sitting, self.mail = letter.sitting, letter.mail

    def run(self, text: str) -> Ended:
        if (before := self._came_before(text)) is not None:
            return Ended("duplicate", f"of mail {before}")
        reading = read_master(text, tuple(seat.player for seat in self.table.seats))
        if reading.faults:
            return self._answer(MasterReport(self._with_faults(reading)), "unreadable")
        if not reading.words:
            return self._answer(MasterReport(helped=True), "empty")
        if has_secret(self.sitting, self.office.address, reading.reason):
            return self._answer(MasterReport(self._refused(reading.words, SECRET)), "refused")
        said = [word for _, word in reading.words]
        if why := names_player(self.sitting, self.row, self.office.address, reading.reason, words=said):
            return self._answer(MasterReport(self._refused(reading.words, why)), "refused")
        shown = tuple(self._shown(word) for _, word in reading.words if isinstance(word, m.Show))
        helped = any(isinstance(word, m.Help) for _, word in reading.words)
        words = [(n, w) for n, w in reading.words if not isinstance(w, m.Check | m.Reason | m.Show | m.Help)]
        if not words:
            outcome: Outcome = "shown" if shown else "helped" if helped else "checked"
            return self._answer(MasterReport(shown=shown, helped=helped), outcome)
        needs = None if reading.tried else self._needs([word for _, word in words])
        if needs is not None:
            return self._ask(words, reading.reason, needs)
        return self._carry_out(words, reading, shown)

    def _needs(self, words: Sequence[m.MasterWord]) -> Needs | None:
        """The consent that the mail waits for; None for none. One word that needs it keeps all of them waiting, so
        that their order stays."""
        seat = seat_at(self.sitting.session, self.table.seats, self.office.address)
        if seat is not None and any(isinstance(word, ACTS) for word in words):
            return needed_from(self.table, self.office.address, words)
        return "own" if any(self.origin.ruling(request_for(word)) == "asked" for word in words) else None

    def _ask(self, words: Sequence[tuple[int, m.MasterWord]], reason: str, needs: Needs) -> Ended:
        """Try all words, and ask for consent if none is refused."""
        if why := self._many([str(word) for _, word in words], needs):
            return self._answer(MasterReport(self._refused(words, why)), "refused")
        lines = self._done(words, reason, trial=True)[0]
        if any(line.verdict == "refused" for line in lines):
            return self._answer(MasterReport(tuple(lines)), "refused")
        asked = open_motion(self.table, self.office.address, [word for _, word in words], reason, needs, self.mail)
        waiting = tuple(MasterLine(number, str(word), "waits") for number, word in words)
        report = MasterReport(waiting, needs=needs, waits_for=asked.asked, until=asked.until)
        return self._answer(report, "unconfirmed")

    def _many(self, words: list[str], needs: Needs) -> str:
        """Why consent is not asked for now; empty if it is."""
        waiting = waiting_of(self.sitting.session, self.row.id, self.office.address)
        if any(one.words == words for one in waiting):
            return "the same waits for consent already"
        if needs in ("most", "all"):
            waiting = open_motions(self.sitting.session, self.row.id)
        most = MOST if needs in ("most", "all") else _WAITING
        return f"{len(waiting)} motions wait for consent already" if len(waiting) >= most else ""

    def _refused(self, words: Sequence[tuple[int, m.MasterWord]], why: str) -> tuple[MasterLine, ...]:
        return tuple(MasterLine(number, str(word), "refused", why) for number, word in words)

    def _carry_out(
        self, words: Sequence[tuple[int, m.MasterWord]], reading: MasterReading, shown: tuple[Shown, ...]
    ) -> Ended:  # fmt: skip
        lines, doing = self._done(words, reading.reason, trial=reading.tried)
        refused = any(line.verdict == "refused" for line in lines)
        done = any(line.verdict == "done" for line in lines)
        outcome: Outcome = (
            "checked" if reading.tried else "partial" if refused and done else "refused" if refused else "applied"
        )
        ended = self._answer(MasterReport(tuple(lines), shown), outcome)
        return Ended(ended.outcome, ended.detail, tuple(doing.moved))

    def _done(
        self, words: Sequence[tuple[int, m.MasterWord]], reason: str, *, trial: bool
    ) -> tuple[list[MasterLine], Doing]:  # fmt: skip
        """Carry out the words in their order, up to the first that is refused; in a trial try each by itself."""
        doing = Doing(self.sitting, self.row.id, self.office.address, reason, self.mail, trial)
        lines: list[MasterLine] = []
        stopped = False
        for number, word in words:
            verdict: Verdict = "would" if trial else "done"
            if stopped:
                lines.append(MasterLine(number, str(word), "left"))
                continue
            try:
                perform(doing, word)
            except NotPlayed as error:
                lines.append(MasterLine(number, str(word), "refused", given=error.lines))
                stopped = not trial
            except ValueError as error:
                lines.append(MasterLine(number, str(word), "refused", str(error)))
                stopped = not trial
            else:
                lines.append(MasterLine(number, str(word), verdict))
        return lines, doing

    def _with_faults(self, reading: MasterReading) -> tuple[MasterLine, ...]:
        lines = [MasterLine(fault.line, fault.text, "unreadable", fault.reason, fault.near) for fault in reading.faults]
        lines += [MasterLine(number, str(word), "left") for number, word in reading.words]
        return tuple(sorted(lines, key=lambda line: line.number))

    def _shown(self, word: m.Show) -> Shown:
        """A view of the game that everybody may have."""
        words, info = self.sitting.words, info_for_office(self.table, self.office)
        match word.what:
            case "clock":
                text = words.text_clock(info, list_clocks(self.sitting, self.row))
            case "board":
                text = words.text_map(self.table.game)
            case "seats":
                own = seat_at(self.sitting.session, self.table.seats, self.office.address)
                text = words.text_seats(info, list_shown_seats(self.sitting, self.row, heard=own is None))
            case "log":
                entries = log_of(self.sitting.session, self.row.id)[-_LATEST:]
                text = "\n".join(f"{one.orders:>5}  {log_words(one)}" for one in entries)
            case _:
                text = words.text_position(self.table.game, PlayerId(""))
        return Shown(word.what, "", text)

    def _came_before(self, text: str) -> int | None:
        """The mail that said the same and has the same ``Date``; None if there was none. This mail is noted then. A
        signature covers the ``Date`` but perhaps not the Message-ID, so a mail that somebody sends again has the same
        one."""
        identity = _moment(self.letter.parsed.date) or self.letter.parsed.message_id
        said = f"office|{self.office.token}|{identity}|{' '.join(text.split())}"
        return came_before(self.letter, said)

    def _answer(self, report: MasterReport, outcome: Outcome) -> Ended:
        """Answer the mail. A game master who has just removed himself has no address any more."""
        office = office_with(self.row, self.office.token)
        info = info_for_office(self.table, office)
        rendered = self.sitting.words.master_answer_mail(self.table.game, info, report)
        reply_to = info.reply_to or self.sitting.settings.address
        queue_to(self.sitting, self.office.address, reply_to, self.table.seats[0], rendered, self.mail, "office")
        return Ended(outcome, ", ".join(line.text.split("\n")[0] for line in report.lines if line.verdict == "done"))

    def told(self, key: str, ended: Ended) -> Ended:
        """Tell the game master, at his address, that a mail was not taken."""
        if count(self.sitting, f"office:told:{self.office.token}") <= _TOLD:
            tell_office(self.table, self.office, key, {"wanted": self.office.address})
        return ended
