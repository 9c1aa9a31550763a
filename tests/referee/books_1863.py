"""1863: the referee's books of companies with shorts, loans, and markers that are bought but not yet on the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import events as ev
from tests.referee import tables_1863 as figures
from tests.referee.bench import Subject
from tests.referee.companies import ChainBooks
from tests.referee.state import POOL, TREASURY, Books
from tests.referee.tables import Tables

OSI = "OSI"


class TubeBooks(ChainBooks):
    """One position of 1863. Which company is a minor follows from its certificates."""

    def __init__(self, tables: Tables, players: tuple[str, ...]) -> None:
        super().__init__(tables, players)
        self.rate = figures.LEAST_RATE
        self.borrowed: Counter[str] = Counter()
        """Loans taken since the round began."""
        self.out: set[str] = set()
        """Bankrupt players."""
        self.last_run: dict[str, int] = {}
        self.final = False
        self.into: dict[str, str] = {}
        """Companies that merge or are acquired, each with the company that goes on."""
        self.kept: Counter[tuple[str, str]] = Counter()
        """Company, type -> trains that Thompson keeps for it, outside the limit."""

    def copy(self) -> TubeBooks:
        other = super().copy()
        assert isinstance(other, TubeBooks)
        other.borrowed, other.out, other.last_run = Counter(self.borrowed), set(self.out), dict(self.last_run)
        other.kept = Counter(self.kept)
        return other

    def enter(self, event: ev.Event) -> None:
        super().enter(event)
        match event:
            case ev.SupplySet(train, left):
                self.new[train] = left
            case ev.LoansChanged(company, change, reason):
                if reason == "taken":
                    self.borrowed[company] += change
            case ev.RoundBegan():
                self.borrowed.clear()
            case ev.Merged(companies, into):
                self.into = dict.fromkeys(companies, into)
            case ev.Acquired(company, buyer):
                self.into = {company: buyer}
            case ev.RateSet(rate):
                self.rate = rate
            case ev.Resigned(player):
                self.out.add(player)
            case ev.TrainMoved(train, "", company):
                self.kept[company, train] += 1
            case ev.TrainMoved(train, source, target) if self.kept[source, train]:
                self.kept[source, train] -= 1
                if target in self.status:
                    self.kept[target, train] += 1
            case ev.TrainsRusted(train):
                self.kept = Counter({kept: n for kept, n in self.kept.items() if kept[1] != train})
            case ev.Ran(company, _, _, revenue):
                self.last_run[company] = revenue
            case ev.CompanyLeft(company) | ev.CompanyOpened(company):
                earned = self.last_run.pop(company, 0)
                self.loans.pop(company, None)
                # What two companies have earned, and have taken in the round, counts for the one that goes on (8.c).
                taken, heir = self.borrowed.pop(company, 0), self.into.pop(company, "")
                if heir != company and self.status.get(heir) == "open":
                    self.borrowed[heir] += taken
                    self.last_run[heir] = self.last_run.get(heir, 0) + earned
            case _:
                pass

    # ---- what can be asked ------------------------------------------------------------------------------------------

    def minor(self, company: str) -> bool:
        """One certificate, and nothing else: neither shares nor shorts."""
        return not any(n for (_, c, kind), n in self.paper.items() if c == company and kind != "director")

    def kind(self, company: str) -> str:
        return "minor" if self.minor(company) else "major"

    def column(self, company: str) -> int:
        return self.cells[company][1]

    def zone(self, company: str) -> str:
        at = self.column(company)
        return "red" if at == figures.RED else "grey" if at <= figures.LAST_GREY else "white"

    def playing(self) -> list[str]:
        """Companies in play with a price, dearest first, of equal ones the first to arrive."""
        return [c for c in self.open("major") if c in self.cells]

    def shorts(self, player: str, company: str) -> int:
        return self.paper[player, company, "short"]

    def shorters(self, company: str) -> dict[str, int]:
        return {p: n for p in self.players if (n := self.shorts(p, company))}

    def shorts_out(self, company: str) -> int:
        return sum(self.shorters(company).values())

    def owners(self, company: str) -> dict[str, int]:
        """Players and companies with shares of it: neither its own charter, nor the pool, nor what is paired."""
        places = (p for p, c, _ in self.paper if c == company and p not in (POOL, TREASURY, OSI))
        return {p: n for p in dict.fromkeys(places) if (n := self.shares(p, company))}

    def led(self, holder: str) -> bool:
        """A player, or a company with a line of ownership to one: nobody else can direct a company (6.h)."""
        return holder in self.players or self.controller(holder) is not None

    def counted(self, player: str) -> int:
        """Certificates that count toward his limit: those in his own hand, but no shorts (6.a)."""
        return sum(n for (p, _, kind), n in self.paper.items() if p == player and kind != "short")

    def excess(self, player: str) -> Counter[tuple[str, str]]:
        """The excess of a player and his companies over the limits of 6.a by holder and company; "" is certificates."""
        found = Counter({(player, ""): self.counted(player) - self.tables.certificates[len(self.players)]})
        mine = self.tree(player)
        for company in self.playing():
            if not self.minor(company):
                found[player, company] = sum(self.shares(who, company) for who in mine) - figures.MOST_CHAIN
                for holder in mine[1:]:
                    found[holder, company] = self.shares(holder, company) - figures.MOST_HELD
        return +found

    def dividend_shares(self, company: str) -> int:
        return 2 if self.minor(company) else figures.TEN

    def loans_out(self) -> int:
        return sum(self.loans.values())

    def value(self, company: str) -> int:
        """Section 9.b: cash, goods at face, shares of others at the price, the last revenue, less loans."""
        privates = sum(figures.FACES[p] for p, owner in self.privates.items() if owner == company)
        trains = sum(self.tables.trains[t].price for t in self.trains[company])
        held = {c for p, c, _ in self.paper if p == company}
        shares = sum(self.shares(company, c) * self.price(c) for c in held if c in self.cells)
        goods = privates + trains + shares + self.last_run.get(company, 0)
        return self.cash[company] + goods - figures.LOAN * self.loans[company]

    def loan_room(self, company: str) -> int:
        """How many loans it may take now: size, markers left, and the value (6.j, 9, R35, R36)."""
        size = figures.LOAN_LIMIT[self.kind(company)] - self.loans[company]
        left = figures.ROWS * len(self.players) - self.loans_out()
        always = figures.FREE_LOANS - self.loans[company]
        by_value = (self.value(company) - 1) // figures.LOAN - self.borrowed[company]
        return max(0, min(size, left, max(always, by_value)))

    def bill(self, company: str) -> int:
        """Section 7.f: interest, markers on the map, trains."""
        each = figures.MARKER_COST // 2 if self.privates.get("POR") == company else figures.MARKER_COST
        trains = sum(figures.RUNNING[t] for t in self.trains[company])
        return self.loans[company] * self.rate + each * len(self.hexes(company)) + trains

    def seats_after(self, player: str) -> list[str]:
        """The solvent players from his left on; he himself last."""
        at = self.players.index(player) + 1
        return [p for p in (*self.players[at:], *self.players[:at]) if p not in self.out]

    def _sides(self, told: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        yield from Books._sides(self, told)
        marks = told["remembered"]
        yield "rate", self.rate, marks["interest on a loan"]
        taken = {c: n for c, n in marks["loans taken in this round"].items() if n and self.status[c] == "open"}
        yield "loans of this round", dict(+self.borrowed), taken
        yield "bankrupt", sorted(self.out), sorted(marks["bankrupt"])
        kept = Counter((company, train) for company, train, *_ in marks["trains that outlast their rust"])
        yield "trains that outlast their rust", +self.kept, kept
        for company, now in told["companies"].items():
            if now["status"] == "open":
                yield f"who acts for {company}", self.controller(company), now["director"]
                yield f"last run of {company}", self.last_run.get(company, 0), now["last run"] or 0


class TubeSubject(Subject):
    """A subject that reads these books."""

    @property
    def books(self) -> TubeBooks:
        assert isinstance(self.bench.books, TubeBooks)
        return self.bench.books

    @property
    def before(self) -> TubeBooks:
        assert isinstance(self.bench.before, TubeBooks)
        return self.bench.before

    def player(self, actor: str) -> str | None:
        """The player who decides for a player or company."""
        return actor if actor in self.books.players else self.books.controller(actor)
