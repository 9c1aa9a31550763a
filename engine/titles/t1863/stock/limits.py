"""Limits on holdings: the certificates of a player, 60% of a major for a player with the companies that he controls,
and 50% for one company."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.control import controlled_by
from engine.holders.ledger import all_shares_in, counted, held_together, holders, shares
from engine.holders.succession import becomes_director
from engine.shares.limits import limit_of
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.names import TWO
from engine.titles.t1863.stock.circles import circles_now, over_circle
from engine.titles.t1863.stock.shares import is_major, is_minor, shorts_of

TOGETHER: Final = 6
"""The most shares of one major that a player may hold together with the companies that he controls."""
BY_COMPANY: Final = 5
"""The most shares of one major that a company may hold."""
CERTIFICATES: Final = "certificates"
PLAYER: Final = "player"
COMPANY: Final = "company"
CIRCLE: Final = "circle"
"""The limits that a holder may exceed."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A holding over a limit. ``what`` is the limit, ``holder`` the entity that exceeds it, ``company`` the company of
    the shares (empty for certificates), and ``over`` the excess."""

    what: str
    holder: Actor
    company: str
    over: int


def certificate_room(title: Title, state: State, player: PlayerId) -> int:
    """The number of certificates that the player may still take; negative if he is over his limit."""  # rule 4.1, 4.12
    return limit_of(title, state) - counted(title, state, player)


def room_for(title: Title, state: State, holder: Actor, company: CompanyId, own: int = 0) -> int:
    """The number of shares of the company that the holder may still get under all limits; 2 or 0 for a minor. Shares
    that match the holder's shorts are returned at once and break no limit. ``own``: how many of them come from another
    holder whose shares count together with his, and so do already."""  # rule 4.1, 4.13
    player = player_of(state, holder)
    if is_minor(title, state, company):
        return TWO if player is None or certificate_room(title, state, player) > 0 else 0
    together = TOGETHER - held_together(title, state, holder, company) + own
    if player is None:
        return max(0, min(together, BY_COMPANY - shares(title, state, holder, company)))
    room = max(0, min(together, _certificates(title, state, player, company)))
    return room + shorts_of(state, player, company)


def _certificates(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    """The number of shares that the certificate limit still allows the player. On becoming president he exchanges two
    single shares for one certificate, so he has room for one share more."""
    room = certificate_room(title, state, player)
    return room + (room >= 0 and becomes_director(title, state, company, player, room + 1))


def check_limits(
    title: Title, state: State, holder: Actor, company: CompanyId, more: int, own: int = 0
) -> list[Failure]:
    """Every limit that ``more`` shares of the company would break. ``own``: how many of them already count together
    with the holder's."""  # rule 4.1, 4.14
    if more <= room_for(title, state, holder, company, own):
        return []
    player, failures = player_of(state, holder), list[Failure]()
    facts: dict[str, Fact] = {"company": company, "holder": holder, "more": more}
    if player is not None and more > _spare(title, state, player, company):
        held, limit = counted(title, state, player), limit_of(title, state)
        failures.append(Failure("limit.certificates", {**facts, "held": held, "limit": limit}))
    if is_minor(title, state, company):
        return failures
    together = held_together(title, state, holder, company) - own
    if together + more - _covered(state, player, company) > TOGETHER:
        each = by_holder(title, state, holder, company)
        failures.append(Failure("limit.player", {**facts, "held": together, "most": TOGETHER, "holders": each}))
    held = shares(title, state, holder, company)
    if player is None and held + more > BY_COMPANY:
        failures.append(Failure("limit.company", {**facts, "held": held, "most": BY_COMPANY}))
    return failures


def _spare(title: Title, state: State, player: PlayerId, company: CompanyId) -> int:
    if is_minor(title, state, company):
        return TWO if certificate_room(title, state, player) > 0 else 0
    return max(0, _certificates(title, state, player, company)) + shorts_of(state, player, company)


def _covered(state: State, player: PlayerId | None, company: CompanyId) -> int:
    return 0 if player is None else shorts_of(state, player, company)


def by_holder(title: Title, state: State, holder: Actor, company: CompanyId) -> tuple[tuple[str, int], ...]:
    """The shares of ``company`` that count together for the holder, as pairs of an entity and its shares."""
    player = decider_of(title, state, holder)
    mine = {holder} if player is None else {player, *controlled_by(title, state, player)}
    return tuple((h, shares(title, state, h, company)) for h in holders(state, company) if h in mine)


def excess(title: Title, state: State, player: PlayerId) -> tuple[Excess, ...]:
    """Every limit that the player or a company that he controls exceeds."""  # rule 4.1, 12.13
    found = []
    if (room := certificate_room(title, state, player)) < 0:
        found.append(Excess(CERTIFICATES, player, "", -room))
    mine = controlled_by(title, state, player)
    together = all_shares_in(title, state, (player, *mine))
    each = {holder: all_shares_in(title, state, (holder,)) for holder in mine}
    for company in state.prices:
        if not is_major(title, state, company):
            continue
        over = together.get(company, 0) - TOGETHER
        if over > 0:
            found.append(Excess(PLAYER, player, company, over))
        for holder in mine:
            over = each[holder].get(company, 0) - BY_COMPANY
            if over > 0:
                found.append(Excess(COMPANY, holder, company, over))
    found += [
        Excess(CIRCLE, circle[0], circle[1], over_circle(title, state, circle))
        for circle in sorted(circles_now(title, state))
        if circle[0] in mine
    ]
    return tuple(found)
