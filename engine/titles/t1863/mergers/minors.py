"""The merger of minors into one major."""

from __future__ import annotations

from engine.core.events import CertificatesSet, Chartered, DirectorChanged, Exchanged, Merged
from engine.core.ids import POOL, Actor, Cell, CompanyId, Place
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import owner_of
from engine.titles.t1863.entities import player_of
from engine.titles.t1863.mergers.goods import join_goods, settle_surplus
from engine.titles.t1863.mergers.markers import join_markers
from engine.titles.t1863.mergers.shares import NewShares, buy_up, certificate_list, president_of
from engine.titles.t1863.names import TWO
from engine.titles.t1863.stock.market import highest_not_above, set_price
from engine.titles.t1863.stock.shares import major_charter, return_unopened
from engine.titles.t1863.stock.windows import open_windows


def merged_cell(title: Title, state: State, parts: tuple[CompanyId, ...]) -> Cell:
    """The cell of a merged company: the highest whose price is not above the sum of the old prices."""
    # rule 8.2, 8.3, 8.16
    return highest_not_above(title, sum(title.price(state, part) for part in parts))


def shares_for_minors(title: Title, state: State, parts: tuple[CompanyId, ...], survivor: CompanyId) -> NewShares:
    """The shares of the new major: one for each minor, given to its owner. A minor owned by another of the merging
    minors brings none."""
    # rule 8.2, 12.42, 8.15
    owners = [owner_of(title, state, part) for part in parts]
    totals: dict[Actor, int] = {}
    for owner in owners:
        if owner is not None and owner not in parts:
            totals[owner] = totals.get(owner, 0) + 1
    president = president_of(title, state, totals, survivor)
    bought = max(0, TWO - totals[president])
    held: dict[Place, int] = {o: n + (bought if o == president else 0) for o, n in totals.items()}
    return NewShares(president, held, bought)


def begin_as_major(play: Play, parts: tuple[CompanyId, ...], survivor: CompanyId, new: NewShares) -> None:
    """Make the survivor a major with its new price and shares, and remove all certificates of the others. The new
    president pays for the shares that he needs."""  # rule 8.2, 8.3
    title, before = play.title, play.state
    cell, old = merged_cell(title, before, parts), owner_of(title, before, survivor)
    markers = charter_of(title, before, survivor).markers
    play.emit(
        Merged(parts, survivor, title.chart.price(cell)),
        Chartered(survivor, major_charter(title, survivor, markers)),
        *(CertificatesSet(part, ()) for part in parts if part != survivor),
        CertificatesSet(survivor, certificate_list(new.president, new.held, new.shorts)),
    )
    set_price(play, survivor, cell, "merged")
    for place, number in new.held.items():
        if place != POOL:
            holder = player_of(before, CompanyId(place)) or CompanyId(place)
            given = number - (new.bought if holder == new.president else 0)
            play.emit(Exchanged(holder, survivor, given, holder == new.president and given >= TWO))
    if old != new.president:
        play.emit(DirectorChanged(survivor, new.president))
    buy_up(play, survivor, new)


def join_all(play: Play, parts: tuple[CompanyId, ...], survivor: CompanyId) -> None:
    """Move everything that the others have to the survivor, and return their charters unopened. Call this last."""
    # rule 8.2, 8.3, 8.7, 12.46
    others = tuple(part for part in parts if part != survivor)
    for other in others:
        join_markers(play, other, survivor)
    join_goods(play, others, survivor)
    for other in others:
        return_unopened(play, other, "merged")
    settle_surplus(play, survivor)


def merge_minors(play: Play, parts: tuple[CompanyId, ...], survivor: CompanyId) -> None:
    """Carry out a checked merger of minors. Then the president may buy shares, and after him the other players. Call
    this last."""
    # rule 8.2
    new = shares_for_minors(play.title, play.state, parts, survivor)
    begin_as_major(play, parts, survivor, new)
    open_windows(play, survivor, new.president, "buy_or_short")
    join_all(play, parts, survivor)
