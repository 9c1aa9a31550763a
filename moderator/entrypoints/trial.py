"""``railpost check``: orders tried against a position."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from engine import Game, Refused
from engine.core.checks import Failure
from engine.core.orders import Order
from grammar import Reading, Vocabulary, read, write
from moderator import render
from moderator.domain.asks import acting, of_any_amount, understood_now
from moderator.domain.counts import counted
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.lookup import no_game
from moderator.entrypoints.output import Status, complaints, fail, out
from moderator.entrypoints.records.commands import Illegal, load_record
from moderator.input_limits import LARGEST_ORDERS, UnusableError, read_text
from moderator.service.listing.games import NoDecision, game_at


def check(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Orders, as one would write them in a mail.")],
    game: Annotated[str | None, typer.Option(help="Against the position of this game.")] = None,
    record: Annotated[Path | None, typer.Option(help="Against the position at the end of this record.")] = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="With --record: after so many orders. With --game: when that decision was to be made, as"
            " `railpost game show --at`.",
        ),
    ] = None,
) -> None:
    """Try orders against a position without changing anything. Ends with 1 if one cannot be read or is against a
    rule."""
    if (game is None) == (record is None):
        fail(f"say {'which' if game is None else 'one'} position: --game GAME or --record FILE")
    position = record_at(record, at) if record is not None else _game(context, game or "", at)
    with complaints():
        try:
            text = read_text(file, LARGEST_ORDERS)
        except UnusableError as error:
            raise ValueError(f"{file.name}: {error}") from error
    good = all([_say(line) for line in try_orders(position, vocabulary_of(position), text)])  # noqa: C419 - all are said
    raise typer.Exit(Status.OK if good else Status.NO)


def try_orders(game: Game, names: Vocabulary, text: str) -> Iterable[tuple[bool, str]]:
    """Carry out orders on ``game`` until one fails. Yields for each whether it succeeded and the text to print."""
    asks = game.asked()
    reading = read(text, names, default_actor=asks[0].actor if len(asks) == 1 else None)
    yield from ((False, line) for line in faults(reading))
    if reading.errors:
        return
    for order in reading.orders:
        good, line = carry_out(game, order)
        yield good, line
        if not good:
            return


def faults(reading: Reading) -> Iterable[str]:
    """The lines about what could not be read."""
    for error in reading.errors:
        kind = "AMBIGUOUS" if error.kind == "ambiguous" else "NOT READABLE"
        yield f"{kind} {render.describe_unreadable(error)}"


def carry_out(game: Game, order: Order) -> tuple[bool, str]:
    """Submit an order. Returns whether it was accepted, and the text to print."""
    order = of_any_amount(game, understood_now(game, order.actor, order))
    order = acting(game, order, game.state.players)
    result = game.submit(order)
    head = f"{order.actor}: {write(order, vocabulary(game.title))}"
    if isinstance(result, Refused):
        return False, refusal(game, head, result.failures)
    told = [line for event in result if (line := render.describe_event(game.title, event))]
    return True, "\n  ".join([head, *told])


def refusal(game: Game, head: str, failures: Iterable[Failure]) -> str:
    return "\n  ".join([f"REFUSED {head}", *(render.describe_failure(game.title, failure) for failure in failures)])


def vocabulary_of(game: Game) -> Vocabulary:
    return vocabulary(game.title, game.setup.players)


def _say(said: tuple[bool, str]) -> bool:
    good, line = said
    out.print(line, markup=False)
    return good


def record_at(path: Path, at: int | None) -> Game:
    with complaints():
        try:
            game = load_record(path).game
        except Illegal as error:
            fail(str(error), Status.NO)
    if at is not None:
        if at > len(game.orders):
            fail(f"there is no position after {counted(at, 'order')}: the record has {len(game.orders)}")
        game.undo(at)
    return game


def _game(context: typer.Context, name: str, at: int | None) -> Game:
    desk = desk_to_read(context)
    try:
        with desk.looking() as sitting:
            found = game_at(sitting, name, at)
    except NoDecision as error:
        fail(str(error))
    if found is None:
        no_game(desk, name)
    return found.game.fork() if found.is_now else found.game
