"""Consent to words of a game master: his own yes, that of another game master, or a vote of the table.

A motion is closed by rule. It is carried out when enough have agreed, refused when that can no longer be, and lapses
when its time is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import select

from grammar.master import words as m
from moderator.adapters.tables import EntryRow, MailRow, MotionRow, VoiceRow
from moderator.service.decision.consent import consent
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.master_acts import Doing, NotPlayed, perform
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live
from moderator.service.locks import lock_game
from moderator.service.people.master_lines import tell_office
from moderator.service.people.requests import tokens_in
from moderator.service.play.holds import notice_to_all
from moderator.service.play.votes import CAST, put_to_vote
from moderator.service.post.counters import count
from moderator.service.reading.text_choice import Written
from moderator.service.table.game_master import may_know, office_at, offices_of, seat_at
from moderator.service.table.motions import (
    Needs,
    close,
    count_of,
    facts_of,
    lapses,
    motion_address,
    needed_for,
    new_motion,
    open_motions,
    second_masters,
    told_words,
    voice_with,
    words_of,
)
from moderator.service.table.result import Result
from moderator.service.table.stuck import Apart
from moderator.service.table.table import Table, lock_table, open_table
from moderator.service.table.trust import from_office

_NOT_GIVEN = "the seat cannot be given to that person"
"""The reason that the table of an anonymous game is told: the true one may name the person."""
_TOLD = 3
"""The number of times a day that a game master is told that his answer to one motion is unclear or comes too late."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Those whose consent is asked for, by name, without the mover; and the moment at which the motion lapses."""

    asked: tuple[str, ...]
    until: datetime


def needed_from(table: Table, address: str, words: Sequence[m.MasterWord]) -> Needs:
    """The consent that the words of a game master need who plays: another game master who does not play, or the
    table."""
    return "second" if second_masters(table, address) else needed_for(words)


def open_motion(
    table: Table, mover: str, words: Sequence[m.MasterWord], reason: str, needs: Needs, mail: MailRow | None
) -> Asked:  # fmt: skip
    """Store the ``words`` of ``mover``, an address of a game master or a player, and ask for the consent that they
    need. A player who moves something has agreed to it."""
    if needs in ("own", "second"):
        wanted = [one for one in offices_of(table.row) if one.address.lower() == mover.lower()]
        offices = wanted if needs == "own" else list(second_masters(table, mover))
        row, voices = new_motion(table, mover, words, reason, needs, [one.address for one in offices], mail)
        for office, voice in zip(offices, voices, strict=True):
            facts = {"words": tuple(row.words), "own": needs == "own", "by": _name(table, mover), "due": row.due_at,
                     "reason": reason}  # fmt: skip
            tell_office(table, office, "office_confirm", facts, motion_address(table.sitting.desk, voice.token))
        return Asked(() if needs == "own" else tuple(one.name for one in offices), row.due_at)
    row = put_to_vote(table, mover, words, reason, needs, mail)
    own = seat_at(table.sitting.session, table.seats, mover)
    return Asked(tuple(seat.player for seat in table.seats if own is None or seat.player != own.player), row.due_at)


def answer_to_motion(letter: Letter, read: Written | Ended, tokens: list[str]) -> Ended:
    """Handle a game master's mail to an address at which he answers with yes or no."""
    sitting, mail = letter.sitting, letter.mail
    voice = voice_with(sitting.session, tokens[0]) if len(tokens) == 1 else None
    row = sitting.session.get(MotionRow, voice.motion) if voice is not None else None
    if voice is None or row is None:
        return Ended("wrong_token", "a consent that nobody was asked for")
    lock_game(sitting.session, row.game)
    sitting.session.refresh(row)
    mail.game = row.game
    table = lock_table(sitting, row.game)
    doubtful = voice.token not in tokens_in(sitting.desk, letter.found.written_to, "motion")
    if from_office(sitting, voice.voter, mail, doubtful=doubtful).ruling("conduct") != "done":
        return _told(table, voice, "office_unproved", Ended("unconfirmed", "a consent without the proof asked for"))
    if isinstance(read, Ended):
        return read
    gone = office_at(table.row, voice.voter) is None or seat_at(sitting.session, table.seats, voice.voter) is not None
    if row.state != "open" or row.due_at <= sitting.now() or gone:
        return _told(table, voice, "confirm_past", Ended("stale", f"motion {row.id} is {row.state}"))
    said = consent(read.extracted.text)
    if not said:
        return _told(table, voice, "confirm_unclear", Ended("empty", f"neither yes nor no to motion {row.id}"))
    voice.said, voice.said_at = said, sitting.now()
    if said == "no":
        close(sitting, row, "refused")
        _tell_mover(table, row, "motion_refused")
        return Ended("declined", f"motion {row.id}")
    moved = carry_out(table, row, mail)
    return Ended("confirmed", f"motion {row.id}", tuple(moved))


def follow_votes(result: Result) -> tuple[Live, ...]:
    """Carry out what the votes in a text have decided, if it had any. Returns the games that moved."""
    cast = any(key == CAST for key, _ in result.transcript.notes)
    return _carry_agreed(result.table.sitting, result.seat.game) if cast else ()


