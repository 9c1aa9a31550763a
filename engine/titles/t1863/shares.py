"""Certificates of 1863: what minors and majors are, the open short interest, and who has sold short.

A major has ten shares, and ten shorts that are each paired with one more share. The pairs lie in the open short
interest (``OSI``). A share sold short takes the short to the player and its share to the pool, so there are ten
shares outside, and one more for each short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.core.charter import CertificateKind, Charter
from engine.core.data import CompanyData
from engine.core.events import (
    CertificatesMoved,
    CertificatesSet,
    Chartered,
    CompanyLeft,
    CompanyOpened,
    Covered,
    PriceRemoved,
)
from engine.core.ids import POOL, TREASURY, Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.titles.t1863.names import DIRECTOR, MAJOR, MINOR, ORDINARY, OSI, OUT, SHORT, TEN, TWO, mark

SINGLE: Final = TEN - TWO
"""Single shares of a major beside its president's certificate, those of the open short interest left out."""
PAIRS: Final = 10
"""Shorts of a major, and the shares that they are paired with."""
_MAJORS: Final[Mapping[str, tuple[CertificateKind, int]]] = {
    DIRECTOR: (CertificateKind(TWO, 20, True), 1),
    ORDINARY: (CertificateKind(1, 10), SINGLE + PAIRS),
    SHORT: (CertificateKind(0, 0, dividend=-1, counts=0), PAIRS),
}
_MINORS: Final[Mapping[str, tuple[CertificateKind, int]]] = {DIRECTOR: (CertificateKind(TWO, 100, True), 1)}


def with_shorts(companies: Mapping[CompanyId, CompanyData]) -> Mapping[CompanyId, CompanyData]:
    """The companies with the certificates of a major, which an unopened charter has."""  # rule 4.2
    return {
        id: replace(company, charter=replace(company.charter, kind=MAJOR, certificates=_MAJORS))
        for id, company in companies.items()
    }


# ---- minors and majors -----------------------------------------------------------------------------------------------


def major_charter(title: Title, company: CompanyId, markers: int) -> Charter:
    """The charter of a major with so many station markers in all."""
    return replace(title.companies[company].charter, markers=markers)


def minor_charter(title: Title, company: CompanyId, markers: int) -> Charter:
    """The charter of a minor: one certificate of two shares, which is the whole of it."""
    return replace(title.companies[company].charter, kind=MINOR, certificates=_MINORS, markers=markers)


