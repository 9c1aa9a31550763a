"""The command ``railpost``."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moderator.entrypoints.app import App, Later
from moderator.entrypoints.output import Status, err, fail, out

if TYPE_CHECKING:
    from moderator.settings import Settings

app = App(
    Later("run", "processes.service:run",
          "Conduct all games until Ctrl-C or SIGTERM: take in mail, decide it, send answers, and watch deadlines."),
    Later("health", "health_commands:health",
          "Check that all is well: the mailbox, outgoing mail, the database, what waits, the clock, the disk."),
    Later("breaker", "seats:breaker", "Show which breakers against mail loops are open, or close them."),
    Later("alarm", "alarm:alarm",
          "Tell the operator that a unit has failed: by mail, which the service sends, and through `alarm_command`."),
    Later("backup", "copies:backup_command",
          "Copy everything as of one moment into FILE, while the service runs; then replay all games in the copy."),
    Later("restore", "copies:restore_command", "Replace the database with a copy."),
    Later("upgrade", "database_access:upgrade", "Bring the tables of the database up to date with this program."),
    Later("check", "trial:check", "Try orders against a position without changing anything."),
    Later("play", "board.play:play",
          "Play on a board in the terminal: a new game, or one continued from a record."),
    Later("demo", "demo:demo", "Conduct a whole game by mail: each player is a robot with a mailbox of its own."),
    Later("game", "game.commands:app",
          "Begin games, look at them, pause and end them, take orders back, export their records."),
    Later("tournament", "tournaments:app", "Several games to which persons are dealt, and one table of results."),
    Later("record", "records.commands:app", "Verify, import and show game records: our own and those of 18xx.games."),
    Later("archive", "archive.commands:app",
          "Build a web site of games that needs no server: each game order by order, with map and chart."),
    Later("desk", "desk:app", "A page on which a player tries his turn with the real rules in his browser."),
    Later("paper", "records.paper:app",
          "Print games as PDF: a turn sheet for a player by letter, a whole game as a booklet."),
    Later("title", "titles:app", "The games that can be played, and their rules in brief."),
    Later("mail", "mails:app", "Mails that came in: their outcome, their answers, another try."),
    Later("seat", "identities:app", "Seats: who was heard from, is away, cannot be reached or is silent."),
    Later("person", "persons:app", "The people of all games: how they answer, and how they have played."),
    Later("outbox", "outbox:app", "Mails that go out: waiting, sent, failed, kept back."),
    Later("clock", "health_commands:clock", "The machine's clock, when it has jumped."),
    pretty_exceptions_enable=False,
    epilog="Exit statuses: 0 done; 1 the answer is no (refused, not equal, not there); 2 the command line, a setting or"
    " a file cannot be used; 3 something failed on the way.",
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        import engine

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
    from moderator.adapters import logs

    logs.set_up_last_resort()
    context.obj = _settings(config, data)


def _settings(config: Path | None, data: Path | None) -> Settings:
    from moderator.settings_file import BadConfiguration, load_for_command

    try:
        return load_for_command(config, data)
    except BadConfiguration as error:
        fail(str(error))


_GARBAGE = 50_000, 20, 10
"""Thresholds of Python's search for garbage. A command makes most of its objects while it starts, and keeps them: to
look through them again and again takes a twentieth of the time."""


def main() -> None:
    """Entry point. An unforeseen error ends with status 3, or with a traceback if RAILPOST_DEBUG is set."""
    gc.set_threshold(*_GARBAGE)
    atexit.register(gc.freeze)  # nor at the end, when all goes anyway
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
        from sqlalchemy.exc import DBAPIError

        if isinstance(error, DBAPIError):  # leave out what SQLAlchemy adds, which helps no reader
            said = f"the database cannot be used: {error.orig}"
        err.print(f"railpost: {said}", markup=False)
        sys.exit(Status.FAILED)


if __name__ == "__main__":
    main()
