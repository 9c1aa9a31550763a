"""Takes orders back: the log keeps them, and everybody is told. Later orders that still fit are played again, and those
that cannot be asked for yet are kept ready (``domain.again``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from sqlmodel import col, select

from engine import Game
from engine.core.view import holds_sealed
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, SeatRow
from moderator.domain.again import WORD, Course, Ready, places
from moderator.domain.ahead.orders import Settled
from moderator.domain.counts import counted
from moderator.domain.fit import given
from moderator.domain.fork import Fork
from moderator.domain.transcript import Facts, Note, Notes
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_games
from moderator.service.past.log import lines_of, standing
from moderator.service.past.replay import Departure
from moderator.service.play.again import rows as again_rows
from moderator.service.play.again.course import gone_facts, settle_course
from moderator.service.play.holds import write_adoption
from moderator.service.play.moves import write_moves
from moderator.service.table import held_rows
from moderator.service.table.foreseen import look_again
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.notices import ask_anew, held_mail, over_mail, turn_mail
from moderator.service.table.sealed_rows import given_back, owing
from moderator.service.table.table import Table, open_table


@dataclass(frozen=True, slots=True)
class Wrong:
    """The orders to take back. ``number``: how many orders stay; ``through``: the number of the last wrong one, None if
    it is the next one alone; ``keep``: later orders that still fit are kept, otherwise all go. ``origin`` and
    ``player``: who takes them back."""

    number: int
    through: int | None = None
    keep: bool = True
    why: str = ""
    origin: str = "master"
    player: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """The effect of an undo. ``game``: as it stands then; it goes back to the position after ``number`` orders. The
    orders, as they are written: ``taken`` back, played ``again`` at once, kept ``ready``, and ``gone`` because they do
    not fit, with the reasons (``gone_facts``). ``held``: the number of rows of orders given ahead that are cancelled;
    one mail may have given several."""

    game: Game
    number: int
    taken: tuple[str, ...]
    numbers: tuple[int, ...]
    """The numbers that the orders taken back had."""
    again: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    gone: Facts = field(default_factory=dict)
    held: int = 0


@dataclass(slots=True)
class _Plan:
    """An undo that is worked out, and not written yet."""

    number: int
    taken: dict[int, str]
    fork: Fork
    course: Course
    settled: Settled
    cancelled: list[HeldRow]
    entries: dict[int, EntryRow] = field(default_factory=dict)


def foresee_undo(desk: Desk, game_id: str, wrong: Wrong) -> Taken:
    """The effect that ``take_back`` would have; nothing is changed. ``ValueError`` as for ``take_back``."""
    with desk.looking() as sitting:
        row = sitting.session.get(GameRow, game_id)
        table = open_table(sitting, _with_order(row, game_id, wrong))
        return _effect(table, _plan(table, wrong))


def undo(desk: Desk, game_id: str, number: int, why: str = "") -> int:
    """Go back to the position after ``number`` orders, and keep none of the later ones. Returns the number of orders
    taken back. ``ValueError`` if there is no such game or number."""
    return len(take_back(desk, game_id, Wrong(number, keep=False, why=why)).taken)


def take_back(desk: Desk, game_id: str, wrong: Wrong) -> Taken:
    """Take back the ``wrong`` orders, play the later ones again as far as they fit, and tell everyone. The log keeps
    all. Orders given ahead by those who knew what is taken back are cancelled. Orders that were opened together are
    taken back together, and are sealed again. ``ValueError`` if there is no such game or number."""
    with desk.sitting() as sitting:
        table, effect = take_back_in(sitting, game_id, wrong)
    desk.games.put(table.live)
    return effect


def take_back_in(sitting: Sitting, game_id: str, wrong: Wrong, *, trial: bool = False) -> tuple[Table, Taken]:
    """The same in a sitting that is open. Returns the table after it, too, whose game the caller puts into memory once
    the sitting is committed. In a ``trial`` everything is checked and nothing is done."""
    row = _with_order(lock_games(sitting.session, (game_id,)).get(game_id), game_id, wrong)
    table = open_table(sitting, row)
    return (table, _effect(table, _plan(table, wrong))) if trial else take_back_at(table, wrong)


def take_back_at(before: Table, wrong: Wrong) -> tuple[Table, Taken]:
    """The same in a sitting. Returns the table after it, whose game the caller puts into memory."""
    plan = _plan(before, wrong)
    effect, sitting, row = _effect(before, plan), before.sitting, before.row
    adopted = standing(lines_of(sitting.session, row.id, row.at)).base
    game = before.game.fork()
    game.undo(plan.number)
    entry = EntryRow(
        game=row.id, at=row.at, kind="undo", orders=plan.number, player=wrong.player, text=wrong.why,
        origin=wrong.origin, created_at=sitting.now(), digest=game.told_digest(),
    )  # fmt: skip
    sitting.session.add(entry)
    row.at += 1
    row.orders, row.finished_at = plan.number, None
    row.status = row.status if row.status == "paused" else "running"
    table = _past_settled(before.after(game), plan.number, adopted)
    for seat in table.seats:
        seat.told = min(seat.told, plan.number)
    given_back(table)
    again_rows.close(plan.cancelled, "undone", entry.created_at)
    if not wrong.keep:
        again_rows.end_all(table)
    again_rows.add(table, plan.course, plan.entries)
    if plan.fork.moves:
        table = write_moves(table, plan.fork)
    held_rows.write(table, plan.settled.closed)
    ask_anew(table)
    foreseen = look_again(table)
    for seat in table.seats:
        cancelled = [one for one in plan.cancelled if one.player == seat.player]
        _tell_undo(table, seat, effect, wrong, cancelled, foreseen.get(seat.player, ()))
    return table, effect


def _past_settled(table: Table, number: int, adopted: int) -> Table:
    """The table once it is settled from which position a replay begins, and whether the game is still on hold."""
    row, games = table.row, table.sitting.games
    if number < adopted:  # the adopted position is taken back, and a replay would depart again
        why_adopted = Departure(number, row.at, "", "", (f"undo to before the position after order {adopted}",))
        table, row.hold = write_adoption(table, why_adopted), None
    elif row.hold is not None:  # perhaps the order that departed is taken back
        row.hold, row.fingerprint = None, ""
        games.examine(table.sitting.session, row)
        table = table.after(table.game)
    return table


def _with_order(row: GameRow | None, game_id: str, wrong: Wrong) -> GameRow:
    """The row of a game that has the ``wrong`` orders. ``ValueError`` if there is none."""
    if row is None:
        raise ValueError(f"there is no game {game_id!r}")
    if not row.orders:
        raise ValueError(f"{game_id} has no orders to take back")
    if not 0 <= wrong.number < row.orders:
        raise ValueError(
            f"{game_id} has {counted(row.orders, 'order')}; undo can keep 0"
            + (f" to {row.orders - 1} of them" if row.orders > 1 else " of them")
        )
    if wrong.through is not None and not wrong.number < wrong.through <= row.orders:
        raise ValueError(
            f"the last wrong order of {game_id} is {wrong.number + 1} to {row.orders}, not {wrong.through}"
        )
    return row


def _plan(table: Table, wrong: Wrong) -> _Plan:
    number, old = wrong.number, table.game
    while number and holds_sealed(old.at(number)):  # sealed orders are opened together, and taken back together
        number -= 1
    game = old.fork()
    game.undo(number)
    still = standing(lines_of(table.sitting.session, table.row.id, table.row.at))
    held = waiting_rows(table.sitting.session, table.row.id)
    if not wrong.keep or table.row.hold is not None or number < still.base:
        taken = {n: table.live.write_order(order) for n, order in enumerate(old.orders[number:], number + 1)}
        return _Plan(number, taken, Fork(game), Course([]), Settled(), list(held))
    entries = _entries(table, [line.at for line in still.orders[number:]], number + 1)
    ready = _ready(table, entries, number + 1, max(wrong.through or 0, wrong.number + 1))
    authors = {one.player for one in ready if one.gap}
    since = entries[number + 1].created_at
    cancelled = [row for row in held if row.kind != WORD and not _stands(row, since, authors)]
    earlier = again_rows.course_of(table)
    course = Course.of(ready)
    course.left += earlier.left
    course.gone += earlier.gone
    ids = {row.id for row in cancelled}
    waiting = [one for one in held_rows.waiting(table) if one.id not in ids]
    fork = Fork(game)
    settled = settle_course(fork, waiting, course)
    taken = {one.place.number: one.text for one in ready if one.gap}
    return _Plan(number, taken, fork, course, settled, cancelled, entries)


def _stands(row: HeldRow, since: datetime, authors: set[str]) -> bool:
    """True if an order given ahead stands: it was given before the first order that is taken back, ``since``, and not
    by one of the ``authors``, who decide anew."""
    return row.created_at < since and row.player not in authors


def _entries(table: Table, decisions: Sequence[int], first: int) -> dict[int, EntryRow]:
    """The log's entries of orders, by the number of the order; that of the first is ``first``."""
    wanted = select(EntryRow).where(EntryRow.game == table.row.id, col(EntryRow.at).in_(decisions))
    return dict(enumerate(table.sitting.session.exec(wanted.order_by(col(EntryRow.at))).all(), first))


