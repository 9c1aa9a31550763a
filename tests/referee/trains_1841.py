"""1841: trains and phases; track and station markers."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.state import BANK, POOL


class Stock(ChainSubject):
    """Sheet 1.9: what trains cost, limits, and what a phase does."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.paid: Counter[tuple[str, str, str, int]] = Counter()
        self.due_phase: str | None = None
        self.due: list[str] = []
        """Trains that rust now."""

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.Paid(payer, payee, amount, "train", about):
                self.paid[payer, payee, about, amount] += 1
                bench.check("1841 §1.9 own money", books.cash[payer] >= amount, f"{payer} pays {amount} for a {about}")
            case ev.TrainMoved(train, source, target):
                self.moved(train, source, target)
            case ev.PhaseBegan(phase):
                bench.same("1841 §1.1 phase", "new phase", phase, self.due_phase)
                self.due_phase = None
                self.due = list(self.tables.gone.get(phase, ()))
            case ev.TrainsRusted(train):
                good = bench.check("1841 §1.1 rust", train in self.due, f"{train}-trains rust")
                self.due = [t for t in self.due if t != train] if good else self.due
            case ev.TurnBegan() | ev.RoundBegan():
                self.within_limits()
            case _:
                pass

    def moved(self, train: str, source: str, target: str) -> None:
        bench, books = self.bench, self.books
        if target in (POOL, ""):
            # More than the limit, which a phase or a merger may have lowered.
            bench.check("1841 §1.1 limit", source in books.status, f"{source} gives up a {train}")
            return
        if target not in books.status:
            bench.check("1841 §1.9 trains", False, f"{train} goes to {target}")
            return
        whole = any(isinstance(e, ev.Merged | ev.Divided) for e in bench.events)
        if whole and source in books.status and not isinstance(bench.order, od.Train | od.Agree):
            return
        seller = source if source in books.status else BANK
        prices = [n for (payer, payee, about, n), k in self.paid.items() if (payer, payee, about) == (target, seller, train) and k]  # fmt: skip  # noqa: E501
        if whole and not prices:
            return
        if not bench.check("1841 §1.9 price", len(prices) == 1, f"{target} pays {prices} for a {train} of {source}"):
            return
        self.paid[target, seller, train, prices[0]] -= 1
        if seller == BANK:
            bench.same("1841 §1.9 price", f"a {train} costs", prices[0], self.tables.trains[train].price)
            if source == BANK:
                bench.same("1841 §1.9 order", "new train", train, books.next_new())
        else:
            bench.check("1841 §1.9 frozen", not books.frozen(source), f"{source}, frozen, sells a {train}")
        held, limit = len(books.trains[target]), self.limit(target)
        bench.check("1841 §1.1 limit", held < limit, f"{target} buys with {held} of {limit}")
        if source == BANK and train == train and self.tables.starts.get(train, "") > books.phase:
            self.due_phase = self.tables.starts[train]

    def limit(self, company: str) -> int:
        minor, major = tables_1841.LIMITS[self.books.phase]
        return minor if self.tables.kind(company) == "minor" else major

    def within_limits(self) -> None:
        books = self.books
        for company in books.companies():
            trains = books.trains[company]
            self.bench.check("1841 §1.1 limit", len(trains) <= self.limit(company), f"{company} has {trains}")

    def end(self) -> None:
        wrong = {key: n for key, n in self.paid.items() if n}
        self.bench.check("1841 §1.9 price", not wrong, f"paid for no train: {wrong}")
        self.paid.clear()
        self.bench.check("1841 §1.1 phase", self.due_phase is None, f"phase {self.due_phase} does not begin")
        self.bench.check("1841 §1.1 rust", not self.due, f"{self.due} do not rust")
        self.due, self.due_phase = [], None


