"""The merger that a company orders in its financial step: the companies that may merge, and into which new one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.acts.act import Act, Turn, turn_of
from engine.board.network import meet
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import Lapsed
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Merge, Merger, Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import chain_of, circle_of, controller_of
from engine.steps.consent import Consent, ask_consent
from engine.titles.t1841.mergers.assets import free_majors, is_free_major
from engine.titles.t1841.mergers.merger import Merging, Terms, Tried, begin_merger, failure_of, prices_of
from engine.titles.t1841.names import HISTORICAL, NO_CONCESSIONS_PHASE
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import new_circle
from engine.titles.t1841.stock.limits import has_history
from engine.titles.t1841.track.crossings import missing_link


@dataclass(frozen=True, slots=True)
class MergeCompanies(Act):
    """Merge two companies of one class into a new one. This ends the turn."""  # rule 10.10

    takes = (Merge,)
    ends = True
    notes = (Tried,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        into = free_majors(title, state)
        if not into or any(_unfit(title, state, turn.company)):
            return
        for other in title.companies:
            if any(_check_pair(title, state, turn, other)) or not _joined(title, state, turn.company, other):
                continue
            cells = prices_of(title, state, (turn.company, other))
            prices = [title.chart.price(cell) for cell in cells] if len(cells) > 1 else [None]
            for price in prices:
                order = Merge(turn.company, (other,), into[0], price=price)
                if not _foreseen(title, state, turn, player, order):  # whatever the new company is called
                    yield from (Exact(replace(order, into=new)) for new in into)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Merge)
        play.note(check_merge(play.title, play.state, turn, player, order))
        if play.failures:
            return
        other = order.minors[0]
        agrees = controller_of(play.title, play.state, other)
        if rulings_of(play.title).merger_consent and agrees is not None and agrees != player:  # rule 10.13
            ask_consent(play, order, player, Merger(order.minors, order.into), ((agrees, other),))
        else:
            _merge(play, player, order)

    def granted(self, play: Play, consent: Consent) -> None:
        order, turn = consent.order, turn_of(play.state)
        assert isinstance(order, Merge)
        player = controller_of(play.title, play.state, turn.company)
        if player is None or check_merge(play.title, play.state, turn, player, order):
            play.emit(Lapsed(order))
        else:
            _merge(play, player, order)

    def refused(self, play: Play, consent: Consent) -> None:
        assert isinstance(consent.order, Merge)
        turn = turn_of(play.state)
        play.become(turn.noting(Tried((*turn.note(Tried).partners, consent.order.minors[0]))))


def _merge(play: Play, player: PlayerId, order: Merge) -> None:
    company = CompanyId(order.actor)
    begin_merger(play, (company, order.minors[0]), order.into, Terms(player, order.price))


def check_merge(title: Title, state: State, turn: Turn, player: PlayerId, order: Merge) -> list[Failure]:
    """Every reason why the company may not merge as ordered. A merger that asks nobody is refused if it would have to
    be taken back."""
    failures = list(_unfit(title, state, turn.company))
    if len(order.minors) != 1:
        failures.append(Failure("merge.two", {"company": turn.company, "others": order.minors}))
        return failures
    if order.keep:
        failures.append(Failure("order.no_such_part", {"part": "keep"}))
    other = order.minors[0]
    found = check_partner(title, state, turn, other)
    failures += found
    if not is_free_major(title, state, order.into):
        failures.append(Failure("merge.charter", {"company": order.into, "free": free_majors(title, state)}))
    if failures:
        return failures
    failures += _check_price(title, state, (turn.company, other), order.price)
    return failures or _foreseen(title, state, turn, player, order)


def check_partner(title: Title, state: State, turn: Turn, other: CompanyId) -> list[Failure]:
    """Every reason why the company whose turn it is may not merge with ``other``."""
    # rule 10.10, 10.11, clarification 2.1, 2.29, 3.7
    company = turn.company
    failures = list(_check_pair(title, state, turn, other))
    if _another(state, company, other) and not _joined(title, state, company, other):
        failures.append(missing_link(title, state, company, other))
    return failures


def _check_pair(title: Title, state: State, turn: Turn, other: CompanyId) -> Iterator[Failure]:
    """Every reason against a merger of the two that does not depend on the map."""
    company = turn.company
    if other not in state.companies or other == company:
        yield Failure("merge.partner", {"company": company, "other": other})
        return
    yield from _unfit(title, state, other)
    if not _another(state, company, other):
        return
    kinds = tuple(charter_of(title, state, c).kind for c in (company, other))
    if kinds[0] != kinds[1]:
        yield Failure("merge.class", {"companies": (company, other), "kinds": kinds})
    if other in turn.note(Tried).partners:
        yield Failure("merge.tried", {"company": company, "other": other})


def may_merge(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company could merge if it had a partner."""
    return not any(_unfit(title, state, company))