def _carry_agreed(sitting: Sitting, game: str) -> tuple[Live, ...]:
    """Carry out the motions of ``game`` on which the table has agreed. Returns the games that moved."""
    moved: list[Live] = []
    for row in open_motions(sitting.session, game):
        if row.state != "open":  # one that was carried before it has ended the game
            continue
        found = count_of(sitting.session, row)
        table = lock_table(sitting, game)
        if found.carried:
            moved += carry_out(table, row, None)
        elif found.lost:
            close(sitting, row, "refused")
            notice_to_all(table, "vote_lost", facts_of(table, row))
    return tuple(moved)


def carry_out(table: Table, row: MotionRow, mail: MailRow | None) -> list[Live]:
    """Do all that was agreed, or nothing if one of its words cannot be done any more: they were agreed on together."""
    sitting = table.sitting
    if mail is None and row.mail is not None:  # the table has agreed: what it does came with the motion
        mail = sitting.session.get(MailRow, row.mail)
    doing = Doing(sitting, row.game, "" if table.seat_of(row.mover) else row.mover, row.reason, mail)
    close(sitting, row, "carried")
    failed = ""
    try:
        with sitting.desk.database.all_or_none(sitting.session):
            words = words_of(row, table.seats)
            for word in words:
                _check_since(table, row, word)
            for word in words:
                failed = str(word)
                perform(doing, word)
    except ValueError as error:
        sitting.games.forget_recent()  # a position in memory may be one that the words before led to
        table = lock_table(sitting, row.game)
        row.state = "failed"
        why = error.outcome if isinstance(error, NotPlayed) else str(error)
        by_table = row.needs in ("most", "all")
        knows = not by_table and may_know(sitting.session, table.row, table.seats, row.mover)
        if failed.startswith("give ") and table.row.veiled and not knows:
            why = _NOT_GIVEN
        failed = failed if len(row.words) > 1 else ""
        if by_table:
            said = {"words": told_words(table.row, row.words), "failed": "".join(told_words(table.row, [failed]))}
            notice_to_all(table, "motion_failed", {**said, "why": why})
        else:
            _tell_mover(table, row, "motion_failed", why=why, failed=failed)
        return []
    after = open_table(sitting, table.row)  # its mails have the addresses of the questions that are open now
    if row.needs in ("own", "second"):
        _tell_mover(after, row, "motion_done")
    else:
        notice_to_all(after, "vote_carried", facts_of(after, row))
    return doing.moved


def _check_since(table: Table, row: MotionRow, word: m.MasterWord) -> None:
    """``ValueError`` if ``word`` does not mean any more what it meant when consent was asked for: its numbers count
    other orders, its orders would answer another question, or its seat has another player."""
    since = row.created_at
    if isinstance(word, m.Undo | m.Redo | m.Enter):
        wanted = select(EntryRow).where(EntryRow.game == row.game, EntryRow.created_at > since)
        entries = table.sitting.session.exec(wanted).all()
        if any(entry.kind == "undo" for entry in entries):
            raise ValueError("orders have been taken back since this was asked; ask for it again")
        if isinstance(word, m.Enter) and any(one.kind == "order" and one.player == word.seat for one in entries):
            raise ValueError(f"{word.seat} has played since this was asked; ask for it again")
    if isinstance(word, m.Give | m.Open | m.Robot | m.Enter):
        seat = table.seat_of(word.seat)
        if seat is not None and seat.given_at is not None and seat.given_at > since:
            raise ValueError(f"{word.seat} is played by somebody else since this was asked; ask for it again")


def end_lapsed(desk: Desk) -> int:
    """Close the motions whose time is over. Returns their number. A vote in which enough have agreed is carried out
    before, with the voice that decides it."""
    with desk.database.reading() as session:
        found = lapses(session, desk.clock.now())
    for number, game in found:
        with Apart(desk, game), desk.sitting() as sitting:
            table = lock_table(sitting, game)
            row = sitting.session.get_one(MotionRow, number)
            if row.state != "open" or row.due_at > sitting.now():
                continue
            close(sitting, row, "lapsed")
            if row.needs in ("most", "all"):
                notice_to_all(table, "vote_lost", facts_of(table, row))
            else:
                _tell_mover(table, row, "motion_lapsed")
    return len(found)


def _tell_mover(table: Table, row: MotionRow, key: str, **facts: object) -> None:
    """Tell the game master who moved something what became of it."""
    office = office_at(table.row, row.mover)
    if office is not None:
        tell_office(table, office, key, {"words": tuple(row.words), **facts})


def _told(table: Table, voice: VoiceRow, key: str, ended: Ended) -> Ended:
    office = office_at(table.row, voice.voter)
    if office is not None and count(table.sitting, f"motion:told:{voice.token}") <= _TOLD:
        again = motion_address(table.sitting.desk, voice.token) if key == "confirm_unclear" else ""
        tell_office(table, office, key, {"wanted": voice.voter}, again)
    return ended


def _name(table: Table, mover: str) -> str:
    """The name of whoever moved something, for others."""
    office = office_at(table.row, mover)
    return mover if office is None else office.name
