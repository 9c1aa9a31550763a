"""Steps in which nobody is asked: rounds, and the course of the game."""

from __future__ import annotations

from engine.core.agenda import Ask, Menu
from engine.core.orders import Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title


class NobodyAsked:
    """Base class of steps in which nobody is asked. Such a step needs only ``advance``."""

    def asked(self, title: Title, state: State, frame: Frame) -> tuple[Ask, ...]:
        return ()

    def menu(self, title: Title, state: State, frame: Frame, ask: Ask) -> Menu:
        return ()

    def decide(self, play: Play, frame: Frame, ask: Ask, order: Order) -> None:
        raise AssertionError(f"nobody is asked in {type(frame).__name__}")
