"""Press: what a player has passed on to others, in mails of its own. It goes with a mail that stands as a whole: who
mends a refused one sends it once more, and nobody is to hear the same twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sqlmodel import Session

from grammar import Press
from moderator.adapters.tables import GameRow, SeatRow
from moderator.domain.transcript import Outcome
from moderator.service.desk import Desk
from moderator.service.games import Live
from moderator.service.people.seats import claim_of, info_for
from moderator.service.post.outbox import queue, silence_of
from moderator.service.robots.budgets import count
from moderator.service.said import Note

_TOKEN: Final = re.compile(r"[a-z2-7]{20,}")
"""What may be the secret word of an address."""
_STANDS: Final[frozenset[Outcome]] = frozenset(
    ("applied", "partial", "held", "withdrawn", "notified", "shown", "helped", "press")
)
_TRIALS: Final[frozenset[Outcome]] = frozenset(("checked", "unconfirmed"))


def pass_on(
    desk: Desk, session: Session, row: GameRow, live: Live, seats: list[SeatRow], writer: SeatRow,
    press: Sequence[Press], outcome: Outcome,
) -> list[Note]:  # fmt: skip
    """Write to those whom it is for, if ``outcome`` lets the mail stand; what its writer is told."""
    if outcome not in _STANDS | _TRIALS:
        return [("press.not_sent", {"count": len(press)})]
    notes: list[Note] = []
    for one in press:
        others = [seat for seat in seats if seat.player != writer.player and (not one.to or seat.player in one.to)]
        refused = _refused(desk, session, writer, one, others, trial=outcome in _TRIALS)
        if refused is not None:
            notes.append(refused)
            continue
        if outcome in _STANDS:
            _write(desk, session, row, live, seats, writer, one, others)
        silent = tuple(seat.player for seat in others if silence_of(seat))
        told = {"to": tuple(seat.player for seat in others), "everyone": not one.to, "silent": silent}
        notes.append(("press.sent" if outcome in _STANDS else "press.trial", told))
    return notes


def _refused(
    desk: Desk, session: Session, writer: SeatRow, press: Press, others: Sequence[SeatRow], *, trial: bool
) -> Note | None:
    if not others:
        return "press.alone", {}
    if len(press.text) > desk.settings.longest_press:
        return "press.long", {"most": desk.settings.longest_press}
    if any(claim_of(session, word) for word in set(_TOKEN.findall(press.text.lower()))):
        return "press.secret", {}
    most = desk.settings.press_per_day
    if not most or (not trial and count(desk, session, f"press:{writer.id}") > most):
        return "press.often", {"most": most}
    return None


def _write(
    desk: Desk, session: Session, row: GameRow, live: Live, seats: list[SeatRow], writer: SeatRow, press: Press,
    others: Iterable[SeatRow],
) -> None:  # fmt: skip
    for seat in others:
        info = info_for(desk, session, row, live, seats, seat)
        rendered = desk.words.press_mail(info, writer.player, press.to, press.text.split("\n"))
        queue(desk, session, "press", rendered, row, seat, info)