class Ground(ChainSubject):
    """Sheet 1.5 (numbers, colours and costs of tiles), 1.3 and 1.6 (markers)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company = ""
        self.hexes: list[str] = []
        """Where the company on turn has built."""
        self.placed = 0
        self.spent: Counter[str] = Counter()
        self.used: Counter[str] = Counter()
        self.bases = 1
        self.converted: dict[str, int] = {}
        """Company that has just been transformed -> markers that it had."""
        self.short: set[str] = set()
        """Companies that could not pay for their markers."""

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.TurnBegan(company):
                self.company, self.hexes, self.placed = company, [], 0
                self.bases = sum(h not in tables_1841.PASSES for h in self.books.hexes(company))
            case ev.TurnEnded() | ev.RoundBegan():
                self.company = ""
            case ev.Paid(payer, payee, amount, "terrain", about):
                self.bench.same("1841 §1.5 cost", "terrain is paid to", payee, BANK)
                self.spent[payer, about] += amount  # type: ignore[index]
            case ev.TileLaid(company, hex, tile):
                self.laid(company, hex, tile)
            case ev.MarkerPlaced(company, hex):
                self.marker(company, hex)
            case ev.MarkerReplaced(old, company, hex) if isinstance(self.bench.order, od.BuyToken | od.Agree):
                self.bought(old, company, hex)
            case ev.CompanyOpened(company):
                self.converted.pop(company, None)
                self.short.discard(company)
            case ev.Sold(company) if not self.books.tokens.get(company):
                self.short.add(company)
            case ev.Paid(reason="help", payee=company) if not self.books.tokens.get(company):
                self.short.add(company)
            case ev.Merged([old], company):
                self.converted[company] = self.books.tokens[old]
            case ev.TokensBought(company, count, cost):
                self.tokens(company, count, cost)
            case _:
                pass

    # ---- tiles ------------------------------------------------------------------------------------------------------

    def laid(self, company: str, hex: str, tile: str) -> None:
        bench, books, tables = self.bench, self.books, self.tables
        rule = "1841 §1.5 track"
        bench.same(rule, "who lays", company, self.company)
        bench.check(rule, hex not in self.hexes, f"{company} builds twice in {hex}")
        self.hexes.append(hex)
        bench.check(rule, len(self.hexes) <= self.most(company), f"{company} has built in {self.hexes}")
        colour = tables.colours.get(tile)
        old = books.laid.get(hex)
        if not bench.check(rule, colour is not None, f"there is no tile {tile}") or colour is None:
            return
        was = tables.colours[old] if old else self.printed(hex)
        bench.check(rule, colour <= tables.palette[books.phase], f"{tile} in phase {books.phase}")
        bench.same(rule, f"colour of {tile} over {old} in {hex}", colour, was + 1)
        self.used[tile] += 1
        if old:
            self.used[old] -= 1
        most = tables.counts[tile]
        bench.check(rule, most is None or self.used[tile] <= most, f"{self.used[tile]} tiles {tile}")
        due = tables.terrain.get(hex, 0) if old is None else 0
        if old in tables_1841.GREEN_PASSES:
            due = tables_1841.PASS_UPGRADE
        spent = self.spent.pop((company, hex), 0)  # type: ignore[call-overload]
        bench.same("1841 §1.5 cost", f"{company} pays for {tile} in {hex}", spent, due)

    def printed(self, hex: str) -> int:
        if hex in tables_1841.PRINTED["green"]:
            return 1
        return 0 if hex in tables_1841.PRINTED["yellow"] else -1

    def most(self, company: str) -> int:
        """A minor one; a major one for each base, two at most in phases 3 and 4, one from phase 5 on."""
        if self.tables.kind(company) == "minor" or self.books.phase in "5678":
            return 1
        return self.bases if self.books.phase == "2" else min(2, self.bases)

    # ---- markers ----------------------------------------------------------------------------------------------------

    def marker(self, company: str, hex: str) -> None:
        bench, books = self.bench, self.books
        standing = books.hexes(company)
        rule = "1841 §1.6 markers"
        bench.check(rule, hex not in standing, f"{company} has two markers in {hex}")
        if company in books.tokens and company in books.history | {self.company}:
            have = books.tokens[company]
            bench.check(rule, len(standing) < have, f"{company} has {len(standing)} of {have} markers on the map")
        if self.company == company and company not in self.fresh():
            self.placed += 1
            bench.same(rule, f"markers of {company} in this turn", self.placed, 1)
            return
        due = tables_1841.HOMES.get(company)
        bench.check("1841 §3.3.4 home", hex not in tables_1841.PASSES, f"{company} begins in the pass {hex}")
        if due is not None:
            bench.check("1841 §3.3.4 home", hex in due, f"{company} begins in {hex}, not in {due}")
            return
        bench.check("1841 §3.3.4 home", hex in tables_1841.CITIES and len(standing) < 2, f"{company} begins in {hex}")
        if books.phase in "23":
            bench.check("1841 §3.3.4 home", hex not in tables_1841.BUSY | tables_1841.AUSTRIA, f"{company} begins in {hex}")  # fmt: skip  # noqa: E501
        if self.tables.kind(company) == "minor":
            good = hex not in tables_1841.NO_MINOR and not books.markers[hex] and not standing
            bench.check("1841 §3.3.4 home", good, f"{company}, a minor, begins in {hex}")

    def fresh(self) -> list[str]:
        return [e.company for e in self.bench.events if isinstance(e, ev.CompanyOpened)]

    def bought(self, old: str, company: str, hex: str) -> None:
        """Sheet 1.6, acquisition."""
        bench, books = self.bench, self.books
        rule = "1841 §4.4 acquisition"
        standing, left = books.hexes(company), [h for h in books.hexes(old) if h != hex]
        bench.check(rule, hex not in standing, f"{company} stands in {hex}")
        bench.check(rule, len(standing) < books.tokens[company], f"{company} has no spare marker")
        bench.check(rule, any(h not in tables_1841.PASSES for h in left), f"{old} is left with {left}")
        bench.check(rule, not books.frozen(old), f"{old} is frozen")
        paid = [e for e in bench.events if isinstance(e, ev.Paid) and (e.payer, e.payee, e.reason) == (company, old, "token")]  # fmt: skip  # noqa: E501
        bench.check(rule, len(paid) == 1 and paid[0].amount >= 1, f"{company} pays {paid}")

    def tokens(self, company: str, count: int, cost: int) -> None:
        """50 each for historical companies; one price by distance for others; 50 and 100 after a transformation."""
        bench, books = self.bench, self.books
        least, most = tables_1841.TOKENS[self.tables.kind(company)]
        rule = "1841 §3.3.4 tokens"
        homes = books.hexes(company)
        bench.check(rule, max(least, len(homes)) <= count <= most, f"{company} has {count} markers")
        if company in self.short and company not in self.converted:
            bench.same(
                "1841 §2.5 least markers", f"markers of {company}, which needs help", count, max(least, len(homes))
            )
        had = self.converted.pop(company, None)
        if had is not None:
            due = sum(tables_1841.TOKEN if n == 2 else tables_1841.FURTHER_TOKEN for n in range(had + 1, count + 1))
            bench.same("1841 §1.10 tokens", f"{count} markers of {company} with {had} cost", cost, due)
        elif company in tables_1841.STARTED:
            bench.same(rule, f"{count} markers of {company} cost", cost, tables_1841.TOKEN * count)
        else:
            prices = [n for n in tables_1841.BY_DISTANCE if n * count == cost]
            bench.check(rule, bool(prices), f"{count} markers of {company} cost {cost}")
            on_track = any(h in books.laid or h in tables_1841.WITH_TRACK for h in homes)
            dues = [200] if on_track else [25, 50, 100, 200]
            bench.check(rule, not prices or prices[0] in dues, f"a marker of {company} in {homes} costs {prices}")
