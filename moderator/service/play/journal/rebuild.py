"""Rebuilds a game from its journal alone, and compares it with what is stored.

The journal is the log: the orders that decided mails brought or that were carried out for a seat (given ahead, by a
limit, by consent, by silence when a deadline ended), the commands of the game master and changes of the rules. The
rebuild uses neither snapshots nor stored events, nor the text of any mail, which is deleted after its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from sqlmodel import Session, col, select

from engine import Game, Refused
from engine.core.storage.snapshot import write_events
from moderator.adapters.tables import EntryRow, GameRow, MailRow
from moderator.domain.counts import counted
from moderator.domain.records.adopted_position import read_adopted
from moderator.service.desk import Desk
from moderator.service.games import refusal
from moderator.service.past.game_loader import Pieces, Unreadable, same_form
from moderator.service.people import journal
from moderator.service.play.journal.export import record_text

_AHEAD = ("held", "limit", "consent", "standing")
"""Origins of orders that were given ahead. What they answer may have come from no mail."""
_NEVER_BY_MAIL = ("silence", "default", "robot", "master", "upgrade", "sealed", "import", "kept", *_AHEAD)
"""Origins of entries that need not come from a mail of a seat."""
RESTORED_FROM = "restored from the copy of "
"""The text of the entry that a restore writes begins with it."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild. ``differs`` names the first entry at which the journal does not lead to what is stored,
    and the difference; it is empty if both are equal. ``mails`` is the number of mails that brought entries, and
    ``emptied`` the number of those whose text has been deleted."""

    game: str
    entries: int = 0
    orders: int = 0
    mails: int = 0
    emptied: int = 0
    differs: str = ""


@dataclass(slots=True)
class _Course:
    """The game as far as the journal has led."""

    game: Game
    pieces: Pieces
    status: str = "running"
    at: int = 0
    restored: bool = False
    """The last entry says that a copy was put in place: decision numbers that may have been given out are left out."""
    mails: set[int] = field(default_factory=set)


def rebuild(desk: Desk, name: str) -> Rebuilt | None:
    """Rebuild the game; None if there is no such game."""
    with desk.database.reading() as session:
        row = session.get(GameRow, name)
        if row is None:
            return None
        pieces = desk.games.pieces(row)
        course = _Course(Game.start(pieces.title, pieces.setup), pieces)
        wanted = select(EntryRow).where(EntryRow.game == name).order_by(col(EntryRow.at))
        done = Rebuilt(name)
        for entry in session.exec(wanted):
            said = _step(course, entry)
            done = replace(done, entries=done.entries + 1, orders=len(course.game.orders))
            if said:
                return replace(done, differs=f"entry {done.entries}, decision {entry.at}, {_called(entry)}: {said}")
        emptied, missing = _mails(session, course)
        done = replace(done, mails=len(course.mails), emptied=emptied)
        ends = (missing, *_at_the_end(row, course), *_seats(desk, session, row), *_record(desk, session, row, course))
        return replace(done, differs=next((said for said in ends if said), ""))


def _called(entry: EntryRow) -> str:
    return entry.text if entry.kind == "order" else f"{entry.kind} after {counted(entry.orders, 'order')}"


def _step(course: _Course, entry: EntryRow) -> str:
    """Play one entry. Returns its difference from what is stored beside it; empty if there is none."""
    if course.at and entry.at <= course.at:
        return f"it comes after decision {course.at}"
    course.at = entry.at
    course.restored = entry.kind == "undo" and entry.text.startswith(RESTORED_FROM)
    if entry.mail is not None:
        course.mails.add(entry.mail)
    match entry.kind:
        case "order":
            said = _order(course, entry)
        case "undo":
            said = _undo(course, entry)
        case "adopt":
            said = _adopt(course, entry)
        case "pause" | "resume" | "end":
            course.status = {"pause": "paused", "resume": "running", "end": "ended"}[entry.kind]
            said = ""
        case _:
            said = ""
    if not said and len(course.game.orders) != entry.orders:
        said = f"the journal leads to {counted(len(course.game.orders), 'order')}, the entry says {entry.orders}"
    return said


def _order(course: _Course, entry: EntryRow) -> str:
    if entry.origin not in _NEVER_BY_MAIL and entry.mail is None:
        return f"no mail is named, and it came by {entry.origin}"
    try:
        events = course.game.submit(course.pieces.order(entry.text))
    except ValueError as unreadable:
        return str(unreadable)
    if isinstance(events, Refused):
        return f"it is refused: {refusal(course.game.title, events)}"
    digest = course.pieces.digest(course.game.state)
    if same_form(entry.digest, digest) and entry.digest != digest:
        return "it leads to another position than players were told"
    if entry.events is not None:
        try:
            stored = course.pieces.events(entry.events)
        except Unreadable:
            return ""
        told = course.pieces.events(write_events(course.game.title, events))  # without what is sealed, as stored
        if stored != told:
            return "what followed from it is stored otherwise"
    return ""


def _undo(course: _Course, entry: EntryRow) -> str:
    if not 0 <= entry.orders <= len(course.game.orders):
        return f"there is no position after {counted(entry.orders, 'order')} to go back to"
    course.game.undo(entry.orders)
    course.status = course.status if course.status == "paused" else "running"
    return ""


def _adopt(course: _Course, entry: EntryRow) -> str:
    """Go on from the position that was told. Returns the problem if that cannot be read."""
    try:
        state = read_adopted(entry.position or b"").state(course.pieces.title, course.pieces.setup.seed)
    except Unreadable as problem:
        return f"the adopted position cannot be read: {problem}"
    course.game = Game.resume(course.pieces.title, course.pieces.setup, list(course.game.orders), state)
    return ""


def _mails(session: Session, course: _Course) -> tuple[int, str]:
    """The number of mails whose text has been deleted, and the complaint about a missing mail; empty if none is
    missing."""
    found = {
        number: emptied is not None
        for number, emptied in session.exec(
            select(MailRow.id, MailRow.emptied_at).where(
                col(MailRow.id).in_(course.mails), col(MailRow.outcome).is_not(None)
            )
        ).all()
    }
    missing = sorted(course.mails - found.keys())
    return sum(
        found.values()
    ), f"mail {missing[0]}, which brought an entry, is not there or not decided" if missing else ""


def _at_the_end(row: GameRow, course: _Course) -> Iterator[str]:
    if len(course.game.orders) != row.orders:
        yield f"the journal leads to {counted(len(course.game.orders), 'order')}, the game is at {row.orders}"
    if course.at and row.at != course.at + 1 and not (course.restored and row.at > course.at):
        yield f"the last entry answers decision {course.at}, and {row.at} is open"
    status = "finished" if course.game.finished and course.status == "running" else course.status
    if row.status not in (status, "held"):
        yield f"by the journal the game is {status}, and it is stored as {row.status}"


def _seats(desk: Desk, session: Session, row: GameRow) -> Iterator[str]:
    """The differences of the seats from the last lines of their journal. A seat that never changed has no line."""
    told = journal.read(journal.path_of(desk.settings))
    last = {state.key: state for state in sorted(told.states, key=lambda state: (state.n, state.at))}
    for state in journal.states_of(session):
        noted = last.get(state.key)
        if state.game == row.id and noted is not None and not noted.tells_the_same(state):
            yield f"the journal of seats has {state.player}'s seat otherwise than it is stored"


def _record(desk: Desk, session: Session, row: GameRow, course: _Course) -> Iterator[str]:
    """The first difference between the record of the rebuilt game and that of the stored game."""
    built = record_text(session, row, course.game).splitlines()
    stored = record_text(session, row, desk.games.get(session, row).game).splitlines()
    for number, (ours, theirs) in enumerate(zip_longest(built, stored, fillvalue=""), 1):
        if ours != theirs:
            yield f"line {number} of its record is {ours!r} by the journal, and {theirs!r} as it is stored"
            return
