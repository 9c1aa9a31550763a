"""1844: launches and destinations, debts, and the formation of the SBB."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from tests.referee import tables_1844
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK, IPO, POOL, Books

LAUNCH = {"pre-SBB": 2, "regional": 3, "historical": 5}
"""p. 8: shares that must be sold."""
CAPITAL = {"pre-SBB": 2, "regional": 5, "historical": 5}
"""p. 8: treasury at the launch in par prices; the same again at the destination."""
BASE = 100


class Launches(Subject):
    """p. 8 and p. 11."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.capital: Counter[tuple[str, int]] = Counter()
        self.bonus: Counter[tuple[str, int]] = Counter()
        self.arrived: set[str] = set()
        self.at_once: set[str] = set()
        """Launched when there were no destinations any more."""

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.CompanyOpened(company) if company != "SBB":
                self.launched(company)
            case ev.Paid(_, payee, amount, "capital") if payee != "SBB":
                self.capital[payee, amount] -= 1
            case ev.Paid(_, payee, amount, "destination"):
                self.bonus[payee, amount] -= 1
            case ev.DestinationReached(company, _, amount):
                kind = self.tables.kind(company)
                rule = "p. 11 destination"
                good = kind in ("pre-SBB", "historical") and company not in self.arrived | self.at_once
                bench.check(rule, good and books.status[company] == "open", f"{company} reaches its destination again")
                bench.same(rule, f"bonus of {company}", amount, CAPITAL[kind] * books.par[company])
                self.arrived.add(company)
                self.bonus[company, amount] += 1
            case _:
                pass

    def launched(self, company: str) -> None:
        kind = self.tables.kind(company)
        times = CAPITAL[kind]
        if kind == "historical" and self.books.phase in "67":
            times = 10  # p. 8: no destination, all at once
            self.at_once.add(company)
        self.capital[company, times * self.books.par[company]] += 1
        sold = self.tables.size(company) - self.books.shares(IPO, company)
        self.bench.check("p. 8 launch", sold >= LAUNCH[kind], f"{company} is launched with {sold} shares sold")

    def end(self) -> None:
        for company in self.books.par:
            sold = self.tables.size(company) - self.books.shares(IPO, company)
            due = sold >= LAUNCH[self.tables.kind(company)]
            self.bench.check(
                "p. 8 launch", not due or self.books.status[company] == "open", f"{company} is not launched"
            )
        for what, counts in (("capital", self.capital), ("bonus", self.bonus)):
            wrong = {key: n for key, n in counts.items() if n}
            self.bench.check("p. 8 capital", not wrong, f"{what} due (1) or paid (-1) in error: {wrong}")
            counts.clear()


