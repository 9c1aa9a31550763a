"""The merger round: liquidations and acquisitions first, then offers of privates, then the turns in which companies may
convert or merge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.events import Lapsed, Passed
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Borrow, Convert, Decline, Merge, Merger, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.steps.consent import Consent, ConsentStep, ask_consent
from engine.titles.t1863.failures.liquidation import begin_liquidations
from engine.titles.t1863.mergers.choice import (
    Proposal,
    carry_out,
    check_merge,
    list_mergers,
    may_merge,
    others_who_agree,
    outcome,
    parts_of,
)
from engine.titles.t1863.mergers.conversion import check_convert, check_kind, convert, list_conversions, markers_cost
from engine.titles.t1863.money.loans import check_loans, credit, loan_room, take_loans
from engine.titles.t1863.names import ACQUIRED, mark
from engine.titles.t1863.policies import director
from engine.titles.t1863.privates.sales import ask_for_offers
from engine.titles.t1863.stock.market import in_white, merger_order

Stage = Literal["failing", "offers", "companies"]


@dataclass(frozen=True, slots=True)
class MergerRound(Frame):
    """``done``: companies that have had their turn. ``used``: companies that have converted or merged, in their own
    turn or not. ``turn``: the company on turn. ``failed``: the mergers refused in this turn."""

    stage: Stage = "failing"
    done: frozenset[CompanyId] = frozenset()
    used: frozenset[CompanyId] = frozenset()
    turn: CompanyId | None = None
    failed: frozenset[Proposal] = frozenset()


def begin_merger_round(play: Play) -> None:
    """Put a merger round on the agenda."""  # rule 8.9
    play.push(MergerRound())


class MergerRoundStep:
    """Asks each company in the white area that could convert or merge, the cheapest first."""

    # rule 8.9, 12.40, 8.10, 8.11

    def asked(self, title: Title, state: State, frame: MergerRound) -> tuple[Ask, ...]:
        company = frame.turn
        if company is None or not self._able(title, state, frame, company):
            return ()
        player = director(title, state, company)
        assert player is not None, frame
        about = (company, str(title.price(state, company)))
        return (Ask(player, company, "merger.turn", about, Decline(company)),)

    def _able(self, title: Title, state: State, frame: MergerRound, company: CompanyId) -> bool:
        """True if the company could convert, with loans if necessary, or merge with others."""
        now = state.companies[company]
        if now.status != "open" or not in_white(title, state, company) or director(title, state, company) is None:
            return False
        means = state.money(company) + credit(title, state, company)
        if means >= markers_cost(title, 1) and not any(check_kind(title, state, company)):
            return True
        return may_merge(title, state, company, used_in(state, frame), frame.failed)

    def menu(self, title: Title, state: State, frame: MergerRound, ask: Ask) -> Menu:
        return (*self._choices(title, state, frame, CompanyId(ask.actor)), Exact(Decline(CompanyId(ask.actor))))

    def _choices(self, title: Title, state: State, frame: MergerRound, company: CompanyId) -> Iterator[Choice]:
        yield from list_conversions(title, state, company)
        for order in list_mergers(title, state, company, used_in(state, frame), frame.failed):
            yield Exact(order)
        if room := loan_room(title, state, company):
            yield Range(Borrow(company, 1), "count", 1, room)

    def cost(self, title: Title, state: State, frame: MergerRound, order: Order) -> int | None:
        """The price of the markers that the company buys when it converts."""
        return markers_cost(title, order.markers) if isinstance(order, Convert) and order.markers else None

    # ---- orders ---------------------------------------------------------------------------------------------------

    def decide(self, play: Play, frame: MergerRound, ask: Ask, order: Order) -> None:
        match order:
            case Decline():
                play.emit(Passed(order.actor))
                play.become(_over(frame))
            case Convert():
                play.note(check_convert(play.title, play.state, order))
                if not play.failures and order.markers is not None:
                    play.become(_over(frame, order.actor))
                    convert(play, order.actor, order.markers)
            case Merge():
                self._merge(play, frame, ask.player, order)
            case Borrow():
                play.note(check_loans(play.title, play.state, order.actor, order.count))
                if not play.failures:
                    take_loans(play, order.actor, order.count)
            case _:
                play.refuse("order.wrong_kind", asked=ask.what)

    def _merge(self, play: Play, frame: MergerRound, player: PlayerId, order: Merge) -> None:
        """Carry out a merger, or first ask the other controllers for consent."""
        play.note(check_merge(play.title, play.state, order, used_in(play.state, frame), frame.failed))
        if play.failures:
            return
        others = others_who_agree(play.title, play.state, order, player)
        if others:  # rule 8.2, 8.3
            subject = Merger(parts_of(order), order.into)
            ask_consent(play, order, player, subject, tuple((other, other) for other in others))
        else:
            _carry_out(play, frame, order)

    def advance(self, play: Play, frame: MergerRound) -> None:
        if frame.stage == "failing":
            play.become(replace(frame, stage="offers"))
            begin_liquidations(play)
        elif frame.stage == "offers":
            play.become(replace(frame, stage="companies"))
            ask_for_offers(play)
        elif frame.turn is not None:
            play.become(_over(frame))
        else:
            done = frame.done | used_in(play.state, frame)
            following = next((c for c in merger_order(play.title, play.state) if c not in done), None)
            if following is None:
                play.pop()
            else:
                play.become(replace(frame, turn=following))


def used_in(state: State, frame: MergerRound) -> frozenset[CompanyId]:
    """The companies that have taken part in a conversion, a merger or an acquisition of this round. No company takes
    part in more than one."""  # rule 8.9
    return frame.used | mark(state, ACQUIRED, frozenset[CompanyId]())


def _over(frame: MergerRound, *used: CompanyId) -> MergerRound:
    """The round after this turn. A company that has declined may still take part in another company's merger."""
    turn = frozenset[CompanyId]() if frame.turn is None else frozenset({frame.turn})
    return MergerRound(frame.stage, frame.done | turn, frame.used.union(used))


