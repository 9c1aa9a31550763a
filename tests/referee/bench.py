"""Where the referee sits: the books, what was checked, and what was found. Each subject is one more pair of eyes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.state import Books
from tests.referee.tables import Kin, Tables


@dataclass(frozen=True)
class Deviation:
    """``order`` is the number of the order that brought it; 0 is before the first."""

    order: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"order {self.order}, {self.rule}: {self.text}"


class Bench:
    """What all subjects share during one game."""

    def __init__(self, tables: Tables, books: Books) -> None:
        self.tables = tables
        self.books = books
        self.before = books.copy()
        """The books as they were before the order."""
        self.events: Sequence[ev.Event] = ()
        """All that followed from the order."""
        self.order: od.Order | None = None
        self.asked = ""
        """The question that the order's actor was asked; several are joined."""
        self.questions: tuple[tuple[str, str], ...] = ()
        """Player and question of all that were open before the order."""
        self.number = 0
        self.checked: Counter[str] = Counter()
        """Rule -> how often it was checked."""
        self.deviations: list[Deviation] = []

    @property
    def cousins(self) -> bool:
        """True in 1861 and 1867, which have most rules alike."""
        return self.tables.kin is not None

    @property
    def kin(self) -> Kin:
        assert self.tables.kin is not None
        return self.tables.kin

    def reading(self, name: str) -> str:
        return self.tables.readings[name]

    def check(self, rule: str, good: bool, text: str) -> bool:
        self.checked[rule] += 1
        if not good:
            self.deviations.append(Deviation(self.number, rule, text))
        return good

    def same(self, rule: str, what: str, found: object, due: object) -> bool:
        return self.check(rule, found == due, f"{what}: {found}, by the rulebook {due}")


class Subject:
    """One subject: it sees each event before it is entered in the books, and the order's end."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    @property
    def books(self) -> Books:
        return self.bench.books

    @property
    def tables(self) -> Tables:
        return self.bench.tables

    def begin(self) -> None:
        """An order was accepted; its events are about to be seen."""

    def see(self, event: ev.Event) -> None:
        """``event`` is about to be entered."""

    def entered(self, event: ev.Event) -> None:
        """``event`` was entered."""

    def end(self) -> None:
        """All events of the order were entered."""

    def refused(self, order: od.Order) -> None:
        """``order`` was refused in the position of the books, and has had no effect."""
