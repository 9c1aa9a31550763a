"""Sorts the texts of a mail by game and seat.

A secret address names the seat for the whole text, or for the block of its game. A block that came to another address
must carry the seat's secret word. Two blocks for one game count as none: the player is asked which one he means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlmodel import Session

from moderator.adapters.tables import MailRow, SeatRow
from moderator.domain.outcome import Outcome
from moderator.domain.transcript import Note
from moderator.service.desk import Sitting
from moderator.service.reading.extract import Extracted, Fence
from moderator.service.reading.parse import Malformed, parse
from moderator.service.reading.text_choice import written
from moderator.service.table.seat_text import Said
from moderator.service.table.seats import Claim, claim_of, claims_in


@dataclass(frozen=True, slots=True)
class Unsorted:
    """A text that goes to no game, although its seat is known."""

    seat: SeatRow
    outcome: Outcome
    note: Note


@dataclass(slots=True)
class Sorted:
    said: list[Said] = field(default_factory=list)
    unsorted: list[Unsorted] = field(default_factory=list)


def sort_out(session: Session, extracted: Extracted, claims: Sequence[Claim], received_at: datetime) -> Sorted:
    """Assign the text of a mail that came at ``received_at`` to its seats. If the result is empty, the mail is from no
    seat."""
    found = Sorted()
    games = {claim.seat.game for claim in claims}
    if len(games) < len(claims):  # two seats of one game: which of them is speaking?
        note: Note = ("two_seats", {"game": claims[0].seat.game})
        found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
    elif extracted.fences:
        _Fences(session, claims, received_at).share_out(extracted, found)
    elif len(claims) == 1:
        said = _said(claims[0], extracted, extracted.text)
        if extracted.damaged and not extracted.ended:
            said = replace(said, truncated=True, notes=(("damaged", {}),))
        found.said.append(said)
    elif claims:
        note = ("which_game", {"games": tuple(sorted(games))})
        found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
    return found


def sort_again(sitting: Sitting, mail: MailRow) -> list[Said]:
    """The texts of a mail that was decided already, for those of its secret addresses that are still valid."""
    try:
        parsed = parse(mail.content)
        read = written(parsed)
    except Malformed:
        return []
    claims, _ = claims_in(sitting, parsed.addressed, mail.received_at)
    said = sort_out(sitting.session, read.extracted, claims, mail.received_at).said
    return [replace(one, notes=(*read.notes, *one.notes)) for one in said]


class _Fences:
    """Assigns the blocks of a mail to seats, each by its game."""

    def __init__(self, session: Session, claims: Sequence[Claim], received_at: datetime) -> None:
        self.session, self.claims, self.received_at = session, claims, received_at

    def share_out(self, extracted: Extracted, found: Sorted) -> None:
        by_game: dict[str, list[Fence]] = {}
        for fence in extracted.fences:
            by_game.setdefault(fence.game or self._meant(fence), []).append(fence)
        claims = self.claims
        if by_game.pop("", ()) and claims:
            note: Note = ("which_game", {"games": tuple(sorted({claim.seat.game for claim in claims}))})
            found.unsorted.append(Unsorted(claims[0].seat, "ambiguous", note))
        for game, fences in by_game.items():
            claim = self._claim_for(game, fences)
            if claim is None:
                if claims:
                    found.unsorted.append(Unsorted(claims[0].seat, "wrong_token", ("other_game", {"game": game})))
            elif len(fences) > 1:
                note = ("two_blocks", {"game": game, "count": len(fences)})
                found.unsorted.append(Unsorted(claim.seat, "two_blocks", note))
            else:
                said, fence = _said(claim, extracted, fences[0].text), fences[0]
                found.said.append(replace(said, named=fence.at, fenced=True, truncated=not fence.closed))

    def _meant(self, fence: Fence) -> str:
        """The game of a block that names none: that of its secret word, or the only one that the mail came to; empty if
        neither is known."""
        claim = self._claim(fence)
        games = {claim.seat.game} if claim is not None else {claim.seat.game for claim in self.claims}
        return games.pop() if len(games) == 1 else ""

    def _claim_for(self, game: str, fences: Iterable[Fence]) -> Claim | None:
        addressed = next((claim for claim in self.claims if claim.seat.game == game), None)
        if addressed is not None:
            return addressed
        found = (self._claim(fence) for fence in fences)
        return next((claim for claim in found if claim is not None and claim.seat.game == game), None)

    def _claim(self, fence: Fence) -> Claim | None:
        return claim_of(self.session, fence.token, self.received_at) if fence.token else None


def _said(claim: Claim, extracted: Extracted, text: str) -> Said:
    return Said(
        claim.seat,
        claim.at,
        text,
        extracted.ignored,
        extracted.quoted,
        above=extracted.above,
        superseded=claim.superseded,
        replaced=claim.replaced,
    )
