"""Votes: a player proposes words of a game master, and the players say yes or no from their seats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grammar.master import words as m
from grammar.master.reading import read_master
from moderator.adapters.tables import MailRow, MotionRow, SeatRow
from moderator.domain.transcript import Note
from moderator.service.play.holds import notice_to_all
from moderator.service.play.masters.master import set_terms_in
from moderator.service.play.options import set_option_in
from moderator.service.play.press import has_secret
from moderator.service.table.anonymity import told_in
from moderator.service.table.game_master import seat_at
from moderator.service.table.motions import Needs, facts_of, needed_for, new_motion, open_motions, told_words, voices_of
from moderator.service.table.table import Table

CAST: Final = "vote.cast"
"""The note on a vote that counts: perhaps it decides."""
_PROPOSED: Final = (m.Pause, m.Resume, m.Extend, m.Until, m.Clock, m.Option, m.Undo, m.Redo, m.Open, m.Robot, m.End)
"""Words on which the table may vote."""
_BECAUSE: Final = re.compile(r"\s+because\s+", re.IGNORECASE)
MOST: Final = 3
"""The most votes of a game that are open at once."""


def propose(table: Table, seat: SeatRow, text: str, mail: MailRow | None, *, trial: bool) -> Note:
    """Let the table vote on ``text``, a word of a game master with perhaps a reason (``extend 48 hours because Ann is
    ill``). Returns the note for whoever proposes it."""
    said, *reason = _BECAUSE.split(text, maxsplit=1)
    reading = read_master(said, tuple(one.player for one in table.seats))
    if reading.faults or len(reading.words) != 1:
        return "vote.unread", {"text": said, "near": reading.faults[0].near if reading.faults else ""}
    word = reading.words[0][1]
    if not isinstance(word, _PROPOSED):
        return "vote.not_ours", {"text": str(word)}
    if table.row.over:
        return "vote.over", {}
    standing = open_motions(table.sitting.session, table.row.id)
    if any(one.words == [str(word)] for one in standing):
        return "vote.again", {"text": str(word)}
    if len(standing) >= MOST:
        return "vote.many", {"most": MOST}
    if has_secret(table.sitting, seat.address, text):
        return "press.secret", {}
    if named := told_in(table.sitting.session, table.row, (seat,), " ".join(reason)):
        return "press.named", {"said": named}
    if why := _hindrance(table, word):
        return "vote.cannot", {"text": str(word), "why": why}
    if trial:
        return "vote.trial", {"text": str(word)}
    put_to_vote(table, seat.player, (word,), " ".join(reason), needed_for((word,)), mail)
    return "vote.proposed", {"text": str(word)}


def _hindrance(table: Table, word: m.MasterWord) -> str:
    """Why terms or an option cannot be as ``word`` says, even if all agree; empty if they can."""
    sitting, game = table.sitting, table.row.id
    try:
        if isinstance(word, m.Option):
            set_option_in(sitting, game, word.name, word.value, by_table=True, trial=True)
        elif isinstance(word, m.Clock):
            set_terms_in(sitting, game, word.terms, trial=True)
    except ValueError as error:
        return str(error)
    return ""


def put_to_vote(
    table: Table, mover: str, words: Sequence[m.MasterWord], reason: str, needs: Needs, mail: MailRow | None
) -> MotionRow:
    """Let the table vote on ``words`` of ``mover``, a player or the address of a game master. A player who moves
    something has agreed to it. All are told."""
    row, voices = new_motion(table, mover, words, reason, needs, [seat.player for seat in table.seats], mail)
    own = table.seat_of(mover) or seat_at(table.sitting.session, table.seats, mover)
    for voice in voices:
        if own is not None and voice.voter == own.player:
            voice.said, voice.said_at = "yes", table.sitting.now()
    table.sitting.session.flush()
    notice_to_all(table, "vote_begun", facts_of(table, row))
    return row


def vote(table: Table, seat: SeatRow, argument: str, *, trial: bool) -> Note:
    """Count the ``yes`` or ``no`` of ``seat`` in the only vote that is open, or in that of a number (``yes 7``). A
    later one replaces it. Returns the note for the voter."""
    said, _, number = argument.partition(" ")
    standing = open_motions(table.sitting.session, table.row.id)
    if not standing:
        return "vote.none", {}
    named = [row for row in standing if str(row.id) == number] if number else standing
    if len(named) != 1:
        return "vote.which", {"numbers": tuple(str(row.id) for row in standing), "said": said}
    (row,) = named
    if table.row.over:
        return "vote.over", {}
    if row.due_at <= table.sitting.now():
        return "vote.late", {}
    voice = next((one for one in voices_of(table.sitting.session, row) if one.voter == seat.player), None)
    assert voice is not None, "every player has a voice"
    if trial:
        return "vote.would", {"said": said, "words": told_words(table.row, row.words)}
    voice.said, voice.said_at = said, table.sitting.now()
    table.sitting.session.flush()
    return CAST, {"said": said, "words": told_words(table.row, row.words)}
