"""The president of a company after shares have moved: a player or a company, and first of all the holder of its
concession.

Until the concessions leave the game, the holder of the concession of a historical company stays its president, whatever
others have. A company whose president's certificate lies in the pool, or that is in a circle, is frozen.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.events import DirectorChanged, Froze
from engine.core.ids import POOL, Actor, CompanyId, Place, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind
from engine.holders.control import circle_of, controller_of, owner_of
from engine.holders.ledger import holders, shares
from engine.holders.succession import director_after, from_left_of, from_player, rearrange
from engine.titles.t1841.names import CONCESSION_OF
from engine.titles.t1841.rulings import rulings_of


def bound(title: Title, state: State, company: CompanyId) -> PrivateId | None:
    """The concession that keeps the president of a historical company in office; None if there is none, or none any
    more."""  # rule 5.8
    concession = CONCESSION_OF.get(company)
    return concession if concession in state.privates else None


def next_owner(
    title: Title, state: State, company: CompanyId, after: Mapping[Place, int], binds: bool = True
) -> Actor | None:
    """The holder of the president's certificate once the places ``after`` have so many shares: the owner, unless
    another has more, or he has not enough for it. None if nobody has enough; the certificate then lies in the pool.

    ``holders.succession.successor`` answers the same for an owner who sells. Here several places may have changed, a
    concession may bind the owner (unless ``binds`` is False), there may be no owner, and a ruling decides between equal
    holdings."""  # rule 5.6, 5.7
    owner = owner_of(title, state, company)
    if binds and bound(title, state, company):
        return owner
    return director_after(title, state, company, _claimants(title, state, company, owner, after), after)


def _claimants(
    title: Title, state: State, company: CompanyId, owner: Actor | None, after: Mapping[Place, int]
) -> tuple[Actor, ...]:
    """All who could take over, in the order that decides between equal holdings: players clockwise from the left of the
    owner, or of the player who controls it (under the site's ruling, from the priority holder), then companies in
    running order."""  # rule 5.7
    seat = next((p for p in state.players if p == owner), None)
    if seat is None and owner is not None and rulings_of(title).company_successors == "controller":
        seat = controller_of(title, state, CompanyId(owner))
    players = from_player(state, state.priority) if seat is None else (*from_left_of(state, seat), seat)
    there: set[Place] = {*holders(state, company), *after} - {company}
    running = title.policies.operating_order(title, state)
    companies: tuple[Actor, ...] = tuple(c for c in running if c in there)
    return tuple(h for h in (*players, *companies) if h != owner)


def transfer(play: Play, company: CompanyId, number: int, source: Place, target: Place) -> None:
    """Move ``number`` shares, and settle the president. If ordinary certificates are too few, the president's
    certificate goes with them: to the holder who then has most, or to the pool. A seller who keeps one share of it gets
    that share from the new holder.

    The caller has checked that this is allowed and possible."""
    title, state = play.title, play.state
    after: dict[Place, int] = {
        source: shares(title, state, source, company) - number,
        target: shares(title, state, target, company) + number,
    }
    _arrange(play, company, after)


def settle_president(play: Play, company: CompanyId, binds: bool = True) -> None:
    """Give the president's certificate to its rightful holder for two of his shares. It may lie with a holder who no
    longer has most, or in the pool while somebody has two shares. ``binds``: a concession keeps the president in
    office."""
    # rule 5.6, 11.6
    _arrange(play, company, {}, binds)


def review_presidents(play: Play) -> None:
    """Settle the president of every company after the concessions have gone."""  # rule 9.3
    for company in play.title.policies.operating_order(play.title, play.state):
        settle_president(play, company)


def _arrange(play: Play, company: CompanyId, after: Mapping[Place, int], binds: bool = True) -> None:
    """Give the places ``after`` so many shares, and the rightful holder the president's certificate."""
    title, state = play.title, play.state
    old = _place_of(state, company, director_kind(title, state, company))
    owner = next_owner(title, state, company, after, binds)
    new: Place = owner if owner is not None else POOL
    if (binds and bound(title, state, company)) or (old != POOL and owner_of(title, state, company) is None):
        new = old  # a concession keeps it there, or nobody has bought it yet
    rearrange(play, company, after, new)
    if new == old:
        return  # who controls which company is as it was
    if new != POOL:
        play.emit(DirectorChanged(company, CompanyId(new)))
    tell_frozen(play, frozen(title, state))


def _place_of(state: State, company: CompanyId, kind: str) -> Place:
    return next(place for (place, of, which), n in state.holdings.items() if of == company and which == kind and n)


# ---- frozen companies -----------------------------------------------------------------------------------------------


def frozen(title: Title, state: State) -> frozenset[CompanyId]:
    """Companies in play that nobody controls: the president's certificate lies in the pool, or there is a circle."""
    # rule 5.9, 11.2
    return frozenset(
        c for c, now in state.companies.items() if now.status == "open" and controller_of(title, state, c) is None
    )


def tell_frozen(play: Play, before: frozenset[CompanyId]) -> None:
    """Report every company that is frozen now and was not ``before``."""
    title, state = play.title, play.state
    now = frozen(title, state)
    for company in title.companies:
        if company in now and company not in before:
            play.emit(Froze(company, circle_of(title, state, company)))
