"""1841: companies that are merged, transformed or divided: their new price, what they take over, and who gets what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.companies import ChainBooks
from tests.referee.state import BANK, POOL, TREASURY
from tests.referee.tables import Cell


@dataclass
class Union:
    """A merger or transformation under way; ``then`` are the books before it."""

    then: ChainBooks
    old: tuple[str, ...]
    new: str
    price: int
    shares: Counter[str] = field(default_factory=Counter)
    money: Counter[str] = field(default_factory=Counter)
    sequence: list[tuple[str, bool]] = field(default_factory=list)
    """Who was dealt with in turn, and whether he became president."""
    voluntary: bool = False


class Unions(ChainSubject):
    """Sheet 1.10: two companies, or one, become another."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.then: ChainBooks | None = None
        """Before the first certificate of an old company came back."""
        self.under_way: Union | None = None
        self.cells: dict[str, Cell] = {}
        self.paid: Counter[tuple[str, str]] = Counter()

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.CertificatesMoved(target=target) if target == TREASURY and self.then is None:
                self.then = self.books.copy()
            case ev.CompanyOpened() if self.then is None and not isinstance(self.bench.order, od.Start):
                self.then = self.books.copy()
            case ev.PriceSet(company, cell, _, "merged" | "transformed"):
                self.cells[company] = cell
            case ev.Restored(_, reason):
                self.undone(reason)
            case ev.Divided():
                self.then = None
            case ev.CompanyLeft(company, _, "divided"):
                self.then = None
                self.paid.clear()  # the Secession's own subject looks at its payments
            case ev.Paid(payer, payee, amount, "exchange", about):
                self.exchanged_money(payer, payee, amount, about)
            case ev.Exchanged(holder, company, shares, director, money) if self.under_way is not None:
                union = self.under_way
                if company == union.new:
                    union.shares[holder] += shares
                    union.money[holder] += money
                    union.sequence.append((holder, director))
            case ev.CompanyLeft(company, _, "merged" | "converted"):
                self.leaves(company)
            case _:
                pass

    def entered(self, event: ev.Event) -> None:
        match event:
            case ev.Merged(companies, company, price) if self.then is not None:
                self.under_way = Union(self.then, companies, company, price)
                self.under_way.voluntary = isinstance(self.bench.order, od.Merge)
                self.takes_over(self.under_way)
            case ev.Merged():
                self.bench.check("1841 §4.7 merger", False, f"nothing was given back before {event}")
            case _:
                pass

    def undone(self, reason: str) -> None:
        """A merger of one's own will does not take place if it leaves no president (clarification 3.6) or closes a
        circle (3.1)."""
        union = self.under_way
        good = union is not None and union.voluntary and self.books.owner(union.new) is None
        if reason == "circle":
            good = any(self.books.circle(c) for c in self.books.companies())
        self.bench.check("1841 §3.6 undone", good, f"{union and union.old} do not merge")
        self.under_way, self.then = None, None
        self.paid.clear()

    # ---- the new company --------------------------------------------------------------------------------------------

    def takes_over(self, union: Union) -> None:
        bench, books, then = self.bench, self.books, union.then
        self.price(union)
        rule = "1841 §4.7 assets"
        cash = sum(then.cash[c] for c in union.old)
        bench.same(rule, f"treasury of {union.new}", books.cash[union.new], cash)
        trains = sorted(t for c in union.old for t in then.trains[c])
        bench.same(rule, f"trains of {union.new}", sorted(books.trains[union.new]), trains)
        paper = {c: n for c in then.cells if c not in union.old and (n := sum(then.shares(o, c) for o in union.old))}
        found = {c: n for c in books.cells if (n := books.shares(union.new, c))}
        bench.same(rule, f"shares that {union.new} owns", found, paper)
        left = [c for c in union.old if books.cash[c] or books.trains[c]]
        bench.check(rule, not left, f"{left} keep something")
        major = self.tables.kind(union.new) == "major"
        bench.check("1841 §4.7 charter", major and then.status[union.new] == "unstarted", f"{union.new} is not free")
        if isinstance(bench.order, od.Merge):
            self.may_merge(union)

    def may_merge(self, union: Union) -> None:
        """Both have operated, neither is frozen, historical ones from phase 4 on, two of a class."""
        rule, then = "1841 §4.7.4 may merge", union.then
        kinds = {self.tables.kind(c) for c in union.old}
        self.bench.check(rule, len(kinds) == 1 and len(union.old) == 2, f"{union.old}")
        # The one that acts is in its turn: it has operated in an earlier one.
        new = [c for c in union.old if c not in self.before.history]
        self.bench.check(rule, not new, f"{new} have not operated")
        frozen = [c for c in union.old if then.frozen(c)]
        self.bench.check(rule, not frozen, f"{frozen} are frozen")
        old = [c for c in union.old if c in tables_1841.HISTORICAL]
        self.bench.check(rule, not old or self.books.phase not in "23", f"{old} merge in phase {self.books.phase}")

    def price(self, union: Union) -> None:
        """Lawson's chart; a major above 250 keeps its place; a transformed company too."""
        then, chart = union.then, self.tables.chart
        cells = [then.cells[c] for c in union.old]
        if len(cells) == 1:
            due = cells
        else:
            prices = [chart.prices[cell] for cell in cells]
            due = []
            if self.tables.kind(union.old[0]) == "major":
                due = [cell for cell in cells if chart.prices[cell] > tables_1841.MOST_MERGED]
                total = sum(prices)
            else:
                total = -(-sum(prices) // 2)
            due = due or [next(cell for least, cell in tables_1841.LAWSON if total >= least)]
        where = self.cells.pop(union.new, None)
        self.bench.check("1841 §2.6 price", where in due, f"{union.old} become {union.new} in {where}, due {due}")
        self.bench.same("1841 §2.6 price", f"price of {union.new}", union.price, chart.prices.get(where or (-1, -1)))

    # ---- who gets what ----------------------------------------------------------------------------------------------

    def exchanged_money(self, payer: str, payee: str, amount: int, about: str) -> None:
        """Payments by holders go to the new company, payments to holders come from the bank."""
        if payer == BANK:
            self.paid[payee, about] += amount
        else:
            self.paid[payer, about] -= amount
            self.bench.same("1841 §4.7.4 payment", f"{payer} pays {amount} to", payee, about)

    def leaves(self, company: str) -> None:
        union = self.under_way
        if union is None or company not in union.old:
            return
        rest = [c for c in union.old if c != company and self.books.status[c] == "open"]
        if not rest:
            self.over(union)
            self.under_way, self.then = None, None

    def over(self, union: Union) -> None:
        bench, then = self.bench, union.then
        majors = len(union.old) == 2 and self.tables.kind(union.old[0]) == "major"
        held = Counter[str]()
        for company in union.old:
            for place, n in {**then.holders(company), POOL: then.shares(POOL, company)}.items():
                if place not in union.old and place != TREASURY:
                    held[place] += n
        for holder, n in held.items():
            if holder == POOL or not n:
                continue
            shares, money = union.shares[holder], union.money[holder]
            if majors:
                rest = n * union.price - 2 * shares * union.price
                due = rest // 2 if rest >= 0 else -(-rest // 2)
                bench.same("1841 §4.7.4 exchange", f"{holder} with {n} shares of {union.old} gets {shares} and", money, due)  # fmt: skip  # noqa: E501
            else:
                bench.same("1841 §4.7.5 exchange", f"{holder} with {n} gets", (shares, money), (n, 0))
            bench.same("1841 §4.7.4 payment", f"money for {holder}", self.paid.pop((holder, union.new), 0), money)
        bench.check("1841 §4.7.4 payment", not +self.paid, f"paid for nothing: {dict(self.paid)}")
        self.paid.clear()
        self.first_president(union, held, majors)
        self.pool(union, held[POOL], majors)
        self.tokens(union)

    def pool(self, union: Union, held: int, majors: bool) -> None:
        """The pool discards its odd one; pairs while ordinary certificates last. A president's certificate that nobody
        takes is for two of its shares, or for what it has of them."""
        if isinstance(self.bench.order, od.Take):
            return
        sold = sum(e.count for e in self.bench.events if isinstance(e, ev.Sold) and e.company == union.new)
        now = self.books.shares(POOL, union.new) - sold
        most = held // 2 if majors else held
        if self.books.paper[POOL, union.new, "director"]:
            most = max(most, 2)
        good = now == most or (majors and now < most and not self.books.paper[TREASURY, union.new, "ordinary"])
        self.bench.check("1841 §4.7.4 pool", good, f"{now} shares of {union.new} in the pool, due {most}")

    def first_president(self, union: Union, held: Counter[str], majors: bool) -> None:
        """In decision order; with 40 % of two majors one must, with less one may."""
        bench = self.bench
        rule = "1841 §3.6 presidency"
        first = next((who for who, director in union.sequence if director), None)
        must = [who for who, n in held.items() if n >= 4 and who != POOL] if majors else []
        at = [who for who, _ in union.sequence]
        early = [who for who in must if first is None or at.index(who) < at.index(first)]
        bench.check(rule, not early, f"{early} must become president of {union.new}")
        if union.voluntary:
            # Two ordinary certificates, a pair's and one rounded up, become the president's too.
            owner = self.books.owner(union.new)
            bench.check(rule, owner not in (None, POOL), f"nobody becomes president of {union.new}")
        player = union.then.controller(union.old[0])
        if player is not None and union.voluntary:
            due = union.then.deciders(player)
            done = [due.index(who) for who in dict.fromkeys(at) if who in due]
            if not majors:
                bench.same("1841 §1.18 decision order", f"{at} in the order of {due}", done, sorted(done))
            elif bench.order is not None:
                pairs = [due.index(who) for who, _ in self.pass_one(union, held)]
                bench.same("1841 §1.18 decision order", f"pairs: {at} in {due}", pairs, sorted(pairs))

    @staticmethod
    def pass_one(union: Union, held: Counter[str]) -> list[tuple[str, bool]]:
        seen: list[tuple[str, bool]] = []
        for who, director in union.sequence:
            if held[who] >= 2 and who not in [w for w, _ in seen]:
                seen.append((who, director))
        return seen

    def tokens(self, union: Union) -> None:
        """Clarification 1.22: one for each that the old ones had, less one for each place they shared; two to five."""
        then, rule = union.then, "1841 §1.22 tokens"
        if len(union.old) == 1:
            return
        one, other = union.old
        shared = [h for h in then.hexes(one) if h in then.hexes(other)]
        due = sum(then.tokens.get(c, 0) for c in union.old) - len(shared)
        due = 5 if union.new == "SFLi" else min(5, max(2, due))
        two_cities = [h for h in shared if h in ("H4", "R14")]
        if not two_cities:
            self.bench.same(rule, f"tokens of {union.new}", self.books.tokens.get(union.new), due)
        standing = self.books.hexes(union.new)
        self.bench.check(rule, len(standing) == len(set(standing)), f"{union.new} stands twice in one of {standing}")
        places = {h for c in union.old for h in then.hexes(c)}
        self.bench.check(rule, set(standing) <= places, f"{union.new} stands in {standing}, the old ones in {places}")
        self.bench.check(rule, any(h not in tables_1841.PASSES for h in standing) or union.new == "SFLi", f"{union.new} in {standing}")  # fmt: skip  # noqa: E501
