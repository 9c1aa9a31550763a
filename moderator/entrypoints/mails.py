"""``railpost mail``: what came, what became of it, and what was answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from typing import Annotated, Final, get_args

import typer
from sqlmodel import Session, col, func, or_, select

from moderator.adapters.tables import (
    DeadlineRow,
    EntryRow,
    GameRow,
    HeldRow,
    MailRow,
    OutboxRow,
    PendingRow,
    SealedRow,
    SeatRow,
    SeatToken,
)  # fmt: skip
from moderator.domain.shown import in_line
from moderator.domain.transcript import Outcome
from moderator.entrypoints.app import App
from moderator.entrypoints.games import desk_of
from moderator.entrypoints.lookup import no_game, short
from moderator.entrypoints.output import Status, Table, data, fail, out, wide
from moderator.service.desk import Desk
from moderator.service.operation.release import CannotBe
from moderator.service.operation.release import drop as drop_mail
from moderator.service.operation.release import release as release_mail
from moderator.service.operation.release import retry as retry_mail
from moderator.service.operation.sealed_texts import is_sealed_up
from moderator.service.operation.secret_words import hiding
from moderator.service.reading.readable import readable

_OUTCOMES: tuple[str, ...] = get_args(Outcome)
_SECRET = re.compile(r"\+[0-9a-z]+-\d+\.\d+\.([a-z2-7]+)@", re.IGNORECASE)
_HEAD = 400_000
"""Characters of a message in which its secret addresses are looked for."""

app = App(help="Mails that came in: their outcome, their answers, another try.")

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The mail's number.", show_default=False)]


@app.command("list")
def list_mails(
    context: typer.Context,
    outcome: Annotated[str | None, typer.Option(help="Only mails with this outcome, such as error.")] = None,
    game: Annotated[str | None, typer.Option(help="Only mails for this game.")] = None,
    sender: Annotated[
        str | None, typer.Option("--from", help="Only mails that say they are from this address, or part of one.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Received on this day or later, as 2026-03-01.")] = None,
    last: Annotated[int, typer.Option(min=1, help="How many, the latest ones.")] = 30,
) -> None:
    """The latest mails with their outcomes. `--outcome waiting` lists those that are not decided. Times are UTC.

    A mail of which nobody can say for which game it is has none: look for it by its sender.
    """
    if outcome is not None and outcome not in (*_OUTCOMES, "waiting"):
        fail(f"no mail can have the outcome {outcome!r}; there are: waiting, {', '.join(_OUTCOMES)}")
    desk = desk_of(context)
    wanted = select(MailRow).order_by(col(MailRow.id).desc()).limit(last)
    if outcome is not None:
        wanted = wanted.where(MailRow.outcome == (None if outcome == "waiting" else outcome))
    if since is not None:
        wanted = wanted.where(MailRow.received_at >= since_when(since))
    if game is not None:
        wanted = wanted.where(MailRow.game == game)
    if sender is not None:
        part = sender.lower()
        said = (func.lower(col(MailRow.sender)), func.lower(func.coalesce(col(MailRow.envelope_from), "")))
        wanted = wanted.where(or_(*(one.contains(part, autoescape=True) for one in said)))
    table = Table("mail", "received", "from", "game", "player", "outcome", "detail")
    with desk.database.reading() as session:
        if game is not None and session.get(GameRow, game) is None:
            no_game(desk, game)
        hide = hiding(session)
        for row in reversed(session.exec(wanted).all()):
            when = row.received_at.strftime("%Y-%m-%d %H:%M:%S")
            table.add_row(
                str(row.id), when, hide(row.sender or row.envelope_from or ""), row.game or "", row.player or "",
                row.outcome or "waiting", hide(row.detail),
            )  # fmt: skip
    wide.print(table)


@app.command("show")
def show(
    context: typer.Context,
    number: Number,
    raw: Annotated[bool, typer.Option("--raw", help="The message as it came, with its secret address.")] = False,
) -> None:
    """A mail: its outcome, the orders that came of it, the message, and what was answered.

    Secret addresses are left out, so that it can be shown to players. `--raw` has them.
    """
    desk = desk_of(context)
    with desk.database.reading() as session:
        row = session.get(MailRow, number)
        if row is None:
            fail(f"there is no mail {number}", Status.NO)
        if is_sealed_up(session, desk.games, row.game or row.about, row.received_at):
            if raw:
                fail(_SEALED, Status.NO)
            _show_sealed(session, row)
            return
        if raw:
            if row.emptied_at is not None:
                fail(_gone(row), Status.NO)
            data(row.content)
            return
        message = readable(row.content) if row.emptied_at is None else ""
        hide = hiding(session)
        for line in _head(session, row, message):
            out.print(in_line(hide(line)))
        out.print(f"\n{hide(message) if row.emptied_at is None else _gone(row)}")
        for answer in session.exec(select(OutboxRow).where(OutboxRow.answers == row.id)).all():
            sent = f"{answer.state} {answer.sent_at:%Y-%m-%d %H:%M:%S} UTC" if answer.sent_at else answer.state
            out.print(in_line(hide(f"---- answered to {answer.recipient} ({sent}): {answer.subject}")) + "\n")
            out.print(hide(answer.text) if answer.emptied_at is None else f"[it went on {answer.emptied_at:%Y-%m-%d}]")


_SEALED: Final = "what this mail says is shown when the sealed orders of its game are opened"


def _show_sealed(session: Session, row: MailRow) -> None:
    """The head of a mail that may hold a sealed order, and nothing that its writer wrote."""
    hide = hiding(session)
    for line in _head(session, row, ""):
        out.print(in_line(hide(line)))
    out.print(f"\n{_SEALED}")


def _gone(row: MailRow) -> str:
    """Instead of a message that is not kept any more."""
    return (
        f"what mail {row.id} said went on {row.emptied_at:%Y-%m-%d} (docs/operating.md); its SHA-256 was {row.digest}"
    )


def _head(session: Session, row: MailRow, message: str) -> Iterator[str]:
    """The facts about the mail, and its outcome."""
    decided = f", decided {row.decided_at:%Y-%m-%d %H:%M:%S}" if row.decided_at else ""
    yield f"mail {row.id}, {row.size} bytes, received {row.received_at:%Y-%m-%d %H:%M:%S}{decided} UTC"
    yield f"outcome: {row.outcome or 'waiting'} {row.detail}".rstrip()
    yield f"from {row.sender or 'nobody'}: {row.verdict or 'not looked at'}"
    if row.game:
        yield f"game {row.game}, {row.player}"
    yield from _answered(session, row, message)
    yield from _asked(session, row)
    for entry in session.exec(select(EntryRow).where(EntryRow.mail == row.id).order_by(col(EntryRow.id))).all():
        ahead = "" if entry.origin == "mail" else ", given ahead and set off by this mail"
        yield f"order {entry.orders} of {entry.game}{ahead}: {entry.text}"
    for held in session.exec(select(HeldRow).where(HeldRow.mail == row.id).order_by(col(HeldRow.id))).all():
        yield f"given ahead ({held.status}): {'; '.join(held.text.splitlines())}"
    for sealed in session.exec(select(SealedRow).where(SealedRow.mail == row.id).order_by(col(SealedRow.id))).all():
        yield f"sealed ({sealed.status}): {sealed.digest}"


def _asked(session: Session, row: MailRow) -> list[str]:
    """Questions to the address of record about the mail, and its answers."""
    found = []
    for asked in session.exec(select(PendingRow).where(PendingRow.mail == row.id, PendingRow.kind == "orders")).all():
        said = f"its player was asked whether it is his, {short(asked.created_at)} UTC: {asked.state}"
        by = session.exec(
            select(MailRow.id).where(MailRow.game == row.game, MailRow.detail == f"mail {row.id} confirmed")
        ).first()
        found.append(said + (f" by mail {by}" if by is not None else ""))
    return found


def _answered(session: Session, row: MailRow, text: str) -> list[str]:
    """To which decisions the mail was an answer, by the secret addresses in it, and until when they were open."""
    found = []
    words = dict.fromkeys(word.lower() for word in _SECRET.findall(text[:_HEAD]))
    for token in (session.get(SeatToken, word) for word in words):
        if token is None:
            continue
        seat = session.get(SeatRow, token.seat)
        assert seat is not None
        said = f"to {seat.player}'s address for decision {token.at} of {seat.game}, of {short(token.created_at)} UTC"
        due = session.exec(
            select(DeadlineRow)
            .where(DeadlineRow.game == seat.game, DeadlineRow.player == seat.player, DeadlineRow.at <= token.at)
            .order_by(col(DeadlineRow.id).desc())
        ).first()
        found.append(said + (f", due {short(due.due_at)} UTC" if due is not None else ""))
    return found


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
    out.print(f"mail {number} {said}")


def since_when(day: str) -> datetime:
    """The beginning of a day, in UTC."""
    try:
        return datetime.combine(date.fromisoformat(day), time(), UTC)
    except ValueError:
        fail(f"{day!r} is no day, such as 2026-03-01")
