"""1841: sealed bids and seats, turns, which round follows, when the game ends and what everybody is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.state import BANK

STOCK = (od.Sell, od.SellGroup, od.Buy, od.BuyFrom, od.BuyConcession, od.Start, od.Pass)


class Concessions(ChainSubject):
    """Sheet 1.2: sealed bids."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.bids: dict[str, dict[str, int]] = {}
        self.seats: tuple[str, ...] = ()
        self.high: dict[str, int] = {}
        self.tied: dict[str, list[str]] = {}
        """Concession -> who still contends, in order of seats."""
        self.won: dict[str, tuple[str, int]] = {}
        self.unsealed = False

    def begin(self) -> None:
        self.unsealed = False

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        rule = "1841 §2 concessions"
        if self.unsealed and not self.high and isinstance(event, ev.BidMade | ev.Dropped | ev.Won):
            bench.same("1841 §2.2 seats", "seats", books.players, tuple(self.in_order()))  # all sit as they sat before
            self.contend(books.players)
        match event:
            case ev.BidsUnsealed(player, bids):
                self.seats = self.seats or books.players
                self.bids[player] = dict(bids)
                self.unsealed = True
                amounts = list(self.bids[player].values())
                good = all(n == 0 or n >= tables_1841.LEAST_BID for n in amounts) and sum(amounts) <= books.cash[player]
                bench.check(rule, good, f"{player} bids {bids}")
            case ev.OrderOfPlay(players) if self.unsealed:
                bench.same("1841 §2.2 seats", "seats", players, tuple(self.in_order()))
                self.contend(players)
            case ev.BidMade(player, item, amount):
                bench.check(rule, amount >= self.high.get(item, 0) + tables_1841.RAISE, f"{player} raises to {amount}")
                bench.check(rule, player in self.tied.get(item, ()), f"{player} does not contend for {item}")
                others = [i for i, who in self.tied.items() if player in who and i != item and i not in self.won]
                others_high = sum(self.high[i] for i in others)
                bench.check(rule, amount + others_high <= books.cash[player], f"{player} cannot pay {amount}")
                self.high[item] = amount
            case ev.Dropped(player, item):
                bench.check(rule, player in self.tied.get(item, ()), f"{player} does not contend for {item}")
                self.tied[item].remove(player)
            case ev.Won(player, item, amount):
                who = self.tied.get(item, [])
                bench.same("1841 §2.4 winner", f"{item} goes to", ([player], amount), (who, self.high.get(item)))
                self.won[item] = player, amount
            case ev.Paid(payer, payee, amount, "bid", about):
                bench.same(rule, f"{about} is paid", ((payer, amount), payee), (self.won.get(about), BANK))
            case ev.RoundBegan() if books.round[0] == "ISR":
                left = sorted(set(self.tied) - set(self.won))
                bench.check(rule, not left, f"nobody has got {left}")
                owned = {i: who for i, who in books.privates.items() if who is not None}
                bench.same(rule, "owners", owned, {i: who for i, (who, _) in self.won.items()})
            case _:
                pass

    def in_order(self) -> list[str]:
        """Highest total first; then by the bids on concession 1, 2 and so on; then the later original seat."""

        def key(player: str) -> tuple[int, ...]:
            bids = self.bids[player]
            each = [-bids.get(item, 0) for item in tables_1841.CONCESSIONS]
            return (-sum(bids.values()), *each, -self.seats.index(player))

        return sorted(self.bids, key=key)

    def contend(self, seats: Sequence[str]) -> None:
        for item in tables_1841.CONCESSIONS:
            most = max((bids.get(item, 0) for bids in self.bids.values()), default=0)
            if most:
                self.high[item] = most
                self.tied[item] = [p for p in seats if self.bids[p].get(item, 0) == most]