def _carry_out(play: Play, frame: MergerRound, order: Merge) -> None:
    play.become(_over(frame, *parts_of(order)))
    carry_out(play, parts_of(order), order.into)


def _round_of(play: Play) -> MergerRound:
    frame = play.state.top
    assert isinstance(frame, MergerRound), frame
    return frame


def _granted(play: Play, consent: Consent) -> None:
    """Check the merger again, because money may have changed hands since the order, and carry it out. If it is no
    longer legal, it lapses."""
    frame, order = _round_of(play), consent.order
    assert isinstance(order, Merge), order
    if check_merge(play.title, play.state, order, used_in(play.state, frame), frame.failed):
        play.emit(Lapsed(order))
        _refused(play, consent)
    else:
        _carry_out(play, frame, order)


def _refused(play: Play, consent: Consent) -> None:
    """Note the refusal. The company is asked again, but may not propose this merger again in this turn. With another
    survivor it is another merger."""  # rule 8.3
    frame, order = _round_of(play), consent.order
    assert isinstance(order, Merge), consent
    play.become(replace(frame, failed=frame.failed | {(frozenset(parts_of(order)), order.into)}))


class _MergerConsent(ConsentStep):
    """Consent to a merger. The question says what the merger leads to: the price, the president, the number of shares
    that he has to buy, and what they cost."""

    def asked(self, title: Title, state: State, frame: Consent) -> tuple[Ask, ...]:
        order = frame.order
        assert isinstance(order, Merge), order
        new, price = outcome(title, state, parts_of(order), order.into)
        facts = (str(price), new.president, str(new.bought), str(new.bought * price))
        asks = ConsentStep.asked(self, title, state, frame)
        return tuple(replace(ask, about=(*ask.about, *facts)) for ask in asks)


CONSENTS = _MergerConsent(_granted, _refused)
"""The consent step for mergers."""
