"""Sealed orders in the database: kept for their owners until all of them are opened together."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from engine import Ask, Game
from engine.core.orders import Order
from moderator.adapters.tables import STANDING, DeadlineRow, MailRow, SealedRow
from moderator.domain.sealing import Seals, digest_of, sealed_asks
from moderator.service import clock_rows
from moderator.service.table.table import Table

_SALT_BYTES: Final = 16


def standing_rows(session: Session, game: str) -> dict[str, SealedRow]:
    """The sealed orders that wait in a game, by actor."""
    wanted = select(SealedRow).where(SealedRow.game == game, col(SealedRow.status).in_(STANDING))
    return {row.actor: row for row in session.exec(wanted.order_by(col(SealedRow.id))).all()}


def row_for(table: Table, ask: Ask) -> SealedRow | None:
    """The sealed order that answers ``ask``, if there is one."""
    row = standing_rows(table.sitting.session, table.row.id).get(ask.actor)
    return row if row is not None and row.asked == ask.what else None


def awaits(table: Table, ask: Ask) -> bool:
    """True if the table still waits for the sealed order that answers ``ask``."""
    row = row_for(table, ask)
    return row is None or row.status != "waiting"


def own_rows(table: Table, player: str) -> list[SealedRow]:
    """The sealed orders of ``player`` that wait."""
    if not sealed_asks(table.game):
        return []
    return [row for row in standing_rows(table.sitting.session, table.row.id).values() if row.player == player]


def put(table: Table, ask: Ask, order: Order, mail: MailRow | None) -> tuple[SealedRow, bool]:
    """Seal ``order`` with a salt of its own. Returns its row, and True if it replaces an earlier one."""
    sitting, now = table.sitting, table.sitting.now()
    before = row_for(table, ask)
    if before is not None:
        before.status, before.closed_at = "replaced", now
    text, salt = table.live.write_order(order), sitting.desk.random_bytes(_SALT_BYTES).hex()
    row = SealedRow(
        game=table.row.id, player=ask.player, actor=ask.actor, asked=ask.what, text=text, salt=salt,
        digest=digest_of(salt, text), mail=mail.id if mail is not None else None, created_at=now,
    )  # fmt: skip
    sitting.session.add(row)
    sitting.session.flush()
    return row, before is not None


def take_back(table: Table, row: SealedRow) -> None:
    """Withdraw a sealed order. If its owner's deadline is already past, the next sweep of deadlines handles it
    again."""
    row.status, row.closed_at = "withdrawn", table.sitting.now()
    for deadline in deadlines_of(table.sitting.session, row.game, row.player, "overdue"):
        deadline.state = "open"


def deadlines_of(session: Session, game: str, player: str, state: str) -> list[DeadlineRow]:
    """The deadlines of a seat that are in ``state``."""
    return [row for row in clock_rows.deadlines(session, game, player) if row.state == state]


def given_back(table: Table) -> None:
    """Seal orders again after an undo: those that were opened later than the game now stands, if they are still asked
    for. Orders that are no longer asked for lapse. Only the latest order of each actor counts."""
    session, asks = table.sitting.session, {str(ask.actor): ask for ask in sealed_asks(table.game)}
    wanted = select(SealedRow).where(SealedRow.game == table.row.id)
    rows = session.exec(wanted.order_by(col(SealedRow.id).desc())).all()
    done: set[str] = set()
    for row in rows:
        ask = asks.get(row.actor)
        if row.status not in STANDING and not (row.status == "opened" and row.orders > table.row.orders):
            continue
        if ask is not None and ask.what == row.asked and row.actor not in done:
            row.status, row.closed_at, row.orders = "kept", None, 0
            done.add(row.actor)
        else:
            row.status, row.closed_at = "lapsed", table.sitting.now()


def lapse_all(session: Session, game: str, now: datetime) -> None:
    """Let the sealed orders of a game that is over lapse: none of them will be opened."""
    for row in standing_rows(session, game).values():
        row.status, row.closed_at = "lapsed", now


def seals_for(session: Session, game: Game, game_id: str, player: str) -> Seals | None:
    """The state of the sealed orders, as ``player`` may know it; None while none are asked for."""
    asks = sealed_asks(game)
    if not asks:
        return None
    rows = standing_rows(session, game_id)
    own = next((row for row in rows.values() if row.player == player), None)
    others = {row.player: row.digest for row in rows.values() if row.player != player}
    missing = missing_in(game, rows)
    if own is None:
        return Seals(others=others, missing=missing)
    return Seals(own.text, own.salt, own.digest, own.status == "kept", others, missing)


def missing_in(game: Game, rows: dict[str, SealedRow]) -> tuple[str, ...]:
    """Players who are asked for a sealed order and have not given it."""
    waiting = (ask.player for ask in sealed_asks(game) if ask.actor not in rows)
    return tuple(dict.fromkeys(str(player) for player in waiting))


def owing(session: Session, game: Game, game_id: str) -> tuple[str, ...]:
    """Players who owe an answer of any kind."""
    rows = standing_rows(session, game_id) if sealed_asks(game) else {}
    asks = (ask for ask in game.asked() if not (ask.sealed and ask.actor in rows))
    return tuple(dict.fromkeys(str(ask.player) for ask in asks))
