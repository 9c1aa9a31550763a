"""Replays the whole log of a game once under rules that it was not played by, and acts on the result."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, update
from sqlmodel import Session, col, select

from engine import Title
from engine.core.storage.snapshot import write_events
from moderator.adapters.tables import EntryRow, GameRow, KeptRow, SeatRow, SnapshotRow
from moderator.service.past.game_loader import EVERY, Pieces, Unreadable, write_snapshot
from moderator.service.past.log import Standing, lines_of, standing
from moderator.service.past.replay import Departure, Describe, Replayed, play_again

TO_TELL: Final = "past "
"""Prefix of the keys of games about which players or the operator must be told: ``first``, ``held`` or ``lifted``."""
_TOLD_NOW = (
    update(EntryRow)
    .where(col(EntryRow.game) == bindparam("of"), col(EntryRow.at) == bindparam("decision"))
    .values(digest=bindparam("told"), events=bindparam("what"))
    .execution_options(synchronize_session=False)
)


def examined(row: GameRow, title: Title) -> bool:
    """True if the log of ``row`` was replayed under exactly these rules, whatever the result."""
    if row.rules == 0:
        return False
    return title.fingerprint == (row.fingerprint if row.hold is None else row.hold["fingerprint"])


def examine(session: Session, pieces: Pieces, row: GameRow, now: datetime, describe: Describe) -> None:
    """Replay the log of ``row``. If it leads to the position that was told, the game goes on under the present rules;
    if not, it is held. A game that was begun before digests were stored gets them."""
    session.flush()
    session.refresh(row, with_for_update={"key_share": True})
    if examined(row, pieces.title):
        return
    still = standing(lines_of(session, row.id, row.at))
    departure: Departure | None
    try:
        found = play_again(session, pieces, row.at, still, describe)
        departure = found.departure
    except Unreadable as error:
        found, departure = None, Departure(still.base, row.at, "", str(error))
    if departure is not None or found is None:
        assert departure is not None
        _hold(session, row, pieces.title, departure, now)
        return
    if row.rules == 0:
        _first_time(session, pieces, row, still, found)
        to_tell(session, row.id, "first", now)
    elif row.fingerprint != pieces.title.fingerprint:
        write_rules(session, row, pieces.title, now, found.digests[len(still.orders)])
    row.fingerprint = pieces.title.fingerprint
    if row.hold is not None:
        row.hold = None
        if row.status == "held":
            row.status = "finished" if found.game.finished else "running"
            to_tell(session, row.id, "lifted", now)
    session.flush()


def _hold(session: Session, row: GameRow, title: Title, departure: Departure, now: datetime) -> None:
    before = row.hold
    row.hold = {**departure.written(), "fingerprint": title.fingerprint, "rules": title.rules_version}
    row.rules = row.rules or title.rules_version
    row.status = "held" if row.status == "running" else row.status
    if before is None or Departure.read(before) != departure:
        to_tell(session, row.id, "held", now)
    session.flush()


def write_rules(session: Session, row: GameRow, title: Title, now: datetime, digest: str) -> None:
    """Write into the log that the game is played by the rules of ``title`` from here on."""
    text = f"{title.rules_version} {title.fingerprint}".strip()
    session.add(
        EntryRow(
            game=row.id, at=row.at, kind="rules", orders=row.orders, text=text, origin="upgrade", created_at=now,
            digest=digest,
        )
    )  # fmt: skip
    row.at += 1
    row.rules, row.fingerprint = title.rules_version, title.fingerprint


def to_tell(session: Session, game: str, what: str, now: datetime) -> None:
    """Note that players and the operator are to be told in the next sweep."""
    session.merge(KeptRow(key=TO_TELL + game, value={"what": what}, changed_at=now))


def _first_time(session: Session, pieces: Pieces, row: GameRow, still: Standing, found: Replayed) -> None:
    """Take the present rules' reading of the log as what was told, because what was told has not been stored."""
    version = pieces.title.rules_version
    row.rules = row.began_rules = version
    session.exec(update(SeatRow).where(col(SeatRow.game) == row.id).values(rules=version))
    fill_in(session, pieces, still, found)


def fill_in(session: Session, pieces: Pieces, still: Standing, found: Replayed) -> int:
    """Store the missing digests and events of the replayed orders, and the missing snapshots. Returns the number of
    orders that were filled in."""
    missing: list[dict[str, Any]] = []
    for number, line in enumerate(still.orders, 1):
        if number in found.steps and not line.digest:
            _, events = found.steps[number]
            missing.append({"of": pieces.game, "decision": line.at, "told": found.digests[number],
                            "what": write_events(pieces.title, events)})  # fmt: skip
    if missing:
        session.connection().execute(_TOLD_NOW, missing)
    there = set(session.exec(select(SnapshotRow.at).where(SnapshotRow.game == pieces.game)).all())
    if still.base == 0 and 1 not in there:
        write_snapshot(session, pieces, 1, 0, found.base, found.digests[0])
    for number in range(EVERY, len(still.orders) + 1, EVERY):
        line = still.orders[number - 1]
        if number in found.steps and line.at + 1 not in there:
            write_snapshot(session, pieces, line.at + 1, number, found.steps[number][0], found.digests[number])
    return len(missing)
