"""Payments between players, companies and the bank: auctions, shares, incomes, dividends, privates. Money is never made
or lost, and only the bank writes IOUs."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1844
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK, IPO, POOL, TREASURY


class Money(Subject):
    """Who pays whom, how much, and what for."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.least: dict[str, int] = {}
        """Private -> the least bid for it, where it is not the printed one any more."""
        self.bid: tuple[str, str, int] | None = None
        """Item, player and amount of the highest bid."""
        self.won: Counter[tuple[str, str, int]] = Counter()
        """What winners still have to pay: player, payee, amount."""
        self.incomes: Counter[tuple[str, int, str]] = Counter()
        self.shares: Counter[tuple[str, str, int]] = Counter()
        """Paid for shares: player, payee, amount; what is bought is taken off."""
        self.dividends: Counter[tuple[str, int]] = Counter()
        self.kept: Counter[tuple[str, int]] = Counter()
        self.active: set[str] = set()
        """1844: mountain railways and tunnels that pay."""
        self.nobody = 0
        """Players in a row who would not open the bidding for a private."""
        self.ran: dict[str, int] = {}

    def begin(self) -> None:
        self.dividends.clear()
        self.kept.clear()

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.Opened(player, item, amount):
                self.opened(player, item, amount)
            case ev.BidMade(player, item, amount):
                self.raised(player, item, amount)
            case ev.MinimumReduced(item, amount):
                rule = "v2.0 §9.4, 1844 p. 6 reduced"
                bench.same(rule, f"least bid for {item}", amount, self.minimum(item) - 5)
                bench.same(rule, "players who would not open", self.nobody, len(books.players))
                self.least[item], self.nobody = amount, 0
            case ev.Passed() if bench.cousins:
                self.nobody += 1
            case ev.Dropped(_, item) if books.round[0] == "ISR" and (self.bid is None or self.bid[0] != item):
                self.nobody += 1
                if self.nobody == len(books.players) and item != "P1":
                    self.expect_incomes()  # 1844 p. 6: the round ends, and what has been sold pays
                    self.nobody = 0
            case ev.Won(player, item, amount):
                self.wins(player, item, amount)
            case ev.Paid():
                self.paid(event)
            case ev.Bought(player, company, count, amount, source):
                self.bought(player, company, count, amount, source)
            case ev.ParSet(company, price):
                if books.round[0] == "SR" and isinstance(bench.order, od.Start):
                    self.shares[bench.order.actor, BANK, 2 * price] -= 1  # 1844 p. 7: twice the par
            case ev.PriceSet(company, _, price, "start") if isinstance(bench.order, od.Start) and bench.cousins:
                self.shares[bench.order.actor, company, 2 * price] -= 1  # v2.0 §9.3
            case ev.Ran(company, routes, values, revenue):
                bench.same("earnings", f"earnings of {company}", revenue, sum(values))
                bench.check(
                    "earnings", len(routes) == len(values), f"{company}: {len(routes)} routes, {len(values)} values"
                )
                self.ran[company] = revenue
            case ev.Distributed():
                self.distributed(event)
            case ev.RoundBegan(round) if round.kind == "OR":
                self.left_over()
            case ev.TurnBegan():
                self.left_over()
            case ev.Activated(private):
                bench.check("1844 p. 5 active", private[0] in "BT" and private not in self.active, f"{private} again")
                self.active.add(private)
            case _:
                pass

    def entered(self, event: ev.Event) -> None:
        match event:
            case ev.RoundBegan(round) if round.kind == "OR":
                self.expect_incomes()
            case _:
                pass

    def end(self) -> None:
        bench = self.bench
        bench.same("money", "all money", sum(self.books.cash.values()), self.tables.bank)
        for owner, amount in self.books.cash.items():
            bench.check("money", amount >= 0 or owner == BANK, f"{owner} has {amount}")
        for (payer, payee, amount), n in self.won.items():
            bench.check("v2.0 §9.2 payment", not n, f"{payer} pays {amount} to {payee}: {-n} times too often")
        for (payer, payee, amount), n in self.shares.items():
            bench.check("v2.0 §9.3, 1844 p. 7 shares", not n, f"{payer} pays {payee} {amount}: {n} times too often")
        self.won.clear()
        self.shares.clear()
        self.left_over()

    # ---- auctions ---------------------------------------------------------------------------------------------------

    def minimum(self, item: str) -> int:
        if item in self.tables.kinds:
            return 100
        printed = self.bench.kin.privates if self.bench.cousins else tables_1844.PRIVATES
        return self.least.get(item, printed[item][0])

    def opened(self, player: str, item: str, amount: int) -> None:
        """v2.0 §9.2, §9.4."""
        self.bench.check("1867 2.7 Dutch sale", item not in self.least or not self.dutch(), f"{item} is auctioned")
        self.nobody = 0
        rule = "v2.0 §9.2 bids"
        self.bench.check(
            rule, amount >= self.minimum(item), f"{item} is opened with {amount}, less than {self.minimum(item)}"
        )
        self.bench.check(rule, amount % 5 == 0, f"{item} is opened with {amount}")
        self.bench.check(rule, amount <= self.books.cash[player], f"{player} bids {amount}")
        if item in self.tables.kinds:
            early = item in self.bench.kin.early or self.books.phase in "34"
            late = self.books.phase not in "234"
            self.bench.check(
                "v2.0 §7.2, §8 minors", early and not late, f"{item} is on offer in phase {self.books.phase}"
            )
        self.bid = (item, player, amount)

    def dutch(self) -> bool:
        """1867 2.7: a private whose least bid has fallen is not auctioned, but sold for it."""
        return self.bench.cousins and self.bench.reading("reduced_private") == "dutch"

    def raised(self, player: str, item: str, amount: int) -> None:
        """v2.0 §9.2; 1844 p. 6."""
        self.nobody = 0
        rule = "v2.0 §9.2, 1844 p. 6 bids"
        if self.bid is None or self.bid[0] != item:
            self.bench.check(rule, amount >= self.minimum(item), f"the first bid for {item} is {amount}")
        else:
            self.bench.check(rule, amount >= self.bid[2] + 5, f"{player} bids {amount} for {item} after {self.bid[2]}")
        self.bench.check(rule, not self.bench.cousins or amount % 5 == 0, f"{player} bids {amount} for {item}")
        self.bench.check(rule, amount <= self.books.cash[player], f"{player} bids {amount} for {item}")
        self.bid = (item, player, amount)

    def wins(self, player: str, item: str, amount: int) -> None:
        rule = "v2.0 §9.2, 1844 p. 6 winner"
        free = self.minimum(item) == 0 or (self.minimum(item) == 5 and self.nobody == len(self.books.players))
        self.nobody = 0
        if self.bid is not None and self.bid[0] == item:
            self.bench.same(rule, f"winner of {item}", (player, amount), self.bid[1:])
        elif item in self.least and not free and self.dutch():
            self.bench.same("1867 2.7 Dutch sale", f"{item} costs", amount, self.least[item])
        else:
            self.bench.same("v2.0 §9.4, 1844 p. 6 free", f"{item} without a bid costs", (amount, free), (0, True))
        if amount:
            self.won[player, item if item in self.tables.kinds else BANK, amount] -= 1
        self.bid = None

    # ---- payments ---------------------------------------------------------------------------------------------------

    def paid(self, event: ev.Paid) -> None:
        bench, books = self.bench, self.books
        payer, payee, amount, about = event.payer, event.payee, event.amount, event.about
        known = {BANK, *books.players, *self.tables.kinds}
        bench.check("money", amount > 0 and payer != payee, f"{payer} pays {payee} {amount} for {event.reason}")
        bench.check("money", {payer, payee} <= known, f"{payer} pays {payee}")
        lent = any(isinstance(e, ev.Paid) and (e.payee, e.reason) == (payer, "help") for e in bench.events)
        has = books.cash[payer]
        bench.check("money", payer == BANK or lent or has >= amount, f"{payer} pays {amount} of {has}")
        match event.reason:
            case "bid":
                self.won[payer, payee, amount] += 1
            case "share":
                self.shares[payer, payee, amount] += 1
            case "income":
                bench.check("v2.0 §10, 1844 p. 9 income", payer == BANK, f"{payer} pays an income")
                self.incomes[payee, amount, about] -= 1
            case "dividend":
                self.dividends[payee, amount] += 1
            case "withheld":
                self.kept[payee, amount] += 1
            case "redeem":
                moved = [e for e in bench.events if isinstance(e, ev.CertificatesMoved) and e.source == POOL]
                count = sum(e.count for e in moved if e.target == TREASURY and e.company == payer)
                bench.same(
                    "v2.0 §10.3 redeem",
                    f"{payer} pays for {count}",
                    (payee, amount),
                    (BANK, count * books.price(payer)),
                )
            case "private":
                self.private(payer, payee, amount, about)
            case "paper":
                bench.same(
                    "p. 7 paper", f"{about} costs", (payee, amount), (BANK, tables_1844.PRICE_OF_PAPER[about[0]])
                )
            case _:
                pass

    def bought(self, player: str, company: str, count: int, amount: int, source: str) -> None:
        """v2.0 §9.3: the current price, to the treasury or, for the pool, to the bank. 1844 p. 7: new shares at par,
        all money to the bank."""
        rule = "v2.0 §9.3, 1844 p. 7 shares"
        each = self.books.par.get(company, -1) if source == "ipo" else self.books.price(company)
        self.bench.same(rule, f"{player} pays for {count} of {company}", amount, count * each)
        self.shares[player, company if source == "treasury" else BANK, count * each] -= 1
        place = {"treasury": TREASURY, "ipo": IPO, "pool": POOL}[source]
        lost = self.bench.before.shares(place, company) - self.books.shares(place, company)
        formed = any(isinstance(e, ev.CertificatesSet) and e.company == company for e in self.bench.events)
        if not formed:
            self.bench.same(rule, f"shares of {company} that leave {place}", lost, count)

    def private(self, payer: str, payee: str, amount: int, private: str) -> None:
        """v2.0 §7.1: from R1 to face value, phases 3 to 5. 1844 p. 19: to twice the face value, P1 to P5, from the
        company's own director, phases 3 and 4."""
        bench, books = self.bench, self.books
        bench.same("v2.0 §7.1, 1844 p. 19 private", f"owner of {private}", payee, books.privates.get(private))
        if bench.cousins:
            most, phases, kinds = bench.kin.privates[private][1], "345", ("minor", "public")
        else:
            most, phases, kinds = 2 * tables_1844.PRIVATES[private][0], "34", ("regional", "historical")
            bench.check("1844 p. 19 private", private not in ("P6", "P7"), f"{private} is sold")
            bench.same("1844 p. 19 private", f"{payer}'s director", books.director(payer), payee)
        rule = "v2.0 §7.1, 1844 p. 19 private"
        bench.check(rule, 1 <= amount <= most, f"{private} is sold for {amount}")
        bench.check(rule, books.phase in phases, f"{private} is sold in phase {books.phase}")
        bench.check(
            rule, self.tables.kind(payer) in kinds and payee in books.players, f"{payee} sells {private} to {payer}"
        )

    # ---- incomes ----------------------------------------------------------------------------------------------------

    def expect_incomes(self) -> None:
        for private, owner in self.books.privates.items():
            if owner is None:
                continue
            if self.bench.cousins:
                amount = self.bench.kin.privates[private][2]
            elif private in tables_1844.PRIVATES:
                amount = tables_1844.PRIVATES[private][1]
            else:
                amount = tables_1844.INCOME_OF_PAPER[private[0]] if private in self.active else 0
            if amount:
                self.incomes[owner, amount, private] += 1

    def left_over(self) -> None:
        for (owner, amount, private), n in self.incomes.items():
            self.bench.check(
                "v2.0 §10, 1844 p. 9 income", n == 0, f"{owner} is paid {amount} for {private}: {-n} times too often"
            )
        self.incomes.clear()

    # ---- earnings ---------------------------------------------------------------------------------------------------

    def distributed(self, event: ev.Distributed) -> None:
        company, revenue = event.company, event.revenue
        rule = "v2.0 §10.7, 1844 p. 14 dividends"
        self.bench.same(rule, f"earnings of {company}", revenue, self.ran.pop(company, 0))
        kind = self.tables.kind(company)
        due, kept = Counter[str](), revenue
        if kind == "minor":
            director = self.books.director(company)
            assert director is not None
            due, kept = Counter({director: revenue // 2, company: revenue - revenue // 2}), 0
        elif event.kind in ("full", "half"):
            self.bench.check(rule, event.kind == "full" or kind == "public", f"{company} pays half")
            dividend = revenue if event.kind == "full" else -(-(revenue // 2) // 10) * 10
            kept = revenue - dividend
            self.bench.same(rule, f"dividend of {company} on {revenue}", event.dividend, dividend)
            due = (
                self.dividend_by_tenths(company, dividend)
                if kind == "public"
                else self.swiss_dividend(company, dividend)
            )
        else:
            self.bench.same(rule, f"dividend of {company}", event.dividend, 0)
        found = Counter[str]()
        for (owner, amount), n in self.dividends.items():
            found[owner] += amount * n
        self.bench.same(rule, f"dividends of {company} on {revenue}", +found, +due)
        withheld = {owner: amount * n for (owner, amount), n in self.kept.items()}
        self.bench.same(rule, f"{company} keeps", withheld, {company: kept} if kept else {})
        self.dividends.clear()
        self.kept.clear()

    def dividend_by_tenths(self, company: str, dividend: int) -> Counter[str]:
        """v2.0 §10.7: a tenth for each share; the treasury's to the company, the pool's lost."""
        due = Counter({p: n * dividend // 10 for p, n in self.books.holdings(company).items()})
        due[company] += self.books.shares(TREASURY, company) * dividend // 10
        return due

    def swiss_dividend(self, company: str, dividend: int) -> Counter[str]:
        """p. 14: rounded up for each player; the pool's to the company, rounded down (D-14); new shares get nothing."""
        size = self.tables.size(company)
        due = Counter({p: -(-n * dividend // size) for p, n in self.books.holdings(company).items()})
        due[company] += self.books.shares(POOL, company) * dividend // size
        return due
