"""The referee: follows the events of one game from its opening to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import (
    loans,
    market_1841,
    mergers_1841,
    money_1841,
    rounds_1841,
    sbb,
    secession_1841,
    shares_1841,
    tables_1841,
    tables_1844,
    tables_1861,
    trains_1841,
)
from tests.referee.bench import Bench, Deviation, Subject
from tests.referee.companies import ChainBooks
from tests.referee.market import Market
from tests.referee.money import Money
from tests.referee.rounds import Rounds
from tests.referee.shares import Shares
from tests.referee.state import Books
from tests.referee.track import Track
from tests.referee.trains import Trains

COMMON: tuple[type[Subject], ...] = (Market, Money, Shares, Trains, Track, Rounds)
FIGURES = {"1861": tables_1861.tables, "1844": tables_1844.tables, "1841": tables_1841.tables}
SUBJECTS: Mapping[str, tuple[type[Subject], ...]] = {
    "1861": (*COMMON, loans.Loans, loans.Nationalisation, loans.Formation),
    "1844": (*COMMON, sbb.Launches, sbb.Debts, sbb.Formation),
    "1841": (
        market_1841.Prices, money_1841.Payments, shares_1841.Holdings, mergers_1841.Unions, secession_1841.Secession,
        trains_1841.Stock, trains_1841.Ground, rounds_1841.Concessions, rounds_1841.Course,
    ),
}  # fmt: skip
"""Companies that own companies need subjects of their own: 1841 shares none."""


class Referee:
    """One game of ``title`` and ``edition``. ``players`` in seating order."""

    def __init__(self, title: str, edition: str, players: Sequence[str]) -> None:
        tables = FIGURES[title](edition, len(players))
        books = ChainBooks if title == "1841" else Books
        self.bench = Bench(tables, books(tables, tuple(players)))
        self.subjects = [subject(self.bench) for subject in SUBJECTS[title]]
        self.formed_on: Books | None = None
        """The books before the company that was formed last."""

    @property
    def deviations(self) -> list[Deviation]:
        return self.bench.deviations

    def opening(self, events: Sequence[ev.Event], told: Mapping[str, Any]) -> None:
        """What happened before the first order."""
        self._follow(None, events, told)

    def follow(self, order: od.Order, events: Sequence[ev.Event], told: Mapping[str, Any]) -> None:
        """An order was accepted and ``events`` followed; ``told`` is the engine's description of the position."""
        self.bench.number += 1
        self._follow(order, events, told)

    def _follow(self, order: od.Order | None, events: Sequence[ev.Event], told: Mapping[str, Any]) -> None:
        bench = self.bench
        bench.order, bench.events, bench.before = order, events, bench.books.copy()
        for subject in self.subjects:
            subject.begin()
        for event in events:
            if isinstance(event, ev.Formed) or (isinstance(event, ev.Merged) and isinstance(order, od.Merge)):
                self.formed_on = bench.before
            for subject in self.subjects:
                subject.see(event)
            if isinstance(event, ev.Restored):
                if (
                    bench.check("v2.0 §12.4, 1841 §3.6 reversed", self.formed_on is not None, "nothing to reverse")
                    and self.formed_on
                ):
                    bench.books = self.formed_on.copy()
            else:
                bench.books.enter(event)
            for subject in self.subjects:
                subject.entered(event)
        for subject in self.subjects:
            subject.end()
        found = bench.books.differences(told)
        bench.check("books", not found, "; ".join(found))
