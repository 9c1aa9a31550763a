"""``railpost mail waiting``: what lies in the mailbox, looked at before anything is taken from it."""

from __future__ import annotations

import typer

from moderator.adapters.imap import ImapIntake
from moderator.domain.ports import Away
from moderator.entrypoints.assembly import mailbox_of
from moderator.entrypoints.games import desk_of
from moderator.entrypoints.output import Status, fail, out


def waiting(context: typer.Context) -> None:
    """Count the mails in the mailbox, and those that the service would take. Nothing is taken or changed."""
    desk = desk_of(context)
    intake = mailbox_of(desk)
    if not isinstance(intake, ImapIntake):
        number = sum(1 for _ in intake.waiting(1))
        out.print(f"{intake.name}: {number} mails, of which all would be taken", markup=False)
        return
    try:
        lying = intake.count()
    except Away as reason:
        fail(f"the mailbox cannot be read: {reason}", Status.FAILED)
    finally:
        intake.close()
    since = desk.settings.mail_since
    out.print(
        f"{intake.name}: {lying.messages} mails, of which {lying.wanted} would be taken (mail_since = {since})",
        markup=False,
    )
