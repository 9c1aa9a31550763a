"""Takes the latest undo back, while nobody has answered since."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select

from engine import Refused
from moderator.adapters.tables import ACTS, EntryRow, HeldRow, SealedRow
from moderator.domain.again import WORD
from moderator.domain.fork import Fork
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.games import refusal
from moderator.service.locks import lock_games
from moderator.service.past.game_loader import same_form
from moderator.service.past.log import Line, lines_of, standing
from moderator.service.play.again.rows import ANEW, close
from moderator.service.play.moves import write_moves
from moderator.service.table.acts import note_act
from moderator.service.table.foreseen import look_again
from moderator.service.table.notices import ask_anew, held_mail, over_mail, turn_mail
from moderator.service.table.table import Table, open_table

_ACT = "redo"


def redo(desk: Desk, game_id: str, why: str = "") -> tuple[int, int]:
    """Take the latest undo of a game back. The log keeps both. Returns the number of orders that count again, and of
    all orders now. ``ValueError`` if there is no such game, nothing to take back, or if somebody has answered since."""
    with desk.sitting() as sitting:
        table, count = redo_in(sitting, game_id, why)
    desk.games.put(table.live)
    return count, len(table.game.orders)


def redo_in(sitting: Sitting, game_id: str, why: str = "", *, trial: bool = False) -> tuple[Table, int]:
    """The same in a sitting that is open. Returns the table after it, whose game the caller puts into memory once the
    sitting is committed, and the number of orders that count again. In a ``trial`` everything is checked and nothing is
    done."""
    row = lock_games(sitting.session, (game_id,)).get(game_id)
    if row is None:
        raise ValueError(f"there is no game {game_id!r}")
    if row.hold is not None:
        raise ValueError(f"{game_id} is on hold: its log does not lead to the position that players were told")
    table = open_table(sitting, row)
    undone, lost = _latest(table)
    if trial:
        return table, len(lost)
    table = _played(table, undone, lost, why)
    _give_back(table, undone)
    ask_anew(table)
    facts: Facts = {"orders": tuple(line.text for line in lost), "why": why}
    foreseen = look_again(table)
    for seat in table.seats:
        seat.told = min(seat.told, undone.orders)
        held_mail(table, seat, (("redo", facts), *foreseen.get(seat.player, ())), "undone")
        if table.game.finished:
            over_mail(table, seat)
        elif seat.question:
            turn_mail(table, seat)
    return table, len(lost)


def _latest(table: Table) -> tuple[EntryRow, Sequence[Line]]:
    """The latest undo, and the orders that it took back."""
    session, row = table.sitting.session, table.row
    wanted = select(EntryRow).where(EntryRow.game == row.id, col(EntryRow.kind).not_in(set(ACTS) - {_ACT}))
    for entry in session.exec(wanted.order_by(col(EntryRow.at).desc())):
        if entry.kind == "order" and entry.origin != "kept":
            raise ValueError(f"{row.id}: {entry.player} has answered since: {entry.text}")
        if entry.kind not in ("order", "undo"):
            raise ValueError(f"{row.id}: nothing was taken back since {entry.kind} at decision {entry.at}")
        if entry.kind == "undo":
            lost = standing(lines_of(session, row.id, entry.at)).orders[entry.orders :]
            if lost:
                return entry, lost
    raise ValueError(f"{row.id}: nothing was taken back")


def _played(table: Table, undone: EntryRow, lost: Sequence[Line], why: str) -> Table:
    """Play the ``lost`` orders again from the position to which the game went back."""
    sitting, row = table.sitting, table.row
    game = table.game.fork()
    if row.orders > undone.orders:  # some were played again by the undo itself
        game.undo(undone.orders)
        sitting.session.add(
            EntryRow(
                game=row.id, at=row.at, kind="undo", orders=undone.orders, text=why, origin="master",
                created_at=sitting.now(), digest=game.told_digest(),
            )
        )  # fmt: skip
        row.at += 1
        row.orders = undone.orders
    note_act(sitting, row, _ACT, why)
    players = _players(table, lost)
    fork = Fork(game)
    for line in lost:
        order = table.live.read_orders(line.text)[0]
        found = fork.submit(order, players[line.at], "kept")
        if isinstance(found, Refused):
            raise ValueError(f"{row.id}: {line.text} is refused now: {refusal(game.title, found)}")
    digest = fork.game.told_digest()
    if same_form(lost[-1].digest, digest) and lost[-1].digest != digest:
        raise ValueError(f"{row.id}: under these rules the orders lead to another position than players were told")
    return write_moves(table.after(game), fork)


def _players(table: Table, lost: Sequence[Line]) -> dict[int, str]:
    wanted = select(EntryRow.at, EntryRow.player).where(
        EntryRow.game == table.row.id, col(EntryRow.at).in_([line.at for line in lost])
    )
    return dict(table.sitting.session.exec(wanted).all())


def _give_back(table: Table, undone: EntryRow) -> None:
    """End the orders that the undo kept ready, and let those wait again that it cancelled. Sealed orders are opened
    again."""
    session, row = table.sitting.session, table.row
    held = session.exec(select(HeldRow).where(HeldRow.game == row.id)).all()
    ready = [one for one in held if one.kind == WORD and one.occasion.startswith(f"{WORD} {undone.at} ")]
    close([one for one in ready if one.status in ("waiting", ANEW)], "undone", table.sitting.now())
    for one in held:
        if one.status == "undone" and one.closed_at == undone.created_at and one not in ready:
            one.status, one.closed_at = "waiting", None
    _open_sealed(table)


def _open_sealed(table: Table) -> None:
    session, name = table.sitting.session, table.row.id
    opened = select(EntryRow).where(EntryRow.game == name, EntryRow.kind == "order", EntryRow.origin == "sealed")
    before = {(entry.player, entry.text): entry.orders for entry in session.exec(opened).all()}
    rows = session.exec(select(SealedRow).where(SealedRow.game == name, col(SealedRow.status).in_(("kept", "lapsed"))))
    for one in rows.all():
        number = before.get((one.player, one.text), 0)
        if 0 < number <= table.row.orders and table.live.write_order(table.game.orders[number - 1]) == one.text:
            one.status, one.closed_at, one.orders = "opened", table.sitting.now(), number
