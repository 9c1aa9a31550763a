"""``railpost health``: checks the service and says what to do. ``railpost clock``: accepts a clock that has jumped."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from moderator.entrypoints.app import App
from moderator.entrypoints.database_access import desk_of
from moderator.entrypoints.output import Status, fail, out

clock = App()


def health(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Check that all is well: the mailbox, outgoing mail, the database, what waits, the clock, the disk.

    Each line is `green`, `look` (when there is time) or `red` (now), and says what to do. Ends with 1 if one is red.
    """
    from moderator.entrypoints.processes.health import look, words_of
    from moderator.service.operation.health import red

    found = look(context.obj)
    if as_json:
        lines = [{"name": one.key, "state": one.state, "text": words_of(one), **one.facts} for one in found]
        state = "red" if red(found) else "look" if any(one.state == "look" for one in found) else "green"
        out.print(json.dumps({"state": state, "findings": lines}, ensure_ascii=False), markup=False)
    else:
        for one in found:
            out.print(f"{one.state:5}  {words_of(one)}", markup=False)
    raise typer.Exit(Status.NO if red(found) else Status.OK)


@clock.command("accept")
def accept(context: typer.Context) -> None:
    """Declare that the clock is right after it has jumped: deadlines go on, and those that the jump hit are moved."""
    from moderator.service.operation.supervision import accept_clock

    by = accept_clock(desk_of(context))
    if by is None:
        fail("the clock had not jumped", Status.NO)
    out.print(
        f"accepted, with {by.total_seconds():+.0f} seconds in all; deadlines go on with the service's next sweep",
        markup=False,
    )
