"""``railpost run``: the service from the command line, with its log and its last word."""

from __future__ import annotations

import logging
from contextlib import suppress

import typer
from sqlalchemy.exc import SQLAlchemyError

from moderator.adapters import logs
from moderator.entrypoints.database_access import desk_upgraded
from moderator.entrypoints.output import Status, fail
from moderator.entrypoints.processes.assembly import Worker, mailbox_of, outlet_of
from moderator.entrypoints.processes.run import serve
from moderator.service.operation.restoration import note_stop
from moderator.service.people.journal import catch_up
from moderator.settings import Settings


def run(context: typer.Context) -> None:
    """Conduct all games until Ctrl-C or SIGTERM: take in mail, decide it, send answers, and watch deadlines."""
    settings: Settings = context.obj
    logs.set_up(settings.log_format)
    desk = desk_upgraded(context)
    log = logging.getLogger("railpost")
    try:
        work = Worker(desk, mailbox_of(desk), outlet_of(desk.settings), log.error)
    except OSError as error:
        fail(str(error), Status.FAILED)
    try:
        catch_up(desk)
    except (OSError, SQLAlchemyError) as error:  # games go on, and the next start tries again
        log.error("the journal of seats cannot be brought up to date: %s", type(error).__name__)
    serve(work, desk.settings)
    with suppress(SQLAlchemyError):  # if this fails, `railpost restore` only waits longer
        note_stop(desk)
