"""Replays all games of a database from their logs, with every check on, and compares them with what is stored beside
the logs (faults 91, 92)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session, col, select

from engine.core.description import differences, told
from moderator.adapters.database import Database
from moderator.adapters.tables import GameRow
from moderator.service.desk import Desk
from moderator.service.games import Games, refusal
from moderator.service.locks import lock_games
from moderator.service.past.examine import examined
from moderator.service.past.game_loader import Pieces, Unreadable, data_of, snapshots_of
from moderator.service.past.log import Standing, events_of, lines_of, standing
from moderator.service.past.replay import Replayed as Played
from moderator.service.past.replay import play_again


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of replaying a game. ``fault`` is empty if the log, and what is stored beside it, lead to the position
    that was told and that the game's row has. ``rules`` is the version of the rules that the game is played by, 0 if
    that is not known; ``held``: it waits for the operator already; ``unread`` is the number of snapshots that cannot be
    read here."""

    game: str
    orders: int
    rules: int
    fault: str = ""
    held: bool = False
    unread: int = 0


def replay_all(database: Database, games: Games) -> Iterator[Replayed]:
    """Replay one game after the other, in the order in which they were begun."""
    with database.reading() as session:
        names = session.exec(select(GameRow.id).order_by(col(GameRow.created_at), col(GameRow.id))).all()
        for name in names:
            yield _replay(session, games, name)


def _replay(session: Session, games: Games, name: str) -> Replayed:
    row = session.get(GameRow, name)
    assert row is not None
    held = row.status == "held"
    try:
        pieces = games.pieces(row)
        still = standing(lines_of(session, name, row.at))
        found = play_again(session, pieces, row.at, still, refusal)
        unread, fault = _stored(session, pieces, row.at, still, found)
    except Exception as error:  # whatever stops it is the finding
        return Replayed(name, row.orders, row.rules, f"{type(error).__name__}: {error}", held)
    game = found.game
    if found.departure is not None:
        fault = str(found.departure)
    elif len(game.orders) != row.orders:
        fault = f"the log leads to order {len(game.orders)}, the game is at {row.orders}"
    elif not row.waits and row.status != "ended" and game.finished != row.over:
        fault = f"it is {'over' if game.finished else 'not over'}, and its state is {row.status!r}"
    return Replayed(name, row.orders, row.rules, fault, held, unread)


def _stored(session: Session, pieces: Pieces, before: int, still: Standing, found: Played) -> tuple[int, str]:
    """Compare snapshots and stored events with the positions of a replay, as far as it got. Returns the number of
    snapshots that cannot be read, and the first disagreement; empty if there is none."""
    stored = events_of(session, pieces.game, still.orders)
    state = found.base
    for number in sorted(found.steps):
        line = still.orders[number - 1]
        after, events = found.steps[number]
        if line.at in stored:
            try:
                told_events = pieces.events(stored[line.at])
            except Unreadable:
                told_events = events
            reached = after if told_events == events else pieces.after(state, told_events)
            if reached != after and pieces.digest(reached) != found.digests[number]:
                lines = differences(told(pieces.title, reached), told(pieces.title, after))
                return 0, f"what is stored of order {number} leads elsewhere: {'; '.join(lines)}"
        state = after
    unread = 0
    for snapshot in snapshots_of(session, pieces.game, before, still):
        if snapshot.orders not in found.digests:
            continue
        reached = found.steps[snapshot.orders][0] if snapshot.orders in found.steps else found.base
        try:
            kept = pieces.state(data_of(session, pieces.game, snapshot.at) or b"")
        except Unreadable:
            unread += 1
            continue
        if pieces.digest(kept) != found.digests[snapshot.orders]:
            lines = differences(told(pieces.title, kept), told(pieces.title, reached))
            return unread, f"the snapshot after order {snapshot.orders} does not agree: {'; '.join(lines)}"
    return unread, ""


def accept(desk: Desk, name: str) -> bool:
    """Replay the log of a game, unless that was done under exactly these rules, and store the result. True if the game
    goes on under these rules from now on."""
    with desk.database.transaction() as session:
        row = lock_games(session, (name,)).get(name)
        if row is None or examined(row, desk.games.title_of(row)):
            return False
        desk.games.examine(session, row)
        return row.hold is None
