"""Turns: they take the companies of every title through the acts of a turn, without knowing any act.

an order:  its act -> is it in time? -> duties on the way there -> its checks -> events
a menu:    the offers of the open acts, stage by stage, up to the first stage with a duty
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from engine.acts.act import Act, Turn, turn_of
from engine.core.agenda import Ask, Choice, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import Lapsed
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Done, Order
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.steps.consent import Consent

END: Final = "end"
"""The last stage of every turn."""
HELP: Final = "company.help"
"""The key of the question to others that may do something in a company's turn."""


@dataclass(frozen=True, slots=True)
class Place:
    """An act in the table of a turn: it is open from stage ``first`` to stage ``last``. ``often``: how many times it
    may be done in a turn; None means any number. ``rule``: the rulebook section that says so. Both are for readers; the
    act itself enforces the limit."""

    act: Act
    first: str
    last: str
    often: int | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class End(Act):
    """Ending the turn."""

    takes = (Done,)
    ends = True

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        yield Exact(Done(turn.company))

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        play.become(replace(turn, ended=True))


@dataclass(frozen=True)
class Turns:
    """The turns of a title's companies, as a step of the agenda.

    ``stages``: the stages in the order of play, the last of which is ``END``. ``places``: the acts in the order in
    which they are offered. An order for a later stage skips the stages before it; an order for an earlier stage is
    refused. If several acts take a kind of order, the order belongs to the first that is not over and that it concerns.
    A company that can do nothing until others help is not asked together with them. ``asks``: the key of the question
    in a stage that has its own. ``over``: carries out the effects of the end of a turn.
    """

    stages: tuple[str, ...]
    places: tuple[Place, ...]
    over: Callable[[Play, Turn], None]
    asks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """``ValueError`` for a stage that is not listed, or an act whose last stage comes before its first."""
        if not self.stages or self.stages[-1] != END:
            raise ValueError(f"the last stage of a turn is {END!r}, not {self.stages[-1:]}")
        named = [(type(place.act).__name__, stage) for place in self.places for stage in (place.first, place.last)]
        for what, stage in (*named, *(("asks", stage) for stage in self.asks)):
            if stage not in self.stages:
                raise ValueError(f"{what}: no stage {stage!r}; there are: {', '.join(self.stages)}")
        for place in self.places:
            if self._rank[place.first] > self._rank[place.last]:
                raise ValueError(f"{type(place.act).__name__}: {place.last!r} comes before {place.first!r}")

    def begin(self, company: CompanyId, *notes: Note) -> Turn:
        """Return a company's turn at its first stage."""
        return Turn(company, self.stages[0], notes)

    def is_past(self, turn: Turn, stage: str) -> bool:
        """True if the turn is in a stage after ``stage``."""
        return self._rank[turn.stage] > self._rank[stage]

    def stage_of(self, title: Title, state: State, turn: Turn, order: Order) -> str | None:
        """The first stage in which the order could be given; None if no act of the turn takes it."""
        place = self._place_of(title, state, turn, order)
        return None if place is None else place.first

    @cached_property
    def notes(self) -> tuple[type[Note], ...]:
        """Every kind of note that a turn can hold."""
        return tuple(dict.fromkeys(note for place in self.places for note in place.act.notes))

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        return {stage: rank for rank, stage in enumerate(self.stages)}

    @cached_property
    def _places(self) -> Mapping[type[Order], tuple[Place, ...]]:
        kinds = dict.fromkeys(kind for place in self.places for kind in place.act.takes)
        return {kind: tuple(place for place in self.places if kind in place.act.takes) for kind in kinds}

    @cached_property
    def _helped(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.act.helped)

    @cached_property
    def _leaving(self) -> Mapping[str, tuple[Act, ...]]:
        """The acts that are over after each stage."""
        return {stage: tuple(p.act for p in self.places if p.last == stage) for stage in self.stages}

    # ---- the step -------------------------------------------------------------------------------------------------

    def asked(self, title: Title, state: State, frame: Turn) -> tuple[Ask, ...]:
        if frame.ended or state.companies[frame.company].status != "open":
            return ()
        director = title.policies.director(title, state, frame.company)
        if director is None:
            return ()
        what, about = self.asks.get(frame.stage, "company.turn"), (frame.company, frame.stage)
        own = Ask(director, frame.company, what, about)
        helpers = self._helpers(title, state, frame, director)
        if not helpers:
            return (own,)
        able = any(choice.order.actor == own.actor for choice in self._offers(title, state, frame, director))
        others = (Ask(director, other, HELP, (*about, other)) for other in helpers)
        return (own, *others) if able else tuple(others)

    def menu(self, title: Title, state: State, frame: Turn, ask: Ask) -> Menu:
        offers = self._offers(title, state, frame, ask.player)
        return tuple(choice for choice in offers if choice.order.actor == ask.actor) if self._helped else tuple(offers)

    def _helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        """Those besides the company that can do something in its turn, now or in a later stage that it can reach."""
        begun = self._rank[turn.stage]
        acts = [(max(self._rank[p.first], begun), p.act) for p in self._helped if self._rank[p.last] >= begun]
        if not any(act.helpers(title, state, turn, player) for _, act in acts):
            return ()
        play, found = Play(title, state), list[Actor]()
        for rank in range(begun, max(rank for rank, _ in acts) + 1):
            for at, act in acts:
                found += act.helpers(title, play.state, turn, player) if at == rank else ()
            if self._due(title, play.state, turn, self.stages[rank]):
                break
            turn = self._leave(play, turn, self.stages[rank])
            if not self._goes_on(play.state, turn.company):
                break
        return tuple(dict.fromkeys(found))

    def _offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        """The legal orders of the turn. Orders of later acts are those that are legal in the position in which the turn
        will reach them."""
        play, begun = Play(title, state), self._rank[turn.stage]
        for stage in self.stages[begun:]:
            open_here = stage == END or self._goes_on(play.state, turn.company)
            for place in self.places if open_here else ():
                if max(self._rank[place.first], begun) != self._rank[stage] or place.act.bars(
                    title, play.state, turn.company
                ):
                    continue
                if self._rank[place.last] >= begun and not (
                    self._rank[place.first] > begun and place.act.early(title, play.state, turn)
                ):
                    yield from place.act.offers(title, play.state, turn, player)
            if open_here and (stage == END or self._due(title, play.state, turn, stage)):
                return
            if open_here:
                turn = self._leave(play, turn, stage)

    def cost(self, title: Title, state: State, frame: Turn, order: Order) -> int | None:
        """The price that the company pays for an order; None if no act of the turn takes the order, or if the act has
        no price."""
        place = self._place_of(title, state, frame, order)
        return None if place is None or order.actor != frame.company else place.act.cost(title, state, frame, order)

    def decide(self, play: Play, frame: Turn, ask: Ask, order: Order) -> None:
        place = self._place_of(play.title, play.state, frame, order)
        if place is None or (ask.actor != frame.company and not place.act.helped):
            play.refuse("order.wrong_kind", asked=ask.what)
        elif (failure := self._untimely(play, frame, place)) is not None:
            play.note((failure,))
        else:
            turn = self._go_on_to(play, frame, place.first)
            if turn is not None:
                place.act.carry_out(play, turn, ask.player, order)
            elif not play.failures and place.first != END:
                play.emit(Lapsed(order))

    def advance(self, play: Play, frame: Turn) -> None:
        self.over(play, frame)
        play.pop()

    def granted(self, play: Play, consent: Consent) -> None:
        """Carry out an order for which everybody who was asked has given consent."""
        self._places[type(consent.order)][0].act.granted(play, consent)

    def refused(self, play: Play, consent: Consent) -> None:
        """Carry out the effects of a refusal of consent."""
        self._places[type(consent.order)][0].act.refused(play, consent)

    # ---- moving between stages --------------------------------------------------------------------------------------

    def _place_of(self, title: Title, state: State, turn: Turn, order: Order) -> Place | None:
        places = self._places.get(type(order), ())
        if len(places) < 2:
            return places[0] if places else None
        still = [p for p in places if not self.is_past(turn, p.last)]
        return next((p for p in still if p.act.concerns(title, state, turn, order)), places[-1])

    def _goes_on(self, state: State, company: CompanyId) -> bool:
        return state.companies[company].status == "open"

    def _untimely(self, play: Play, turn: Turn, place: Place) -> Failure | None:
        if (barred := place.act.bars(play.title, play.state, turn.company)) is not None:
            return barred
        if self.is_past(turn, place.last):
            return place.act.late(play.title, play.state, turn, place.last)
        if self._rank[turn.stage] < self._rank[place.first]:
            return place.act.early(play.title, play.state, turn)
        return None

    def _go_on_to(self, play: Play, turn: Turn, stage: str) -> Turn | None:
        """Skip the stages before ``stage`` and return the turn there. Returns None if an act must be done first, or if
        the company closes on the way."""
        if self._rank[turn.stage] >= self._rank[stage]:
            return turn
        for here in self.stages[self._rank[turn.stage] : self._rank[stage]]:
            if (due := self._due(play.title, play.state, turn, here)) is not None:
                play.note((due,))
                return None
            turn = self._leave(play, turn, here)
            if not self._goes_on(play.state, turn.company):
                return None
        if turn.stage != stage:
            turn = replace(turn, stage=stage)
            play.become(turn)
        return turn

    def _due(self, title: Title, state: State, turn: Turn, stage: str) -> Failure | None:
        found = (
            act.due(title, state, turn) for act in self._leaving[stage] if not act.bars(title, state, turn.company)
        )
        return next((failure for failure in found if failure is not None), None)

    def owed_besides(self, title: Title, state: State, turn: Turn, done: tuple[type[Act], ...]) -> Failure | None:
        """The first duty of the turn in this position, leaving out acts of the kinds ``done``: the reason why the turn
        could not end after those acts, if they changed nothing else. None if it could."""
        acts = (act for stage in self.stages[self._rank[turn.stage] :] for act in self._leaving[stage])
        besides = (act for act in acts if not isinstance(act, done) and not act.bars(title, state, turn.company))
        found = (act.due(title, state, turn) for act in besides)
        return next((failure for failure in found if failure is not None), None)

    def _leave(self, play: Play, turn: Turn, stage: str) -> Turn:
        """Carry out the effects of skipping the acts that end with ``stage``. While they happen, the turn is already in
        the next stage."""
        for act in self._leaving[stage]:
            if act.follows and not act.bars(play.title, play.state, turn.company):
                play.become(replace(turn, stage=self.stages[self._rank[stage] + 1]))
                act.skipped(play, turn_of(play.state))
                turn = turn_of(play.state)
        return turn
