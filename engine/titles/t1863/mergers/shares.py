"""The shares of a company after a merger or a refinancing: its president, the place of each share, and the order of
holders.

Ten shares lie outside the open short interest, and one more for each short that players have. Shares that nobody holds
lie on the charter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.core.checks import Fact, Failure
from engine.core.events import Bought, CertificatesSet
from engine.core.ids import POOL, TREASURY, Actor, CompanyId, Place, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, controlled_by, owner_of
from engine.holders.ledger import holders, shares
from engine.holders.succession import first_with_most
from engine.titles.t1863.entities import decider_of, player_of
from engine.titles.t1863.failures.lots import all_means
from engine.titles.t1863.money.loans import take_loans
from engine.titles.t1863.names import DIRECTOR, ORDINARY, OSI, SHORT, TEN, TWO
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.stock.shares import PAIRS, seats_from, shorters, shorts_of

HALF: Final = 2
"""The number of old shares that make one new share."""


@dataclass(frozen=True, slots=True)
class NewShares:
    """The shares of a company after the change. ``president``: its president. ``held``: whole shares by holder and in
    the pool, including ``bought``, the shares that the president must buy to have two. ``odd``: holders who also have a
    half share; ``own``: those of them whose half was a share of the survivor. ``pool_half``: half shares in the pool
    that were shares of the survivor, 0 or 1. ``shorts``: whole shorts by player. ``odd_shorts``: players with half a
    short."""

    president: Actor
    held: Mapping[Place, int]
    bought: int = 0
    odd: tuple[Actor, ...] = ()
    own: tuple[Actor, ...] = ()
    pool_half: int = 0
    shorts: Mapping[PlayerId, int] = field(default_factory=dict)
    odd_shorts: tuple[PlayerId, ...] = ()


# ---- order -----------------------------------------------------------------------------------------------------------


def from_left(title: Title, state: State, seat: PlayerId) -> Iterator[Actor]:
    """Yield all entities, starting on the left of the player and ending with him. Each player comes before the
    companies that he controls."""
    # rule 8.3, 12.20
    first, *others = seats_from(state, seat) or state.players
    for player in (*others, first):
        yield player
        yield from controlled_by(title, state, player)


def president_of(title: Title, state: State, totals: Mapping[Actor, int], survivor: CompanyId) -> Actor:
    """The president of a merged company: the holder with most of ``totals``. In a tie, the survivor's president if he
    is among them, otherwise the first who controls it through others, otherwise the first from the left of the player
    who does."""  # rule 8.2, 8.3, 12.20
    old = owner_of(title, state, survivor)
    assert old is not None, survivor
    seat = decider_of(title, state, old)
    order: list[Actor] = [entity for entity in chain_of(title, state, survivor) if entity in totals]
    if seat is not None:
        order += [entity for entity in from_left(title, state, seat) if entity in totals]
    order += [entity for entity in totals if entity not in order]
    found = first_with_most(order, lambda entity: totals[entity], 0)
    assert found is not None, totals
    return found


# ---- halves ----------------------------------------------------------------------------------------------------------


def halved(title: Title, state: State, parts: tuple[CompanyId, ...], survivor: CompanyId) -> NewShares:
    """The new shares when holdings in all ``parts`` are added up and halved. Shares that the parts hold of each other,
    and shares on charters, are left out. A half was a share of the survivor if its holder has an odd number of
    them."""  # rule 8.3, 8.20, 8.24
    found = dict.fromkeys(h for part in parts for h in holders(state, part) if h not in parts)
    totals = {h: sum(shares(title, state, h, part) for part in parts) for h in found}
    totals = {h: n for h, n in totals.items() if n}
    pool = sum(shares(title, state, POOL, part) for part in parts)
    own = frozenset(h for h in (*totals, POOL) if shares(title, state, h, survivor) % HALF)
    odd = tuple(h for h, n in totals.items() if n % HALF)
    shorts = {p: sum(shorts_of(state, p, part) for part in parts) for p in state.players}
    president = president_of(title, state, totals, survivor)
    held: dict[Place, int] = {h: n // HALF for h, n in totals.items()}
    bought = max(0, TWO - held[president])
    return NewShares(
        president,
        {**held, president: held[president] + bought, POOL: pool // HALF},
        bought,
        odd,
        tuple(h for h in odd if h in own),
        int(pool % HALF and POOL in own),
        {p: n // HALF for p, n in shorts.items()},
        tuple(p for p, n in shorts.items() if n % HALF),
    )


# ---- certificates ----------------------------------------------------------------------------------------------------


def certificate_list(
    president: Actor, held: Mapping[Place, int], shorts: Mapping[PlayerId, int]
) -> tuple[tuple[Place, str, int], ...]:
    """The certificates of a major, as rows of place, kind and number. Shares in the pool beyond the permitted total are
    removed. If players and companies alone hold more than that, as half shorts that are bought out may cause, one pair
    is removed for each share too many."""
    # rule 8.3, 12.43
    out = sum(shorts.values())
    there = TEN + out
    hands = sum(n for place, n in held.items() if place != POOL)
    pool = min(held.get(POOL, 0), max(0, there - hands))
    pairs = PAIRS - out - max(0, hands - there)
    rows: list[tuple[Place, str, int]] = [(president, DIRECTOR, 1)]
    rows += [(h, ORDINARY, n - TWO if h == president else n) for h, n in held.items() if h != POOL]
    rows += [(POOL, ORDINARY, pool), (TREASURY, ORDINARY, max(0, there - hands - pool))]
    rows += [(OSI, ORDINARY, pairs), (OSI, SHORT, pairs)]
    rows += [(player, SHORT, n) for player, n in shorts.items()]
    return tuple(row for row in rows if row[2])


def count_anew(play: Play, company: CompanyId, shorts: Mapping[PlayerId, int] | None = None) -> None:
    """Recount the charter of a major and its open short interest from the shares that are held and the ``shorts``
    (None: the present ones)."""  # rule 12.43
    title, state = play.title, play.state
    president = owner_of(title, state, company)
    assert president is not None, company
    places: tuple[Place, ...] = (*holders(state, company), POOL)
    held = {place: shares(title, state, place, company) for place in places}
    given = {p: shorts_of(state, p, company) for p in shorters(state, company)} if shorts is None else shorts
    wanted = certificate_list(president, held, given)
    now = tuple((place, kind, n) for (place, of, kind), n in state.holdings.items() if of == company and n)
    if set(wanted) != set(now):
        play.emit(CertificatesSet(company, wanted))


# ---- the president ---------------------------------------------------------------------------------------------------


def check_president(title: Title, state: State, company: CompanyId, new: NewShares, price: int) -> Iterator[Failure]:
    """The reason why the company would have no president: the holder due to be president cannot pay for two shares."""
    # rule 8.2, 12.42
    cost, means = new.bought * price, all_means(title, state, new.president)
    if cost > means:
        facts: dict[str, Fact] = {"company": company, "holder": new.president, "count": new.bought}
        yield Failure("merge.president", {**facts, "cost": cost, "means": means})


def buy_up(play: Play, company: CompanyId, new: NewShares) -> None:
    """Let the president pay the company for the shares that he needs to have two. If the president is a company, it
    takes as few loans as it needs."""  # rule 8.2, 8.3, 12.42
    if not new.bought:
        return
    cost, president = new.bought * play.title.price(play.state, company), new.president
    if player_of(play.state, president) is None and (lacking := cost - play.state.money(president)) > 0:
        take_loans(play, CompanyId(president), -(-lacking // loan(play.title)))
    play.pay(president, company, cost, "share", company)
    play.emit(Bought(president, company, new.bought, cost, "treasury"))
