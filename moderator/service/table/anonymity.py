"""Persons of an anonymous game: their names in texts that are about to be passed on, and who was told who plays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlmodel import Session, select

from moderator.adapters.tables import GameRow, SeatRow, TenureRow
from moderator.domain.senders import same_address
from moderator.service.desk import Sitting
from moderator.service.service_facts import all_kept, recall, recall_to_change, remember
from moderator.service.table.game_master import offices_of
from moderator.service.table.table import seats_of
from moderator.service.table.trust import aliases_of, is_alias

_KNOW: Final = "knows "
"""Prefix of the keys, one for each game, of the addresses of former game masters who know who plays."""


def told_in(session: Session, row: GameRow, seats: Iterable[SeatRow], text: str) -> str:
    """The first name or address in ``text`` that says who plays one of ``seats``, or has played it; empty if there is
    none, or if everybody may know. Whoever learns the answer must know who plays these seats."""
    if not row.veiled or not text:
        return ""
    return said_in((said for seat in seats for said in _of(session, seat)), text)


def said_in(names: Iterable[str], text: str) -> str:
    """The first of the ``names`` and addresses that stands in ``text``; empty if none does."""
    return next((said for said in names if _stands_in(said, text)), "")


def check_untold(session: Session, row: GameRow, text: str, *also: str) -> None:
    """``ValueError`` if a ``text`` for all players of a game, written by somebody who may know who plays, has the name
    or address of one of them in it, or of somebody who is to play: ``also``."""
    if row.veiled and (said := told_in(session, row, seats_of(session, row.id), text) or said_in(also, text)):
        raise ValueError(why_unsaid(said))


def check_untold_in(session: Session, game: str, text: str) -> None:
    """The same for the game of this name, which there is."""
    check_untold(session, session.get_one(GameRow, game), text)


def why_unsaid(said: str) -> str:
    """Why a text with the name or address ``said`` in it goes to no players."""
    return (
        f"`{said}` says who plays, which nobody at the table may learn before the end. Leave it out, or name the seat"
    )


def _of(session: Session, seat: SeatRow) -> Iterator[str]:
    yield from (seat.person, seat.address)
    yield from (alias.address for alias in aliases_of(session, seat.address))
    for before in session.exec(select(TenureRow).where(TenureRow.seat == seat.id)).all():
        if before.person != seat.player:
            yield from (before.person, before.address)


def _stands_in(said: str, text: str) -> bool:
    """True if ``text`` has ``said`` as a word. A name must be written as the person writes it: `may` is no Ms May."""
    flags = re.IGNORECASE if "@" in said else 0
    return bool(said) and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", text, flags) is not None


def note_knowing(sitting: Sitting, game: str, addresses: Iterable[str]) -> None:
    """Remember that the people at ``addresses``, who are no game masters of an anonymous game any more, know who plays
    it."""
    before = (recall_to_change(sitting.session, _KNOW + game) or {"addresses": []})["addresses"]
    remember(sitting, _KNOW + game, {"addresses": sorted({*before, *(one.lower() for one in addresses)})})


def who_know(session: Session) -> Mapping[str, tuple[str, ...]]:
    """The addresses of former game masters who know who plays, by game."""
    return {game: tuple(row.value["addresses"]) for game, row in all_kept(session, _KNOW).items()}


def why_knowing(session: Session, row: GameRow, name: str, address: str) -> str:
    """Why ``name`` at ``address`` knows who plays an anonymous game, and so takes no seat in it; empty if he does not,
    as far as can be known, or if everybody may know."""
    if not row.veiled:
        return ""
    if any(_same_person(session, one.address, address) for one in offices_of(row)):
        return f"{name} is a game master of {row.id}, and knows who plays in it"
    former = recall(session, _KNOW + row.id) or {"addresses": ()}
    if any(_same_person(session, one, address) for one in former["addresses"]):
        return f"{name} was a game master of {row.id}, and knows who plays in it"
    return ""


def _same_person(session: Session, one: str, other: str) -> bool:
    """True if the two addresses are those of one person, as far as confirmed aliases tell."""
    return same_address(one, other) or is_alias(session, one, other) or is_alias(session, other, one)