def is_minor(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is a minor now."""
    return charter_of(title, state, company).kind == MINOR


def is_major(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in play as a major."""
    return state.companies[company].status == "open" and not is_minor(title, state, company)


def share_count(title: Title, state: State, company: CompanyId) -> int:
    """Shares by which a company's money is divided: ten of a major, two of a minor."""
    return TWO if is_minor(title, state, company) else TEN


def float_certificates(play: Play, company: CompanyId, kind: str, owner: Actor, markers: int) -> None:
    """Open the charter of ``company`` as a minor or major: ``owner`` has the president's certificate, the others lie on
    its charter, the pairs in the open short interest."""  # rule 4.2, 4.21
    title = play.title
    charter = (minor_charter if kind == MINOR else major_charter)(title, company, markers)
    play.emit(CompanyOpened(company), Chartered(company, charter))
    play.emit(CertificatesSet(company, as_floated(title, play.state, company, owner)))


def become_major(play: Play, company: CompanyId, markers: int) -> None:
    """A minor becomes a major: its owner has the president's certificate of it, eight shares lie on its charter."""
    # rule 8.1
    owner = next(place for (place, of, _), n in play.state.holdings.items() if of == company and n)
    play.emit(Chartered(company, major_charter(play.title, company, markers)))
    play.emit(CertificatesSet(company, as_floated(play.title, play.state, company, owner)))


def as_floated(title: Title, state: State, company: CompanyId, owner: Place) -> tuple[tuple[Place, str, int], ...]:
    """The certificates of a company of which nobody but its president has any."""  # rule 4.2, 4.24
    own = ((owner, DIRECTOR, 1),)
    pairs = ((OSI, ORDINARY, PAIRS), (OSI, SHORT, PAIRS))
    return own if is_minor(title, state, company) else (*own, (TREASURY, ORDINARY, SINGLE), *pairs)


def return_unopened(play: Play, company: CompanyId, reason: str, closed: bool = False) -> None:
    """The charter of a company leaves play, with all certificates, shorts and its price. Whoever calls has dealt with
    its cash, loans, trains, privates, shares of others and markers. ``closed``: it is never started again."""
    play.emit(Chartered(company, None))
    whole = tuple(
        (TREASURY, kind, n) for kind, (_, n) in charter_of(play.title, play.state, company).certificates.items()
    )
    play.emit(CertificatesSet(company, whole))
    if company in play.state.prices:
        play.emit(PriceRemoved(company))
    play.emit(CompanyLeft(company, closed, reason))


# ---- shorts ----------------------------------------------------------------------------------------------------------


def shorts_of(state: State, player: PlayerId, company: CompanyId) -> int:
    """Shorts of the company that the player has."""
    return state.holdings.get((player, company, SHORT), 0)


def open_pairs(state: State, company: CompanyId) -> int:
    """Pairs in the open short interest: so many shares can still be sold short."""
    return state.holdings.get((OSI, company, SHORT), 0)


def shorters(state: State, company: CompanyId) -> tuple[PlayerId, ...]:
    """Players who have shorts of the company, in order of play."""
    return tuple(p for p in state.players if shorts_of(state, p, company))


def shorts_out(state: State, company: CompanyId) -> int:
    """Shorts of the company that players have."""
    return sum(shorts_of(state, p, company) for p in state.players)


def open_short(play: Play, player: PlayerId, company: CompanyId) -> None:
    """A pair leaves the open short interest: the short to the player, the share to the pool."""  # rule 4.7
    play.emit(CertificatesMoved(company, SHORT, 1, OSI, player), CertificatesMoved(company, ORDINARY, 1, OSI, POOL))


def match_shorts(play: Play, company: CompanyId) -> None:
    """Whoever has both shorts and single shares of the company returns them in pairs, without payment. To be called
    after every move of shares to a player."""  # rule 4.7, 4.40
    for player in shorters(play.state, company):
        match_shorts_of(play, player, company)


def match_shorts_of(play: Play, player: PlayerId, company: CompanyId) -> None:
    """The player returns his shorts and single shares of the company in pairs, without payment."""  # rule 4.7, 4.38
    held = play.state.holdings.get((player, company, ORDINARY), 0)
    if number := min(shorts_of(play.state, player, company), held):
        play.emit(
            CertificatesMoved(company, SHORT, number, player, OSI),
            CertificatesMoved(company, ORDINARY, number, player, OSI),
            Covered(player, company, number),
        )


# ---- holders ---------------------------------------------------------------------------------------------------------


def outside(title: Title, state: State, company: CompanyId) -> int:
    """Shares of the company with players, other companies and the pool: those that are paid for."""
    places = {place for (place, of, _), n in state.holdings.items() if of == company and n}
    return sum(shares(title, state, place, company) for place in places - {OSI, TREASURY})


def own_charter(title: Title, state: State, company: CompanyId) -> int:
    """Shares on the company's own charter."""
    return shares(title, state, TREASURY, company)


def players_in(state: State) -> tuple[PlayerId, ...]:
    """The players who are not bankrupt, in order of play."""
    out: frozenset[PlayerId] = mark(state, OUT, frozenset())
    return tuple(p for p in state.players if p not in out) if out else state.players


def seats_from(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """The players who are not bankrupt, clockwise, ``player`` first if he is one."""
    at, playing = state.players.index(player), players_in(state)
    return tuple(p for p in (*state.players[at:], *state.players[:at]) if p in playing)


def seats_after(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """The other players who are not bankrupt, clockwise, the one on the left of ``player`` first."""
    return tuple(p for p in seats_from(state, player) if p != player)
