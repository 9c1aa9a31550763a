"""``railpost mail``: incoming mails, their outcomes and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

from moderator.domain.escape import in_line
from moderator.domain.outcome import Outcome
from moderator.entrypoints.app import App, Later
from moderator.entrypoints.completion import one_of
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.lookup import no_game, short
from moderator.entrypoints.output import AsJson, Status, Table, data, fail, out

if TYPE_CHECKING:
    from moderator.domain.list_rows import Claimed, FullMail
    from moderator.service.desk import Desk

_OUTCOMES: tuple[str, ...] = get_args(Outcome)

app = App(Later("waiting", "mailbox:waiting", "Count the mails in the mailbox, and those that the service would take."))

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The mail's number.", show_default=False)]


@app.command("list")
def list_mails(
    context: typer.Context,
    outcome: Annotated[
        str | None,
        typer.Option(help="Only mails with this outcome, such as error.", autocompletion=one_of("waiting", *_OUTCOMES)),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Only mails for this game.")] = None,
    sender: Annotated[
        str | None, typer.Option("--from", help="Only mails that say they are from this address, or part of one.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Received on this day or later, as 2026-03-01.")] = None,
    last: Annotated[int, typer.Option(min=1, help="How many, the latest ones.")] = 30,
    as_json: AsJson = False,
) -> None:
    """List the latest mails with their outcomes. `--outcome waiting` lists those that are not decided. Times are UTC.

    A mail whose game is not known is listed without a game: look for it by its sender.
    """
    from moderator.service.listing import mails
    from moderator.service.listing.games import has_game
    from moderator.service.operation.secret_words import hiding

    if outcome is not None and outcome not in (*_OUTCOMES, "waiting"):
        fail(f"no mail can have the outcome {outcome!r}; there are: waiting, {', '.join(_OUTCOMES)}")
    desk = desk_to_read(context)
    wanted = mails.MailsWanted(last, outcome, game, sender, None if since is None else since_when(since))
    table = Table("mail", "received", "from", "game", "player", "outcome", "detail")
    with desk.database.reading() as session:
        if game is not None and not has_game(session, game):
            no_game(desk, game)
        hide = hiding(session)
        for mail in mails.list_mails(session, wanted):
            when = mail.received_at.strftime("%Y-%m-%d %H:%M:%S")
            table.add_row(
                str(mail.number), when, hide(mail.sender or mail.envelope_from), mail.game or "", mail.player or "",
                mail.outcome or "waiting", hide(mail.detail),
            )  # fmt: skip
    table.print(as_json)


@app.command("show")
def show(
    context: typer.Context,
    number: Number,
    raw: Annotated[bool, typer.Option("--raw", help="The message as it came, with its secret address.")] = False,
) -> None:
    """Show a mail: its outcome, the orders that came of it, the message, and the answers.

    Secret addresses are left out, so that the mail can be shown to players. `--raw` shows them.
    """
    from moderator.service.listing import mails
    from moderator.service.operation.sealed_texts import games_of, is_sealed_up
    from moderator.service.operation.secret_words import hiding
    from moderator.service.people.identity import identify
    from moderator.service.reading.readable import readable

    desk = desk_to_read(context)
    with desk.database.reading() as session:
        found = mails.mail_of(session, number)
        if found is None:
            fail(f"there is no mail {number}", Status.NO)
        known = found.mail.game or found.about
        sender = found.mail.sender or identify(found.content, desk.settings).sender
        meant = (known,) if known else games_of(session, sender)
        sealed = any(is_sealed_up(session, desk.games, game, found.mail.received_at) for game in meant)
        hide = hiding(session)
        message = readable(found.content) if found.emptied_at is None and not (sealed or raw) else ""
        claims = mails.claims_of(session, message)
    if raw:
        if sealed:
            fail(_SEALED, Status.NO)
        if found.emptied_at is not None:
            fail(_gone(found), Status.NO)
        data(found.content)
        return
    for line in _head(found, claims):
        out.print(in_line(hide(line)))
    if sealed:
        out.print(f"\n{_SEALED}")
        return
    out.print(f"\n{hide(message) if found.emptied_at is None else _gone(found)}")
    for answer in found.answers:
        sent = f"{answer.state} {answer.sent_at:%Y-%m-%d %H:%M:%S} UTC" if answer.sent_at else answer.state
        out.print(in_line(hide(f"---- answered to {answer.recipient} ({sent}): {answer.subject}")) + "\n")
        out.print(hide(answer.text) if answer.emptied_at is None else f"[deleted on {answer.emptied_at:%Y-%m-%d}]")


_SEALED: Final = "what this mail says is shown when the sealed orders of its game are opened"


def _gone(found: FullMail) -> str:
    """The text that is shown in place of a message that is no longer kept."""
    day = f"{found.emptied_at:%Y-%m-%d}"
    return (
        f"the text of mail {found.mail.number} was deleted on {day} (docs/operating.md); its SHA-256 was {found.digest}"
    )


def _head(found: FullMail, claims: Iterable[Claimed]) -> Iterator[str]:
    """Lines with the facts about the mail and its outcome."""
    mail = found.mail
    decided = f", decided {found.decided_at:%Y-%m-%d %H:%M:%S}" if found.decided_at else ""
    yield f"mail {mail.number}, {found.size} bytes, received {mail.received_at:%Y-%m-%d %H:%M:%S}{decided} UTC"
    yield f"outcome: {mail.outcome or 'waiting'} {mail.detail}".rstrip()
    yield f"from {mail.sender or 'nobody'}: {found.verdict or 'not looked at'}"
    if mail.game:
        yield f"game {mail.game}, {mail.player}"
    for claim in claims:
        due = f", due {short(claim.due_at)} UTC" if claim.due_at is not None else ""
        made = f"of {short(claim.created_at)} UTC"
        yield f"to {claim.player}'s address for decision {claim.at} of {claim.game}, {made}{due}"
    for asked in found.questions:
        by = f" by mail {asked.by}" if asked.by is not None else ""
        yield f"its player was asked whether it is his, {short(asked.created_at)} UTC: {asked.state}{by}"
    for order in found.orders:
        ahead = "" if order.origin == "mail" else ", given ahead and set off by this mail"
        yield f"order {order.orders} of {order.game}{ahead}: {order.text}"
    for held in found.ahead:
        yield f"given ahead ({held.status}): {'; '.join(held.text.splitlines())}"
    for seal in found.sealed:
        yield f"sealed ({seal.status}): {seal.text}"


@app.command("retry")
def retry(context: typer.Context, number: Number) -> None:
    """Let the service retry a mail that ended in `error`."""
    from moderator.service.operation.releases import retry as retry_mail

    _do(context, retry_mail, number, "will be tried again")


@app.command("release")
def release(context: typer.Context, number: Number) -> None:
    """Treat a mail as a person's that was taken for a program's or for spam."""
    from moderator.service.operation.releases import release as release_mail

    _do(context, release_mail, number, "will be read as a person's")


@app.command("drop")
def drop(context: typer.Context, number: Number) -> None:
    """Give up a mail that ended in `error`. It stays stored, and `railpost health` no longer reports it."""
    from moderator.service.operation.releases import drop as drop_mail

    _do(context, drop_mail, number, "is given up")


def _do(context: typer.Context, what: Callable[[Desk, int], None], number: int, said: str) -> None:
    from moderator.service.operation.releases import CannotBe

    try:
        what(desk_of(context), number)
    except CannotBe as error:
        fail(str(error), Status.NO)
    out.print(f"mail {number} {said}")


def since_when(day: str) -> datetime:
    """The beginning of a day in UTC. Ends the command if ``day`` is not a date."""
    try:
        return datetime.combine(date.fromisoformat(day), time(), UTC)
    except ValueError:
        fail(f"{day!r} is not a day; write one as 2026-03-01")
