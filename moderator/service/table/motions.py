"""Motions: words of a game master that wait for consent, and the voices that they have so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from sqlmodel import Session, col, func, select

from grammar.master import words as m
from grammar.master.reading import read_master
from moderator.adapters.tables import GameRow, MailRow, MotionRow, SeatRow, VoiceRow
from moderator.service.desk import Desk, Sitting
from moderator.service.table.clocks import timetable_of
from moderator.service.table.game_master import Office, office_at, offices_of, seat_at
from moderator.service.table.table import Table

Needs: TypeAlias = Literal["own", "second", "most", "all"]
_ALL: Final = (
    m.Undo,
    m.Redo,
    m.End,
    m.Clock,
    m.Option,
    m.Give,
    m.Enter,
    m.CorrectPay,
    m.CorrectMove,
    m.AddMaster,
    m.RemoveMaster,
)
"""Words that every player must agree to; for all others more than half of them are enough."""
_GIVE: Final = re.compile(r"(?P<seat>give .+?) to (?P<name>.+?)\s*<[^<>]*>", re.DOTALL)
"""A seat that is given to a person."""
_HOURS: Final = 72
"""The time for a vote in a game without clocks, in hours."""
_MOST_HOURS: Final = 168


@dataclass(frozen=True, slots=True)
class Count:
    """The voices of a vote: ``yes`` and ``no`` of ``voters`` players, of whom ``wanted`` must agree."""

    yes: int
    no: int
    voters: int
    wanted: int

    @property
    def carried(self) -> bool:
        return self.yes >= self.wanted

    @property
    def lost(self) -> bool:
        """True if the votes that are left cannot carry it any more."""
        return self.voters - self.no < self.wanted


def needed_for(words: Iterable[m.MasterWord]) -> Needs:
    """The players who must agree to ``words`` if the table votes on them."""
    return "all" if any(isinstance(word, _ALL) for word in words) else "most"


def second_masters(table: Table, address: str) -> tuple[Office, ...]:
    """The game masters other than the one at ``address`` who do not play."""
    others = (one for one in offices_of(table.row) if one.address.lower() != address.lower())
    return tuple(one for one in others if seat_at(table.sitting.session, table.seats, one.address) is None)


def new_motion(
    table: Table, mover: str, words: Sequence[m.MasterWord], reason: str, needs: Needs, voters: Iterable[str],
    mail: MailRow | None,
) -> tuple[MotionRow, list[VoiceRow]]:  # fmt: skip
    """Store a motion of ``mover`` for the consent of ``voters``: addresses of game masters, each of whom gets a secret
    word, or players."""
    sitting, now = table.sitting, table.sitting.now()
    row = MotionRow(
        game=table.row.id, mover=mover, words=[str(word) for word in words], reason=reason, needs=needs,
        mail=mail.id if mail is not None else None, created_at=now, due_at=now + _time_for(table, needs),
    )  # fmt: skip
    sitting.session.add(row)
    sitting.session.flush()
    assert row.id is not None
    by_players = needs in ("most", "all")
    voices = [
        VoiceRow(motion=row.id, voter=voter, token="" if by_players else sitting.desk.secret_word()) for voter in voters
    ]
    sitting.session.add_all(voices)
    return row, voices


def _time_for(table: Table, needs: Needs) -> timedelta:
    """The time for consent: for a game master that of a confirmation, for a vote that of a decision, at most a
    week."""
    if needs in ("own", "second"):
        return timedelta(hours=table.sitting.settings.confirm_hours)
    terms = timetable_of(table.row)
    return timedelta(hours=min(terms.hours or _HOURS, _MOST_HOURS))


def words_of(row: MotionRow, seats: Sequence[SeatRow]) -> list[m.MasterWord]:
    """The words of a motion. ``ValueError`` if this program cannot read one of them."""
    found = []
    for text in row.words:
        reading = read_master(text, tuple(seat.player for seat in seats))
        if reading.faults or len(reading.words) != 1:
            raise ValueError(f"`{text}` cannot be read any more")
        found.append(reading.words[0][1])
    return found


def voices_of(session: Session, row: MotionRow) -> list[VoiceRow]:
    return list(session.exec(select(VoiceRow).where(VoiceRow.motion == row.id).order_by(col(VoiceRow.id))).all())


def voice_with(session: Session, token: str) -> VoiceRow | None:
    """The voice of the game master whose secret word is ``token``; None if there is none."""
    return session.exec(select(VoiceRow).where(VoiceRow.token == token)).first() if token else None


def count_of(session: Session, row: MotionRow) -> Count:
    voices = voices_of(session, row)
    said = [voice.said for voice in voices]
    wanted = len(voices) if row.needs == "all" else len(voices) // 2 + 1
    return Count(said.count("yes"), said.count("no"), len(voices), wanted)


def open_motions(session: Session, game: str) -> list[MotionRow]:
    """The motions of a game on which the table votes, the oldest first."""
    wanted = select(MotionRow).where(
        MotionRow.game == game, MotionRow.state == "open", col(MotionRow.needs).in_(("most", "all"))
    )
    return list(session.exec(wanted.order_by(col(MotionRow.id))).all())


def waiting_of(session: Session, game: str, mover: str) -> list[MotionRow]:
    """The motions of ``mover`` that wait for consent of any kind, the oldest first."""
    wanted = select(MotionRow).where(
        MotionRow.game == game, MotionRow.state == "open", func.lower(col(MotionRow.mover)) == mover.lower()
    )
    return list(session.exec(wanted.order_by(col(MotionRow.id))).all())


def told_words(game: GameRow, words: Iterable[str]) -> tuple[str, ...]:
    """The words of a motion as the players are told them: without the address of somebody who is to have a seat and, in
    an anonymous game, without his name."""
    instead = r"\g<seat> to somebody else" if game.veiled else r"\g<seat> to \g<name>"
    return tuple(_GIVE.sub(instead, text) for text in words)


def facts_of(table: Table, row: MotionRow) -> dict[str, object]:
    """The facts about a vote for the words about it."""
    found = count_of(table.sitting.session, row)
    office = office_at(table.row, row.mover)
    return {
        "number": row.id, "words": told_words(table.row, row.words), "by": row.mover if office is None else office.name,
        "reason": row.reason, "due": row.due_at, "yes": found.yes, "no": found.no, "wanted": found.wanted,
        "voters": found.voters, "lapsed": row.state == "lapsed",
        "only": len(open_motions(table.sitting.session, row.game)) <= 1,
    }  # fmt: skip


def empty_voice(session: Session, game: str, player: str) -> list[MotionRow]:
    """Take the voice of ``player``, whose seat somebody else plays from now on, out of all votes that are open. Returns
    those votes: the new player is told of them, and says for himself what he wants."""
    standing = open_motions(session, game)
    for row in standing:
        for voice in voices_of(session, row):
            if voice.voter == player:
                voice.said, voice.said_at = "", None
    return standing


def close(sitting: Sitting, row: MotionRow, state: str) -> None:
    row.state, row.closed_at = state, sitting.now()


def motion_address(desk: Desk, token: str) -> str:
    """``railpost+motion.TOKEN@domain``: where a game master answers with yes or no."""
    return f"{desk.settings.mailbox}+motion.{token}@{desk.settings.domain}".lower()


def lapses(session: Session, now: datetime) -> list[tuple[int, str]]:
    """The motions whose time is over, each with its game."""
    wanted = select(MotionRow.id, MotionRow.game).where(MotionRow.state == "open", MotionRow.due_at <= now)
    return [(number, game) for number, game in session.exec(wanted).all() if number is not None]
