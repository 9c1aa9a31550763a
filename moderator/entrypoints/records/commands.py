"""``railpost record``: verifies and imports game records, and loads them for other commands."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.app import App, Later
from moderator.entrypoints.facts import FactsFile, facts_text
from moderator.entrypoints.output import Status, complaints, data, err, fail, out
from moderator.input_limits import LARGEST_RECORD, UnusableError, read_text

if TYPE_CHECKING:
    from engine import Game
    from engine.core.ids import PlayerId
    from engine.core.orders import Order
    from moderator.domain.records import record

app = App(
    Later("show", "records.views:show", "Show the position of a record in words, or what else is asked for."),
    Later(
        "results",
        "records.views:results",
        "Print the standings of records, and the totals of each player over several records.",
    ),
    Later(
        "export",
        "records.export:export",
        "Write a game in the export format of 18xx.games: 1861 (2020), 1844 (18xx.games), 1841 (v1, v2).",
    ),
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A record: our own text, or JSON exported by 18xx.games.")]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record that was played to its end. ``result`` is the final wealth that the record states; None if it states
    none."""

    game: Game
    result: Mapping[str, int] | None
    tags: Mapping[str, str]
    note: str = ""


class Illegal(Exception):
    """An order of the record breaks a rule, or its orders lead to another position than it states. The message says
    where and why."""


def load_record(path: Path, facts: str = "") -> Loaded:
    """Play a record with every check on. ``facts`` is the text of the file of corrected facts, for a record that does
    not contain it. Raises ``Illegal`` if an order is refused or the position differs from the one stated. Raises
    ``ValueError`` or ``OSError`` for a file that is no record, or whose lots cannot be drawn again."""
    from moderator import render
    from moderator.domain.records import record
    from moderator.domain.records.doubts import elsewhere, stopped, told_otherwise

    if path.suffix.lower() == ".json":
        return _load_import(path)
    try:
        text = read_text(path, LARGEST_RECORD)
    except UnusableError as error:
        raise ValueError(f"{path.name}: {error}") from error
    found = record.read_record(text, path.name, facts)
    try:
        played = record.replay(found)
    except record.StoppedError as error:
        if not isinstance(error, record.DepartedError) or error.game.state.lots:
            _drawn(found)
        raise Illegal(stopped(found, error, partial(render.describe_failure, found.title))) from error
    game = played.game
    if game.state.lots:
        _drawn(found)
    if said := elsewhere(found, game):
        raise Illegal(said)
    result = found.result
    note = told_otherwise(found, played.departed)
    return Loaded(game, dict(result) if result is not None else None, found.tags, note)


def _drawn(found: record.Record) -> None:
    """Raise ``ValueError`` if lots were drawn from a seed that is not published yet: then the orders cannot be
    judged."""
    from moderator.domain.records.doubts import undrawn

    if said := undrawn(found):
        raise ValueError(said)


def _load_import(path: Path) -> Loaded:
    from moderator import render
    from moderator.domain.records import import_18xx
    from moderator.domain.records.doubts import import_stopped

    found = import_18xx.read_import(path)
    try:
        for _ in found.play():
            pass
    except import_18xx.RecordError as error:
        title = found.game.title
        raise Illegal(import_stopped(title, error, partial(render.describe_failure, title))) from error
    passes, answers = counted(found.left_out, "empty pass", "empty passes"), counted(found.added, "empty answer")
    return Loaded(found.game, found.result or None, {}, f"{passes} left out, {answers} added")


@app.command("verify")
def verify(
    context: typer.Context,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="Records to verify.")] = None,
    database: Annotated[bool, typer.Option("--database", help="All games of the service's database.")] = False,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="With --database: write down how it ended: games go on or are held."),
    ] = False,
    facts: FactsFile = None,
) -> None:
    """Replay records with every check on, and compare the final standings with those in the records.

    Ends with 0 if all hold, with 1 if an order is illegal or the standings differ, with 2 for a file that is no record.
    """
    if bool(files) == database or (accept and not database) or (facts and database):
        fail("say what to verify: files, or --database")
    own = facts_text(facts)
    worst = _verify_database(context, accept) if database else Status.OK
    for path in files or ():
        worst = max(worst, _verify(path, own))
    raise typer.Exit(worst)


