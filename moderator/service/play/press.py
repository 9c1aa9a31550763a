"""Press: messages that a player has passed on to others, in mails of their own. It goes out only if its mail stands as
a whole: a player who corrects a refused mail sends it again, and nobody should read the same message twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlmodel import col, func, select

from grammar import Press, normalise
from moderator.adapters.tables import GameRow, MailRow, PendingRow, PressRow, SeatRow, SeatToken, VoiceRow
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Note
from moderator.service.desk import Sitting
from moderator.service.post.counters import count
from moderator.service.post.list_headers import stop_token
from moderator.service.post.outbox import queue, silence_of
from moderator.service.table.anonymity import told_in
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table

_STANDS: Final[frozenset[Outcome]] = frozenset(
    (
        "applied",
        "partial",
        "held",
        "sealed",
        "withdrawn",
        "notified",
        "shown",
        "helped",
        "press",
        "checked",
        "unconfirmed",
    )
)
"""Outcomes of mails that are not refused."""
_MOST: Final = 12
"""The number of messages in one mail that are passed on."""


@dataclass(slots=True)
class PassedOn:
    """The press that is, or in a trial would be, passed on, and the notes for its writer."""

    press: list[Press] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def pass_on(
    table: Table, writer: SeatRow, press: Sequence[Press], outcome: Outcome, *, trial: bool, mail: MailRow | None
) -> PassedOn:
    """Write ``press`` to the players that it is for, if ``outcome`` lets the mail stand. In a ``trial`` nothing is
    written."""
    found = PassedOn()
    if outcome not in _STANDS:
        found.notes.append(("press.not_sent", {"count": len(press)}))
        return found
    if len(press) > _MOST:
        found.notes.append(("press.many", {"most": _MOST, "left": len(press) - _MOST}))
    for one in press[:_MOST]:
        others = [
            seat for seat in table.seats if seat.player != writer.player and (not one.to or seat.player in one.to)
        ]
        refused = _refused(table, writer, one, others, trial=trial)
        if refused is not None:
            found.notes.append(refused)
            continue
        if not trial:
            _write(table, writer, one, others)
            _keep(table, writer, one, mail)
        silent = tuple(seat.player for seat in others if silence_of(seat))
        told = {"to": tuple(seat.player for seat in others), "everyone": not one.to, "silent": silent}
        found.notes.append(("press.trial" if trial else "press.sent", told))
        found.press.append(one)
    return found


def _refused(table: Table, writer: SeatRow, press: Press, others: Sequence[SeatRow], *, trial: bool) -> Note | None:
    sitting = table.sitting
    if not others:
        return "press.alone", {}
    if len(press.text) > sitting.settings.longest_press:
        return "press.long", {"most": sitting.settings.longest_press}
    if has_secret(sitting, writer.address, press.text):
        return "press.secret", {}
    if said := told_in(sitting.session, table.row, (writer,), press.text):
        return "press.named", {"said": said}
    most = sitting.settings.press_per_day
    if not most or (not trial and count(sitting, f"press:{writer.id}") > most):
        return "press.often", {"most": most}
    return None


def has_secret(sitting: Sitting, address: str, text: str) -> bool:
    """True if ``text`` contains a secret word that the player or the game master at ``address`` was told, in this game
    or in another, even if it is broken over lines or has marks in it."""
    letters = re.sub(r"[^a-z2-7]", "", normalise(text).lower())
    same = select(SeatRow).where(func.lower(col(SeatRow.address)) == address.lower())
    seats = sitting.session.exec(same).all()
    own = [seat.id for seat in seats]
    told = select(SeatToken.token).where(col(SeatToken.seat).in_(own), col(SeatToken.revoked).is_(False))
    asked = select(PendingRow.token).where(col(PendingRow.seat).in_(own), PendingRow.state == "open")
    stops = [stop_token(sitting, seat).rpartition(".")[2] for seat in seats]
    known = (*sitting.session.exec(told).all(), *sitting.session.exec(asked).all(), *stops)
    return any(word in letters for word in (*known, *_of_offices(sitting, address)))


def _of_offices(sitting: Sitting, address: str) -> list[str]:
    """The secret words that the game master at ``address`` was told: of his addresses in all games, of what he is asked
    to agree to, and of lines that players have written to him."""
    if not address:
        return []
    session, his = sitting.session, address.lower()
    asked = select(VoiceRow.token).where(func.lower(col(VoiceRow.voter)) == his, VoiceRow.token != "")
    lines = select(PendingRow.token).where(
        PendingRow.kind == "master", func.lower(col(PendingRow.address)) == his, PendingRow.state == "open"
    )
    offices = (one for masters in session.exec(select(GameRow.masters)).all() for one in masters)
    own = [one["token"] for one in offices if one["address"].lower() == his and one.get("token")]
    return [*own, *session.exec(asked).all(), *session.exec(lines).all()]


def _write(table: Table, writer: SeatRow, press: Press, others: Iterable[SeatRow]) -> None:
    for seat in others:
        info = info_for(table, seat)
        rendered = table.sitting.words.press_mail(info, writer.player, press.to, press.text.split("\n"))
        queue(table.sitting, seat, info, "press", rendered)


def _keep(table: Table, writer: SeatRow, press: Press, mail: MailRow | None) -> None:
    """Keep the message with the game, whose archive shows it to the players that it was for."""
    table.sitting.session.add(
        PressRow(
            game=table.row.id, orders=table.row.orders, player=writer.player, to=list(press.to), text=press.text,
            mail=None if mail is None else mail.id, created_at=table.sitting.now(),
        )
    )  # fmt: skip
