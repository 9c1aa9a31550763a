"""1863: turns, which round follows, when the game ends and what everybody is worth."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import TubeSubject
from tests.referee.state import BANK

SALES, SHORTS, PURCHASES = 0, 1, 2
RANKS: dict[type[od.Order], int] = {
    od.Sell: SALES, od.Short: SHORTS, od.Buy: PURCHASES, od.Redeem: PURCHASES, od.Transfer: PURCHASES,
    od.Start: PURCHASES,
}  # fmt: skip
"""Orders that are actions of a stock turn, in the order in which a turn goes (6, sheet 4)."""
LOANS = (od.Borrow, od.RepayLoans)


class Course(TubeSubject):
    """Sections 4, 5.c, 5.d, 5.e, 6, 6.l, 7, 12."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.on_turn: str | None = None
        self.actor: str | None = None
        """The actor of this turn: the player, or the one company that he has chosen."""
        self.acted: list[int] = []
        self.passes = 0
        self.last: str | None = None
        """The player who acted last in this stock round."""
        self.over: Counter[tuple[str, str]] = Counter()
        """The excess of a player over the limits when he sold."""
        self.gone: set[str] = set()
        """Companies that have had their turn in this operating round."""
        self.running: str | None = None
        self.ending = False

    # ---- stock rounds -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        order, books = self.bench.order, self.books
        if books.round[0] != "SR" or order is None or self.in_need():
            return
        rank = RANKS.get(type(order))
        player = self.player(order.actor)
        if player is None or (rank is None and not isinstance(order, LOANS)):
            return
        self.turn_of(player)
        self.over = books.excess(player) if isinstance(order, od.Sell) else Counter()
        if not self.over:
            self.acts_as(order.actor)
        if rank is None:
            return
        rule = "1863 §6.d.i sell, short, buy"
        self.bench.check(rule, rank >= max(self.acted, default=0), f"{order} after {self.acted}")
        again = rank != SALES and rank in self.acted
        self.bench.check(rule, not again, f"{order} after {self.acted}")
        self.bench.check(rule, rank != SHORTS or order.actor == player, f"{order} by a company")
        self.acted.append(rank)
        self.passes, self.last = 0, player

    def acts_as(self, actor: str) -> None:
        rule = "1863 §6 one entity a turn"
        self.bench.check(rule, self.actor in (None, actor), f"{self.bench.order} in a turn as {self.actor}")
        self.actor = actor

    def sold_over(self, order: od.Sell) -> None:
        """A sale that lessens what is over a limit may be anybody's of his, and does not say as whom he acts (R12)."""
        left = self.books.excess(self.on_turn or "")
        if not any(left[key] < n for key, n in self.over.items()):
            self.acts_as(order.actor)

    def in_need(self) -> bool:
        """Not a turn, but a bill that must be met: the round is at its end, or shares are on offer."""
        return self.passes >= len(self.solvent()) or any(w in self.asked for w in ("crisis", "debt", "window"))

    @property
    def asked(self) -> str:
        return self.bench.asked

    def solvent(self) -> list[str]:
        return [p for p in self.books.players if p not in self.books.out]

    def turn_of(self, player: str) -> None:
        """To the left from the priority holder; bankrupt players are left out."""
        books = self.books
        if self.on_turn == player:
            return
        if self.on_turn is None:
            due = next(p for p in books.from_seat(books.priority) if p not in books.out)
        else:
            due = books.seats_after(self.on_turn)[0]
        self.bench.same("1863 §6 turns", f"turn after {self.on_turn}", player, due)
        self.on_turn, self.actor, self.acted = player, None, []

    def passed(self, player: str) -> None:
        self.turn_of(player)
        self.passes = 0 if self.acted else self.passes + 1
        self.actor, self.acted = None, []
        alone = len(self.solvent()) == 1
        self.on_turn = None if alone else self.on_turn

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.Passed(actor) if books.round[0] == "SR" and actor in books.players and not self.window(actor):
                self.passed(actor)
            case ev.TurnBegan(company):
                waiting = self.waiting()
                bench.same("1863 §7 operating order", "turn of", company, next(iter(waiting), None))
                bench.check("1863 §7 one turn", self.running is None, f"{company} begins in the turn of {self.running}")
                self.gone.add(company)
                self.running = company
            case ev.TurnEnded():
                self.running = None
            case ev.CompanyLeft(company):
                self.gone.discard(company)
                self.running = None if self.running == company else self.running
            case ev.RoundBegan(round):
                self.round(round.kind, round.set, round.number)
            case ev.RateSet(rate):
                due = figures.rate(books.loans_out(), len(books.players))
                bench.same("1863 §9.a rate", f"rate with {books.loans_out()} loans", rate, due)
            case ev.TileLaid() | ev.MarkerPlaced() if books.final and books.round[0] == "OR":
                bench.check("1863 §5.d last rounds", False, f"{event} in the last operating rounds")
            case ev.GameOver(standings, reason):
                self.game_over(dict(standings), reason)
            case _:
                pass

    def window(self, actor: str) -> bool:
        """The pass declines shares that were offered."""
        begun = any(isinstance(e, ev.RoundBegan) for e in self.bench.events)
        own = self.bench.order is not None and actor == self.bench.order.actor
        return own and "window" in self.asked and not begun

    def end(self) -> None:
        if self.over and isinstance(self.bench.order, od.Sell):
            self.sold_over(self.bench.order)
            self.over = Counter()
        self.look_for_the_end()

    def look_for_the_end(self) -> None:
        """The last train, or the last marker of the LPTB (5.d)."""
        books = self.books
        empty = not sum(n or 0 for n in books.new.values()) and books.new.get("2T") is not None
        board = sum(there.count(figures.LPTB) for there in books.markers.values())
        self.bench.check("1863 §10 LPTB markers", board <= figures.LPTB_MARKERS, f"{board} markers of the LPTB")
        self.ending = self.ending or empty or board >= figures.LPTB_MARKERS

    def waiting(self) -> list[str]:
        """Dearest first, of equal ones the first to arrive; the red area waits (R25, R64)."""
        books = self.books
        able = (c for c in books.playing() if books.zone(c) != "red" and books.controller(c) is not None)
        return [c for c in able if c not in self.gone and books.hexes(c)]

    # ---- rounds -----------------------------------------------------------------------------------------------------

    def round(self, kind: str, set_: int, number: int) -> None:
        bench, books, rule = self.bench, self.books, "1863 §4 rounds"
        was, s, n = books.round
        self.look_for_the_end()
        found = kind, set_, number
        if was == "AR":
            bench.same(rule, "after the auction", found, ("SR", 1, 0))
            open_ = [p for p, who in books.privates.items() if who is None and p not in books.closed]
            bench.check("1863 §5.a end of the auction", not open_, f"{open_} are on offer")
        elif was == "SR":
            bench.same(rule, "after a stock round", found, ("OR", s, 1))
            bench.same("1863 §6.l end", "passes in a row", self.passes, len(self.solvent()))
            first = books.seats_after(self.last)[0] if self.last else books.priority
            bench.same("1863 §6.l priority", "priority", books.priority, first)
        elif was == "OR":
            left = self.waiting()
            bench.check("1863 §7 operating order", not left, f"{left} have had no turn")
            bench.same(rule, f"after {books.round}", found, ("OR", s, n + 1) if books.final else ("MR", s, n))
        elif was == "MR":
            bench.same(rule, f"after {books.round}", found, ("OR", s, 2) if n == 1 else ("SR", s + 1, 0))
        if kind == "SR":
            books.final = self.ending
        self.gone, self.running, self.on_turn, self.actor, self.acted = set(), None, None, None, []
        self.passes, self.last = 0, None

    # ---- the end ----------------------------------------------------------------------------------------------------

    def game_over(self, standings: dict[str, int], reason: str) -> None:
        bench, books, rule = self.bench, self.books, "1863 §5.d end"
        alone = len(self.solvent()) <= 1
        last = books.final and books.round[0] == "OR" and books.round[2] == 2 and not self.waiting()
        nothing = not books.playing()
        bench.check(rule, alone or last or nothing, f"{reason}: {books.round}, ending {self.ending}, {self.solvent()}")
        worth = {p: self.worth(p) for p in books.players}
        bench.same("1863 §12 worth", "worth", standings, worth)
        falling = sorted(standings.values(), reverse=True)
        bench.same("1863 §12 worth", "standings", list(standings.values()), falling)
        owed = {c: n for c, n in books.loans.items() if n and books.status[c] == "open"}
        bench.check("1863 §5.e loans", not owed, f"loans at the end: {owed}")
        self.loans_paid()

    def loans_paid(self) -> None:
        """Each company repays from its cash; what lacks its president pays, up the chain to the player (R55)."""
        before, events = self.before, self.bench.events
        cash = {o: n for o, n in before.cash.items() if o in before.status}
        for company in before.playing():
            paid = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.payee == BANK and e.about == company and e.reason in ("repayment", "help"))  # fmt: skip  # noqa: E501
            debts = any(isinstance(e, ev.DebtChanged) for e in events)
            taken = sum(e.change for e in events if isinstance(e, ev.LoansChanged) and e.company == company and e.reason in ("taken", "merged"))  # fmt: skip  # noqa: E501
            most = figures.LOAN * (before.loans[company] + taken)
            good = paid == most or debts or before.controller(company) is None or company in cash
            self.bench.check("1863 §5.e loans", good and paid <= most + before.bill(company), f"{company} repays {paid} of {most}")  # fmt: skip  # noqa: E501

    def worth(self, player: str) -> int:
        """Own cash, own shares, less shorts, less what loans of his companies he could not pay."""
        books = self.books
        shares = sum((books.shares(player, c) - books.shorts(player, c)) * books.price(c) for c in books.cells)
        return books.cash[player] + shares - sum(n for (p, _), n in books.debts.items() if p == player)


