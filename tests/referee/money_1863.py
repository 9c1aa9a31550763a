"""1863: who pays whom, how much, and what for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import TubeSubject
from tests.referee.state import BANK, TREASURY

Key = tuple[str, str, str, str]
"""Payer, payee, reason, and what it is about."""
CLAIMED = frozenset(
    {
        "sale",
        "share",
        "redeem",
        "short",
        "loan",
        "repayment",
        "train",
        "capital",
        "bid",
        "private",
        "dividend",
        "withheld",
        "toll",
    }
)
"""Reasons for which each payment must follow from something else that happened in the same order."""


class Payments(TubeSubject):
    """Sections 6.c to 6.k, 7.d to 7.f, 9."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.paid: Counter[Key] = Counter()
        self.due: Counter[Key] = Counter()
        self.short_due: Counter[str] = Counter()
        """Player -> what he must still pay on his shorts."""
        self.costs: Counter[str] = Counter()
        """Company -> what was paid for its costs in its turn."""
        self.markers: Counter[str] = Counter()
        """Company -> what it must still pay for its markers."""
        self.liable: dict[str, str] = {}
        """Company that is president, and in a crisis over markers -> the company that could not pay for them."""
        self.on_turn = ""
        self.failed = False
        self.won: dict[str, int] = {}
        """Company whose start was won -> the bid."""
        self.placed: dict[str, str] = {}
        """Company -> hex of its first marker."""
        self.pirate: str | None = None
        """The hex of the pirate's station."""
        self.given: set[str] = set()
        """The privates that have given their one marker or train."""

    def begin(self) -> None:
        self.paid.clear()
        self.due.clear()

    def owe(self, payer: str, payee: str, reason: str, about: str, amount: int) -> None:
        if amount:
            self.due[payer, payee, reason, about] += amount

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Paid():
                self.pay(event)
            case ev.LoansChanged(company, change, "taken"):
                self.owe(BANK, company, "loan", company, change * figures.LOAN)
                self.bench.check("1863 §9 loan", change <= self.books.loan_room(company), self.loan_text(company, change))  # fmt: skip  # noqa: E501
            case ev.LoansChanged(company, change, "settled"):
                self.owe(company, BANK, "repayment", company, self.part_of(company, -change))
            case ev.LoansChanged(company, change, "repaid"):
                self.owe(company, BANK, "repayment", company, -change * figures.LOAN)
            case ev.TrainMoved(train, "Bank", target) if target and not self.free(train, target):
                self.owe(target, BANK, "train", train, self.tables.trains[train].price)
            case ev.PrivateMoved(private) if isinstance(self.bench.order, od.BuyPrivate):
                self.private(private, self.bench.order)
            case ev.Won(player, item, amount):
                self.winner(player, item, amount)
            case ev.Acquired(company, _, _, price):
                for holder, n in self.books.shorters(company).items():
                    self.short_due[holder] += n * price
                # The winner's entity and the company itself share the bid (8.f): see Failures.
                for key in [k for k in self.paid if k[2:] == ("bid", company)]:
                    self.due[key] = self.paid[key]
            case ev.MarkerPlaced(company, hex) if self.books.status[company] != "open":
                self.placed[company] = hex
            case ev.Floated():
                self.floated(event)
            case ev.TokensBought(company, count) if isinstance(self.bench.order, od.Float):
                self.markers_due(company, count, self.bench.order)
            case ev.TokensBought(company) if isinstance(self.bench.order, od.Convert):
                further = self.bench.order.markers or 0
                self.bench.check("1863 §8.a markers", 1 <= further <= 3, f"{self.bench.order}")
                self.markers[company] += figures.MARKER * further
            case ev.Marked("pirate", place):
                self.pirate = place[0] if isinstance(place, tuple) else None
            case ev.Ran(company, routes=routes, revenue=revenue):
                owner, toll = self.toll(company, routes)
                self.owe(BANK, company, "withheld", company, revenue + toll)
                self.owe(company, owner, "toll", company, toll)
            case ev.Distributed():
                self.distributed(event)
            case ev.TurnBegan(company):
                self.on_turn, self.failed = company, False
                self.costs.clear()
            case ev.PriceSet(_, (_, figures.RED)):
                self.failed = True  # a company that was to pay, perhaps for another one, is in the red area
            case ev.TurnEnded(company):
                self.turn_ended(company)
            case ev.CrisisBegan(company, missing):
                self.crisis(company, missing)
            case ev.Resigned(player):
                self.failed = True
                self.short_due.pop(player, None)
            case ev.CompanyLeft(company):
                self.markers.pop(company, None)
            case ev.RoundBegan(round) if self.books.round[0] == "SR" and round.kind == "OR":
                unpaid = {c: n for c, n in self.markers.items() if n and self.books.zone(c) != "red"}
                self.bench.check("1863 §6.c.iv markers", not unpaid, f"unpaid at the end of the round: {unpaid}")
            case _:
                self.shares(event)

    def part_of(self, company: str, loans: int) -> int:
        """Debts in which it fails: what its cash reached."""
        return min(loans * figures.LOAN, self.paid[company, BANK, "repayment", company])

    def shares(self, event: ev.Event) -> None:
        """Full price, as it is before the move (6.d, 6.e, 6.f, 6.k)."""
        bench, books = self.bench, self.books
        match event:
            case ev.Sold(seller, company, count, amount):
                bench.same("1863 §6.d sale", f"{count} of {company} bring", amount, count * books.price(company))
                self.owe(BANK, seller, "sale", company, amount)
            case ev.Shorted(player, company, amount):
                bench.same("1863 §6.k short", f"a short of {company} brings", amount, books.price(company))
                self.owe(BANK, player, "short", company, amount)
            case ev.Bought(buyer, company, count, amount, source):
                bench.same("1863 §6.e purchase", f"{count} of {company} cost", amount, count * books.price(company))
                payee = company if source == "treasury" else BANK
                self.owe(buyer, payee, "redeem" if buyer == company else "share", company, amount)
            case ev.Transferred(company, count, source, target, amount):
                bench.same("1863 §6.f transfer", f"{count} of {company} cost", amount, count * books.price(company))
                self.owe(target, source, "share", company, amount)
            case _:
                pass

    def pay(self, event: ev.Paid) -> None:
        bench, books = self.bench, self.books
        payer, payee, amount, reason, about = event.payer, event.payee, event.amount, event.reason, event.about
        bench.check("1863 money", amount > 0 and payer != payee, f"{event}")
        if payer != BANK:
            bench.check("1863 money", books.cash[payer] >= amount, f"{payer} has {books.cash[payer]}: {event}")
        self.paid[payer, payee, reason, about] += amount
        if reason == "short" and payer == BANK and not any(isinstance(e, ev.Shorted) for e in bench.events):
            bench.same(
                "1863 §8.c halves",
                f"half a short of {about}",
                (amount, books.round[0]),
                (books.price(about) // 2, "MR"),
            )
            self.due[payer, payee, reason, about] += amount
        if reason in ("costs", "crisis") and payee == BANK:
            self.costs[self.on_turn] += amount
            self.markers_paid(about, amount)
        if reason == "token" and payee == BANK:
            self.markers[about or payer] -= amount
        if payer in books.players and payee == BANK and reason == "short":
            self.due[payer, BANK, reason, about] += amount
            self.short_due[payer] -= amount if self.short_due[payer] else 0

    def markers_paid(self, company: str, amount: int) -> None:
        """A crisis over markers at the end of a stock round: what the president pays settles them."""
        company = self.liable.get(company, company)
        if self.books.round[0] == "SR" and self.markers[company]:
            self.markers[company] -= amount

    # ---- companies --------------------------------------------------------------------------------------------------

    def loan_text(self, company: str, change: int) -> str:
        books = self.books
        return (
            f"{company} with {books.loans[company]} loans, {books.borrowed[company]} of this round, worth "
            f"{books.value(company)}, takes {change}; {books.loan_room(company)} by the rulebook"
        )

    def free(self, train: str, company: str) -> bool:
        """Nine Elms: a company that is floated in I22 by its holder, or with it as capital, gets a train (14, R50)."""
        order = self.bench.order
        if not isinstance(order, od.Float) or train != "2T":
            return False
        holder = self.before.privates.get("NEL") == order.actor or "NEL" in order.privates
        good = holder and self.placed.get(company) == "I22" and "NEL" not in self.given
        self.given.add("NEL")
        return self.bench.check("1863 §14 Nine Elms", good, f"{order}")

    def private(self, private: str, order: od.BuyPrivate) -> None:
        """From a player who controls the company, for up to twice the face (R49)."""
        owner = self.before.privates[private]
        good = owner == self.before.controller(order.actor) and 1 <= order.price <= 2 * figures.FACES[private]
        self.bench.check("1863 §14 purchase", good and private != "CLK", f"{owner} sells: {order}")
        self.owe(order.actor, owner or BANK, "private", private, order.price)

    def winner(self, player: str, item: str, amount: int) -> None:
        if item in figures.COMPANIES and self.books.status[item] == "unstarted":
            self.won[item] = amount
        elif item not in figures.COMPANIES or self.broken_up(item):
            self.owe(player, self.seller(item), "bid", item, amount)

    def broken_up(self, company: str) -> bool:
        """It is a lot in the liquidation of the company that holds it (R65)."""
        parent = self.before.owner(company)
        return parent in self.before.cells and self.before.zone(parent or "") == "red"

    def seller(self, item: str) -> str:
        """The bank in the first auction; who has put a private up; the company whose parts are sold."""
        if item in figures.COMPANIES:
            return self.before.owner(item) or BANK  # held by a company that is broken up
        if item in figures.FACES:
            return self.before.privates.get(item) or BANK
        return item.partition(" ")[0]

    def floated(self, event: ev.Floated) -> None:
        """Twice the price in cash and goods of one entity; only the last of the goods may exceed it (R15, R16)."""
        bench, books, company, founder = self.bench, self.books, event.company, event.founder
        rule = "1863 §6.c capital"
        bench.check(rule, event.kind in figures.MAY_START[books.phase], f"a {event.kind} in phase {books.phase}")
        whole, goods = 2 * event.price, sum(worth for _, worth in event.goods)
        counted = Counter[str]()
        for item, worth in event.goods:
            counted[item] += worth
        for item, worth in counted.items():
            bench.same(rule, f"{item} counts", worth, self.face(item))
        last = max((self.unit(item) for item, _ in event.goods), default=0)
        bench.check(rule, goods - last < whole, f"goods for {goods} as a capital of {whole}")
        bench.same(rule, f"cash beside goods for {goods}", event.cash, max(0, whole - goods))
        self.owe(founder, company, "capital", company, event.cash)
        self.owe(founder, BANK, "bid", company, self.won.pop(company, 0))
        if founder in figures.COMPANIES:
            bench.check("1863 §6.c founder", founder in self.before.operated, f"{founder} has not operated")
        home = books.tables.edition == "historical"
        late = not (company == figures.UNLIMITED and home and books.round[:2] == ("SR", 1))
        bench.check("1863 §15 UERL", late, "the UERL is started in the first stock round")

    def face(self, item: str) -> int | None:
        """The worth of all of it that is brought: of so many shares, or of so many trains of a type."""
        order = self.bench.order
        assert isinstance(order, od.Float)
        shares = dict(order.shares)
        if item in shares:
            return shares[item] * self.before.price(item)  # type: ignore[index]
        return self.unit(item) * max(1, order.trains.count(item))

    def unit(self, item: str) -> int:
        """The worth of one of it: a minor goes whole."""
        if item in figures.FACES:
            return figures.FACES[item]
        if item in self.tables.trains:
            return self.tables.trains[item].price
        return self.before.price(item) * (2 if self.before.minor(item) else 1)

    def markers_due(self, company: str, count: int, order: od.Float) -> None:
        """50 each; the first is free at the marked home, one more with the Railway Lodgings, once (6.c.iv, 14, R50)."""
        home = self.tables.edition == "historical" and self.placed.get(company) == figures.HOMES.get(company)
        lodgings = "RLO" in order.privates and "RLO" not in self.given
        self.given |= {"RLO"} & set(order.privates)
        most = figures.MOST_AT_START if order.kind == "major" else 1
        self.bench.check("1863 §6.c.iv markers", 1 <= count <= most + lodgings, f"{count} markers: {order}")
        self.markers[company] = figures.MARKER * max(0, count - home - lodgings)

    # ---- earnings and costs -----------------------------------------------------------------------------------------

    def distributed(self, event: ev.Distributed) -> None:
        """Nothing, a price of the chart or the whole revenue, up to the price or the revenue. Tenths, rounded down for
        each holder and up for shorts; the pool is paid nothing (7.d, R32, R33, `dividend_step`)."""
        bench, books, company, total = self.bench, self.books, event.company, event.dividend
        rule = "1863 §7.d dividend"
        revenue = books.last_run.get(company, 0)
        bench.same(rule, f"earnings of {company}", event.revenue, revenue)
        most = max(revenue, books.price(company))
        bands = {0, revenue, *self.tables.chart.prices.values()}
        bench.check(rule, total in bands and total <= most, f"{total} of {revenue} at {books.price(company)}")
        lost = self.paid[company, BANK, "withheld", company]
        own = books.shares(TREASURY, company) * total // books.dividend_shares(company)
        cash = books.cash[company] + lost - min(own, self.paid[BANK, company, "dividend", company])
        bench.check(rule, total <= cash, f"{company} with {cash} pays {total}")
        parts = books.dividend_shares(company)
        for place, n in [*books.owners(company).items(), (company, books.shares(TREASURY, company))]:
            self.owe(BANK, place, "dividend", company, n * total // parts)
        for player, n in books.shorters(company).items():
            self.short_due[player] += -(-n * total // figures.TEN)
        self.owe(company, BANK, "withheld", company, total)

    def toll(self, company: str, routes: Sequence[od.Route]) -> tuple[str, int]:
        """Section 14: "All companies collecting revenue in that location ... pay £5 to the owner": once each, and to a
        player too if he owns it."""
        owner = self.books.privates.get("CHO")
        if self.pirate is None or owner in (None, "", company):
            return "", 0
        return owner, figures.TOLL * any(self.pirate in route.hexes for route in routes)

    def turn_ended(self, company: str) -> None:
        books = self.books
        self.on_turn = ""
        president = books.owner(company) or ""
        liable = president in books.cells and books.zone(president) == "red"  # the bill is one of its debts
        if books.status[company] == "open" and not self.failed and not liable:
            self.bench.same("1863 §7.f costs", f"costs of {company}", self.costs[company], books.bill(company))
        left = {p: n for p, n in self.short_due.items() if n}
        self.bench.check("1863 §6.k dividend on shorts", not left, f"unpaid: {left}")

    def crisis(self, company: str, missing: int) -> None:
        """Neither cash nor loans meet the bill (11)."""
        books = self.books
        if company != self.on_turn and books.round[0] != "SR":
            return  # it is liable for another company
        trading = books.round[0] == "SR"
        if trading and not self.markers[company]:
            failing = next((c for c, n in self.markers.items() if n and books.owner(c) == company), "")
            self.liable[company] = self.liable.get(failing, failing)
            return
        bill = self.markers[company] if trading else books.bill(company) - self.costs[company]
        self.bench.same("1863 §11 crisis", f"{company} lacks", missing, bill - books.cash[company])
        each = figures.LOAN - (0 if trading else books.rate)
        room = books.loan_room(company)
        self.bench.check(
            "1863 §11 crisis", missing > each * room, f"{company} lacks {missing} and may take {room} loans"
        )

    def end(self) -> None:
        bench, books = self.bench, self.books
        for key in {k for k in (*self.paid, *self.due) if k[2] in CLAIMED or k in self.due}:
            if key[0] not in books.players or key[2] != "dividend":
                bench.same("1863 money", f"{key} in {bench.order}", self.paid[key], self.due[key])
        bench.same("1863 money", "all money", sum(books.cash.values()), self.tables.bank)
        below = {o: n for o, n in books.cash.items() if n < 0 and o != BANK}
        bench.check("1863 money", not below, f"below 0: {below}")
        gone = {c: n for c, n in books.cash.items() if n and c in books.status and books.status[c] != "open"}
        bench.check("1863 money", not gone, f"companies that are not in play have {gone}")
