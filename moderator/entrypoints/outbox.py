"""``railpost outbox``: outgoing mails, the reasons that hold them, and their release."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from moderator.domain.counts import counted
from moderator.domain.escape import in_line, shown
from moderator.entrypoints.app import App
from moderator.entrypoints.completion import one_of
from moderator.entrypoints.database_access import desk_of, desk_to_read
from moderator.entrypoints.lookup import no_game, short
from moderator.entrypoints.mails import since_when
from moderator.entrypoints.output import AsJson, Status, Table, data, fail, out

_STATES: Final = ("queued", "sent", "failed", "kept")

app = App()

Numbers = Annotated[list[int], typer.Argument(metavar="NUMBER...", help="Numbers in the list.", show_default=False)]


@app.command("list")
def list_outbox(
    context: typer.Context,
    state: Annotated[
        str | None, typer.Option(help="`queued`, `sent`, `failed` or `kept`.", autocompletion=one_of(*_STATES))
    ] = None,
    game: Annotated[str | None, typer.Option(help="Only mails of this game.")] = None,
    since: Annotated[str | None, typer.Option(help="Written on this day or later, as 2026-03-01.")] = None,
    last: Annotated[int, typer.Option(min=1, help="How many, the latest ones.")] = 30,
    as_json: AsJson = False,
) -> None:
    """List the latest outgoing mails with recipient, state and reason. Times are UTC."""
    from moderator.service.listing import outbox
    from moderator.service.listing.games import has_game
    from moderator.service.operation.secret_words import hiding

    if state is not None and state not in _STATES:
        fail(f"no outgoing mail can be {state!r}; there are: {', '.join(_STATES)}")
    desk = desk_to_read(context)
    day = None if since is None else since_when(since)
    columns = ("mail", "written", "kind", "game", "recipient", "state", "tried", "next", "why")
    table = Table(*columns)
    with desk.database.reading() as session:
        if game is not None and not has_game(session, game):
            no_game(desk, game)
        hide = hiding(session)
        for mail in outbox.list_outbox(session, last, state, game, day):
            later = short(mail.next_attempt) if mail.state == "queued" else ""
            table.add_row(
                str(mail.number), short(mail.created_at), mail.kind, mail.game or "", hide(mail.recipient),
                mail.state, str(mail.attempts), later, hide(mail.error),
            )  # fmt: skip
    table.print(as_json)


@app.command("show")
def show(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The mail's number.", show_default=False)],
    raw: Annotated[bool, typer.Option("--raw", help="With secret addresses and digests.")] = False,
) -> None:
    """Show an outgoing mail. Secret addresses are left out; `--raw` shows them."""
    from moderator.service.listing import outbox
    from moderator.service.operation.sealed_texts import is_sealed_up
    from moderator.service.operation.secret_words import hiding

    desk = desk_to_read(context)
    with desk.database.reading() as session:
        mail = outbox.own_mail_of(session, number)
        hide = shown if raw else hiding(session)
        if mail is None:
            fail(f"there is no outgoing mail {number}", Status.NO)
        sealed = is_sealed_up(session, desk.games, mail.game, mail.created_at)
    to = in_line(hide(mail.recipient))
    out.print(f"mail {mail.number} ({mail.kind}) to {to}, written {short(mail.created_at)} UTC")
    sent = f", sent {short(mail.sent_at)} UTC" if mail.sent_at else ""
    out.print(f"{mail.state}{sent}, tried {mail.attempts} times {in_line(hide(mail.error))}".rstrip())
    if mail.answers:
        out.print(f"answers mail {mail.answers}")
    if mail.emptied_at is not None:
        out.print(f"\n{hide(mail.subject)}\n\nits text was deleted on {mail.emptied_at:%Y-%m-%d} (docs/operating.md)")
        return
    if sealed:
        out.print("\nwhat it says is shown when the sealed orders of its game are opened")
        return
    message = f"\n{mail.subject}\n\n{mail.text}\n"
    if raw:
        data(message.encode("utf-8", "replace"))
    else:
        out.print(hide(message), end="")


@app.command("retry")
def retry(context: typer.Context, numbers: Numbers) -> None:
    """Retry mails that have failed permanently."""
    _go(context, numbers)


@app.command("release")
def release(
    context: typer.Context,
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[NUMBER...]", help="Mails that are kept.", show_default=False)
    ] = None,
    also: Annotated[
        bool, typer.Option("--restored", help="Also what was queued when the backup was made; it may be sent twice.")
    ] = False,
) -> None:
    """Send mails that are kept back. Without numbers, after a restore: open the outbox and let deadlines go on."""
    from moderator.service.operation.releases import open_outbox, restored, send_again

    desk = desk_of(context)
    if numbers:
        _go(context, numbers)
        return
    opened = open_outbox(desk)
    waiting = restored(desk)
    if also:
        send_again(desk, waiting)
    if not opened and not (also and waiting):
        fail("the outbox is not kept back; name the mails to send", Status.NO)
    out.print("the outbox is open" if opened else f"{counted(len(waiting), 'mail')} will be sent")
    if waiting and not also:
        out.print(
            f"{counted(len(waiting), 'mail')} queued when the backup was made, and probably sent since: kept"
            " (`railpost outbox list --state kept`; `railpost outbox release --restored` lets them go)"
        )


def _go(context: typer.Context, numbers: list[int]) -> None:
    from moderator.service.operation.releases import CannotBe, send_again

    try:
        count = send_again(desk_of(context), numbers)
    except CannotBe as error:
        fail(str(error), Status.NO)
    out.print(f"{counted(count, 'mail')} will be sent")
