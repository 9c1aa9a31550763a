"""1867: trains that leave after operating rounds, trains that are traded in, and what a first train asks for."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench
from tests.referee.state import BANK, POOL
from tests.referee.tables_1867 import EXPORTS, FOR_TRADE, TRADED
from tests.referee.trains import Trains

WHILE_OVER = (od.Discard, od.KeepTrains, od.Nationalise, od.Keep)
"""Orders that may come while a company has too many trains."""


class Stock(Trains):
    """5, 6.13, 11.1 to 11.12."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.traded: str | None = None
        """Train that the order gives for another."""
        self.left = 0
        """Trains that have left the game in this operating round."""
        self.on_turn: str | None = None

    def begin(self) -> None:
        super().begin()
        order = self.bench.order
        self.traded = order.trade if isinstance(order, od.Train) else None
        if self.traded is not None and isinstance(order, od.Train):
            rule = "1867 11.12 trade-in"
            self.bench.check(rule, self.books.phase == "8", f"a {self.traded} is given in phase {self.books.phase}")
            good = self.traded in TRADED and order.train in FOR_TRADE and self.price(order.train) > 0
            self.bench.check(rule, good, f"a {self.traded} is given for a {order.train}")
            self.bench.check(rule, order.source in (None, "pool", POOL), f"a {self.traded} is given to {order.source}")
        if order is not None and not isinstance(order, WHILE_OVER):
            over = [c for c in self.books.open("minor", "public") if self.over(c)]
            self.bench.check(
                "1867 11.10 discards", not over, f"{over} have too many trains, and {type(order).__name__}"
            )

    def price(self, train: str) -> int:
        """11.12: what is paid beside the train that is given, half of whose list price counts."""
        assert self.traded is not None
        return self.tables.trains[train].price - self.tables.trains[self.traded].price // 2

    def over(self, company: str) -> bool:
        limit = self.limit(company)
        return limit is not None and len(self.books.trains[company]) > limit

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.RoundBegan():
                self.round_ends()
            case ev.TurnBegan(company):
                self.on_turn = company
            case ev.TurnEnded(company) | ev.CompanyLeft(company) if company == self.on_turn:
                self.on_turn = None
            case ev.GameOver():
                self.bench.same("1867 6.13 export", "trains that leave after the last round", self.left, 0)
            case _:
                pass
        super().see(event)

    def end(self) -> None:
        if self.traded is not None:
            self.bench.check("1867 11.12 trade-in", False, f"the {self.traded} is not given")
        self.announced, self.exported = 0, 0
        super().end()

    def within_limits(self) -> None:
        """After an export trains are discarded in the next round (11.10, 14.21); ``begin`` sees that they are."""
        if not any(isinstance(e, ev.PhaseBegan) for e in self.bench.events):
            super().within_limits()

    def round_ends(self) -> None:
        """6.13: one train leaves after each operating round of phases 4 to 7; the phase at its end counts."""
        if self.books.round[0] == "OR":
            phases = list(self.tables.palette)
            began = [e.phase for e in self.bench.events if isinstance(e, ev.PhaseBegan)]
            phase = phases[phases.index(began[-1]) - 1] if began and self.left else self.books.phase
            self.bench.same("1867 6.13 export", f"trains that leave in phase {phase}", self.left, int(phase in EXPORTS))
        self.left = 0

    # ---- trains that move -------------------------------------------------------------------------------------------

    def new(self, train: str, target: str) -> None:
        """New trains are bought, or leave the game after the turn of the last company."""
        if target != "":
            super().new(train, target)
            return
        bench, books, rule = self.bench, self.books, "1867 6.13 export"
        bench.same(rule, "train that leaves", train, books.next_new())
        bench.check(rule, books.phase in EXPORTS, f"a {train} leaves in phase {books.phase}")
        after = books.round[0] == "OR" and self.on_turn is None
        bench.check(rule, after, f"a {train} leaves in {books.round}, in the turn of {self.on_turn}")
        self.left += 1
        if train not in self.bought:
            self.bought.add(train)
            phase = self.tables.starts.get(train)
            self.due_phase = phase if phase != books.phase else None

    def second_hand(self, train: str, source: str, target: str) -> None:
        order = self.bench.order
        if isinstance(order, od.Train) and (train, source) == (self.traded, order.actor) and self.traded is not None:
            self.bench.same("1867 11.12 trade-in", f"the {train} of {source} goes to", target, POOL)
            return
        if self.leaving(source) and not self.sums(train, source, target):
            formed = [e.company for e in self.bench.events if isinstance(e, ev.Formed) and source in e.minors]
            due = formed[-1] if formed else ""
            self.bench.same("1867 13.7 trains", f"a {train} of {source} goes to", target, due)
            return
        if target == "":
            self.bench.check("1867 11.10 discard", False, f"a {train} of {source} leaves the game")
            return
        super().second_hand(train, source, target)

    def pays(self, company: str, payee: str, train: str) -> None:
        if self.traded is None:
            super().pays(company, payee, train)
            return
        price = self.price(train)
        due = (company, BANK, train, price)
        good = self.paid[due] > 0 if price else True
        self.bench.check(
            "1867 11.12 trade-in", good, f"{company} gets a {train} for a {self.traded}: {dict(self.paid)}"
        )
        self.paid[due] -= int(price > 0)
        self.traded = None
