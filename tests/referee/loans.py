"""1861: loans, interest and repayment; nationalisation; how minors become public companies."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK, POOL, TREASURY, Books

LOAN, NET, INTEREST = 50, 45, 5


class Loans(Subject):
    """v2.0 §10.2, §10.8, §10.9."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company: str | None = None
        """Whose turn it is."""
        self.owed = 0
        """Interest still due in this turn."""
        self.taken: tuple[str, int, int] | None = None
        """Company that has just taken loans, how many, and its money before."""
        self.lent: Counter[str] = Counter()
        self.repaid: Counter[str] = Counter()
        self.settled = False

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TurnBegan(company):
                self.company, self.owed, self.settled = company, INTEREST * books.loans[company], False
            case ev.LoansChanged(company, change, "taken"):
                self.take(company, change)
            case ev.LoansChanged(company, change, "repaid"):
                bench.same(
                    "v2.0 §10.9 repayment", f"{company} repays {-change}", self.repaid.pop(company, 0), -change * LOAN
                )
            case ev.Paid(payer, company, amount, "loan"):
                due = (BANK, self.lent.pop(company, 0) * NET)
                bench.same("v2.0 §10.2 loan", f"{company} receives", (payer, amount), due)
            case ev.Paid(payer, _, _, reason) if payer == self.company:
                self.pays(event, reason)
            case ev.Paid(payer, payee, amount, "repayment"):
                self.repays(payer, payee, amount)
            case ev.TurnEnded(company):
                self.must_be_settled(company, "the end of its turn")
                self.company = None
            case ev.CompanyLeft(company) if company == self.company:
                self.company = None
            case ev.Distributed(company) if company == self.company:
                self.settled = False
            case _:
                pass

    def end(self) -> None:
        bench = self.bench
        bench.check("v2.0 §10.2 loan", not self.lent, f"loans are not paid out: {dict(self.lent)}")
        bench.check("v2.0 §10.2 purpose", self.taken is None, f"loans for nothing: {self.taken}")
        for company, count in self.books.loans.items():
            if count > bench.before.loans[company] and not any(isinstance(e, ev.Formed) for e in bench.events):
                limit = bench.kin.loans.get(self.tables.kind(company))
                bench.check("v2.0 §10.2 limit", limit is None or count <= limit, f"{company} has {count} loans")
            bench.check("v2.0 §10.2 limit", count >= 0, f"{company} has {count} loans")
        self.lent.clear()
        self.repaid.clear()
        self.taken = None

    def take(self, company: str, change: int) -> None:
        self.bench.same("v2.0 §10.2 purpose", "who takes loans", company, self.company)
        self.bench.check("v2.0 §10.2 limit", change > 0, f"{company} takes {change} loans")
        if self.taken is not None:
            self.bench.check("v2.0 §10.2 purpose", False, f"{company} takes loans twice")
        self.taken = (company, change, self.books.cash[company])
        self.lent[company] += change

    def pays(self, event: ev.Paid, reason: str) -> None:
        """Loans pay for track, trains of bank or pool, and interest; never more than it takes."""
        bench, books, payer = self.bench, self.books, event.payer
        if reason == "train":
            self.must_be_settled(payer, "its purchase of a train")
        if self.taken is not None:
            company, count, had = self.taken
            purposes = ("terrain", "train", "interest")
            good = reason in purposes and event.payee == BANK and payer == company
            if self.tables.kind(company) == "state":
                good = good and reason != "terrain"
            bench.check("v2.0 §10.2 purpose", good, f"{company} borrows to pay {event.payee} for {reason}")
            least = -(-max(0, event.amount - had) // NET)
            bench.same("v2.0 §10.2 fewest", f"loans of {company} for {event.amount} with {had}", count, least)
            if reason == "train":
                bench.check("v2.0 §10.2 purpose", not books.trains[company], f"{company} borrows for a second train")
            self.taken = None
        match reason:
            case "interest":
                self.interest(event)
            case "repayment":
                self.repays(payer, event.payee, event.amount)
            case _:
                pass

    def interest(self, event: ev.Paid) -> None:
        self.bench.same("v2.0 §10.8 interest", f"{event.payer} pays", (event.payee, event.amount), (BANK, self.owed))
        self.owed = 0

    def repays(self, payer: str, payee: str, amount: int) -> None:
        """v2.0 §10.9, §11: as many as possible."""
        most = min(self.books.loans[payer], self.books.cash[payer] // LOAN)
        self.bench.same("v2.0 §10.9 repayment", f"{payer} repays", (payee, amount), (BANK, most * LOAN))
        self.repaid[payer] += amount

    def must_be_settled(self, company: str, when: str) -> None:
        if company != self.company or self.settled:
            return
        self.settled = True
        self.bench.same("v2.0 §10.8 interest", f"interest of {company} left before {when}", self.owed, 0)
        had, loans = self.books.cash[company], self.books.loans[company]
        if self.taken is not None:  # for what is being paid now
            had, loans = self.taken[2], loans - self.taken[1]
        rule = "v2.0 §10.9 repayment"
        self.bench.check(rule, not loans or had < LOAN, f"{company} keeps {loans} loans and {had} before {when}")


class Nationalisation(Subject):
    """v2.0 §11."""

    PLACES: ClassVar[tuple[str, str]] = ("E1", "H8")
    """The hexes in which the state railway has a place of its own: v2.0 §7.4."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.price: dict[str, int] = {}
        self.paid: Counter[tuple[str, str]] = Counter()
        """Company and holder -> what he was paid."""
        self.reach: dict[str, int] = {}
        """Company -> its money when it was nationalised, with all loans that it could still take."""
        self.excess: Counter[str] = Counter()
        """Company -> loans above its limit."""
        self.given: Counter[str] = Counter()
        """Company -> what it has left to the bank or the state railway."""
        self.began: str | None = None
        """Phase that began in this order."""
        self.company: str | None = None
        self.began_with = 0
        """Loans of the company on turn when its turn began."""

    def begin(self) -> None:
        self.began = None

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TurnBegan(company):
                self.company, self.began_with = company, books.loans[company]
            case ev.Nationalised(name, price) if name in bench.kin.privates:
                owner = books.privates[name]
                face = [
                    e for e in bench.events if isinstance(e, ev.Paid) and (e.reason, e.about) == ("face_value", name)
                ]
                due = [(BANK, bench.before.privates[name], bench.kin.privates[name][1])]
                rule = "v2.0 §11 privates"
                bench.same(rule, f"{name} of {owner} is paid", [(e.payer, e.payee, e.amount) for e in face], due)
                bench.same(rule, f"price of {name}", price, bench.kin.privates[name][1])
            case ev.Nationalised(name, price):
                self.price[name] = price
                cash = books.cash[name]
                room = bench.kin.loans[self.tables.kind(name)] - books.loans[name]
                self.excess[name], room = max(0, -room), max(0, room)
                self.reach[name] = cash + self.given.pop(name, 0) + NET * room
                bench.check(
                    "v2.0 §11 loans first",
                    not books.loans[name] or cash < LOAN,
                    f"{name} keeps {cash} and {books.loans[name]} loans",
                )
            case ev.Paid(_, holder, amount, "nationalised", company):
                self.paid[company, holder] += amount
            case ev.Paid(payer, payee, amount, "seized"):
                rest = (self.heir(payer), books.cash[payer])
                bench.same("v2.0 §10.8, §11 the rest", f"{payer} leaves", (payee, amount), rest)
                self.given[payer] += amount
            case ev.CertificatesSet(company) if company in self.price:
                self.holders(company)
            case ev.CompanyLeft(company, closed, reason):
                self.leaves(company, closed, reason)
            case ev.PhaseBegan(phase):
                self.began = phase
            case _:
                pass

    def end(self) -> None:
        rule, books = "v2.0 §11 who", self.books
        if self.began in ("4", "6"):
            left = [c for c in books.open("minor") if c in books.operated and not books.trains[c] and c != self.company]
            self.bench.check(rule, not left, f"minors without a train in phase {self.began}: {left}")
        if self.began == "8":
            self.bench.check(rule, not books.open("minor"), f"minors in phase 8: {books.open('minor')}")
        if self.began in ("6", "7", "8"):
            left = [p for p, owner in books.privates.items() if owner != self.bench.kin.state]
            self.bench.check(rule, not left, f"privates in phase {self.began}: {left}")

    def heir(self, company: str) -> str:
        """The receiver of the money of a nationalised company."""
        to_bank = self.unpaid(company) and self.bench.reading("shortfall") == "bank"
        return BANK if to_bank else self.bench.kin.state

    def unpaid(self, company: str) -> bool:
        """True if it is nationalised because it cannot pay its interest."""
        return any(
            isinstance(e, ev.CompanyLeft) and (e.company, e.reason) == (company, "interest") for e in self.bench.events
        )

    def holders(self, company: str) -> None:
        """Each holder is paid the price for each share; a minor is two shares; pool and treasury get nothing."""
        price = self.price[company]
        due = {player: n * price for player, n in self.books.holdings(company).items()}
        found = {holder: amount for (name, holder), amount in self.paid.items() if name == company}
        self.bench.same("v2.0 §11 holders", f"holders of {company} at {price}", found, due)

    def leaves(self, company: str, closed: bool, reason: str) -> None:
        bench, books = self.bench, self.books
        kind = self.tables.kind(company)
        bench.same("v2.0 §7.3 restart", f"{company} is out for good", closed, kind == "minor")
        bench.same("v2.0 §11 the rest", f"money of {company}", books.cash[company], 0)
        bench.same("v2.0 §11 the rest", f"trains of {company}", books.trains[company], [])
        bench.same("v2.0 §11 the rest", f"loans of {company}", books.loans[company], 0)
        bench.check("v2.0 §11 the rest", company not in books.privates.values(), f"{company} keeps a private")
        state = len(books.hexes(bench.kin.state))
        bench.check("v2.0 §7.4 markers", state <= 8, f"the state railway has {state} markers")
        elsewhere = [h for h in books.hexes(bench.kin.state) if h not in self.PLACES]
        bench.check("v2.0 §7.4 markers", len(elsewhere) <= 6, f"the state railway stands in {elsewhere}")
        self.price.pop(company, None)
        self.given.pop(company, None)
        for key in [k for k in self.paid if k[0] == company]:
            del self.paid[key]
        match reason:
            case "trainless" if company == self.company:
                self.could_not_buy(company)
            case "trainless":
                bench.check("v2.0 §11 who", company in books.operated, f"{company} has not operated")
                bench.check(
                    "v2.0 §11 who", self.began in ("4", "6", "8"), f"{company} without a train in phase {books.phase}"
                )
            case "interest":
                due = INTEREST * self.began_with
                good = self.reach[company] < due
                bench.check("v2.0 §10.8 cannot pay", good, f"{company} reaches {self.reach[company]} and owes {due}")
            case "too_late":
                bench.check(
                    "v2.0 §8 phase 5", kind == "minor" and books.phase == "5", f"{company} in phase {books.phase}"
                )
            case _:
                pass

    def could_not_buy(self, company: str) -> None:
        """v2.0 §10.10: only if with all loans it cannot afford the cheapest train."""
        trains = [self.tables.trains[t].price for t in [*self.books.pool, *self.offered()]]
        reach = self.reach[company]
        if self.bench.reading("excess_loans") == "lower":  # 1867 11.13
            reach -= NET * self.excess[company]
        if self.began is None and trains:
            self.bench.check("v2.0 §10.10 cannot afford", reach < min(trains), f"{company} reaches {reach}: {trains}")

    def offered(self) -> list[str]:
        """New trains that the bank sells."""
        return [t for t in [self.books.next_new()] if t is not None]


class Formation(Subject):
    """v2.0 §12: conversions and mergers."""

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Formed(minors, company, price, director):
                self.formed(minors, company, price, director)
            case ev.Paid(payer, _, amount, "merged"):
                self.bench.same("v2.0 §12.4 assets", f"{payer} brings", amount, self.books.cash[payer])
            case _:
                pass

    def formed(self, minors: tuple[str, ...], company: str, price: int, director: str | None) -> None:
        bench, books, before = self.bench, self.books, self.bench.before
        prices = [before.price(m) for m in minors]
        converted = isinstance(bench.order, od.Convert)
        if converted:
            cells = [before.cells[m] for m in minors]
            zone = cells[0] in bench.kin.zone
            bench.check("v2.0 §12.2 conversion", len(minors) == 1 and zone, f"{minors} convert in {cells}")
            due = prices[0]
        else:
            bench.check("v2.0 §12.3 number", 2 <= len(minors) <= 10, f"{len(minors)} minors merge")
            spaces = bench.kin.public_starts
            total = max(bench.kin.merger_floor, min(200, max(prices) + min(prices)))
            due = max(p for p in spaces if p <= total)
        bench.same("v2.0 §12.2, §12.3 price", f"{company} of {prices}", price, due)
        bench.check(
            "v2.0 §12 phases", books.round[0] == "MR" and books.phase in "34567", f"{company} in phase {books.phase}"
        )
        self.holders(minors, company, converted)
        for what, now, then in (("loans", books.loans, before.loans), ("cash", books.cash, before.cash)):
            bench.same("v2.0 §12.4 assets", f"{what} of {company}", now[company], sum(then[m] for m in minors))
        bench.same("v2.0 §12.4 assets", f"trains of {company}", sorted(books.trains[company]), sorted(t for m in minors for t in before.trains[m]))  # fmt: skip  # noqa: E501
        for private, owner in before.privates.items():
            if owner in minors:
                bench.same("v2.0 §12.4 assets", f"owner of {private}", books.privates[private], company)
        if not converted:
            self.directs(minors, company, director)

    def holders(self, minors: tuple[str, ...], company: str, converted: bool) -> None:
        """v2.0 §12.3: a share for each minor; §12.2: the director's certificate for the one that converts."""
        bench, before = self.bench, self.bench.before
        due = Counter(before.director(m) for m in minors)
        if converted:
            due = Counter(dict.fromkeys(due, 2))
        bench.same("v2.0 §12.3 shares", f"holders of {company}", self.books.holdings(company), dict(due))
        bench.check("v2.0 §12.3 number", max(due.values()) <= 6, f"{dict(due)} of {company}")
        bench.same("v2.0 §12.4 shares", f"shares of {company} in the pool", self.books.shares(POOL, company), 0)
        left = self.tables.size(company) - sum(due.values())
        bench.same(
            "v2.0 §12.4 shares", f"shares of {company} in its treasury", self.books.shares(TREASURY, company), left
        )

    def directs(self, minors: tuple[str, ...], company: str, director: str | None) -> None:
        """v2.0 §12.3: most shares; in a tie the owner of the minor that operated earliest."""
        before: Books = self.bench.before
        owners = [owner for m in sorted(minors, key=before.rank) if (owner := before.director(m))]
        count = Counter(owners)
        most = max(count.values())
        due = next(owner for owner in owners if count[owner] == most)
        self.bench.same("v2.0 §12.3 director", f"director of {company} of {owners}", director, due)
