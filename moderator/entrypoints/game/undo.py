"""``railpost game undo`` and ``redo``: take orders back, keep the later ones that still fit, and take that back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.completion import GameName
from moderator.entrypoints.game.master import Reason, mastering, one_line
from moderator.entrypoints.output import AsJson, Table, fail, out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from moderator.service.play.undo import Taken


def undo(
    context: typer.Context,
    name: GameName,
    number: Annotated[
        int, typer.Argument(metavar="N", min=0, help="How many orders stay: order N+1 is wrong.", show_default=False)
    ],
    through: Annotated[
        int | None,
        typer.Option("--through", metavar="M", min=1, help="The last wrong order, if it is not only order N+1."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Keep no later order.")] = False,
    reason: Reason = "",
    check: Annotated[
        bool, typer.Option("--check", "--dry-run", help="Only print what would go and what would stay.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take an order back, play the later ones again as far as they fit, and tell everyone.

    Order N+1 is taken back, with the rest of its turn. Its player is asked again. Later orders are kept ready, and
    played when the game asks for them, if nothing that they were built on has changed. `railpost game log` numbers the
    orders, and keeps all of them.
    """
    from moderator.service.listing.games import orders_of
    from moderator.service.play.undo import Wrong, foresee_undo, take_back

    if everything and through is not None:
        fail("give either --through or --all")
    wrong = Wrong(number, through, not everything, one_line(reason))
    with mastering(context, name, reason) as desk:
        effect = foresee_undo(desk, name, wrong) if check else take_back(desk, name, wrong)
        with desk.database.reading() as session:
            now = len(effect.game.orders) if check else orders_of(session, name)
    if as_json:
        _table(effect).print(as_json)
        return
    _print_orders(effect, check=check)
    said = "would be" if check else "is"
    out.print(f"{name} {said} at order {now}" + (", and ask:" if check else ""), markup=False)
    if check:
        _print_asked(effect)


def _table(effect: Taken) -> Table:
    table = Table("what", "order", "why")
    for what, texts in (("taken back", effect.taken), ("played again", effect.again), ("kept ready", effect.ready)):
        for text in texts:
            table.add_row(what, text, "")
    for text, why in _gone(effect):
        table.add_row("gone", text, why)
    return table


def _print_orders(effect: Taken, *, check: bool) -> None:
    be = "would be " if check else ""
    _print_list(
        f"{be}taken back", [f"{number}. {text}" for number, text in zip(effect.numbers, effect.taken, strict=True)]
    )
    _print_list(f"{be}played again at once", effect.again)
    _print_list(f"{be}kept ready, to be played when they are asked for", effect.ready)
    _print_list(f"{be}gone", [f"{text}: {why}" for text, why in _gone(effect)])
    if effect.held:
        was = "would be" if check else "was" if effect.held == 1 else "were"
        out.print(f"{counted(effect.held, 'order')} given ahead {was} cancelled.", markup=False)


def _print_list(what: str, lines: Sequence[str]) -> None:
    if lines:
        out.print(f"{counted(len(lines), 'order')} {what}:", markup=False)
        for line in lines:
            out.print(f"  {line}", markup=False)


def _gone(effect: Taken) -> Iterator[tuple[str, str]]:
    """Each order that does not fit, and why."""
    from moderator.words.texts import words

    for text, reason, detail in zip(*(effect.gone[key] for key in ("gone", "reasons", "details")), strict=True):
        yield text, words("en").word(f"gone.{reason}") + (f" ({detail})" if detail else "")


def _print_asked(effect: Taken) -> None:
    from moderator.words.wording import asked_of

    for player in effect.game.state.players:
        for what in asked_of(effect.game, player):
            out.print(f"  {player}: {what}", markup=False)


def redo(context: typer.Context, name: GameName, reason: Reason = "") -> None:
    """Take the latest undo back, while nobody has answered since.

    The orders that it took back count again, and orders given ahead that it cancelled wait again.
    """
    from moderator.service.play.again.redo import redo as take

    with mastering(context, name, reason) as desk:
        count, now = take(desk, name, one_line(reason))
    out.print(
        f"{counted(count, 'order')} {'counts' if count == 1 else 'count'} again; {name} is at order {now}", markup=False
    )
