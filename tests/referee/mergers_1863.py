"""1863: conversions and mergers."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import OSI, TubeSubject
from tests.referee.state import BANK, POOL, TREASURY


class Unions(TubeSubject):
    """Sections 8.a to 8.c."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.used: set[str] = set()
        """Companies that have converted, merged, been liquidated or acquired, or acquired another in this round."""
        self.presidents: list[str] = []
        """Possible presidents of the survivor: more than one only if one player directs them."""
        self.due: dict[str, Counter[str]] = {}
        """Survivor -> shares of each place after the exchange."""
        self.waits: dict[str, set[str]] = {}
        """Company -> those that were dearer than somebody who has had his turn: none of them may follow it."""
        self.loans = 0
        self.survivor: str | None = None

    def begin(self) -> None:
        self.due = {}
        self.loans = 0
        order, books = self.bench.order, self.books
        if books.round[0] == "MR" and isinstance(order, od.Convert | od.Decline | od.Merge):
            self.turn(order.actor)

    def turn(self, company: str) -> None:
        """Lowest price first, of equal ones the last to arrive (R40): who was cheaper has had its turn before."""
        earlier = self.waits.get(company, set())
        self.bench.check("1863 §8 order", not earlier, f"{company} comes after {earlier}, which were dearer")
        at = self.rank(company)
        for other in self.books.playing():
            if other != company and self.rank(other) < at:
                self.waits.setdefault(other, set()).add(company)

    def rank(self, company: str) -> tuple[int, int]:
        return (self.books.column(company), -self.books.since[company])

    def see(self, event: ev.Event) -> None:
        books = self.books
        match event:
            case ev.RoundBegan():
                self.used, self.waits = set(), {}
            case ev.Converted(company):
                self.once(company)
                good = books.minor(company) and books.zone(company) == "white"
                self.bench.check("1863 §8.a conversion", good, f"{company} in the {books.zone(company)} area converts")
                self.due[company] = Counter({books.owner(company) or "": 2, TREASURY: 8})
            case ev.Merged(companies, survivor, price):
                self.merged(companies, survivor, price)
            case ev.Acquired(company, buyer):
                self.once(company, *({buyer} - set(books.players)), rule="1863 §8 one acquisition a round")
            case ev.Liquidated(company) if books.controller(company) is not None:
                self.once(company)  # one that nobody leads any more may have been acquired in the same round (R39)
            case ev.CertificatesSet(company, holdings) if company in self.due:
                self.exchanged(company, holdings)
            case ev.LoansChanged(_, change, "merged"):
                self.loans += change
            case ev.Paid(payer, payee, amount, "exchange"):
                self.half(payer, payee, amount)
            case ev.PriceSet(company, _, price, "merged"):
                self.bench.same("1863 §8 merger", "survivor", company, self.survivor)
            case _:
                pass

    def once(self, *companies: str, rule: str = "1863 §8 once a round") -> None:
        """Sections 8 and the players' aid: "Companies can only perform one of the following during a M&A"."""
        again = self.used & set(companies)
        self.bench.check(rule, not again, f"{again} for the second time")
        self.used |= set(companies)

    def merged(self, companies: tuple[str, ...], survivor: str, price: int) -> None:
        books, rule = self.books, "1863 §8 merger"
        self.survivor = survivor
        self.once(*companies)
        kinds = {books.kind(c) for c in companies}
        self.bench.check(rule, len(kinds) == 1 and survivor in companies, f"{companies}, {kinds}, into {survivor}")
        self.bench.check(rule, all(books.zone(c) == "white" for c in companies), f"areas of {companies}")
        self.bench.check(rule, all(c in books.operated for c in companies), f"{companies} have not all operated")
        number = len(companies) == 2 or (len(companies) > 2 and kinds == {"minor"})
        self.bench.check(rule, number, f"{len(companies)} of {kinds} merge")
        sum_ = sum(books.price(c) for c in companies)
        fitting = max(p for p in self.tables.chart.prices.values() if p <= sum_)
        self.bench.same(rule, f"price of {companies}, together {sum_}", price, fitting)
        if kinds == {"minor"}:
            due = Counter(books.owner(c) or "" for c in companies)
            self.presidents = self.first(companies, survivor, due)
        else:
            places = {p for (p, c, _), n in books.paper.items() if c in companies and n}
            old = Counter({p: sum(books.shares(p, c) for c in companies) for p in places - {OSI, TREASURY}})
            self.presidents = self.first(companies, survivor, old)
            due = Counter({p: n // 2 for p, n in old.items()})
        for company in companies:  # what one had of the other is the survivor's own
            due[TREASURY] += due.pop(company, 0)
        self.due[survivor] = due

    def first(self, companies: tuple[str, ...], survivor: str, old: Counter[str]) -> list[str]:
        """The holders with the most, halves included (R42, 8.3). On a tie the old president stays (6.g): the
        survivor's, or who directed both if a company that merges or one below it had that office; then who directed it
        through that company, the nearest first. Else the nearest to the left of the player at the top: a company has
        the seat of who controls it (12.20)."""
        books = self.books

        def below(who: str) -> bool:
            return who in companies or bool(set(companies) & set(books.chain(who)))

        held = {who: n for who, n in old.items() if n and who != POOL and not below(who)}
        most = max(held.values(), default=0)
        tied = [who for who, n in held.items() if n == most]
        line = books.chain(survivor)
        if (before := next((who for who in line if who in tied), None)) is not None:
            return [before]
        player = books.controller(survivor)
        if player is None:
            return tied
        seats = [*books.from_seat(player)[1:], player]
        nearest = min((self.player(who) or player for who in tied), key=seats.index, default="")
        return [who for who in tied if self.player(who) == nearest]

    def exchanged(self, company: str, holdings: tuple[tuple[str, str, int], ...]) -> None:
        """Two for one; with minors each is one share, and the president is brought to two (8.b, 8.c)."""
        found, due = Counter[str](), self.due.pop(company)
        for place, kind, n in holdings:
            found[place] += n * {"director": 2, "ordinary": 1}.get(kind, 0)
        del found[OSI]
        president = next((p for p, kind, _ in holdings if kind == "director"), "")
        if any(isinstance(e, ev.Converted) for e in self.bench.events):
            self.bench.same("1863 §8.a conversion", f"shares of {company}", +found, +due)
            return
        rule = "1863 §8.c exchange"
        due[POOL] = min(due[POOL], self.room(due, holdings))
        first = self.presidents
        self.bench.check("1863 §6.g president of a merger", president in first, f"{president}; by the rulebook {first}")
        bought = max(0, 2 - due[president])
        due[president] += bought
        del due[TREASURY], found[TREASURY]  # what is left of ten: see the pairs in Holdings
        self.bench.same(rule, f"shares of {company}", +found, +due)

    def room(self, due: Counter[str], holdings: tuple[tuple[str, str, int], ...]) -> int:
        """The room that the ten and the open shorts leave beside the shares that have holders (R43)."""
        shorts = sum(n for place, kind, n in holdings if kind == "short" and place != OSI)
        return max(0, figures.TEN + shorts - sum(n for place, n in due.items() if place not in (POOL, TREASURY)))

    def half(self, payer: str, payee: str, amount: int) -> None:
        """Half the price, rounded down, for half a share or half a short (8.c)."""
        if self.survivor is None or self.survivor not in self.books.cells:
            return
        due = self.books.price(self.survivor) // 2
        self.bench.same("1863 §8.c halves", f"{payer} pays {payee}", amount, due)
        self.bench.check("1863 §8.c halves", BANK in (payer, payee) or payee == self.survivor, f"{payer} pays {payee}")

    def end(self) -> None:
        self.bench.same("1863 §8 merger", "loans that change hands", self.loans, 0)
        self.bench.check("1863 §8.c exchange", not self.due, f"not exchanged: {self.due}")
