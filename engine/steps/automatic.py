"""Steps that nobody is asked in: rounds, and the course of the game."""

from __future__ import annotations

from engine.core.agenda import Ask, Menu
from engine.core.orders import Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title


class NobodyAsked:
    """The three functions of such a step that answer nothing; ``advance`` is its own."""

    def asked(self, title: Title, state: State, frame: Frame) -> tuple[Ask, ...]:
        return ()

    def menu(self, title: Title, state: State, frame: Frame, ask: Ask) -> Menu:
        return ()

    def decide(self, play: Play, frame: Frame, ask: Ask, order: Order) -> None:
        raise AssertionError(f"nobody is asked in {type(frame).__name__}")
