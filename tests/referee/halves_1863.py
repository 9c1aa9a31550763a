"""1863: the halves that a merger of two majors leaves, of shares and of shorts."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import OSI, TubeSubject
from tests.referee.state import BANK, POOL, TREASURY

EARLIER = (od.Merge, od.Agree, od.Discard, od.Keep, od.Borrow, od.PayPlayer)
"""Orders after which the president may still have to buy, before the pool gets its shares."""


class Halves(TubeSubject):
    """Section 8.c: two old shares are one, two shorts one; a half is filled up, given up or, of a short, bought out."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company = ""
        """The survivor while halves are open."""
        self.shares: dict[str, bool] = {}
        """Holder of half a share -> whether it is one of the survivor. The pool has nobody to ask."""
        self.shorts: set[str] = set()
        """Players with half a short."""
        self.pool = 0
        """Whole shares that the pool has by the exchange, and by sales since; less those that went back with shorts."""
        self.given = 0
        """Halves of the survivor that were given up: each is a share for the pool (8.c.ii)."""
        self.kept = 0
        """Half shorts that were kept: the regular share of each is in the pool (6.k)."""
        self.head: str | None = None
        """The player who leads the new company when the first half is settled."""
        self.leads: dict[str, str | None] = {}
        """Holder of half a share -> the player who decides for him when the first half is settled."""
        self.whole: dict[str, int] = {}
        """Player -> whole shorts by the exchange."""
        self.bill = 0
        """The shorts of the president that none of his single shares matches, when they go back."""

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Merged(companies, survivor) if not any(map(self.books.minor, companies)):
                self.opens(companies, survivor)
            case ev.CertificatesSet(company, holdings) if self.whole and company == self.company:
                found = {place: n for place, kind, n in holdings if kind == "short" and place != OSI}
                self.bench.same("1863 §8.c exchange", f"shorts of {company}", found, {p: n for p, n in self.whole.items() if n})  # fmt: skip  # noqa: E501
                self.pool = min(
                    self.pool, sum(n for place, kind, n in holdings if place == POOL and kind == "ordinary")
                )
                self.whole = {}
            case ev.CertificatesSet(company, holdings) if company == self.company:
                self.pool -= self.returned(company, holdings)
                president = self.books.owner(company) or ""
                self.bill = self.books.shorts(president, company) - self.books.paper[president, company, "ordinary"]
            case ev.Paid(payer, payee, _, "exchange", about) if about == self.company:
                self.share(payee if payer == BANK else payer, filled=payer != BANK)
            case ev.Paid(payer, payee, amount, "short", about) if about == self.company and not self.traded():
                if payer == self.books.owner(about) and payer not in self.shorts:
                    self.whole_shorts(payer, amount)
                else:
                    self.short(payee if payer == BANK else payer, kept=payer == BANK)
            case ev.Sold(_, company, count) if company == self.company:
                self.pool += count  # for half a short that the seller must pay for
            case ev.CompanyLeft(company) if company == self.company:
                self.company = ""
            case ev.Resigned():
                self.company = ""  # what a bankrupt had lies in the pool as well
            case _:
                pass

    def returned(self, company: str, holdings: tuple[tuple[str, str, int], ...]) -> int:
        """Shares of the pool that go back with whole shorts that the president pays for: those that the charter lacks.
        By section 6.k a short goes back with a regular share "from the bank pool or treasury"."""
        left = sum(n for place, kind, n in holdings if kind == "short" and place != OSI)
        lacking = self.books.shorts_out(company) - left - self.books.shares(TREASURY, company)
        return max(0, min(lacking, self.books.shares(POOL, company)))

    def traded(self) -> bool:
        return any(isinstance(e, ev.Shorted) for e in self.bench.events)

    def opens(self, companies: tuple[str, ...], survivor: str) -> None:
        """Everybody's shares of both, and the company of each half: the survivor, if its holder has an odd number."""
        books = self.books
        self.company, self.given, self.kept, self.head = survivor, 0, 0, None
        self.leads, self.bill = {}, 0
        places = {p for (p, c, _), n in books.paper.items() if c in companies and n} - {OSI, TREASURY, *companies}
        old = {p: sum(books.shares(p, c) for c in companies) for p in places}
        odd = {p: books.shares(p, survivor) % 2 == 1 for p in places if old[p] % 2}
        self.pool = old.get(POOL, 0) // 2
        self.given += odd.pop(POOL, False)
        self.shares = odd
        shorts = {p: sum(books.shorts(p, c) for c in companies) for p in books.players}
        self.shorts = {p for p, n in shorts.items() if n % 2}
        self.whole = {p: n // 2 for p, n in shorts.items()}

    def share(self, holder: str, *, filled: bool) -> None:
        """One who has half a share pays for the other half, or gives his up, once."""
        rule = "1863 §8.c.i halves"
        if not self.bench.check(rule, holder in self.shares, f"{holder} settles half a share, {self.shares} are open"):
            return
        due = self.next_due()
        self.bench.check("1863 §8.c.i order of halves", holder in due, f"{holder} comes before {due}")
        of_survivor = self.shares.pop(holder)
        self.given += of_survivor and not filled
        got = sum(e.count for e in self.bench.events if isinstance(e, ev.CertificatesMoved) and self.issued(e))
        order = self.bench.order
        if isinstance(order, od.Exchange) and order.actor == holder:
            self.bench.same(rule, f"whole shares for {holder}", got, int(filled))
            self.bench.same(rule, f"choice of {holder}", order.into, "share" if filled else "cash")
        else:
            self.bench.check(rule, not filled and self.unable(holder), f"{holder} is not asked about his half")

    def issued(self, event: ev.CertificatesMoved) -> bool:
        """A share from the charter for a holder. It may match one of his shorts at once, or make him president."""
        given = (event.company, event.kind, event.source) == (self.company, "ordinary", TREASURY)
        return given and event.target != POOL

    def next_due(self) -> list[str]:
        """Most shares first, then from the president's left; where a tie is with himself the book does not say."""
        books, company = self.books, self.company
        most = max(books.shares(holder, company) for holder in self.shares)
        tied = [holder for holder in self.shares if books.shares(holder, company) == most]
        president = self.head = self.head or self.player(books.owner(company) or "")
        self.leads = self.leads or {holder: self.player(holder) for holder in self.shares}
        players = {self.leads[holder] for holder in tied}
        if president is None or president in players or None in players:
            return tied
        seats = books.from_seat(president)
        nearest = min(players, key=lambda player: seats.index(player or ""))
        return [holder for holder in tied if self.leads[holder] == nearest]

    def unable(self, holder: str) -> bool:
        """He cannot fill it up: no share is left, or he has not the money or no room for it."""
        books, company = self.books, self.company
        player = self.player(holder) or ""
        chain = books.chained(player, company) if player else 0
        limit = self.tables.certificates[len(books.players)]
        full = chain >= figures.MOST_CHAIN
        full = full or (books.counted(holder) >= limit if holder in books.players else books.shares(holder, company) >= figures.MOST_HELD)  # fmt: skip  # noqa: E501
        poor = books.cash[holder] < books.price(company) // 2
        return not player or full or poor or not books.shares(TREASURY, company)

    def short(self, player: str, *, kept: bool) -> None:
        """Half a short becomes a whole one against half the price, or is bought out for as much (8.c.i, ii)."""
        rule = "1863 §8.c half shorts"
        if not self.bench.check(rule, player in self.shorts, f"{player} settles half a short, {self.shorts} have one"):
            return
        self.shorts.discard(player)
        self.kept += kept
        order = self.bench.order
        if isinstance(order, od.HalfShort) and order.actor == player:
            self.bench.same(rule, f"{player} keeps it", kept, order.keep)
            return
        books, company = self.books, self.company
        poor = books.cash[player] < books.price(company) // 2
        none = not books.paper[OSI, company, "short"] or player in (books.owner(company), self.before.owner(company))
        good = poor if kept else none
        self.bench.check("1863 §8.c choice of half shorts", good, f"{player} is not asked about half a short")

    def whole_shorts(self, president: str, amount: int) -> None:
        """The president may have none, and his certificate matches none: he pays the price for each (6.k, 12.43)."""
        if any(isinstance(e, ev.Merged | ev.Resigned) for e in self.bench.events):
            return  # he had other shorts before the order, or has not the money
        due = self.bill * self.books.price(self.company)
        self.bench.same(
            "1863 §8.c half shorts", f"{president}, the president, pays for {self.bill} shorts", amount, due
        )

    def end(self) -> None:
        """The pool has its whole shares, one for each half of the survivor that was given up, as far as the ten leave
        room (R43), and the regular share of each short that was kept."""
        if not self.company or self.shares or self.shorts or self.company not in self.books.cells:
            return
        company = self.company
        books, rule = self.books, "1863 §8.c.ii pool"
        halves = books.shares(POOL, company) - self.pool - self.kept
        left = books.shares(TREASURY, company)
        good = 0 <= halves <= self.given and (halves == self.given or not left)
        if not good and isinstance(self.bench.order, EARLIER):
            return
        self.company = ""
        text = f"{self.pool} whole, {self.given} halves of the survivor, {self.kept} shorts kept"
        self.bench.check(rule, good, f"the pool has {books.shares(POOL, company)} of {company}, {left} left: {text}")
