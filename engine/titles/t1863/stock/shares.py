"""Certificates of 1863: minors and majors, the open short interest, and the players with shorts.

A major has ten shares, and ten shorts, each paired with one more share. The pairs lie in the open short interest
(``OSI``). Selling a share short moves the short to the player and its share to the pool. So there are ten shares
outside, plus one for each short.
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
"""The number of single shares of a major apart from its president's certificate, without those in the open short
interest."""
PAIRS: Final = 10
"""The number of shorts of a major, and of the shares paired with them."""
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
    """The charter of a major with ``markers`` station markers in all."""
    return replace(title.companies[company].charter, markers=markers)


def minor_charter(title: Title, company: CompanyId, markers: int) -> Charter:
    """The charter of a minor: a single certificate of two shares."""
    return replace(title.companies[company].charter, kind=MINOR, certificates=_MINORS, markers=markers)


def is_minor(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is a minor now."""
    return charter_of(title, state, company).kind == MINOR


def is_major(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in play as a major."""
    return state.companies[company].status == "open" and not is_minor(title, state, company)


def share_count(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares that divide a company's money: ten for a major, two for a minor."""
    return TWO if is_minor(title, state, company) else TEN


def float_certificates(play: Play, company: CompanyId, kind: str, owner: Actor, markers: int) -> None:
    """Open the charter of ``company`` as a minor or major. ``owner`` gets the president's certificate, the other shares
    go to its charter, and the pairs to the open short interest."""  # rule 4.2, 4.21
    title = play.title
    charter = (minor_charter if kind == MINOR else major_charter)(title, company, markers)
    play.emit(CompanyOpened(company), Chartered(company, charter))
    play.emit(CertificatesSet(company, as_floated(title, play.state, company, owner)))


def become_major(play: Play, company: CompanyId, markers: int) -> None:
    """Turn a minor into a major. Its owner gets the president's certificate, and eight shares go to its charter."""
    # rule 8.1
    owner = next(place for (place, of, _), n in play.state.holdings.items() if of == company and n)
    play.emit(Chartered(company, major_charter(play.title, company, markers)))
    play.emit(CertificatesSet(company, as_floated(play.title, play.state, company, owner)))


def as_floated(title: Title, state: State, company: CompanyId, owner: Place) -> tuple[tuple[Place, str, int], ...]:
    """The certificates of a company whose president has only his own certificate and nobody else has any."""
    # rule 4.2, 4.24
    own = ((owner, DIRECTOR, 1),)
    pairs = ((OSI, ORDINARY, PAIRS), (OSI, SHORT, PAIRS))
    return own if is_minor(title, state, company) else (*own, (TREASURY, ORDINARY, SINGLE), *pairs)


def return_unopened(play: Play, company: CompanyId, reason: str, closed: bool = False) -> None:
    """Take the charter of a company out of play, with all certificates, its shorts and its price. The caller must have
    dealt with its cash, loans, trains, privates, shares of others and markers. If ``closed``, it is never started
    again."""
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
    """The number of shorts of the company that the player has."""
    return state.holdings.get((player, company, SHORT), 0)


def open_pairs(state: State, company: CompanyId) -> int:
    """The number of pairs in the open short interest, and so of shares that can still be sold short."""
    return state.holdings.get((OSI, company, SHORT), 0)


def shorters(state: State, company: CompanyId) -> tuple[PlayerId, ...]:
    """The players with shorts of the company, in order of play."""
    return tuple(p for p in state.players if shorts_of(state, p, company))


def shorts_out(state: State, company: CompanyId) -> int:
    """The number of shorts of the company that players have."""
    return sum(shorts_of(state, p, company) for p in state.players)


def open_short(play: Play, player: PlayerId, company: CompanyId) -> None:
    """Take a pair from the open short interest: the short goes to the player, the share to the pool."""  # rule 4.7
    play.emit(CertificatesMoved(company, SHORT, 1, OSI, player), CertificatesMoved(company, ORDINARY, 1, OSI, POOL))


def match_shorts(play: Play, company: CompanyId) -> None:
    """Make every player with both shorts and single shares of the company return them in pairs, without payment. Call
    this after every move of shares to a player."""  # rule 4.7, 4.40
    for player in shorters(play.state, company):
        match_shorts_of(play, player, company)


def match_shorts_of(play: Play, player: PlayerId, company: CompanyId) -> None:
    """Make the player return his shorts and single shares of the company in pairs, without payment."""
    # rule 4.7, 4.38
    held = play.state.holdings.get((player, company, ORDINARY), 0)
    if number := min(shorts_of(play.state, player, company), held):
        play.emit(
            CertificatesMoved(company, SHORT, number, player, OSI),
            CertificatesMoved(company, ORDINARY, number, player, OSI),
            Covered(player, company, number),
        )


# ---- holders ---------------------------------------------------------------------------------------------------------


def own_charter(title: Title, state: State, company: CompanyId) -> int:
    """The number of shares on the company's own charter."""
    return shares(title, state, TREASURY, company)


def players_in(state: State) -> tuple[PlayerId, ...]:
    """The players who are not bankrupt, in order of play."""
    out: frozenset[PlayerId] = mark(state, OUT, frozenset())
    return tuple(p for p in state.players if p not in out) if out else state.players


def seats_from(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """The players who are not bankrupt, clockwise from ``player``, including him if he is not bankrupt."""
    at, playing = state.players.index(player), players_in(state)
    return tuple(p for p in (*state.players[at:], *state.players[:at]) if p in playing)


def seats_after(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """The other players who are not bankrupt, clockwise from the left of ``player``."""
    return tuple(p for p in seats_from(state, player) if p != player)
