"""The president of a company, and moves of shares that keep the president's certificate where it belongs.

Players and companies compete: a holder with more shares than the president takes over the president's certificate in
exchange for two single shares. No company can take over a company that is above it, so no circle of presidents ever
closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.events import CertificatesMoved, Covered, DirectorChanged
from engine.core.ids import Actor, CompanyId, Place
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, controller_of, owner_of
from engine.holders.ledger import holders, shares
from engine.holders.succession import director_after, from_left_of, rearrange
from engine.titles.t1863.entities import decider_of
from engine.titles.t1863.names import DIRECTOR, OSI, SHORT
from engine.titles.t1863.stock.shares import is_minor, match_shorts_of, shorts_of


def successor_of(title: Title, state: State, company: CompanyId, left: int | None = None) -> Actor | None:
    """The holder who takes over from the president if that has only ``left`` shares (None: his present shares). None if
    the president stays, and for a minor."""  # rule 4.3, 4.4
    owner = owner_of(title, state, company)
    if is_minor(title, state, company):
        return None
    after: dict[Place, int] = {} if owner is None or left is None else {owner: left}
    found = next_president(title, state, company, after)
    return None if found == owner else found


def next_president(title: Title, state: State, company: CompanyId, after: Mapping[Place, int]) -> Actor | None:
    """The president of a major once the places in ``after`` have these numbers of shares. The president stays unless
    another holder has more or he has fewer than two. None if nobody has two."""  # rule 4.4, 12.20
    owner = owner_of(title, state, company)
    return director_after(title, state, company, _claimants(title, state, company, owner, after), after)


def _claimants(
    title: Title, state: State, company: CompanyId, owner: Actor | None, after: Mapping[Place, int]
) -> Iterator[Actor]:
    """Yield everybody who could take over, in the order that breaks ties: from the left of the president, each player
    before the companies that he controls."""  # rule 12.20
    seat = None if owner is None else decider_of(title, state, owner)
    first = state.priority if seat is None else seat
    there: set[Place] = {*holders(state, company), *after}
    order = title.policies.operating_order(title, state)
    firms = sorted(
        (c for c in state.companies if c in there and c != company and company not in chain_of(title, state, c)),
        key=lambda c: order.index(c) if c in order else len(order),
    )
    for player in (*from_left_of(state, first), first):
        mine: tuple[Actor, ...] = (player, *(c for c in firms if controller_of(title, state, c) == player))
        yield from (entity for entity in mine if entity != owner)


def move_shares(play: Play, company: CompanyId, number: int, source: Place, target: Place) -> None:
    """Move shares and settle the presidency. A player with shorts who gets shares returns both in pairs at once. A
    minor moves as a whole.

    The caller must have checked that the move is allowed and that the company has a president afterwards.
    """  # rule 4.4, 4.7
    title, state = play.title, play.state
    if is_minor(title, state, company):
        play.emit(CertificatesMoved(company, DIRECTOR, 1, source, target), DirectorChanged(company, CompanyId(target)))
        return
    after = after_move(title, state, company, number, source, target)
    _arrange(play, company, after)
    covered = after.get(OSI, 0) - shares(title, state, OSI, company)
    for player in (p for p in state.players if p == target and covered > 0):
        play.emit(CertificatesMoved(company, SHORT, covered, player, OSI), Covered(player, company, covered))


def after_move(
    title: Title, state: State, company: CompanyId, number: int, source: Place, target: Place
) -> dict[Place, int]:
    """The shares of each place that changes when shares move. Shares that match shorts go on to the open short
    interest."""  # rule 4.7
    player = next((p for p in state.players if p == target), None)
    covered = 0 if player is None else min(number, shorts_of(state, player, company))
    after: dict[Place, int] = {
        source: shares(title, state, source, company) - number,
        target: shares(title, state, target, company) + number - covered,
    }
    return after | {OSI: shares(title, state, OSI, company) + covered} if covered else after


def settle_president(play: Play, company: CompanyId) -> None:
    """Give the president's certificate to the rightful holder, in exchange for two of his single shares. Call this
    after every move of shares that does not use ``move_shares``."""  # rule 4.4, 4.31
    if not is_minor(play.title, play.state, company):
        _arrange(play, company, {})


def _arrange(play: Play, company: CompanyId, after: Mapping[Place, int]) -> None:
    """Give the places in ``after`` these numbers of shares, and the president's certificate to the rightful holder."""
    title, state = play.title, play.state
    found = next_president(title, state, company, after)
    new: Place = _place_of_director(state, company) if found is None else found
    old = rearrange(play, company, after, new)
    if new != old:
        play.emit(DirectorChanged(company, CompanyId(new)))
        for player in (p for p in state.players if p == old):  # rule 4.7: the certificate matched no short, singles do
            match_shorts_of(play, player, company)


def _place_of_director(state: State, company: CompanyId) -> Place:
    return next(place for (place, of, kind), n in state.holdings.items() if of == company and kind == DIRECTOR and n)