class Auctions(TubeSubject):
    """Sections 5.a, 6.c.i, 8.e, 8.f, 14.a: bids in turn, to the left."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.item: str | None = None
        self.high: int | None = None
        self.leader: str | None = None
        self.line: list[str] = []
        """Those who are still in, next to speak first; empty where a lot has just begun."""
        self.opener: str | None = None
        """In the auction of privates: who opens."""
        self.idle = 0

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Opened(player, item, amount):
                self.opened(player, item, amount)
            case ev.BidMade(entity, item, amount):
                self.bid(entity, item, amount)
            case ev.Dropped(player, item, forced):
                self.speak(player, item, forced=forced)
                if player in self.line:
                    self.line.remove(player)
            case ev.Won(entity, item, amount):
                self.won(entity, item, amount)
            case ev.Passed(player) if self.books.round[0] == "AR":
                self.opens(player)
                self.idle += 1
                self.opener = self.books.seats_after(player)[0]
            case ev.PrivateClosed(private, False) if self.books.round[0] == "AR":
                self.leaves(private)
            case _:
                pass

    def opens(self, player: str) -> None:
        due = self.opener or self.books.priority
        self.bench.same("1863 §5.a opener", "who opens", player, due)

    def leaves(self, private: str) -> None:
        """All have passed: the first of the list leaves, and the opening goes one seat to the left (R4)."""
        books = self.books
        self.bench.same("1863 §5.a all pass", "passes in a row", self.idle, len(books.players))
        left = [p for p in figures.FACES if p not in books.closed and books.privates.get(p) is None]
        self.bench.same("1863 §5.a all pass", "private that leaves", private, next(iter(left), None))
        self.idle = 0
        self.opener = books.seats_after(self.opener or books.priority)[0]

    def opened(self, actor: str, item: str, amount: int) -> None:
        books = self.books
        player = self.player(actor) or actor
        if books.round[0] == "AR":
            self.opens(player)
            self.idle = 0
        if books.round[0] != "MR":
            self.bench.check("1863 §5.a bids", amount >= figures.LEAST_BID, f"{actor} opens {item} with {amount}")
            self.high, self.leader, self.line = amount, player, books.seats_after(player)
        else:
            self.high, self.leader, self.line = None, None, []
        self.item = item

    def speak(self, player: str, item: str, *, forced: bool = False) -> None:
        if item != self.item and self.books.round[0] == "MR":
            self.item, self.high, self.leader, self.line = item, None, None, self.seats(item)
        if self.line and not forced:
            self.bench.same("1863 §5.a turns", f"next for {item}", player, self.line[0])

    def seats(self, item: str) -> list[str]:
        """Lots go from the president's left (sheet 8.5, 8.6)."""
        company = item.partition(" ")[0]
        president = self.books.controller(company) if company in figures.COMPANIES else None
        return [] if president is None or president in self.books.out else self.books.seats_after(president)

    def bid(self, entity: str, item: str, amount: int) -> None:
        player = self.player(entity) or entity
        self.speak(player, item)
        least = 0 if self.high is None else self.high + figures.RAISE
        if self.high is None and item in figures.COMPANIES and self.books.zone(item) == "grey":
            parent = self.books.owner(item)
            broken_up = parent in self.books.cells and self.books.zone(parent or "") == "red"
            least = 0 if broken_up else figures.LEAST_BID
        self.bench.check("1863 §5.a bids", amount >= least, f"{entity} bids {amount} after {self.high} for {item}")
        self.high, self.leader = amount, player
        if player in self.line:
            self.line.remove(player)
            self.line.append(player)
        if self.books.round[0] == "AR":
            self.bench.check("1863 §5.a bids", amount <= self.books.cash[entity], f"{entity} cannot pay {amount}")

    def won(self, entity: str, item: str, amount: int) -> None:
        player = self.player(entity) or entity
        self.bench.same("1863 §5.a winner", f"{item} goes to", (player, amount), (self.leader, self.high))
        self.bench.check("1863 §5.a winner", self.line in ([], [player]), f"{self.line} are still in")
        if self.books.round[0] == "AR":
            self.opener = self.books.seats_after(player)[0]
        self.item, self.high, self.leader, self.line = None, None, None, []
