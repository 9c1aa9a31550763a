"""``railpost mail``: what came, what became of it, and what was answered."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from sqlmodel import col, select

from moderator.adapters.tables import EntryRow, HeldRow, MailRow, OutboxRow
from moderator.entrypoints.games import desk_of
from moderator.entrypoints.output import Status, fail, out, wide

app = typer.Typer(no_args_is_help=True, help="Mails that came in: their outcome, their answers, another try.")

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The mail's number.", show_default=False)]


@app.command("list")
def list_mails(
    context: typer.Context,
    outcome: Annotated[str | None, typer.Option(help="Only mails with this outcome, such as error.")] = None,
    game: Annotated[str | None, typer.Option(help="Only mails for this game.")] = None,
    last: Annotated[int, typer.Option(min=1, help="How many, the latest ones.")] = 30,
) -> None:
    """The latest mails with their outcomes."""
    desk = desk_of(context)
    wanted = select(MailRow).order_by(col(MailRow.id).desc()).limit(last)
    if outcome is not None:
        wanted = wanted.where(MailRow.outcome == outcome)
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
    desk = desk_of(context)
    with desk.database.transaction() as session:
        row = session.get(MailRow, number)
        if row is None or row.outcome != "error":
            fail(f"mail {number} did not end in an error", Status.NO)
        row.outcome, row.attempts, row.lease_until, row.decided_at = None, 0, None, None
    out.print(f"mail {number} will be tried again", markup=False)
