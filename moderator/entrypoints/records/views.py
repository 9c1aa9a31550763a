"""``railpost record show`` and ``railpost record results``: positions, differences, figures and pictures of records."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

from moderator.domain.counts import counted
from moderator.domain.escape import in_table
from moderator.entrypoints.output import Status, Table, complaints, data, err, fail, out
from moderator.entrypoints.records.commands import File

if TYPE_CHECKING:
    from engine import Game
    from moderator.domain.figures.statistics import Statistics

Output = Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")]


def show(
    file: File,
    at: Annotated[int | None, typer.Option(min=0, help="After so many orders; the end by default.")] = None,
    diff: Annotated[
        tuple[int, int] | None,
        typer.Option(metavar="N M", help="What differs between the positions after N and after M orders."),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Rounds, trains, revenues and net worth.")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="The map as SVG; with --diff what changed is marked.")] = False,
    output: Output = None,
) -> None:
    """Show the position of a record in words, or what else is asked for.

    A record that cannot be played to its end is shown as far as it goes. Then a message says where it stops and why,
    and the status is 1.
    """
    from engine.core.description import differences, told
    from moderator.archive.record_files import play_file
    from moderator.domain.figures.statistics import statistics

    if stats and (svg or diff):
        fail("--stats is of the whole game: it goes with neither --svg nor --diff")
    with complaints():
        game, _, fault = play_file(file)
    since = None
    if diff is not None:
        _position(game, diff[0], fault)
        at, since = diff[1], game.at(diff[0])
    if at is not None:
        _position(game, at, fault)
    if stats:
        text = "\n".join(_figures(statistics(game)))
    elif svg:
        text = str((game if at is None else _before(game, at)).board_svg(since=since))
    elif diff is not None and since is not None:
        lines = differences(told(game.title, since), told(game.title, game.at(diff[1])))
        text = "\n".join(lines) or "nothing differs"
    else:
        text = "\n".join(_in_words(game if at is None else _before(game, at)))
    with complaints():
        if output is not None:
            output.write_text(f"{text}\n", encoding="utf-8")
        elif svg:
            data(text.encode())
        else:
            out.print(text)
    if fault:
        _stops(fault)


def _stops(fault: str) -> NoReturn:
    fail(f"the record cannot be played further: {fault}", Status.NO)


def _position(game: Game, number: int, fault: str) -> None:
    if not 0 <= number <= len(game.orders):
        why = f"; it cannot be played further: {fault}" if fault else ""
        fail(f"there is no position after {counted(number, 'order')}: the record has {len(game.orders)}{why}")


def _before(game: Game, number: int) -> Game:
    game.undo(number)
    return game


def _in_words(game: Game) -> Iterator[str]:
    from engine.core.ids import PlayerId
    from moderator import render
    from moderator.words.wording import asked_of

    yield f"{game.title.full_name}, edition {game.title.edition}, after {counted(len(game.orders), 'order')}\n"
    yield render.text_position(game, PlayerId(""))
    for player in game.state.players:
        for asked in asked_of(game, player):
            yield f"{player}: {asked}"


# ---- figures ---------------------------------------------------------------------------------------------------------


def _figures(found: Statistics) -> Iterator[str]:
    yield from _rows("Rounds", ("round", "orders", "first", "last"), _rounds(found))
    yield from _rows("Trains", ("train", "bought by", "from", "price", "round", "order"), _trains(found))
    yield from _rows("Revenue", ("company", "runs", "in all", "best", "each"), _revenue(found))
    yield from _rows("Net worth", ("round", *sorted(found.worth[0].worth)), _worth(found))


def _rounds(found: Statistics) -> Iterator[tuple[str, ...]]:
    for played in found.rounds:
        numbers = (str(played.first), str(played.last)) if played.orders else ("", "")
        yield (played.name, str(played.orders), *numbers)


def _trains(found: Statistics) -> Iterator[tuple[str, ...]]:
    for one in found.trains:
        price = "" if one.price is None else str(one.price)
        yield one.train, one.company, one.source, price, one.round, str(one.order)


def _revenue(found: Statistics) -> Iterator[tuple[str, ...]]:
    runs: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in found.earned:
        runs[one.company].append((one.revenue, {"none": "-", "half": "/"}.get(one.kind, "")))
    for company in sorted(runs, key=lambda name: -sum(revenue for revenue, _ in runs[name])):
        each = " ".join(f"{revenue}{mark}" for revenue, mark in runs[company])
        revenues = [revenue for revenue, _ in runs[company]]
        yield company, str(len(revenues)), str(sum(revenues)), str(max(revenues)), each


def _worth(found: Statistics) -> Iterator[tuple[str, ...]]:
    for moment in found.worth:
        yield (str(moment.round), *(str(moment.worth[player]) for player in sorted(moment.worth)))


def _rows(heading: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Lines of a table under its heading, with numbers aligned to the right."""
    every = [columns, *rows]
    widths = [max(len(row[n]) for row in every) for n in range(len(columns))]
    yield heading
    for row in every:
        cells = (cell.rjust(w) if _number(cell) else cell.ljust(w) for cell, w in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()
    yield ""


def _number(cell: str) -> bool:
    return cell.lstrip("-").isdecimal()


# ---- results ---------------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """A player's result in one record. ``place`` is shared by equal wealth."""

    record: str
    title: str
    edition: str
    status: str
    players: int
    place: int
    player: str
    wealth: int


def results(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records: our own, or those of 18xx.games.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV (RFC 4180), a line for each player.")] = False,
    output: Output = None,
) -> None:
    """Print the standings of records, and the totals of each player over several records.

    Standings of a game that is under way are as if it ended now. They do not count in the totals.
    """
    from moderator.archive.record_files import play_file

    rows: list[Result] = []
    worst = Status.OK
    for path in files:
        try:
            game, tags, fault = play_file(path)
        except OSError as error:
            err.print(f"{path}: {error.strerror}", markup=False)
            worst = Status.USAGE
            continue
        except ValueError as error:
            err.print(str(error), markup=False)
            worst = Status.USAGE
            continue
        if fault:
            err.print(fault, markup=False)
            worst = max(worst, Status.NO)
        rows += _results(tags.get("Game", path.stem), game)
    if as_csv:
        with complaints():
            _write_csv(rows, output)
    elif output is not None:
        fail("--output goes with --csv")
    else:
        _print(rows)
    raise typer.Exit(worst)


def _results(name: str, game: Game) -> Iterator[Result]:
    standings = game.standings()
    status = "finished" if game.finished else "under way"
    title, wealth = game.title, [amount for _, amount in standings]
    for player, amount in standings:
        place = 1 + wealth.index(amount)
        yield Result(name, title.name, title.edition, status, len(standings), place, player, amount)


def _write_csv(rows: list[Result], output: Path | None) -> None:
    text = io.StringIO(newline="")
    written = csv.writer(text, lineterminator="\r\n")
    written.writerow(Result._fields)
    written.writerows([in_table(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    if output is None:
        data(text.getvalue().encode())
    else:
        output.write_bytes(text.getvalue().encode())


def _print(rows: list[Result]) -> None:
    table = Table("record", "title", "edition", "status", "place", "player", "wealth")
    for row in rows:
        table.add_row(row.record, row.title, row.edition, row.status, str(row.place), row.player, str(row.wealth))
    table.print()
    finished = [row for row in rows if row.status == "finished"]
    if len({row.record for row in finished}) > 1:
        out.print("")
        _in_all(finished).print()


def _in_all(rows: list[Result]) -> Table:
    """Games, wins (a shared first place counts), mean place and mean wealth of each player, most wins first."""
    of: dict[str, list[Result]] = defaultdict(list)
    for row in rows:
        of[row.player].append(row)
    table = Table("player", "games", "wins", "mean place", "mean wealth")
    for player in sorted(of, key=lambda name: (-sum(row.place == 1 for row in of[name]), name)):
        own = of[player]
        wins = sum(row.place == 1 for row in own)
        place, wealth = fmean(row.place for row in own), fmean(row.wealth for row in own)
        table.add_row(player, str(len(own)), str(wins), f"{place:.2f}", f"{wealth:.0f}")
    return table
