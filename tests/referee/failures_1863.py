"""1863: liquidation, acquisition, the LPTB, bankruptcy."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import OSI, TubeSubject
from tests.referee.state import BANK, POOL, TREASURY


class Failures(TubeSubject):
    """Sections 8.e, 8.f, 10, 11."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.shared: Counter[tuple[str, str]] = Counter()
        """Company, holder -> what his shares were paid in this order."""
        self.promised: list[tuple[str, int, str, Counter[tuple[str, str]]]] = []
        """The payments that holders of a company are to be paid in this order."""
        self.spent: Counter[str] = Counter()
        """Company -> what it has paid to shareholders in this order."""
        self.bids: Counter[tuple[str, str]] = Counter()
        """Company that is bought, payer -> what he has paid of the bid in this order."""
        self.means: dict[str, tuple[int, int, int]] = {}
        """Company that is bought -> cash of the winner and of the company when he won, and the loans it could take."""
        self.taken_loans: Counter[str] = Counter()
        """Loans taken in this order since an auction was won."""
        self.values: dict[str, int] = {}
        """Company that the LPTB takes -> its value when its shares have gone and before it pays anything (10)."""
        self.settled: Counter[str] = Counter()
        """Company in the red area -> what was paid of its bill and its loans."""
        self.bills: dict[str, int] = {}
        self.running: set[str] = set()
        """Companies with a train, once what rusts at the end of an operating round is gone (10.a)."""

    def begin(self) -> None:
        self.running = {company for company, trains in self.before.trains.items() if trains}
        self.shared.clear()
        self.spent.clear()
        self.bids.clear()
        self.means.clear()
        self.taken_loans.clear()
        self.promised = []

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        self.look(event)
        match event:
            case ev.Paid():
                self.paid(event)
            case ev.Won(winner, item) if item in self.books.cells:
                books = self.books
                self.means[item] = books.cash[winner], books.cash[item], books.loan_room(item)
                self.taken_loans.clear()
            case ev.LoansChanged(company, change, "taken"):
                self.taken_loans[company] += change
            case ev.Acquired(company, buyer, amount, price):
                self.acquired(company, buyer, amount, price)
            case ev.Liquidated(company, price):
                self.liquidated(company, price)
            case ev.Nationalised(company, price) if company in figures.COMPANIES:
                self.taken(company, price)
            case ev.PriceSet(company, cell) if cell[1] == figures.RED:
                self.settled.pop(company, None)
                self.bills[company] = self.bill(company)
            case ev.CompanyLeft(company):
                self.values.pop(company, None)
            case _:
                pass

    def entered(self, event: ev.Event) -> None:
        match event:
            case ev.TrainsRusted():
                self.running &= {company for company, trains in self.books.trains.items() if trains}
            case ev.TrainMoved(_, _, target):
                self.running.add(target)
            case _:
                pass

    def bill(self, company: str) -> int:
        """The bill it fails on: its costs in its own turn, its markers, or nothing where it has lost its president."""
        crisis = next((e for e in self.bench.events if isinstance(e, ev.CrisisBegan) and e.company == company), None)
        return 0 if crisis is None else crisis.missing + self.books.cash[company]

    def look(self, event: ev.Event) -> None:
        """Remember a company's value before the LPTB touches it."""
        books = self.books
        if books.phase != "V":
            return
        match event:
            case ev.TurnBegan() | ev.RoundBegan():
                self.values.clear()
            case ev.Paid(company) | ev.LoansChanged(company) | ev.MarkerReplaced(company):
                if company in books.cells and books.status.get(company) == "open":
                    self.values.setdefault(company, books.value(company))
            case ev.TurnEnded():
                self.values.clear()
            case _:
                pass

    def paid(self, event: ev.Paid) -> None:
        payer, payee, amount, reason, about = event.payer, event.payee, event.amount, event.reason, event.about
        if reason in ("liquidation", "nationalised", "seized") and payee != BANK:
            self.shared[about, payee] += amount
            self.spent[about] += amount
        elif reason == "bid":
            self.bids[about, payer] += amount
        if about in self.bills and payee == BANK and reason in ("costs", "repayment", "crisis", "token", "help"):
            self.settled[about] += amount

    def holders(self, company: str, price: int, rule: str) -> None:
        """The same for each share outside the charter; the pool's part goes to the bank (8.e, 8.f, 10)."""
        owners = self.books.owners(company)
        due = Counter({(company, who): n * price for who, n in owners.items() if n * price and who != company})
        self.promised.append((company, price, rule, due))

    def outside(self, company: str) -> int:
        books = self.books
        return sum(books.owners(company).values()) + books.shares(POOL, company)

    # ---- acquisition ------------------------------------------------------------------------------------------------

    def acquired(self, company: str, buyer: str, amount: int, price: int) -> None:
        bench, books, rule = self.bench, self.books, "1863 §8.f acquisition"
        bench.same(rule, f"area of {company}", (books.zone(company), books.phase != "V"), ("grey", True))
        bench.same(rule, f"a share of {company} for {amount}", price, amount // books.dividend_shares(company))
        paid = Counter({payer: n for (item, payer), n in self.bids.items() if item == company})
        bench.same(rule, f"paid for {company}", paid, self.shares_of_bid(company, buyer, amount))
        bench.check(rule, amount >= figures.LEAST_BID, f"{company} goes for {amount}")
        self.holders(company, price, rule)

    def shares_of_bid(self, company: str, buyer: str, amount: int) -> Counter[str]:
        """ "Paid in full (using cash or loans in the acquired company if necessary)": first from the winner, then
        from the company's, then with its loans, and last with those of a company that has won (R47)."""
        cash, own, room = self.means.get(company, (0, 0, 0))
        rest = amount - min(cash, amount)
        loans = min(room, -(-max(0, rest - own) // figures.LOAN))
        own_part = min(rest, own + loans * figures.LOAN)
        further = -(-(rest - own_part) // figures.LOAN)
        due = Counter({company: loans, buyer: further})
        taken = Counter({who: self.taken_loans[who] for who in (company, buyer)})
        self.bench.same("1863 §8.f acquisition", f"loans for {amount} of {company}", +taken, +due)
        return +Counter({buyer: amount - own_part, company: own_part})

    # ---- liquidation ------------------------------------------------------------------------------------------------

    def liquidated(self, company: str, price: int) -> None:
        bench, books, rule = self.bench, self.books, "1863 §8.e liquidation"
        bench.check(rule, books.zone(company) == "red", f"{company} is in the {books.zone(company)} area")
        cash, shares = books.cash[company] + self.spent[company], self.outside(company)
        due = cash // shares if shares else 0
        owner = books.controller(company)
        if owner is not None and not any(isinstance(e, ev.Resigned) for e in bench.events):
            bench.same(rule, f"a share of {company} with {cash}", price, due)
            bench.check(rule, not books.loans[company], f"{company} leaves {books.loans[company]} loans")
        self.holders(company, price, rule)
        bench.check(rule, not books.trains[company], f"{company} leaves trains")
        left = [p for p, who in books.privates.items() if who == company]
        bench.check(rule, not left, f"{company} leaves {left}")
        bench.check(rule, not books.hexes(company), f"{company} leaves markers in {books.hexes(company)}")

    # ---- the LPTB ---------------------------------------------------------------------------------------------------

    def taken(self, company: str, price: int) -> None:
        """10.a: half the value a share, also of a company that nobody leads (R39); 10.b: the price. Both are paid from
        the cash that is left, equally (R52)."""
        bench, books = self.bench, self.books
        failed = self.before.status.get(company) == "open" and (
            books.zone(company) == "grey" or company not in self.running or books.owner(company) == POOL
        )
        rule = "1863 §10.a seizure" if failed else "1863 §10.b purchase"
        bench.same(rule, "phase", books.phase, "V")
        value = max(0, self.values.get(company, books.value(company)))
        each = value // 2 // books.dividend_shares(company) if failed else self.before.price(company)
        cash, shares = books.cash[company] + self.spent[company], self.outside(company)
        if shares:
            bench.same(rule, f"a share of {company}, worth {value} with {cash}", price, min(each, cash // shares))
        self.holders(company, price, rule)
        bench.check(rule, not books.loans[company], f"{company} keeps {books.loans[company]} loans")

    # ---- bankruptcy -------------------------------------------------------------------------------------------------

    def end(self) -> None:
        books, bench = self.books, self.bench
        whole = sum((due for *_, due in self.promised), Counter[tuple[str, str]]())
        for company, price, rule, _ in self.promised:  # one that was acquired may be liquidated in the same order (R39)
            found = Counter({key: n for key, n in self.shared.items() if key[0] == company})
            due = Counter({key: n for key, n in whole.items() if key[0] == company})
            bench.same(rule, f"holders of {company} at {price}", +found, +due)
        for event in bench.events:
            match event:
                case ev.Resigned(player):
                    self.bankrupt(player)
                case ev.Acquired(company, buyer):
                    self.acquired_whole(company, buyer)
                case ev.CompanyLeft(company, closed):
                    self.left(company, closed)
                case _:
                    pass
        stray = {h: c for h, there in books.markers.items() for c in there if c in books.status and books.status[c] == "closed"}  # fmt: skip  # noqa: E501
        bench.check("1863 §10 markers", not stray, f"markers of closed companies: {stray}")

    def bankrupt(self, player: str) -> None:
        """R39: all that he has goes; his privates leave the game."""
        books, rule = self.books, "1863 §11 bankruptcy"
        paper = {(c, kind): n for (p, c, kind), n in books.paper.items() if p == player and n}
        privates = [p for p, who in books.privates.items() if who == player and p != "CLK"]
        self.bench.same(rule, f"what {player} has left", (books.cash[player], paper, privates), (0, {}, []))

    def acquired_whole(self, company: str, buyer: str) -> None:
        """R47: a player has the president's certificate and no more; a company has taken everything over."""
        books, rule = self.books, "1863 §8.f acquisition"
        if buyer in books.out:
            return
        if buyer in books.players:
            due = {buyer: 2}
            self.bench.same(rule, f"holders of {company}", books.owners(company), due)
            pool = books.shares(POOL, company), books.shorts_out(company)
            self.bench.same(rule, f"pool and shorts of {company}", pool, (0, 0))
        elif books.status[company] == "open" and not any(isinstance(e, ev.CompanyOpened) for e in self.bench.events):
            self.bench.check(rule, False, f"{company}, bought by {buyer}, goes on")

    def left(self, company: str, closed: bool) -> None:
        """Everything is gone from a company that has left; after the LPTB for good (R46)."""
        books, rule = self.books, "1863 R46 leaving"
        if books.status[company] == "open":
            return
        taken = any(isinstance(e, ev.Nationalised) and e.name == company for e in self.bench.events)
        self.bench.check(rule, closed == taken or closed is False, f"{company} leaves, closed {closed}")
        places = {p for (p, c, _), n in books.paper.items() if c == company and n}
        self.bench.check(rule, places <= {TREASURY}, f"paper of {company} in {places - {TREASURY, OSI}}")
        held = {c: n for (p, c, _), n in books.paper.items() if p == company and n}
        goods = (
            books.trains[company],
            [p for p, who in books.privates.items() if who == company],
            held,
            books.cash[company],
        )
        self.bench.same(rule, f"goods of {company}", goods, ([], [], {}, 0))
        self.bench.check(rule, not books.hexes(company), f"markers of {company} in {books.hexes(company)}")
