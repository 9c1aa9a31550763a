"""``railpost mail``: what came, what became of it, and what was answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Annotated

import typer
from rich.table import Table
from sqlmodel import col, select

from moderator.adapters.tables import EntryRow, HeldRow, MailRow, OutboxRow
from moderator.entrypoints.games import desk_of
from moderator.entrypoints.output import Status, fail, out, wide
from moderator.service.desk import Desk
from moderator.service.operation.release import CannotBe
from moderator.service.operation.release import drop as drop_mail
from moderator.service.operation.release import release as release_mail
from moderator.service.operation.release import retry as retry_mail

app = typer.Typer(no_args_is_help=True, help="Mails that came in: their outcome, their answers, another try.")

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The mail's number.", show_default=False)]


@app.command("list")
def list_mails(
    context: typer.Context,
    outcome: Annotated[str | None, typer.Option(help="Only mails with this outcome, such as error.")] = None,
    game: Annotated[str | None, typer.Option(help="Only mails for this game.")] = None,
    since: Annotated[str | None, typer.Option(help="Received on this day or later, as 2026-03-01.")] = None,
    last: Annotated[int, typer.Option(min=1, help="How many, the latest ones.")] = 30,
) -> None:
    """The latest mails with their outcomes. `--outcome waiting` lists those that are not decided."""
    desk = desk_of(context)
    wanted = select(MailRow).order_by(col(MailRow.id).desc()).limit(last)
    if outcome is not None:
        wanted = wanted.where(MailRow.outcome == (None if outcome == "waiting" else outcome))
    if since is not None:
        wanted = wanted.where(MailRow.received_at >= since_when(since))
    if game is not None:
        wanted = wanted.where(MailRow.game == game)
    table = Table("mail", "received", "game", "player", "outcome", "detail", box=None, pad_edge=False)
    with desk.database.reading() as session:
        for row in reversed(session.exec(wanted).all()):
            when = row.received_at.strftime("%Y-%m-%d %H:%M:%S")
            table.add_row(str(row.id), when, row.game or "", row.player or "", row.outcome or "waiting", row.detail)
    wide.print(table)


@app.command("show")
def show(
    context: typer.Context,
    number: Number,
    raw: Annotated[bool, typer.Option("--raw", help="The message itself, as it came.")] = False,
) -> None:
    """A mail: its outcome, the orders that came of it, the message, and what was answered."""
    desk = desk_of(context)
    with desk.database.reading() as session:
        row = session.get(MailRow, number)
        if row is None:
            fail(f"there is no mail {number}", Status.NO)
        text = row.content.decode("utf-8", "replace")
        if raw:
            out.print(text, markup=False, end="")
            return
        out.print(f"mail {row.id}, {row.size} bytes, received {row.received_at:%Y-%m-%d %H:%M:%S} UTC", markup=False)
        out.print(f"outcome: {row.outcome or 'waiting'} {row.detail}".rstrip(), markup=False)
        out.print(f"from {row.sender or 'nobody'}: {row.verdict or 'not looked at'}", markup=False)
        if row.game:
            out.print(f"game {row.game}, {row.player}", markup=False)
        for entry in session.exec(select(EntryRow).where(EntryRow.mail == row.id).order_by(col(EntryRow.id))).all():
            ahead = "" if entry.origin == "mail" else ", given ahead and set off by this mail"
            out.print(f"order {entry.orders} of {entry.game}{ahead}: {entry.text}", markup=False)
        for held in session.exec(select(HeldRow).where(HeldRow.mail == row.id).order_by(col(HeldRow.id))).all():
            out.print(f"given ahead ({held.status}): {'; '.join(held.text.split(chr(10)))}", markup=False)
        out.print(f"\n{text}", markup=False)
        for answer in session.exec(select(OutboxRow).where(OutboxRow.answers == row.id)).all():
            out.print(f"---- answered to {answer.recipient} ({answer.state}): {answer.subject}\n", markup=False)
            out.print(answer.text, markup=False)


@app.command("retry")
def retry(context: typer.Context, number: Number) -> None:
    """Let a mail that ended in `error` be tried again by the service."""
    _do(context, retry_mail, number, "will be tried again")


@app.command("release")
def release(context: typer.Context, number: Number) -> None:
    """Let a mail be read that was taken for a program's or for spam: a person wrote it."""
    _do(context, release_mail, number, "will be read as a person's")


@app.command("drop")
def drop(context: typer.Context, number: Number) -> None:
    """Give up a mail that ended in `error`: it stays stored, and health does not speak of it any more."""
    _do(context, drop_mail, number, "is given up")


def _do(context: typer.Context, what: Callable[[Desk, int], None], number: int, said: str) -> None:
    try:
        what(desk_of(context), number)
    except CannotBe as error:
        fail(str(error), Status.NO)
    out.print(f"mail {number} {said}", markup=False)


def since_when(day: str) -> datetime:
    """The beginning of a day, in UTC."""
    try:
        return datetime.combine(date.fromisoformat(day), time(), UTC)
    except ValueError:
        fail(f"{day!r} is no day, such as 2026-03-01")
