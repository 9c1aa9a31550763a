"""``railpost alarm``: tells the operator that something beside the service has failed, such as the nightly backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from moderator.entrypoints.database_access import desk_of
from moderator.entrypoints.output import Status, fail, out

if TYPE_CHECKING:
    from moderator.adapters.hook import CommandHook
    from moderator.service.desk import Desk
    from moderator.settings import Settings


def alarm(
    context: typer.Context,
    unit: Annotated[
        str, typer.Argument(metavar="UNIT", help="The unit of systemd that has failed.", show_default=False)
    ],
) -> None:
    """Tell the operator that a unit has failed: by mail, which the service sends, and through `alarm_command`.

    For `OnFailure=`, as in deploy/railpost-backup.service. If the database cannot be used, `alarm_command` alone tells
    it. Ends with 3 if there is no way to tell the operator.
    """
    from moderator.service.operation.alarms import Alarms

    settings: Settings = context.obj
    hook = _hook(settings)
    if hook is None and not settings.operator:
        fail("neither `operator` nor `alarm_command` is set: nobody can be told", Status.FAILED)
    desk = _desk(context)
    if desk is None:
        _past_the_database(hook, unit)
    else:
        alarms = Alarms(desk, hook)
        alarms.tell("unit", f"{unit} {desk.clock.now():%Y-%m-%d %H:%M}", unit=unit)
        alarms.pass_on()
    out.print(f"the operator is told that {unit} has failed", markup=False)


def _hook(settings: Settings) -> CommandHook | None:
    from moderator.adapters.hook import CommandHook

    return CommandHook(settings.alarm_command, settings.alarm_seconds) if settings.alarm_command else None


def _desk(context: typer.Context) -> Desk | None:
    """The desk; None if the database is away, missing or of another version, which standard error says."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return desk_of(context)
    except (typer.Exit, SQLAlchemyError):
        return None


def _past_the_database(hook: CommandHook | None, unit: str) -> None:
    from moderator import render

    if hook is None:
        fail("the database cannot be used, and no `alarm_command` is set: nobody can be told", Status.FAILED)
    failed = hook(render.operator_words("unit", {"unit": unit}) + "\n")
    if failed:
        fail(f"alarm_command: {failed}", Status.FAILED)
