"""Held orders in the database: read when a game moves, and written back with their endings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine import Failure
from moderator.adapters.tables import HeldRow, MailRow
from moderator.domain.again import WORD
from moderator.domain.ahead.occasion import Occasion, bound
from moderator.domain.ahead.orders import Closed, Held
from moderator.domain.block import Block
from moderator.service.games import Live
from moderator.service.locks import locked_game
from moderator.service.table.table import Table

_WAITING = (
    select(HeldRow)
    .where(HeldRow.game == bindparam("game"), HeldRow.status == "waiting")
    .order_by(col(HeldRow.id))
    .execution_options(autoflush=False)
)


def waiting_rows(session: Session, game_id: str, player: str | None = None) -> Sequence[HeldRow]:
    """The waiting rows of a game, oldest first; only those of ``player`` if he is named."""
    if any(isinstance(row, HeldRow) for row in (*session.new, *session.dirty)):
        session.flush()
    locked = locked_game(session, game_id)
    held = None if locked is None else locked.held
    if held is None:
        held = list(session.exec(_WAITING, params={"game": game_id}).all())
        if locked is not None:
            locked.held = held
    return [one for one in held if one.status == "waiting" and player in (None, one.player)]


def waiting(table: Table) -> list[Held]:
    """All held orders that wait in a game, oldest first, without those that are kept ready since an undo."""
    found = waiting_rows(table.sitting.session, table.row.id)
    return [held_of(table.live, one) for one in found if one.kind != WORD]


def take_over(table: Table, block: Block, player: str) -> tuple[list[Held], list[Held]]:
    """The held orders that a new block of ``player`` replaces, and all others that wait."""
    found = waiting(table)
    replaced = [held for held in found if held.player == player and block.replaces(held)]
    return replaced, [held for held in found if held not in replaced]


def write(
    table: Table, closed: Iterable[Closed], given: Iterable[Held] = (), replaced: Iterable[Held] = (),
    mail: MailRow | None = None,
) -> None:  # fmt: skip
    """Store the held orders ``given`` in ``mail`` and the remainders of ``closed`` ones, and mark the ``closed`` and
    the ``replaced`` ones with their endings. The rest of a turn stands where the turn stood: turns kept after it are
    used after it."""
    sitting, row = table.sitting, table.row
    closed = list(closed)
    endings = {id(end.held): end.ending for end in closed}
    rests = {id(end.held): end.remainder for end in closed if end.remainder is not None}
    locked = locked_game(sitting.session, row.id)
    now = sitting.now()
    new = [one for held in given for one in (held, rests.pop(id(held), None)) if one is not None]
    for end in closed:
        rest = rests.get(id(end.held))
        if rest is None:
            continue
        kept = sitting.session.get(HeldRow, end.held.id) if rest.kind == "turn" and id(rest) not in endings else None
        if kept is None:
            new.append(rest)
        else:
            _divide(sitting.session, kept, rest.text, end.ending, now)
            del endings[id(end.held)]
    for held in new:
        ending = endings.get(id(held))
        written = HeldRow(
            game=row.id,
            player=held.player,
            kind=held.kind,
            occasion=str(held.occasion),
            actor=held.actor,
            text=held.text,
            partial=held.partial,
            status=ending or "waiting",
            mail=mail.id if mail is not None else None,
            created_at=now,
            closed_at=now if ending else None,
        )
        sitting.session.add(written)
        if locked is not None and locked.held is not None:
            locked.held.append(written)
    for held, ending in [
        *((h, "replaced") for h in replaced),
        *((end.held, end.ending) for end in closed if id(end.held) in endings),
    ]:
        found = sitting.session.get(HeldRow, held.id) if held.id is not None else None
        if found is not None:
            found.status, found.closed_at = ending, now


def _divide(session: Session, row: HeldRow, rest: str, ending: str, now: datetime) -> None:
    """Let ``row`` go on with the ``rest`` of its turn, and store what has ended in a row of its own."""
    kept = row.model_dump(exclude={"id"})
    session.add(HeldRow(**{**kept, "status": ending, "closed_at": now}))
    row.text, row.foretold = rest, ""


def held_of(live: Live, row: HeldRow) -> Held:
    """The held orders in ``row``. A row from before occasions were stored is bound to the occasion that it can mean
    now."""
    orders = live.read_orders(row.text)
    if not row.occasion and not isinstance(found := bound(live.game, row.player, row.actor, orders[0]), Failure):
        row.occasion, orders = str(found[0]), (found[1], *orders[1:])
    occasion = Occasion.parse(row.occasion) if row.occasion else None
    return Held(row.player, row.kind, row.actor, orders, row.text, occasion, row.partial, row.id)  # type: ignore[arg-type]
