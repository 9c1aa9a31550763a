"""Trains: what they cost, who may buy which, limits, and what a new phase does to them."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from tests.referee import tables_1844
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK, POOL

SPECIAL = ("5+5E", "2+2")
GIVEN = ("5H", "SBB5H")
"""p. 16 and p. 19: the train of P7 and that of the SBB come from nowhere."""


class Trains(Subject):
    """v2.0 §8 and §10.10; 1844 pp. 14 to 16."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company: str | None = None
        self.begun: list[str] = []
        """Phases, in sequence."""
        self.due_phase: str | None = None
        """Phase that a train just bought begins."""
        self.due: list[tuple[str, str, str]] = []
        """What the phase does to trains: kind of event, train, what it becomes."""
        self.paid: Counter[tuple[str, str, str, int]] = Counter()
        self.helped: Counter[str] = Counter()
        """Company -> what its director has added for its train."""
        self.had: dict[str, int] = {}
        """Company that buys -> its money before."""
        self.sold_to_help: list[str] = []
        """1844: companies whose shares a director has sold in this operating turn."""
        self.exported = 0
        self.announced = 0
        self.bought: set[str] = set()

    # ---- limits -----------------------------------------------------------------------------------------------------

    def limit(self, company: str) -> int | None:
        kind = self.tables.kind(company)
        if self.bench.cousins:
            return self.bench.kin.limits[self.books.phase].get(kind)
        if kind == "historical":
            return tables_1844.LIMITS[self.books.phase]["historical"]
        return 4 if kind == "SBB" else 2

    def within_limits(self) -> None:
        """v2.0 §10.10, 1844 p. 14: nobody goes on with too many trains."""
        for company in self.books.status:
            limit = self.limit(company)
            if limit is not None and self.books.status[company] == "open":
                number = len(self.books.trains[company])
                self.bench.check(
                    "v2.0 §8, 1844 p. 15 limit", number <= limit, f"{company} has {self.books.trains[company]}"
                )

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TurnBegan(company):
                self.all_done()
                self.within_limits()
                self.company = company
            case ev.TurnEnded(company):
                self.all_done()
                self.within_limits()
                if bench.cousins and books.status[company] == "open":
                    duty = bool(books.trains[company])
                    bench.check("v2.0 §10.10 duty", duty, f"{company} ends its turn without a train")
                if self.sold_to_help:
                    good = bool(self.helped[company])
                    bench.check(
                        "1844 p. 14 help sales", good, f"{self.sold_to_help} was sold, and {company} needed no help"
                    )
                self.sold_to_help = []
                self.helped.clear()
            case ev.RoundBegan():
                self.all_done()
                if bench.cousins or books.round[0] != "OR":
                    self.within_limits()
            case ev.Paid(payer, payee, amount, "train", about):
                self.had.setdefault(payer, books.cash[payer])
                self.paid[payer, payee, about, amount] += 1
            case ev.Sold(_, company) if books.round[0] == "OR":
                self.sold_to_help.append(company)
            case ev.Paid(payer, payee, amount, "help"):
                self.help(payer, payee, amount)
            case ev.TrainMoved(train, source, target):
                self.all_done()
                self.moved(train, source, target)
            case ev.Exported():
                self.announced += 1
            case ev.PhaseBegan(phase):
                bench.same("v2.0 §8, 1844 p. 15 phase", "new phase", phase, self.due_phase)
                self.due_phase = None
                self.begins(phase)
            case ev.TrainsRusted(train):
                self.happens("gone", train, "")
            case ev.TrainsFlipped(train, into):
                self.happens("turned", train, into)
            case _:
                pass

    def end(self) -> None:
        self.all_done()
        for (payer, payee, train, amount), n in self.paid.items():
            self.bench.check(
                "v2.0 §10.10, 1844 p. 14 price", not n, f"{payer} pays {payee} {amount} for a {train}: {n} too often"
            )
        self.paid.clear()
        self.had.clear()
        self.bench.same("1844 p. 16 export", "trains sold abroad", self.exported, self.announced)

    # ---- trains that move -------------------------------------------------------------------------------------------

    def moved(self, train: str, source: str, target: str) -> None:
        bench, books = self.bench, self.books
        if source == BANK:
            self.new(train, target)
        elif source == POOL:
            bench.check("v2.0 §10.10, 1844 p. 14 pool", train in books.pool, f"no {train} in the pool")
            self.pays(target, BANK, train)
        elif source == "":
            bench.check(
                "1844 p. 16, p. 19 given", train in GIVEN and books.phase in "567", f"a {train} comes to {target}"
            )
        else:
            self.second_hand(train, source, target)
        if target not in (POOL, "") and not self.assets(train, source, target):
            self.room(train, source, target)

    def assets(self, train: str, source: str, target: str) -> bool:
        """Trains of companies that merge or are nationalised change hands without a purchase."""
        return self.leaving(source) and not self.sums(train, source, target)

    def sums(self, train: str, source: str, target: str) -> list[int]:
        return [amount for (p, o, t, amount), n in self.paid.items() if (p, o, t) == (target, source, train) and n > 0]

    def leaving(self, company: str) -> bool:
        return any(isinstance(e, ev.CompanyLeft) and e.company == company for e in self.bench.events)

    def new(self, train: str, target: str) -> None:
        """Cheapest first; the first of its kind begins a phase. Exports are of 1844 only: p. 16."""
        bench, books = self.bench, self.books
        card = self.tables.trains[train].card
        if train in SPECIAL:
            bench.check("v2.0 §10.10 special trains", books.phase == "8", f"a {train} in phase {books.phase}")
            left = books.new[card]
            bench.check("v2.0 §10.10 stock", left is None or left > 0, f"no {train} is left")
        else:
            bench.same("v2.0 §10.10, 1844 p. 14 cheapest", "new train", card, books.next_new())
        if target == "":
            self.exported += 1
            bench.check(
                "1844 p. 16 export",
                not bench.cousins and books.phase != "1" and train == card,
                f"a {train} is exported",
            )
        else:
            self.pays(target, BANK, train)
            if self.tables.kind(target) == "regional":
                bench.check("1844 p. 18 H-trains", train.endswith("H"), f"{target} buys a {train}")
        if card not in self.bought:
            self.bought.add(card)
            phase = self.tables.starts.get(train)
            self.due_phase = phase if phase != books.phase else None

    def second_hand(self, train: str, source: str, target: str) -> None:
        bench, books = self.bench, self.books
        if self.assets(train, source, target):
            return
        if target in (POOL, ""):
            limit = self.limit(source)
            over = limit is not None and len(books.trains[source]) > limit
            bench.check(
                "v2.0 §10.10, 1844 p. 16 discard", over, f"{source} gives up a {train} of {books.trains[source]}"
            )
            if not bench.cousins:
                bench.same("1844 p. 16 discard", f"a {train} of {source} goes to", target, POOL)
                bench.check("1844 p. 16 own 5H", train != "SBB5H", "the SBB gives up its own 5H")
            return
        sums = self.sums(train, source, target)
        rule = "v2.0 §10.10, 1844 p. 14 used trains"
        if not bench.check(rule, len(sums) == 1, f"{target} pays {source} {sums} for a {train}"):
            return
        self.paid[target, source, train, sums[0]] -= 1
        bench.check(rule, sums[0] >= 1, f"{target} pays {sums[0]}")
        if bench.cousins:
            bench.check(
                "v2.0 §10.10 state railway", bench.kin.state not in (source, target), f"{source} sells to {target}"
            )
            return
        bench.check(rule, books.phase in "34567", f"{target} buys of {source} in phase {books.phase}")
        bench.check("1844 p. 16 own 5H", train != "SBB5H", "the SBB sells its own 5H")
        same = books.director(source) == books.director(target)
        printed = self.tables.trains[train].price
        if not same:
            bench.same(rule, f"{target} pays {source} for a {train}", sums[0], printed)
        if self.helped[target]:
            bench.check("1844 p. 14 help", sums[0] <= printed, f"{target} pays {sums[0]} for a {train}")

    def pays(self, company: str, payee: str, train: str) -> None:
        """Face value: v2.0 §10.10, 1844 p. 14."""
        price = self.tables.trains[train].price
        due = (company, payee, train, price)
        found = [k for k, n in self.paid.items() if n > 0]
        if self.bench.check(
            "v2.0 §10.10, 1844 p. 14 price", due in found, f"{company} gets a {train} for {price}; paid: {found}"
        ):
            self.paid[due] -= 1

    def room(self, train: str, source: str, company: str) -> None:
        """A company at its limit may not buy, even if the purchase would change the phase."""
        limit = self.limit(company)
        number = len(self.books.trains[company])
        if limit is not None:
            self.bench.check(
                "v2.0 §10.10, 1844 p. 14 room", number < limit, f"{company} has {number} and takes a {train}"
            )

    def help(self, payer: str, company: str, amount: int) -> None:
        """p. 14: only a company that must have a train and has none, and it has not a franc left afterwards."""
        bench, books = self.bench, self.books
        bench.same("1844 p. 14 help", f"who helps {company}", payer, books.director(company))
        kind = self.tables.kind(company)
        bench.check("1844 p. 14 help", kind in ("regional", "historical"), f"{company} is helped")
        bench.check(
            "1844 p. 14 help", not books.trains[company], f"{company} has {books.trains[company]} and is helped"
        )
        prices = [
            e.amount for e in bench.events if isinstance(e, ev.Paid) and (e.payer, e.reason) == (company, "train")
        ]
        bench.same(
            "1844 p. 14 help", f"what {company} lacks", amount, sum(prices) - self.had.get(company, books.cash[company])
        )
        bench.check("1844 p. 14 help", not self.helped[company], f"{company} is helped twice")
        self.helped[company] += amount

    # ---- phases -----------------------------------------------------------------------------------------------------

    def begins(self, phase: str) -> None:
        bench = self.bench
        order = list(self.tables.palette)
        now = order.index(self.books.phase)
        bench.same("v2.0 §8, 1844 p. 15 phase", "the phase after " + self.books.phase, phase, [*order, "?"][now + 1])
        self.begun.append(phase)
        there = [*self.books.trains_everywhere(), *(t for t, n in self.books.new.items() if n)]
        for train in self.tables.gone.get(phase, ()):
            if train in there:
                self.due.append(("gone", train, ""))
        if phase in self.tables.turned:
            train, into = self.tables.turned[phase]
            if train in list(self.books.trains_everywhere()):
                self.due.append(("turned", train, into))

    def happens(self, what: str, train: str, into: str) -> None:
        """Trains that no longer exist may be told of; trains that do must be."""
        legal = {("gone", t, "") for p in self.begun for t in self.tables.gone.get(p, ())}
        legal |= {("turned", *self.tables.turned[p]) for p in self.begun if p in self.tables.turned}
        self.bench.check("v2.0 §8, 1844 p. 15 phase", (what, train, into) in legal, f"{train} is {what} {into}")
        self.due = [due for due in self.due if due != (what, train, into)]

    def all_done(self) -> None:
        rule = "v2.0 §8, 1844 p. 15 phase"
        self.bench.check(rule, self.due_phase is None, f"phase {self.due_phase} does not begin")
        self.bench.check(rule, not self.due, f"not done in phase {self.books.phase}: {self.due}")
        self.due_phase, self.due = None, []
