"""The result of reading a text of orders: sections, words for the moderator, press, and faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.core.orders import Order
from grammar.builders.words import Word
from grammar.faults import Unreadable
from grammar.press import Press

LONGEST_TEXT: Final = 400_000
"""The maximum number of characters of a text; the orders of a whole game have a tenth of that."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order with its line and column, both from 1, and the text that it was read from."""

    order: Order
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The orders under one head. ``line``: the line of the head."""

    actor: str
    orders: tuple[OrderLine, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """An order that could be read but has no actor: its head names nobody, or there is no head."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a text. Every part of the text is in one of the five fields."""

    words: tuple[Word, ...]
    sections: tuple[Section, ...]
    errors: tuple[Unreadable, ...]
    skipped: tuple[Skipped, ...] = ()
    press: tuple[Press, ...] = ()

    @property
    def orders(self) -> tuple[Order, ...]:
        """All orders, in the order of the text."""
        return tuple(line.order for section in self.sections for line in section.orders)

    @property
    def ordered(self) -> bool:
        """True if the text has orders, or lines that may be meant as orders; a head alone orders nothing."""
        return bool(self.orders or self.errors or self.skipped)

    @property
    def heads_alone(self) -> tuple[str, ...]:
        """The actors whose heads have nothing below them, neither orders nor lines that cannot be read."""
        alone: list[str] = []
        for number, section in enumerate(self.sections):
            end = self.sections[number + 1].line if number + 1 < len(self.sections) else LONGEST_TEXT
            wrong = any(section.line <= error.line < end for error in self.errors)
            if not section.orders and not wrong and section.actor not in alone:
                alone.append(section.actor)
        return tuple(alone)
