"""Certificates: that none is lost, who may buy and sell, how many one may hold, and who is director."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench, Subject
from tests.referee.state import POOL, Books


class Shares(Subject):
    """Who holds what."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.sold: set[tuple[str, str]] = set()
        """Player and company he has sold in this stock round."""
        self.papers: set[tuple[str, str]] = set()
        """1844: player and kind of paper (B or T) he has bought in this stock round."""
        self.bought: str | None = None
        """Who bought last in this stock round, if nobody has acted since."""
        self.turn_sold: set[str] = set()
        """Companies sold in this turn."""
        self.stock_rounds = 0
        self.changed: set[str] = set()
        """Companies whose director may be another after this order."""

    # ---- counting ---------------------------------------------------------------------------------------------------

    def counted(self, books: Books, player: str) -> int:
        """v2.0 §9: privates, minors and shares; 1844 p. 9: shares of companies only. A director's is one."""
        certificates = sum(n for (place, _, _), n in books.paper.items() if place == player)
        if self.bench.cousins:
            certificates += sum(owner == player for owner in books.privates.values())
        return certificates

    def limit(self) -> int:
        return self.tables.certificates[len(self.books.players)]

    def half(self, company: str) -> int:
        return self.tables.size(company) // 2

    def to_sell(self, player: str) -> list[str]:
        """Companies of which the player could sell a share without giving up a director's certificate."""
        books = self.books
        return [
            c
            for c in books.cells
            if (books.paper[player, c, "ordinary"] and books.shares(POOL, c) < self.half(c))
            and (c in books.operated if self.bench.cousins else self.stock_rounds > 1)
        ]

    # ---- what happens -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self.changed = set()

    def see(self, event: ev.Event) -> None:
        books, bench = self.books, self.bench
        match event:
            case ev.RoundBegan(round):
                self.sold, self.papers, self.bought = set(), set(), None
                self.stock_rounds += round.kind == "SR"
            case ev.CertificatesMoved(company, kind, count, source, target):
                held = books.paper[source, company, kind]
                bench.check(
                    "certificates", count > 0 and held >= count, f"{source} gives {count} {kind} of {company} of {held}"
                )
                bench.check(
                    "director's never in the pool", (kind, target) != ("director", POOL), f"{company} in the pool"
                )
                self.changed.add(company)
            case ev.Sold(player, company, count):
                self.sale(player, company, count)
            case ev.Bought(player, company, count, _, source):
                self.purchase(player, company, count, source)
            case ev.PriceSet(company, _, _, "start") if isinstance(bench.order, od.Start) and books.round[0] == "SR":
                self.starts(bench.order.actor)
            case ev.Opened(player, item) | ev.BidMade(player, item) if item in self.tables.kinds:
                count = self.counted(books, player)
                bench.check(
                    "v2.0 §9.3 certificate limit", count < self.limit(), f"{player} bids with {count} certificates"
                )
            case ev.Won(player):
                self.bought = player if self.books.round[0] == "SR" else None
            case ev.Paid(payer, _, _, "paper", about):
                self.paper(payer, about)
            case ev.Passed(actor) if actor in books.players:
                self.turn_over(actor)
                self.bought, self.turn_sold = None, set()
            case ev.CertificatesSet(company):
                self.changed.add(company)
            case _:
                pass

    def end(self) -> None:
        for company in self.changed:
            self.whole(company)
            self.direction(company)
        for event in self.bench.events:
            match event:
                case ev.Bought(player, company) if self.bench.before.round[0] == "MR":
                    self.offered(player, company)
                case ev.Won(player, item) if item in self.tables.kinds:
                    owner = self.books.director(item)
                    self.bench.same("v2.0 §9.2 winner", f"owner of {item}", owner, player)
                case ev.Won(player, item):
                    self.bench.same(
                        "v2.0 §9.4, 1844 p. 6 winner", f"owner of {item}", self.books.privates.get(item), player
                    )
                case _:
                    pass

    # ---- sales and purchases ----------------------------------------------------------------------------------------

    def sale(self, player: str, company: str, count: int) -> None:
        """v2.0 §9.1; 1844 p. 7."""
        bench, books = self.bench, self.books
        pool = books.shares(POOL, company)
        bench.check("v2.0 §9.1, 1844 p. 7 pool", pool <= self.half(company), f"{pool} shares of {company} in the pool")
        bench.same("v2.0 §9.1, 1844 p. 7", f"shares of {company} that {player} loses", bench.before.shares(player, company) - books.shares(player, company), count)  # fmt: skip  # noqa: E501
        if bench.cousins:
            bench.check("v2.0 §9.1 operated", company in bench.before.operated, f"{company} has not operated")
        else:
            first = books.round[0] == "SR" and self.stock_rounds == 1
            bench.check("p. 7 first stock round", not first, f"{player} sells {company}")
            if books.round[0] == "SR":
                bench.check("p. 7 sale", company not in self.turn_sold, f"{player} sells {company} twice in a turn")
                self.turn_sold.add(company)
        if books.round[0] == "SR":
            bench.check("v2.0 §9, 1844 p. 7 turn", self.bought != player, f"{player} sells {company} after a purchase")
        self.sold.add((player, company))
        if self.bought != player:
            self.bought = None

    def purchase(self, player: str, company: str, count: int, source: str) -> None:
        """v2.0 §9.3 and §12.4; 1844 p. 7 and 8."""
        bench, books, before = self.bench, self.books, self.bench.before
        held = books.shares(player, company)
        size = self.tables.size(company)
        if bench.cousins:
            most = 7 if len(books.players) == 2 else 6
            bench.check("v2.0 §9.3 holding", held <= most, f"{player} holds {held} of {company}")
        elif source == "ipo":
            had = held - count
            bench.check("p. 8 more than half", 2 * had <= size, f"{player} with {had} of {company} buys from the IPO")
        if books.round[0] == "SR":
            bench.check(
                "v2.0 §9.3, 1844 p. 8 sold", (player, company) not in self.sold, f"{player} buys {company} again"
            )
            bench.check("v2.0 §9, 1844 p. 7 turn", self.bought != player, f"{player} buys twice in a turn")
            bench.check("v2.0 §9.3, 1844 p. 8 certificate limit", self.counted(before, player) < self.limit(), f"{player} buys {company} with {self.counted(before, player)} certificates")  # fmt: skip  # noqa: E501
            self.debt(player)
            self.bought, self.turn_sold = player, set()

    def offered(self, player: str, company: str) -> None:
        """v2.0 §12.4: no purchase takes anybody over the certificate limit; what two shares become is one."""
        count, had = self.counted(self.books, player), self.counted(self.bench.before, player)
        good = count <= max(self.limit(), had)
        self.bench.check("v2.0 §12.4 certificate limit", good, f"{player} has {count} certificates after {company}")

    def starts(self, player: str) -> None:
        """v2.0 §9.3; 1844 p. 7: the director's certificate is the turn's purchase."""
        count = self.counted(self.bench.before, player)
        self.bench.check(
            "v2.0 §9.3, 1844 p. 8 certificate limit", count < self.limit(), f"{player} starts with {count}"
        )
        self.bench.check("v2.0 §9, 1844 p. 7 turn", self.bought != player, f"{player} buys twice in a turn")
        if not self.bench.cousins:
            self.debt(player)
        self.bought, self.turn_sold = player, set()

    def paper(self, player: str, private: str) -> None:
        """p. 8: one mountain railway and one tunnel certificate in a stock round."""
        mine = (player, private[0])
        self.bench.check("p. 8 paper", mine not in self.papers, f"{player} buys {private}, his second")
        self.bench.check("v2.0 §9, 1844 p. 7 turn", self.bought != player, f"{player} buys twice in a turn")
        self.papers.add(mine)
        self.debt(player)
        self.bought, self.turn_sold = player, set()

    def debt(self, player: str) -> None:
        owed = sum(n for (p, _), n in self.books.debts.items() if p == player)
        if not self.bench.cousins:
            self.bench.check("p. 14 debt blocks", owed == 0, f"{player} buys and owes {owed}")

    def turn_over(self, player: str) -> None:
        """v2.0 §9.3, 1844 p. 9: who is over the limit sells what is over, as far as sales are legal."""
        if self.books.round[0] != "SR":
            return
        count = self.counted(self.books, player)
        if count > self.limit():
            free = self.to_sell(player)
            self.bench.check(
                "v2.0 §9.3, 1844 p. 9 over the limit", not free, f"{player} keeps {count}, and could sell {free}"
            )
        owed = self.books.debts[player, "formation"]
        if owed:
            rule = "p. 17 exchange debt is paid first"
            self.bench.same(rule, f"money of {player}, who owes {owed}", self.books.cash[player], 0)
            free = self.to_sell(player)
            self.bench.check(rule, not free, f"{player} owes {owed}, and could sell {free}")

    # ---- what must hold ---------------------------------------------------------------------------------------------

    def whole(self, company: str) -> None:
        """No certificate is lost or doubled."""
        books = self.books
        units = self.tables.units[self.tables.kind(company)]
        found = {kind: sum(n for (_, c, k), n in books.paper.items() if (c, k) == (company, kind)) for kind in units}
        due = {kind: 0 if books.status[company] == "closed" else number for kind, (_, number) in units.items()}
        self.bench.same("certificates", f"certificates of {company}", found, due)

    def direction(self, company: str) -> None:
        """v2.0 §7.3, §9.1; 1844 p. 8: most shares; a tie changes nothing; by a sale the next to the left has it."""
        books, before = self.books, self.bench.before
        if self.tables.kind(company) in ("minor", "state") or books.status[company] != "open":
            return
        holders = books.holdings(company)
        director = books.director(company)
        if director is None or not holders:
            return
        rule = "v2.0 §7.3, 1844 p. 8 director"
        most = max(holders.values())
        self.bench.same(rule, f"shares of {director}, director of {company}", holders[director], most)
        old = before.director(company) if before.status[company] == "open" else None
        if old is None or old == director or (self.tables.kind(company) == "SBB" and before.status[company] != "open"):
            return
        seats = before.players
        order = [*seats[seats.index(old) + 1 :], *seats[: seats.index(old)]]
        due = next(p for p in order if holders.get(p) == most)
        if holders.get(old, 0) == most:
            due = old
        self.bench.same(rule, f"director of {company} after {old}", director, due)