def _another(state: State, company: CompanyId, other: CompanyId) -> bool:
    return other in state.companies and other != company and state.companies[other].status == "open"


def _joined(title: Title, state: State, company: CompanyId, other: CompanyId) -> bool:
    """True if a way joins a city token of one with one of the other."""
    return meet(state.board, company, other, title.policies.ways(title, state, company, "token"))


def _unfit(title: Title, state: State, company: CompanyId) -> Iterator[Failure]:
    """Why a company cannot take part in a merger."""
    status = state.companies[company].status
    if status != "open":
        yield Failure("merge.not_in_play", {"company": company, "status": status})
        return
    if not has_history(state, company):  # clarification 1.3, 5.3
        yield Failure("merge.not_operated", {"company": company})
    yield from check_controlled(title, state, company)
    if too_early(title, state, company):
        yield Failure("merge.historical", {"company": company, "phase": state.phase, "from": NO_CONCESSIONS_PHASE})


def check_controlled(title: Title, state: State, company: CompanyId) -> Iterator[Failure]:
    """Why a company that nobody controls may not merge or transform."""  # rule 10.10, 10.22, 11.4
    if controller_of(title, state, company) is None:
        chain, circle = chain_of(title, state, company), circle_of(title, state, company)
        yield Failure("merge.frozen", {"company": company, "chain": chain, "circle": circle})


def too_early(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is a historical one that may not merge or transform yet."""  # rule 10.10, 10.22
    return company in HISTORICAL and not title.reached(state, NO_CONCESSIONS_PHASE)


def _check_price(
    title: Title, state: State, parts: tuple[CompanyId, CompanyId], price: int | None
) -> Iterator[Failure]:
    """Why the price is missing or wrong. It must be chosen if both companies are above 250 L. at different prices."""
    prices = tuple(title.chart.price(cell) for cell in prices_of(title, state, parts))
    if len(prices) > 1 and price is None:
        yield Failure("merge.price_missing", {"companies": parts, "prices": prices})
    elif price is not None and price not in prices:
        yield Failure("merge.price", {"companies": parts, "price": price, "prices": prices})


def _foreseen(title: Title, state: State, turn: Turn, player: PlayerId, order: Merge) -> list[Failure]:
    """Why the merger would be taken back: it ends without a president, or closes a circle. Empty if a question comes
    first, whose answer decides."""  # rule 10.19, 11.1, clarification 3.1, 3.6
    parts = (turn.company, order.minors[0])
    play = Play(title, state)
    begin_merger(play, parts, order.into, Terms(player, order.price))
    while not isinstance(play.state.top, Merging):
        step, frame = title.steps[type(play.state.top)], play.state.top
        if step.asked(title, play.state, frame):
            return []
        step.advance(play, frame)
    reason = failure_of(title, play.state.top, play.state)
    if reason is None:
        return []
    facts: dict[str, Fact] = {"companies": parts, "into": order.into}
    if reason == "circle":
        return [Failure("merge.circle", {**facts, "circle": new_circle(title, state, play.state)})]
    return [Failure("merge.no_president", facts)]
