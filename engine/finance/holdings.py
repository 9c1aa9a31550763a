"""Who owns what of a company, and the exchange of the director's certificate."""

from __future__ import annotations

from engine.core.events import CertificatesMoved, DirectorChanged
from engine.core.ids import POOL, CompanyId, Place, PlayerId
from engine.core.play import Play
from engine.core.state import State
from engine.core.title import Title


def count(state: State, place: Place, company: CompanyId, kind: str) -> int:
    """Certificates of one kind in a place."""
    return state.holdings.get((place, company, kind), 0)


def shares(title: Title, state: State, place: Place, company: CompanyId) -> int:
    """Shares of ``company`` in ``place``, a director's certificate for what it counts."""
    held, total = state.holdings, 0
    for name, (kind, _) in title.companies[company].certificates.items():  # asked so often that a sum() would tell
        total += kind.shares * held.get((place, company, name), 0)
    return total


def all_shares(title: Title, company: CompanyId) -> int:
    """Shares that ``company`` has in all."""
    return sum(kind.shares * n for kind, n in title.companies[company].certificates.values())


def certificates(state: State, player: PlayerId) -> int:
    """Certificates that a player has: every share certificate and every private."""
    return sum(n for (place, _, _), n in state.holdings.items() if place == player) + sum(
        1 for owner in state.privates.values() if owner == player
    )


def counted(title: Title, state: State, player: PlayerId) -> int:
    """Certificates that count toward a player's limit: all of them, but for privates that are said not to."""
    apart = sum(1 for p, owner in state.privates.items() if owner == player and not title.privates[p].counts)
    return certificates(state, player) - apart


def director_kind(title: Title, company: CompanyId) -> str:
    """Name of the kind of certificate that makes its owner director."""
    return next(name for name, (kind, _) in title.companies[company].certificates.items() if kind.director)


def ordinary_kind(title: Title, company: CompanyId) -> str:
    """Name of the kind that counts one share."""
    kinds = title.companies[company].certificates.items()
    return next(name for name, (kind, _) in kinds if not kind.director and kind.shares == 1)


def double_kind(title: Title, company: CompanyId) -> str | None:
    """Name of the kind that counts as many shares as the director's without being it; None where there is none."""
    kinds = title.companies[company].certificates.items()
    return next((name for name, (kind, _) in kinds if not kind.director and kind.shares > 1), None)


def holder_of_director(title: Title, state: State, company: CompanyId) -> PlayerId | None:
    """The player with the director's certificate; None while no player has it."""
    kind = director_kind(title, company)
    return next((p for p in state.players if count(state, p, company, kind)), None)


def from_left_of(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """All other players, clockwise, beginning with the one on ``player``'s left."""
    i = state.players.index(player)
    return state.players[i + 1 :] + state.players[:i]


def from_player(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """All players, clockwise, beginning with ``player``."""
    return (player, *from_left_of(state, player))


def successor(title: Title, state: State, company: CompanyId, director: PlayerId, left_with: int) -> PlayerId | None:
    """Who takes over from a director left with ``left_with`` shares: the most shares, more than his and at least the
    director's certificate's worth; equal holdings go to the nearest on his left."""
    worth = title.companies[company].certificates[director_kind(title, company)][0].shares
    best: PlayerId | None = None
    most = max(left_with, worth - 1)
    for player in from_left_of(state, director):
        held = shares(title, state, player, company)
        if held > most:
            best, most = player, held
    return best


def hand_over(play: Play, company: CompanyId, old: Place, new: PlayerId) -> None:
    """Exchange the director's certificate, lying at ``old``, for others of ``new`` that are worth as much: one that
    counts several shares if he has it, otherwise ordinary ones."""
    title = play.title
    director, given = director_kind(title, company), ordinary_kind(title, company)
    number = title.companies[company].certificates[director][0].shares
    double = double_kind(title, company)
    if double is not None and count(play.state, new, company, double):
        given, number = double, 1
    play.emit(
        CertificatesMoved(company, director, 1, old, new),
        CertificatesMoved(company, given, number, new, old),
        DirectorChanged(company, new),
    )


def becomes_director(title: Title, state: State, company: CompanyId, player: PlayerId, number: int) -> bool:
    """True if ``player`` takes over the director's certificate if he comes by ``number`` more shares: he then has more
    than the director, or there is none and he has enough for the certificate."""
    now, held = holder_of_director(title, state, company), shares(title, state, player, company) + number
    if now is None:
        return held >= title.companies[company].certificates[director_kind(title, company)][0].shares
    return now != player and held > shares(title, state, now, company)


def settle_director(play: Play, company: CompanyId, buyer: PlayerId) -> None:
    """After a purchase: ``buyer`` becomes director if he has more than the director (or there is none and he has
    enough for the certificate)."""
    title, state = play.title, play.state
    if becomes_director(title, state, company, buyer, 0):
        now = holder_of_director(title, state, company)
        hand_over(play, company, title.unsold if now is None else now, buyer)


def in_players_hands(title: Title, state: State, company: CompanyId) -> bool:
    """Whether neither the pool nor the place of unsold shares has a share of the company."""
    return not shares(title, state, POOL, company) and not shares(title, state, title.unsold, company)