class Debts(Subject):
    """p. 14 and p. 17."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.lent: Counter[str] = Counter()
        self.repaid: Counter[str] = Counter()
        self.grown: Counter[tuple[str, str]] = Counter()
        self.owed: dict[tuple[str, str], int] | None = None

    def begin(self) -> None:
        self.grown, self.owed = Counter(), None

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.Paid(_, player, amount, "debt"):
                help = [
                    e.amount for e in bench.events if isinstance(e, ev.Paid) and (e.payer, e.reason) == (player, "help")
                ]
                bench.same("p. 14 debt", f"{player} borrows", amount, sum(help) - books.cash[player])
                self.lent[player] += amount
            case ev.DebtChanged(player, "emergency", change, "taken"):
                lent = self.lent.pop(player, 0)
                bench.same("p. 14 debt", f"debt of {player} for {lent}", change, lent + (lent + 1) // 2)
            case ev.DebtChanged(player, kind, change, "interest"):
                if self.owed is None:
                    self.owed = dict(books.debts)
                self.grown[player, kind] += change
            case ev.Paid(player, _, amount, "repayment"):
                bench.check("p. 14 repayment", amount <= books.cash[player], f"{player} repays {amount}")
                self.repaid[player] += amount
            case ev.DebtChanged(player, kind, change, "repaid"):
                bench.same(
                    "p. 14 repayment", f"{player} repays of his {kind} debt", -change, self.take(player, -change)
                )
                bench.check("p. 14 repayment", -change <= books.debts[player, kind], f"{player} repays {-change}")
            case ev.RoundBegan(round) if round.kind == "OR" and books.round[0] == "SR":
                self.stock_round_ends()
            case _:
                pass

    def take(self, player: str, amount: int) -> int:
        taken = min(self.repaid[player], amount)
        self.repaid[player] -= taken
        return taken

    def stock_round_ends(self) -> None:
        """p. 14: half as much again, rounded up; not for what the exchange of the SBB has left (note p. 17)."""
        owed = dict(self.books.debts) if self.owed is None else self.owed
        sums, found = Counter[str](), Counter[str]()
        for (player, kind), amount in owed.items():
            sums[player] += amount if kind == "emergency" else 0
        for (player, kind), amount in self.grown.items():
            found[player] += amount
            self.bench.check("p. 17 note", kind == "emergency", f"{player}'s {kind} debt grows")
        due = {player: (amount + 1) // 2 for player, amount in sums.items() if amount}
        self.bench.same("p. 14 interest", "debts grow by", dict(found), due)

    def end(self) -> None:
        bench = self.bench
        bench.check("p. 14 repayment", not +self.repaid, f"paid for no debt: {dict(+self.repaid)}")
        bench.check("p. 14 debt", not +self.lent, f"lent without a debt: {dict(+self.lent)}")
        self.lent.clear()
        self.repaid.clear()


class Formation(Subject):
    """p. 16 and p. 17."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.then: Books | None = None
        """The books when the formation began."""
        self.paid: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()

    def begin(self) -> None:
        self.then = None
        self.paid.clear()
        self.taken.clear()

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Paid(payer, payee, amount, "exchange"):
                self.starts()
                self.paid[payee if payer == BANK else payer] += amount if payer == BANK else -amount
            case ev.DebtChanged(player, "formation", change, "taken"):
                self.starts()
                self.taken[player] += change
            case ev.CertificatesSet(company) if company in tables_1844.PRE_SBB:
                self.starts()
            case ev.Formed(_, "SBB", price, director) if self.then is not None:
                self.formed(self.then, price, director)
            case _:
                pass

    def starts(self) -> None:
        if self.then is None:
            self.then = self.books.copy()

    def exchange(self, then: Books) -> tuple[Counter[str], Counter[str]]:
        """Return the money of each player (below 0 he pays), and his new debt. All five companies are one account."""
        paid, debt = Counter[str](), Counter[str]()
        for player in then.players:
            sums = [
                then.shares(player, v) * (then.price(v) - BASE) for v in tables_1844.PRE_SBB if then.shares(player, v)
            ]
            amount, has = sum(sums), then.cash[player]
            paid[player] += max(amount, -has)
            debt[player] += max(0, -amount - has)
        return paid, debt

    def formed(self, then: Books, price: int, director: str | None) -> None:
        bench, books = self.bench, self.books
        paid, debt = self.exchange(then)
        nonzero = [{p: n for p, n in counts.items() if n} for counts in (self.paid, paid, self.taken, debt)]
        bench.same("p. 16 exchange", "paid for the exchange", nonzero[0], nonzero[1])
        bench.same("p. 17 exchange debt", "debts from the exchange", nonzero[2], nonzero[3])
        bench.same("p. 16 SBB", "price of the SBB", price, BASE)
        shares = {p: n for p in then.players if (n := sum(then.shares(p, v) for v in tables_1844.PRE_SBB))}
        bench.same("p. 16 shares", "holders of the SBB", {p: books.shares(p, "SBB") for p in shares}, shares)
        bench.same(
            "p. 16 shares", "shares of the SBB in the pool", books.shares(POOL, "SBB"), 20 - sum(shares.values())
        )
        bench.same("p. 16 shares", "new shares of the SBB", books.shares(IPO, "SBB"), 0)
        doubles = sum(n for (_, c, kind), n in books.paper.items() if c == "SBB" and kind in ("director", "double"))
        bench.same("p. 16 shares", "doubles of the SBB", doubles, 5)
        bench.same("p. 16 SBB", "treasury", books.cash["SBB"], 400 + sum(then.cash[v] for v in tables_1844.PRE_SBB))
        due = sorted(["SBB5H", *(t for v in tables_1844.PRE_SBB for t in then.trains[v])])
        bench.same("p. 16 SBB", "trains", sorted(books.trains["SBB"]), due)
        hexes = sorted({h for v in tables_1844.PRE_SBB for h in then.hexes(v)})
        bench.same("p. 16 markers", "markers", sorted(set(books.hexes("SBB"))), hexes)
        for company in tables_1844.PRE_SBB:
            left = (books.status[company], books.cash[company], books.trains[company], company in books.cells)
            bench.same("p. 16 SBB", f"what is left of {company}", left, ("closed", 0, [], False))
        self.directs(then, shares, director)

    def directs(self, then: Books, shares: dict[str, int], director: str | None) -> None:
        """p. 17: most shares; then the former director of V1, of V2, and so on; then the order of play."""
        most = max(shares.values(), default=0)
        if most < 2:
            return
        seats = [*(d for v in tables_1844.PRE_SBB if (d := then.director(v))), *then.players]
        self.bench.same(
            "p. 17 director", "director of the SBB", director, next(p for p in seats if shares.get(p) == most)
        )
        self.bench.same("p. 17 director", "holder of the certificate", self.books.director("SBB"), director)
