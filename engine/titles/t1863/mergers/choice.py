"""The mergers that a company may order: their companies, their survivor, and the checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from engine.core.checks import Failure
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Merge
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of
from engine.titles.t1863.entities import decider_of
from engine.titles.t1863.mergers.goods import surplus_problem
from engine.titles.t1863.mergers.majors import merge_majors
from engine.titles.t1863.mergers.minors import merge_minors, merged_cell, shares_for_minors
from engine.titles.t1863.mergers.shares import NewShares, check_president, halved
from engine.titles.t1863.names import TEN
from engine.titles.t1863.policies import director
from engine.titles.t1863.stock.circles import Circle, circle_refused, circles_now, companies_hold
from engine.titles.t1863.stock.market import in_white
from engine.titles.t1863.stock.shares import is_minor

Proposal = tuple[frozenset[CompanyId], CompanyId]
"""Companies that were to merge, and the one whose charter was to survive."""
TWO_MAJORS = 2


def parts_of(order: Merge) -> tuple[CompanyId, ...]:
    """The companies that an order merges, starting with the company that gives the order."""
    return (order.actor, *order.minors)


def check_merge(
    title: Title, state: State, order: Merge, used: Collection[CompanyId], failed: Collection[Proposal]
) -> list[Failure]:
    """Every reason why the companies may not merge as ordered. ``used``: companies that have converted, merged,
    acquired another or been acquired in this round. ``failed``: mergers that were refused in this turn."""
    # rule 8.9, 8.2, 8.3, 8.12, 8.19
    parts = parts_of(order)
    failures = list(_check_parts(title, state, order))
    if not failures:
        failures += _check_state(title, state, parts, used)
    if (frozenset(parts), order.into) in failed:
        failures.append(Failure("merge.tried", {"companies": parts, "into": order.into}))
    return failures or _check_outcome(title, state, parts, order.into)


def _check_parts(title: Title, state: State, order: Merge) -> Iterator[Failure]:
    """Check that the companies are in play and named once each, and that the survivor is one of them."""
    parts = parts_of(order)
    absent = tuple(part for part in parts if part not in state.companies or state.companies[part].status != "open")
    if absent or len(set(parts)) != len(parts) or len(parts) == 1:
        yield Failure("merge.partner", {"company": order.actor, "others": order.minors, "absent": absent})
    if order.into not in parts:
        yield Failure("merge.survivor", {"companies": parts, "into": order.into})
    if order.keep or order.price is not None:
        yield Failure("order.no_such_part", {"part": "keep" if order.keep else "at"})


def _check_state(
    title: Title, state: State, parts: tuple[CompanyId, ...], used: Collection[CompanyId]
) -> Iterator[Failure]:
    """Check that the companies are of one kind and can merge in this round."""
    minors = tuple(part for part in parts if is_minor(title, state, part))
    if minors and len(minors) < len(parts):
        yield Failure("merge.kind", {"companies": parts, "minors": minors})
    elif not minors and len(parts) > TWO_MAJORS:
        yield Failure("merge.two", {"companies": parts})
    elif len(parts) > TEN:
        yield Failure("merge.too_many", {"count": len(parts), "most": TEN})
    if outside := tuple(part for part in parts if not in_white(title, state, part)):
        yield Failure("merge.zone", {"companies": outside})
    if done := tuple(part for part in parts if part in used):
        yield Failure("merge.used", {"companies": done})
    if new := tuple(part for part in parts if not state.companies[part].operated):
        yield Failure("merge.not_operated", {"companies": new})
    if frozen := tuple(part for part in parts if director(title, state, part) is None):
        yield Failure("merge.frozen", {"companies": frozen})


def _check_outcome(title: Title, state: State, parts: tuple[CompanyId, ...], into: CompanyId) -> list[Failure]:
    """Check that the merged company can repay the loans over its limit, has a president, and closes no circle."""
    new, price = outcome(title, state, parts, into)
    failures = list(check_president(title, state, into, new, price))
    if (surplus := surplus_problem(title, state, parts)) is not None:
        failures.append(surplus)
    if not failures and (circles := circles_of(title, state, parts, into, new)):
        failures.append(circle_refused(title, into, circles))
    return failures


def outcome(title: Title, state: State, parts: tuple[CompanyId, ...], into: CompanyId) -> tuple[NewShares, int]:
    """The shares and the price of the merged company."""
    found = shares_for_minors if is_minor(title, state, into) else halved
    return found(title, state, parts, into), title.chart.price(merged_cell(title, state, parts))


def circles_of(
    title: Title, state: State, parts: tuple[CompanyId, ...], into: CompanyId, new: NewShares
) -> tuple[Circle, ...]:
    """The circles that the merger would close. It closes none while no company has shares of another."""  # rule 4.1
    if not companies_hold(state):
        return ()
    if new.president in state.companies:
        president = CompanyId(new.president)
        if any(part in chain_of(title, state, president) for part in parts):
            return ((president, into),)
    before = {_renamed(circle, parts, into) for circle in circles_now(title, state)}
    play = Play(title, state)
    carry_out(play, parts, into)
    return tuple(sorted(circles_now(title, play.state) - before))


def _renamed(circle: Circle, parts: tuple[CompanyId, ...], into: CompanyId) -> Circle:
    lower, above = (into if company in parts else company for company in circle)
    return lower, above


def carry_out(play: Play, parts: tuple[CompanyId, ...], into: CompanyId) -> None:
    """Carry out a checked merger. Call this last."""
    if is_minor(play.title, play.state, into):
        merge_minors(play, parts, into)
    else:
        merge_majors(play, parts, into)


def others_who_agree(title: Title, state: State, order: Merge, player: PlayerId) -> tuple[PlayerId, ...]:
    """The controllers of the other companies, who must agree. So must a president of none of them who has to buy
    shares: he buys only as many as he wishes."""  # rule 8.2, 8.3
    found = [director(title, state, part) for part in parts_of(order)]
    new, _ = outcome(title, state, parts_of(order), order.into)
    if new.bought:
        found.append(decider_of(title, state, new.president))
    return tuple(dict.fromkeys(p for p in found if p is not None and p != player))


def list_mergers(
    title: Title, state: State, company: CompanyId, used: Collection[CompanyId], failed: Collection[Proposal]
) -> Iterator[Merge]:
    """Every legal merger of the company with one other company. Larger groups of minors are legal too, but there are
    too many to list."""
    for other in state.prices:
        for into in (company, other):
            order = Merge(company, (other,), into)
            if other != company and not check_merge(title, state, order, used, failed):
                yield order


def may_merge(
    title: Title, state: State, company: CompanyId, used: Collection[CompanyId], failed: Collection[Proposal]
) -> bool:
    """True if any merger of the company is legal, with one other company or, if it is a minor, with several."""
    if next(list_mergers(title, state, company, used, failed), None) is not None:
        return True
    if not is_minor(title, state, company):
        return False
    others = [c for c in state.prices if c != company and not any(_check_state(title, state, (company, c), used))]
    groups = (group for size in range(2, min(len(others), TEN - 1) + 1) for group in combinations(others, size))
    return any(
        not check_merge(title, state, Merge(company, group, into), used, failed)
        for group in groups
        for into in (company, *group)
    )
