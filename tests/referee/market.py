"""Share prices: where each marker starts, and each move with its cause.

What is due is noted when its cause happens and struck out when it comes; what is left at the end of an order did not
happen. A marker that stays where it is keeps its place in the stack, so no move may be told of it.
"""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1844
from tests.referee.bench import Bench, Subject
from tests.referee.state import IPO, POOL, TREASURY, Books
from tests.referee.tables import Cell, Column


class Market(Subject):
    """The chart and its markers."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.due: dict[str, tuple[Cell, str]] = {}
        """Company -> where its marker must go, and by which rule."""
        self.bids: dict[str, int] = {}
        self.from_cell: dict[str, Cell] = {}
        """Where a marker stood before a nationalisation."""
        self.selling: tuple[str, Cell, bool] | None = None
        """Company of the sale under way, where its marker stood, and whether it has been moved for it."""
        self.sold: dict[str, tuple[int, bool]] = {}
        """1861: company sold in this turn -> price of its first sale, and whether its marker has dropped."""
        self.directed: set[str] = set()
        """1861: companies that the player on turn directed when it began."""
        self.seller = ""
        self.round_end: Books | None = None
        self.settled: list[str] = []
        """Companies whose markers moved at the end of this stock round, in sequence."""

    # ---- moves ------------------------------------------------------------------------------------------------------

    def right(self, company: str, cell: Cell) -> Cell:
        chart, (row, column) = self.tables.chart, cell
        if self.tables.kind(company) == "minor" and cell in self.bench.kin.border:
            return chart.first((row - 1, column), cell)  # v2.0 §10.7
        if self.tables.kind(company) == "regional" and column == tables_1844.RED_LINE:
            return chart.first((row - 1, column), cell)  # p. 18
        return chart.right(cell)

    def down_by(self, cell: Cell, steps: int) -> Cell:
        """Left ``steps`` times, or down at the edge."""
        for _ in range(steps):
            cell = self.tables.chart.left(cell)
        return cell

    def sold_out(self, cell: Cell) -> Cell:
        """v2.0 §9.5, 1844 p. 9."""
        chart, (row, column) = self.tables.chart, cell
        if not self.bench.cousins or isinstance(chart, Column):
            return chart.up(cell)
        blocked = row == 0 or (self.bench.reading("sold_out_top") == "column" and (row - 1, column) not in chart.prices)
        return chart.first((row + 1, column + 1), cell) if blocked else chart.up(cell)

    def at_round_end(self, books: Books, company: str) -> Cell:
        """Where a company's marker is to go when a stock round ends."""
        cell = books.cells[company]
        pool, unsold = (books.shares(place, company) for place in (POOL, TREASURY if self.bench.cousins else IPO))
        if not pool and not unsold:
            return self.sold_out(cell)
        return cell if self.bench.cousins or not pool else self.tables.chart.left(cell)

    # ---- what happens -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self.due, self.from_cell, self.round_end, self.settled, self.selling = {}, {}, None, [], None
        order = self.bench.order
        if isinstance(order, od.Sell) and self.books.round[0] == "SR" and not self.seller:
            self.seller = order.actor
            self.directed = {c for c in self.books.cells if self.books.director(c) == order.actor}

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Won(_, item, amount):
                self.bids[item] = amount
            case ev.PriceSet(company, cell, price, reason, old):
                self.marker(company, cell, price, reason, old)
            case ev.Distributed():
                self.distributed(event)
            case ev.CertificatesMoved(company, _, _, source, target) if target == POOL and source in self.books.players:
                self.sale_begins(company)
            case ev.Paid(reason="sale", about=company):
                self.sale_begins(company)
            case ev.Sold():
                self.sale(event)
            case ev.Nationalised(name, price) if name in self.tables.kinds:
                start = self.from_cell.pop(name, self.books.cells[name])
                steps = 1 + self.bench.kin.steps_per_loan * self.books.loans[name]
                cell = self.down_by(start, steps)
                due = self.tables.chart.prices[cell]
                self.bench.same("v2.0 §11 price", f"{name} is nationalised at", price, due)
                self.bench.same("v2.0 §11 price", f"marker of {name}", self.books.cells[name], cell)
            case ev.RoundBegan(round) if round.kind == "OR" and self.books.round[0] == "SR":
                self.stock_round_ends()
            case ev.Passed() | ev.Bought() | ev.Opened() | ev.CompanyOpened() | ev.Paid(reason="paper"):
                self.seller, self.sold = "", {}
            case _:
                pass

    def end(self) -> None:
        for company, (cell, rule) in self.due.items():
            self.bench.check(rule, False, f"marker of {company} stays at {self.books.cells.get(company)}, not {cell}")
        self.bench.check("v2.0 §9.1, 1844 p. 7 sale", self.selling is None, f"no sale came of it: {self.selling}")
        playing = self.books.open("minor", "public", "pre-SBB", "regional", "historical", "SBB")
        without = [c for c in playing if c not in self.books.cells]
        self.bench.check("v2.0 §6, 1844 p. 7 marker", not without, f"without a price marker: {without}")

    def marker(self, company: str, cell: Cell, price: int, reason: str, old: int | None) -> None:
        bench, books, chart = self.bench, self.books, self.tables.chart
        bench.same("chart", f"price of {company} at {cell}", price, chart.prices.get(cell))
        was = books.price(company) if company in books.cells else None
        bench.same("chart", f"price of {company} before", old, was)
        here = books.cells.get(company)
        match reason:
            case "start":
                bench.check("start", here is None, f"{company} has a marker already")
                self.start(company, cell, price)
                return
            case "sale" if here is not None:
                if company in self.due:
                    self.meet(company, cell)
                else:
                    self.sale_begins(company)
                    early = not bench.cousins and company not in books.operated
                    bench.check(
                        "v2.0 §9.1, 1844 p. 7 sale", early, f"the sale does not move {company}, but it goes to {cell}"
                    )
                    bench.same("1844 p. 7 never operated", f"{company} goes down before", cell, chart.down(here))
                    assert self.selling is not None
                    self.selling = (company, self.selling[1], True)
            case "earnings" | "no_dividend":
                self.meet(company, cell)
            case "sold_out" | "pool" if here is not None:
                if self.round_end is None:
                    self.round_end = books.copy()
                bench.same("v2.0 §9.5, 1844 p. 9", f"{reason} {company} goes to", cell, self.at_round_end(self.round_end, company))  # fmt: skip  # noqa: E501
                bench.check("v2.0 §9.5, 1844 p. 9", company not in self.settled, f"{company} moves twice")
                self.settled.append(company)
            case "nationalised" if here is not None:
                self.from_cell.setdefault(company, here)
            case "loan" if here is not None:
                over = any(isinstance(event, ev.GameOver) for event in bench.events)
                bench.check("v2.0 §13 last price", over, f"{company} goes left for its loans before the end")
                due = self.down_by(here, books.loans[company])
                bench.same("v2.0 §13 last price", f"{company} goes at the end to", cell, due)
            case _:
                bench.check("chart", False, f"{company} moves for no known reason: {reason}")
        bench.check("v2.0 §10.7 stacks", cell != here, f"{company} is put under others though it stays at {cell}")

    def meet(self, company: str, cell: Cell) -> None:
        due = self.due.pop(company, None)
        if self.bench.check("chart", due is not None, f"{company} moves to {cell} without a cause") and due:
            self.bench.same(due[1], f"marker of {company} goes to", cell, due[0])

    def expect(self, company: str, cell: Cell, rule: str) -> None:
        self.bench.checked[rule] += 1
        if self.books.cells[company] != cell:
            self.due[company] = cell, rule

    # ---- where markers start ----------------------------------------------------------------------------------------

    def start(self, company: str, cell: Cell, price: int) -> None:
        kind, order, bench = self.tables.kind(company), self.bench.order, self.bench
        if kind == "minor":
            spaces = bench.kin.minor_starts
            due = max(p for p in spaces if 2 * p <= self.bids[company])
            bench.same(
                "v2.0 §9.2 price", f"{company}, bought for {self.bids[company]}, at", (price, cell), (due, spaces[due])
            )
        elif kind == "public":
            spaces = bench.kin.public_starts
            bench.same("v2.0 §9.3 price", f"{company} at {price} in", cell, spaces.get(price))
            if isinstance(order, od.Start):
                bench.same("v2.0 §9.3 price", f"{company} at", price, order.price)
        elif kind == "SBB":
            bench.same("p. 16 SBB", "the SBB starts in", cell, tables_1844.SBB_START)
        else:
            bench.same("p. 7 par", f"{company} at par {price} in", cell, tables_1844.PAR.get(price))
            if isinstance(order, od.Start):
                bench.same("p. 7 par", f"{company} at", price, order.price)

    # ---- earnings ---------------------------------------------------------------------------------------------------

    def distributed(self, event: ev.Distributed) -> None:
        """v2.0 §10.7; 1844 p. 14."""
        company = event.company
        if company not in self.books.cells:
            return
        here = self.books.cells[company]
        kind = self.tables.kind(company)
        if kind == "minor":
            to = self.right(company, here) if event.revenue else self.tables.chart.left(here)
        elif not event.dividend:
            to = self.tables.chart.left(here)
        elif kind == "public" and event.dividend < self.books.price(company):
            to = here
        else:
            to = self.right(company, here)
        self.expect(company, to, "v2.0 §10.7, 1844 p. 14")

    # ---- sales ------------------------------------------------------------------------------------------------------

    def sale_begins(self, company: str) -> None:
        if self.selling is None or self.selling[0] != company:
            self.selling = (company, self.books.cells[company], False)

    def sale(self, event: ev.Sold) -> None:
        company = event.company
        if self.selling is None or self.selling[0] != company:
            self.bench.check("v2.0 §9.1, 1844 p. 7", False, f"{company} is sold without a share")
            return
        _, cell, moved = self.selling
        self.selling = None
        chart = self.tables.chart
        price, drops = chart.prices[cell], True
        if self.bench.cousins:
            rule = "v2.0 §9.1"
            drops = self.books.director(company) == event.player or company in self.directed
            if self.bench.reading("director_sale") == "turn":
                price, dropped = self.sold.get(company, (price, False))
                drops = drops and not dropped
                self.sold[company] = (price, drops or dropped)
            else:  # 1867 3.6: each order is a sale
                drops = event.player in (self.books.director(company), self.bench.before.director(company))
        else:
            rule = "p. 7 sale"
            if company not in self.books.operated:
                price = chart.prices[chart.down(cell)]
            self.bench.check(rule, not (moved and company in self.books.operated), f"{company} goes down too early")
        self.bench.same(rule, f"{event.count} of {company} bring", event.amount, event.count * price)
        paid = sum(
            e.amount for e in self.bench.events if isinstance(e, ev.Paid) and (e.reason, e.about) == ("sale", company)
        )
        self.bench.same(rule, f"{event.count} of {company} are paid", paid, event.count * price)
        if drops and not moved:
            self.expect(company, chart.down(cell), rule)

    # ---- the end of a stock round ------------------------------------------------------------------------------------

    def stock_round_ends(self) -> None:
        then = self.round_end or self.books
        rule = "v2.0 §9.5, 1844 p. 9"
        kinds = ("public",) if self.bench.cousins else ("pre-SBB", "regional", "historical", "SBB")
        for company in then.open(*kinds):
            to = self.at_round_end(then, company)
            if to != then.cells[company]:
                self.bench.check(rule, company in self.settled, f"{company} should go to {to}")
        self.bench.same(rule, "sequence of moves", self.settled, sorted(self.settled, key=then.rank))
