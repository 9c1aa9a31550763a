"""1841: certificates, sales and purchases, limits, presidencies."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.state import POOL, TREASURY

SALES = (od.Sell, od.SellGroup)
AFTER_SALES = (od.Buy, od.Start, od.Merge, od.Convert, od.Done)
"""The orders of a company after which it cannot sell in the same turn."""


class Holdings(ChainSubject):
    """Sheet 1.3 (sales, purchases, presidency, limits), 1.10 (a company's), 1.11 (circles)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.sold: set[tuple[str, str]] = set()
        """Who has sold what in this stock round, or in this operating round."""
        self.changed: set[str] = set()
        self.half = False
        """The sale that is told now was at half price."""
        self.purchases = 0
        """In this order."""
        self.running: str | None = None
        """Whose turn it is."""
        self.seller: str | None = None
        """Whose turn it was when the order was given: a sale can end it, and the next begins in the same order."""
        self.sales_over = False
        """It can no longer sell in this turn. What brings it over a limit now it sells in the next."""
        self.merged: tuple[str, ...] = ()
        """The parts of a merger that is under way; if it closes a circle it is taken back when all have chosen."""
        self.circled: set[str] = set()
        """The companies that were in a circle before it."""

    def begin(self) -> None:
        self.changed = set()
        self.purchases = 0
        self.seller = self.running
        order = self.bench.order
        self.half = isinstance(order, od.Bankrupt)
        if isinstance(order, AFTER_SALES) and order.actor == self.running and not self.sales_over:
            self.sales_over = True
            self.anti_trust(order.actor)

    @property
    def historical_rule(self) -> bool:
        """Concessions still hold their companies: until the first 4-train, after what has to be given up for it."""
        return bool(self.books.privates)

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.RoundBegan():
                self.sold = set()
            case ev.CertificatesMoved(company, kind, count, source, target):
                held = books.paper[source, company, kind]
                good = count > 0 and held >= count and source != target
                bench.check("1841 certificates", good, f"{source} gives {count} {kind} of {company} of {held}")
                bench.check("1841 certificates", target != company, f"{company} has its own in another place")
                self.changed.add(company)
            case ev.TurnBegan(company):
                self.running, self.sales_over = company, False
            case ev.TurnEnded():
                self.running = None
            case ev.CertificatesSet(company):
                self.changed.add(company)
            case ev.Merged(companies) if isinstance(bench.order, od.Merge | od.Agree):
                self.merged = companies
                self.circled = {c for c in self.before.companies() if self.before.circle(c)}
            case ev.Restored():
                self.merged = ()
            case ev.CompanyLeft(company) if company in self.merged:
                fresh = [c for c in books.companies() if books.circle(c) and c not in self.circled]
                bench.check("1841 §3.1 circle", not fresh, f"circle of {fresh}")
                self.merged = ()
            case ev.Paid(reason="emergency"):
                self.half = True
            case ev.Paid(reason="sale"):
                self.half = False
            case ev.Sold(seller, company):
                self.sold.add((seller, company))
            case ev.Bought(buyer, company, count, _, source):
                self.purchase(buyer, company, count, source)
            case _:
                pass

    def end(self) -> None:
        if isinstance(self.bench.order, SALES):
            self.sales()
        for company in self.changed:
            self.whole(company)
        if not self.merging():
            for company in self.books.companies():
                self.direction(company)
        if isinstance(self.bench.order, (*SALES, od.Buy, od.BuyFrom, od.Merge, od.Agree)) and not (
            self.half or self.merged
        ):
            self.no_new_circle()
        for event in self.bench.events:
            if isinstance(event, ev.Bought):
                self.over_chain(event.player, event.company)
            if isinstance(event, ev.Passed) and not event.forced and self.before.round[0] == "SR":
                self.over_limit(event.actor)

    def merging(self) -> bool:
        """Old certificates are still out: a merger waits for an answer."""
        return any(
            n and self.books.status[c] == "open" and self.books.owner(c) is None and c in self.books.cells
            for (_, c, _), n in self.books.paper.items()
        )

    # ---- sales ------------------------------------------------------------------------------------------------------

    def sales(self) -> None:
        bench, books, before = self.bench, self.books, self.before
        for event in bench.events:
            if not isinstance(event, ev.Sold):
                continue
            seller, company = event.player, event.company
            place = TREASURY if seller == company else seller
            lost = before.shares(place, company) - books.shares(place, company)
            bench.same("1841 §1.3 sale", f"shares of {company} that {seller} loses", lost, event.count)
            if self.half:
                self.in_control()
                continue
            forced = before.circle(seller) and company in before.chain(seller)
            if forced:
                continue
            pool = books.shares(POOL, company) * books.tenths(company)
            rule = "1841 §3.1 sale"
            bench.check(rule, pool <= 5, f"{pool} tenths of {company} in the pool")
            bench.check(rule, company in before.history, f"{seller} sells {company}, which has not operated")
            dumped = books.paper[POOL, company, "director"] and not before.paper[POOL, company, "director"]
            bench.check(rule, not dumped, f"{seller} leaves {company} without a president")

    def in_control(self) -> None:
        """1.14: in an emergency the player stays in control of the company that needs the train."""
        company = self.seller
        if company is not None and self.before.status[company] == "open":
            was, now = self.before.controller(company), self.books.controller(company)
            self.bench.same("1841 §1.14 control", f"who controls {company}", now, was)

    def anti_trust(self, company: str) -> None:
        """Clarification 2.12: while its player's chain is over 60 %, the company sells what it can of that stock;
        and what it can while it has more than five certificates."""
        books = self.books
        player = books.controller(company)
        if player is None:
            return
        free = [c for c in books.companies() if self.may_sell(company, c)]
        rule = "1841 §2.12 anti-trust"
        too_many = [c for c in free if books.chained(player, c) * books.tenths(c) > tables_1841.MOST_CHAIN]
        self.bench.check(rule, not too_many, f"{company} keeps {too_many}")
        held = books.certificates(company)
        self.bench.check(rule, held <= tables_1841.MOST_HELD or not free, f"{company} keeps {held}, could sell {free}")

    # ---- purchases --------------------------------------------------------------------------------------------------

    def purchase(self, buyer: str, company: str, count: int, source: str) -> None:
        bench, books = self.bench, self.books
        player = buyer if buyer in books.players else books.controller(buyer)
        rule = "1841 §3.2 purchase"
        self.purchases += 1
        bench.check(rule, self.purchases == 1, f"{buyer} buys more than one in an order")
        if not bench.check(rule, player is not None, f"{buyer}, frozen, buys {company}") or player is None:
            return
        offered = isinstance(bench.order, od.Take) or (books.round[0] == "OR" and buyer in books.players)
        started = isinstance(bench.order, od.Start)
        if not offered and source in ("treasury", "pool"):
            bench.check("1841 §3.1 sold again", (buyer, company) not in self.sold, f"{buyer} buys {company} again")
        held = self.before.certificates(buyer)
        if source in books.players:
            bench.check(rule, isinstance(bench.order, od.Agree), f"{source} was not asked")
        if buyer in books.players:
            # Two shares of a frozen company become its one certificate.
            bench.check("1841 §3.5.2 certificates", held < self.limit(), f"{buyer} buys with {held} certificates")
        else:
            bench.check("1841 §4.7.2 certificates", held < tables_1841.MOST_HELD, f"{buyer} buys with {held}")
            bench.check("1841 §4.7.2 own", company != buyer, f"{buyer} buys its own")
            bench.check("1841 §4.7.2 owners", company not in books.chain(buyer), f"{buyer} buys of its owner {company}")
            bench.check("1841 §4.7.2 source", source in ("treasury", "pool"), f"{buyer} buys of {source}")
        if not started:
            self.historical(buyer, company, count, source)

    def over_chain(self, buyer: str, company: str) -> None:
        books = self.books
        player = buyer if buyer in books.players else books.controller(buyer)
        if player is not None:
            together = books.chained(player, company) * books.tenths(company)
            good = together <= tables_1841.MOST_CHAIN
            self.bench.check("1841 §3.5.2 chain", good, f"{player} controls {together} tenths of {company}")

    def historical(self, buyer: str, company: str, count: int, source: str) -> None:
        if count == 2 and source == "pool" and self.historical_rule and company in tables_1841.STARTED:
            concession = self.books.privates.get(f"C-{company}")
            good = isinstance(self.bench.order, od.BuyConcession) or concession == buyer
            self.bench.check(
                "1841 §3.2 president", good, f"{buyer} buys the presidency of {company} without a concession"
            )

    def limit(self) -> int:
        return self.tables.certificates[len(self.books.players)]

    def over_limit(self, player: str) -> None:
        """Clarifications 1.7, 2.10: who is over a limit at the end of his turn could sell nothing against it."""
        books = self.books
        if player not in books.players:
            return
        free = [c for c in books.companies() if self.may_sell(player, c)]
        held = books.certificates(player)
        if held > self.limit():
            self.bench.check("1841 §2.10 over the limit", not free, f"{player} keeps {held}, and could sell {free}")
        too_many = [c for c in free if books.chained(player, c) * books.tenths(c) > tables_1841.MOST_CHAIN]
        self.bench.check("1841 §1.7 over 60 %", not too_many, f"{player} keeps {too_many}")

    def may_sell(self, holder: str, company: str) -> bool:
        books = self.books
        room = books.shares(POOL, company) * books.tenths(company) + books.tenths(company) <= 5
        held = bool(books.paper[holder, company, "ordinary"])
        return held and room and company in books.history and not self.sale_makes_circle(holder, company)

    def sale_makes_circle(self, seller: str, company: str) -> bool:
        """Clarification 3.1: a sale may not hand the presidency to a company that the company itself directs."""
        books = self.books
        left = books.shares(seller, company) - 1
        others = {p: n for p, n in books.holders(company).items() if p != seller and n > left}
        heirs = [p for p, n in others.items() if n == max(others.values())]
        return books.owner(company) == seller and any(company in books.chain(heir) for heir in heirs)

    def no_new_circle(self) -> None:
        """Clarification 3.1."""
        fresh = [c for c in self.books.companies() if self.books.circle(c) and not (self.before.status[c] == "open" and self.before.circle(c))]  # fmt: skip  # noqa: E501
        self.bench.check("1841 §3.1 circle", not fresh, f"circle of {fresh}")

    # ---- what must hold ---------------------------------------------------------------------------------------------

    def whole(self, company: str) -> None:
        """Each certificate is somewhere, and all together are the company."""
        books = self.books
        units = self.tables.units[self.tables.kind(company)]
        found = {kind: sum(n for (_, c, k), n in books.paper.items() if (c, k) == (company, kind)) for kind in units}
        closed = books.status[company] == "closed"
        due = {kind: 0 if closed else number for kind, (_, number) in units.items()}
        self.bench.same("1841 certificates", f"certificates of {company}", found, due)
        below = {key: n for key, n in books.paper.items() if n < 0}
        self.bench.check("1841 certificates", not below, f"below 0: {below}")

    def direction(self, company: str) -> None:
        """Sheet 1.3: the largest holder of at least two shares; a tie changes nothing; before phase 4 the holder of the
        concession."""
        bench, books, before = self.bench, self.books, self.before
        rule = "1841 §3.5.3 president"
        owner = books.owner(company)
        if owner is None:
            bench.check(rule, False, f"nobody has the president's certificate of {company}")
            return
        if self.historical_rule and company in tables_1841.STARTED:
            concession = books.privates.get(f"C-{company}")
            if concession is not None and owner != POOL:
                bench.same("1841 §1.16 concession", f"president of {company}", owner, concession)
            return
        holders = books.holders(company)
        most = max(holders.values(), default=0)
        if owner == POOL:
            bench.check(rule, most < 2, f"{company} is frozen, and somebody has {most} shares")
            return
        bench.same(rule, f"shares of {owner}, president of {company}", holders.get(owner), most)
        old = before.owner(company) if before.status[company] == "open" else None
        if old is None or old in (owner, POOL) or isinstance(bench.order, (od.Bankrupt, od.BuyConcession)):
            return
        bench.check(rule, holders.get(old, 0) < most, f"{old}, president of {company}, has {most} shares too")
        self.heir(company, old, owner, most)

    def heir(self, company: str, old: str, new: str, most: int) -> None:
        """Ties among challengers: the first clockwise from the old president, then companies in running order."""
        books, before = self.books, self.before
        if any(isinstance(e, ev.Merged | ev.Divided | ev.PhaseBegan) for e in self.bench.events):
            return
        player = old if old in before.players else before.controller(old)
        if player is None:
            return
        seats = before.from_seat(player)
        if old in seats:
            seats = seats[1:]
        holders = books.holders(company)
        if old not in seats and player != old and holders.get(player) == most:
            return  # nothing says whether the player of a company that was president is the first or the last
        due = next(who for who in [*seats, *books.companies()] if holders.get(who) == most)
        self.bench.same("1841 §3.5.3 heir", f"president of {company} after {old}", new, due)
