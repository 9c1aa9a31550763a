"""An act is one kind of thing that a company may do in its turn. ``Turn`` is the frame of a company's turn on the
agenda.

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
    """A company's turn. ``stage`` is the current stage; earlier stages are over. ``notes`` are the things that its acts
    must remember until the turn ends, at most one of each kind. ``ended``: the turn leaves the agenda as soon as it is
    on top again."""

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
    """Base class of acts. An act is a frozen value; titles differ in its fields.

    ``takes``: the kinds of order that belong to the act. ``notes``: the kinds of note that it writes. ``follows``:
    ``skipped`` has effects if the act is left out. ``helped``: the ``helpers`` may give its orders as well as the
    company; the act then offers the orders of all of them. ``ends``: an order of the act ends the turn, at the latest
    when all questions that follow from it are answered.
    """

    takes: ClassVar[tuple[type[Order], ...]]
    notes: ClassVar[tuple[type[Note], ...]] = ()
    follows: ClassVar[bool] = False
    helped: ClassVar[bool] = False
    ends: ClassVar[bool] = False

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        """Return the reason why this company never has the act; None if it has."""
        return None

    def concerns(self, title: Title, state: State, turn: Turn, order: Order) -> bool:
        """True if the order is meant for this act, when several acts of the turn take its kind."""
        return True

    def helpers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> tuple[Actor, ...]:
        """Return those besides the company that can give an order of the act now. ``player``, who acts for the company,
        also gives their orders."""
        return ()

    def early(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """Return the reason why a turn that has not reached the act cannot simply go on to it; None if it can."""
        return None

    def late(self, title: Title, state: State, turn: Turn, stage: str) -> Failure:
        """Return the reason why the act is over. ``stage`` is the last stage in which it was open."""
        return Failure("turn.step_over", {"step": stage, "now": turn.stage})

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterable[Choice]:
        """List the orders of the act that are legal now. ``player`` acts for the company."""
        raise NotImplementedError

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        """Return the price that the company pays if the order is carried out now; None if the act has no price."""
        return None

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        """Check the order. Emit its events, or note every failed check and emit nothing. ``turn`` is the
        frame on top."""
        raise NotImplementedError

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """Return the reason why the turn may not go on before the act is done or finished; None if it may."""
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
