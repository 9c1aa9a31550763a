"""Answers of the game master to a player's line: passed on to the player as they stand. They change nothing in a game.

The answer goes to the person who wrote the line. If the seat has another player by now, or the game another master, it
goes to nobody, and its writer is told.
"""

from __future__ import annotations

from sqlmodel import select

from grammar import MASTER
from moderator.adapters.tables import PendingRow, PressRow, SeatRow
from moderator.domain.info import Master
from moderator.domain.senders import same_address
from moderator.service.decision.duplicates import came_before
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.master_acts import names_player
from moderator.service.locks import lock_game
from moderator.service.people.master_lines import line_of, line_tokens_in, tell_master
from moderator.service.play.press import has_secret
from moderator.service.play.to_master import WITHOUT_PRESS, write_from_master
from moderator.service.post.counters import count
from moderator.service.post.outbox import silence_of
from moderator.service.reading.text_choice import Written
from moderator.service.table.game_master import master_of
from moderator.service.table.table import Table, table_of
from moderator.service.table.trust import from_master

_TOLD = 3
"""The number of times a day that the game master is told that an answer to one line was not passed on."""


def answer_to_line(letter: Letter, read: Written | Ended, tokens: list[str]) -> Ended:
    """Handle a mail to the addresses for answers to lines with these ``tokens``. ``read`` is its text, or the end of a
    mail that could not be read."""
    sitting, mail = letter.sitting, letter.mail
    row = line_of(sitting.session, tokens[0])
    seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
    if row is None or seat is None:
        return Ended("wrong_token", "an answer to a line to the game master that nobody wrote")
    lock_game(sitting.session, seat.game)
    sitting.session.refresh(row, with_for_update=True)
    sitting.session.refresh(seat)
    mail.game, mail.player = seat.game, seat.player
    answer = _Answer(letter, table_of(sitting, seat), seat, row)
    doubtful = row.token not in line_tokens_in(sitting.desk, letter.found.written_to)
    if from_master(sitting, row, mail, doubtful=doubtful).ruling("master's answer") != "done":
        return answer.refused("unproved", Ended("unconfirmed", "an answer without the proof that is asked for"))
    if len(tokens) > 1:
        return answer.refused("several", Ended("ambiguous", "an answer to several lines"))
    if isinstance(read, Ended):
        return answer.refused("unread", read)
    return answer.passed_on(_text(read))


def _text(read: Written) -> str:
    """The text of the game master: in the mail itself, even if a text is attached to it."""
    found = read.extracted
    return (found.above or found.text or "\n\n".join(fence.text for fence in found.fences)).strip("\n").rstrip()


class _Answer:
    def __init__(self, letter: Letter, table: Table, seat: SeatRow, row: PendingRow) -> None:
        self.letter, self.table, self.seat, self.row = letter, table, seat, row
        self.sitting = letter.sitting

    def passed_on(self, text: str) -> Ended:
        master = master_of(self.table.row, self.sitting.settings)
        if why := self._past(master):
            return self.refused(why, Ended("stale", f"the line may not be answered any more: {why}"))
        assert master is not None
        limits = self.sitting.settings
        if not text.strip():
            return self.refused("empty", Ended("empty", "an answer without a text"))
        if len(text) > limits.longest_press:
            return self.refused("long", Ended("refused", "an answer that is too long"), most=limits.longest_press)
        if has_secret(self.sitting, self.row.address, text) or self.row.token in text.lower():
            return self.refused("secret", Ended("refused", "an answer with a secret address in it"))
        if why := names_player(self.sitting, self.table.row, self.row.address, text, self.seat.player):
            return self.refused("named", Ended("refused", "an answer that says who plays"), because=why)
        if (before := self._came_before(text)) is not None:
            return Ended("duplicate", f"of mail {before}")
        most = limits.press_per_day or WITHOUT_PRESS
        if count(self.sitting, f"answer:{self.row.token}") > most:
            return self.refused("often", Ended("loop", "not passed on any more today"), most=most)
        self._write(master, text)
        return Ended("press", f"an answer to {self.seat.player}")

    def _past(self, master: Master | None) -> str:
        """Why the line may not be answered any more; empty if it may."""
        if self.seat.given_at is not None and self.seat.given_at > self.row.created_at:
            return "given"
        if master is None or not same_address(master.address, self.row.address):
            return "changed"
        return "past" if self.row.state != "open" or self.row.due_at <= self.sitting.now() else ""

    def _came_before(self, text: str) -> int | None:
        """The mail that had the same answer to the same line; None if there was none. This mail is noted then."""
        said = f"answer|{self.row.token}|{' '.join(text.split())}"
        return came_before(self.letter, said)

    def _write(self, master: Master, text: str) -> None:
        asked = self._asked()
        question = [] if asked is None or asked.emptied_at is not None else asked.text.split("\n")
        write_from_master(self.table, self.seat, master, text, self.letter.mail, question, self.row.created_at)
        if silence_of(self.seat):
            self._tell("silent")

    def _asked(self) -> PressRow | None:
        """The player's line; None if it is not known."""
        wanted = select(PressRow).where(PressRow.game == self.seat.game, PressRow.player == self.seat.player)
        rows = self.sitting.session.exec(wanted.where(PressRow.mail == self.row.mail)).all() if self.row.mail else ()
        return next((row for row in rows if row.to == [MASTER]), None)

    def refused(self, why: str, ended: Ended, **facts: object) -> Ended:
        """Tell the game master, at the address to which the line went, why his answer was not passed on."""
        self._tell(why, **facts)
        return ended

    def _tell(self, why: str, **facts: object) -> None:
        if count(self.sitting, f"answer:told:{self.row.token}") <= _TOLD:
            told = {"wanted": self.row.address, **facts}
            tell_master(self.table, self.seat, self.row.address, f"answer_{why}", told, self.letter.mail)
