"""1841: where price markers start, and each move with its cause."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.companies import ChainBooks
from tests.referee.state import POOL, TREASURY
from tests.referee.tables import Cell

ROUND_END = ("pool", "sold_out")


class Prices(ChainSubject):
    """Sheet 1.1 (moves), 1.3 (sales, the end of a stock round), 1.8, 1.10 (mergers), 1.11 (frozen companies)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.due: dict[str, tuple[Cell, str]] = {}
        self.falls: Counter[str] = Counter()
        """Company -> shares of it that were sold and have not lowered its price."""
        self.ranks: dict[str, tuple[int, int, int]] = {}
        """Running order when they were sold."""
        self.sold_at: dict[str, Cell] = {}
        """Where the price was when they were sold."""
        self.bankruptcy = False
        """The sales that are told now are those of a player who goes bankrupt."""
        self.fallen: set[str] = set()
        """The companies whose prices fell for sales in this order."""
        self.round_end: ChainBooks | None = None
        self.settled: list[tuple[str, Cell]] = []

    # ---- moves ------------------------------------------------------------------------------------------------------

    def right(self, company: str, cell: Cell) -> Cell:
        chart, column = self.tables.chart, cell[1]
        minor = self.tables.kind(company) == "minor" and column == tables_1841.YELLOW_COLUMN
        if minor or (column == tables_1841.LAST_BEFORE_8 and self.books.phase != "8"):
            return chart.up(cell)
        return chart.right(cell)

    def down(self, cell: Cell, rows: int) -> Cell:
        for _ in range(rows):
            cell = self.tables.chart.down(cell)
        return cell

    def lowest(self, cell: Cell) -> bool:
        return self.down(cell, 1) == cell

    def left(self, cell: Cell, columns: int) -> Cell:
        for _ in range(columns):
            cell = self.tables.chart.left(cell)
        return cell

    def expect(self, company: str, cell: Cell, rule: str) -> None:
        self.bench.checked[rule] += 1
        if self.books.cells[company] != cell:
            self.due[company] = cell, rule

    # ---- what happens -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self.due, self.round_end, self.settled = {}, None, []
        self.falls.clear()
        self.ranks, self.sold_at, self.fallen = {}, {}, set()
        self.bankruptcy = isinstance(self.bench.order, od.Bankrupt)

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.PriceSet(company, cell, price, reason, old):
                self.marker(company, cell, price, reason, old)
            case ev.Distributed(company, kind, revenue) if company in self.books.cells:
                here = self.books.cells[company]
                to = here
                if not revenue or kind != "full":
                    to = self.left(here, 1)
                elif revenue > self.books.price(company):
                    to = self.right(company, here)
                self.expect(company, to, "1841 §1.8 earnings")
            case ev.Sold(_, company, count) if company in self.books.cells:
                if self.bankruptcy:
                    self.falls[company] = 0
                self.falls[company] += count
                self.ranks[company] = self.books.rank(company)
                self.sold_at[company] = self.books.cells[company]
            case ev.TurnEnded() if self.bankruptcy:
                self.normal_sales()
                self.falls.clear()
                self.bankruptcy = False  # what companies in a circle sell in the turns that follow lowers prices
            case ev.TurnBegan(company) if self.books.frozen(company):
                self.expect(company, self.left(self.books.cells[company], 2), "1841 §1.11 frozen turn")
            case ev.RoundBegan(round) if self.books.round[0] == "SR" and round.kind == "OR":
                self.stock_round_ends()
            case ev.GameOver() if self.settled:
                self.stock_round_ends()
            case _:
                pass

    def marker(self, company: str, cell: Cell, price: int, reason: str, old: int | None) -> None:
        bench, books, chart = self.bench, self.books, self.tables.chart
        bench.same("1841 chart", f"price of {company} at {cell}", price, chart.prices.get(cell))
        here = books.cells.get(company)
        match reason:
            case "start":
                bench.check("1841 §1.3 start", here is None, f"{company} has a marker already")
                spaces = tables_1841.START[self.tables.kind(company)]
                bench.same("1841 §1.3 start", f"{company} starts at {price} in", cell, spaces.get(price))
            case "sale" if here is not None:
                self.falls_now(company, here, cell)
            case "earnings" | "no_dividend" | "frozen" if here is not None:
                due = self.due.pop(company, None)
                if bench.check("1841 chart", due is not None, f"{company} moves to {cell} without a cause") and due:
                    bench.same(due[1], f"marker of {company} goes to", cell, due[0])
            case "sold_out" | "pool" if here is not None:
                self.round_end = self.round_end or books.copy()
                self.settled.append((company, cell))
            case "merged" | "transformed" | "secession":
                pass  # see Mergers
            case "stays":
                # Those under the IRSFF go under the fragments again (clarification 1.17).
                bench.same("1841 §1.17 secession price", f"{company} stays in", cell, here)
            case _:
                bench.check("1841 chart", False, f"{company} moves for no known reason: {reason}")
        if reason in ("sale", "earnings", "no_dividend", *ROUND_END):
            bench.check("1841 chart", cell != here, f"{company} is put under others though it stays at {cell}")
            bench.same("1841 chart", f"price of {company} before", old, here and chart.prices[here])

    # ---- sales ------------------------------------------------------------------------------------------------------

    def falls_now(self, company: str, here: Cell, cell: Cell) -> None:
        """Clarification 2.2: one row for each share, the cheapest first, the top of a pile last."""
        bench = self.bench
        rows = self.falls.pop(company, 0)
        self.fallen.add(company)
        bench.same("1841 §1.3 sale", f"{company} falls for {rows} shares to", cell, self.down(here, rows))
        if self.bankruptcy:
            pool = self.books.shares(POOL, company) * self.books.tenths(company)
            good = pool <= 5 and company in self.books.history
            bench.check("1841 §1.9 bankruptcy prices", good, f"{company} falls with {pool} tenths in the pool")
        else:
            cheaper = [
                c for c in self.falls
                if self.ranks[c] > self.ranks[company] and not self.lowest(self.books.cells[c])
            ]  # fmt: skip
            bench.check("1841 §2.2 cheapest first", not cheaper, f"{company} falls before {cheaper}")

    def end(self) -> None:
        for company, (cell, rule) in self.due.items():
            self.bench.check(rule, False, f"marker of {company} stays at {self.books.cells.get(company)}, not {cell}")
        if self.bankruptcy:
            self.normal_sales()
        else:
            # Since the sale a frozen company may have had its turn, and have left the foot of the chart.
            left = [c for c in self.falls if c in self.books.cells and not self.lowest(self.sold_at[c])]
            self.bench.check("1841 §1.3 sale", not left, f"sold, and the price of {left} does not fall")
        divided = self.books.status["SFV"] == "open"  # the IRSFF is in play until its shares are exchanged
        playing = [c for c in self.books.open("minor", "major") if c != "IRSFF" or not divided]
        without = [c for c in playing if c not in self.books.cells]
        self.bench.check("1841 §1.3 start", not without, f"without a price marker: {without}")

    def normal_sales(self) -> None:
        """§1.9: what normal limits allow lowers the price also when a bankrupt player sells; the rest does not."""
        books = self.books
        for company in sorted(self.sold_at.keys() - self.fallen):
            pool = books.shares(POOL, company) * books.tenths(company)
            allowed = books.owner(company) != POOL and not books.circle(company)
            normal = company in self.before.history and pool <= 5 and allowed
            lowest = self.lowest(self.sold_at[company])  # a frozen company may have had its turn since
            self.bench.check("1841 §1.9 bankruptcy prices", lowest or not normal, f"{company} does not fall")

    # ---- the end of a stock round -----------------------------------------------------------------------------------

    def stock_round_ends(self) -> None:
        """Clarifications 2.6 and 2.7: first all with certificates in the pool fall, in running order; then all that are
        sold out rise. Frozen ones fall two rows and do not rise."""
        books = (self.round_end or self.books).copy()
        moves: list[tuple[str, Cell]] = []
        for raising in (False, True):
            for company in books.companies():
                here, frozen = books.cells[company], books.frozen(company)
                pool, unsold = books.shares(POOL, company), books.shares(TREASURY, company)
                to = here
                if not raising and pool:
                    to = self.down(here, 2 if frozen else 1)
                elif raising and not pool and not unsold and not frozen:
                    to = self.tables.chart.up(here)
                if to != here:
                    moves.append((company, to))
        self.bench.same("1841 §3.4 end of a stock round", "moves", self.settled, moves)
        self.settled = []
