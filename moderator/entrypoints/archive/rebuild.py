"""``railpost archive rebuild``: rebuilds a game from its journal."""

from __future__ import annotations

from typing import Annotated

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.lookup import no_game
from moderator.entrypoints.output import Status, complaints, out


def rebuild_command(
    context: typer.Context, name: Annotated[str, typer.Argument(metavar="GAME", help="A game of the service.")]
) -> None:
    """Rebuild a game from its journal, and compare it with what is stored.

    The journal holds the orders that decided mails brought, the acts of deadlines and game masters, and changes of
    rules. No snapshot and no text of a mail is used. Ends with 1 at the first entry that differs.
    """
    from moderator.service.play.journal.rebuild import rebuild

    desk = desk_to_read(context)
    with complaints():
        found = rebuild(desk, name)
    if found is None:
        no_game(desk, name)
    if found.differs:
        out.print(f"{name}: NO: {found.differs}", markup=False)
        raise typer.Exit(Status.NO)
    gone = f", the text of {found.emptied} was deleted" if found.emptied else ""
    orders, mails = counted(found.orders, "order"), counted(found.mails, "mail")
    out.print(
        f"{name}: equal: {counted(found.entries, 'entry', 'entries')}, {orders} that stand, {mails}{gone}", markup=False
    )
