"""Stops mail, on one click or by one mail (RFC 2369, RFC 8058).

The seat stays, and its clock goes on. A GET changes nothing here, because link scanners follow every link.
"""

from __future__ import annotations

from typing import Literal

from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.outcome import Outcome
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game
from moderator.service.people.reach import stop, stop_digest
from moderator.service.post.list_headers import seat_for

Stopped = Literal["stopped", "stopped_digest", "already", "unknown"]


def unsubscribe(desk: Desk, token: str) -> Stopped:
    """Carry out a POST to ``public_url/unsubscribe/TOKEN``. Repeating it is no error."""
    with desk.sitting() as sitting:
        seat = _locked(sitting, token)
        if seat is None:
            digest = _digest_of(sitting, token)
            return "unknown" if digest is None else "stopped_digest" if stop_digest(sitting, digest) else "already"
        return "stopped" if stop(sitting, seat, "unsubscribed") else "already"


def by_mail(sitting: Sitting, mail: MailRow, token: str) -> tuple[Outcome, str]:
    """Carry out a mail to the seat's unsubscribe address. Returns the mail's outcome and its detail for the
    operator."""
    seat = _locked(sitting, token)
    digest = _digest_of(sitting, token) if seat is None else None
    if digest is not None:
        return "unsubscribe", "digests" if stop_digest(sitting, digest) else "no digest was sent any more already"
    if seat is None:
        return "quarantine", "an unsubscribe address that is not one of ours"
    mail.game, mail.player = seat.game, seat.player
    return "unsubscribe", "" if stop(sitting, seat, "unsubscribed") else "no mail was sent any more already"


def _locked(sitting: Sitting, token: str) -> SeatRow | None:
    """The seat that ``token`` stops, with its game locked; None for a token that is not valid. The token of a seat that
    was handed over meanwhile stops nobody."""
    seat = seat_for(sitting, token)
    if seat is not None:
        lock_game(sitting.session, seat.game)
    return seat_for(sitting, token)


def _digest_of(sitting: Sitting, token: str) -> str | None:
    """The address of the person whose digests ``token`` stops; None for a token that is not valid."""
    seat = seat_for(sitting, token, "digest")
    return None if seat is None else seat.address
