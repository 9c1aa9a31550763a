"""Passes a player's lines to the game master, in a mail of their own. The game master's answer is taken in
``decision.master_answer``.

A line goes out even if the orders beside it are refused: that is when a player needs help. If the corrected mail has
the same line again, it is not sent twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import col, select

from grammar import MASTER, Press
from moderator.adapters.tables import MailRow, PendingRow, PressRow, SeatRow
from moderator.domain.info import Master
from moderator.domain.senders import same_address
from moderator.domain.transcript import Note, Shown
from moderator.service.people.master_lines import KIND, info_for_master, line_address, new_line
from moderator.service.play.press import has_secret
from moderator.service.post.counters import count
from moderator.service.post.outbox import queue, queue_to
from moderator.service.table.game_master import master_of
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table

SENT = "master.sent"
TRIAL = "master.trial"
WITHOUT_PRESS = 30
"""The most lines of one player in a day where players may not write to each other."""
_LATELY = timedelta(days=2)
"""The time in which the same line is not sent again."""
_LONGEST_OFFER = 2_000
"""The number of characters of a message up to which it is offered with all its text."""


def ask_master(table: Table, writer: SeatRow, lines: Sequence[Press], *, trial: bool, mail: MailRow | None) -> Note:
    """Write the ``lines`` of one mail to the game master, all together. Returns the note for their writer. In a
    ``trial`` nothing is written."""
    sitting, text = table.sitting, "\n\n".join(one.text for one in lines)
    master = master_of(table.row, sitting.settings)
    if master is None:
        return "master.nobody", {}
    if same_address(master.address, writer.address):
        return "master.self", {}
    most = sitting.settings.longest_press
    if len(text) > most:
        return "master.long", {"most": most}
    if has_secret(sitting, writer.address, text):
        return "press.secret", {}
    if _asked_before(table, writer, master, text):
        return "master.again", {"master": master}
    most = sitting.settings.press_per_day or WITHOUT_PRESS
    if not trial and count(sitting, f"master:{writer.id}") > most:
        return "master.often", {"master": master, "most": most}
    if trial:
        return TRIAL, {"master": master}
    _write(table, writer, master, text, mail)
    return SENT, {"master": master}


def offer(table: Table, writer: SeatRow, text: str) -> tuple[tuple[Note, ...], tuple[Shown, ...]]:
    """How ``text``, a message that is no order, gets to the game master: a note, and the text to send if it is not too
    long to be shown. Nothing is passed on without its writer's word."""
    master = master_of(table.row, table.sitting.settings)
    if master is None or same_address(master.address, writer.address):
        return (), ()
    whole = len(text) <= _LONGEST_OFFER
    lines = (f"{MASTER}:", *text.strip().split("\n"), f"end {MASTER}")
    shown = (Shown("message", "", "\n".join(lines)),) if whole else ()
    return (("master.offer", {"master": master, "whole": whole}),), shown


def write_from_master(
    table: Table, seat: SeatRow, master: Master, text: str, mail: MailRow | None, question: Sequence[str] = (),
    asked_at: datetime | None = None,
) -> None:  # fmt: skip
    """Write the ``text`` of ``master``, which came in ``mail``, to a player alone. ``question``: his line that it
    answers, of the moment ``asked_at``; empty if it answers none, or if that is not known any more."""
    sitting, info = table.sitting, info_for(table, seat)
    rendered = sitting.words.from_master_mail(info, master, text.split("\n"), question, asked_at or sitting.now())
    queue(sitting, seat, info, KIND, rendered)
    sitting.session.add(
        PressRow(
            game=table.row.id, orders=table.row.orders, player=MASTER, to=[seat.player], text=text,
            mail=mail.id if mail is not None else None, created_at=sitting.now(),
        )
    )  # fmt: skip


def _asked_before(table: Table, writer: SeatRow, master: Master, text: str) -> bool:
    """True if the game master has had the same text from this player lately, in a line that is still open."""
    since = table.sitting.now() - _LATELY
    same = (
        select(PressRow.id)
        .join(PendingRow, col(PendingRow.mail) == col(PressRow.mail))
        .where(
            PressRow.game == table.row.id, PressRow.player == writer.player, PressRow.text == text,
            PendingRow.kind == KIND, PendingRow.seat == writer.id, PendingRow.state == "open",
            PendingRow.address == master.address, PendingRow.created_at > since,
        )
    )  # fmt: skip
    return table.sitting.session.exec(same.limit(1)).first() is not None


def _write(table: Table, writer: SeatRow, master: Master, text: str, mail: MailRow | None) -> None:
    sitting = table.sitting
    line = new_line(sitting, writer, master, mail)
    sitting.session.add(
        PressRow(
            game=table.row.id, orders=table.row.orders, player=writer.player, to=[MASTER], text=text,
            mail=line.mail, created_at=sitting.now(),
        )
    )  # fmt: skip
    info = info_for_master(table, writer, line_address(sitting.desk, line.token))
    rendered = sitting.words.to_master_mail(table.game, info, text.split("\n"), table.row.status)
    queue_to(sitting, master.address, info.reply_to, writer, rendered, mail, KIND)
