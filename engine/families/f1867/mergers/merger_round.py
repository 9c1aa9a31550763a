"""The merger round: each minor in operating order may convert, or lead a merger to which all owners agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Choice, Exact, Menu
from engine.core.events import Marked, Passed
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Convert, Decline, Merge, Merger, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.families.f1867.mergers.formation import form, keep_problem, merged_price
from engine.families.f1867.names import FAILED_MERGER, MINOR, PUBLIC
from engine.families.f1867.rulings import rulings_of
from engine.families.f1867.stock.starts import may_take_certificate
from engine.families.f1867.turn.connection import connected, partners
from engine.holders.charters import charter_of, of_kind
from engine.holders.control import controller_of
from engine.shares.limits import over_limit
from engine.steps.consent import Consent, ask_consent

MOST_MINORS = 10
MOST_OF_ONE_PLAYER = 6


@dataclass(frozen=True, slots=True)
class MergerRound(Frame):
    """``order``: minors still to come, the one on turn first. ``failed``: groups that it has tried to merge in vain."""

    order: tuple[CompanyId, ...]
    failed: frozenset[frozenset[CompanyId]] = frozenset()


def free_publics(title: Title, state: State) -> tuple[CompanyId, ...]:
    """Public companies that may be formed."""
    return tuple(c for c in of_kind(title, state, PUBLIC) if state.companies[c].status == "unstarted")


def may_convert(title: Title, state: State, minor: CompanyId) -> bool:
    return "convert" in title.chart.marks.get(title.cell(state, minor), frozenset())  # rule 14.4


def owner(title: Title, state: State, minor: CompanyId) -> PlayerId:
    found = controller_of(title, state, minor)
    assert found is not None
    return found


class MergerRoundStep:
    """Asks the owner of each minor that can convert or merge."""

    def asked(self, title: Title, state: State, frame: MergerRound) -> tuple[Ask, ...]:
        if not frame.order or not self._able(title, state, frame.order[0]):
            return ()
        minor = frame.order[0]
        return (Ask(owner(title, state, minor), minor, "merger.turn", (minor,), Decline(minor)),)

    def _able(self, title: Title, state: State, minor: CompanyId) -> bool:
        if state.companies[minor].status != "open" or not free_publics(title, state):
            return False
        return may_convert(title, state, minor) or any(True for _ in partners(title, state, minor))

    def menu(self, title: Title, state: State, frame: MergerRound, ask: Ask) -> Menu:
        return tuple(self._choices(title, state, frame))

    def _choices(self, title: Title, state: State, frame: MergerRound) -> Iterator[Choice]:
        """Conversions and mergers of two minors. Larger groups are legal too, but too many to list."""
        minor = frame.order[0]
        for public in free_publics(title, state):
            if may_convert(title, state, minor):
                yield Exact(Convert(minor, public))
            for other in partners(title, state, minor):
                order = Merge(minor, (other,), public)
                trial = Play(title, state)
                self._check_merge(trial, frame, order)
                if not trial.failures:
                    yield Exact(order)
        yield Exact(Decline(minor))

    def decide(self, play: Play, frame: MergerRound, ask: Ask, order: Order) -> None:
        match order:
            case Decline():
                play.emit(Passed(order.actor))
                self._next(play, frame)
            case Convert():
                self._convert(play, frame, order)
            case Merge():
                self._merge(play, frame, ask.player, order)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _next(self, play: Play, frame: MergerRound) -> None:
        play.become(MergerRound(frame.order[1:]))

    def _require_public(self, play: Play, into: CompanyId) -> None:
        free = free_publics(play.title, play.state)
        play.require(into in free, "form.company", company=into, free=tuple(map(str, free)))

    def _convert(self, play: Play, frame: MergerRound, order: Convert) -> None:
        title, state = play.title, play.state
        self._require_public(play, order.into)
        price = title.price(state, order.actor)
        play.require(may_convert(title, state, order.actor), "convert.zone", company=order.actor, price=price)
        if not play.failures:
            form(play, (order.actor,), order.into, price, (), owner(title, state, order.actor), frame)

    def _check_merge(self, play: Play, frame: MergerRound, order: Merge) -> None:
        title, state = play.title, play.state
        group = (order.actor, *order.minors)
        self._require_public(play, order.into)
        play.require(bool(order.minors), "merge.alone", company=order.actor)
        play.require(len(set(group)) == len(group), "merge.twice", minors=group)
        wrong = tuple(
            m
            for m in order.minors
            if m not in state.companies
            or charter_of(title, state, m).kind != MINOR
            or state.companies[m].status != "open"
        )
        if not play.require(not wrong, "merge.not_minors", companies=wrong):
            return
        play.require(len(group) <= MOST_MINORS, "merge.too_many", count=len(group), most=MOST_MINORS)
        owners = Counter(owner(title, state, m) for m in group)
        for player, n in owners.items():
            play.require(
                n <= MOST_OF_ONE_PLAYER, "merge.of_one_player", player=player, count=n, most=MOST_OF_ONE_PLAYER
            )
        play.require(frozenset(group) not in frame.failed, "merge.tried", minors=group)
        play.require(connected(title, state, group), "merge.connection", minors=group)
        if play.failures:
            return
        self._check_two_shares(play, group, owners)
        if order.keep:
            problem = keep_problem(title, state, group, order.keep)
            if problem is not None:
                play.note((problem,))

    def _check_two_shares(self, play: Play, group: tuple[CompanyId, ...], owners: Counter[PlayerId]) -> None:
        """Refuse a merger in which nobody can come to two shares, where the ruling requires this check in advance."""
        # rule 14.12
        title, state = play.title, play.state
        ruling = rulings_of(title).merger_two_shares
        if max(owners.values()) >= 2 or ruling == "offers":
            return
        price = merged_price(title, state, group)
        able = [p for p in owners if state.money(p) >= price]
        if ruling == "obliged":
            first = next(m for m in title.policies.operating_order(title, state) if m in group)
            able = [p for p in able if p == owner(title, state, first) and self._may_lead(title, state, p)]
        play.require(bool(able), "merge.two_shares", price=price)

    def _may_lead(self, title: Title, state: State, player: PlayerId) -> bool:
        """True if the certificate limit lets the player exchange two shares for the director's certificate."""
        after = rulings_of(title).offer_limit == "after"  # rule 14.15
        return over_limit(title, state, player) <= 0 if after else may_take_certificate(title, state, player)

    def _merge(self, play: Play, frame: MergerRound, player: PlayerId, order: Merge) -> None:
        self._check_merge(play, frame, order)
        if play.failures:
            return
        title, state = play.title, play.state
        group = (order.actor, *order.minors)
        others = dict.fromkeys(owner(title, state, m) for m in group)
        asked = tuple((p, p) for p in others if p != player)
        if asked:  # rule 14.3
            ask_consent(play, order, player, Merger(group, order.into), asked)
        else:
            self._form(play, player, order)

    def _form(self, play: Play, player: PlayerId, order: Merge) -> None:
        group = (order.actor, *order.minors)
        frame = play.state.top
        assert isinstance(frame, MergerRound)
        price = merged_price(play.title, play.state, group)
        again = replace(frame, failed=frame.failed | {frozenset(group)})
        form(play, group, order.into, price, order.keep, player, again)

    def granted(self, play: Play, consent: Consent) -> None:
        assert isinstance(consent.order, Merge)
        self._form(play, consent.player, consent.order)

    def refused(self, play: Play, consent: Consent) -> None:
        """Ask the leader again and bar this group of minors."""
        assert isinstance(consent.order, Merge)
        frame = play.state.top
        assert isinstance(frame, MergerRound)
        group = frozenset((consent.order.actor, *consent.order.minors))
        play.become(replace(frame, failed=frame.failed | {group}))

    def advance(self, play: Play, frame: MergerRound) -> None:
        if frame.order:
            self._next(play, frame)
        else:
            if FAILED_MERGER in play.state.marks:
                play.emit(Marked(FAILED_MERGER, None))
            play.pop()
