"""Which text of a mail is for which game and seat.

A secret address says it for the whole text, or for the block of its game. A block that came to another address must
carry the seat's secret word. Two blocks for one game are none: it is asked which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlmodel import Session

from moderator.adapters.tables import SeatRow
from moderator.domain.transcript import Outcome
from moderator.service.people.seats import Claim, claim_of
from moderator.service.reading.extract import Extracted, Fence
from moderator.service.said import Note, Said


@dataclass(frozen=True, slots=True)
class Unsorted:
    """A text that goes to no game, though it is known who sent it."""

    seat: SeatRow
    outcome: Outcome
    note: Note


@dataclass(slots=True)
class Sorted:
    said: list[Said] = field(default_factory=list)
    unsorted: list[Unsorted] = field(default_factory=list)


def sort_out(session: Session, extracted: Extracted, claims: list[Claim]) -> Sorted:
    """Share the text out. With nothing in the answer the mail proves to be from no seat."""
    found = Sorted()
    games = {claim.seat.game for claim in claims}
    if len(games) < len(claims):  # two seats of one game: which of them is speaking?
        note: Note = ("two_seats", {"game": claims[0].seat.game})
        found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
    elif extracted.fences:
        _fenced(session, extracted, claims, found)
    elif len(claims) == 1:
        said = _said(claims[0], extracted, extracted.text)
        if extracted.damaged and not extracted.ended:
            said.truncated, said.notes = True, (("damaged", {}),)
        found.said.append(said)
    elif claims:
        note = ("which_game", {"games": tuple(sorted(games))})
        found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
    return found


def _fenced(session: Session, extracted: Extracted, claims: list[Claim], found: Sorted) -> None:
    by_game: dict[str, list[Fence]] = {}
    for fence in extracted.fences:
        by_game.setdefault(fence.game or _meant(session, fence, claims), []).append(fence)
    if by_game.pop("", ()) and claims:
        note: Note = ("which_game", {"games": tuple(sorted({claim.seat.game for claim in claims}))})
        found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
    for game, fences in by_game.items():
        claim = _claim_for(session, game, fences, claims)
        if claim is None:
            if claims:
                found.unsorted.append(Unsorted(claims[0].seat, "wrong_token", ("other_game", {"game": game})))
        elif len(fences) > 1:
            note = ("two_blocks", {"game": game, "count": len(fences)})
            found.unsorted.append(Unsorted(claim.seat, "two_blocks", note))
        else:
            said = _said(claim, extracted, fences[0].text)
            said.at = claim.at if fences[0].at is None else fences[0].at
            said.truncated = not fences[0].closed
            found.said.append(said)


def _meant(session: Session, fence: Fence, claims: list[Claim]) -> str:
    """The game of a block that names none: that of its secret word, or the only one that the mail came to."""
    claim = claim_of(session, fence.token) if fence.token else None
    games = {claim.seat.game} if claim is not None else {claim.seat.game for claim in claims}
    return games.pop() if len(games) == 1 else ""


def _claim_for(session: Session, game: str, fences: Iterable[Fence], claims: list[Claim]) -> Claim | None:
    addressed = next((claim for claim in claims if claim.seat.game == game), None)
    if addressed is not None:
        return addressed
    for fence in fences:
        claim = claim_of(session, fence.token) if fence.token else None
        if claim is not None and claim.seat.game == game:
            return claim
    return None


def _said(claim: Claim, extracted: Extracted, text: str) -> Said:
    return Said(claim.seat, claim.at, text, extracted.ignored, extracted.quoted)
