"""``railpost mail waiting``: counts the mails in the mailbox before any is taken from it."""

from __future__ import annotations

import typer

from moderator.domain.counts import counted
from moderator.entrypoints.database_access import desk_of
from moderator.entrypoints.output import Status, fail, out


def waiting(context: typer.Context) -> None:
    """Count the mails in the mailbox, and those that the service would take. Takes and changes nothing."""
    from moderator.domain.ports import Away
    from moderator.entrypoints.processes.assembly import mailbox_of

    desk = desk_of(context, new=True)
    intake = mailbox_of(desk)
    try:
        lying = intake.count()
    except Away as reason:
        fail(f"the mailbox cannot be read: {reason}", Status.FAILED)
    finally:
        intake.close()
    since = f"; {lying.wanted} would be taken (mail_since = {desk.settings.mail_since})"
    told = since if desk.settings.imap_host else " would be taken"
    out.print(f"{intake.name}: {counted(lying.messages, 'mail')}{told}", markup=False)
