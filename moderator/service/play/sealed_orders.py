"""Opens sealed orders: the game gets all of them together, and all players are told what each player had sealed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import Ask, Failure, Refused
from moderator.adapters.tables import MailRow, SealedRow, SeatRow
from moderator.domain.asks import asks_of
from moderator.domain.fork import Fork
from moderator.domain.sealing import Sealing, sealed_asks, sealed_line
from moderator.domain.transcript import Note, Notes
from moderator.service.games import refusal
from moderator.service.post.outbox import silence_of
from moderator.service.table import sealed_rows
from moderator.service.table.clocks import new_deadline
from moderator.service.table.notices import notice
from moderator.service.table.table import Table


@dataclass(slots=True)
class Opened:
    """An opening of sealed orders. ``notes`` are for every seat; ``refused`` are orders that the rules no longer
    allow."""

    rows: list[SealedRow] = field(default_factory=list)
    notes: Notes = ()
    own: list[Note] = field(default_factory=list)
    """Notes for the writer of the mail alone."""
    lines: tuple[int, ...] = ()
    """Lines of the mail at hand that were opened at once."""
    refused: list[tuple[SealedRow, tuple[Failure, ...]]] = field(default_factory=list)


def seal_and_open(table: Table, fork: Fork, sealings: list[Sealing], mail: MailRow | None) -> Opened:
    """Seal the orders of a mail. If no sealed order is missing then, all are given to ``fork``; otherwise the other
    players are told about those of this mail."""
    if not sealings:
        return Opened()
    rows = [(one.line, *sealed_rows.put(table, one.ask, one.order, mail)) for one in sealings]
    if is_complete(table):
        opened = open_all(table, fork)
        if not opened.refused:
            opened.lines = tuple(line for line, _, _ in rows)
            return opened
        tell_refused(table, opened)
    else:
        opened = Opened()
    for _, row, again in rows:
        facts = {"line": sealed_line(row.salt, row.text), "digest": row.digest, "again": again}
        if row.status == "waiting":
            opened.own.append(("sealed.kept", facts))
            tell_others_of(table, row, "sealed_again" if again else "sealed")
    return opened


def open_when_complete(table: Table, fork: Fork) -> Opened:
    """Give all sealed orders to ``fork`` if none is missing, except those whose time is over."""
    if not is_complete(table):
        return Opened()
    opened = open_all(table, fork)
    if opened.refused:
        tell_refused(table, opened)
    return opened


def tell_others_of(table: Table, row: SealedRow, key: str) -> None:
    """Write ``notice.KEY`` to all but the owner of ``row``, with its digest and the players who are still missing."""
    rows = sealed_rows.standing_rows(table.sitting.session, table.row.id)
    facts = {"player": row.player, "digest": row.digest, "missing": sealed_rows.missing_in(table.game, rows)}
    for seat in table.seats:
        if seat.player != row.player and not silence_of(seat):
            notice(table, seat, key, facts)


def is_complete(table: Table) -> bool:
    """True if the game runs, and every sealed question is answered or its time is over. An order that was opened before
    an undo is an answer only when the time is over."""
    asks = sealed_asks(table.game)
    return bool(asks) and table.row.status == "running" and all(_is_settled(table, ask) for ask in asks)


def _is_settled(table: Table, ask: Ask) -> bool:
    row = sealed_rows.row_for(table, ask)
    if row is not None and row.status == "waiting":
        return True
    if row is None and ask.silence is None:
        return False
    return bool(sealed_rows.deadlines_of(table.sitting.session, table.row.id, ask.player, "overdue"))


def open_all(table: Table, fork: Fork) -> Opened:
    """Give all sealed orders to ``fork``, in the order in which they are asked for. If the rules now refuse any of
    them, nothing is opened, and the refused ones lapse."""
    opened, trial, asks = Opened(), fork.fork(), sealed_asks(fork.game)
    for ask in asks:
        row = sealed_rows.row_for(table, ask)
        order = ask.silence if row is None else table.live.read_orders(row.text)[0]
        assert order is not None
        result = trial.submit(order, ask.player, "silence" if row is None else "sealed")
        if isinstance(result, Refused):
            if row is None:
                raise RuntimeError(f"{table.row.id}: the order in place of a missing answer is refused: {ask}")
            opened.refused.append((row, result.failures))
        elif row is not None:
            row.orders = len(trial.game.orders)
            opened.rows.append(row)
    now = table.sitting.now()
    if opened.refused:
        for row, _ in opened.refused:
            row.status, row.closed_at = "lapsed", now
        return opened
    fork.join(trial)
    for row in opened.rows:
        row.status, row.closed_at = "opened", now
    opened.notes = (_opening(opened.rows, [str(ask.player) for ask in asks]),)
    return opened


def tell_refused(table: Table, opened: Opened) -> None:
    """After an opening that failed, tell the players whose sealed orders the rules now refuse. Each of them has his
    whole time again."""
    for row, failures in opened.refused:
        seat = table.seat_of(row.player)
        if seat is not None:
            new_deadline(table, seat, seat.question)
            notice(table, seat, "sealed_refused", {"withdrawn": (row.text,), "why": _why(table, failures)})
        tell_others_of(table, row, "sealed_withdrawn")


def _why(table: Table, failures: tuple[Failure, ...]) -> str:
    return refusal(table.game.title, Refused(failures))


def unanswered(table: Table, player: str) -> list[Ask]:
    """The questions to ``player`` that he has neither answered nor sealed an order for."""
    return [ask for ask in asks_of(table.game, player) if not ask.sealed or sealed_rows.row_for(table, ask) is None]


def remind_of_sealed(table: Table, seat: SeatRow, asks: Sequence[Ask]) -> None:
    """Tell a player who has sealed nothing, before his time is over, which order counts if he sends nothing."""
    nothing = tuple(table.live.write_order(ask.silence) for ask in asks if ask.sealed and ask.silence is not None)
    notice(table, seat, "sealed_reminder", {"nothing": nothing})


def with_opening(table: Table, ahead: dict[str, Notes], opened: Opened) -> dict[str, Notes]:
    """``ahead`` with the notes on an opening for all seats."""
    if not opened.notes:
        return ahead
    return {seat.player: (*opened.notes, *ahead.get(seat.player, ())) for seat in table.seats}


def _opening(rows: list[SealedRow], asked: list[str]) -> Note:
    nothing = tuple(player for player in asked if player not in {row.player for row in rows})
    facts = {
        "lines": tuple(sealed_line(row.salt, row.text) for row in rows), "digests": tuple(r.digest for r in rows),
        "nothing": nothing,
    }  # fmt: skip
    return "sealed.opened", facts
