"""1863: where price markers start, and each move with its cause."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import TubeSubject
from tests.referee.state import POOL, TREASURY


class Prices(TubeSubject):
    """Sections 6.d, 6.e, 6.f, 6.k, 6.l, 7.d, 9, 11: one row, whole columns, never into the red area but by failure."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.path: dict[str, int] = {}
        """Company -> the column that it should be in, as far as this order's events say."""
        self.why: dict[str, str] = {}
        self.held: dict[str, tuple[str | None, dict[str, int]]] = {}
        """Company -> its president and holders before the certificates moved that are being sold."""
        self.selling: tuple[str, str] | None = None
        """A failing company, and the company whose certificates it sells; the president's may move first."""

    def begin(self) -> None:
        self.path, self.why, self.held, self.selling = {}, {}, {}, None

    def move(self, company: str, columns: int, rule: str) -> None:
        """Right if above 0. A move stops at either end, and does not enter the red area."""
        if company not in self.books.cells:
            return
        cells = self.before.cells if company in self.before.cells else self.books.cells
        at = self.path.get(company, cells[company][1])
        if at != figures.RED:
            self.path[company] = max(figures.RED + 1, min(figures.LAST, at + columns))
        self.why[company] = rule

    def put(self, company: str, column: int, rule: str) -> None:
        self.path[company], self.why[company] = column, rule

    # ---- causes -----------------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.PriceSet():
                self.marker(event)
            case ev.PriceRemoved(company):
                self.path.pop(company, None)
            case ev.LoansChanged(company, change, "taken"):
                self.move(company, -change, "1863 §9 loan")
            case ev.CertificatesMoved(company, _, _, source):
                failing = source in self.books.cells and self.books.zone(source) == "red"
                if failing and self.selling != (source, company):
                    self.held.pop(company, None)  # a failing company sells all, also what a merger has just brought it
                    self.selling = source, company
                self.held.setdefault(company, (self.books.owner(company), self.books.owners(company)))
            case ev.Sold(seller, company, count):
                owner, holders = self.held.pop(company, (self.books.owner(company), self.books.owners(company)))
                self.selling = None
                rivals = {who: n for who, n in holders.items() if who == seller or self.books.led(who)}
                columns, legal = falls(owner, rivals, seller, company, count)
                self.move(company, -columns, "1863 §6.d sale")
                self.bench.check("1863 §6.d president's certificate", legal, f"{seller} sells {count} of {company}")
            case ev.Shorted(_, company):
                self.move(company, -1, "1863 §6.k short")
            case ev.Bought(_, company, count, _, "pool"):
                self.move(company, count, "1863 §6.e purchase from the pool")
            case ev.Transferred(company, count):
                self.move(company, -count, "1863 §6.f transfer")
            case ev.Distributed(company, dividend=dividend) if company in self.books.cells:
                self.move(company, self.band(company, dividend), "1863 §7.d dividend")
            case ev.CrisisBegan(company) if isinstance(self.bench.order, od.Crisis) and self.bench.order.way == "help":
                half = self.not_above(self.books.price(company) / 2)
                self.put(company, max(half, figures.RED + 1), "1863 §11 crisis")
            case ev.RoundBegan(round) if self.books.round[0] == "SR" and round.kind == "OR":
                self.sold_out()
            case _:
                pass

    def band(self, company: str, dividend: int) -> int:
        """Section 7.d, by the two printed examples."""
        prices = self.tables.chart.prices
        at = self.books.column(company)
        price = prices[0, at]
        above = prices.get((0, at + 1), 10**9)
        if 2 * dividend <= price:
            return -2
        if dividend < price:
            return -1
        if dividend < min(above, 2 * price):
            return 0
        return 1 if dividend < 2 * price else 2

    def not_above(self, amount: float) -> int:
        """The highest column, not the red one, whose price is at most ``amount``."""
        fitting = [c for (_, c), price in self.tables.chart.prices.items() if price <= amount and c != figures.RED]
        return max(fitting, default=figures.RED + 1)

    def sold_out(self) -> None:
        """6.l: neither on its own charter nor in the pool; majors only; not what the red area holds."""
        for company in self.books.playing():
            unsold = self.books.shares(TREASURY, company) + self.books.shares(POOL, company)
            if not unsold and not self.books.minor(company):
                self.move(company, 1, "1863 §6.l sold out")

    # ---- moves ------------------------------------------------------------------------------------------------------

    def marker(self, event: ev.PriceSet) -> None:
        bench, books, company, column = self.bench, self.books, event.company, event.cell[1]
        bench.same("1863 chart", f"price at {event.cell}", event.price, self.tables.chart.prices.get(event.cell))
        here = books.cells.get(company)
        if event.reason == "start":
            bench.check("1863 §6.c start", here is None, f"{company} has a marker already")
            bench.check("1863 §6.c.ii price", column > figures.LAST_GREY, f"{company} starts at {event.price}")
            self.put(company, column, "1863 §6.c start")
            return
        bench.check("1863 chart", event.cell != here, f"{company} is put under others though it stays at {here}")
        bench.same("1863 chart", f"price of {company} before", event.old, here and self.tables.chart.prices[here])
        if event.reason == "merged":
            self.put(company, column, "1863 §8 merger")  # see Unions
        elif column == figures.RED:
            order = bench.order
            chosen = isinstance(order, od.Crisis) and order.way == "liquidate" and order.actor == company
            good = chosen or books.controller(company) is None or self.failing(company)
            bench.check("1863 §8.e red area", good, f"{company} goes to the red area: {order}")
            self.put(company, column, "1863 §8.e red area")

    def failing(self, company: str) -> bool:
        """A company in the red area holds it, and nobody has bought it (R65)."""
        owner = self.books.owner(company)
        return owner in self.books.cells and self.books.zone(owner or "") == "red"

    def end(self) -> None:
        books = self.books
        for company, cell in books.cells.items():
            old = self.before.cells.get(company)
            due = self.path.get(company, None if old is None else old[1])
            rule = self.why.get(company, "1863 chart")
            self.bench.same(rule, f"column of {company} (from {old and old[1]})", cell[1], due)
        without = [c for c, status in books.status.items() if status == "open" and c not in books.cells]
        self.bench.check("1863 §6.c start", not without, f"without a price marker: {without}")


def falls(owner: str | None, holders: Mapping[str, int], seller: str, company: str, count: int) -> tuple[int, bool]:
    """6.d: two columns for each share sold as president, one for each other share; a share whose sale costs the
    presidency counts two (R18). And whether the president's certificate stays out of the pool."""
    president = owner == seller
    held, columns, legal = holders.get(seller, 0), 0, True
    rival = max((n for who, n in holders.items() if who not in (seller, company)), default=0)
    for _ in range(count):
        held -= 1
        columns += 2 if president else 1
        if president and held < max(rival, 2):
            if rival >= 2 and rival > held:
                president = False
            else:
                legal = False
    return columns, legal and held >= 0