class Course(ChainSubject):
    """Sheet 1.3 (turns), 1.4 (running order), 1.12 (the end)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.gone: set[str] = set()
        """Companies that have had their turn in this round, or do not get one."""
        self.on_turn: str | None = None
        self.last: str | None = None
        """Who acted last in this stock round."""
        self.passes = 0
        self.acted = False
        self.bought = False
        """Whether the player on turn has bought."""
        self.started: str | None = None
        """What he has started in this turn."""
        self.number = 0
        self.broke: tuple[str, int, int] | None = None
        self.told_broke = False
        self.once_owned: tuple[object, ...] | None = None
        """All that is owned, and the prices, at the end of the stock round before."""
        self.running: str | None = None
        self.reached_top = False
        self.owners: list[str] = []
        """Of the company on turn, if it is in a circle."""

    def begin(self) -> None:
        order, books = self.bench.order, self.books
        if books.round[0] == "SR" and isinstance(order, STOCK) and order.actor in books.players:
            more = isinstance(order, od.Buy) and order.company == self.started
            over = self.bought and self.on_turn == order.actor and not more and not isinstance(order, od.Pass)
            alone = self.next_of(order.actor) == order.actor
            self.bench.check("1841 §1.3 one purchase", alone or not over, f"{order} after a purchase")
            self.turn_of(order.actor)
            if isinstance(order, od.Start):
                self.started = order.company

    def turn_of(self, player: str) -> None:
        """Clockwise from the priority holder; who has resigned is left out."""
        books = self.books
        if self.on_turn == player:
            return
        due = books.priority if self.on_turn is None else self.next_of(self.on_turn)
        if due in books.resigned:
            due = self.next_of(due)
        self.bench.same("1841 §1.3 turns", f"turn after {self.on_turn}", player, due)
        self.on_turn, self.acted, self.bought, self.started = player, False, False, None

    def next_of(self, player: str) -> str:
        seats = [p for p in self.books.from_seat(player)[1:] if p not in self.books.resigned]
        return seats[0] if seats else player

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TurnBegan(company):
                waiting = self.waiting()
                bench.same("1841 §1.4 running order", "turn of", company, next(iter(waiting), None))
                bench.check(
                    "1841 §1.4 one turn", self.running is None, f"{company} begins in the turn of {self.running}"
                )
                self.gone.add(company)
                self.running = company
                self.owners = books.chain(company) if books.circle(company) else []
            case ev.Froze(company) if company == self.running and not isinstance(bench.order, od.Bankrupt):
                self.owners = books.chain(company) if books.circle(company) else []
            case ev.TurnEnded(company):
                self.running = None
                left = [c for c in self.owners if c != company and books.shares(company, c)]
                bench.check("1841 §2.24 circle", not left, f"{company}, in a circle, keeps {left}")
            case ev.CompanyOpened(company):
                self.opens(company)
            case ev.RoundBegan(round):
                self.round((round.kind, round.set, round.number))
            case ev.Passed(actor) if books.round[0] == "SR" and actor in books.players:
                self.turn_of(actor)
                if isinstance(bench.order, od.Start | od.Tokens) and actor == self.last:
                    return  # the founder's turn is over
                self.passes = 0 if self.acted and self.last == actor else self.passes + 1
                self.acted = False
            case ev.Sold(seller) if books.round[0] == "SR" and seller in books.players:
                self.passes, self.last, self.acted = 0, seller, True
            case ev.Bought(seller) if books.round[0] == "SR" and seller in books.players:
                self.passes, self.last, self.acted, self.bought = 0, seller, True, True
            case ev.Paid(payer, _, _, "concession"):
                self.passes, self.last, self.acted, self.bought = 0, payer, True, True
            case ev.PriceSet(_, _, price) if price == tables_1841.TOP:
                self.reached_top = True
            case ev.BankBroke():
                self.told_broke = True
            case ev.GameOver(standings, reason):
                self.game_over(dict(standings), reason)
            case _:
                pass

    def opens(self, company: str) -> None:
        """New companies act from the next round on; fragments in the IRSFF's place (clarification 2.26)."""
        if company in tables_1841.FRAGMENTS:
            if "IRSFF" in self.gone:
                self.gone.add(company)
        elif self.books.round[0] == "OR":
            self.gone.add(company)

    def entered(self, event: ev.Event) -> None:
        if isinstance(event, ev.CompanyLeft):
            self.gone.discard(event.company)
            if self.running == event.company:
                self.running = None
        if isinstance(event, ev.Paid) and event.payer == BANK and self.broke is None and self.books.cash[BANK] <= 0:
            self.broke = self.books.round

    def end(self) -> None:
        broken = self.broke is not None
        self.bench.same("1841 §1.12 bank", f"the bank has {self.books.cash[BANK]}: broken", self.told_broke, broken)

        over = any(isinstance(e, ev.GameOver) for e in self.bench.events)
        left = len(self.books.players) - len(self.books.resigned)
        self.bench.check("1841 §1.12 end", over or left > 1, f"{left} players are left, and play goes on")
        self.bench.check("1841 §1.12 end", over or not self.reached_top, "a price has reached 516, and play goes on")

    def waiting(self) -> list[str]:
        """Who has not yet operated in this round, in running order."""
        return [c for c in self.books.companies() if c not in self.gone]

    # ---- rounds -----------------------------------------------------------------------------------------------------

    def round(self, found: tuple[str, int, int]) -> None:
        bench, books = self.bench, self.books
        kind, set_, k = books.round
        rule = "1841 §1.4 rounds"
        if kind == "ISR":
            bench.same(rule, "after the concessions", found, ("SR", 1, 0))
        elif kind == "SR":
            bench.same(rule, "after a stock round", found, ("OR", set_, 1))
            self.number = tables_1841.ROUNDS[books.phase]
            playing = [p for p in books.players if p not in books.resigned]
            bench.same("1841 §1.3 end", "passes in a row", self.passes, len(playing))
            first = self.next_of(self.last) if self.last else books.priority
            bench.same("1841 §1.3 priority", "priority", books.priority, first)
            unused = [c for c, who in books.privates.items() if who is not None and c != "Bayard" and books.status[c[2:]] == "unstarted"]  # fmt: skip  # noqa: E501
            bench.check("1841 §3.4 concessions", not unused, f"unused concessions stay: {unused}")
            self.once_owned = self.owned()
        elif kind == "OR":
            self.all_had_turns()
            due = ("OR", set_, k + 1) if k < self.number else ("SR", set_ + 1, 0)
            bench.same(rule, f"after {books.round}", found, due)
            over = self.broke is not None
            bench.check("1841 §1.12 bank", not over, "the bank is empty, and play goes on")
        self.gone, self.passes, self.last, self.on_turn, self.acted, self.running = set(), 0, None, None, False, None

    def all_had_turns(self) -> None:
        left = self.waiting()
        self.bench.check("1841 §1.4 running order", not left, f"{left} have had no turn")

    # ---- the end ----------------------------------------------------------------------------------------------------

    def game_over(self, standings: dict[str, int], reason: str) -> None:
        bench, books = self.bench, self.books
        rule = "1841 §1.12 end"
        match reason:
            case "bankruptcy":
                solvent = [p for p in books.players if p not in books.resigned]
                bench.check(rule, len(solvent) <= 1, f"{solvent} are solvent")
            case "stalemate":
                bench.same(
                    "1841 ruling: stalemate", f"all that is owned, in {books.round}", self.owned(), self.once_owned
                )
                bench.check("1841 ruling: stalemate", books.round[0] == "SR", f"it is found in {books.round}")
            case _ if self.reached_top or "area" in reason or "connect" in reason or "box" in reason:
                pass
            case _:
                self.all_had_turns()
                over = self.broke is not None and books.round[0] == "OR"
                bench.check(rule, over, f"{reason}: the bank has {books.cash[BANK]} in {books.round}")
        worth = {p: self.worth(p) for p in books.players}
        bench.same("1841 §1.12 worth", "worth", standings, worth)
        falling = sorted(standings.values(), reverse=True)
        bench.same("1841 §1.12 worth", "standings", list(standings.values()), falling)

    def owned(self) -> tuple[object, ...]:
        """Money, certificates and prices: what a stalemate leaves as it is from one stock round to the next."""
        books = self.books
        found: tuple[Mapping[Any, Any], ...] = (books.cash, books.paper, books.privates, books.cells)
        return tuple({name: value for name, value in one.items() if value not in (0, None)} for one in found)

    def worth(self, player: str) -> int:
        """Cash, certificates at the chart price, 500 less for each loan."""
        books = self.books
        total = books.cash[player] + sum(books.shares(player, c) * books.price(c) for c in books.cells)
        return total - books.debts[player, "loan"]
