"""1841: who pays whom, how much, and what for."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.state import BANK, POOL, TREASURY

KNOWN = frozenset({
    "bid", "concession", "dividend", "withheld", "emergency", "sale", "share", "token", "train", "terrain", "help",
    "private", "loan", "merged", "exchange", "bankruptcy",
})  # fmt: skip


class Payments(ChainSubject):
    """Sheet 1.3 (purchases, tokens), 1.8 (dividends), 1.9 (trains, emergencies, bankruptcy)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.shares: Counter[tuple[str, str, int]] = Counter()
        """Paid for shares: payer, payee, amount; what is bought is taken off."""
        self.dividends: Counter[str] = Counter()
        self.withheld: Counter[str] = Counter()
        self.sold: Counter[tuple[str, str]] = Counter()
        """Paid for a normal sale: seller, company."""
        self.worth: Counter[str] = Counter()
        """Full prices of what a seller has sold at half price in this emergency."""
        self.raised: Counter[str] = Counter()
        self.ran: dict[str, int] = {}
        self.tokens: Counter[tuple[str, int]] = Counter()
        self.loans: Counter[str] = Counter()
        self.bayard: str | None = None
        self.company: str | None = None
        """Whose turn it is."""
        self.helped: set[str] = set()
        """Players who have helped in this order."""

    def begin(self) -> None:
        self.dividends.clear()
        self.withheld.clear()
        self.bayard = None
        self.helped = set()

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.Paid():
                self.paid(event)
            case ev.Bought():
                self.bought(event)
            case ev.Sold(seller, company, count, amount):
                self.sale(seller, company, count, amount)
            case ev.Ran(company, routes, values, revenue):
                bench.same("1841 §1.7 runs", f"earnings of {company}", revenue, sum(values))
                bench.check(
                    "1841 §1.7 runs", len(routes) <= len(books.trains[company]), f"{company} runs {len(routes)}"
                )
                self.ran[company] = revenue
            case ev.Distributed():
                self.distributed(event)
            case ev.TokensBought(company, _, cost):
                self.settle()
                if cost:
                    self.tokens[company, cost] -= 1
            case ev.DebtChanged(player, kind, change, reason):
                bench.same("1841 §1.9 loan", f"debt of {player}", (kind, change, reason), ("loan", tables_1841.LOAN, "taken"))  # fmt: skip  # noqa: E501
                self.loans[player] -= 1
            case ev.TurnBegan(company):
                self.settle()
                self.company = company
            case ev.TurnEnded() | ev.Resigned():
                self.settle()
                self.company = None
            case ev.CompanyOpened():
                self.company = None  # stock that is sold now pays for markers
            case ev.RoundBegan() if books.round[0] == "SR":
                bench.same("1841 §3.4 Bayard", "income of Bayard", self.bayard, books.privates.get("Bayard"))
            case _:
                pass

    def paid(self, event: ev.Paid) -> None:
        bench, books = self.bench, self.books
        payer, payee, amount, about = event.payer, event.payee, event.amount, event.about
        bench.check("1841 money", amount > 0 and event.reason in KNOWN, f"{event}")
        if payer != BANK:
            bench.check("1841 money", books.cash[payer] >= amount, f"{payer} has {books.cash[payer]}: {event}")
        match event.reason:
            case "share":
                self.shares[payer, payee, amount] += 1
            case "dividend":
                bench.check("1841 §1.8 dividend", payer == BANK, f"{event}")
                self.dividends[payee] += amount
            case "withheld":
                self.withheld[payee] += amount
            case "sale":
                self.sold[payee, about] += amount
            case "emergency":
                bench.check("1841 §1.9 emergency", payer == BANK, f"{event}")
                self.in_need()
                self.raised[payee] += amount
            case "token" if payee == BANK:
                self.tokens[payer, amount] += 1
            case "token" | "terrain":
                pass  # see Track
            case "train":
                self.train(payer, amount)
            case "help":
                self.help(payer, payee)
            case "private":
                bench.same("1841 §3.4 Bayard", "Bayard pays", (payer, amount), (BANK, tables_1841.BAYARD))
                self.bayard = payee
            case "concession" if payee == BANK:
                bench.same("1841 §1.3 concession", f"{about} costs", amount, tables_1841.FACE + self.with_it(about))
            case "loan":
                bench.same("1841 §1.9 loan", f"loan of {payee}", (payer, amount), (BANK, tables_1841.LOAN))
                self.loans[payee] += 1
            case "bankruptcy":
                bench.same("1841 §1.9 bankruptcy", f"{payer} gives up", amount, books.cash[payer])
            case _:
                pass

    def in_need(self) -> None:
        """Only for a train that the company's own money does not pay."""
        if self.company is None or not isinstance(self.bench.order, od.Sell | od.SellGroup):
            return
        price = self.cheapest()
        cash = self.before.cash[self.company]
        good = price is not None and cash < price and not self.books.trains[self.company]
        self.bench.check("1841 §1.9 need", good, f"{self.company} has {cash} and {self.books.trains[self.company]}")

    def with_it(self, concession: str) -> int:
        """The president's certificate of a running company comes with its concession, and the bank is paid for both."""
        company = concession.removeprefix("C-")
        return 2 * self.books.price(company) if self.books.owner(company) == POOL else 0

    def help(self, payer: str, payee: str) -> None:
        """Up the chain: the helper owns the company, directly or through others."""
        chain = self.books.chain(payee)
        rule = "1841 §1.9 order of help"
        if not self.bench.check(rule, payer in chain, f"{payer} helps {payee}, whose owners are {chain}"):
            return
        for level in [payee, *chain[: chain.index(payer)]]:
            own = self.books.paper[TREASURY, level, "ordinary"]
            others = [
                c for (p, c, kind), n in self.books.paper.items()
                if n and p == level and kind == "ordinary" and c not in (payee, *chain)
            ]  # fmt: skip
            self.bench.check(rule, not own and not others, f"{payer} helps, and {level} has {own} of its own, {others}")
        if payer in self.books.players:
            self.helped.add(payee)

    def train(self, company: str, price: int) -> None:
        """A player gives what is missing, no more."""
        self.settle()
        if company in self.helped:
            self.bench.same("1841 §1.9 emergency", f"money of {company}, whose player helped, for a train", self.books.cash[company], price)  # fmt: skip  # noqa: E501
            cheapest = self.cheapest()
            self.bench.same("1841 §1.9 emergency", "price of a train that a player helps with", price, cheapest)

    def cheapest(self) -> int | None:
        trains, new = self.before.pool, self.before.next_new()
        prices = [self.tables.trains[t].price for t in [*trains, *([new] if new else [])]]
        return min(prices, default=None)

    def bought(self, event: ev.Bought) -> None:
        """The chart price for a share; to the company for its own, to the bank for the pool's (clarification 1.2)."""
        bench, books, company = self.bench, self.books, event.company
        rule = "1841 §1.3 purchase"
        payee = {"treasury": company, "pool": BANK}.get(event.source, event.source)
        if event.source in ("treasury", "pool"):
            bench.same(rule, f"{event.count} of {company} cost", event.amount, event.count * books.price(company))
        key = (event.player, payee, event.amount)
        bench.check(rule, not event.amount or self.shares[key] > 0, f"{event.player} has not paid: {event}")
        self.shares[key] -= 1 if event.amount else 0

    def sale(self, seller: str, company: str, count: int, amount: int) -> None:
        """Full price, or half of it in an emergency; nothing has fallen before all is paid (clarification 2.2)."""
        price = self.books.price(company)
        if (seller, company) in self.sold:
            paid = self.sold.pop((seller, company))
            self.bench.same("1841 §1.3 sale", f"{count} of {company} bring", (amount, paid), (count * price, count * price))  # fmt: skip  # noqa: E501
        else:
            self.worth[seller] += count * price

    def settle(self) -> None:
        """Clarification 2.22: what a seller raises at half price is rounded down, once."""
        for seller, worth in self.worth.items():
            self.bench.same("1841 §2.22 half prices", f"{seller} sells for half of {worth}", self.raised[seller], worth // 2)  # fmt: skip  # noqa: E501
        extra = [seller for seller in self.raised if seller not in self.worth]
        self.bench.check("1841 §2.22 half prices", not extra, f"{extra} are paid for nothing")
        self.worth.clear()
        self.raised.clear()

    def distributed(self, event: ev.Distributed) -> None:
        """By percentage; the company has its own unsold part, the pool's is not paid (clarification 5.1)."""
        bench, books, company, revenue = self.bench, self.books, event.company, event.revenue
        rule = "1841 §1.8 dividend"
        bench.same(rule, f"earnings of {company}", revenue, self.ran.pop(company, 0))
        due, kept = Counter[str](), Counter[str]()
        if event.kind == "full":
            for place, n in [*books.holders(company).items(), (TREASURY, books.shares(TREASURY, company))]:
                part = n * books.tenths(company) * revenue // 10
                due[company if place == TREASURY else place] += part
        else:
            bench.same(rule, f"dividend of {company}", (event.kind, event.dividend), ("none", 0))
            kept[company] = revenue
        bench.same(rule, f"dividends of {company} on {revenue}", +self.dividends, +due)
        bench.same(rule, f"{company} keeps", +self.withheld, +kept)
        self.dividends.clear()
        self.withheld.clear()

    def end(self) -> None:
        bench, books = self.bench, self.books
        for seller, worth in self.worth.items():
            bench.same("1841 §2.22 half prices", f"{seller} sells for half of {worth}", self.raised[seller], worth // 2)
        for what, counts in (("shares", +self.shares), ("tokens", self.tokens), ("loans", self.loans), ("sales", +self.sold)):  # fmt: skip  # noqa: E501
            wrong = {key: n for key, n in counts.items() if n}
            bench.check("1841 money", not wrong, f"{what} paid without a cause (or not paid): {wrong}")
        for counter in (self.shares, self.tokens, self.loans, self.sold):
            counter.clear()
        negative = {o: n for o, n in books.cash.items() if n < 0 and o != BANK}
        bench.check("1841 money", not negative, f"below 0: {negative}")
        bench.same("1841 money", "all money", sum(books.cash.values()), self.tables.bank)
        gone = {c: n for c, n in books.cash.items() if n and c in books.status and books.status[c] != "open"}
        bench.check("1841 money", not gone, f"companies that are not in play have {gone}")
        if isinstance(bench.order, od.Bankrupt):
            self.bankrupt(bench.order)

    def bankrupt(self, order: od.Bankrupt) -> None:
        """§1.9: all that the player has goes, and all the cash of the chain was too little."""
        books, before = self.books, self.before
        player = before.controller(order.actor)
        rule = "1841 §1.9 bankruptcy"
        if not self.bench.check(rule, player is not None, f"{order.actor} has no player") or player is None:
            return
        chain = [order.actor, *before.chain(order.actor)]
        cash = sum(before.cash[who] for who in chain)
        price = self.cheapest()
        self.bench.check(rule, price is not None and cash < price, f"{chain} have {cash}, a train costs {price}")
        due = tables_1841.LOAN if order.way == "loan" else 0
        left = [c for (p, c, _), n in books.paper.items() if p == player and n]
        self.bench.same(rule, f"what {player} has left", (books.cash[player], left), (due, []))
        concessions = [c for c, owner in books.privates.items() if owner == player]
        self.bench.same(rule, f"concessions of {player}", concessions, [])
