"""``railpost backup`` and ``railpost restore``: copy everything, and go on from a copy."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.database_access import desk_of
from moderator.entrypoints.output import Status, err, fail, out

if TYPE_CHECKING:
    from moderator.adapters.database import Database
    from moderator.service.desk import Desk
    from moderator.service.operation.restoration import Replaced
    from moderator.service.people.journal import Told

File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy: one file, whatever the database is.")]

_RUNNING = timedelta(minutes=2)
"""A service that was killed is taken for stopped after this time without a sign of life."""
_BETWEEN_SIGNS = timedelta(seconds=10)
"""A running service gives a sign of life at this interval, and looks for mail every ``poll_seconds``."""


def backup_command(
    context: typer.Context,
    file: File,
    verify: Annotated[bool, typer.Option(help="Play all games in the copy again.")] = True,
) -> None:
    """Copy everything as of one moment into FILE, while the service runs; then replay all games in the copy.

    A copy from SQLite can be restored to PostgreSQL, and the reverse. It holds secret addresses and seeds: keep it as
    safe as the database. Ends with 1 if a game in it cannot be replayed; the copy is kept all the same.
    """
    from moderator.adapters.database import Database
    from moderator.service.operation.backup import NotRestored, backup

    desk = desk_of(context)
    try:
        made = backup(desk, file)
    except (OSError, NotRestored) as error:
        fail(str(error), Status.FAILED if isinstance(error, NotRestored) else Status.USAGE)
    out.print(f"{file}: {counted(made.games, 'game')}, {counted(made.rows, 'row')}", markup=False)
    if verify:
        copy = Database(f"sqlite:///{file}")
        try:
            good = _replay(desk, copy)
        finally:
            _put_away(copy, file)
        raise typer.Exit(Status.OK if good else Status.NO)


def restore_command(
    context: typer.Context,
    file: File,
    replace: Annotated[
        bool, typer.Option("--replace", help="Over a database that has games; a copy of it is made first.")
    ] = False,
    journal: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Another machine's journal of seats, besides the one in `data`."),
    ] = None,
) -> None:
    """Replace the database with a copy. The service must be stopped.

    Nothing is sent until `railpost outbox release`: look at some games first. Everything played since the copy is lost.
    Every player gets a mail with a new secret address; answers to older ones are not carried out. Addresses, players of
    seats, aliases and revocations keep their latest state, as far as the replaced database or the journal beside it
    knows it. Mail that came since the copy and is in the replaced database is answered again.
    """
    from moderator.service.operation.backup import NotRestored, backup
    from moderator.service.operation.restoration import close_copy, go_on, holds_games, put_in_place, read_copy

    desk = desk_of(context, new=True)
    _must_not_run(desk)
    journals = _journals(desk, journal or [])
    if holds_games(desk.database) and not replace:
        fail("the database has games: `--replace` puts the copy in their place, after making a copy of them")
    try:
        copy = read_copy(file)
    except (NotRestored, ValueError) as error:
        fail(str(error))
    try:
        if not _replay(desk, copy):
            fail("nothing was restored: games in the copy cannot be replayed with this version", Status.NO)
        if replace and holds_games(desk.database):
            before = desk.settings.data / f"before-restore-{desk.clock.now():%Y%m%d-%H%M%S-%f}.db"
            backup(desk, before)
            out.print(f"what was there is in {before}", markup=False)
        replaced = put_in_place(desk, copy, file, journals)
    finally:
        close_copy(copy)
    games = counted(go_on(desk, replaced), "game goes on", "games go on")
    out.print(f"restored: {games}, each with a new decision number", markup=False)
    _tell(desk, replaced)
    out.print(
        "Nothing is sent and no deadline ends yet. Now:\n"
        "  railpost game list, railpost game show GAME   look whether they stand as they should\n"
        "  railpost run                                  takes in mail and decides it; its answers wait\n"
        "  railpost outbox list --state queued           what will be sent\n"
        "  railpost outbox release                       send it, and let deadlines go on",
        markup=False,
    )


def _journals(desk: Desk, more: Iterable[Path]) -> list[Told]:
    """The journal of seats in `data`, and those given in ``more``. Ends the command if one cannot be read."""
    from moderator.service.people.journal import path_of, read

    found = []
    for path in (path_of(desk.settings), *more):
        if path != path_of(desk.settings) and not path.is_file():
            fail(f"{path}: no such file")
        try:
            told = read(path)
        except OSError as error:
            fail(f"the journal of seats {path} cannot be read: {error.strerror}")
        if told.broken:
            lines = ", ".join(map(str, told.broken))
            err.print(f"{path}: these lines cannot be read, and are left out: {lines}", markup=False)
        found.append(told)
    return found


def _tell(desk: Desk, replaced: Replaced) -> None:
    """Print the differences from the copy, and the open questions for the operator."""
    if replaced.mails:
        mails = counted(replaced.mails, "mail that came since the copy", "mails that came since the copy")
        out.print(f"{mails} will be answered again", markup=False)
    if replaced.carried:
        out.print("carried over, because it was changed since the copy:", markup=False)
    for one in replaced.carried:
        out.print(f"  {desk.words.operator_words(f'carried.{one.key}', one.facts)}", markup=False)
    if replaced.lost:
        out.print(f"begun since the copy, and lost: {', '.join(replaced.lost)}", markup=False)
    if replaced.unknown:
        made = f"{replaced.made.astimezone(UTC):%Y-%m-%d %H:%M}"
        out.print(desk.words.operator_words("carried.unknown", {"made": made}), markup=False)
    for seat in replaced.unknown:
        out.print(f"  {seat.game} {seat.player} <{seat.address}>", markup=False)


def _replay(desk: Desk, copy: Database) -> bool:
    """Replay all games in ``copy`` and print the faults. Return True if none has a fault, apart from games that are on
    hold already."""
    from moderator.service.operation.verification import replay_all

    count, good = 0, True
    for found in replay_all(copy, desk.games):
        count += 1
        if found.fault:
            good = good and found.held
            err.print(f"{found.game}: {found.fault}", markup=False)
    if good:
        out.print(f"{counted(count, 'game')} replayed with every check", markup=False)
    return good


def _must_not_run(desk: Desk) -> None:
    """End the command if a service on this database gives signs of life. A service that stopped properly has noted it;
    wait a moment to see whether another one runs."""
    from moderator.service.operation.restoration import STOPPED
    from moderator.service.operation.supervision import TICK

    sign, stop = _kept(desk, TICK), _kept(desk, STOPPED)
    if sign is None or abs(ago := datetime.now(UTC) - sign) >= _RUNNING:
        return
    if stop is not None and stop >= sign:
        until = stop + timedelta(seconds=desk.settings.poll_seconds) + _BETWEEN_SIGNS
        if datetime.now(UTC) < until:
            err.print("the service has stopped; checking whether another one runs on its database", markup=False)
        while datetime.now(UTC) < until and (_kept(desk, TICK) or sign) <= stop:
            time.sleep(0.5)
        sign = _kept(desk, TICK) or sign
        if sign <= stop:
            return
        ago = datetime.now(UTC) - sign
    fail(
        f"the service runs: it gave a sign of life {abs(ago).total_seconds():.0f} s ago. Stop it first; if it was"
        f" killed, try again in {_RUNNING.total_seconds() / 60:.0f} minutes"
    )


def _kept(desk: Desk, key: str) -> datetime | None:
    from moderator.service.service_facts import recall

    with desk.database.reading() as session:
        kept = recall(session, key)
    return None if kept is None else datetime.fromisoformat(kept["wall"])


def _put_away(copy: Database, file: Path) -> None:
    """Close the copy and make it one file again: reading it turned on the write-ahead log."""
    copy.close()
    link = sqlite3.connect(file)
    link.execute("PRAGMA journal_mode=DELETE")
    link.close()
