"""The referee: follows the events of one game from its opening to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import (
    failures_1863,
    gifts_1863,
    halves_1863,
    homes_1867,
    loans,
    loans_1867,
    market_1841,
    market_1863,
    mergers_1841,
    mergers_1863,
    money_1841,
    money_1863,
    offers_1867,
    rounds_1841,
    rounds_1863,
    rounds_1867,
    runs_1867,
    sbb,
    secession_1841,
    shares_1841,
    shares_1863,
    tables_1841,
    tables_1844,
    tables_1861,
    tables_1863,
    tables_1867,
    track_1867,
    trains_1841,
    trains_1863,
    trains_1867,
)
from tests.referee.bench import Bench, Deviation, Subject
from tests.referee.books_1863 import TubeBooks
from tests.referee.books_1867 import GroundBooks
from tests.referee.companies import ChainBooks
from tests.referee.market import Market
from tests.referee.money import Money
from tests.referee.rounds import Rounds
from tests.referee.shares import Shares
from tests.referee.state import Books
from tests.referee.track import Track
from tests.referee.trains import Trains

COMMON: tuple[type[Subject], ...] = (Market, Money, Shares, Trains, Track, Rounds)
FIGURES = {
    "1861": tables_1861.tables, "1844": tables_1844.tables, "1841": tables_1841.tables, "1863": tables_1863.tables,
}  # fmt: skip
SUBJECTS: Mapping[str, tuple[type[Subject], ...]] = {
    "1861": (*COMMON, loans.Loans, loans.Nationalisation, loans.Formation),
    "1844": (*COMMON, sbb.Launches, sbb.Debts, sbb.Formation),
    "1841": (
        market_1841.Prices, money_1841.Payments, shares_1841.Holdings, mergers_1841.Unions, secession_1841.Secession,
        trains_1841.Stock, trains_1841.Ground, rounds_1841.Concessions, rounds_1841.Course,
    ),
    "1863": (
        market_1863.Prices, money_1863.Payments, shares_1863.Holdings, failures_1863.Failures, mergers_1863.Unions,
        halves_1863.Halves, gifts_1863.Gifts, trains_1863.Stock, trains_1863.Ground,
        rounds_1863.Auctions, rounds_1863.Course,
    ),
    "1867": (
        Market, Money, Shares, loans.Loans, loans_1867.Taking, loans_1867.Forming, trains_1867.Stock,
        track_1867.Ground, homes_1867.Homes, runs_1867.Runs, offers_1867.Offers,
        rounds_1867.Seats, rounds_1867.Questions, rounds_1867.Course,
    ),
}  # fmt: skip
"""Companies that own companies need subjects of their own: 1841 and 1863 share none."""
BOOKS: Mapping[str, type[Books]] = {"1841": ChainBooks, "1863": TubeBooks, "1867": GroundBooks}


class Referee:
    """One game of ``title`` and ``edition``. ``players`` in seating order. ``options``: he knows those of 1867.
    ``bank``, ``express``: the money in the game and the price of a 5+5E, if they are not those of the box."""

    def __init__(
        self,
        title: str,
        edition: str,
        players: Sequence[str],
        options: Mapping[str, str] | None = None,
        *,
        bank: int | None = None,
        express: int | None = None,
    ) -> None:
        seats = len(players)
        own = title == "1867"
        tables = tables_1867.tables(edition, seats, options) if own else FIGURES[title](edition, seats)
        if bank is not None:
            tables = replace(tables, bank=bank)
        if express is not None:
            tables = replace(tables, trains={**tables.trains, "5+5E": replace(tables.trains["5+5E"], price=express)})
        self.bench = Bench(tables, BOOKS.get(title, Books)(tables, tuple(players)))
        self.subjects = [subject(self.bench) for subject in SUBJECTS[title]]
        self.formed_on: Books | None = None
        """The books before the company that was formed last."""
        self.asks: Sequence[Mapping[str, Any]] = ()
        """The questions before the order."""

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

    def refused(self, order: od.Order) -> None:
        """An order was refused where the game stands: may it be?"""
        for subject in self.subjects:
            subject.refused(order)

    def _follow(self, order: od.Order | None, events: Sequence[ev.Event], told: Mapping[str, Any]) -> None:
        bench = self.bench
        bench.order, bench.events, bench.before = order, events, bench.books.copy()
        bench.asked = " ".join(ask["what"] for ask in self.asks if order is not None and ask["for"] == order.actor)
        self.asks = told["asked"]
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
        bench.questions = tuple((ask["player"], ask["what"]) for ask in told["asked"])
        found = bench.books.differences(told)
        bench.check("books", not found, "; ".join(found))
