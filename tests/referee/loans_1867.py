"""1867: what a nationalised company leaves, which markers CN takes over, and how minors become public companies."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench
from tests.referee.books_1867 import GroundBooks
from tests.referee.ground_subject import GroundSubject
from tests.referee.loans import Formation, Nationalisation
from tests.referee.state import BANK
from tests.referee.tables_1867 import FOR_TRADE, MARKERS, MONTREAL, STATE, TORONTO

ELSEWHERE = MARKERS["state"] - 2
"""12.5: one stands in Toronto, one is for Montreal."""
BECAME = ("converted", "merged")


class Taking(Nationalisation, GroundSubject):
    """12.5, 13.1 to 13.11."""

    PLACES: ClassVar[tuple[str, str]] = (TORONTO, MONTREAL)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.expected: list[str] = []
        """Minors that a new phase nationalises, in operating order."""
        self.taken: list[str] = []
        """Those that were."""
        self.hexes: dict[str, tuple[GroundBooks, Counter[str]]] = {}
        """Nationalised company -> the books before its markers went, and what became of them: hex and heir."""

    def begin(self) -> None:
        super().begin()
        self.expected, self.taken = [], []

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.TurnEnded():
                super().see(event)
                self.company = None
                return
            case ev.PhaseBegan(phase):
                self.phase(phase)
            case ev.Nationalised(name) if name in self.tables.kinds:
                self.hexes[name] = (self.books.copy(), Counter())
                if self.began is not None and name != self.company and self.tables.kind(name) == "minor":
                    self.taken.append(name)
            case ev.Nationalised(name):
                self.bench.check("1867 5.8 sequence", not self.taken, f"{name} is paid after {self.taken} went")
            case ev.MarkerReplaced(old, company, hex) if old in self.hexes and company == STATE:
                self.hexes[old][1][f"{hex} {STATE}"] += 1
            case ev.MarkerRemoved(old, hex) if old in self.hexes:
                self.hexes[old][1][f"{hex} free"] += 1
            case _:
                pass
        super().see(event)

    def end(self) -> None:
        super().end()
        if self.began is not None:
            self.bench.same(
                "1867 13.1, 13.2 minors", f"minors that go in phase {self.began}", self.taken, self.expected
            )
        if self.began == "5":
            left = [c for c, s in self.books.status.items() if s == "unstarted" and self.tables.kind(c) == "minor"]
            self.bench.check("1867 5.4 too late", not left, f"not started in phase 5, and still there: {left}")

    def phase(self, phase: str) -> None:
        """13.1, 13.2: who has operated and has no train now; in phase 8 all. The one on turn has just bought."""
        books, gone = self.books, self.tables.gone.get(phase, ())
        minors = books.open("minor")
        without = [c for c in minors if c in books.operated and all(t in gone for t in books.trains[c])]
        self.expected = minors if phase == "8" else [c for c in without if phase in ("4", "6") and c != self.company]
        if phase == "8":
            self.expected = [c for c in minors if c != self.company]

    def heir(self, company: str) -> str:
        return BANK

    def offered(self) -> list[str]:
        """11.1: in phase 8 also the special trains."""
        return [*super().offered(), *(FOR_TRADE if self.books.phase == "8" else ())]

    def leaves(self, company: str, closed: bool, reason: str) -> None:
        if reason in BECAME:
            return
        super().leaves(company, closed, reason)
        then = self.hexes.pop(company, None)
        if then is None:
            return
        due = self.markers(company, then[0])
        if self.bench.reading("nationalised_ties") == "name":
            self.bench.same("1867 13.8 markers", f"markers of {company}", then[1], due)
        else:
            self.bench.same("1867 13.8 markers", f"number of markers of {company}", then[1].total(), due.total())
        for private, owner in then[0].privates.items():
            if owner == company:
                self.bench.check("1867 13.11 privates", private in self.books.closed, f"{private} of {company} is open")

    def markers(self, company: str, books: GroundBooks) -> Counter[str]:
        """13.8: the best city first, then by name from the end of the alphabet."""
        found = [
            (hex, n) for hex, cities in books.standing.items() for n, there in enumerate(cities) if company in there
        ]
        found.sort(key=lambda at: at[0], reverse=True)
        found.sort(key=lambda at: books.face(at[0]).values[at[1]], reverse=True)
        mine = books.hexes(STATE)
        elsewhere = len([hex for hex in mine if hex not in self.PLACES])
        due = Counter[str]()
        for hex, _ in found:
            replaced = hex not in mine and (hex in self.PLACES or elsewhere < ELSEWHERE)
            elsewhere += replaced and hex not in self.PLACES
            due[f"{hex} {STATE}" if replaced else f"{hex} free"] += 1
        return due


class Forming(Formation, GroundSubject):
    """14.4 to 14.13: as in 1861 but for the director, the floor, and what its markers are."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.young: dict[str, frozenset[str]] = {}
        """Company formed in this merger round -> hexes of its minors."""

    def see(self, event: ev.Event) -> None:
        if isinstance(event, ev.RoundBegan):
            self.settled()
        if isinstance(event, ev.Restored):
            self.young.clear()
        super().see(event)

    def formed(self, minors: tuple[str, ...], company: str, price: int, director: str | None) -> None:
        self.settled()
        super().formed(minors, company, price, director)
        before = self.before
        self.young[company] = frozenset(hex for minor in minors for hex in before.hexes(minor))

    def settled(self) -> None:
        """14.13, 14.12: two markers are kept, one in a hex; and somebody has the director's certificate."""
        for company, hexes in self.young.items():
            mine = self.books.hexes(company)
            good = len(mine) == len(set(mine)) == min(2, len(hexes)) and set(mine) <= hexes
            self.bench.check("1867 14.13 markers kept", good, f"{company} of {sorted(hexes)} stands in {mine}")
            if self.bench.reading("merger_fails") == "undone":
                somebody = self.books.director(company) is not None
                self.bench.check("1867 14.11 director", somebody, f"nobody directs {company}")
        self.young.clear()

    def begin(self) -> None:
        super().begin()
        if isinstance(self.bench.order, od.Convert | od.Merge | od.Decline):
            self.settled()

    def directs(self, minors: tuple[str, ...], company: str, director: str | None) -> None:
        """14.11: who has 20 % first, when minors are exchanged in operating order, until somebody has more; if
        nobody has, the owner of the first acts until somebody buys a second share."""
        before = self.before
        owners = [owner for m in sorted(minors, key=before.rank) if (owner := before.director(m))]
        count, due = Counter[str](), None
        for owner in owners:
            count[owner] += 1
            if count[owner] >= 2 and (due is None or count[owner] > count[due]):
                due = owner
        self.bench.same("1867 14.11 director", f"director of {company} of {owners}", director, due or owners[0])
