"""Names of persons in texts that are about to be passed on, while nobody at the table may learn who plays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlmodel import Session

from moderator.adapters.tables import GameRow, SeatRow
from moderator.service.table.trust import aliases_of


def told_in(session: Session, row: GameRow, seats: Iterable[SeatRow], text: str) -> str:
    """The first name or address in ``text`` that says who plays one of ``seats``; empty if there is none, or if
    everybody may know. Whoever learns the answer must know who plays these seats."""
    if not row.veiled or not text:
        return ""
    return next((said for seat in seats for said in _of(session, seat) if _stands_in(said, text)), "")


def _of(session: Session, seat: SeatRow) -> Iterator[str]:
    yield from (seat.person, seat.address)
    yield from (alias.address for alias in aliases_of(session, seat.address))


def _stands_in(said: str, text: str) -> bool:
    """True if ``text`` has ``said`` as a word. A name must be written as the person writes it: `may` is no Ms May."""
    flags = re.IGNORECASE if "@" in said else 0
    return bool(said) and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", text, flags) is not None
