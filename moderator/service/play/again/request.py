"""A player's ``undo``. A move that was made for him when he was late is taken back at once, while nobody has built on
it; anything else is for the game master to decide, and all players are told who asks for what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import col, select

from grammar import MASTER, Press
from moderator.adapters.tables import EntryRow, MailRow, SeatRow
from moderator.domain.transcript import Note
from moderator.service.past.log import lines_of, standing
from moderator.service.play.holds import notice_to_all
from moderator.service.play.press import has_secret
from moderator.service.play.to_master import SENT, TRIAL, ask_master
from moderator.service.play.undo import Wrong, take_back_at
from moderator.service.post.outbox import queue_operator
from moderator.service.table.anonymity import told_in
from moderator.service.table.game_master import master_of
from moderator.service.table.table import Table

_FOR_THE_LATE: Final = ("default", "robot")
"""Origins of moves that were made for a player who was late."""
_PLAYER: Final = "player"
"""The origin of an undo that a player has done himself."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of the word: the note about it, and the table after it. ``done``: the game went back."""

    note: Note
    table: Table
    done: bool = False


def ask_undo(table: Table, seat: SeatRow, argument: str, *, trial: bool, mail: MailRow | None) -> Answered:
    """Do what ``undo`` asks for, or pass it on. ``argument``: the decision to go back to, if one is named, and after a
    colon the reason. In a ``trial`` nothing is done."""
    at, _, reason = argument.partition(":")
    at, reason = at.lower().removeprefix("to").strip(), reason.strip()
    if table.row.over:
        return Answered(("undo.over", {}), table)
    orders = _standing(table)
    own = _own_late_moves(table, orders, seat)
    number = _number(orders, seat, at)
    if isinstance(number, tuple):
        return Answered(number, table)
    if own is not None and own == number:
        taken = tuple(entry.text for entry in orders[own:])
        if trial:
            return Answered(("undo.would", {"orders": taken}), table)
        wrong = Wrong(own, len(orders), why=_for_all(table, seat, reason), origin=_PLAYER, player=seat.player)
        table, _ = take_back_at(table, wrong)
        return Answered(("undo.done", {"orders": taken}), table, done=True)
    return Answered(_pass_on(table, seat, orders[number], at, reason, trial=trial, mail=mail), table)


def _standing(table: Table) -> Sequence[EntryRow]:
    """The entries of all orders that count."""
    session, row = table.sitting.session, table.row
    decisions = [line.at for line in standing(lines_of(session, row.id, row.at)).orders]
    wanted = select(EntryRow).where(EntryRow.game == row.id, EntryRow.kind == "order")
    entries = {entry.at: entry for entry in session.exec(wanted).all()}
    return [entries[at] for at in decisions]


def _number(orders: Sequence[EntryRow], seat: SeatRow, at: str) -> int | Note:
    """The number of orders that would stay, or the note that there is nothing to go back to. Without ``at`` the
    player's latest order goes; if it was made for him when he was late, with all that were made for him then."""
    if at:
        if not at.isdecimal() or not orders or not 1 <= int(at) <= orders[-1].at:
            return "undo.unknown", {"at": at, "last": orders[-1].at if orders else 0}
        return sum(entry.at < int(at) for entry in orders)
    his = [number for number, entry in enumerate(orders) if entry.player == seat.player]
    if not his:
        return "undo.none", {}
    number = his[-1]
    while number and _was_made_for(orders[number], seat) and _was_made_for(orders[number - 1], seat):
        number -= 1
    return number


def _was_made_for(entry: EntryRow, seat: SeatRow) -> bool:
    return entry.player == seat.player and entry.origin in _FOR_THE_LATE


def _own_late_moves(table: Table, orders: Sequence[EntryRow], seat: SeatRow) -> int | None:
    """The number of orders before the latest moves, if all of those were made for this player when he was late. None if
    not, or if he has taken back moves at this place before: he would never have to answer."""
    number = len(orders)
    while number and _was_made_for(orders[number - 1], seat):
        number -= 1
    if number == len(orders) or table.row.status != "running":
        return None
    before = select(EntryRow.id).where(
        EntryRow.game == table.row.id, EntryRow.kind == "undo", EntryRow.origin == _PLAYER,
        EntryRow.player == seat.player, col(EntryRow.orders) == number,
    )  # fmt: skip
    return number if table.sitting.session.exec(before.limit(1)).first() is None else None


def _pass_on(
    table: Table, seat: SeatRow, entry: EntryRow, at: str, reason: str, *, trial: bool, mail: MailRow | None
) -> Note:
    """Ask the game master, and tell all players who asks for what. Returns the note for the one who asks."""
    sitting, master = table.sitting, master_of(table.row, table.sitting.settings)
    said = f"undo to {at or entry.at}" + (f": {reason}" if reason else "")
    note = ask_master(table, seat, [Press((MASTER,), said, 1)], trial=trial, mail=mail)
    if note[0] not in (SENT, TRIAL):
        return note
    told = {"player": seat.player, "number": entry.orders, "order": entry.text}
    facts = {**told, "reason": _for_all(table, seat, reason)}
    if not trial:
        notice_to_all(table, "undo_asked", facts)
        queue_operator(
            sitting, sitting.words.operator_words("undo_asked", {"game": table.row.id, **facts}), kind=f"undo {seat.id}"
        )
    return "undo.asked", {"number": entry.orders, "order": entry.text, "master": master}


def _for_all(table: Table, seat: SeatRow, reason: str) -> str:
    """The reason as all players are told it: empty if players may not write to each other here, or if it contains a
    secret address or, in an anonymous game, tells who writes it."""
    sitting = table.sitting
    secret = has_secret(sitting, seat.address, reason) or told_in(sitting.session, table.row, (seat,), reason)
    return "" if not sitting.settings.press_per_day or secret else reason