def _ready(table: Table, entries: dict[int, EntryRow], first: int, last: int) -> list[Ready]:
    """The orders from number ``first`` on. Those up to ``last``, and those of the same turns and the same openings, are
    gaps."""
    old, players = table.game, [entry.player for entry in entries.values()]
    found = places(old, players, table.row.at, first)
    bad = [place for place in found if place.number <= last]
    groups, turns = {place.group for place in bad} - {0}, {place.turn for place in bad}
    turns |= {place.turn for place in found if place.group in groups}
    return [
        Ready(
            player, str(old.orders[place.number - 1].actor), entries[place.number].text, place,
            partial(given, old, place.number, player), gap=place.turn in turns,
        )
        for place, player in zip(found, players, strict=True)
    ]  # fmt: skip


def _effect(table: Table, plan: _Plan) -> Taken:
    course = plan.course
    return Taken(
        plan.fork.game,
        plan.number,
        tuple(plan.taken.values()),
        tuple(plan.taken),
        tuple(table.live.write_order(move.order) for move in plan.fork.moves),
        tuple(one.text for one in course.left),
        gone_facts(table, course.gone),
        len(plan.cancelled),
    )


def _tell_undo(
    table: Table, seat: SeatRow, effect: Taken, wrong: Wrong, held: Sequence[HeldRow], foreseen: Notes
) -> None:
    notes: list[Note] = [("undo", undo_facts(table, effect, wrong)), *foreseen]
    if held:
        notes.append(("withdrawn", {"count": len(held), "texts": tuple(h.text for h in held)}))
    held_mail(table, seat, tuple(notes), "undone")
    if table.game.finished:
        over_mail(table, seat)
    elif seat.question:
        turn_mail(table, seat)


def undo_facts(table: Table, effect: Taken, wrong: Wrong) -> Facts:
    """An undo, for the words about it."""
    return {
        "number": effect.number, "orders": effect.taken, "why": wrong.why, "again": effect.again,
        "ready": effect.ready, **effect.gone, "keep": wrong.keep, "player": wrong.player,
        "asked": owing(table.sitting.session, table.game, table.row.id),
    }  # fmt: skip
