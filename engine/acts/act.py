"""An act: one kind of thing that a company may do in its turn, and the turn itself as the agenda remembers it.

A title lists its acts in the order of play (``engine.acts.turns``). Shared acts are in this folder; acts of a single
title are in the title's folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from engine.core.agenda import Choice
from engine.core.checks import Failure
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.orders import Order
from engine.core.state import Frame, Note, State
from engine.core.title import Play, Title
from engine.steps.consent import Consent

N = TypeVar("N", bound=Note)


@dataclass(frozen=True, slots=True)
class Turn(Frame):
    """A company's turn. ``stage``: the current one; earlier stages are over. ``notes``: the things that its acts must
    remember until it ends, at most one of each kind. ``ended``: it leaves the agenda as soon as it is on top again."""

    company: CompanyId
    stage: str
    notes: tuple[Note, ...] = ()
    ended: bool = False

    def note(self, kind: type[N]) -> N:
        """The note of this kind; its initial value if nothing has been noted."""
        for note in self.notes:
            if type(note) is kind:
                return note
        return kind()

    def noting(self, note: Note) -> Turn:
        """The turn with this note instead of the previous one of its kind."""
        return replace(self, notes=(*(n for n in self.notes if type(n) is not type(note)), note))


class Act:
    """The questions that every act answers. An act is a frozen value; titles differ in its fields.

    ``takes``: the orders that belong to it. ``notes``: the kinds of notes that it writes. ``follows``: ``skipped``
    does something if the act is left out. ``helped``: others (the ``helpers``) may give its orders as well as the
    company; the act then offers the orders of all of them.
    """

    takes: ClassVar[tuple[type[Order], ...]]
    notes: ClassVar[tuple[type[Note], ...]] = ()
    follows: ClassVar[bool] = False
    helped: ClassVar[bool] = False

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        """Why this company never has the act."""
        return None

    def concerns(self, title: Title, state: State, turn: Turn, order: Order) -> bool:
        """True if the order is meant for this act, when several acts of the turn take its kind."""
        return True

    def helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        """Those besides the company that can give an order of the act now. ``player``, who acts for the company,
        answers for all of them."""
        return ()

    def early(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """Why a turn that has not reached the act cannot simply go on to it."""
        return None

    def late(self, title: Title, state: State, turn: Turn, stage: str) -> Failure:
        """Why the act is over; ``stage`` is the last one it belonged to."""
        return Failure("turn.step_over", {"step": stage, "now": turn.stage})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterable[Choice]:
        """Its orders that are legal now. ``player`` acts for the company."""
        raise NotImplementedError

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        """The price that the company pays if the order is carried out now; None if the act has no price."""
        return None

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        """Check the order and emit what follows, or note every failed check and emit nothing. ``turn`` is the frame on
        top."""
        raise NotImplementedError

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """Why the turn may not go on without the act: it must be done, or finished, first."""
        return None

    def skipped(self, play: Play, turn: Turn) -> None:
        """Emit the events that follow if the turn goes on without the act."""

    def granted(self, play: Play, consent: Consent) -> None:
        """Carry out an order that has waited for consent. It lapses if it is no longer possible."""
        raise NotImplementedError

    def refused(self, play: Play, consent: Consent) -> None:
        """Emit the events that follow a refusal of consent; by default there are none, and the company is asked
        again."""


def turn_of(state: State) -> Turn:
    """The turn on top of the agenda."""
    top = state.top
    assert isinstance(top, Turn), top
    return top


def turn_in(state: State) -> Turn | None:
    """The turn under way, whatever is above it on the agenda; None if there is none."""
    return next((frame for frame in reversed(state.agenda) if isinstance(frame, Turn)), None)
