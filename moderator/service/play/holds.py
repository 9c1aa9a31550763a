"""Games whose past differs from what was told: they wait, all players are told, and the operator lets them go on."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from sqlalchemy import bindparam
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from moderator.adapters.tables import WAITING, EntryRow, GameRow
from moderator.domain.records.adopted_position import write_adopted
from moderator.service.desk import Desk, Sitting
from moderator.service.games import PastUnreadable
from moderator.service.locks import lock_game, lock_games
from moderator.service.past.examine import TO_TELL, examined, write_rules
from moderator.service.past.fingerprints import not_examined
from moderator.service.past.game_loader import write_snapshot
from moderator.service.past.replay import Departure
from moderator.service.post.outbox import queue_operator, silence_of
from moderator.service.service_facts import all_kept, forget, remember
from moderator.service.table.foreseen import look_again
from moderator.service.table.notices import ask_anew, held_mail, notice, turn_mail
from moderator.service.table.stuck import STUCK, forget_stuck, note_stuck
from moderator.service.table.table import Table, open_table

log = logging.getLogger("railpost")

MISLED: Final = "misled "
"""Prefix of the keys of games with a snapshot that leads to another position than their log."""
_SECONDS: Final = 5.0
"""The time, in seconds, that one round spends on replaying games that nobody has asked for yet."""


_GAMES: Any = bindparam("games", expanding=True)
_FAILED = (
    select(GameRow)
    .where(col(GameRow.id).in_(_GAMES), col(GameRow.status).in_(("running", *WAITING)))
    .order_by(col(GameRow.id))
)


def look_back(desk: Desk) -> int:
    """Replay the logs of running games that were not replayed under the present rules, some in each round, and tell the
    result. Returns their number."""
    with desk.database.reading() as session:
        stuck = {game for game, kept in all_kept(session, STUCK).items() if kept.value.get("at") == "log"}
        failed = session.exec(_FAILED, params={"games": stuck}).all() if stuck else ()
    until, done = time.monotonic() + _SECONDS, 0
    for row in chain(failed, not_examined(desk.database.reading, desk.games.title_of, desk.games.current)):
        try:
            if (known := examined(row, desk.games.title_of(row))) and row.id not in stuck:
                continue
            if time.monotonic() > until:
                break
            with desk.database.transaction() as session:
                desk.games.examine(session, lock_game(session, row.id))
                forget(session, STUCK + row.id)
        except OperationalError:  # the database is away: no fault of the game
            raise
        except Exception as error:
            log.exception("game %s: its log could not be replayed", row.id)
            desk.games.forget_recent()
            note_stuck(desk, row.id, error, "log")
            continue
        done += not known
    _note_misled(desk)
    tell_past(desk)
    forget_stuck(desk)
    return done


def _note_misled(desk: Desk) -> None:
    """Store which games have a snapshot that was found to lead to another position than their log: `railpost health`
    names them."""
    while desk.games.misled:
        game, at = desk.games.misled.popitem()
        with desk.sitting() as sitting:
            remember(sitting, MISLED + game, {"at": at})


def tell_past(desk: Desk) -> None:
    """Tell players and the operator the findings about games since the last round."""
    with desk.database.reading() as session:
        found = {game: str(row.value["what"]) for game, row in all_kept(session, TO_TELL).items()}
    first = tuple(game for game, what in found.items() if what == "first")
    if first:
        with desk.sitting() as sitting:
            first = tuple(game for game in first if forget(sitting.session, TO_TELL + game))
            if first:
                queue_operator(sitting, desk.words.operator_words("past_first", {"games": first}))
    for game, what in found.items():
        if what != "first":
            _tell(desk, game)


def _tell(desk: Desk, game: str) -> None:
    try:
        with desk.sitting() as sitting:
            row = lock_games(sitting.session, (game,)).get(game)
            if not forget(sitting.session, TO_TELL + game) or row is None:
                return
            if row.hold is not None:
                _tell_held(sitting, row)
            else:
                _go_on(open_table(sitting, row), "lifted", {})
    except PastUnreadable as error:  # there is no position for mails to players to be about
        with desk.sitting() as sitting:
            if forget(sitting.session, TO_TELL + game):
                facts = {"game": game, "why": str(error)}
                queue_operator(sitting, desk.words.operator_words("past_unreadable", facts))


def facts_of(row: GameRow) -> dict[str, Any]:
    """The facts about the departure for which a game is held, for the words about it."""
    assert row.hold is not None
    found = Departure.read(row.hold)
    return {
        "game": row.id, "order": found.order, "at": found.at, "text": found.text, "refused": found.refused,
        "differences": found.differences, "orders": row.orders,
    }  # fmt: skip


def _tell_held(sitting: Sitting, row: GameRow) -> None:
    facts = facts_of(row)
    queue_operator(sitting, sitting.words.operator_words("past_held", facts))
    if row.status == "held":
        notice_to_all(open_table(sitting, row), "past_held", facts)


def notice_to_all(table: Table, key: str, facts: Mapping[str, Any]) -> None:
    """Write ``notice.KEY`` to every seat that can be written to."""
    for seat in table.seats:
        if not silence_of(seat):
            notice(table, seat, key, facts)


def _go_on(table: Table, key: str, facts: Mapping[str, Any]) -> None:
    """Tell everybody that the game goes on. Players with open questions are asked anew, and have their whole time."""
    words = table.sitting.words.operator_words(f"past_{key}", {"game": table.row.id, **facts})
    queue_operator(table.sitting, words)
    go_on(table, f"past_{key}", facts)


def go_on(table: Table, key: str, facts: Mapping[str, Any]) -> None:
    """Tell everybody with ``notice.KEY``, and if the game runs, ask its open questions anew, and tell whose kept orders
    would be refused now."""
    running = table.row.status == "running"
    if running:
        ask_anew(table)
    notice_to_all(table, key, facts)
    foreseen = look_again(table) if running else {}
    for seat in table.seats:
        notes = foreseen.get(seat.player, ())
        if seat.question and running:
            turn_mail(table, seat, ahead=notes)
        elif notes:
            held_mail(table, seat, notes, "foreseen")


def adopt(desk: Desk, name: str) -> dict[str, Any]:
    """Let a held game go on from the position that was told, under the present rules, and tell everybody. Returns the
    facts about its departure. The position is written into the log: a replay begins there from now on. ``ValueError``
    if the game is not held, or the told position cannot be read."""
    with desk.sitting() as sitting:
        row = lock_games(sitting.session, (name,)).get(name)
        if row is None:
            raise ValueError(f"there is no game {name!r}")
        table = open_table(sitting, row)
        if row.hold is None:
            raise ValueError(f"{name} is not on hold: its log leads to the position that players were told")
        facts = facts_of(row)
        table = write_adoption(table, Departure.read(row.hold))
        forget(sitting.session, TO_TELL + name)
        row.hold = None
        if row.status == "held":
            row.status = "finished" if table.game.finished else "running"
        desk.games.put(table.live)
        _go_on(table, "adopted", facts)
    return facts


def write_adoption(table: Table, why: Departure) -> Table:
    """Write the whole position into the log, as one that counts as it was told. Returns the table at the decision after
    it."""
    return write_position(table, str(why))


def write_position(table: Table, why: str) -> Table:
    """Write the whole position into the log, as one at which a replay begins. Returns the table at the decision after
    it."""
    sitting, row, live = table.sitting, table.row, table.live
    title, state, now = live.game.title, live.game.state, sitting.now()
    digest = live.game.told_digest()
    if row.rules != title.rules_version or row.fingerprint != title.fingerprint:
        write_rules(sitting.session, row, title, now, digest)
    sitting.session.add(
        EntryRow(
            game=row.id, at=row.at, kind="adopt", orders=row.orders, text=why, origin="master", created_at=now,
            digest=digest, position=write_adopted(title, state),
        )
    )  # fmt: skip
    row.at += 1
    row.options = dict(title.options)  # without any that were withdrawn
    write_snapshot(sitting.session, live.pieces, row.at, row.orders, state, digest)
    sitting.session.flush()
    return table.after(live.game)
