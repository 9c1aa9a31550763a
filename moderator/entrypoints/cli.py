"""The command ``railpost``."""

from __future__ import annotations

import io
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

import engine
from moderator.adapters import logs
from moderator.entrypoints import (
    archive,
    copies,
    game_mbox,
    games,
    health,
    identities,
    mails,
    outbox,
    paper,
    rebuild,
    record_export,
    record_views,
    records,
    seats,
    titles,
)
from moderator.entrypoints.app import App
from moderator.entrypoints.demo import demo
from moderator.entrypoints.games import desk_of
from moderator.entrypoints.mailbox import waiting
from moderator.entrypoints.output import Status, err, fail, out
from moderator.entrypoints.trial import check, play
from moderator.service.operation.restore import note_stop
from moderator.service.people.journal import catch_up
from moderator.settings import BadConfiguration, Settings, load_for_command

app = App(
    pretty_exceptions_enable=False,
    epilog="Exit statuses: 0 done; 1 the answer is no (refused, not equal, not there); 2 the command line, a setting or"
    " a file cannot be used; 3 something failed on the way.",
)
games.app.command("mbox")(game_mbox.mbox)
app.add_typer(games.app, name="game")
app.add_typer(records.app, name="record")
records.app.command("show")(record_views.show)
records.app.command("results")(record_views.results)
records.app.command("export")(record_export.export)
archive.app.command("rebuild")(rebuild.rebuild_command)
app.add_typer(archive.app, name="archive")
app.add_typer(paper.app, name="paper")
app.add_typer(titles.app, name="title")
app.add_typer(mails.app, name="mail")
app.add_typer(identities.app, name="seat")
app.command("breaker")(seats.breaker)
mails.app.command("waiting")(waiting)
app.add_typer(outbox.app, name="outbox")
app.add_typer(health.clock, name="clock")
app.command("health")(health.health)
app.command("backup")(copies.backup_command)
app.command("restore")(copies.restore_command)
app.command("check")(check)
app.command("play")(play)
app.command("demo")(demo)


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"railpost {engine.__version__}")
        raise typer.Exit


@app.callback()
def railpost(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option(help="A TOML file with settings.", envvar="RAILPOST_CONFIG", show_default=False)
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the database and the mail are; `var` in this folder by default."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Railpost moderates 18xx railway games by mail.

    Try `railpost demo` for a whole game between robots, or begin one with `railpost game new` and conduct it with
    `railpost run`.
    """
    logs.set_up_last_resort()
    context.obj = _settings(config, data)


def _settings(config: Path | None, data: Path | None) -> Settings:
    try:
        return load_for_command(config, data)
    except BadConfiguration as error:
        fail(str(error))


@app.command()
def run(context: typer.Context) -> None:
    """Conduct all games until Ctrl-C or SIGTERM: take in mail, decide it, send answers, and watch deadlines."""
    from moderator.entrypoints.assembly import Worker, mailbox_of, outlet_of
    from moderator.entrypoints.run import serve

    settings: Settings = context.obj
    logs.set_up(settings.log_format)
    desk = desk_of(context)
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


def main() -> None:
    """Entry point. An unforeseen error ends with status 3, or with a traceback if RAILPOST_DEBUG is set."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # text that the terminal cannot encode ends no command
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Status.FAILED)
    except Exception as error:
        if os.environ.get("RAILPOST_DEBUG"):
            raise
        said = f"{type(error).__name__}: {error}"
        if isinstance(error, DBAPIError):  # leave out what SQLAlchemy adds, which helps no reader
            said = f"the database cannot be used: {error.orig}"
        err.print(f"railpost: {said}", markup=False)
        sys.exit(Status.FAILED)


if __name__ == "__main__":
    main()
