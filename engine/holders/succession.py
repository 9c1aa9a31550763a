"""The succession of directors when shares have moved, and the exchange of the director's certificate.

Both players and companies can become director. A successor has more shares than the owner, and enough for the
director's certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.core.events import CertificatesMoved, DirectorChanged
from engine.core.ids import POOL, Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, directors_worth, double_kind, ordinary_kind
from engine.holders.control import controller_of, count, owner_of
from engine.holders.ledger import holders, shares


def from_left_of(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """All other players, clockwise, starting with the one on ``player``'s left."""
    i = state.players.index(player)
    return state.players[i + 1 :] + state.players[:i]


def from_player(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """All players, clockwise, starting with ``player``."""
    return (player, *from_left_of(state, player))


def heirs(title: Title, state: State, company: CompanyId, owner: Actor) -> tuple[Actor, ...]:
    """Those who may take over ``company`` from ``owner``, in the order that decides ties: the players, starting on the
    left of the owner or of the player who controls it, then companies that hold shares, in operating order."""
    seat = next((p for p in state.players if p == owner), None) or controller_of(title, state, CompanyId(owner))
    players = state.players if seat is None else from_left_of(state, seat) + ((seat,) if seat != owner else ())
    holding = [h for h in holders(state, company) if h in state.companies and h != owner]
    if not holding:
        return players
    order = title.policies.operating_order(title, state)
    return (
        *players,
        *sorted((CompanyId(h) for h in holding), key=lambda c: order.index(c) if c in order else len(order)),
    )


def first_with_most(claimants: Iterable[Actor], held: Callable[[Actor], int], most: int) -> Actor | None:
    """The first of the ``claimants`` with the largest holding, if it is larger than ``most``; None if there is none."""
    best: Actor | None = None
    for claimant in claimants:
        if held(claimant) > most:
            best, most = claimant, held(claimant)
    return best


def successor(title: Title, state: State, company: CompanyId, owner: Actor, left_with: int) -> Actor | None:
    """The holder who takes over from an owner left with ``left_with`` shares: the one with the most shares, who must
    have more than the owner and enough for the director's certificate. The order of ``heirs`` decides ties. None if
    nobody takes over."""
    most = max(left_with, directors_worth(title, state, company) - 1)
    return first_with_most(heirs(title, state, company, owner), lambda heir: shares(title, state, heir, company), most)


def total_after(title: Title, state: State, company: CompanyId, after: Mapping[Place, int], place: Place) -> int:
    """The number of shares of ``company`` in ``place`` after a change. ``after`` has the new numbers; other places do
    not change."""
    return after[place] if place in after else shares(title, state, place, company)


def director_after(
    title: Title, state: State, company: CompanyId, claimants: Iterable[Actor], after: Mapping[Place, int]
) -> Actor | None:
    """The director after a change; ``after`` has the new numbers of shares. The owner stays director unless one of
    ``claimants`` (in the order that decides ties) has more and enough for the certificate. None if nobody has enough
    for the certificate."""
    owner, worth = owner_of(title, state, company), directors_worth(title, state, company)
    left = 0 if owner is None else total_after(title, state, company, after, owner)
    most = max(left, worth - 1)

    def held(place: Place) -> int:
        return total_after(title, state, company, after, place)

    rivals = any(held(place) > most for place in {*holders(state, company), *after} if place != owner)
    other = first_with_most(claimants, held, most) if rivals else None  # sorting claimants costs much more
    return owner if other is None and left >= worth else other


def rearrange(play: Play, company: CompanyId, after: Mapping[Place, int], new: Place) -> Place:
    """Move as few certificates as possible so that the places in ``after`` have these numbers of shares and ``new`` has
    the director's certificate. Returns the place where the certificate was before. The caller emits
    ``DirectorChanged``."""
    title, state = play.title, play.state
    director, ordinary = director_kind(title, state, company), ordinary_kind(title, state, company)
    old = next(at for (at, of, kind), n in state.holdings.items() if of == company and kind == director and n)
    worth = directors_worth(title, state, company)
    change = {
        place: total_after(title, state, company, after, place)
        - (worth if place == new else 0)
        - count(state, place, company, ordinary)
        for place in dict.fromkeys((*after, old, new))
    }
    if new != old:
        play.emit(CertificatesMoved(company, director, 1, old, new))
    for target in (p for p in change if change[p] > 0):
        for source in (p for p in change if change[p] < 0):
            number = min(change[target], -change[source])
            if number > 0:
                play.emit(CertificatesMoved(company, ordinary, number, source, target))
                change[target], change[source] = change[target] - number, change[source] + number
    assert not any(change.values()), (company, after, change)
    return old


def hand_over(play: Play, company: CompanyId, old: Place, new: Actor) -> None:
    """Move the director's certificate from ``old`` to ``new`` in exchange for certificates for the same number of
    shares: a certificate that counts as several shares if ``new`` has one, otherwise ordinary certificates."""
    title, state = play.title, play.state
    director, given = director_kind(title, state, company), ordinary_kind(title, state, company)
    number = directors_worth(title, state, company)
    double = double_kind(title, state, company)
    if double is not None and count(state, new, company, double):
        given, number = double, 1
    play.emit(
        CertificatesMoved(company, director, 1, old, new),
        CertificatesMoved(company, given, number, new, old),
        DirectorChanged(company, new),
    )


def becomes_director(title: Title, state: State, company: CompanyId, holder: Actor, number: int) -> bool:
    """True if ``holder`` becomes director by getting ``number`` more shares: he then has more than the owner or, if
    there is no owner, enough for the director's certificate."""
    now, held = owner_of(title, state, company), shares(title, state, holder, company) + number
    if now is None:
        return held >= directors_worth(title, state, company)
    return now != holder and held > shares(title, state, now, company)


def settle_director(play: Play, company: CompanyId, buyer: Actor) -> None:
    """After a purchase, hand over the director's certificate to ``buyer`` if he has become director."""
    title, state = play.title, play.state
    if becomes_director(title, state, company, buyer, 0):
        now = owner_of(title, state, company)
        hand_over(play, company, title.unsold if now is None else now, buyer)


def in_private_hands(title: Title, state: State, company: CompanyId) -> bool:
    """True if no share of the company is in the pool or in the place of unsold shares."""
    return not shares(title, state, POOL, company) and not shares(title, state, title.unsold, company)
