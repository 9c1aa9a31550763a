"""``railpost game mbox``: the mails of a game in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moderator.adapters.files import make_private
from moderator.domain.counts import counted
from moderator.entrypoints.completion import GameName
from moderator.entrypoints.database_access import desk_to_read
from moderator.entrypoints.output import Status, complaints, data, err, fail


def mbox(
    context: typer.Context,
    name: GameName,
    seat: Annotated[
        str, typer.Option("--seat", help="Only what was written to and by the present player of this seat.")
    ] = "",
    raw: Annotated[bool, typer.Option("--raw", help="As they were received and sent, with secret addresses.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output by default.")] = None,
) -> None:
    """Write all mails of a game as an mbox file (RFC 4155), which mail programs open.

    Secret addresses are left out. Names that were taken out stay out, unless the seat is that player's. Some mails are
    only counted: those whose text was deleted, those that may reveal a sealed order, and those of a player whose name
    was taken out. The mails of an anonymous game that is not over are written for one seat, or with `--raw`.
    """
    from moderator.service.operation.mbox import mbox_of

    desk = desk_to_read(context)
    with complaints():
        found = mbox_of(desk, name, seat, raw=raw)
    if found is None:
        fail(f"there is no {f'seat {seat!r} in ' if seat else 'game '}{name}", Status.NO)
    with complaints():
        if output is None:
            data(found.content)
        else:
            if not output.exists():
                make_private(output)
            output.write_bytes(found.content)
    left = [f"the text of {found.emptied} was deleted"] if found.emptied else []
    left += [f"{found.sealed} are sealed"] if found.sealed else []
    left += [f"{found.taken} are of players whose names were taken out"] if found.taken else []
    err.print(counted(found.mails, "mail") + (f"; {' and '.join(left)}" if left else ""))
