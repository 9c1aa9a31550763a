"""The headers that name the list a mail belongs to: its game, its thread, and the way to unsubscribe.

The word in an unsubscribe address stops mail and does nothing else (RFC 2369, RFC 8058): mail providers and link
scanners see it, so it must not be the one with which a seat plays. It is derived from a secret of the service, the seat
and its address of record, and so needs no row. The word of a previous player or a previous address stops nobody's mail.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Literal, TypeAlias, get_args

from sqlmodel import Session, select

from moderator.adapters.tables import SeatRow
from moderator.service.desk import Sitting
from moderator.service.service_facts import recall, remember_first

SECRET = "unsubscribe"
"""Key of the secret from which the words are derived."""
Stops: TypeAlias = Literal["stop", "digest"]
"""The reach of a word: all mail to a seat, or the digests of the person who has it."""
_LENGTH = 26
_LONGEST_NUMBER = 9
"""The most digits of a seat's number: a column of the database has room for them."""


def list_headers(sitting: Sitting, seat: SeatRow, kind: str, reference: str | None, *, answer: bool) -> dict[str, str]:
    """Headers of a mail about a game: RFC 3834 5 (no program may answer it), RFC 2919, RFC 2369 and 8058. All mails of
    a game to one seat refer to the same first one, so that mail programs show them together. An answer also refers to
    the mail that it answers (``reference``, a Message-ID that can stand in a header)."""
    thread = f"<{seat.game}.{seat.number}@{sitting.settings.domain}>"
    return {
        "Auto-Submitted": "auto-replied" if answer else "auto-generated",
        "In-Reply-To": reference or thread,
        "References": f"{thread} {reference}" if reference else thread,
        "List-Id": f"<{seat.game}.{sitting.settings.domain}>",
        "X-Railpost": f"{seat.game} {kind}",
        **unsubscribe_headers(sitting, seat),
    }


def digest_headers(sitting: Sitting, seat: SeatRow) -> dict[str, str]:
    """Headers of a digest of several games to the person who has ``seat``. Its unsubscribe address stops digests
    alone."""
    return {
        "Auto-Submitted": "auto-generated",
        "List-Id": f"<digest.{sitting.settings.domain}>",
        "X-Railpost": "digest",
        **unsubscribe_headers(sitting, seat, "digest"),
    }


def message_id_of(text: str | None) -> str | None:
    """``text`` if it is a Message-ID that can stand in a header of ours, otherwise None."""
    found = re.fullmatch(r"<[!-;=?-~]{1,200}>", text or "")
    return found.group() if found else None


def stop_token(sitting: Sitting, seat: SeatRow, what: Stops = "stop") -> str:
    """The token in an unsubscribe address of the seat. It stays the same for as long as the seat's mail goes to one
    address."""
    return f"{seat.id}.{_mac(_secret(sitting), seat, what)}"


def unsubscribe_headers(sitting: Sitting, seat: SeatRow, what: Stops = "stop") -> dict[str, str]:
    """The ``List-Unsubscribe`` headers: by mail, and also by one HTTP POST if the HTTP entry point runs."""
    settings, token = sitting.settings, stop_token(sitting, seat, what)
    by_mail = f"<mailto:{settings.mailbox}+stop.{token}@{settings.domain}?subject=unsubscribe>"
    if not settings.public_url:
        return {"List-Unsubscribe": by_mail}
    return {
        "List-Unsubscribe": f"<{settings.public_url.rstrip('/')}/unsubscribe/{token}>, {by_mail}",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def seat_for(sitting: Sitting, token: str, what: Stops = "stop") -> SeatRow | None:
    """The seat whose mail, or whose player's digests, ``token`` stops; None if the token is not valid."""
    number, _, mac = token.lower().partition(".")
    if not number.isascii() or not number.isdigit() or len(number) > _LONGEST_NUMBER:
        return None
    seat = sitting.session.get(SeatRow, int(number))
    if seat is None or not hmac.compare_digest(mac.encode(), _mac(_secret(sitting), seat, what).encode()):
        return None
    return seat


def stop_words(session: Session) -> list[str]:
    """The secret parts of all seats' present unsubscribe addresses."""
    kept = recall(session, SECRET)
    if kept is None:  # none was ever given out
        return []
    secret = bytes.fromhex(kept["secret"])
    seats = session.exec(select(SeatRow)).all()
    return [_mac(secret, seat, what) for what in get_args(Stops) for seat in seats]


def _mac(secret: bytes, seat: SeatRow, what: Stops) -> str:
    digest = hmac.new(secret, f"{what} {seat.id} {seat.address.lower()}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:_LENGTH]


def _secret(sitting: Sitting) -> bytes:
    kept = recall(sitting.session, SECRET)
    if kept is None:
        kept = remember_first(sitting, SECRET, {"secret": sitting.desk.random_bytes(32).hex()})
    return bytes.fromhex(kept["secret"])
