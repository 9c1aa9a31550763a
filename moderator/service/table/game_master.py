"""The game masters: the persons that the game names, otherwise the operator of the service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict
from sqlmodel import Session

from moderator.adapters.tables import GameRow, SeatRow
from moderator.domain.info import Master
from moderator.domain.senders import same_address
from moderator.service.desk import Desk
from moderator.service.table.trust import is_alias
from moderator.settings import Settings


class Office(BaseModel):
    """A game master. ``token``: the secret word of the address at which his words are taken; empty until it is
    drawn."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    address: str
    token: str = ""


def offices_of(row: GameRow) -> tuple[Office, ...]:
    """The game masters that the game names, first the one whom players write to."""
    return tuple(Office.model_validate(one) for one in row.masters)


def write_offices(row: GameRow, offices: Iterable[Office]) -> None:
    """Store the game masters of a game."""
    row.masters = [one.model_dump() for one in offices]


def master_of(row: GameRow, settings: Settings) -> Master | None:
    """The game master whom players write to. None if the game names nobody and the operator has no address."""
    if row.masters:
        return Master(row.masters[0]["name"], row.masters[0]["address"])
    return Master("", settings.operator) if settings.operator else None


def office_at(row: GameRow, address: str) -> Office | None:
    """The office of the game master at ``address``; None if he is none."""
    return next((one for one in offices_of(row) if same_address(one.address, address)), None)


def office_with(row: GameRow, token: str) -> Office | None:
    """The office whose secret word is ``token``; None if there is none."""
    return next((one for one in offices_of(row) if one.token == token), None)


def office_address(desk: Desk, row: GameRow, office: Office) -> str:
    """The secret address of a game master, ``railpost+1861-7.master.TOKEN@domain``. Its word is drawn when it is needed
    first."""
    if not office.token:
        office = office.model_copy(update={"token": desk.secret_word()})
        write_offices(row, (office if same_address(one.address, office.address) else one for one in offices_of(row)))
    return f"{desk.settings.mailbox}+{row.id}.master.{office.token}@{desk.settings.domain}".lower()


def offices_in(desk: Desk, texts: Sequence[str]) -> list[tuple[str, str]]:
    """The game and the secret word of each such address in ``texts``, each once."""
    pattern = re.compile(
        rf"(?<![\w.+-]){re.escape(desk.settings.mailbox)}\+([0-9a-z]+-\d+)\.master\.([a-z2-7]+)@"
        rf"{re.escape(desk.settings.domain)}(?![\w-]|\.[\w-])",
        re.IGNORECASE,
    )
    found = (pair for text in texts for pair in pattern.findall(text))
    return list(dict.fromkeys((game.lower(), token.lower()) for game, token in found))


def may_know(session: Session, row: GameRow, seats: Sequence[SeatRow], address: str) -> bool:
    """True if the game master at ``address`` may know which person plays a seat: in an anonymous game one who does not
    play."""
    return not row.veiled or seat_at(session, seats, address) is None


def seat_at(session: Session, seats: Sequence[SeatRow], address: str) -> SeatRow | None:
    """The seat whose player has ``address``, as his address of record or as a confirmed alias; None if none has."""
    own = next((seat for seat in seats if same_address(seat.address, address)), None)
    return own or next((seat for seat in seats if is_alias(session, seat.address, address)), None)
