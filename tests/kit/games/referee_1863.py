"""Positions of 1863 that events make, for one subject of its referee."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import events as ev
from engine.core import orders as od
from engine.core.ids import CompanyId, PlayerId
from tests.referee.bench import Bench, Subject
from tests.referee.books_1863 import OSI, TubeBooks
from tests.referee.state import TREASURY
from tests.referee.tables_1863 import tables

ANN, BOB, CAT = PlayerId("Ann"), PlayerId("Bob"), PlayerId("Cat")


class Scene:
    """One subject at work, from a position that events have made."""

    def __init__(self, subject: type[Subject], *made: ev.Event) -> None:
        names = (ANN, BOB, CAT)
        self.books = TubeBooks(tables("historical", len(names)), names)
        self.bench = Bench(self.books.tables, self.books)
        self.subject = subject(self.bench)
        for event in made:
            self.books.enter(event)

    def follow(self, order: od.Order | None, *events: ev.Event) -> list[str]:
        """The rules that an order with these events has broken."""
        bench = self.bench
        bench.order, bench.events, bench.before = order, events, self.books.copy()
        known = len(bench.deviations)
        self.subject.begin()
        for event in events:
            self.subject.see(event)
            self.books.enter(event)
            self.subject.entered(event)
        self.subject.end()
        return [deviation.rule for deviation in bench.deviations[known:]]

    def refuse(self, order: od.Order) -> list[str]:
        """The rules that the refusal of an order has broken."""
        known = len(self.bench.deviations)
        self.subject.refused(order)
        return [deviation.rule for deviation in self.bench.deviations[known:]]


def major(company: CompanyId, price: int, *holdings: tuple[str, str, int]) -> Sequence[ev.Event]:
    """A major in play: who has what of it; the rest of its shares, ten and one for each short, lies on its charter."""
    return (
        ev.CompanyOpened(company),
        ev.CertificatesSet(company, stock(*holdings)),
        ev.PriceSet(company, (0, 13), price, "start"),
    )


def stock(*holdings: tuple[str, str, int]) -> tuple[tuple[str, str, int], ...]:
    """All certificates of a major, by what lies neither on its charter nor in the open short interest."""
    shorts = sum(n for _, kind, n in holdings if kind == "short")
    left = 10 + shorts - sum(n * (2 if kind == "director" else 1) for _, kind, n in holdings if kind != "short")
    pairs = ((OSI, kind, 10 - shorts) for kind in ("ordinary", "short"))
    return (*holdings, (TREASURY, "ordinary", left), *pairs)