def _verify_database(context: typer.Context, accept: bool) -> Status:
    from moderator.entrypoints.database_access import desk_of, desk_to_read
    from moderator.service.operation.verification import accept as note_verified
    from moderator.service.operation.verification import replay_all

    desk = desk_of(context) if accept else desk_to_read(context)
    worst = Status.OK
    for found in replay_all(desk.database, desk.games):
        if found.fault:
            worst = Status.NO
            if accept:
                note_verified(desk, found.game)
            out.print(f"{found.game}: NO: {found.fault}", markup=False)
            continue
        taken = accept and note_verified(desk, found.game)
        more = f"; rules {found.rules}" if found.rules else ""
        more += "; taken over" if taken else ""
        more += f"; {counted(found.unread, 'snapshot')} of another form left alone" if found.unread else ""
        out.print(f"{found.game}: {counted(found.orders, 'order')} replayed with every check{more}", markup=False)
    return worst


def _verify(path: Path, facts: str) -> Status:
    began = time.perf_counter()
    try:
        loaded = load_record(path, facts)
    except Illegal as error:
        out.print(f"NO: {error}", markup=False)
        return Status.NO
    except OSError as error:
        err.print(f"{path}: {error.strerror}", markup=False)
        return Status.USAGE
    except ValueError as error:
        err.print(str(error), markup=False)
        return Status.USAGE
    spent = time.perf_counter() - began
    game = loaded.game
    standings = dict(game.standings())
    said = ", ".join(f"{player} {wealth}" for player, wealth in standings.items())
    state = "finished" if game.finished else "under way"
    if loaded.result is not None and {str(p): w for p, w in standings.items()} != dict(loaded.result):
        recorded = ", ".join(f"{player} {wealth}" for player, wealth in loaded.result.items())
        out.print(f"{path.name}: NO: ends with {said}; the record says {recorded}", markup=False)
        return Status.NO
    out.print(
        f"{path.name}: {game.title.name} {game.title.edition}, {counted(len(game.orders), 'order')} replayed with every"
        f" check in {spent:.2f} s, {state}: {said}" + (f" ({loaded.note})" if loaded.note else ""),
        markup=False,
    )
    return Status.OK


@app.command("import")
def import_record(
    file: File,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")] = None,
) -> None:
    """Convert a record of 18xx.games into one of our own."""
    from moderator.domain.records import record
    from moderator.service.play.journal.export import teller

    game = loaded(file).game
    with complaints():
        text = record.write_record(game, {"Source": file.name}, tell=teller(game))
        if output is None:
            data(text.encode())
        else:
            output.write_text(text, encoding="utf-8")


def orders_with_players(path: Path) -> tuple[Game, list[tuple[PlayerId, Order]], Mapping[str, int] | None]:
    """The game of a record at its start, its orders with the player who gave each, and the standings that it states."""
    from engine import Game

    found = loaded(path)
    return Game.start(found.game.title, found.game.setup), given_in(found.game), found.result


def given_in(game: Game) -> list[tuple[PlayerId, Order]]:
    """The orders of a game, each with the player who gave it."""
    from engine import Game
    from moderator.domain.asks import giver

    again = Game.start(game.title, game.setup)
    given: list[tuple[PlayerId, Order]] = []
    for order in game.orders:
        given.append((giver(again, order), order))
        again.submit(order)
    return given


def loaded(path: Path) -> Loaded:
    """A record that was played to its end. Ends the command if the file is no record or breaks a rule."""
    with complaints():
        try:
            return load_record(path)
        except Illegal as error:
            fail(str(error), Status.NO)
