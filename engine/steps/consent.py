"""Asking others for consent: an order waits for the answers of those whose property or company it concerns.

They are all asked at once. When all have agreed, the order is carried out. One refusal ends the matter: the player who
gave the order is asked again, or his fallback is carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import ConsentAsked, ConsentGiven, ConsentRefused
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Agree, Merger, Order, PrivateSale, Refuse, Subject
from engine.core.state import Frame, State
from engine.core.title import Play, Title


@dataclass(frozen=True, slots=True)
class Consent(Frame):
    """``order`` waits for the answers of ``waiting``: each is a player, and the actor that he answers for. ``player``
    gave the order as ``order.actor``."""

    order: Order
    player: PlayerId
    subject: Subject
    waiting: tuple[tuple[PlayerId, Actor], ...]


def ask_consent(
    play: Play, order: Order, player: PlayerId, subject: Subject, owners: tuple[tuple[PlayerId, Actor], ...]
) -> None:
    """Make ``order`` wait for the consent of ``owners``, each of whom is asked once."""
    play.push(Consent(order, player, subject, owners))
    for other, actor in owners:
        play.emit(ConsentAsked(other, actor, subject))


def same_subject(a: Subject, b: Subject) -> bool:
    """True if two subjects are the same. The minors of a merger may come in any order, and the company whose
    certificate goes with a private need not be the same."""
    if isinstance(a, Merger) and isinstance(b, Merger):
        return a.into == b.into and set(a.minors) == set(b.minors)
    if isinstance(a, PrivateSale) and isinstance(b, PrivateSale):
        return replace(a, company=b.company) == b
    return a == b


@dataclass(frozen=True, slots=True)
class ConsentStep:
    """``granted`` carries out the order; ``refused`` carries out the effects of a refusal."""

    granted: Callable[[Play, Consent], None]
    refused: Callable[[Play, Consent], None]

    def asked(self, title: Title, state: State, frame: Consent) -> tuple[Ask, ...]:
        return tuple(
            Ask(player, actor, "consent", (str(frame.order.actor),), Refuse(actor)) for player, actor in frame.waiting
        )

    def menu(self, title: Title, state: State, frame: Consent, ask: Ask) -> Menu:
        return (Exact(Agree(ask.actor, frame.subject)), Exact(Refuse(ask.actor, frame.subject)))

    def decide(self, play: Play, frame: Consent, ask: Ask, order: Order) -> None:
        if not isinstance(order, Agree | Refuse):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        fits = order.subject is None or same_subject(order.subject, frame.subject)
        if not play.require(fits, "consent.other_subject", asked=type(frame.subject).__name__):
            return
        if isinstance(order, Refuse):
            play.emit(ConsentRefused(ask.player, ask.actor, frame.subject))
            play.pop()
            self.refused(play, frame)
            return
        play.emit(ConsentGiven(ask.player, ask.actor, frame.subject))
        left = tuple(w for w in frame.waiting if w[1] != ask.actor)
        play.become(replace(frame, waiting=left))

    def advance(self, play: Play, frame: Consent) -> None:
        play.pop()
        self.granted(play, frame)
